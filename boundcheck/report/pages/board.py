"""The page of a leaderboard: what every tuned method spent until its gradient was small."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boundcheck.report.markup import code, escape, number, prose, setting
from boundcheck.report.pages.tables import captioned_table
from boundcheck.sweep.compare.standings import guarantee_of
from boundcheck.sweep.run.first import first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.sweep.experiments.contest import ContestEntry, ExperimentResult, SettingResult
    from boundcheck.sweep.recipes.experiment import Axis
    from boundcheck.sweep.run.first import FirstCrossing


def board(result: ExperimentResult) -> str:
    """Return a table a setting: entrants by the rounds they need, those that did not get there last."""
    about = result.experiment
    parts = [f"#pagebreak()\n== {prose(about.title)}\n", prose(about.text)]
    return "\n\n".join([*parts, *(_table(result, at) for at in result.settings)])


def _table(result: ExperimentResult, at: SettingResult) -> str:
    about = result.experiment
    rows = sorted(_rows(result, at), key=lambda row: row[0])
    levels = [f"$epsilon = {e:g}$" for e in about.epsilons]
    head = [
        "Method",
        "Score",
        *(f"{level}: {axis}" for level in levels[-1:] for axis in about.axes),
        *levels[:-1],
        "Guaranteed",
        "Edge",
    ]
    columns = "(1fr, " + ", ".join(["auto"] * (len(head) - 1)) + ")"
    where = setting({k: v for k, v in at.setting.items() if k != "problem"})
    metric = escape(about.metric.replace("_", " "))
    caption = (
        f"{code(str(at.setting['problem']))}, {where}. Score: {metric} averaged over the run, tuned for the rounds. "
        "Then what an active client spent until it was at most $epsilon^2$, with where the ends of the 95 % interval "
        "were; other accuracies in rounds. Guaranteed: the rounds after which an explicit theorem of the method "
        "promises the same of the average, at the steps that it prescribes."
    )
    return captioned_table(head, [row for _, row in rows], columns, caption)


def _rows(result: ExperimentResult, at: SettingResult) -> Iterator[tuple[tuple[float, float], list[str]]]:
    about = result.experiment
    last = about.epsilons[-1]
    for label, entries in at.entries.items():
        entry = entries[about.axes[0]]
        score = float(entry.score(about.metric).mean())
        times = [_time_to_reach(entries[axis], about.metric, last, axis) for axis in about.axes]
        others = [_time_to_reach(entry, about.metric, e, about.axes[0]) for e in about.epsilons[:-1]]
        shown = [_time_text(t) for t in (*times, *others)]
        edges = escape(", ".join(entry.tuned.edges)) if entry.tuned.edges else "no"
        promised = guarantee_of(entry, last)
        promise = number(promised.rounds) if promised else "--"
        yield (times[0].spent, score), [escape(label), number(score), *shown, promise, edges]
    for label, reason in at.refused.items():
        empty = ["--"] * (len(about.axes) + len(about.epsilons) + 1)
        yield (math.inf, math.inf), [escape(label), escape(reason), *empty]


def _time_to_reach(entry: ContestEntry, metric: str, epsilon: float, axis: Axis) -> FirstCrossing:
    return first(entry, metric, epsilon**2, axis)


def _time_text(time: FirstCrossing) -> str:
    if math.isinf(time.spent):
        return "not reached"
    ends = "" if time.low == time.spent == time.high else f" ({number(time.low)} .. {number(time.high)})"
    return number(time.spent) + ends
