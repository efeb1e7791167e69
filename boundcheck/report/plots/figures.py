"""The figures: pure functions from data to a matplotlib figure, one a figure."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from boundcheck.bounds import BOUNDS, RATES
from boundcheck.errors import require
from boundcheck.files.atomic import whole
from boundcheck.metrics import METRICS
from boundcheck.notation import LETTERS
from boundcheck.report.plots import style
from boundcheck.report.plots.curves import (
    PANELS,
    curves,
    label_of,
    legend_name,
    main_letter,
    metrics,
    thin,
    trajectories,
    varying,
)
from boundcheck.report.theorems import form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from boundcheck.evidence.statistics.shape import Shape
    from boundcheck.report.plots.curves import Curve, RatioCurve, Trajectory
    from boundcheck.sweep.results.results import StudyResult
    from boundcheck.sweep.results.times import Timed


COMMON = ("measured mean, 95 % interval", "trivial bound: vacuous above")
"""Labels of the lines that every panel has."""


_UNDATED: dict[str, Any] = {
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
}
"""Ending of an image to the metadata that would tell one writing from the next."""


def image_path(name: str, path: str | Path) -> Path:
    """Return where an image is to be written; an error calls the path `name`.

    Raises
    ------
    InputError
        If the ending is not that of an image.
    """
    path = Path(path)
    require(path.suffix.lower() in _UNDATED, name, str(path), "a path in .svg, .png or .pdf")
    return path


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, PNG or PDF by the ending of the path, with no date in it."""
    ending = path.suffix.lower()
    with style.look(), whole(path) as file:
        if ending == ".svg":
            # Drawing lays out what `savefig` would draw once more for that.
            FigureCanvasSVG(figure).print_svg(file, metadata=_UNDATED[ending])  # type: ignore[no-untyped-call]
        else:
            figure.savefig(file, format=ending[1:], metadata=_UNDATED[ending])


def bound_figure(
    result: StudyResult,
    metric: str | None = None,
    *,
    panels: int = PANELS,
    shares: bool = True,
    others: bool = True,
    height: float = 2.4,
) -> Figure:
    """Return measurements against the bounds along the main letter, with the shares of the terms below.

    Bounds on one left-hand side share a figure: those on `metric`, by default those on the first bound's.  Without
    `others` the slopes of other methods' rates are left out; `height` is that of the panels, in inches.
    """
    letter, metric = main_letter(result), metric or metrics(result)[0]
    drawn = thin(curves(result, letter, metric), panels)
    rows = 2 if shares and splits(drawn) else 1
    with style.look():
        figure = Figure(figsize=(style.WIDTH, height + 0.95 * (rows - 1)), layout="constrained")
        grid = figure.subplots(
            rows, len(drawn), sharex="col", sharey="row", squeeze=False, height_ratios=[3, 1.1][:rows]
        )
        for i, curve in enumerate(drawn):
            _bound_panel(grid[0, i], curve if others else replace(curve, overlays={}), letter)
            grid[0, i].set_title(curve.label)
            if rows == 2:
                _share_panel(grid[1, i], curve)
            _letter_axis(grid[-1, i], curve.x, letter)
            if len(drawn) > 3 and max(curve.x) >= 10_000:
                grid[-1, i].tick_params(axis="x", labelsize=7)
        grid[0, 0].set_ylabel(
            METRICS[metric].axis.replace(" of ", " of\n", 1) if height < _LOW else METRICS[metric].axis
        )
        if rows == 2:
            grid[1, 0].set_ylabel("share of term")
        _legend(figure, grid)
    return figure


_LOW = 2.0
"""Height of panels, in inches, below which the label of the axis is longer than the axis."""


def slim_figure(result: StudyResult) -> Figure:
    """Return the last slice of a study in half a line: measurements and bounds, each named at its right end."""
    letter = main_letter(result)
    curve = curves(result, letter)[-1]
    short = dict(zip(COMMON, ("measured", "trivial"), strict=True))
    short |= {bound_label(name): form(name) for name in curve.totals}
    with style.look():
        figure = Figure(figsize=(style.HALF + 0.5, 1.0), layout="constrained")
        axes = figure.subplots()
        _bound_panel(axes, replace(curve, overlays={}), letter)
        _letter_axis(axes, curve.x, letter)
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, [short.get(label, label) for label in labels], loc="outside right center", fontsize=8)
    return figure


def splits(panels: Sequence[Curve]) -> bool:
    """Return whether shares of terms can be drawn: several terms along several points."""
    return all(len(c.terms) > 1 and len(c.x) > 1 and np.isfinite(_term_shares(c)).any() for c in panels)


def _term_shares(curve: Curve) -> Any:
    parts = np.array(list(curve.terms.values()))
    total = parts.sum(axis=0)
    with np.errstate(all="ignore"):
        return np.where(total > 0, parts / total, np.nan)


def _bound_panel(axes: Axes, curve: Curve, letter: str) -> None:
    x = np.array(curve.x)
    axes.set(xscale="log", yscale="log")
    axes.fill_between(x, curve.low, curve.high, color=style.BLACK, alpha=0.25, linewidth=0)
    axes.plot(x, curve.mean, label=COMMON[0], zorder=4, **style.MEASURED.keywords)
    for i, (name, total) in enumerate(curve.totals.items()):
        axes.plot(x, total, label=bound_label(name), zorder=3, **style.nth(style.BOUNDS, i).keywords)
    for i, (name, values) in enumerate(curve.compared.items()):
        axes.plot(x, values, label=legend_name(name), zorder=3, **style.nth(style.COMPARED, i).keywords)
    for i, (name, slope) in enumerate(curve.overlays.items()):
        ink = style.nth(style.SERIES, i)
        axes.plot(
            x, slope, label=f"{RATES[name].title}, slope only", color=style.GREY, linestyle=ink.line, linewidth=0.8
        )
    if np.isfinite(curve.vacuity).any():
        dot = "_" if len(x) == 1 else ""
        axes.plot(x, curve.vacuity, color=style.GREY, linestyle=(0, (1, 1)), marker=dot, markersize=9, label=COMMON[1])
    if curve.promised:
        _triangle(axes, curve.x, _lowest(curve), -curve.promised, letter)
    log_axis(axes)


def _lowest(curve: Curve) -> tuple[float, ...]:
    """Return the lower envelope of all lines of a panel, below which there is room."""
    lines = np.array([curve.mean, *curve.totals.values(), *curve.compared.values(), *curve.overlays.values()])
    return tuple(np.fmin.reduce(lines, axis=0))


def bound_label(name: str) -> str:
    """Return a bound's name in a legend: what it is and how it is printed."""
    bound = BOUNDS[name]
    what = f"shape, C = 1 ({bound.form})" if bound.kind == "order" else bound.form
    return f"{form(name)}: {what}"


def _triangle(axes: Axes, x: Sequence[float], y: Sequence[float], slope: float, letter: str) -> None:
    """Put the slope triangle below the right part of a curve."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if b > 0]
    if len(points) < 2 or slope == 0:
        return
    where, heights = np.log(np.array(points).T)
    a, b = np.exp(where[0] + np.array([0.55, 0.95]) * (where[-1] - where[0]))
    grid = np.linspace(np.log(a), np.log(b), 9)
    room = np.interp(grid, where, heights) - slope * (grid - np.log(a))
    low, high = axes.get_ylim()
    # The words beside it have their middle at half its height.
    gap = max(0.3, 0.06 * np.log(high / low), _WORDS_HIGH * np.log(high / low) - abs(slope) * np.log(b / a) / 2)
    height = float(np.exp(room.min() - gap))
    style.slope_triangle(axes, (a, b), height, slope, style.exponent_label(_math(letter), slope))


_WORDS_HIGH = 0.2
"""Share of a low panel's height that the words beside a slope triangle take."""


def _math(letter: str) -> str:
    text = LETTERS[letter].text if letter in LETTERS else letter
    return text if len(text) == 1 else rf"\mathrm{{{text}}}"


def _share_panel(axes: Axes, curve: Curve) -> None:
    """Stack the shares of the terms of the first bound."""
    base = np.zeros(len(curve.x))
    for (name, share), (color, hatch) in zip(
        zip(curve.terms, _term_shares(curve), strict=True), style.FILLS * 3, strict=False
    ):
        axes.fill_between(
            curve.x, base, base + share, facecolor=color, hatch=hatch, edgecolor="#555555", linewidth=0.3, label=name
        )
        base = base + share
    axes.set(ylim=(0, 1), xscale="log")
    axes.set_yticks([0, 0.5, 1], ["0", "½", "1"])
    axes.grid(visible=False)


def _letter_axis(axes: Axes, x: Sequence[float], letter: str) -> None:
    ticks = x if len(x) <= 5 else x[:: (len(x) + 4) // 5]
    axes.xaxis.set_major_locator(FixedLocator(list(ticks)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(list(ticks), [_tick(v) for v in ticks])
    axes.set_xlabel(f"${_math(letter)}$" + (f" ({_WORDS[letter]})" if letter in _WORDS else ""))


_WORDS = {"T": "rounds", "N": "clients", "K": "local steps", "S": "active clients"}


def _tick(value: float) -> str:
    if value >= 1e5 or value < 1e-3:
        mantissa, _, power = f"{value:.1e}".partition("e")
        return rf"${mantissa}\cdot10^{{{int(power)}}}$"
    return f"{value:g}"


def log_axis(axes: Axes) -> None:
    """Label a logarithmic axis that spans little with plain numbers."""
    low, high = axes.get_ylim()
    decades = np.log10(high / low)
    axes.yaxis.set_minor_locator(NullLocator())
    if decades >= 1.7:
        return
    wide = LogLocator(subs=[1, 2, 5]) if decades > 0.7 else MaxNLocator(5)
    axes.yaxis.set_major_locator(wide)
    axes.yaxis.set_major_formatter(FuncFormatter(_plainly))


def _plainly(value: float, _: object) -> str:
    return f"{value:g}"


def _legend(figure: Figure, grid: Any, columns: int = 3) -> None:
    """Put one legend below all panels, in as many columns as its words leave room for."""
    found: dict[str, Any] = {}
    for axes in grid.flat:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    room = figure.get_figwidth() * _SIGNS_AN_INCH
    fits = next((n for n in range(columns, 1, -1) if _widest(list(found), n) <= room), 1)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=fits, columnspacing=1.5)


_SIGNS_AN_INCH = 17.5
"""Letters of a legend that stand side by side."""


def _widest(labels: Sequence[str], columns: int) -> int:
    """Return the signs side by side when labels fill the columns downwards; a handle takes six."""
    rows = -(-len(labels) // columns)
    return sum(6 + max(map(len, labels[i : i + rows])) for i in range(0, len(labels), rows))


def speedup_figure(result: StudyResult, letter: str) -> Figure:
    """Return measurements against another letter, a line for each T, a panel for each setting of the rest.

    Two letters that vary besides make small multiples: the first one runs down, the second one across.
    """
    panels = _speedup_panels(result, letter)
    rows, columns = len(panels), len(panels[0])
    size = (style.WIDTH if columns > 1 else style.HALF, 2.6 if rows == 1 else 0.7 + 1.65 * rows)
    with style.look():
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, sharey=True, sharex=True, squeeze=False)
        for axes, (title, lines) in zip(grid.flat, chain.from_iterable(panels), strict=True):
            axes.set_title(title)
            if lines:
                _speedup_panel(axes, thin(lines), letter)
            else:
                axes.set_axis_off()
        for axes in grid[:-1].flat:
            axes.set_xlabel("")
        grid[rows // 2, 0].set_ylabel(METRICS[BOUNDS[result.study.bounds[0]].metric].axis)
        _legend(figure, grid, columns=3 if columns > 1 else 2)
    return figure


def _speedup_panels(result: StudyResult, letter: str, most: int = 3) -> list[list[tuple[str, list[Curve]]]]:
    """Return rows of titled panels."""
    groups: dict[tuple[Any, ...], list[Curve]] = {}
    rest = [k for k in varying(result) if k not in {letter, "T"}]
    for curve in curves(result, letter):
        groups.setdefault(tuple(curve.fixed[k] for k in rest), []).append(curve)
    if len(rest) != 2:
        found = [(label_of(dict(zip(rest, at, strict=True))), lines) for at, lines in groups.items()]
        return [found[:most]]
    down, across = (thin(list(dict.fromkeys(at[i] for at in groups)), most) for i in (0, 1))
    return [[(label_of(dict(zip(rest, (a, b), strict=True))), groups.get((a, b), [])) for b in across] for a in down]


def _speedup_panel(axes: Axes, lines: Sequence[Curve], letter: str) -> None:
    axes.set(xscale="log", yscale="log")
    for i, curve in enumerate(lines):
        ink = style.nth(style.SERIES, i)
        at = label_of({"T": curve.fixed["T"]}) if "T" in curve.fixed else "measured"
        axes.fill_between(curve.x, curve.low, curve.high, color=ink.color, alpha=0.2, linewidth=0)
        axes.plot(curve.x, curve.mean, label=f"measured, {at}", zorder=3, **ink.keywords)
        total = next(iter(curve.totals.values()))
        axes.plot(curve.x, total, label=f"bound, {at}", color=ink.color, linestyle=ink.line, linewidth=0.6)
    last = lines[-1]
    _letter_axis(axes, last.x, letter)
    if last.promised:
        _triangle(axes, last.x, np.fmin.reduce([c.mean for c in lines if c.x == last.x]), -last.promised, letter)
    log_axis(axes)


def trajectory_figure(result: StudyResult) -> Figure | None:
    """Return running averages against the rounds for a few cells, or None where there are too few checkpoints."""
    lines: list[Trajectory] = trajectories(result)
    if not lines:
        return None
    with style.look():
        figure = Figure(figsize=(style.HALF, 2.2), layout="constrained")
        axes = figure.subplots()
        kind = "running sum" if METRICS[metrics(result)[0]].weighted else "running average"
        axes.set(xscale="log", yscale="log", xlabel="round", ylabel=kind)
        for i, line in enumerate(lines):
            ink = style.nth(style.SERIES, i)
            axes.fill_between(line.rounds, line.low, line.high, color=ink.color, alpha=0.2, linewidth=0)
            axes.plot(line.rounds, line.mean, color=ink.color, linestyle=ink.line, label=line.label)
        axes.xaxis.set_minor_formatter(NullFormatter())
        log_axis(axes)
        axes.legend()
    return figure


def rates_figure(results: Sequence[StudyResult]) -> Figure:
    """Return a panel a study: measurements, bounds and slopes of other methods along T at its last slice."""
    rows = (len(results) + 1) // 2
    with style.look():
        figure = Figure(figsize=(style.WIDTH, 2.9 * rows), layout="constrained")
        grid = figure.subplots(rows, 2, squeeze=False)
        for axes in grid.flat[len(results) :]:
            axes.set_axis_off()
        for axes, result in zip(grid.flat, results, strict=False):
            curve = curves(result, "T")[-1]
            _bound_panel(axes, curve, "T")
            _letter_axis(axes, curve.x, "T")
            name = result.study.bounds[0]
            axes.set_title(f"{BOUNDS[name].method}: {curve.label}" if curve.label else BOUNDS[name].method)
            axes.set_ylabel(METRICS[BOUNDS[name].metric].axis)
            handles = [
                h for h in axes.get_lines() if str(h.get_label()) not in {*COMMON, ""} and h.get_label()[0] != "_"
            ]
            axes.legend(handles=handles, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.24))
        lines = [h for h in grid.flat[0].get_lines() if h.get_label() in COMMON]
        figure.legend(handles=lines, loc="outside lower center", ncols=2)
    return figure


def times_figure(times: Sequence[Timed], moving: Sequence[str] = ()) -> Figure:
    """Return rounds and floats that methods need against 1/eps; an arrow marks an accuracy that was not reached."""
    with style.look():
        figure = Figure(figsize=(style.WIDTH, 2.7), layout="constrained")
        grid = figure.subplots(1, 2, squeeze=False)
        for axes, what in zip(grid.flat, ("rounds", "floats"), strict=True):
            axes.set(xscale="log", yscale="log", ylabel=_COSTS[what])
            for i, item in enumerate(times):
                _times_line(axes, item, what, moving, style.nth(style.SERIES, i))
            _letter_axis(axes, sorted({round(1 / found.epsilon, 3) for t in times for found in t.times.reached}), "T")
            axes.set_xlabel(r"$1/\epsilon$")
        _legend(figure, grid, columns=2)
    return figure


_COSTS = {"rounds": r"rounds to $\epsilon$", "floats": r"floats of a client to $\epsilon$"}


def _times_line(axes: Axes, item: Timed, what: str, moving: Sequence[str], ink: style.LineStyle) -> None:
    reached = item.times.reached
    x = np.array([1 / found.epsilon for found in reached])
    y = np.array([found.rounds if what == "rounds" else item.cost(found).floats for found in reached])
    late = np.array([found.relation == ">=" for found in reached])
    name = label_of({k: v for k, v in item.fixed if k in moving})
    label = legend_name(item.label) + (f" ({name})" if name else "")
    axes.plot(x[~late], y[~late], label=label, **ink.keywords)
    axes.plot(x[late], y[late], marker=r"$\uparrow$", markersize=9, linestyle="none", color=ink.color)
    if what == "rounds":
        ends = np.array([(f.low or f.rounds, f.high if np.isfinite(f.high) else f.rounds) for f in reached])
        axes.fill_between(x[~late], ends[~late, 0], ends[~late, 1], color=ink.color, alpha=0.2, linewidth=0)


def ratio_figure(lines: Sequence[RatioCurve], letter: str) -> Figure:
    """Return measured / right-hand side of several bounds; the level 1 is what an explicit bound may not pass."""
    with style.look():
        figure = Figure(figsize=(style.HALF, 2.2), layout="constrained")
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", ylabel="measured /\nright-hand side")
        for i, line in enumerate(lines):
            label = bound_label(line.bound) + (f", {line.slice}" if line.slice else "")
            axes.plot(line.x, line.y, label=label, **style.nth(style.SERIES, i).keywords)
        axes.axhline(1.0, color=style.GREY, linestyle=(0, (1, 1)), linewidth=0.8)
        _letter_axis(axes, sorted({v for line in lines for v in line.x}), letter)
        log_axis(axes)
        figure.legend(loc="outside lower center", ncols=1, fontsize=8)
    return figure


def shape_figure(name: str, shapes: Sequence[tuple[str, Shape]]) -> Figure:
    """Return measured / shape against the letter for a bound of order only: flat if one hidden constant serves."""
    with style.look():
        figure = Figure(figsize=(style.HALF, 2.2), layout="constrained")
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", ylabel="measured / shape")
        for i, (label, shape) in enumerate(shapes):
            ink = style.nth(style.SERIES, i)
            x, y = np.array(shape.x), np.array(shape.ratios)
            middle = np.exp(np.log(x).mean())
            fitted = np.exp(np.log(y).mean()) * (x / middle) ** shape.growth
            axes.plot(x, y, linestyle="none", marker=ink.marker, color=ink.color, label=label or "measured / shape")
            axes.plot(x, fitted, color=ink.color, linestyle=ink.line, linewidth=0.8)
        if len(shapes) == 1:
            level = shapes[0][1].constant
            axes.axhline(level, color=style.GREY, linestyle=(0, (1, 1)), label="constant of the first half")
        _letter_axis(axes, shapes[0][1].x, shapes[0][1].letter)
        log_axis(axes)
        axes.legend()
    return figure
