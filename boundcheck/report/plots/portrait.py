"""The portrait of a problem: what it looks like along one line, against the constants that it claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from boundcheck.engine.streams import NOISE, LaneStreams
from boundcheck.problems.certification.search import client_gradients
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import image_path, save
from boundcheck.report.plots.line import POINTS, Line, height, line_of

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from boundcheck.problems import Array, Problem

_NOISY = 41
"""Points of the line at which samples are drawn."""
_SAMPLES = 64
"""Samples of every client at each of them."""
_TALL = 4.0
"""How many times the claim a band may be high before it is cut."""
_MANY = 8
"""Clients drawn one by one; more of them are a band."""


def save_portrait(problem: Problem, path: str | Path) -> Path:
    """Draw a problem along one line and write the picture.

    Parameters
    ----------
    problem : Problem
        Any problem, yours included.
    path : str or Path
        A path that ends in ``.svg``, ``.png`` or ``.pdf``.

    Returns
    -------
    Path
        Where the picture is.

    Raises
    ------
    InputError
        If the ending is another.
    """
    target = image_path("plot", path)
    save(portrait(problem), target)
    return target


def portrait(problem: Problem) -> Figure:
    """Return four panels along a line: f, the clients' slopes, heterogeneity and noise, with what is claimed."""
    line = line_of(problem)
    with style.look():
        figure = Figure(figsize=(style.WIDTH, 4.6), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True)
        figure.suptitle(f"{problem.name}, N = {problem.N}, d = {problem.d}: {line.words}", fontsize=9)
        _values(panels[0, 0], line)
        _slopes(panels[0, 1], line)
        _heterogeneity(panels[1, 0], line)
        _noise(panels[1, 1], line)
        for axes in panels[1]:
            axes.set_xlabel("distance along the line; the dot is the start")
        for axes in panels.flat:
            axes.set_xlim(line.at[0], line.at[-1])
    return figure


def _values(axes: Axes, line: Line) -> None:
    problem, here = line.problem, np.array([line.length])
    axes.set_title(r"$f$ and $\Phi$" if problem.is_minimax else r"$f$")
    values = problem.value(line.points(line.at)[:, None, :])
    label = r"$f$ at the start's $y$" if problem.is_minimax else None
    axes.plot(line.at, values, color=style.BLACK, label=label)
    axes.plot(here, problem.value(line.points(here)[:, None, :]), **_DOT)
    if problem.is_minimax:
        axes.plot(line.at, height(problem, line.points(line.at)), color=style.BLUE, linestyle="--", label=r"$\Phi$")
        axes.legend(**_FRAME)


_DOT: Any = {"color": style.BLACK, "marker": "o", "linestyle": "", "zorder": 5}
_FRAME: Any = {"frameon": True, "framealpha": 0.85, "edgecolor": "none"}


def _slopes(axes: Axes, line: Line) -> None:
    problem = line.problem
    slopes = client_gradients(problem, line.points(line.at)) @ line.direction
    axes.set_title("slope along the line")
    if 1 < problem.N <= _MANY:
        for i, each in enumerate(slopes.T):
            colour = style.OKABE_ITO[1 + i % 7]
            dashes = (i * 2.0, (4.0, 2.0)) if i % 2 else "-"
            label = "clients" if i == 0 else None
            axes.plot(line.at, each, color=colour, linestyle=dashes, linewidth=0.8, label=label)
    elif problem.N > _MANY:
        low, high = slopes.min(axis=1), slopes.max(axis=1)
        axes.fill_between(line.at, low, high, color=style.ORANGE, alpha=0.4, linewidth=0, label="clients")
    axes.plot(line.at, slopes.mean(axis=1), color=style.BLACK, label="average", zorder=4)
    axes.axhline(0.0, color=style.GREY, linewidth=0.6)
    if problem.N > 1:
        axes.legend(**_FRAME)


def _heterogeneity(axes: Axes, line: Line) -> None:
    problem = line.problem
    axes.set_title("heterogeneity")
    if problem.N == 1:
        _word(axes, "a single client: none")
        return
    g = client_gradients(problem, line.points(line.at))
    spread = g.var(axis=1).sum(axis=1)
    letter = "zeta" if "zeta" in problem.constants or "zeta_pair" not in problem.constants else "zeta_pair"
    claimed = problem.constants.get(letter)
    if spread.max() <= 1e-20 * (1 + (g * g).max()):
        _word(axes, "all clients are alike: none" if claimed and not claimed.value else "none along this line")
        return
    axes.plot(line.at, spread, color=style.BLACK, label=r"mean of $|\nabla f_i - \nabla f\,|^2$")
    name = r"\zeta" if letter == "zeta" else r"\zeta_\mathrm{pair}"
    if letter == "zeta_pair":
        gaps = np.zeros(len(g))
        for i in range(problem.N):
            gaps = np.maximum(gaps, ((g - g[:, i : i + 1]) ** 2).sum(axis=-1).max(axis=1))
        axes.plot(line.at, gaps, color=style.GREEN, linestyle="-.", label=r"largest $|\nabla f_i - \nabla f_j|^2$")
    _claim(axes, None if claimed is None else claimed.value, name)


def _noise(axes: Axes, line: Line) -> None:
    problem = line.problem
    axes.set_title("noise")
    if problem.noise.moment is not None:
        order, size = problem.noise.moment
        _word(axes, f"no variance: the moment of order {order:g} is {size:g} to that power")
        return
    at = line.at[:: (POINTS - 1) // (_NOISY - 1)]
    points = line.points(at)
    exact = np.array([max(problem.outcomes(x, i).var(axis=0).sum() for i in range(problem.N)) for x in points])
    low, high = _deviation_range(problem, points)
    claimed = problem.constants.get("sigma")
    if max(exact.max(), high.max()) <= 1e-20 * (1 + (client_gradients(problem, points) ** 2).max()):
        quiet = problem.noise.kind == "none" or (claimed is not None and not claimed.value)
        _word(axes, "gradients are exact: none" if quiet else "none along this line")
        return
    label = rf"$|g - \nabla f_i|^2$ of {_SAMPLES} samples a client"
    top = max(float(exact.max()), claimed.value**2 if claimed else 0.0)
    if high.max() > _TALL * top:
        label += f", up to {float(f'{high.max():.2g}'):g}"
        high = np.minimum(high, _TALL * top)
    axes.fill_between(at, low, high, color=style.ORANGE, alpha=0.35, linewidth=0, label=label)
    axes.plot(at, exact, color=style.BLACK, label="its mean (enumerated), worst client")
    _claim(axes, None if claimed is None else claimed.value, r"\sigma")


def _deviation_range(problem: Problem, points: Array) -> tuple[Array, Array]:
    """Return the smallest and largest squared deviation of samples at each of the points (n, d)."""
    token = problem.sample(LaneStreams(0, NOISE, [(k,) for k in range(_SAMPLES)]))
    low, high = np.empty(len(points)), np.empty(len(points))
    for k, x in enumerate(points):
        everywhere = np.broadcast_to(x, (_SAMPLES, problem.N, problem.d))
        gaps = problem.gradient(everywhere, None, token) - client_gradients(problem, x[None])
        squares = (gaps * gaps).sum(axis=-1)
        low[k], high[k] = squares.min(), squares.max()
    return low, high


def _claim(axes: Axes, value: float | None, name: str) -> None:
    """Draw the square of a claimed constant, or say that there is none."""
    if value is None:
        axes.plot([], [], linestyle="", label=f"no ${name}$ is claimed")
    else:
        axes.axhline(value**2, color=style.VERMILLION, linestyle="--", label=f"${name}^2$ claimed")
    low, high = axes.get_ylim()
    entries = len(axes.get_legend_handles_labels()[1])
    axes.set_ylim(min(0.0, low), high + 0.27 * entries * (high - min(0.0, low)))
    axes.legend(loc="upper center", **_FRAME)


def _word(axes: Axes, text: str) -> None:
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", color="#444444")
    axes.set_yticks([])
    axes.grid(visible=False)
