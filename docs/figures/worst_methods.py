"""Draw the worst functions of ten methods along their runs: ``python docs/figures/worst_methods.py [FOLDER]``."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from boundcheck.engine import simulate
from boundcheck.methods import METHODS
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import save
from boundcheck.worst import worst

HERE = Path(__file__).parent
T = 3
"""Rounds."""
CONVEX = {"N": 1, "mu": 0.0, "Delta": None, "distance": 1.0, "measure": "value"}
STRONG = {"N": 1, "mu": 0.1, "measure": "value"}
RUNS = [
    ("gradient descent, smooth", "sgd", {"eta": 1.0}, 1, {"N": 1, "measure": "best"}),
    ("gradient descent, convex", "sgd", {"eta": 1.0}, 1, CONVEX),
    ("gradient descent, strongly convex", "sgd", {"eta": 1.5}, 1, STRONG),
    ("momentum", "fedavg-server-m", {"eta": 0.25, "beta": 0.6}, 1, {"N": 1}),
    ("FedAvg", "fedavg", {"eta": 0.5}, 2, {"zeta": 1.0}),
    ("SCAFFOLD", "scaffold", {"eta": 0.5, "B": 1}, 2, {"zeta": 1.0}),
    ("FedProx", "fedprox", {"eta": 0.5, "rho": 0.4}, 2, {"zeta": 1.0}),
    ("FedDyn", "feddyn", {"eta": 0.5, "alpha": 0.4}, 2, {"zeta": 1.0}),
    ("Mime", "mime", {"eta": 0.25, "beta": 0.6}, 2, {"zeta": 1.0}),
    ("decentralised SGD", "dsgd", {"eta": 0.5, "graph": "mix-0.5"}, 2, {"zeta": 1.0}),
]
"""Title, method, hyperparameters, local steps, class."""


def panel(ax, title, name, chosen, K, given) -> None:
    """Draw f - f_star along the segments between the server's points on the worst function."""
    method = METHODS[name](**chosen)
    found = worst(method, K=K, T=T, prove=False, **given)
    problem = found.problem
    points = [problem.start]
    points += [simulate(problem, method, K=K, T=t, b=1, lanes=1).final[0] for t in range(1, T + 1)]
    floor, at = problem.constant("f_star"), 0.0
    for k, (x, y) in enumerate(itertools.pairwise(points)):
        steps = np.linspace(0.0, 1.0, 25)
        line = x + steps[:, None] * (y - x)
        length = float(np.linalg.norm(y - x))
        ax.plot(at + steps * length, problem.value(line[:, None, :]) - floor, color=style.BLUE)
        value = problem.value(x[None, None])[0] - floor
        ax.plot([at], [value], "o", color="black", markersize=3)
        ax.annotate(f"$x_{k}$", (at, value), textcoords="offset points", xytext=(3, 3))
        at += length
    ax.plot([at], [problem.value(points[-1][None, None])[0] - floor], "o", color="black", markersize=3)
    ax.set_title(title, fontsize=7)


def main(folder: Path) -> None:
    """Write the picture."""
    with mpl.rc_context(style.RC):
        figure = Figure(figsize=(style.WIDTH, 3.4), layout="constrained")
        axes = figure.subplots(2, 5)
        for ax, run in zip(axes.flat, RUNS, strict=True):
            panel(ax, *run)
        figure.supxlabel("length of the way between server points", fontsize=7)
        figure.supylabel(r"$f - f_\star$", fontsize=7)
        save(figure, folder / "worst-methods.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
