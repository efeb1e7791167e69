"""Where a bound's slack is: measured, worst case, sharpened theorem and right-hand side along short horizons."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

from boundcheck.evidence.slack.waterfalls import shipped_waterfalls
from boundcheck.report.plots import style

if TYPE_CHECKING:
    from boundcheck.report.theorems import Theorem

MEASURED, WORST, RIGHT = "measured", "worst case", "right-hand side"
_INKS = {
    MEASURED: style.MEASURED,
    WORST: style.LineStyle(style.VERMILLION, "D", "-"),
    "sharpened": style.LineStyle(style.GREEN, "v", "--"),
    RIGHT: style.LineStyle(style.BLUE, "s", "-."),
}
"""Level to the ink of its line, from below."""


@dataclass(frozen=True)
class WaterfallStages:
    """The stages of one bound, from what was measured to what it promises."""

    bound: str
    K: int
    T: int
    stages: tuple[tuple[str, float], ...]
    """Name and value; a stage that is not known is left out."""
    along: tuple[dict[str, Any], ...] = ()
    """The same along horizons: T, the levels by name, and the trivial bound."""

    @property
    def worst_ratio(self) -> float | None:
        """Return the worst case over the right-hand side."""
        found = dict(self.stages)
        return found[WORST] / found[RIGHT] if WORST in found and found.get(RIGHT) else None

    @property
    def factors(self) -> tuple[tuple[str, float], ...]:
        """Return every stage but the lowest with its factor over the one below."""
        return tuple((high[0], high[1] / low[1]) for low, high in pairwise(self.stages))


def waterfall_of(theorem: Theorem) -> WaterfallStages | None:
    """Return the waterfall of the first form that has one."""
    rows = {row["bound"]: row for row in shipped_waterfalls()["waterfalls"]}
    row = next((rows[name] for name in theorem.forms if name in rows), None)
    if row is None:
        return None
    stages = tuple((stage["name"], stage["value"]) for stage in row["stages"] if stage.get("value") is not None)
    return WaterfallStages(row["bound"], row["K"], row["T"], stages, tuple(row.get("along", ())))


def why_none(theorem: Theorem) -> str:
    """Return why a theorem has no waterfall, nothing where that is not known."""
    known: dict[str, str] = shipped_waterfalls()["unreached"]
    return next((known[name] for name in theorem.forms if name in known), "")


def along_figure(found: WaterfallStages) -> Figure:
    """Return all levels along the horizons as lines on two logarithmic axes, each named at its right end."""
    with style.look():
        figure = Figure(figsize=(style.HALF + 0.2, 1.4), layout="constrained")
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log")
        lines = {name: ink.keywords for name, ink in _INKS.items()}
        lines["trivial"] = {"color": style.GREY, "linestyle": (0, (1, 1))}
        for name, keywords in lines.items():
            points = [(rung["T"], rung[name]) for rung in found.along if name in rung]
            if points:
                axes.plot(*zip(*points, strict=True), label=name, **keywords)
        axes.set_xticks([rung["T"] for rung in found.along], [str(rung["T"]) for rung in found.along])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("$T$ (rounds)")
        figure.legend(loc="outside right center", fontsize=8)
    return figure


def waterfall_figure(found: WaterfallStages) -> Figure:
    """Return a bar a stage on a logarithmic axis, each with the factor to the stage before."""
    values = [value for _, value in found.stages]
    with style.look():
        figure = Figure(figsize=(style.HALF, 0.55 + 0.2 * len(values)), layout="constrained")
        axes = figure.subplots()
        left = min(values) / 2
        axes.set(xscale="log", xlim=(left, max(values) * 6), ylim=(len(values) - 0.4, -0.6))
        for i, value in enumerate(values):
            start = left if i == 0 else values[i - 1]
            axes.barh(i, value - start, left=start, height=0.6, color=style.GREY if i == 0 else style.BLUE)
            told = f" {value:.3g}" + (f"  (× {value / values[i - 1]:.1f})" if i else "")
            axes.text(value, i, told, va="center", fontsize=8)
        axes.set_yticks(range(len(values)), [name for name, _ in found.stages], fontsize=8)
        axes.xaxis.set_major_locator(LogLocator(numticks=5))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(visible=False, axis="y")
    return figure
