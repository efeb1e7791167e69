"""Draw the picture of docs/worst.md: ``python docs/figures/extremal.py [FOLDER]``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from boundcheck.problems.extremal.family import Extremal
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import save

HERE = Path(__file__).parent
COLOURS = (style.BLUE, style.VERMILLION)


def descent(ax) -> None:
    """Draw the convex worst case and the iterates of gradient descent."""
    problem = Extremal(N=1, which="gd-convex")
    start, floor = problem.start, problem.constants["f_star"]
    along = np.linspace(-0.5, 1.15, 200)
    line = floor.at + along[:, None] * (start - floor.at)
    ax.plot(along, problem.value(line[:, None, :]) - floor.value, color=style.BLUE)
    x = start
    for t in range(4):
        value = problem.value(x[None, None])[0] - floor.value
        at = float((x - floor.at) @ (start - floor.at) / ((start - floor.at) @ (start - floor.at)))
        ax.plot([at], [value], "o", color="black", markersize=3)
        ax.annotate(f"$x_{t}$", (at, value), textcoords="offset points", xytext=(4, -9))
        x = x - problem.mean_gradient(x[None, None])[0, 0]
    ax.set(xlabel="from the minimiser to the start", ylabel=r"$f - f_\star$", title="gradient descent, convex")


def clients(ax) -> None:
    """Draw the two clients of FedAvg's worst case and their average, along the first client's local steps."""
    problem = Extremal(N=2, which="fedavg")
    g = problem.exact_gradient(problem.everyone_at(problem.start[None, None]))[0, 0]
    along = np.linspace(-0.5, 3.0, 300)
    line = problem.start - along[:, None] * g / np.sqrt(g @ g)
    for client in range(2):
        values = [problem.client_value(x, client) for x in line]
        ax.plot(along, values, label=f"client {client + 1}", color=COLOURS[client])
    ax.plot(along, problem.value(line[:, None, :]), color=style.BLACK, label="average")
    ax.set(xlabel="from $x_0$, along $-\\nabla f_1$", title="FedAvg, two clients")
    ax.legend()


def main(folder: Path) -> None:
    """Write the picture."""
    with mpl.rc_context(style.RC):
        figure = Figure(figsize=(style.WIDTH, 2.6), layout="constrained")
        left, right = figure.subplots(1, 2)
        descent(left)
        clients(right)
        save(figure, folder / "extremal.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
