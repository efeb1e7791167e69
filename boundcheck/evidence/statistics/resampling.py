"""Measurements along a grid: what is legal, and the means of resampled seeds (the bootstrap of fits and ratios)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array

_WORDS = {2: "two", 3: "three"}


def measured_grid(
    letter: str, x: Sequence[float], samples: Sequence[Array], *, least: int = 2
) -> tuple[Array, list[Array]]:
    """Return a grid (points,) and what was measured at its points, one array (replicates,) each.

    Raises
    ------
    InputError
        If the grid has fewer than `least` values or they are not positive and increasing, if there is not one sample
        a point, or if a sample is empty, no list of numbers, or holds a value that is not a number.
    """
    grid = np.asarray(x, dtype=float)
    rising = grid.ndim == 1 and len(grid) >= least and bool((np.diff(grid) > 0).all())
    legal = f"at least {_WORDS[least]} increasing values"
    require(rising and grid[0] > 0 and bool(np.isfinite(grid).all()), letter, list(x), f"{legal} > 0")
    require(len(samples) == len(grid), f"samples along {letter}", len(samples), f"one a value, {len(grid)}")
    arrays = [np.asarray(y, dtype=float) for y in samples]
    for value, y in zip(grid, arrays, strict=True):
        where = f"samples at {letter} = {value:g}"
        require(y.ndim == 1 and y.size > 0, where, y.tolist(), "a list of one or more numbers")
        require(not np.isnan(y).any(), where, y.tolist(), "numbers, inf for a run that diverged")
    return grid, arrays


def bootstrap_means(samples: Sequence[Array], draws: int, rng: np.random.Generator) -> Array:
    """Return the means of seeds drawn with replacement, point by point, shape (draws, points)."""
    counts = [len(y) for y in samples]
    chosen = rng.integers(0, np.repeat(counts, counts), size=(draws, sum(counts)))
    own = np.split(chosen, np.cumsum(counts)[:-1], axis=1)
    return np.stack([y[seeds].mean(axis=1) for y, seeds in zip(samples, own, strict=True)], axis=1)
