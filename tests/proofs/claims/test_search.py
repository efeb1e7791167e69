"""Searching provers: attack and pathwise find what is false, and report honestly what they could not break."""

from functools import partial

import numpy as np
import pytest
from turns import case_of

from boundcheck.errors import BoundcheckError, InputError
from boundcheck.proofs import AllOf, AnyOf
from boundcheck.proofs.provers import GramBound, Pathwise, Real, Search, inner, positive, square, vectors

TIMEOUT = 5.0


def cauchy(u, v):
    """|<u, v>| <= |u| |v|, with equality on parallel vectors."""
    return np.abs((u * v).sum(1)), np.sqrt((u * u).sum(1) * (v * v).sum(1))


def young(x, y, nu):
    """2 x y <= nu x^2 + y^2/nu, with equality at y = nu x."""
    return 2 * x * y, nu * x**2 + y**2 / nu


def moment(v):
    """Mean fourth power of five numbers of mean zero, against N times the squared mean square: ratio 13/20."""
    v = v - v.mean(1, keepdims=True)
    return (v**4).mean(1), 5 * (v**2).mean(1) ** 2


def doubled(x):
    """Return the sides of x <= 2 x on [1, 2]: never better than 1/2."""
    return x, 2 * x


SHARP = {
    "Cauchy-Schwarz": (Search(cauchy, {"u": (-1, 1, 3), "v": (-1, 1, 3)}), 1.0),
    "Young": (Search(young, {"x": (0.01, 10), "y": (0.01, 10), "nu": (1e-3, 1e3)}), 1.0),
    # one outlier: v = (4, -1, -1, -1, -1) has mean fourth power 52 and mean square 4
    "fourth moment": (Search(moment, {"v": (-1, 1, 5)}), 52 / (5 * 4**2)),
    "not sharp": (Search(doubled, {"x": (1, 2)}), 0.5),
}


@pytest.mark.parametrize("name", SHARP)
def test_slack_is_the_constant_known_by_hand(name):
    """The largest ratio found is the sharp one to six digits, and not above it."""
    goal, sharp = SHARP[name]
    outcome = goal.decide(TIMEOUT)
    assert outcome.verdict == "supported"
    assert sharp * (1 - 1e-6) <= outcome.slack <= sharp * (1 + 1e-9)


@pytest.mark.parametrize("name", [case_of(name, slow=name == "fourth moment") for name in SHARP])
def test_a_constant_one_percent_below_the_sharp_one_is_broken(name):
    """Another seed breaks the tightened constant, and the replay shows it; one percent above survives."""
    goal, sharp = SHARP[name]
    broken = goal.tighten(0.99 * sharp, seed=1).decide(TIMEOUT)
    assert broken.verdict == "refuted"
    exec(broken.replay, {})
    assert goal.tighten(1.01 * sharp, seed=1).decide(TIMEOUT).verdict == "supported"


def test_points_outside_the_domain_do_not_count():
    """NaN marks x > 1 as outside, where alone x <= 1 fails; a failure in a thin slice is found."""

    def sides(x, inside=True):
        return np.where(inside & (x > 1), np.nan, x), np.ones_like(x)

    def thin(x, y):
        return np.where(np.abs(x - y) < 0.01, x * y, 0.0), 0.95 * np.ones_like(x)

    outcome = Search(sides, {"x": (0, 2)}).decide(TIMEOUT)
    assert (outcome.verdict, round(outcome.slack, 6)) == ("supported", 1.0)
    assert Search(partial(sides, inside=False), {"x": (0, 2)}).decide(TIMEOUT).verdict == "refuted"
    assert Search(thin, {"x": (0, 1), "y": (0, 1)}).decide(TIMEOUT).verdict == "refuted"


def test_same_seed_same_answer():
    """The search is deterministic."""
    goal = Search(moment, {"v": (-1, 1, 5)}, tries=500)
    assert goal.decide(TIMEOUT) == goal.decide(TIMEOUT)


def descent(rng, factor=1.0):
    """Gradient descent on a quadratic: |x_(t+1)|^2 <= (1 - eta mu)^2 |x_t|^2 for eta <= 2/(L + mu)."""
    h, x = np.array([1.0, 3.0]), rng.normal(size=2)
    for _ in range(30):
        new = x - 0.4 * h * x
        yield new @ new, factor * 0.6**2 * (x @ x)
        x = new


def test_monitors_ride_along_runs():
    """The contraction 0.6 of a quadratic is met at every step; one percent less fails and replays."""
    good = Pathwise(descent).decide(TIMEOUT)
    assert (good.verdict, good.tries) == ("supported", 600)
    assert 0.999 < good.slack <= 1 + 1e-12
    bad = Pathwise(partial(descent, factor=0.99)).decide(TIMEOUT)
    assert bad.verdict == "refuted"
    assert set(bad.witness) == {"seed", "step"}
    exec(bad.replay, {})


def test_a_run_that_yields_nan_or_changes_is_not_supported():
    """NaN is a failure; a run that differs the second time is undecided."""

    def broken(rng):
        yield np.array([0.0, np.nan]), 1.0

    calls = []

    def moody(rng):
        calls.append(0)
        yield 2.0 - len(calls), 0.5

    assert Pathwise(broken).decide(TIMEOUT).verdict == "refuted"
    assert Pathwise(moody).decide(TIMEOUT).verdict == "undecided"


a, b = vectors("a b")
(x,) = positive("x")
PROVED = GramBound(2 * inner(a, b), square(a) + square(b))
REFUTED = GramBound(3 * inner(a, b), square(a) + square(b))
UNDECIDED = GramBound(inner(a, b), 0 * square(a), given=((-x, -inner(a, b)),))
SUPPORTED = Search(doubled, {"x": (1, 2)}, tries=100)


@pytest.mark.parametrize(
    ("goals", "verdict", "prover"),
    [
        ((SUPPORTED, PROVED), "proved", "gram"),
        ((UNDECIDED, SUPPORTED), "supported", "attack"),
        ((SUPPORTED, REFUTED, UNDECIDED), "refuted", "gram"),
    ],
)
def test_the_strongest_answer_stands(goals, verdict, prover):
    """Proved and refuted beat supported, which beats undecided; the answer names its prover."""
    outcome = AnyOf(goals).decide(TIMEOUT)
    assert (outcome.verdict, outcome.prover) == (verdict, prover)


def test_provers_that_contradict_each_other_are_an_error():
    """Nothing is both proved and refuted."""
    with pytest.raises(BoundcheckError, match="contradict"):
        AnyOf((PROVED, REFUTED)).decide(TIMEOUT)


def test_a_conjunction_with_a_search_is_supported_at_most():
    """The worst slack and all tries are kept."""
    outcome = AllOf((PROVED, SUPPORTED, Search(doubled, {"x": (1, 3)}, tries=100))).decide(TIMEOUT)
    assert (outcome.verdict, outcome.slack) == ("supported", 0.5)
    assert AllOf((SUPPORTED, Real(2 * x, x))).decide(TIMEOUT).verdict == "refuted"


def test_illegal_searches_are_named():
    """Empty ranges and too few tries or runs."""
    with pytest.raises(InputError, match="box"):
        Search(doubled, {"x": (2, 1)})
    with pytest.raises(InputError, match="tries"):
        Search(doubled, {"x": (1, 2)}, tries=10)
    with pytest.raises(InputError, match="runs"):
        Pathwise(descent, runs=0)


def test_rounding_is_no_refutation():
    """|v^-1/2 - w^-1/2| <= |v - w|/(2 eps^3) for v, w >= eps^2 is an equality in the limit v = w = eps^2."""

    def sides(v, w, eps):
        v, w = np.maximum(v, eps**2), np.maximum(w, eps**2)
        return np.abs(v**-0.5 - w**-0.5), np.abs(v - w) / (2 * eps**3)

    box = {"v": (0.01, 100.0), "w": (0.01, 100.0), "eps": (0.1, 1.0)}
    outcome = Search(sides, box).decide(5.0)
    assert outcome.verdict == "supported"
    assert 0.99 < outcome.slack <= 1.0
    assert Search(sides, box).tighten(0.99).decide(5.0).verdict == "refuted"


def test_the_documented_name_of_the_search_stays():
    """`Attack` is `Search`."""
    from boundcheck.proofs.provers import Attack

    assert Attack is Search
