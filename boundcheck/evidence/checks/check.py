"""Check one bound on one problem: run the method at the bound's parameters until the verdict is clear."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.bounds.given import bound_of
from boundcheck.engine.exact import PATHS
from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import require_problem
from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.evidence.statistics.stages import stages
from boundcheck.evidence.statistics.verdict import Verdict, not_applicable
from boundcheck.evidence.trials.along import at_needed, pair_measured
from boundcheck.evidence.trials.trial import Trial
from boundcheck.evidence.trials.vouched import with_vouched

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

    def validate(self) -> Procedure:
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


class Examination(NamedTuple):
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
    verdict "not applicable" with the reason.  Letters that belong to the run are measured along replicates of their own
    (`boundcheck.evidence.trials.along`) and named in the reason.  A bound of order only is never violated and never
    holds: the verdict "order only" has a lower limit of its hidden constant.  The words are those of
    `boundcheck.verdicts.words`.

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
        If a setting is not legal, a term of the right-hand side is no finite number, or a gradient is none at a finite
        point.
    """
    bound = bound_of(bound)
    require_problem(problem)
    procedure = Procedure(alpha, replicates, budget, seed, paths).validate()
    return examine(bound, problem, Setting.of(problem, K=K, T=T, S=S, b=b), procedure, overrides).verdict


def examine(
    bound: Bound, problem: Problem, setting: Setting, procedure: Procedure, overrides: Values | None = None
) -> Examination:
    """Return the verdict of `check` with the trial and the replicates behind it."""
    try:
        found = _examine_bound(bound, problem, setting, procedure, overrides)
    except NotApplicableError as error:
        return Examination(not_applicable(bound.id, problem.name, str(error)), None, None)
    return found._replace(verdict=with_vouched(found.verdict, bound, problem))


def _examine_bound(
    bound: Bound, problem: Problem, setting: Setting, procedure: Procedure, overrides: Values | None
) -> Examination:
    if bound.measured:
        return _at_measured_letters(bound, problem, setting, procedure, overrides)
    trial = Trial.of(bound, problem, setting, overrides)
    if trial.is_random and (every := _every_path(trial, procedure.paths)) is not None:
        return Examination(trial.judge(every, alpha=procedure.alpha, exact=True), trial, None)
    return _by_stages(trial, procedure)


def _by_stages(trial: Trial, procedure: Procedure) -> Examination:
    """Add replicates stage by stage; those there are stay."""
    y = np.empty(0)
    for stage in stages(procedure.replicates, procedure.budget):
        count = stage.replicates if trial.is_random else 1
        y = np.concatenate([y, trial.measure(procedure.seed, len(y), count - len(y))])
        verdict = trial.judge(y, alpha=procedure.alpha, stage=stage.number)
        if _is_final(verdict, trial, procedure):
            break
    return Examination(verdict, trial, y)


def _at_measured_letters(
    bound: Bound, problem: Problem, setting: Setting, procedure: Procedure, overrides: Values | None
) -> Examination:
    """Decide a bound with letters that belong to the run: they are fixed on replicates that are not judged.

    The right-hand side then stays where it is from look to look.  What the judged runs need beyond it is found along
    them: "violated" is said only if it is also true at the largest letter that any run needed.
    """
    own = max(1, procedure.replicates // 2)
    trial, needed = pair_measured(bound, problem, setting, overrides, seed=procedure.seed, count=own)
    first = own if trial.is_random else 0
    y = np.empty(0)
    for stage in stages(procedure.replicates, procedure.budget):
        count = max(1, stage.replicates - own) if trial.is_random else 1
        fresh, letters = trial.measure_along(procedure.seed, first + len(y), count - len(y))
        y = np.concatenate([y, fresh])
        needed = {letter: max(value, letters[letter]) for letter, value in needed.items()}
        verdict = trial.judge(y, alpha=procedure.alpha, stage=stage.number)
        if _is_final(verdict, trial, procedure):
            break
    return Examination(at_needed(trial, verdict, y, needed, overrides, procedure.alpha), trial, y)


def _is_final(verdict: Verdict, trial: Trial, procedure: Procedure) -> bool:
    """Return whether more replicates would change nothing."""
    return not verdict.gains_from(procedure.budget) or not trial.is_random


def _every_path(trial: Trial, paths: int) -> Array | None:
    try:
        return trial.outcomes(most=paths)
    except NotApplicableError:
        return None
