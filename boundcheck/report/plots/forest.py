"""All fitted exponents in one figure: interval and promise, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from boundcheck.report.plots import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.evidence.checks.exponents import Fit

_ROW = 0.126
_SPAN = (-1.6, 0.6)
"""What the axis shows at most: an interval that is wider says nothing more."""
COLOURS = {
    "as promised": (style.GREEN, "o"),
    "faster than printed": (style.BLUE, "s"),
    "slower": (style.VERMILLION, "D"),
    "transient": (style.GREY, "^"),
    "undecided": (style.GREY, "o"),
}


def forest_figure(groups: Sequence[tuple[str, Sequence[tuple[str, Fit]]]]) -> Figure:
    """Return a line a fit: the measured power with its interval, the printed one as a tick, the bound's own as a cross.

    Parameters
    ----------
    groups : sequence of (str, sequence of (str, Fit))
        Theorems in order, each with the words for its slices.
    """
    with style.look():
        rows = sum(1 + len(fits) for _, fits in groups)
        figure = Figure(figsize=(style.WIDTH, 0.9 + _ROW * rows), layout="constrained")
        axes = figure.subplots()
        ticks: dict[float, str] = {}
        y = 0.0
        for title, fits in groups:
            axes.text(0.0, y, f" {title}", transform=axes.get_yaxis_transform(), va="center", fontsize=8, weight="bold")
            for words, fit in fits:
                y += 1
                ticks[y] = words
                colour, marker = COLOURS[fit.promise]
                low, high = max(-fit.high, _SPAN[0]), min(-fit.low, _SPAN[1])
                axes.plot([low, high], [y, y], color=colour, linewidth=1.2)
                axes.plot([-fit.exponent], [y], marker, color=colour, markersize=3.5, clip_on=True)
                axes.plot([-fit.promised], [y], "|", color=style.BLACK, markersize=8, markeredgewidth=1.4)
                if fit.bound_order is not None and _SPAN[0] <= -fit.bound_order <= _SPAN[1]:
                    axes.plot([-fit.bound_order], [y], "x", color=style.BLACK, markersize=4)
            y += 1
        axes.set(xlim=_SPAN, ylim=(rows - 0.3, -0.8), xlabel="power of the letter, measured and printed")
        axes.set_yticks(list(ticks), list(ticks.values()), fontsize=7)
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        figure.legend(
            handles=_handles(), loc="outside upper center", ncols=7, fontsize=7.5, handletextpad=0.3, columnspacing=1.2
        )
    return figure


def _handles() -> list[Line2D]:
    marks = [
        Line2D([], [], color=colour, marker=marker, markersize=3.5, label=word)
        for word, (colour, marker) in COLOURS.items()
    ]
    printed = Line2D([], [], color=style.BLACK, marker="|", linestyle="none", markersize=8, label="printed")
    own = Line2D([], [], color=style.BLACK, marker="x", linestyle="none", markersize=4, label="of the bound here")
    return [*marks, printed, own]
