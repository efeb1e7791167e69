"""The page of a leaderboard: what every tuned method spent until its gradient was small."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boundcheck.metrics import metric_of
from boundcheck.report.pages.tables import captioned_table
from boundcheck.report.typst.markup import code, escape, number, prose, setting
from boundcheck.sweep.compare.standings import guarantee_of
from boundcheck.sweep.experiments.controls import nested_pairs
from boundcheck.sweep.experiments.readouts import value
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
        "Average",
        *(f"{level}: {axis}" for level in levels[-1:] for axis in about.axes),
        *levels[:-1],
        "Guaranteed",
        "Tried",
        "Edge",
    ]
    columns = "(1fr, " + ", ".join(["auto"] * (len(head) - 1)) + ")"
    where = setting({k: v for k, v in at.setting.items() if k != "problem"})
    metric = escape(about.metric.replace("_", " "))
    caption = (
        f"{code(str(at.setting['problem']))}, {where}. What an active client spent until {metric} was at most "
        "$epsilon^2$, with where the ends of the 95 % interval were; other accuracies in rounds. Methods are tuned for "
        f"{_TUNED[about.read]}; the average is that over the run, at the same steps. Guaranteed: rounds after which "
        "an explicit theorem of the method promises the same of the average, at the steps that it prescribes. Tried: "
        f"points of the grid, widened. Edge: an optimum on the edge of its grid. {_spread([key[0] for key, _ in rows])}"
        f" {_control(at)}"
    )
    return captioned_table(head, [row for _, row in rows], columns, caption)


_ALPHA = 0.05
"""Error rate of a board's control."""
_TUNED: dict[str, str] = {
    "time": "this, on each axis",
    "average": "their average over the run",
    "apart": "their average over the run without its first round",
    "late": "their average over its second half",
    "last": "their last value",
}
"""What methods are tuned for, by the readout of the experiment."""


def _spread(rounds: list[float]) -> str:
    """Return how far a board tells methods apart: by the ratio of the slowest to the fastest that got there."""
    there = [value for value in rounds if math.isfinite(value) and value > 0]
    if not there:
        return "No method got there."
    missing = len([value for value in rounds if not math.isfinite(value)])
    late = f"; {missing} did not get there" if missing else ""
    return f"From the fastest to the slowest that got there it is a factor of {number(max(there) / min(there))}{late}."


def _control(at: SettingResult) -> str:
    """Return whether a method lost to one that it contains, and of how many pairs that is ruled out."""
    pairs = nested_pairs(at, _ALPHA)
    if not pairs:
        return "Control: none of these methods contains another one."
    lost = [f"{escape(pair.outer)} to {escape(pair.inner)}" for pair in pairs if pair.answer == "no"]
    if not lost:
        sure = sum(pair.answer != "open" for pair in pairs)
        return (
            f"Control: in none of {len(pairs)} pairs is a method shown to lose by more than 5 % to one that it "
            f"contains; in {sure} that is ruled out."
        )
    return f"Control failed, this board could not have told: methods that lose to one they contain: {'; '.join(lost)}."


def _rows(result: ExperimentResult, at: SettingResult) -> Iterator[tuple[tuple[float, float], list[str]]]:
    about = result.experiment
    last = about.epsilons[-1]
    for label, entries in at.entries.items():
        entry = entries[about.axes[0]]
        score = float(value(entry.measured, metric_of(about.metric), entry.last, "average").mean())
        times = [_time_to_reach(entries[axis], about.metric, last, axis) for axis in about.axes]
        others = [_time_to_reach(entry, about.metric, e, about.axes[0]) for e in about.epsilons[:-1]]
        shown = [_time_text(t) for t in (*times, *others)]
        flagged = dict.fromkeys(name for mine in entries.values() for name in mine.tuned.edges)
        edges = escape(", ".join(flagged)) if flagged else "no"
        tried = str(max(mine.tuned.tried for mine in entries.values()))
        promised = guarantee_of(entry, last)
        promise = number(promised.rounds) if promised else "--"
        yield (times[0].spent, score), [escape(label), number(score), *shown, promise, tried, edges]
    for label, reason in at.refusals.items():
        empty = ["--"] * (len(about.axes) + len(about.epsilons) + 2)
        yield (math.inf, math.inf), [escape(label), escape(reason), *empty]


def _time_to_reach(entry: ContestEntry, metric: str, epsilon: float, axis: Axis) -> FirstCrossing:
    return first(entry, metric, epsilon**2, axis)


def _time_text(time: FirstCrossing) -> str:
    if math.isinf(time.spent):
        return "not reached"
    ends = "" if time.low == time.spent == time.high else f" ({number(time.low)} .. {number(time.high)})"
    return number(time.spent) + ends
