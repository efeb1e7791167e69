"""One theorem's steps on a problem: as prescribed, the best its bound allows, the best provable, the best measured."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.best import best_steps
from boundcheck.engine import simulate
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.slack.class_ceiling import best_ceiling
from boundcheck.evidence.trials.along import pair_measured
from boundcheck.evidence.trials.trial import Trial
from boundcheck.files.display import shows
from boundcheck.methods.kinds import kinds
from boundcheck.notation import FACTOR, STEP_SIZE
from boundcheck.sweep.cells.cells import make_problem
from boundcheck.sweep.cells.store import CellResult
from boundcheck.sweep.compare.contend import ComparisonQuestion, tuned_steps
from boundcheck.sweep.compare.contenders import Contender
from boundcheck.sweep.experiments.readouts import value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.cells.store import Store
    from boundcheck.workers.progress import Progress


_POINTS = 64
"""Checkpoints a decade where a part of a curve is read."""


@shows("choice", "promised", "measured", "steps", "note")
class StepChoice(NamedTuple):
    """One way to choose the steps of a theorem's method."""

    choice: str
    steps: dict[str, float]
    """Hyperparameters of the method that are numbers."""
    promised: float | None
    """What is promised at them: by the bound, or by the theorem that chose them; None where nothing is."""
    measured: float | None
    """Left-hand side of the bound at them, or what the readout of the question reads off its curve."""
    note: str


def step_choices(
    bound: str,
    question: ComparisonQuestion,
    store: Store,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[StepChoice]:
    """Return four choices of steps; one that there is not carries the reason.

    Parameters
    ----------
    bound : str
        Name of a bound.
    question : ComparisonQuestion
        Problem and setting.
    store : Store
        Where the tuning runs go.
    workers : int, optional
        Processes of the tuning runs.
    progress : callable, optional
        As for `boundcheck.sweep.run_sweep`.

    Raises
    ------
    NotApplicableError
        If the bound does not speak of the problem at this setting.
    """
    problem = make_problem(question.problem, (), question.N)
    trial = _pair_trial(bound, problem, question)
    runs = _TrialRuns(trial, question)
    contender = Contender(trial.bound.method, bound, "")
    found = tuned_steps(question, problem, contender, store, workers=workers, progress=progress)
    tuned = dataclasses.replace(trial.method, **found.hyper)  # type: ignore[type-var]
    edge = f"; the optimum lies on the edge of the grid: {', '.join(found.edges)}" if found.edges else ""
    others = [
        runs.at("prescribed", trial.method, trial.evaluation.rhs, ""),
        runs.attempt("best allowed by the bound", runs.best_allowed),
        runs.attempt("best provable", runs.best_provable),
    ]
    best = runs.at("best measured", tuned, None, f"tuned on seeds of its own{edge}")
    return [*others, best._replace(note=best.note + _beaten_by(others, best))]


def _beaten_by(others: Sequence[StepChoice], best: StepChoice) -> str:
    """Return what to say where a choice that was not tuned measures less: its steps or weights are not on the grid."""
    measured, choice = min((other.measured, other.choice) for other in others if other.measured is not None)
    if best.measured is None or measured >= best.measured:
        return ""
    return f"; the grid is small: {choice} measures less"


def _pair_trial(bound: str, problem: Problem, question: ComparisonQuestion) -> Trial:
    statement, setting = BOUNDS[bound], question.setting
    if statement.measured:
        return pair_measured(statement, problem, setting, None, seed=question.seed, count=question.replicates)[0]
    return Trial.of(statement, problem, setting)


class _TrialRuns(NamedTuple):
    """A trial, whose method is run at other steps too."""

    trial: Trial
    question: ComparisonQuestion

    def attempt(self, choice: str, make: Callable[[str], StepChoice]) -> StepChoice:
        """Return a choice, or why there is none."""
        try:
            return make(choice)
        # A method that is not linear may fail anywhere on vectors of Gram coordinates.
        except (BoundcheckError, ValueError, TypeError, ArithmeticError) as error:
            return StepChoice(choice, {}, None, None, str(error).split("\n")[0])

    def best_allowed(self, choice: str) -> StepChoice:
        trial = self.trial
        measured = {letter: trial.evaluation.values[letter] for letter in trial.bound.measured}
        known = trial.problem.values_for(trial.bound.needs)
        values = {**known, **trial.setting.letters, "d": trial.problem.d}
        found = best_steps(trial.bound, values, overrides=measured)
        if found.rhs <= 0:
            msg = f"the conditions allow steps at which the right-hand side is {found.rhs:.3g}: it cannot be true there"
            raise NotApplicableError(msg)
        there = Trial.of(trial.bound, trial.problem, trial.setting, {**measured, **found.parameters}, strict=False)
        limits = [f"{name} tends to {limit}" for name, limit in found.edges.items()]
        return self.at(choice, there.method, found.rhs, "; ".join(limits))

    def best_provable(self, choice: str) -> StepChoice:
        if self.trial.bound.metric != "server_gradient":
            msg = f"theorems of one round are about server_gradient, not about {self.trial.bound.metric}"
            raise NotApplicableError(msg)
        method, value = best_ceiling(self.trial.problem, self.trial.method, self.trial.setting, free=_steps(self.trial))
        return self.at(choice, method, value, "over all problems with these constants")

    def at(self, choice: str, method: Method, promised: float | None, note: str) -> StepChoice:
        """Return a choice with what is measured at it."""
        at, trial = self.question, self.trial
        lanes = at.replicates if trial.is_random else 1
        name = trial.metric.name
        run = simulate(
            trial.problem,
            method,
            K=at.K,
            T=at.T,
            S=at.S,
            b=at.b,
            lanes=np.arange(lanes),
            seed=at.seed,
            metrics=[trial.metric],
            points=1 if at.read in {"average", "time"} else _POINTS,
        )
        measured = CellResult(run.checkpoints, {name: trial.metric}, run.curves, run.instant)
        shown = "average" if at.read == "time" else at.read
        found = float(value(measured, trial.metric, len(run.checkpoints) - 1, shown).mean())
        return StepChoice(choice, _numbers(method), promised, found, note)


def _steps(trial: Trial) -> list[str]:
    """Return the step sizes of a method that are above 0."""
    known = kinds(trial.method)
    return [name for name, value in _numbers(trial.method).items() if known[name] in {STEP_SIZE, FACTOR} and value > 0]


def _numbers(method: Method) -> dict[str, float]:
    every = {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    return {k: float(v) for k, v in every.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
