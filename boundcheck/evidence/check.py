"""Check one bound on one problem: run the method at the bound's parameters until the verdict is clear."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.engine.exact import PATHS
from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import require_problem
from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.evidence.along import measured_words, pair_measured
from boundcheck.evidence.stages import stages
from boundcheck.evidence.trial import Trial
from boundcheck.evidence.verdict import Verdict, not_applicable

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.problems.base import Array, Problem


class Procedure(NamedTuple):
    """How a verdict is reached: error rate, replicates of the first stage and at most, seed, paths to enumerate."""

    alpha: float = 0.05
    replicates: int = 16
    budget: int = 256
    seed: int = 0
    paths: int = PATHS

    def validated(self) -> Procedure:
        """Return the procedure if it is legal.

        Raises
        ------
        InputError
            If a number is not; the message names it.
        """
        require(0 < self.alpha < 1, "alpha", self.alpha, "a number in (0, 1)")
        require_count(self.seed, "seed", 0)
        require_count(self.replicates, "replicates")
        require_count(self.budget, "budget", self.replicates)
        require_count(self.paths, "paths", 0)
        return self


class Examined(NamedTuple):
    """A verdict and what it was reached from."""

    verdict: Verdict
    trial: Trial | None
    """None where bound and problem do not go together."""
    y: Array | None
    """Replicates of the left-hand side; None if the run was enumerated."""


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
        Replicates of the first stage, and at most.
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
    procedure = Procedure(alpha, replicates, budget, seed, paths).validated()
    return examine(bound, problem, Setting.of(problem, K=K, T=T, S=S, b=b), procedure, overrides).verdict


def examine(
    bound: Bound, problem: Problem, setting: Setting, procedure: Procedure, overrides: Values | None = None
) -> Examined:
    """Return the verdict of `check` with the trial and the replicates behind it."""
    try:
        if bound.measured:
            return _by_stages_along(bound, problem, setting, procedure, overrides)
        trial = Trial.of(bound, problem, setting, overrides)
    except NotApplicableError as error:
        return Examined(not_applicable(bound.id, problem.name, str(error)), None, None)
    if trial.is_random and (every := _every_path(trial, procedure.paths)) is not None:
        return Examined(trial.judge(every, alpha=procedure.alpha, exact=True), trial, None)
    return _by_stages(trial, procedure)


def _by_stages(trial: Trial, procedure: Procedure) -> Examined:
    """Add replicates stage by stage; those there are stay."""
    y = np.empty(0)
    for stage in stages(procedure.replicates, procedure.budget):
        count = stage.replicates if trial.is_random else 1
        y = np.concatenate([y, trial.measure(procedure.seed, len(y), count - len(y))])
        verdict = trial.judge(y, alpha=procedure.alpha, stage=stage.number)
        if _is_final(verdict, trial):
            break
    return Examined(verdict, trial, y)


def _by_stages_along(
    bound: Bound, problem: Problem, setting: Setting, procedure: Procedure, overrides: Values | None
) -> Examined:
    """Decide a bound with letters that belong to the run; every stage measures them anew on all its replicates."""
    for stage in stages(procedure.replicates, procedure.budget):
        trial, found = pair_measured(bound, problem, setting, overrides, seed=procedure.seed, count=stage.replicates)
        y = trial.measure(procedure.seed, 0, stage.replicates if trial.is_random else 1)
        verdict = trial.judge(y, alpha=procedure.alpha, stage=stage.number)
        if _is_final(verdict, trial):
            break
    words = measured_words(found, trial.evaluation.values)
    return Examined(replace(verdict, reason=f"{verdict.reason}; {words}"), trial, y)


def _is_final(verdict: Verdict, trial: Trial) -> bool:
    """Return whether more replicates would change nothing."""
    return verdict.verdict != "undecided" or not trial.is_random or trial.bound.kind == "order"


def _every_path(trial: Trial, paths: int) -> Array | None:
    try:
        return trial.outcomes(most=paths)
    except NotApplicableError:
        return None
