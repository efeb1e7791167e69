"""Reviews of theorems with letters from loops, equal clients, and prescribed steps that nothing forbids to change."""

from dataclasses import replace

import pytest
from sympy import Eq, Le, Ne, Rational, floor, log

import boundcheck as bc
from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS, Bound, Condition, parameter
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.instances import TrialInstance, beginnings, fit_horizon
from boundcheck.evidence.search.suitable import suitable
from boundcheck.notation import symbols
from boundcheck.reviews.places import SuitablePlace
from boundcheck.reviews.questions import find_horizon, find_worst_case, see_rate
from boundcheck.reviews.words import hypotheses, sections

N, S, K, T, b, L, sigma, zeta, Delta, eta = symbols("N S K T b L sigma zeta Delta eta")
loop_steps = parameter("loop_steps", unit=(-1, 2), meaning="sum of the steps")
warm_up = parameter("warm_up", whole=True, meaning="rounds after which steps have halved")
levels = parameter("levels", whole=True, meaning="k of the T = 2^k - 1 rounds")
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
    place = SuitablePlace(TrialInstance("stress-parabola", 1, 1, 4), 0.1, 1.0)
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
    assert lines[0].startswith("violated at other parameters than the prescribed ones (eta = ")
    low = replace(loose, terms={"gap": Delta / (50 * eta * K * T)}, rigid=True)
    lines = next(section.lines for section in sections(bc.review(low, work=4_000)) if section.title == "search")
    assert lines[0].startswith("violated")
    assert not any("at other parameters" in line for line in lines)


def test_a_letter_from_a_loop_is_refused_by_name():
    """Of a bound alone, too."""
    with pytest.raises(NotApplicableError, match="loop_steps is no number"):
        FALLING.resolve({"L": 1.0, "Delta": 1.0, "N": 1, "S": 1, "K": 1, "T": 3, "b": 1, "d": 1}, {"warm_up": 0})


POWERS = replace(
    FALLING,
    id="powers",
    parameters={"levels": log(T + 1) / log(2), "eta": 1 / L},
    schedule={},
    derived={},
    terms={"gap": 2 * L * Delta / 2**levels},
    conditions=(ONE, FULL),
    free=(),
)
"""The average of T = 2^k - 1 gradients is not 2 L Delta/(T + 1), and of other T nothing is said."""


def test_a_count_that_is_not_whole_is_no_setting():
    """Went wrong: levels was 2.3 at T = 4, and what the theorem does not speak of was called violated."""
    parabola = load_problem("stress-parabola", N=1)
    said = check(POWERS, parabola, K=1, T=4)
    assert said.verdict == "not applicable"
    assert "no whole number here" in said.reason
    at_seven = check(POWERS, parabola, K=1, T=7)
    assert at_seven.setting["levels"] == 3
    assert at_seven.rhs == pytest.approx(1 / 8)
    assert (
        check(
            replace(POWERS, parameters={**POWERS.parameters, "levels": floor(log(T) / log(2))}), parabola, K=1, T=4
        ).setting["levels"]
        == 2
    )


def test_horizons_that_few_conditions_allow_are_tried():
    """T of a theorem about T = 2^k - 1, and about multiples of 12; another theorem keeps its T."""
    multiples = replace(
        POWERS,
        parameters={"eta": 1 / L},
        terms={"gap": 2 * L * Delta / T},
        conditions=(ONE, FULL, Condition("whole", Eq(12 * floor(T / 12), T))),
    )
    at = TrialInstance("stress-parabola", 1, 1, 20)
    assert fit_horizon(at, POWERS).T == 15
    assert fit_horizon(at, multiples).T == 24
    assert fit_horizon(at, FALLING) == at
    assert {one.T for one in beginnings(POWERS, ["stress-parabola"])} <= {2**k - 1 for k in range(1, 15)}


def test_code_that_asks_for_a_shape_has_no_worst_case(tmp_path):
    """Went wrong: `range(x.shape[2])` ended the whole review with a TypeError."""
    (tmp_path / "cyclic.py").write_text(CYCLIC)
    found = find_worst_case(bc.bounds.BOUNDS[f"{tmp_path}/cyclic.py:TRUE"])
    assert found.case is None
    assert "shape of a vector" in found.why


CYCLIC = """
from dataclasses import dataclass, replace
from typing import NamedTuple
from boundcheck.bounds import BOUNDS
from boundcheck.methods.base import Card, Method, Step, Vector

class Point(NamedTuple):
    x: Vector

@dataclass(frozen=True)
class Cyclic(Method):
    card = Card("cyclic", "Cyclic", "mine", "(1)", gradients="d full", partial=False)
    state_type = Point
    eta: Step

    def round(self, oracle, state):
        x = state.x
        for c in range(x.shape[2]):
            x = x - self.eta * oracle.xp.eye(x.shape[2])[c] * oracle.mean(oracle.full(oracle.to_clients(x)))
        return Point(x)

TRUE = replace(BOUNDS["field.gd-best"], id="cyclic", method="Cyclic")
"""


SIMPLEX = """
import numpy as np
from dataclasses import replace
from sympy import Eq, Le
from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.own import from_functions
N, S, K, T, L, Delta = symbols("N S K T L Delta")

def FLAT(N: int, slope: float = 1.0):
    return from_functions(lambda i, x: slope * float(x @ x) / 2, lambda i, x: slope * x, N=N, d=2, start=[1.0, 1.0],
                          constants={"L": slope, "f_star": 0.0})

ALONE = Bound(id="alone", paper="mine", title="true of FLAT", where="1", method="sgd",
    metric="server_gradient", needs=("L", "Delta"), parameters={"eta": 1 / (2 * L)}, terms={"all": 3 * L * Delta / T},
    trivial=2 * L * Delta, conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))), exact_gradients=True,
    rigid=True, families=("FLAT",))
EVERYWHERE = replace(ALONE, families=())
NAMED = replace(ALONE, families=("quadratic", "piecewise"))
"""


def test_a_theorem_may_speak_of_its_own_problems_alone(tmp_path):
    """Others are left out by name; the control is the same theorem without them, which is put on shipped ones too."""
    file = tmp_path / "mine.py"
    file.write_text(SIMPLEX)
    bound = BOUNDS[f"{file}:ALONE"]
    assert {name.rpartition(":")[2] for name in suitable(bound)} == {"FLAT"}
    assert len(suitable(BOUNDS[f"{file}:EVERYWHERE"])) > 20
    families = {bc.load_problem(name, N=2).family for name in suitable(BOUNDS[f"{file}:NAMED"])}
    assert families == {"quadratic", "piecewise"}
    verdict = bc.check(bound, bc.load_problem("ridge-ratio[sigma=0]", N=2), K=1, T=8)
    assert verdict.verdict == "not applicable"
    assert "FLAT alone" in verdict.reason
    assert bc.check(bound, bc.load_problem(f"{file}:FLAT", N=2), K=1, T=8).verdict == "holds"
    assert "it speaks of FLAT alone" in hypotheses(bound)
