"""Theorems for all steps at one K: near the best theorems of one step, never below them, proved by a file."""

import copy
import itertools
from fractions import Fraction

import numpy as np
import pytest
from turns import case_of

from boundcheck import METHODS
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.proofs.kernel.all_steps import check
from boundcheck.worst import ProblemClass
from boundcheck.worst.theorems.all_steps.cover import cover_steps
from boundcheck.worst.theorems.all_steps.search import best_at
from boundcheck.worst.theorems.all_steps.sharpen import sharpen_steps
from boundcheck.worst.theorems.bernstein.coefficients import bernstein
from boundcheck.worst.theorems.bernstein.polynomials import evaluate, interpolate
from boundcheck.worst.theorems.bernstein.programme import BoxProgramme
from boundcheck.worst.theorems.family import StepFamily, polynomials

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
MOMENTUM = {"eta": 0.1, "beta": 0.5, "gamma": 0.25}


def excesses(theorem, points, costs):
    """Return by how much a theorem exceeds the best one-round theorem of each point, relative."""
    family = StepFamily(theorem.method, theorem.letters, theorem.K, theorem.given)
    made = polynomials(family)
    found = []
    for point in points:
        weights = costs(*point)
        best = best_at(made, point, weights).value
        values = dict(zip(theorem.letters, point, strict=True))
        # At T = 1 the factors of the start count once, those of a round by their own weights.
        rate = float(evaluate(theorem.rate, point))
        once = sum(weights["start"].get(c, 0) * float(evaluate(p, point)) for c, p in theorem.first.items())
        always = sum(weights["round"].get(c, 0) * float(evaluate(p, point)) for c, p in theorem.always.items())
        assert values
        found.append((once + always) / rate / best - 1)
    return found


def of_fedavg(h):
    return {"start": {"Delta": 1.0, "zeta": 1.0}, "round": {"zeta": 4 / h**3}}


@pytest.mark.parametrize(("K", "most"), [(2, 0.001), (3, 0.005), case_of((4, 0.008), slow=True)])
def test_fedavg_is_near_the_best_theorem_of_every_step(K, most):
    """At steps that the search did not see, it is at most so much above the best one-round theorem, and never below."""
    theorem = sharpen_steps(METHODS["fedavg"](eta=0.1), K=K)
    points = [(float(h),) for h in np.random.default_rng(K).uniform(0.01, 1, 12)]
    found = excesses(theorem, points, of_fedavg)
    assert min(found) > -1e-6
    assert max(found) <= most
    assert "verified" not in check(theorem.proof)


@pytest.mark.slow
@pytest.mark.parametrize(("K", "most"), [(2, 0.001), (3, 0.005), (4, 0.008), (8, 0.013)])
def test_fedavg_at_fifty_steps(K, most):
    """The same at fifty random steps, K = 8 too."""
    theorem = sharpen_steps(METHODS["fedavg"](eta=0.1), K=K)
    found = excesses(theorem, [(float(h),) for h in np.random.default_rng(7).uniform(0.01, 1, 50)], of_fedavg)
    assert min(found) > -1e-6
    assert max(found) <= most


@pytest.mark.parametrize(
    ("name", "hyper", "up_to"),
    [
        ("scaffold", {"eta": 0.1}, QUARTER),
        ("fedavg-m", MOMENTUM, HALF),
        ("scaffold-m", MOMENTUM | {"gamma": 0.125}, QUARTER),
    ],
)
def test_other_methods_over_all_steps(name, hyper, up_to):
    """SCAFFOLD and SCAFFOLD-M assume G_0 at the start alone; all are within 3 % of the best theorems, and proved."""
    theorem = sharpen_steps(METHODS[name](**hyper), K=2, up_to=up_to)
    assert (theorem.given.zeta is None) == name.startswith("scaffold")
    assert 0 <= theorem.gap <= 0.03
    check(theorem.proof)


def test_a_box_in_several_steps():
    """FedAvg-M in a box of factor two in eta and gamma, away from 0."""
    box = {"eta": (Fraction(1, 16), Fraction(1, 8)), "gamma": (Fraction(1, 8), QUARTER)}
    theorem = sharpen_steps(METHODS["fedavg-m"](**MOMENTUM), K=2, box=box)
    assert 0 <= theorem.gap <= 0.02
    check(theorem.proof)
    # Outside the box nothing is said: the same numbers do not hold where the matrices are not checked.
    wider = copy.deepcopy(theorem.proof)
    wider["box"]["gamma"] = ["1/8", "4"]
    with pytest.raises(ValueError, match=r"coefficient \(\d"):
        check(wider)


def test_what_is_refused_by_name():
    """Rounds that are no polynomials, ranges and boxes that are not legal."""
    with pytest.raises(NotApplicableError, match="fedprox: its round is no polynomial"):
        sharpen_steps(METHODS["fedprox"](eta=0.1, rho=0.1), K=5)
    with pytest.raises(InputError, match="up-to = '0'"):
        sharpen_steps(METHODS["fedavg"](eta=0.1), K=2, up_to=Fraction(0))
    with pytest.raises(InputError, match="box = 'gama'"):
        sharpen_steps(METHODS["fedavg"](eta=0.1), K=2, box={"gama": (HALF, Fraction(1))})
    with pytest.raises(InputError, match="box eta"):
        sharpen_steps(METHODS["fedavg"](eta=0.1), K=2, box={"eta": (HALF, HALF)})


def test_a_range_without_theorems_is_refused():
    """FedAvg-M with a server step of 8/L has no one-round theorem."""
    with pytest.raises(NotApplicableError, match="fedavg-m"):
        sharpen_steps(
            METHODS["fedavg-m"](eta=0.1, beta=0.5, gamma=8.0), K=2, given=ProblemClass(zeta=1.0, N=2, Delta=1.0)
        )


def test_bernstein_coefficients_give_the_polynomial():
    """Summed against the basis they are the polynomial, at random points of a box; they bound it."""
    p = {(0, 0): Fraction(1), (2, 1): Fraction(-3), (1, 0): Fraction(2, 3)}
    box = ((Fraction(1), Fraction(3)), (Fraction(-1), HALF))
    coefficients = bernstein(p, box, (3, 2))
    for s, t in ((Fraction(1, 3), Fraction(2, 7)), (Fraction(0), Fraction(1)), (Fraction(9, 10), HALF)):
        total = Fraction(0)
        for (i, j), c in coefficients.items():
            first = [1, 3, 3, 1][i] * s**i * (1 - s) ** (3 - i)
            total += c * first * [1, 2, 1][j] * t**j * (1 - t) ** (2 - j)
        assert total == evaluate(p, (1 + 2 * s, -1 + Fraction(3, 2) * t))
    with pytest.raises(ValueError, match="no Bernstein form of degree"):
        bernstein(p, box, (1, 2))


def test_interpolation_refuses_what_is_no_polynomial():
    """A quotient is found out at one more point."""
    nodes = [[Fraction(k, 7) for k in range(1, 5)]]
    assert interpolate(lambda x: {"p": x[0] ** 2 - 1}, (2,), nodes) == {"p": {(0,): -1, (2,): 1}}
    with pytest.raises(ValueError, match="q is no polynomial"):
        interpolate(lambda x: {"q": 1 / x[0]}, (2,), nodes)


def test_a_programme_of_one_matrix():
    """The largest c with [[1, c t], [c t, 1 - t/2]] >= 0 for t in [0, 1]: c^2 t^2 <= 1 - t/2 everywhere, c^2 = 1/2."""
    programme = BoxProgramme()
    one, half_of_t = {(0,): Fraction(1)}, {(0,): Fraction(1), (1,): -HALF}
    form = {(): {("a", "a"): one, ("b", "b"): half_of_t}, ("c",): {("a", "b"): {(1,): Fraction(2)}}}
    programme.ask_squares("matrix", form, ((Fraction(0), Fraction(1)),), raised=3)
    found = programme.minimise({("c",): -1.0}, margin=1e-8)
    assert found.unknowns["c",] == pytest.approx(0.5**0.5, abs=2e-3)
    assert found.unknowns["c",] <= 0.5**0.5
    assert programme.failure({("c",): Fraction(7, 10)}) is None
    assert "matrix" in programme.failure({("c",): Fraction(3, 4)})


def test_a_cover_of_a_larger_box():
    """A factor of four in eta is two boxes, which meet; each is within the excess that was asked for."""
    box = {"eta": (Fraction(1, 32), Fraction(1, 8)), "gamma": (HALF, Fraction(1))}
    found = cover_steps(METHODS["scaffold"](eta=0.1), K=2, box=box, within=0.01)
    ends = sorted(theorem.box[0] for theorem in found)
    assert [ends[0][0], ends[-1][1]] == [Fraction(1, 32), Fraction(1, 8)]
    assert all(one[1] == other[0] for one, other in itertools.pairwise(ends))
    assert max(theorem.gap for theorem in found) <= 0.01
    with pytest.raises(NotApplicableError, match="more than 1 boxes"):
        cover_steps(METHODS["scaffold"](eta=0.1), K=2, box=box, within=0.01, most=1)
    with pytest.raises(InputError, match="within"):
        cover_steps(METHODS["scaffold"](eta=0.1), K=2, box=box, within=0.0)
