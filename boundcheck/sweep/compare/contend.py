"""Guarantees side by side: what each method's theorem promises on a problem, what is measured there, and tuned."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.papers.status import of_bound
from boundcheck.evidence.slack.class_ceiling import ClassCeiling, class_ceiling
from boundcheck.evidence.trials.costs import costs_along
from boundcheck.sweep.cells.cells import make_problem, plan
from boundcheck.sweep.compare.contenders import Contender, contenders, grid_of
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.recipes.experiment import Entrant, Experiment
from boundcheck.sweep.recipes.recipe import Recipe, Study
from boundcheck.sweep.results.results import collect
from boundcheck.sweep.run.runner import run_sweep

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Problem
    from boundcheck.sweep.cells.cells import PlannedPoint
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.contest import ContestEntry
    from boundcheck.sweep.results.results import StudyPoint

TUNING_SHARE = 10
"""Steps are tuned on runs of this share of the rounds."""
SHORTEST = 100
"""Fewest rounds of a tuning run, unless fewer are asked for."""
ACCURACY = 0.1
"""Gradient norm that counts as reached, as a share of the norm at the start."""


class Question(NamedTuple):
    """What is compared where."""

    problem: str
    N: int
    K: int
    T: int
    S: int | None = None
    b: int = 1
    eps: float | None = None
    """Gradient norm to reach; a tenth of that at the start when left out."""
    seed: int = 0
    replicates: int = 8
    everyone: bool = False
    """Also methods of which no theorem speaks."""

    @property
    def setting(self) -> Setting:
        """Return the setting of the runs."""
        return Setting(N=self.N, S=self.S or self.N, K=self.K, T=self.T, b=self.b)

    @property
    def tuning_rounds(self) -> int:
        """Return the rounds of a tuning run."""
        return min(self.T, max(SHORTEST, self.T // TUNING_SHARE))


@dataclass(frozen=True)
class MethodComparison:
    """One method: its theorem here, and what it does at the theorem's steps and at tuned ones."""

    method: str
    bound: str
    """Name of the theorem; empty where none speaks here."""
    status: str
    """Of the theorem."""
    metric: str
    """Left-hand side of the theorem; the server's squared gradient where there is none."""
    guaranteed: float | None
    """Right-hand side at the theorem's steps."""
    trivial: float | None
    """What the left-hand side cannot exceed anyway."""
    ceiling: float | None
    """What the average squared gradient of the server does not exceed on any problem with these constants."""
    ceiling_exact: bool
    """Whether a problem attains it."""
    ceiling_word: str
    """Why there is none, a key of `boundcheck.evidence.slack.class_ceiling.WORDS`."""
    measured: float | None
    """Left-hand side at the theorem's steps."""
    verdict: str
    """The check's word on it."""
    rounds: float | None
    """Rounds to eps at the theorem's steps, infinite if not within T."""
    tuned: float | None
    """Left-hand side at tuned steps."""
    steps: dict[str, Any]
    """The tuned hyperparameters."""
    edges: tuple[str, ...]
    """Hyperparameters whose optimum lay on the edge of the grid."""
    tuned_rounds: float | None
    """Rounds to eps at tuned steps, infinite if not within T."""
    floats: float | None
    """Floats that an active client sends and receives until then; in all T rounds where eps is not reached."""
    letters: dict[str, float]
    """Free letters of the theorem that were chosen, as it does not speak at their usual values."""
    why: str
    """Why no theorem speaks, or not at the usual values of its letters, or why there is no ceiling."""

    @property
    def looseness(self) -> float | None:
        """Return guaranteed / measured."""
        return self.guaranteed / self.measured if self.guaranteed and self.measured else None


def compare_methods(
    question: Question,
    store: Store,
    *,
    workers: int | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> tuple[list[MethodComparison], float]:
    """Run every method that takes part at its theorem's steps and at tuned ones; return them and the accuracy.

    Parameters
    ----------
    question : Question
    store : Store
        Where results go; what it has is not run again.
    workers : int, optional
        Processes; by default one a core.
    progress : callable, optional
        As for `boundcheck.sweep.run_sweep`.

    Raises
    ------
    InputError
        If a setting or name is not legal.
    """
    problem = make_problem(question.problem, (), question.N)
    people = contenders(problem, question.setting, everyone=question.everyone)
    eps = question.eps or ACCURACY * _norm_at_start(problem)
    run = partial(run_sweep, store=store, workers=workers, progress=progress, backend="numpy")
    tuning = _tuning(question, problem, people)
    run(tuning)
    chosen = {name: entry["rounds"].tuned for name, entry in _entries(tuning, store).items()}
    final = _final(question, problem, people, {name: dict(found.hyper) for name, found in chosen.items()})
    run(final)
    points = {result.study.id: result.points[0] for result in collect(final, store)}
    plans = {planned.study.id: planned for planned in plan(final)}
    ends = _entries(final, store)
    rows = [
        _Row(question, problem, one, eps, plans.get(one.method), points.get(one.method), ends.get(one.method))
        for one in people
    ]
    return [dataclasses.replace(row.compared(), edges=_edges(chosen.get(row.who.method))) for row in rows], eps


def tuned_steps(
    question: Question,
    problem: Problem,
    who: Contender,
    store: Store,
    *,
    workers: int | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> dict[str, Any]:
    """Return the hyperparameters of one method tuned as in `compared`."""
    tuning = _tuning(question, problem, [who])
    run_sweep(tuning, store, workers=workers, progress=progress, backend="numpy")
    return dict(_entries(tuning, store)[who.method]["rounds"].tuned.hyper)


def _edges(found: Any) -> tuple[str, ...]:
    return found.edges if found else ()


def _norm_at_start(problem: Problem) -> float:
    gradient = problem.envelope_gradient if problem.is_minimax else problem.mean_gradient
    g = gradient(problem.start[None, None, :])
    return float(np.sqrt((g * g).sum()))


def _metric(who: Contender, problem: Problem) -> str:
    if who.bound:
        return BOUNDS[who.bound].metric
    return problem.usual_metric


def _tuning(question: Question, problem: Problem, people: list[Contender]) -> Recipe:
    """Return the recipe of the tuning runs."""
    entrants = [Entrant(who.method, {**grid_of(who, problem, question.setting)}) for who in people]
    return _recipe(question, _experiment(question, problem, entrants, question.tuning_rounds, ()), [])


def _final(question: Question, problem: Problem, people: list[Contender], hyper: dict[str, dict[str, Any]]) -> Recipe:
    """Return the recipe of the runs that are shown: theorems at their steps, and methods at tuned ones."""
    entrants = [Entrant(name, values) for name, values in hyper.items()]
    metrics = sorted({_metric(who, problem) for who in people})
    studies = [
        Study(
            id=who.method,
            title=who.method,
            problem=question.problem,
            bounds=[who.bound],
            overrides=dict(who.letters),
            N=[question.N],
            K=[question.K],
            T=[question.T],
            S=None if question.S is None else [question.S],
            b=question.b,
        )
        for who in people
        if who.bound
    ]
    return _recipe(question, _experiment(question, problem, entrants, question.T, metrics), studies)


def _experiment(question: Question, problem: Problem, entrants: list[Entrant], T: int, metrics: Any) -> Experiment:
    return Experiment(
        id="tuned",
        title="tuned",
        problems=[question.problem],
        N=[question.N],
        K=[question.K],
        T=[T],
        entrant=entrants,
        S=None if question.S is None else [question.S],
        b=question.b,
        metric=problem.usual_metric,
        metrics=list(metrics),
        axes=["rounds"],
        tuning=2 if problem.is_noisy else 1,
        widen=2,
    )


def _recipe(question: Question, experiment: Experiment, studies: list[Study]) -> Recipe:
    return Recipe(
        title="comparison",
        study=studies,
        experiment=[experiment] if experiment.entrant else [],
        seed=question.seed,
        replicates=max(2, question.replicates),
    )


def _entries(recipe: Recipe, store: Store) -> dict[str, Any]:
    """Return the entries of the one experiment, by method."""
    found: dict[str, Any] = {}
    for result in collect_experiments(recipe, store):
        for at in result.settings:
            found |= at.entries
    return found


@dataclass(frozen=True)
class _Row:
    """What is known of one method, before it is put together."""

    question: Question
    problem: Problem
    who: Contender
    eps: float
    planned: PlannedPoint | None
    point: StudyPoint | None
    ends: Any
    """Axis to the tuned entry, or None."""

    def compared(self) -> MethodComparison:
        entry: ContestEntry | None = self.ends["rounds"] if self.ends else None
        metric = _metric(self.who, self.problem)
        verdict = self.point.verdicts[self.who.bound] if self.point else None
        ceiling = self._ceiling()
        tuned_rounds = _rounds_to_accuracy(entry.measured, metric, self.eps) if entry else None
        return MethodComparison(
            method=self.who.method,
            bound=self.who.bound,
            status=of_bound(self.who.bound).status if self.who.bound else "",
            metric=metric,
            guaranteed=verdict.rhs if verdict else None,
            trivial=verdict.vacuity if verdict else None,
            ceiling=ceiling.value if ceiling else None,
            ceiling_exact=bool(ceiling and ceiling.exact),
            ceiling_word=ceiling.word if ceiling else "",
            measured=verdict.measured if verdict else None,
            verdict=verdict.verdict if verdict else "not applicable",
            rounds=_rounds_to_accuracy(self.point.measured, metric, self.eps)
            if self.point and self.point.measured
            else None,
            tuned=_mean(entry.measured, metric) if entry else None,
            steps=dict(entry.tuned.hyper) if entry else {},
            edges=(),
            tuned_rounds=tuned_rounds,
            floats=self._floats(entry, tuned_rounds) if entry else None,
            letters=dict(self.who.letters),
            why=self.who.why or (ceiling.why if ceiling and ceiling.value is None else ""),
        )

    def _ceiling(self) -> ClassCeiling | None:
        if self.planned is None or self.planned.trial is None:
            return None
        metric = BOUNDS[self.who.bound].metric
        if metric != "server_gradient":
            why = f"worst cases are of the plain average of the server, not of {metric}"
            return ClassCeiling(None, exact=False, why=why, word="average")
        return class_ceiling(self.problem, self.planned.trial.method, self.question.setting)

    def _floats(self, entry: ContestEntry, rounds: float | None) -> float:
        last = self.question.T if rounds is None or not np.isfinite(rounds) else max(1, round(rounds))
        marks = costs_along(self.problem, entry.cell.make_method(), self.question.setting, [last])
        return marks[0].floats


def _rounds_to_accuracy(measured: CellResult, metric: str, eps: float) -> float:
    """Return the first checkpoint at which the squared gradient is at most eps^2, infinite if there is none."""
    curves = measured.instant[metric]
    below = np.flatnonzero(curves.mean(axis=0) <= eps**2)
    return float(measured.rounds[below[0]]) if len(below) else float("inf")


def _mean(measured: CellResult, metric: str) -> float:
    return float(measured.final(metric).mean())
