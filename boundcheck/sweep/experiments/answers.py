"""Verdicts on what a paper asserts of its experiments: the answers to its questions, each with an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from boundcheck.errors import InputError
from boundcheck.evidence.statistics.paired import MeanTest, below, gaps, within
from boundcheck.metrics import metric_of
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.reads import between, score
from boundcheck.sweep.recipes.assertion import along_letters
from boundcheck.sweep.recipes.experiment import grid_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult
    from boundcheck.sweep.recipes.assertion import Assertion, AssertionAsk
    from boundcheck.sweep.recipes.experiment import Axis
    from boundcheck.sweep.recipes.fields import Number
    from boundcheck.sweep.recipes.recipe import Recipe

Outcome = Literal["reproduced", "not reproduced", "mixed", "cannot be tested here"]
OUTCOMES: dict[Outcome, str] = {
    "reproduced": "every question is answered by yes",
    "not reproduced": "no question is answered by yes",
    "mixed": "some are, some are not",
    "cannot be tested here": "why is said",
}


@dataclass(frozen=True)
class AssertionQuestion:
    """A question at one setting on one axis, before the level of its interval is known."""

    ask: AssertionAsk
    setting: Mapping[str, Number]
    axis: Axis
    of: str
    than: str
    samples: Array
    """What the answer is about: (replicates,)."""
    relative: bool
    """Whether they are logarithms of ratios."""
    lost: bool
    """Whether a run diverged in `of`."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with its answer."""

    question: AssertionQuestion
    answer: MeanTest

    @property
    def speaks_for(self) -> bool:
        """Return whether it supports the assertion; an open answer never does."""
        return self.answer.answer == ("no" if self.question.ask.against else "yes")


@dataclass(frozen=True)
class AssertionResult:
    """An assertion with its verdict."""

    assertion: Assertion
    told: list[AnsweredQuestion]
    level: float
    """Of every interval, so that all of them together keep the recipe's error rate."""

    @property
    def outcome(self) -> Outcome:
        """Return the verdict."""
        if not self.told:
            return "cannot be tested here"
        count = sum(told.speaks_for for told in self.told)
        return "reproduced" if count == len(self.told) else "mixed" if count else "not reproduced"


class Contests(NamedTuple):
    """What the experiments of a recipe measured, and the verdicts on its assertions."""

    experiments: list[ExperimentResult]
    answers: list[AssertionResult]


def contests(recipe: Recipe, store: Store) -> Contests:
    """Read the store and return what the experiments of a recipe say.

    Raises
    ------
    InputError
        If a result is missing or cannot be read.
    """
    found = collect_experiments(recipe, store)
    return Contests(found, answer_all(recipe, found, store))


def answer_all(recipe: Recipe, results: Sequence[ExperimentResult], store: Store) -> list[AssertionResult]:
    """Return the verdict on every assertion of a recipe, from what its experiments measured.

    Raises
    ------
    InputError
        If an assertion asks of what no experiment has.
    """
    found = {result.experiment.id: result for result in results}
    return [_judge_assertion(assertion, found, recipe.alpha, store) for assertion in recipe.assertion]


def _judge_assertion(
    assertion: Assertion, found: Mapping[str, ExperimentResult], alpha: float, store: Store
) -> AssertionResult:
    questions = [q for ask in assertion.ask for q in _questions(ask, found[ask.experiment], store)]
    if assertion.ask and not questions:
        msg = f"assertion {assertion.id}: its questions meet no setting of their experiments"
        raise InputError(msg)
    level = 1 - alpha / max(len(questions), 1)
    return AssertionResult(assertion, [AnsweredQuestion(q, _answer_question(q, level)) for q in questions], level)


def _answer_question(q: AssertionQuestion, level: float) -> MeanTest:
    line = float(np.log1p(q.ask.margin)) if q.relative else q.ask.margin
    if q.ask.kind == "equal":
        return within(q.samples, line, level=level)
    if q.ask.kind == "order":
        # Samples are the promised power minus the measured one: what is missing may be as large as the margin.
        told = below(q.samples - q.ask.margin, 0.0, level=level)
        mean, low, high = (value + q.ask.margin for value in (told.mean, told.low, told.high))
        return told._replace(mean=mean, low=low, high=high)
    return below(q.samples, line if q.ask.kind not in {"below", "above"} else 0.0, level=level)


def _questions(ask: AssertionAsk, result: ExperimentResult, store: Store) -> Iterator[AssertionQuestion]:
    """Yield the questions of an ask, a setting and an axis each."""
    there = [at for at in result.settings if _meets(at, ask)]
    for axis in ask.axes:
        if ask.along:
            yield from _along(ask, there, axis, result)
        else:
            for at in there:
                yield from _here(ask, at, axis, store)


def _meets(at: SettingResult, ask: AssertionAsk) -> bool:
    return all(at.setting[k] in (v if isinstance(v, list) else [v]) for k, v in ask.where.items())


def _here(ask: AssertionAsk, at: SettingResult, axis: Axis, store: Store) -> Iterator[AssertionQuestion]:
    others = ask.than or [""]
    for one in ask.of:
        for other in others:
            if one in at.entries and (not other or other in at.entries):
                samples, relative = _SAMPLES[ask.kind](ask, at, axis, one, other, store)
                yield AssertionQuestion(
                    ask, at.setting, axis, one, other, samples, relative, _has_diverged(at.entries[one][axis])
                )


def _has_diverged(entry: ContestEntry) -> bool:
    return not all(np.isfinite(v).all() for v in entry.measured.average.values())


def _scores(ask: AssertionAsk, at: SettingResult, axis: Axis, label: str) -> Array:
    about = at.place.experiment
    return at.entries[label][axis].score(ask.metric or about.metric)


def _is_relative(ask: AssertionAsk, at: SettingResult) -> bool:
    """Return whether differences of the metric are told as ratios: not for shares and other plain numbers."""
    return metric_of(ask.metric or at.place.experiment.metric).unit != (0, 0)


def _gap(ask: AssertionAsk, at: SettingResult, axis: Axis, one: str, other: str, _: Store) -> tuple[Array, bool]:
    a, b = _scores(ask, at, axis, one), _scores(ask, at, axis, other)
    relative = _is_relative(ask, at)
    if relative and min(a.min(), b.min()) <= 0.0:
        # No ratio where a score is 0: the difference as a share of the larger mean.
        return gaps(a, b, relative=False) / max(a.mean(), b.mean(), 1e-300), False
    return gaps(a, b, relative=relative), relative


def _level(ask: AssertionAsk, at: SettingResult, axis: Axis, one: str, _: str, __: Store) -> tuple[Array, bool]:
    plain = _scores(ask, at, axis, one) * (-1 if metric_of(ask.metric or at.place.experiment.metric).higher else 1)
    return (plain - ask.level) * (1 if ask.kind == "below" else -1), False


def _settling(ask: AssertionAsk, at: SettingResult, axis: Axis, one: str, _: str, __: Store) -> tuple[Array, bool]:
    metric, entry = metric_of(ask.metric or at.place.experiment.metric), at.entries[one][axis]
    n = float(entry.measured.rounds[-1])
    quarter = int(np.searchsorted(entry.measured.rounds, n / 4, side="right")) - 1
    late = between(entry.measured, metric, 0.75 * n, len(entry.measured.rounds) - 1)
    return gaps(late, between(entry.measured, metric, 0.0, max(quarter, 0)), relative=True), True


def _steadiness(
    ask: AssertionAsk, at: SettingResult, axis: Axis, one: str, other: str, store: Store
) -> tuple[Array, bool]:
    return _regret(at, axis, one, store) - _regret(at, axis, other, store), True


def _regret(at: SettingResult, axis: Axis, label: str, store: Store) -> Array:
    """Return by how much, as a logarithm, a method's score exceeds its best one, averaged over its grid.

    A run that ends above its start, or diverges, counts as one that stayed where it began.
    """
    about = at.place.experiment
    entrant = next(e for e in about.entrant if e.name == label)
    metric, entry = metric_of(about.metric), at.entries[label][axis]
    rows = []
    for hyper in grid_points(entrant.grid):
        measured = store.read(at.place.cell(entrant, hyper, tuning=True))
        start = measured.average[metric.name][:, 0]
        rows.append(np.log(np.minimum(score(measured, metric, entry.last, about.read), start)))
    table = np.array(rows)
    regret: Array = table.mean(axis=0) - table.mean(axis=1).min()
    return regret


_SAMPLES: dict[str, Callable[[AssertionAsk, SettingResult, Axis, str, str, Store], tuple[Array, bool]]] = {
    "better": _gap,
    "equal": _gap,
    "below": _level,
    "above": _level,
    "settles": _settling,
    "steadier": _steadiness,
}


def _along(
    ask: AssertionAsk, there: Sequence[SettingResult], axis: Axis, result: ExperimentResult
) -> Iterator[AssertionQuestion]:
    """Yield the questions that compare the last value of a letter with the first, the others fixed."""
    groups: dict[tuple[tuple[str, Number], ...], list[SettingResult]] = {}
    for at in there:
        fixed = tuple((k, v) for k, v in at.setting.items() if k not in along_letters(ask.along, at.setting))
        groups.setdefault(fixed, []).append(at)
    for fixed, cut in groups.items():
        first, last = cut[0], cut[-1]
        ends = " .. ".join(_along_text(ask, at) for at in (first, last))
        for one in ask.of:
            for other in ask.than or [""]:
                labels = [one, other] if other else [one]
                if len(cut) < 2 or any(label not in at.entries for label in labels for at in (first, last)):
                    continue
                samples, relative = _change(ask, first, last, axis, one, other)
                lost = _has_diverged(first.entries[one][axis]) or _has_diverged(last.entries[one][axis])
                yield AssertionQuestion(ask, dict(fixed) | {ask.along: ends}, axis, one, other, samples, relative, lost)


def _along_text(ask: AssertionAsk, at: SettingResult) -> str:
    found = at.setting.get(ask.along)
    return f"{_along_value(ask, at.setting):g}" if found is None else str(found)


def _along_value(ask: AssertionAsk, setting: Mapping[str, Number]) -> float:
    return math.prod(float(setting[letter]) for letter in along_letters(ask.along, setting))


def _change(
    ask: AssertionAsk, first: SettingResult, last: SettingResult, axis: Axis, one: str, other: str
) -> tuple[Array, bool]:
    relative = _is_relative(ask, first)
    if ask.kind in {"widens", "narrows"}:
        early, late = (
            gaps(_scores(ask, at, axis, one), _scores(ask, at, axis, other), relative=relative) for at in (first, last)
        )
        return (late - early) * (1 if ask.kind == "widens" else -1), relative
    change = gaps(_scores(ask, last, axis, one), _scores(ask, first, axis, one), relative=relative)
    if ask.kind == "order":
        ratio = _along_value(ask, last.setting) / _along_value(ask, first.setting)
        return change / np.log(ratio) + ask.level, False
    return (change if ask.kind == "falls" else -change), relative
