"""What an assertion asks of an experiment, as samples: one number a run, whose mean decides."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.evidence.statistics.paired import gaps
from boundcheck.metrics import metric_of
from boundcheck.sweep.experiments.readouts import between, value
from boundcheck.sweep.experiments.tuning import read_score
from boundcheck.sweep.recipes.assertion import along_letters
from boundcheck.sweep.recipes.experiment import grid_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult
    from boundcheck.sweep.recipes.assertion import AssertionAsk
    from boundcheck.sweep.recipes.experiment import Axis, Experiment, Reading
    from boundcheck.sweep.recipes.fields import Number

_TIMED = {"better", "equal", "widens", "narrows", "falls", "rises"}
"""Kinds of questions that have a sense for the readout `time`."""
_REACHED = 0.5
"""Share of runs that must reach the level for a time to be spoken of."""


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
    entries: tuple[ContestEntry, ...] = ()
    """Whose runs they are made of, those of `of` and `than` in turn: more of these make more samples."""

    @property
    def on_edges(self) -> set[str]:
        """Return whose tuned hyperparameters lie on an edge of their grid, as in "FedAvg: eta"."""
        labels = [label for label in (self.of, self.than) if label]
        return {
            f"{labels[i % len(labels)]}: {name}" for i, entry in enumerate(self.entries) for name in entry.tuned.edges
        }

    @property
    def line(self) -> float:
        """Return half the width of the range in which a difference is not called one, in the units of the samples."""
        if self.ask.kind in {"below", "above", "order"}:
            return 0.0
        return float(np.log1p(self.ask.margin)) if self.relative else self.ask.margin


class AskedQuestion(NamedTuple):
    """A question at a setting, by one reading on one axis."""

    ask: AssertionAsk
    at: SettingResult
    reading: Reading
    axis: Axis
    store: Store

    @property
    def metric(self) -> str:
        """Return the metric that is asked of."""
        return self.ask.metric or self.at.place.grid.metric

    @property
    def is_relative(self) -> bool:
        """Return whether differences of the metric are told as ratios: not for shares and other plain numbers."""
        return self.reading.readout == "time" or metric_of(self.metric).unit != (0, 0)

    def entry(self, label: str) -> ContestEntry:
        """Return the runs of an entrant, tuned for the reading."""
        return self.at.readings[self.reading][label][self.axis]

    def scores(self, label: str) -> Array:
        """Return the score of every run, small numbers being good."""
        return self.entry(label).score(self.metric)


def questions(
    ask: AssertionAsk, result: ExperimentResult, reading: Reading, store: Store
) -> Iterator[AssertionQuestion]:
    """Yield the questions of an ask by one reading, a setting and an axis each.

    A question is left out where its reading has no sense for it: the time to a level that most runs of nobody reach,
    or of a metric that methods are not tuned for.  What has a readout of its own is asked by the reading that is shown.
    """
    if not is_asked_by(ask, result.experiment, reading):
        return
    there = [at for at in result.settings if _meets(at, ask) and reading in at.readings]
    for axis in ask.axes:
        if ask.along:
            yield from _along(ask, there, reading, axis, store)
        else:
            for at in there:
                yield from _here(AskedQuestion(ask, at, reading, axis, store))


def is_asked_by(ask: AssertionAsk, about: Experiment, reading: Reading) -> bool:
    """Return whether a reading has a sense for a question, wherever it is asked."""
    if ask.kind == "settles" or ask.level_with:
        return reading == about.shown_reading
    return reading.readout != "time" or (ask.kind in _TIMED and (ask.metric or about.metric) == about.metric)


def compare(asked: AskedQuestion, one: ContestEntry, other: ContestEntry) -> tuple[Array, bool]:
    """Return by how much the score of one entry is above that of another, run by run, and whether as a ratio."""
    a, b = common(one.score(asked.metric), other.score(asked.metric))
    if asked.is_relative and min(a.min(), b.min()) <= 0.0:
        # No ratio where a score is 0: the difference as a share of the larger mean.
        return gaps(a, b, relative=False) / max(a.mean(), b.mean(), 1e-300), False
    return gaps(a, b, relative=asked.is_relative), asked.is_relative


def common(*samples: Array) -> tuple[Array, ...]:
    """Return the runs that all have."""
    least = min(map(len, samples))
    return tuple(y[:least] for y in samples)


def _meets(at: SettingResult, ask: AssertionAsk) -> bool:
    return all(at.setting[k] in (v if isinstance(v, list) else [v]) for k, v in ask.where.items())


def _here(asked: AskedQuestion) -> Iterator[AssertionQuestion]:
    there = asked.at.readings[asked.reading]
    for one in asked.ask.of:
        for other in asked.ask.than or [""]:
            if one not in there or (other and other not in there):
                continue
            entries = tuple(asked.entry(label) for label in (one, other) if label)
            if not is_reached(asked.reading, entries):
                continue
            samples, relative = _SAMPLES[asked.ask.kind](asked, one, other)
            yield AssertionQuestion(
                asked.ask, asked.at.setting, asked.axis, one, other, samples, relative, _diverges(entries[0]), entries
            )


def is_reached(reading: Reading, entries: Sequence[ContestEntry]) -> bool:
    """Return whether most runs of some entry reach the level, where a reading looks for one."""
    return reading.readout != "time" or any(entry.share_reached >= _REACHED for entry in entries)


def _diverges(entry: ContestEntry) -> bool:
    return not all(np.isfinite(v).all() for v in entry.measured.average.values())


def _gap(asked: AskedQuestion, one: str, other: str) -> tuple[Array, bool]:
    if asked.ask.level_with:
        return _gap_at_equal(asked, asked.entry(one), asked.entry(other))
    return compare(asked, asked.entry(one), asked.entry(other))


def _gap_at_equal(asked: AskedQuestion, one: ContestEntry, other: ContestEntry) -> tuple[Array, bool]:
    """Compare averages of a metric up to where another one first is what the slower of both has reached."""
    equal, metric = metric_of(asked.ask.level_with), metric_of(asked.metric)
    sign = -1.0 if equal.higher else 1.0
    curves = [sign * entry.measured.instant[equal.name].mean(axis=0)[: entry.last + 1] for entry in (one, other)]
    level = max(float(np.minimum.accumulate(curve)[-1]) for curve in curves)
    places = [int((curve <= level).argmax()) for curve in curves]
    scores = [
        (-1.0 if metric.higher else 1.0) * value(entry.measured, metric, at, "average")
        for entry, at in zip((one, other), places, strict=True)
    ]
    a, b = common(*scores)
    return gaps(a, b, relative=asked.is_relative), asked.is_relative


def _level(asked: AskedQuestion, one: str, _: str) -> tuple[Array, bool]:
    plain = asked.scores(one) * (-1 if metric_of(asked.metric).higher else 1)
    return (plain - asked.ask.level) * (1 if asked.ask.kind == "below" else -1), False


def _settling(asked: AskedQuestion, one: str, _: str) -> tuple[Array, bool]:
    metric, entry = metric_of(asked.metric), asked.entry(one)
    n = float(entry.measured.rounds[-1])
    quarter = int(np.searchsorted(entry.measured.rounds, n / 4, side="right")) - 1
    late = between(entry.measured, metric, 0.75 * n, len(entry.measured.rounds) - 1)
    return gaps(late, between(entry.measured, metric, 0.0, max(quarter, 0)), relative=True), True


def _steadiness(asked: AskedQuestion, one: str, other: str) -> tuple[Array, bool]:
    return _regret(asked, one) - _regret(asked, other), True


def _regret(asked: AskedQuestion, label: str) -> Array:
    """Return by how much, as a logarithm, a method's score exceeds its best one, averaged over its grid.

    A run that ends above its start, or diverges, counts as one that stayed where it began.
    """
    about, entry = asked.at.place.grid, asked.entry(label)
    entrant = next(e for e in about.entrant if e.name == label)
    metric = metric_of(about.metric)
    rows = []
    for hyper in grid_points(entrant.grid):
        cell = asked.at.place.cell(entrant, hyper, tuning=True)
        measured = asked.store.read(cell)
        start = measured.average[metric.name][:, 0]
        score = read_score(about, cell, measured, entry.last, asked.reading.readout, entry.spent[asked.axis])
        rows.append(np.log(np.minimum(score, start)))
    table = np.array(rows)
    regret: Array = table.mean(axis=0) - table.mean(axis=1).min()
    return regret


_SAMPLES: dict[str, Callable[[AskedQuestion, str, str], tuple[Array, bool]]] = {
    "better": _gap,
    "equal": _gap,
    "below": _level,
    "above": _level,
    "settles": _settling,
    "steadier": _steadiness,
}


def _along(
    ask: AssertionAsk, there: Sequence[SettingResult], reading: Reading, axis: Axis, store: Store
) -> Iterator[AssertionQuestion]:
    """Yield the questions that compare the last value of a letter with the first, the others fixed."""
    groups: dict[tuple[tuple[str, Number], ...], list[SettingResult]] = {}
    for at in there:
        fixed = tuple((k, v) for k, v in at.setting.items() if k not in along_letters(ask.along, at.setting))
        groups.setdefault(fixed, []).append(at)
    for fixed, cut in groups.items():
        first, last = (AskedQuestion(ask, at, reading, axis, store) for at in (cut[0], cut[-1]))
        ends = " .. ".join(_along_text(ask, at) for at in (cut[0], cut[-1]))
        for one in ask.of:
            for other in ask.than or [""]:
                labels = [one, other] if other else [one]
                if len(cut) < 2 or any(label not in at.at.entries for label in labels for at in (first, last)):
                    continue
                entries = tuple(at.entry(label) for at in (first, last) for label in labels)
                if not is_reached(reading, entries):
                    continue
                samples, relative = _change(first, last, one, other)
                lost = any(_diverges(at.entry(one)) for at in (first, last))
                setting = dict(fixed) | {ask.along: ends}
                yield AssertionQuestion(ask, setting, axis, one, other, samples, relative, lost, entries)


def _along_text(ask: AssertionAsk, at: SettingResult) -> str:
    found = at.setting.get(ask.along)
    return f"{_along_value(ask, at.setting):g}" if found is None else str(found)


def _along_value(ask: AssertionAsk, setting: Mapping[str, Number]) -> float:
    return math.prod(float(setting[letter]) for letter in along_letters(ask.along, setting))


def _change(first: AskedQuestion, last: AskedQuestion, one: str, other: str) -> tuple[Array, bool]:
    ask, relative = first.ask, first.is_relative
    if ask.kind in {"widens", "narrows"}:
        each = common(*(at.scores(label) for at in (first, last) for label in (one, other)))
        early, late = gaps(*each[:2], relative=relative), gaps(*each[2:], relative=relative)
        return (late - early) * (1 if ask.kind == "widens" else -1), relative
    late, early = common(last.scores(one), first.scores(one))
    change = gaps(late, early, relative=relative)
    if ask.kind == "order":
        ratio = _along_value(ask, last.at.setting) / _along_value(ask, first.at.setting)
        return change / np.log(ratio) + ask.level, False
    return (change if ask.kind == "falls" else -change), relative
