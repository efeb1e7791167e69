"""The figure of the first page: how close measurements come to each theorem's right-hand side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from boundcheck.bounds import BOUNDS
from boundcheck.report.plots import style
from boundcheck.report.plots.looseness import waterfall_of
from boundcheck.report.plots.numbers import describe
from boundcheck.report.theorems import form, tightest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from boundcheck.report.theorems import RatioRange, Theorem

_ROW = 0.107
"""Height of a theorem, in inches."""
_LEAST, _MOST = 1e-6, 1e3
"""Where the axis ends at the latest; what lies beyond stands at its end, with its number."""
_LANE = 9.0
"""How many times the end of the axis the end of the lane of proofs is."""
_ARROW: Any = {"arrowstyle": "->", "color": style.VERMILLION, "linewidth": 0.8, "shrinkA": 3, "shrinkB": 3}


def glance_figure(theorems: Sequence[Theorem], known: Mapping[str, RatioRange], names: Mapping[str, str]) -> Figure:
    """Return a line a theorem on a logarithmic axis of measured / right-hand side, and a lane for what proofs refute.

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
        figure = Figure(figsize=(style.WIDTH, 0.7 + _ROW * rows), layout="constrained")
        axes = figure.subplots()
        proved = [theorem for theorem in theorems if _refuted_by_proof_alone(theorem, known)]
        right = _right_end(known, theorems)
        ticks: dict[float, str] = {}
        y = 0.0
        for paper in papers:
            axes.text(
                0.0,
                y,
                f" {names[paper]}",
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=8,
                weight="bold",
            )
            for theorem in (t for t in theorems if t.paper == paper):
                y += 1
                ticks[y] = f"{theorem.name}{' ×' if theorem.status == 'false as printed' else ''}"
                _row(axes, theorem, known, y, right * _LANE**0.5 if theorem in proved else None)
            y += 1
        _axes(axes, ticks, rows, known, theorems, right)
        if proved:
            _lane(axes, right)
        false = [theorem for theorem in theorems if theorem.status == "false as printed"]
        figure.legend(
            handles=_handles(false=bool(false), proved=bool(proved)),
            loc="outside lower center",
            ncols=7,
            fontsize=7,
            handletextpad=0.2,
            columnspacing=0.9,
            borderpad=0.1,
        )
    return figure


def _excess_when_violated(theorem: Theorem, known: Mapping[str, RatioRange]) -> float | None:
    """Return how far the worst run is above a printed form that is false, None where no run is."""
    false = [known[name].worst for name in theorem.printed_forms if name not in theorem.true and name in known]
    return max(false) if false and max(false) > 1 else None


def _refuted_by_proof_alone(theorem: Theorem, known: Mapping[str, RatioRange]) -> bool:
    return theorem.status == "false as printed" and _excess_when_violated(theorem, known) is None


def _row(axes: Axes, theorem: Theorem, known: Mapping[str, RatioRange], y: float, lane: float | None) -> None:
    """Draw the true form that is tightest, and the printed form if a run or a proof refutes it."""
    true = tightest(theorem, dict(known))
    link = f"#{theorem.row}"
    if true is not None:
        axes.plot([_inside(true.least), _inside(true.worst)], [y, y], color=style.GREY, linewidth=1.0, zorder=2)
        face = style.BLUE if true.informative else "white"
        (dot,) = axes.plot(
            [_inside(true.worst)], [y], "o", color=style.BLUE, markerfacecolor=face, markersize=4, zorder=4
        )
        loose = f"{1 / true.worst:.3g} to {1 / true.least:.3g}" if true.least > 0 else f"at least {1 / true.worst:.3g}"
        silent = "" if true.informative else ", says nothing in any cell"
        describe(dot, f"{theorem.name}, {form(true.bound)}: stands, loose by {loose}{silent}", link)
    exact = waterfall_of(theorem)
    if exact is not None and exact.worst_ratio is not None:
        (mark,) = axes.plot([_inside(exact.worst_ratio)], [y], "d", color=style.PURPLE, markersize=4, zorder=4)
        about = f"{theorem.name}: worst case of the class is {exact.worst_ratio:.3g} of {form(exact.bound)}"
        describe(mark, f"{about} at K = {exact.K}, T = {exact.T}", link)
    worst = _excess_when_violated(theorem, known)
    at = lane if worst is None else _inside(worst)
    if at is None:
        return
    face = style.VERMILLION if theorem.fault in {"substance", ""} else "white"
    ink: Any = {"color": style.VERMILLION, "markerfacecolor": face, "markersize": 5, "zorder": 5}
    (mark,) = axes.plot([at], [y], ">" if worst is None else "X", **ink)
    kind = f" ({theorem.fault})" if theorem.fault else ""
    how = "by proof, whatever a hidden constant is" if worst is None else f"a run is {worst:.3g} times the bound"
    describe(mark, f"{theorem.name}: false as printed{kind}, {how}", link)
    if worst is not None and at < worst:
        power = f"$10^{{{math.floor(math.log10(worst))}}}$"
        axes.annotate(power, (at, y), (5, 0), textcoords="offset points", va="center", fontsize=8)
    if true is not None:
        axes.annotate("", (_inside(true.worst), y), (at, y), arrowprops=_ARROW, zorder=3)


def _inside(ratio: float) -> float:
    return min(max(ratio, _LEAST), _MOST)


def _right_end(known: Mapping[str, RatioRange], theorems: Sequence[Theorem]) -> float:
    """Return where the axis of ratios ends."""
    shown = [known[name] for theorem in theorems for name in theorem.forms if name in known and BOUNDS[name].terms]
    return max([10.0, *(6 * _inside(r.worst) for r in shown)])


def _axes(
    axes: Axes,
    ticks: dict[float, str],
    rows: int,
    known: Mapping[str, RatioRange],
    theorems: Sequence[Theorem],
    right: float,
) -> None:
    shown = [known[name] for theorem in theorems for name in theorem.forms if name in known and BOUNDS[name].terms]
    exact = [found.worst_ratio for theorem in theorems if (found := waterfall_of(theorem)) is not None]
    drawn = [*(r.least for r in shown), *(ratio for ratio in exact if ratio is not None)]
    left = max(_LEAST, min([ratio for ratio in drawn if ratio > 0] or [0.1])) / 2
    axes.set(xscale="log", xlim=(left, right), ylim=(rows - 0.3, -0.7), xlabel="measured / right-hand side")
    axes.axvspan(1, right, color=style.VERMILLION, alpha=0.08, linewidth=0)
    axes.axvline(1, color=style.VERMILLION, linewidth=0.8)
    axes.set_yticks(list(ticks), list(ticks.values()), fontsize=7.5)
    axes.xaxis.set_major_locator(FixedLocator([10.0**k for k in range(-9, 9) if left <= 10.0**k <= right]))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _lane(axes: Axes, right: float) -> None:
    """Draw the lane beside the axis: false by proof, beyond every number."""
    axes.set_xlim(axes.get_xlim()[0], right * _LANE)
    axes.axvspan(right, right * _LANE, color=style.VERMILLION, alpha=0.2, linewidth=0)
    axes.text(right * _LANE**0.5, -0.1, "by proof", ha="center", va="center", fontsize=8)


def _handles(*, false: bool, proved: bool) -> list[Line2D]:
    blank: Any = {"linestyle": "none", "color": style.BLUE, "markersize": 4}
    red: Any = {"linestyle": "none", "color": style.VERMILLION, "markersize": 5}
    handles = [
        Line2D([], [], marker="o", label="form that stands", **blank),
        Line2D([], [], marker="o", markerfacecolor="white", label="it says nothing", **blank),
        Line2D([], [], color=style.GREY, label="over cells"),
        Line2D([], [], marker="d", color=style.PURPLE, linestyle="none", markersize=4, label="its worst case"),
    ]
    if false:
        handles.append(Line2D([], [], marker="X", label="false: a run", **red))
    if proved:
        handles.append(Line2D([], [], marker=">", label="false: a proof", **red))
    if false:
        handles.append(Line2D([], [], marker="X", markerfacecolor="white", label="slip, reading, heir", **red))
    return handles
