"""The table of an experiment: what every tuned entrant reached at every setting, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.evidence.statistics.intervals import t_interval
from boundcheck.metrics import metric_of
from boundcheck.problems.catalog import parse_name
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.typst.markup import code, escape, setting
from boundcheck.sweep.recipes.experiment import READS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.sweep.experiments.contest import ExperimentResult, SettingResult

LEVEL = 0.95
_DIGITS = 3


class Score(NamedTuple):
    """What an entrant reached: the mean over its deciding runs, and the interval of the mean."""

    mean: float
    low: float
    high: float


def scores(result: ExperimentResult, metric: str) -> list[dict[str, Score]]:
    """Return the scores of every entrant that ran, by label, a setting each.

    They are read at the budget of the experiment's first axis, tuned for it, in the metric's own sign.
    """
    axis, sign = result.experiment.axes[0], -1.0 if metric_of(metric).higher else 1.0
    found: list[dict[str, Score]] = []
    for at in result.settings:
        values = {label: sign * entries[axis].score(metric) for label, entries in at.entries.items()}
        found.append({label: Score(float(y.mean()), *_interval(y)) for label, y in values.items()})
    return found


def score_tables(result: ExperimentResult) -> Iterator[str]:
    """Yield the tables that an experiment asks for."""
    for metric in result.experiment.table:
        yield _table(result, metric)


def _table(result: ExperimentResult, metric: str) -> str:
    about, columns = result.experiment, scores(result, metric)
    best = [leading(column, higher=metric_of(metric).higher) for column in columns]
    rows = [
        [
            escape(entrant.name),
            *(
                _cell(column.get(entrant.name), strong=entrant.name in top)
                for column, top in zip(columns, best, strict=True)
            ),
        ]
        for entrant in about.entrant
    ]
    shared = _shared_letters(result)
    head = ["Method", *(_heading(at, shared) for at in result.settings)]
    rest = setting({k: v for k, v in result.settings[0].setting.items() if k in shared and k != "problem"})
    what = escape(metric.replace("_", " ").capitalize())
    caption = (
        f"{what}, {escape(READS[about.read])}, of methods tuned for {escape(about.axes[0])}: means with "
        f"{100 * LEVEL:.0f} % intervals over runs. Bold: their interval meets that of the best of the column. {rest}"
    )
    return captioned_table(head, rows, "(1.1fr, " + ", ".join(["1fr"] * len(columns)) + ")", caption)


def _interval(y: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[float, float]:
    return t_interval(y, LEVEL) if len(y) > 1 and np.isfinite(y).all() else (float("-inf"), float("inf"))


def leading(column: Mapping[str, Score], *, higher: bool) -> set[str]:
    """Return the entrants whose intervals meet that of the best."""
    if not column:
        return set()
    sign = 1.0 if higher else -1.0
    top = max(column.values(), key=lambda score: sign * score.mean)
    return {label for label, score in column.items() if score.high >= top.low and score.low <= top.high}


def _cell(score: Score | None, *, strong: bool) -> str:
    if score is None:
        return "--"
    mean, low, high = (f"{value:.{_DIGITS}f}" for value in score)
    return f"{f'*{mean}*' if strong else mean} \\[{low}, {high}\\]"


def _shared_letters(result: ExperimentResult) -> set[str]:
    """Return the letters that are the same in all settings."""
    first = result.settings[0].setting
    return {name for name, value in first.items() if all(at.setting[name] == value for at in result.settings)}


def _heading(at: SettingResult, shared: set[str]) -> str:
    """Return what is a setting's own: the problem's name, and under it what is chosen of it."""
    differs = {k: v for k, v in at.setting.items() if k not in shared}
    if "problem" not in differs:
        return setting(differs) if differs else "Reached"
    name, chosen = parse_name(str(differs.pop("problem")))
    values = [*(f"{k} = {v}" for k, v in chosen.items()), *([setting(differs)] if differs else [])]
    return " \\ ".join([code(name), *(escape(value) for value in values)])
