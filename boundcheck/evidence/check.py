"""Check one bound on one problem: run the method at the bound's parameters until the verdict is clear."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.engine.simulate import require_problem
from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.evidence.along import settled, spelled
from boundcheck.evidence.enumeration import PATHS, outcomes_of_run
from boundcheck.evidence.pairing import Pairing, pair
from boundcheck.evidence.verdict import Verdict, decide, not_applicable

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Array, Problem


def is_random(problem: Problem, S: int, method: Method | None = None) -> bool:
    """Return whether two runs on `problem` can differ: gradient noise, sampled clients, or a method's quantiser."""
    return problem.is_noisy or problem.N > S or getattr(method, "quantiser", "none") != "none"


def check(
    bound: Bound | str,
    problem: Problem,
    *,
    K: int,
    T: int,
    S: int | None = None,
    b: int = 1,
    overrides: Values | None = None,
    alpha: float = 0.05,
    replicates: int = 16,
    budget: int = 256,
    seed: int = 0,
    paths: int = PATHS,
) -> Verdict:
    """Decide whether `bound` holds on `problem`.

    A run with few equally likely paths is enumerated and the expectation compared exactly.  Otherwise replicates are
    added, doubling, until the verdict is clear or the budget is spent.  A pair that does not go together gives the
    verdict "not applicable" with the reason.  Letters that belong to the run are measured along it
    (`boundcheck.evidence.along`) and named in the reason.  A bound of order only cannot be refuted at one point: its
    ratio is returned as "undecided"; vary T (`boundcheck.evidence.shape`) to refute its growth.

    Parameters
    ----------
    bound : Bound or str
        A bound or its name.
    problem : Problem
    K, T, S, b : int
        Local steps, rounds, active clients (default all), minibatch.
    overrides : mapping, optional
        Parameters to use in place of the prescribed ones.
    alpha : float
        Error rate.
    replicates, budget : int
        Replicates of the first look, and at most.
    seed : int
        Root seed.
    paths : int
        Paths of a run up to which it is enumerated; 0 never.

    Raises
    ------
    InputError
        If a setting is not legal.
    """
    bound = BOUNDS[bound] if isinstance(bound, str) else bound
    require_problem(problem)
    require(0 < alpha < 1, "alpha", alpha, "a number in (0, 1)")
    require_count(seed, "seed", 0)
    require_count(replicates, "replicates")
    require_count(budget, "budget", replicates)
    require_count(paths, "paths", 0)
    try:
        if bound.measured:
            return _check_along(
                bound, problem, (replicates, budget), alpha, overrides=overrides, seed=seed, K=K, T=T, S=S, b=b
            )
        pairing = pair(bound, problem, K=K, T=T, S=S, b=b, overrides=overrides)
    except NotApplicableError as error:
        return not_applicable(bound.id, problem.name, str(error))
    noisy = is_random(problem, pairing.S, pairing.method)
    if noisy and (every := _every_path(pairing, paths)) is not None:
        return judge(pairing, every, alpha=alpha, exact=True)
    y = measure(pairing, seed, 0, replicates if noisy else 1)
    for looks in range(1, 64):
        verdict = judge(pairing, y, alpha=alpha, looks=looks)
        if verdict.verdict != "undecided" or not noisy or bound.kind == "order" or len(y) >= budget:
            break
        y = np.concatenate([y, measure(pairing, seed, len(y), min(len(y), budget - len(y)))])
    return verdict


def _check_along(
    bound: Bound, problem: Problem, counts: tuple[int, int], alpha: float, *, seed: int, **setting: Any
) -> Verdict:
    """Decide a bound with letters that belong to the run; every look measures them anew on all its replicates."""
    count, budget = counts
    for looks in range(1, 64):
        pairing, found = settled(bound, problem, seed=seed, count=count, **setting)
        noisy = is_random(problem, pairing.S, pairing.method)
        verdict = judge(pairing, measure(pairing, seed, 0, count if noisy else 1), alpha=alpha, looks=looks)
        if verdict.verdict != "undecided" or not noisy or bound.kind == "order" or count >= budget:
            break
        count = min(2 * count, budget)
    return replace(verdict, reason=f"{verdict.reason}; {spelled(found, pairing.evaluation.values)}")


def _every_path(pairing: Pairing, paths: int) -> Array | None:
    try:
        return outcomes_of_run(pairing, most=paths)
    except NotApplicableError:
        return None


def judge(pairing: Pairing, y: Array, *, alpha: float, cells: int = 1, looks: int = 1, exact: bool = False) -> Verdict:
    """Return the verdict on replicates `y` that were measured for `pairing` (if `exact`, on all its paths)."""
    bound = pairing.bound
    verdict = decide(
        y,
        pairing.evaluation,
        bound=bound.id,
        problem=pairing.problem.name,
        alpha=alpha,
        cells=cells,
        looks=looks,
        noisy=is_random(pairing.problem, pairing.S, pairing.method) and not exact,
        sure_ceiling=bound.trivial_is_sure,
    )
    return order_only(verdict) if bound.kind == "order" else verdict


def measure(pairing: Pairing, seed: int, first: int, count: int) -> Array:
    """Return the left-hand side of the bound for replicates first, first + 1, ..., shape (count,)."""
    return pairing.run(np.arange(first, first + count), seed, metrics=[pairing.metric]).average(pairing.metric.name)


def order_only(verdict: Verdict) -> Verdict:
    """Return the verdict on a bound with a hidden constant: one point cannot decide it."""
    ratio = (verdict.measured or 0.0) / verdict.rhs if verdict.rhs else float("nan")
    reason = f"order only: measured / shape = {ratio:.3g}; a single point cannot refute a hidden constant"
    return replace(verdict, verdict="undecided", reason=reason, e_value=None, capital=None, margin=None)
