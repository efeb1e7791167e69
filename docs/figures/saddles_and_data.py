"""Draw the pictures of docs/problems.md about saddles and data: ``python docs/figures/saddles_and_data.py``."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from boundcheck.problems import Problem, load_problem
from boundcheck.problems.data.bundled import load_bundled
from boundcheck.problems.data.partition import by_dirichlet

HERE = Path(__file__).parent
INK, ACCENT, QUIET = "#1b3a57", "#c2452d", "#8a8f98"


def reduced(problem: Problem, m1: np.ndarray, m2: np.ndarray) -> np.ndarray:
    """Return min over (a, b) of Phi for the simplest network: a and b are the scores of the two points."""
    up, down = m1 / (1 + np.exp(-m2)), m1 / (1 + np.exp(m2))
    z = np.stack([m2, m1, up, down, np.zeros_like(m1)], axis=-1).reshape(-1, 1, 5)
    values: np.ndarray = problem.envelope(z).reshape(m1.shape)
    return values


def simplest_network() -> Figure:
    """Draw min over (a, b) of Phi over (m1, m2): the saddle at 0 and the curve of minima at -1/4."""
    problem = load_problem("auc-two-point", N=1)
    grid = np.linspace(-4, 4, 81)
    m1, m2 = np.meshgrid(grid, grid)
    figure = Figure(figsize=(4.2, 3.4), layout="constrained")
    axes = figure.add_subplot()
    levels = [-0.24, -0.2, -0.15, -0.1, -0.05, 0.0, 0.1, 0.25, 0.5, 1.0, 2.0]
    lines = axes.contour(m1, m2, reduced(problem, m1, m2), levels, colors=INK, linewidths=0.8, linestyles="solid")
    axes.clabel(lines, levels=[-0.2, -0.1, 0.0, 0.25, 1.0], fontsize=6)
    for side in (1, -1):
        bottom = side * np.linspace(1.02, 4, 60)
        axes.plot(bottom, 2 * np.arctanh(1 / bottom), color=ACCENT, linewidth=1.6)
    axes.plot(0, 0, "o", color=ACCENT, markersize=5)
    for text, place in (("saddle, height 0", (0.3, -1.2)), ("minima, height -1/4", (1.2, 2.9))):
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        axes.annotate(text, place, color=ACCENT, fontsize=8, bbox=box, zorder=5)
    axes.set(xlabel="m1", ylabel="m2", ylim=(-4, 4), xlim=(-4, 4))
    return figure


def newton_saddle() -> Figure:
    """Draw F(x, .) of ncsc-newton with d1 = d2 = 1 for some x, and the maximisers that Newton's method finds."""
    problem = load_problem("ncsc-newton[d1=1,d2=1,nu=0.95,zeta_pair=0,sigma=0]", N=1)
    y = np.linspace(-3, 3, 121)
    figure = Figure(figsize=(4.2, 2.8), layout="constrained")
    axes = figure.add_subplot()
    for x in (-2.0, -1.0, 1.0, 2.0):
        z = np.stack([np.full_like(y, x), y], axis=-1)[:, None, :]
        axes.plot(y, problem.value(z), color=INK, linewidth=0.9)
        best = problem.best_response(z[:1])[0, 0, 0]
        axes.plot(best, problem.envelope(z[:1])[0], "o", color=ACCENT, markersize=4)
        axes.annotate(f"x = {x:g}", (y[-1] + 0.1, problem.value(z)[-1]), fontsize=7, color=QUIET, va="center")
    axes.set(xlabel="y", ylabel="F(x, y)", xlim=(-3.2, 3.9))
    return figure


def dirichlet_split() -> Figure:
    """Draw which client holds how many rows of which digit, for three concentrations."""
    classes = load_bundled("digits").classes
    figure = Figure(figsize=(6.4, 2.4), layout="constrained")
    colours = mpl.colormaps["viridis"](np.linspace(0, 1, 10))
    for axes, concentration in zip(figure.subplots(1, 3, sharey=True), (0.01, 0.1, 1.0), strict=True):
        parts = by_dirichlet(classes, 8, concentration, 0)
        held = np.stack([np.bincount(classes[rows[rows >= 0]], minlength=10) for rows in parts.rows])
        below = np.zeros(8)
        for digit in range(10):
            axes.bar(np.arange(8), held[:, digit], bottom=below, color=colours[digit], width=0.85)
            below += held[:, digit]
        axes.set_title(f"concentration {concentration:g}", fontsize=9)
        axes.set_xlabel("client")
        axes.set_xticks(range(8))
    figure.axes[0].set_ylabel("rows, coloured by digit")
    return figure


def main() -> None:
    """Write the three pictures; the same code writes the same bytes."""
    drawings = {"auc-two-point": simplest_network, "ncsc-newton": newton_saddle, "dirichlet-split": dirichlet_split}
    with mpl.rc_context({"svg.hashsalt": "boundcheck", "svg.fonttype": "none", "font.size": 8}):
        for name, draw in drawings.items():
            draw().savefig(HERE / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
