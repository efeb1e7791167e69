"""Check a bound along several horizons: for one of order only, what its hidden constant must be and how it grows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.bounds.given import bound_of
from boundcheck.engine.exact import PATHS
from boundcheck.engine.setting import Setting
from boundcheck.errors import require
from boundcheck.evidence.checks.check import Procedure, examine
from boundcheck.evidence.statistics.shape import Shape, judge_shape
from boundcheck.problems import load_problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.checks.check import Examination
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.problems.base import Problem


def check_series(
    bound: Bound | str,
    problem: Problem | str,
    *,
    N: int,
    K: int,
    T: Sequence[int],
    varied: Sequence[Mapping[str, Any]] | None = None,
    S: int | None = None,
    b: int = 1,
    overrides: Mapping[str, float] | None = None,
    alpha: float = 0.05,
    replicates: int = 16,
    budget: int = 256,
    seed: int = 0,
    paths: int = PATHS,
) -> tuple[list[Verdict], Shape | None]:
    """Check a bound at every horizon; for one of order only, say how its ratio grows along them.

    Parameters
    ----------
    bound, problem : Bound, Problem or str
        Names, or objects; parameters vary only of a problem by name.
    T : sequence of int
        Horizons; the growth of a bound of order only needs three or more.
    varied : sequence of mappings, optional
        Problem parameters that go with each horizon.
    N, K, S, b, overrides, alpha, replicates, budget, seed, paths
        As in `boundcheck.check`.

    Returns
    -------
    list of Verdict
        One a horizon; for a bound of order only each carries the growth and a lower limit of the constant.
    Shape or None
        The growth of the ratio, for a bound of order only.

    Raises
    ------
    InputError
        If there is no horizon, `varied` does not have one mapping a horizon, or a name or value is not legal.
    """
    require(len(T) >= 1, "T", list(T), "at least one horizon")
    legal = f"one mapping a horizon, {len(T)}"
    require(varied is None or len(varied) == len(T), "varied", list(varied or ()), legal)
    for values in varied or ():
        require("N" not in values, "varied", "N", "a parameter of the problem; N is given apart")
    statement = bound_of(bound)
    problems = [_make_problem(problem, N, values) for values in varied or [{}] * len(T)]
    procedure = Procedure(alpha / len(T), replicates, budget, seed, paths).validate()
    found = [
        examine(statement, p, Setting.of(p, K=K, T=t, S=S, b=b), procedure, overrides)
        for p, t in zip(problems, T, strict=True)
    ]
    return _with_growth(statement, T, found, alpha)


def _make_problem(problem: Problem | str, N: int, values: Mapping[str, Any]) -> Problem:
    if isinstance(problem, str):
        return load_problem(problem, N=N, **dict(values))
    require(not values, "varied", dict(values), "left out: only a problem by name is made again at other parameters")
    return problem


def _with_growth(
    statement: Bound, T: Sequence[int], found: Sequence[Examination], alpha: float
) -> tuple[list[Verdict], Shape | None]:
    """Return the verdicts, and for a bound of order only how the ratio grows along the horizons."""
    verdicts = [one.verdict for one in found]
    # The letters of a run move the shape along with the measurements: its growth would say nothing.
    if statement.kind == "explicit" or statement.measured or len(T) < 3:
        return verdicts, None
    trials = [one.trial for one in found if one.trial is not None]
    shapes = [trial.evaluation.rhs for trial in trials]
    if len(trials) < len(T) or min(shapes) <= 0:
        return verdicts, None
    shape = judge_shape(
        "T",
        [float(t) for t in T],
        # An enumerated expectation is one exact value.
        [np.array([one.verdict.measured]) if one.y is None else one.y for one in found],
        shapes,
        limits=[v.constant_at_least for v in verdicts],
        alpha=alpha if any(v.how == "betting" for v in verdicts) else None,
        refuted_by=statement.refuted_by,
    )
    return [replace(v, reason=shape.reason, shape=shape) for v in verdicts], shape
