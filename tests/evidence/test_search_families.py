"""False theorems that a search refutes by one kind of problem, and not without it: why each kind is there."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sympy import Eq, Le, sqrt

import boundcheck.evidence.search.refute as search
from boundcheck.bounds import BOUNDS, Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name

N, S, K, T, L, mu, L_block, delta_x, Delta, Delta_Phi, delta_y = symbols(
    "N S K T L mu L_block delta_x Delta Delta_Phi delta_y"
)
ALL, ONE = Condition("all clients", Le(N, S)), Condition("one local step", Eq(K, 1))
PLAIN = Bound(
    id="plain",
    paper="none",
    title="false",
    where="",
    method="sgd",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={},
    terms={"descent": 2 * L * Delta},
    trivial=2 * L * Delta,
    conditions=(ALL, ONE),
    exact_gradients=True,
)
CONJUGATE = Path(__file__).parents[1] / "reviews" / "strangers" / "conjugate.py"


@dataclass(frozen=True)
class FalseTheorem:
    """A theorem, and the families of which the one that refutes it is a member."""

    bound: Bound
    kind: frozenset[str]

    def __str__(self):
        return self.bound.id


LAST = replace(
    PLAIN,
    id="the last gradient falls like 1/T",
    method="adagrad-norm",
    metric="final_gradient",
    parameters={"eta": sqrt(Delta / L), "eps": sqrt(L * Delta)},
    terms={"descent": 3 * L * Delta / T},
)
"""Points leave a saddle slowly, and the gradient grows on the way down."""
EQUAL_STEPS = replace(
    PLAIN,
    id="descent and ascent at equal steps converge",
    method="sgda",
    needs=("L_block", "mu", "Delta_Phi", "delta_y"),
    parameters={"eta_x": 1 / (8 * L_block), "eta_y": 1 / (8 * L_block)},
    terms={"descent": 1024 * L_block**3 / mu**2 * Delta_Phi / T, "dual": 1024 * L_block**4 / mu**2 * delta_y / T},
    trivial=2 * L_block**2 / mu * Delta_Phi,
)
"""Where the curvature in x is larger than mu, both run away (Li, Farnia, Das, Jadbabaie 2022)."""
LOCAL_STEPS = replace(
    PLAIN,
    id="local steps come to the minimiser",
    method="fedavg",
    metric="final_distance",
    needs=("L", "mu", "delta_x"),
    parameters={"eta": 1 / (2 * L)},
    terms={"start": (1 - mu / (2 * L)) ** T * delta_x},
    trivial=delta_x,
    conditions=(ALL,),
    convex=True,
)
"""True where clients differ by tilts alone: the limit of FedAvg moves with curvatures."""
PARABOLAS_ALONE = replace(BOUNDS[f"{CONJUGATE}:EVERYWHERE"], id="conjugate gradients keep their rate beyond parabolas")

FALSE = [
    FalseTheorem(LAST, frozenset({"piecewise"})),
    FalseTheorem(PARABOLAS_ALONE, frozenset({"piecewise"})),
    FalseTheorem(EQUAL_STEPS, frozenset({"saddle-parabola"})),
    FalseTheorem(LOCAL_STEPS, frozenset({"quadratic", "random-curvature", "parabolas", "stiff-clients"})),
]


def family(name):
    return instance(parse_name(name)[0]).family


@pytest.mark.parametrize(
    "theorem", [FALSE[0], FALSE[1], *(pytest.param(one, marks=pytest.mark.slow) for one in FALSE[2:])]
)
def test_a_kind_of_problem_refutes(theorem):
    found = search.refute(theorem.bound, work=100_000, budget=600)
    assert found.verdict == "violated"
    assert family(found.instance.problem) in theorem.kind


@pytest.mark.slow
@pytest.mark.parametrize("theorem", FALSE, ids=str)
def test_without_it_nothing_does(theorem, monkeypatch):
    everything = search.suitable
    monkeypatch.setattr(
        search, "suitable", lambda bound: [name for name in everything(bound) if family(name) not in theorem.kind]
    )
    found = search.refute(theorem.bound, work=100_000, budget=600)
    assert found.verdict == "not contradicted"
    assert found.ratio < 1
