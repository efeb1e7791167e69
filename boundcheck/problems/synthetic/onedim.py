"""Suprema of functions of one variable: a grid, then zooming in on every row's best point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array

_ZOOM = np.linspace(-1.0, 1.0, 21)
_NUMBERS = 4_000_000
"""Most numbers of all points of a grid that are computed at once, 32 MB."""


def peak(function: Callable[[Array], Array], grid: Array, rounds: int = 14, *, rows: int = 1) -> tuple[float, float]:
    """Return the largest value of a smooth function on the span of `grid`, and where it is.

    A zoom of 21 points narrows tenfold each round, so the place is right to 14 digits and the value to rounding.
    What a grid of spacing h can miss is another peak within sup |function''| h^2/8 of the best one.

    Parameters
    ----------
    function : callable
        Points (n,) to values (n,).
    grid : Array
        Increasing points (n,).
    rounds : int
        Zooms.
    rows : int
        Numbers that the function takes for each point: where they are many it is asked in pieces of the grid.
    """
    size = max(_NUMBERS // rows, 2)
    values = np.concatenate([function(grid[i : i + size]) for i in range(0, len(grid), size)])
    best = int(values.argmax())
    at, top = float(grid[best]), float(values[best])
    radius = float(np.diff(grid)[max(0, best - 1) : best + 1].max())
    for _ in range(rounds):
        near = np.clip(at + radius * _ZOOM, grid[0], grid[-1])
        values = function(near)
        best = int(values.argmax())
        if values[best] > top:
            at, top = float(near[best]), float(values[best])
        radius /= 10.0
    return top, at


def span(reach: float, step: float = 0.01) -> Array:
    """Return an odd number of points from -reach to reach, 0 among them, at most `step` apart (and at most 40001)."""
    half = int(min(np.ceil(reach / step), 20_000))
    return np.linspace(-reach, reach, 2 * half + 1)
