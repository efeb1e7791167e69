"""The figure of the first page: how close measurements come to each theorem's right-hand side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from boundcheck.bounds import BOUNDS
from boundcheck.report import style
from boundcheck.report.looseness import waterfall_of
from boundcheck.report.theorems import tightest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from boundcheck.report.theorems import RatioRange, Theorem

_ROW = 0.155
"""Height of a theorem, in inches."""
_LEAST, _MOST = 1e-6, 1e3
"""Where the axis ends at the latest; what lies beyond stands at its end, with its number."""


def glance_figure(theorems: Sequence[Theorem], known: Mapping[str, RatioRange], names: Mapping[str, str]) -> Figure:
    """Return a line a theorem on a logarithmic axis of measured / right-hand side.

    Parameters
    ----------
    theorems : sequence of Theorem
        Paper by paper.
    known : mapping
        Ratios by bound.
    names : mapping
        Short name of a paper to the words that head its theorems.
    """
    with style.look():
        papers = list(dict.fromkeys(theorem.paper for theorem in theorems))
        rows = len(theorems) + len(papers)
        figure = Figure(figsize=(style.WIDTH, 0.75 + _ROW * rows), layout="constrained")
        axes = figure.subplots()
        ticks: dict[float, str] = {}
        y = 0.0
        for paper in papers:
            axes.text(
                0.0,
                y,
                f" {names[paper]}",
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=8.5,
                weight="bold",
            )
            for theorem in (t for t in theorems if t.paper == paper):
                y += 1
                ticks[y] = f"{theorem.name}{' ×' if theorem.status == 'false as printed' else ''}"
                _row(axes, theorem, known, y)
            y += 1
        _axes(axes, ticks, rows, known, theorems)
        figure.legend(handles=_handles(), loc="outside lower center", ncols=3, fontsize=8)
    return figure


def _row(axes: Axes, theorem: Theorem, known: Mapping[str, RatioRange], y: float) -> None:
    """Draw the true form that is tightest, and the printed form if it is violated."""
    true = tightest(theorem, dict(known))
    if true is not None:
        axes.plot([_inside(true.least), _inside(true.worst)], [y, y], color=style.GREY, linewidth=1.0, zorder=2)
        face = style.BLUE if true.informative else "white"
        axes.plot([_inside(true.worst)], [y], "o", color=style.BLUE, markerfacecolor=face, markersize=4, zorder=4)
    exact = waterfall_of(theorem)
    if exact is not None and exact.worst_ratio is not None:
        axes.plot([_inside(exact.worst_ratio)], [y], "d", color=style.PURPLE, markersize=4, zorder=4)
    false = [known[name].worst for name in theorem.printed if name not in theorem.true and name in known]
    if false and (worst := max(false)) > 1:
        at = _inside(worst)
        axes.plot([at], [y], "X", color=style.VERMILLION, markersize=5, zorder=5)
        if at < worst:
            axes.annotate(
                f"$10^{{{math.floor(math.log10(worst))}}}$",
                (at, y),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
        if true is not None:
            arrow = {"arrowstyle": "->", "color": style.VERMILLION, "linewidth": 0.8, "shrinkA": 3, "shrinkB": 3}
            axes.annotate("", (_inside(true.worst), y), (at, y), arrowprops=arrow, zorder=3)


def _inside(ratio: float) -> float:
    return min(max(ratio, _LEAST), _MOST)


def _axes(
    axes: Axes, ticks: dict[float, str], rows: int, known: Mapping[str, RatioRange], theorems: Sequence[Theorem]
) -> None:
    shown = [known[name] for theorem in theorems for name in theorem.forms if name in known and BOUNDS[name].terms]
    left = max(_LEAST, min([r.least for r in shown if r.least > 0] or [0.1])) / 2
    right = max([10.0, *(6 * _inside(r.worst) for r in shown)])
    axes.set(xscale="log", xlim=(left, right), ylim=(rows - 0.3, -0.7), xlabel="measured / right-hand side")
    axes.axvspan(1, right, color=style.VERMILLION, alpha=0.08, linewidth=0)
    axes.axvline(1, color=style.VERMILLION, linewidth=0.8)
    axes.set_yticks(list(ticks), list(ticks.values()), fontsize=8)
    axes.xaxis.set_major_locator(LogLocator(numticks=12))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _handles() -> list[Line2D]:
    blank: Any = {"linestyle": "none", "color": style.BLUE, "markersize": 4}
    return [
        Line2D([], [], marker="o", label="largest over cells", **blank),
        Line2D([], [], marker="o", markerfacecolor="white", label="says nothing in any cell", **blank),
        Line2D([], [], color=style.GREY, label="range over cells"),
        Line2D([], [], marker="d", color=style.PURPLE, linestyle="none", markersize=4, label="worst case of the class"),
        Line2D(
            [],
            [],
            marker="X",
            color=style.VERMILLION,
            linestyle="none",
            markersize=5,
            label="as printed, to its repair",
        ),
    ]
