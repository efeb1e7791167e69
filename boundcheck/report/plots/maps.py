"""A map of who wins where, over two letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from boundcheck.bounds import RATES
from boundcheck.report.plots import style
from boundcheck.report.plots.curves import in_figure

if TYPE_CHECKING:
    from boundcheck.bounds.comparison import Map
    from boundcheck.problems import Array


SHOWN = 2
"""Most titles of a set of winners in the legend."""


def winners_figure(board: Map) -> Figure:
    """Return the map: a colour and a hatch for every set of winners, both axes logarithmic."""
    numbers = {party: i for i, party in enumerate(board.parties)}
    cells = np.array([[numbers[cell] for cell in row] for row in board.cells])
    fills = [style.FILLS[i % len(style.FILLS)] for i in range(len(numbers))]
    lines = sum(_tie_label(party).count("\n") + 1 for party in numbers)
    with style.look({"axes.grid": False}):
        figure = Figure(figsize=(style.HALF + 0.9, 1.9 + 0.13 * lines), layout="constrained")
        axes = figure.subplots()
        axes.pcolormesh(
            _edges(board.xs),
            _edges(board.ys),
            cells,
            cmap=ListedColormap([colour for colour, _ in fills]),
            vmin=-0.5,
            vmax=len(numbers) - 0.5,
            edgecolor="white",
            linewidth=0.3,
        )
        axes.set(xscale="log", yscale="log", xlabel=in_figure(board.x), ylabel=in_figure(board.y))
        keys = [Patch(facecolor=fills[i][0], label=_tie_label(party)) for party, i in numbers.items()]
        figure.legend(handles=keys, loc="outside lower center", ncols=1, fontsize=7.5)
    return figure


def _edges(values: tuple[float, ...]) -> Array:
    """Return the edges of cells around values, halfway between them in the logarithm."""
    logs = np.log(values)
    middle = (logs[1:] + logs[:-1]) / 2
    first, last = 2 * logs[0] - middle[0], 2 * logs[-1] - middle[-1]
    edges: Array = np.exp(np.concatenate([[first], middle, [last]]))
    return edges


def _tie_label(party: tuple[str, ...]) -> str:
    """Return the titles of rows that tie, the first two."""
    titles = [RATES[name].title for name in party]
    more = f"\nand {len(titles) - SHOWN} more" if len(titles) > SHOWN else ""
    return "\n".join(titles[:SHOWN]) + more
