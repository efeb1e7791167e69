"""Bounds of order only: decide whether one hidden constant serves a whole family of cells or the ratio grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.resampling import bootstrap_means, measured_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.evidence.decision import Decision
    from boundcheck.problems.base import Array

RESAMPLES = 1000
FLAT = 0.05
"""A ratio that grows more slowly than x^0.05 counts as bounded."""
GROWN = 4.0
"""A growing ratio must have grown by this factor over the grid before the shape is called refuted."""


@dataclass(frozen=True)
class Shape:
    """How measured / shape behaves along a grid."""

    letter: str
    x: tuple[float, ...]
    ratios: tuple[float, ...]
    growth: float
    """Fitted power of the ratio in the letter."""
    low: float
    high: float
    """95 % bootstrap interval over seeds (degenerate without noise)."""
    constant: float
    """Smallest hidden constant that serves the first half of the grid (upper limits)."""
    verdict: Decision
    reason: str


def judge_shape(letter: str, x: Sequence[float], samples: Sequence[Array], shapes: Sequence[float]) -> Shape:
    """Decide whether `samples` <= C * `shapes` can hold with one C along the grid.

    The ratio is fitted by a power of the letter: "violated" if the interval of the power lies above `FLAT` and the
    ratio grew at least `GROWN`-fold, "holds" if it lies below; the constant from the first half is reported.

    Parameters
    ----------
    letter : str
        Name of the grid's letter.
    x : sequence
        Grid, at least three increasing values > 0.
    samples : sequence of (replicates,) arrays
        Measured at each grid point, infinite where a run diverged.
    shapes : sequence
        Right-hand side without its constant at each grid point, > 0.

    Raises
    ------
    InputError
        If the grid does not increase from above 0, or there is not one sample and one positive shape a point.
    """
    grid, samples = measured_grid(letter, x, samples, least=3)
    scale = np.asarray(shapes, dtype=float)
    legal = f"{len(grid)} numbers > 0, one a value of {letter}"
    require(scale.shape == grid.shape and bool((scale > 0).all()), "shapes", list(shapes), legal)
    ratios = np.array([y.mean() for y in samples]) / scale
    if not np.isfinite(ratios).all():
        reason = "a run diverged: no hidden constant serves"
        return Shape(letter, tuple(grid), tuple(ratios), np.inf, np.inf, np.inf, np.inf, "violated", reason)
    ratios = np.maximum(ratios, np.finfo(float).tiny)
    rng = np.random.default_rng(0)
    draws = np.maximum(bootstrap_means(samples, RESAMPLES, rng) / scale, np.finfo(float).tiny)
    growths = np.polyfit(np.log(grid), np.log(draws).T, 1)[0]
    growth = float(np.polyfit(np.log(grid), np.log(ratios), 1)[0])
    low, high = (float(q) for q in np.quantile(growths, [0.025, 0.975]))
    half = (len(grid) + 1) // 2
    constant = float(np.quantile(draws[:, :half], 0.975, axis=0).max())
    verdict, reason = _decision(letter, low, high, float(ratios[-1] / ratios[0]))
    return Shape(letter, tuple(grid), tuple(ratios), growth, low, high, constant, verdict, reason)


def _decision(letter: str, low: float, high: float, grown: float) -> tuple[Decision, str]:
    if low > FLAT and grown >= GROWN:
        return "violated", f"the ratio grows at least like {letter}^{low:.2f}: no hidden constant serves"
    if high <= FLAT:
        return "holds", f"the ratio does not grow (power at most {high:.2f}): one hidden constant serves this grid"
    return "undecided", f"growth power between {low:.3f} and {high:.3f}; a longer grid is needed"
