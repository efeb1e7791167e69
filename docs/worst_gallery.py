"""Write docs/worst-gallery.md, a picture of the worst functions of ten methods: ``python docs/worst_gallery.py``."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from boundcheck import METHODS, simulate
from boundcheck.files.atomic import write_whole
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import save
from boundcheck.worst import WorstCase, worst

HERE = Path(__file__).parent
PICTURES = HERE / "gallery" / "worst"
HEAD = """# Gallery of worst functions

The slowest problems of ten methods. No problem of its class is worse, by a proof over the rationals, and these are as
bad, to 1e-6. [`boundcheck worst`](worst.md) finds them from the methods' own code. The left of a picture follows the
run: f along the segments from x_0 to x_1, to x_2 and so on, over the length of the way; dots are the iterates. The
right goes across it, from x_0 along the difference of the clients' gradients. L = 1. Made by `make derived`.

"""
AROUND, FINE, SAME = 0.35, 60, 1e-9
"""Share of the way that is drawn beyond its ends; points of a segment; what differs by rounding alone."""


class Entry(NamedTuple):
    """A method at its steps, a class, and what the picture shows."""

    title: str
    method: str
    steps: dict[str, float]
    given: dict[str, Any]
    seen: str


SMOOTH = {"K": 2, "T": 3, "N": 2, "zeta": 1.0}
ENTRIES = (
    Entry(
        "Gradient descent",
        "sgd",
        {"eta": 1.0},
        {"K": 1, "T": 6, "N": 1, "measure": "best"},
        "All gradients have the same length, and f bends as little as it can between them: 4/(3(T - 1) + 2) is left.",
    ),
    Entry(
        "Gradient descent on convex functions",
        "sgd",
        {"eta": 1.0},
        {"K": 1, "T": 6, "N": 1, "mu": 0.0, "distance": 1.0, "Delta": None, "measure": "value"},
        "Huber's function: a straight slope so long that the run never reaches the bowl.",
    ),
    Entry(
        "FedAvg",
        "fedavg",
        {"eta": 0.5},
        {**SMOOTH, "T": 4},
        "",
    ),
    Entry(
        "FedAvg on convex functions",
        "fedavg",
        {"eta": 0.5},
        {**SMOOTH, "T": 4, "mu": 0.0, "distance": 1.0, "Delta": None, "measure": "value"},
        "",
    ),
    Entry("FedAvg with momentum at the server", "fedavg-server-m", {"eta": 0.25, "beta": 0.5}, {**SMOOTH, "T": 4}, ""),
    Entry("SlowMo", "slowmo", {"eta": 0.25, "beta": 0.3}, {**SMOOTH, "K": 3}, ""),
    Entry("SCAFFOLD", "scaffold", {"eta": 0.2}, SMOOTH, ""),
    Entry("FedDyn", "feddyn", {"eta": 0.3, "alpha": 0.5}, SMOOTH, ""),
    Entry("FedProx", "fedprox", {"eta": 0.3, "rho": 0.5}, {**SMOOTH, "T": 4}, ""),
    Entry(
        "FedAvg-M",
        "fedavg-m",
        {"eta": 0.25, "gamma": 0.5, "beta": 0.5},
        {**SMOOTH, "T": 4},
        "",
    ),
)


def solve(entry: Entry) -> WorstCase:
    """Return the worst case of an entry, which is exact."""
    case = worst(METHODS[entry.method](**entry.steps), **entry.given)
    if case.verdict != "exact":
        msg = f"{entry.title}: {case.verdict}: {case.why}"
        raise ArithmeticError(msg)
    return case


def iterates(entry: Entry, case: WorstCase) -> np.ndarray:
    """Return x_0, ..., x_T of the run on the worst problem, shape (T + 1, d)."""
    method = METHODS[entry.method](**entry.steps)
    ends = [simulate(case.problem, method, K=case.K, T=t).final[0] for t in range(1, case.T + 1)]
    return np.array([case.problem.start, *ends])


def follow(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points along the way through some points and beyond, the length of the way to each, and to the points."""
    x = x[np.r_[True, np.linalg.norm(np.diff(x, axis=0), axis=1) > SAME]]
    lengths = np.linalg.norm(np.diff(x, axis=0), axis=1)
    first, last = (AROUND * lengths.sum() * (a - b) / np.linalg.norm(a - b) for a, b in ((x[0], x[1]), (x[-1], x[-2])))
    corners = np.array([x[0] + first, *x, x[-1] + last])
    shares = np.linspace(0, 1, FINE, endpoint=False)[:, None]
    way = np.concatenate([a + shares * (b - a) for a, b in pairwise(corners)] + [corners[-1:]])
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))]) - np.linalg.norm(first)
    return way, along, np.concatenate([[0], np.cumsum(lengths)])


def clients_on(case: WorstCase, points: np.ndarray) -> np.ndarray:
    """Return the clients' functions at some points, shape (points, N)."""
    return case.problem.client_values(np.repeat(points[:, None], case.given.N, axis=1))


def across(case: WorstCase) -> tuple[np.ndarray, np.ndarray]:
    """Return distances from x_0 and the points there, in the direction in which the clients' gradients differ."""
    start = case.problem.start
    gradients = case.problem.exact_gradient(np.repeat(start[None, None], case.given.N, axis=1))[0]
    apart = gradients[0] - gradients.mean(axis=0)
    away = np.linspace(-2, 2, 4 * FINE)
    return away, start + away[:, None] * apart / np.linalg.norm(apart)


def draw(entry: Entry, case: WorstCase) -> Figure:
    """Return the picture of f along the run, and of the clients' functions across it."""
    x = iterates(entry, case)
    way, along, places = follow(x)
    several = case.given.N > 1
    with style.look():
        figure = Figure(figsize=(style.WIDTH, 2.4), layout="constrained")
        axes = np.atleast_1d(figure.subplots(1, 1 + several))
        axes[0].plot(along, case.problem.value(way[:, None]), color=style.BLUE, label="$f$")
        values = case.problem.value(x[:, None])
        axes[0].plot(places, values[: len(places)], "o", color=style.VERMILLION, label="$x_0, x_1, \\ldots$")
        axes[0].set(xlabel="length of the way from $x_0$", ylabel="value", title=f"{entry.title}: along the run")
        axes[0].legend()
        if several:
            away, points = across(case)
            for i, (line, color) in enumerate((("--", style.ORANGE), (":", style.GREEN))):
                axes[1].plot(away, clients_on(case, points)[:, i], line, color=color, label=f"$f_{i + 1}$")
            axes[1].plot(away, case.problem.value(points[:, None]), color=style.BLUE, label="$f$")
            axes[1].set(xlabel="distance from $x_0$", ylabel="value", title="across it, where clients differ")
            axes[1].legend()
    return figure


def section(entry: Entry, case: WorstCase) -> str:
    """Return the section of an entry."""
    options = {"K": "--K", "T": "--T", "N": "--N", "zeta": "--zeta", "mu": "--mu", "distance": "--distance"}
    words = [f"{options[k]} {v:g}" for k, v in entry.given.items() if k in options]
    words += [f"--measure {entry.given['measure']}"] if "measure" in entry.given else []
    words += [f"--set {name}={value:g}" for name, value in entry.steps.items()]
    name = entry.title.lower().replace(" ", "-")
    in_dimension = "one dimension" if case.problem.d == 1 else f"{case.problem.d} dimensions"
    text = f"## {entry.title}\n\n![f and the clients' functions along the run](gallery/worst/{name}.svg)\n\n"
    text += f"{entry.seen}\n\n" if entry.seen else ""
    if case.given.N > 1:
        way = follow(iterates(entry, case))[0]
        if np.abs(np.diff(clients_on(case, way), axis=1)).max() < SAME:
            text += "Along the run both clients' functions are f itself: they differ across it only.\n\n"
    return (
        text + f"Worst case {case.upper:.6g}, in {in_dimension}: `boundcheck worst {entry.method} {' '.join(words)}`\n"
    )


def main() -> None:
    """Write the page and its pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    sections = []
    for entry in ENTRIES:
        case = solve(entry)
        save(draw(entry, case), PICTURES / f"{entry.title.lower().replace(' ', '-')}.svg")
        sections.append(section(entry, case))
    write_whole(HERE / "worst-gallery.md", HEAD + "\n".join(sections))


if __name__ == "__main__":
    main()
