"""Where a bound's slack is: measured, exact worst case, sharpened theorem and right-hand side at one small setting."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from boundcheck.report import style
from boundcheck.resources import folder

if TYPE_CHECKING:
    from boundcheck.report.theorems import Theorem

FILE = "tightness.json"
"""File beside the shipped recipes that holds the waterfalls."""
WORST, RIGHT = "worst case", "right-hand side"


@dataclass(frozen=True)
class Waterfall:
    """The stages of one bound, from what was measured to what it promises."""

    bound: str
    K: int
    T: int
    stages: tuple[tuple[str, float], ...]
    """Name and value; a stage that is not known is left out."""

    @property
    def worst_ratio(self) -> float | None:
        """Return the exact worst case over the right-hand side."""
        found = dict(self.stages)
        return found[WORST] / found[RIGHT] if WORST in found and found.get(RIGHT) else None


@cache
def _shipped() -> dict[str, Any]:
    path = folder("reports") / FILE
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def waterfall_of(theorem: Theorem) -> Waterfall | None:
    """Return the waterfall of the first form that has one."""
    rows = {row["bound"]: row for row in _shipped().get("waterfalls", ())}
    row = next((rows[name] for name in theorem.forms if name in rows), None)
    if row is None:
        return None
    stages = tuple((stage["name"], stage["value"]) for stage in row["stages"] if stage.get("value") is not None)
    return Waterfall(row["bound"], row["K"], row["T"], stages)


def why_none(theorem: Theorem) -> str:
    """Return why a theorem has no waterfall, nothing where that is not known."""
    known: dict[str, str] = _shipped().get("unreached", {})
    return next((known[name] for name in theorem.forms if name in known), "")


def waterfall_figure(found: Waterfall) -> Figure:
    """Return a bar a stage on a logarithmic axis, each with the factor to the stage before."""
    values = [value for _, value in found.stages]
    with mpl.rc_context(style.RC):
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
