"""Guarantees side by side: what each method's theorem promises on a problem, what is measured there, and tuned."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import structs

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.slack.class_ceiling import ClassCeiling, class_ceiling
from boundcheck.evidence.trials.costs import costs_along
from boundcheck.files.display import shows
from boundcheck.metrics import metric_of
from boundcheck.sweep.cells.cells import make_problem
from boundcheck.sweep.compare.contenders import Contender, contenders, grid_of
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.readouts import NEVER, value
from boundcheck.sweep.recipes.experiment import Entrant, Experiment
from boundcheck.sweep.recipes.recipe import Recipe, Study
from boundcheck.sweep.results.results import collect
from boundcheck.sweep.run.estimate import estimate_if_long
from boundcheck.sweep.run.runner import run_sweep
from boundcheck.verdicts.status import of_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Problem
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.experiments.contest import ContestEntry
    from boundcheck.sweep.experiments.tuning import TunedPoint
    from boundcheck.sweep.recipes.experiment import Readout
    from boundcheck.sweep.results.results import StudyPoint
    from boundcheck.sweep.run.estimate import Estimate
    from boundcheck.workers.progress import Progress

TUNING_SHARE = 10
"""Steps are tuned on runs of this share of the rounds."""
SHORTEST = 100
"""Fewest rounds of a tuning run, unless fewer are asked for."""
ACCURACY = 0.1
"""Gradient norm that counts as reached, as a share of the norm at the start."""


class ComparisonQuestion(NamedTuple):
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
    read: Readout = "average"
    """What methods are tuned for, and what is shown of them; rounds to eps have a tuning of their own."""

    @property
    def setting(self) -> Setting:
        """Return the setting of the runs."""
        return Setting(N=self.N, S=self.S or self.N, K=self.K, T=self.T, b=self.b)

    @property
    def tuning_rounds(self) -> int:
        """Return the rounds of a tuning run."""
        return min(self.T, max(SHORTEST, self.T // TUNING_SHARE))


@shows("method", "bound", "verdict", "guaranteed", "measured", "tuned")
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
    read: str
    """How the tuned number is read off its curve."""
    tuned: float | None
    """What the left-hand side measures at tuned steps, by that readout."""
    steps: dict[str, Any]
    """The hyperparameters tuned for it."""
    edges: tuple[str, ...]
    """Hyperparameters whose optimum lay on the edge of the grid, here or for the rounds to eps."""
    tuned_rounds: float | None
    """Rounds to eps at steps tuned for them, infinite if not within T."""
    time_steps: dict[str, Any]
    """The hyperparameters tuned for the rounds to eps; those of `steps` where no tuning run got there."""
    tried: int
    """Points of the grid on which they were looked for."""
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
    question: ComparisonQuestion,
    store: Store,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    beforehand: Callable[[str, Estimate], None] | None = None,
) -> tuple[list[MethodComparison], float]:
    """Run every method that takes part at its theorem's steps and at tuned ones; return them and the accuracy.

    Parameters
    ----------
    question : ComparisonQuestion
    store : Store
        Where results go; what it has is not run again.
    workers : int, optional
        Processes; by default one a core.
    progress : callable, optional
        As for `boundcheck.sweep.run_sweep`.
    beforehand : callable, optional
        Called before tuning, and before the runs that are shown, with what they are and what they will take, where
        that is not little.

    Raises
    ------
    InputError
        If a setting or name is not legal.
    """
    problem = make_problem(question.problem, (), question.N)
    methods = contenders(problem, question.setting, everyone=question.everyone)
    eps = question.eps or ACCURACY * _norm_at_start(problem)

    def run(recipe: Recipe, what: str) -> None:
        if beforehand is not None and (taken := estimate_if_long(recipe, store, workers)) is not None:
            beforehand(what, taken)
        run_sweep(recipe, store, workers=workers, progress=progress, backend="numpy")

    tuning = _tuning(question, problem, methods, eps)
    run(tuning, "tuning takes")
    chosen = _choices(_entries(tuning, store))
    final = _final(question, problem, methods, chosen)
    run(final, "the runs that are shown take")
    points = {result.study.id: result.points[0] for result in collect(final, store)}
    ends = _entries(final, store)
    rows = [
        _Row(
            question,
            problem,
            one,
            eps,
            points.get(one.method),
            *(ends.get(purpose, {}).get(one.method) for purpose in _PURPOSES),
        )
        for one in methods
    ]
    return [_with_choices(row.comparison(), chosen) for row in rows], eps


def tuned_steps(
    question: ComparisonQuestion,
    problem: Problem,
    contender: Contender,
    store: Store,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TunedPoint:
    """Return the point of one method tuned as in `compare_methods`, for the readout of the question."""
    tuning = _tuning(question, problem, [contender], question.eps or ACCURACY * _norm_at_start(problem))
    run_sweep(tuning, store, workers=workers, progress=progress, backend="numpy")
    purpose = "time" if question.read == "time" else "read"
    return _choices(_entries(tuning, store))[purpose][contender.method]


_PURPOSES = ("read", "time")
"""What methods are tuned for: the readout of the question, and the rounds to eps."""


def _choices(entries: dict[str, dict[str, Any]]) -> dict[str, dict[str, TunedPoint]]:
    """Return the tuned points by purpose and method; where no run reached eps, those of the readout serve for both."""
    found = {purpose: {name: axes["rounds"].tuned for name, axes in mine.items()} for purpose, mine in entries.items()}
    for name, axes in entries.get("time", {}).items():
        # The score of a point at which no run was there is that of runs that never were.
        if not axes["rounds"].tuned.score < NEVER * float(axes["rounds"].spent["rounds"][-1]):
            found["time"][name] = found["read"][name]
    return found


def _with_choices(row: MethodComparison, chosen: dict[str, dict[str, TunedPoint]]) -> MethodComparison:
    points = [chosen[purpose][row.method] for purpose in _PURPOSES if row.method in chosen.get(purpose, {})]
    edges = tuple(dict.fromkeys(name for point in points for name in point.edges))
    return dataclasses.replace(row, edges=edges, tried=max((point.tried for point in points), default=0))


def _norm_at_start(problem: Problem) -> float:
    gradient = problem.envelope_gradient if problem.is_minimax else problem.mean_gradient
    g = gradient(problem.start[None, None, :])
    return float(np.sqrt((g * g).sum()))


def _metric(contender: Contender, problem: Problem) -> str:
    if contender.bound:
        return BOUNDS[contender.bound].metric
    return problem.usual_metric


def _tuning(question: ComparisonQuestion, problem: Problem, methods: list[Contender], eps: float) -> Recipe:
    """Return the recipe of the tuning runs."""
    entrants = [Entrant(contender.method, {**grid_of(contender, problem, question.setting)}) for contender in methods]
    runs = _experiment(question, problem, entrants, question.tuning_rounds, ())
    # The same runs, read for the rounds to eps.
    timed = structs.replace(runs, id="time", read="time", reach=eps**2)
    shown = timed if question.read == "time" else structs.replace(runs, id="read", read=question.read)
    return _recipe(question, [structs.replace(shown, id="read"), timed], [])


def _final(
    question: ComparisonQuestion, problem: Problem, methods: list[Contender], chosen: dict[str, dict[str, TunedPoint]]
) -> Recipe:
    """Return the recipe of the runs that are shown: theorems at their steps, and methods at tuned ones."""
    metrics = sorted({_metric(contender, problem) for contender in methods})
    studies = [
        Study(
            id=contender.method,
            title=contender.method,
            problem=question.problem,
            bounds=[contender.bound],
            overrides=dict(contender.letters),
            N=[question.N],
            K=[question.K],
            T=[question.T],
            S=None if question.S is None else [question.S],
            b=question.b,
        )
        for contender in methods
        if contender.bound
    ]
    shown = "average" if question.read == "time" else question.read
    experiments = [
        structs.replace(
            _experiment(
                question, problem, [Entrant(name, dict(p.hyper)) for name, p in points.items()], question.T, metrics
            ),
            id=purpose,
            read=shown,
        )
        for purpose, points in chosen.items()
    ]
    return _recipe(question, experiments, studies)


def _experiment(
    question: ComparisonQuestion, problem: Problem, entrants: list[Entrant], T: int, metrics: Any
) -> Experiment:
    return Experiment(
        id="read",
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


def _recipe(question: ComparisonQuestion, experiments: list[Experiment], studies: list[Study]) -> Recipe:
    return Recipe(
        title="comparison",
        study=studies,
        experiment=[experiment for experiment in experiments if experiment.entrant],
        seed=question.seed,
        replicates=max(2, question.replicates),
    )


def _entries(recipe: Recipe, store: Store) -> dict[str, dict[str, Any]]:
    """Return the entries of every experiment, by method: each has one setting."""
    return {result.experiment.id: dict(result.settings[0].entries) for result in collect_experiments(recipe, store)}


@dataclass(frozen=True)
class _Row:
    """What is known of one method, before it is put together."""

    question: ComparisonQuestion
    problem: Problem
    contender: Contender
    eps: float
    point: StudyPoint | None
    ends: Any
    """Axis to the entry tuned for the readout, or None."""
    timed: Any
    """Axis to the entry tuned for the rounds to eps, or None."""

    def comparison(self) -> MethodComparison:
        entry: ContestEntry | None = self.ends["rounds"] if self.ends else None
        metric = _metric(self.contender, self.problem)
        verdict = self.point.verdicts[self.contender.bound] if self.point else None
        ceiling = self._ceiling()
        timed: ContestEntry | None = self.timed["rounds"] if self.timed else None
        tuned_rounds = _rounds_to_accuracy(timed.measured, metric, self.eps) if timed else None
        return MethodComparison(
            method=self.contender.method,
            bound=self.contender.bound,
            status=of_bound(self.contender.bound).status if self.contender.bound else "",
            metric=metric,
            guaranteed=verdict.rhs if verdict is not None else None,
            trivial=verdict.vacuity if verdict is not None else None,
            ceiling=ceiling.value if ceiling else None,
            ceiling_exact=bool(ceiling and ceiling.exact),
            ceiling_word=ceiling.word if ceiling else "",
            measured=verdict.measured if verdict is not None else None,
            verdict=verdict.verdict if verdict is not None else "not applicable",
            rounds=_rounds_to_accuracy(self.point.measured, metric, self.eps)
            if self.point and self.point.measured
            else None,
            read=entry.reading.readout if entry else self.question.read,
            tuned=_mean(entry, metric) if entry else None,
            steps=dict(entry.tuned.hyper) if entry else {},
            edges=(),
            tuned_rounds=tuned_rounds,
            time_steps=dict(timed.tuned.hyper) if timed else {},
            tried=0,
            floats=self._floats(timed, tuned_rounds) if timed else None,
            letters=dict(self.contender.letters),
            why=self.contender.why or (ceiling.why if ceiling and ceiling.value is None else ""),
        )

    def _ceiling(self) -> ClassCeiling | None:
        trial = self.point.planned.trial if self.point else None
        if trial is None:
            return None
        metric = BOUNDS[self.contender.bound].metric
        if metric != "server_gradient":
            why = f"worst cases are of the plain average of the server, not of {metric}"
            return ClassCeiling(None, exact=False, why=why, word="average")
        return class_ceiling(self.problem, trial.method, self.question.setting)

    def _floats(self, entry: ContestEntry, rounds: float | None) -> float:
        last = self.question.T if rounds is None or not np.isfinite(rounds) else max(1, round(rounds))
        marks = costs_along(self.problem, entry.cell.make_method(), self.question.setting, [last])
        return marks[0].floats


def _rounds_to_accuracy(measured: CellResult, metric: str, eps: float) -> float:
    """Return the first checkpoint at which the squared gradient is at most eps^2, infinite if there is none."""
    curves = measured.instant[metric]
    below = np.flatnonzero(curves.mean(axis=0) <= eps**2)
    return float(measured.rounds[below[0]]) if len(below) else float("inf")


def _mean(entry: ContestEntry, metric: str) -> float:
    return float(value(entry.measured, metric_of(metric), entry.last, entry.reading.readout).mean())
