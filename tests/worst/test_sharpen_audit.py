"""Sharpened theorems on the audit's problems: they hold there, and no worst case is above them."""

import itertools
from typing import Any, NamedTuple

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence import check
from boundcheck.evidence.slack.waterfalls import shipped_waterfalls
from boundcheck.evidence.trials.trial import Trial
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.sweep import load_recipe
from boundcheck.worst import bound_of, sharpen, worst
from boundcheck.worst.gram.units import for_share

LINEAR = {"fedavg-m", "fedavg-m-vr", "scaffold-m", "scaffold-m-vr", "fedavg", "fedavg-server-m", "fedprox-m"}
STUDIES = {
    s.id: s
    for s in load_recipe("audit").study
    if BOUNDS[s.bounds[0]].method in LINEAR and BOUNDS[s.bounds[0]].metric == "server_gradient"
}
"""Studies whose method has theorems of one round, and whose left-hand side these are about."""


class Cell(NamedTuple):
    """Numbers of the audit's grid, and what its problem is made with."""

    N: int
    S: int | None
    K: int
    T: int
    dials: dict[str, Any]


def cells(study):
    """Yield every problem of a study with every N, S and K; its horizons take turns."""
    lists = [[(name, v) for v in (c if isinstance(c, list) else [c])] for name, c in study.parameters.items()]
    cells = itertools.product(map(dict, itertools.product(*lists)), study.N, study.S or [None], study.K)
    for turn, (dials, N, S, K) in enumerate(cells):
        # The step by one more for every round of the list lets all K meet all T.
        T = study.T[(turn + turn // len(study.T)) % len(study.T)]
        yield Cell(N, S, K, T, dials)


def found(study, cell):
    """Return the problem, and the sharpened theorem at the printed bound's parameters.

    Without noise where no bound can say additive noise.
    """
    bound = BOUNDS[study.bounds[0]]
    quiet = {"sigma": 0.0} if "same sample" in METHODS[bound.method].card.needs else {}
    problem = load_problem(study.problem, N=cell.N, **{**cell.dials, **quiet})
    setting = Setting.of(problem, K=cell.K, T=cell.T, S=cell.S)
    method = Trial.of(bound, problem, setting, strict=False).method
    L = problem.constant("L")
    depth = L * problem.constant("Delta")
    given = {name: problem.constant(name) / depth**0.5 for name in ("sigma", "zeta")}
    return problem, sharpen(for_share(method, L), K=cell.K, T=cell.T, S=cell.S, N=cell.N, **given)


ALL = [(study, cell) for study in STUDIES.values() for cell in cells(study)]
NAMES = [f"{study.id}-{cell.N}-{cell.S or cell.N}-{cell.K}-{cell.T}-zeta={cell.dials['zeta']:g}" for study, cell in ALL]


@pytest.mark.slow
@pytest.mark.parametrize(("study", "cell"), ALL, ids=NAMES)
def test_a_sharpened_theorem_holds_on_the_problems_of_the_audit(study, cell):
    """At the printed bound's own steps: measured below, with an error rate; nothing is violated."""
    problem, theorem = found(study, cell)
    verdict = check(bound_of(theorem), problem, K=cell.K, T=cell.T, S=cell.S, replicates=8)
    assert verdict.verdict in {"holds", "consistent", "vacuous"}
    assert verdict.ratio < 1


def test_the_problems_of_the_audit_are_all_there():
    """Every problem, K and T of the studies; and a study for the method of every sharpened theorem that ships."""
    for study in STUDIES.values():
        mine = [cell for other, cell in ALL if other is study]
        assert {cell.T for cell in mine} == set(study.T)
        assert {(cell.N, cell.S, cell.K) for cell in mine} == set(
            itertools.product(study.N, study.S or [None], study.K)
        )
    rows = [
        row
        for row in shipped_waterfalls()["waterfalls"]
        if any(s["name"] == "sharpened" and "value" in s for s in row["stages"])
    ]
    assert {row["method"] for row in rows} <= {BOUNDS[s.bounds[0]].method for s in STUDIES.values()}


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_no_worst_case_is_above_a_sharpened_theorem(study):
    """Over the same class, at the same steps, four rounds of two steps."""
    _, theorem = found(study, Cell(2, None, 2, 4, next(cells(study)).dials))
    given = theorem.given
    case = worst(theorem.method, K=2, T=4, N=2, zeta=given.zeta, sigma=given.sigma)
    assert case.upper <= theorem.value() * (1 + 1e-6)
