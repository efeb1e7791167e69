"""The proved sides of descent on the tail: on runs made here, and as p goes to 0."""

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.rates import tail_ceiling, tail_exponent, tail_floor


def descend(p, start, steps):
    """Return |phi'|^2 before every step of plain descent, written out."""
    x, squares = start, np.empty(len(steps))
    for t, s in enumerate(steps):
        slope = -x * (1 + x * x) ** (-1 - p / 2)
        squares[t] = slope * slope
        x -= s * slope
    return squares


SCHEDULES = {
    "constant": lambda t: np.ones_like(t),
    "small": lambda t: np.full_like(t, 0.05),
    "cube root": lambda t: (1 + t) ** (-1 / 3),
    "square root": lambda t: (1 + t) ** (-1 / 2),
    "random": lambda t: np.random.default_rng(3).random(len(t)),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("p", "start"), [(0.05, 1.0), (0.1, 1.0), (0.1, 4.0), (1.0, 1.0), (5.0, 2.0)])
def test_descent_stays_between_its_sides(schedule, p, start):
    """At every point, whatever the steps; halving one side or doubling the other is seen."""
    steps = SCHEDULES[schedule](np.arange(3000.0))
    squares, sums = descend(p, start, steps), np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    low = np.array([tail_floor(p, start, s) for s in sums])
    high = np.array([tail_ceiling(p, start, s) for s in sums])
    assert (low <= squares).all()
    assert (squares <= high).all()
    # The sides are no further apart than their constants: the test would see a lost factor.
    assert (high / low <= 2 * (2 * 1.5 ** (1 + p)) ** tail_exponent(p) * (1 + 1e-12)).all()


def test_the_power_goes_to_one_as_p_does_to_zero():
    """Measured between sums of steps 10^4 and 4 10^4: (2+2p)/(2+p), and 1 in the limit, from above.

    What is left at x is of order 1/x^2, which is s^(-2/(2+p)).
    """
    found = {}
    for p in (0.8, 0.4, 0.2, 0.1, 0.05):
        squares = descend(p, 1.0, np.ones(40_001))
        found[p] = np.log(squares[10_000] / squares[40_000]) / np.log(4.0)
        assert found[p] == pytest.approx(tail_exponent(p), abs=2 * 1e4 ** (-2 / (2 + p)))
    assert sorted(found.values()) == [found[p] for p in sorted(found)]
    # e - 1 = p/(2+p): halving p halves the distance to 1, up to p itself.
    assert (found[0.05] - 1) / (found[0.1] - 1) == pytest.approx(0.5, abs=0.02)


def test_no_descent_is_faster_than_its_theorem_by_more_than_p():
    """2 Delta/s is what every theorem of descent promises of the least square; the floor is below, by s^(p/(2+p))."""
    for p in (0.05, 0.2):
        delta = 2 ** (-p / 2) / p
        for s in (1e3, 1e6, 1e9):
            promised = 2 * delta / s
            assert tail_floor(p, 1.0, s) < promised
            assert tail_floor(p, 1.0, s) > promised * p * s ** (-p / (2 + p)) / 60


@pytest.mark.parametrize("bad", [(0.0, 1.0, 1.0), (0.1, 0.5, 1.0), (0.1, 1.0, -1.0)])
def test_illegal_numbers_are_named(bad):
    """The proof needs p > 0, a start beyond the steepest place, and steps that go on."""
    for side in (tail_floor, tail_ceiling):
        with pytest.raises(InputError, match=r"tail: (p|start|steps) = "):
            side(*bad)


def test_the_sides_by_hand():
    """At p = 2, x_0 = 1, s = 4: e = 3/2, M = 4 + 4 (27/8) 4 = 58 and m = 4 + 2 * 4 = 12."""
    assert tail_floor(2.0, 1.0, 4.0) == pytest.approx(58**-1.5 / 2)
    assert tail_ceiling(2.0, 1.0, 4.0) == pytest.approx(12**-1.5)


@pytest.mark.parametrize("p", [0.05, 1.0, 5.0])
def test_the_steps_of_the_proof(p):
    """One step of size s from x >= 1 moves (1+x^2)^(1+p/2) by (1+p/2) s at least, and by (2+p) (3/2)^(1+p) s at most.

    The least is reached at x = 1 by short steps.
    """
    x, s = np.meshgrid(np.geomspace(1, 1e3, 200), np.geomspace(1e-4, 1, 40))
    moved = x * (1 + s * (1 + x * x) ** (-1 - p / 2))
    # Far away and by short steps what is left of the difference is rounding.
    gain = ((1 + moved**2) ** (1 + p / 2) - (1 + x * x) ** (1 + p / 2)) / s
    blur = 1e-15 * (1 + x * x) ** (1 + p / 2) / s
    assert (gain >= 1 + p / 2 - 4 * blur).all()
    assert (gain <= (2 + p) * 1.5 ** (1 + p) + 4 * blur).all()
    assert gain[0, 0] == pytest.approx(1 + p / 2, rel=1e-3)
