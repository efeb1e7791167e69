"""Sharpened theorems on the audit's problems: they hold there, and no worst case is above them."""

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.errors import BoundcheckError
from boundcheck.evidence import check
from boundcheck.evidence.trial import Trial
from boundcheck.problems import load_problem
from boundcheck.sweep import load_recipe
from boundcheck.worst import bound_of, sharpen, worst
from boundcheck.worst.units import for_share

LINEAR = {"fedavg-m", "fedavg-m-vr", "scaffold-m", "scaffold-m-vr", "fedavg", "fedavg-server-m", "fedprox-m"}
STUDIES = {
    s.id: s
    for s in load_recipe("audit").study
    if BOUNDS[s.bounds[0]].method in LINEAR and BOUNDS[s.bounds[0]].metric == "server_gradient"
}
SAMPLE = [(2, 1, 8), (2, 4, 128), (8, 2, 128), (8, 8, 512)]
"""N, K, T; all clients take part."""


def dials(study, N):
    """Return the study's problem at the last of its dials; without noise where no bound can say additive noise."""
    chosen = {k: v[-1] if isinstance(v, list) else v for k, v in study.parameters.items()}
    if BOUNDS[study.bounds[0]].method.endswith("-vr"):
        chosen["sigma"] = 0.0
    return load_problem(study.problem, N=N, **chosen)


def found(study, N, K, T):
    """Return the problem, and the sharpened theorem at the printed bound's parameters."""
    bound, problem = BOUNDS[study.bounds[0]], dials(study, N)
    method = Trial.of(bound, problem, Setting.of(problem, K=K, T=T), strict=False).method
    L = problem.constant("L")
    depth = L * problem.constant("Delta")
    given = {"sigma": problem.constant("sigma") / depth**0.5, "zeta": problem.constant("zeta") / depth**0.5, "N": N}
    return problem, sharpen(for_share(method, L), K=K, T=T, **given)


@pytest.mark.slow
@pytest.mark.parametrize(("N", "K", "T"), SAMPLE)
@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_a_sharpened_theorem_holds_on_the_problems_of_the_audit(study, N, K, T):
    """At the printed bound's own steps: measured below, with an error rate; nothing is violated."""
    try:
        problem, theorem = found(study, N, K, T)
    except BoundcheckError as error:
        pytest.skip(str(error)[:100])
    verdict = check(bound_of(theorem), problem, K=K, T=T, replicates=8)
    assert verdict.verdict in {"holds", "consistent", "vacuous"}
    assert verdict.ratio < 1


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_no_worst_case_is_above_a_sharpened_theorem(study):
    """Over the same class, at the same steps, four rounds of two steps."""
    try:
        _, theorem = found(study, 2, 2, 4)
    except BoundcheckError as error:
        pytest.skip(str(error)[:100])
    given = theorem.given
    case = worst(theorem.method, K=2, T=4, N=2, zeta=given.zeta, sigma=given.sigma)
    assert case.upper <= theorem.value() * (1 + 1e-6)
