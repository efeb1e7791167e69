"""Reviews of theorems with letters from loops, equal clients, and prescribed steps that nothing forbids to change."""

from dataclasses import replace

import pytest
from sympy import Eq, Le, Ne, Rational

import boundcheck as bc
from boundcheck import check, load_problem
from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.instances import TrialInstance
from boundcheck.notation import symbols
from boundcheck.reviews.places import Place
from boundcheck.reviews.questions import find_horizon, find_worst_case, see_rate
from boundcheck.reviews.words import sections

N, S, K, T, b, L, sigma, zeta, Delta, eta = symbols("N S K T b L sigma zeta Delta eta")
loop_steps = parameter("loop_steps", unit=(-1, 2), meaning="sum of the steps")
warm_up = parameter("warm_up", whole=True, meaning="rounds after which steps have halved")
FULL, ONE = Condition("all", Le(N, S)), Condition("one", Eq(K, 1))

FALLING = Bound(
    id="falling",
    paper="mine",
    title="steps that fall",
    where="Theorem 1",
    method="sgd",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={"warm_up": 4, "eta": 1 / L},
    schedule={"eta": "(t/warm_up+1)^-1"},
    derived={"loop_steps": lambda v: v["eta"] * sum(1 / (t / v["warm_up"] + 1) for t in range(int(v["T"])))},
    terms={"gap": 2 * Delta / loop_steps},
    trivial=2 * L * Delta,
    conditions=(ONE, FULL),
    free=("warm_up",),
    rigid=True,
    exact_gradients=True,
)
EQUAL = replace(
    FALLING,
    id="equal",
    method="fedavg",
    needs=("L", "zeta", "Delta"),
    parameters={"eta": 1 / (2 * K * L)},
    schedule={},
    derived={},
    terms={"gap": 4 * Delta / (eta * K * T)},
    conditions=(Condition("same", Eq(zeta, 0, evaluate=False)), FULL),
    free=(),
)


def test_sums_over_a_schedule_have_a_first_horizon():
    """By hand: 2 Delta/(sum of steps) < 2 L Delta from the first T whose sum of 4/(t + 4) is above 1."""
    place = Place(TrialInstance("stress-parabola", 1, 1, 4), 0.1, 1.0)
    first = next(n for n in range(1, 99) if sum(4 / (t + 4) for t in range(n)) > 1)
    assert find_horizon(FALLING, [place]).first == first == 2
    assert "loop_steps" in see_rate(FALLING, [place], seed=0).promised


def test_a_loop_that_fails_is_outside_the_theorem():
    """A search tries warm_up = 0."""
    trial = load_problem("stress-parabola", N=1)
    found = check(FALLING, trial, K=1, T=4, overrides={"warm_up": 0})
    assert (found.verdict, "loop_steps" in found.reason) == ("not applicable", True)
    assert check(FALLING, trial, K=1, T=4, overrides={"warm_up": 2}).verdict == "holds"


def test_clients_that_are_not_equal_are_a_condition():
    """Of two numbers that differ; at three clients it fails."""
    two = replace(EQUAL, conditions=(Condition("not three", Ne(N, 3)), *EQUAL.conditions))
    alike = "stress-parabola"
    assert check(two, load_problem(alike, N=2), K=1, T=16).verdict == "holds"
    assert check(two, load_problem(alike, N=3), K=1, T=16).verdict == "not applicable"


def test_a_theorem_about_equal_clients_has_their_worst_case():
    """It is asked at zeta = 0 where it fails at zeta = 1."""
    found = find_worst_case(EQUAL)
    assert found.case is not None
    assert found.where.endswith("zeta = 0")
    assert found.case.rhs >= found.case.case.upper


@pytest.mark.slow
def test_a_step_that_the_theorem_does_not_prescribe_is_named():
    """A violation at another step says so; at the prescribed one it does not."""
    loose = replace(EQUAL, id="loose", terms={"gap": Rational(5, 2) * Delta / (eta * K * T)}, rigid=False)
    found = bc.review(loose, work=4_000)
    lines = next(section.lines for section in sections(found) if section.title == "search")
    assert found.search.verdict == "violated"
    assert any("prescribes another eta" in line for line in lines)
    low = replace(loose, terms={"gap": Delta / (50 * eta * K * T)}, rigid=True)
    lines = next(section.lines for section in sections(bc.review(low, work=4_000)) if section.title == "search")
    assert lines[0].startswith("violated")
    assert not any("prescribes another" in line for line in lines)


def test_a_letter_from_a_loop_is_refused_by_name():
    """Of a bound alone, too."""
    with pytest.raises(NotApplicableError, match="loop_steps is no number"):
        FALLING.resolve({"L": 1.0, "Delta": 1.0, "N": 1, "S": 1, "K": 1, "T": 3, "b": 1, "d": 1}, {"warm_up": 0})
