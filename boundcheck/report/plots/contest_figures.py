"""The figures of experiments: what every tuned method had reached by what it had spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from boundcheck.evidence.statistics.intervals import t_interval
from boundcheck.metrics import metric_of
from boundcheck.report.plots import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from boundcheck.sweep.experiments.contest import ContestEntry, SettingResult
    from boundcheck.sweep.recipes.experiment import Axis

INKS = (*style.SERIES, *style.COMPARED, style.BOUNDS[2], style.BOUNDS[3])
"""Inks of the entrants, in their order."""


def budget_figure(at: SettingResult, axes: Sequence[Axis], labels: Sequence[str], metric: str) -> Figure:
    """Return a panel an axis: the metric of every entrant against what an active client has spent.

    Parameters
    ----------
    at : SettingResult
    axes : sequence of Axis
        Axes of the budgets; entrants are those tuned for the axis of the panel.
    labels : sequence of str
        Entrants to draw.
    metric : str
        A metric of the experiment.
    """
    with style.look():
        figure = Figure(figsize=(style.WIDTH, 2.3), layout="constrained")
        grid = figure.subplots(1, len(axes), sharey=True, squeeze=False)
        for panel, axis in zip(grid.flat, axes, strict=True):
            for i, label in enumerate(labels):
                if label in at.entries:
                    _line(panel, at.entries[label][axis], axis, metric, style.nth(INKS, i), label)
            _panel(panel, axis, metric)
            if axis in at.budgets:
                panel.axvline(at.budgets[axis], color=style.GREY, linewidth=0.8, linestyle=(0, (1, 1)))
        grid[0, 0].set_ylabel(metric_of(metric).axis or metric.replace("_", " "))
        handles, names = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 4))
    return figure


def _panel(axes: Axes, axis: Axis, metric: str) -> None:
    axes.set(xscale="log", yscale="linear" if metric_of(metric).unit == (0, 0) else "log", xlabel=axis)
    axes.xaxis.set_minor_formatter(NullFormatter())


def _line(axes: Axes, entry: ContestEntry, axis: Axis, metric: str, ink: style.LineStyle, label: str) -> None:
    """Draw running averages where those decide, else the values themselves."""
    about = entry.cell
    name = next(m.name for m in about.metrics if m.label == metric)
    kept = entry.measured.average if entry.reading.readout == "average" else entry.measured.instant
    values = kept[name]
    sound = np.isfinite(values).all(axis=0)
    if not sound.any():
        return
    x, ends = entry.spent[axis][sound], [t_interval(column) for column in values.T[sound]]
    low, high = np.array(ends).T
    axes.fill_between(x, low, high, color=ink.color, alpha=0.2, linewidth=0)
    axes.plot(x, values.mean(axis=0)[sound], color=ink.color, linestyle=ink.line, label=label)
