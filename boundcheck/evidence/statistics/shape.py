"""Bounds of order only along a grid: a lower limit of the hidden constant, and how the ratio to the shape grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.statistics.hidden import no_constant
from boundcheck.evidence.statistics.resampling import bootstrap_means, measured_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import BoundWord

RESAMPLES = 1000
FLAT = 0.05
"""A ratio whose fitted power lies within this of 0 is called flat; that describes the grid and decides nothing."""


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
    verdict: BoundWord
    """Always "order only": growth on a grid refutes no constant, and its absence proves none."""
    reason: str
    constant_at_least: float | None = None
    """Lower limit of the hidden constant: the largest of those at the points of the grid."""
    alpha: float | None = None
    """Probability with which that limit may be too large; None where every point is exact."""


def judge_shape(
    letter: str,
    x: Sequence[float],
    samples: Sequence[Array],
    shapes: Sequence[float],
    *,
    limits: Sequence[float | None] = (),
    alpha: float | None = None,
    refuted_by: Sequence[str] = (),
) -> Shape:
    """Return the lower limit of every C with E[`samples`] <= C * `shapes` along the grid, and how the ratio grows.

    The ratio is fitted by a power of the letter.  That power describes the grid: a rise before the asymptotic range,
    or towards a value that it never passes, looks the same as one without end.  So no constant is called impossible
    unless a proof is named.

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
    limits : sequence, optional
        Lower limit of the hidden constant at each grid point, None where there is none.
    alpha : float, optional
        Probability with which some of the limits is too large.
    refuted_by : sequence of str
        Claims from which it follows that no constant serves.

    Raises
    ------
    InputError
        If the grid does not increase from above 0, or there is not one sample and one positive shape a point.
    """
    grid, samples = measured_grid(letter, x, samples, least=3)
    scale = np.asarray(shapes, dtype=float)
    legal = f"{len(grid)} numbers > 0, one a value of {letter}"
    require(scale.shape == grid.shape and bool((scale > 0).all()), "shapes", list(shapes), legal)
    at_least = max((limit for limit in limits if limit is not None), default=None)
    ratios = np.array([y.mean() for y in samples]) / scale
    growth, low, high, constant = _growth(grid, samples, scale, ratios)
    parts = [*_limit_words(at_least, alpha), _growth_words(letter, growth, low, high), *no_constant(refuted_by)]
    reason = "; ".join(parts)
    return Shape(
        letter,
        tuple(grid.tolist()),
        tuple(ratios.tolist()),
        growth,
        low,
        high,
        constant,
        "order only",
        reason,
        at_least,
        alpha,
    )


def _growth(grid: Array, samples: Sequence[Array], scale: Array, ratios: Array) -> tuple[float, float, float, float]:
    """Return the fitted power with its interval, and the constant of the first half; infinite where a run diverged."""
    if not np.isfinite(ratios).all():
        return np.inf, np.inf, np.inf, np.inf
    tiny = np.finfo(float).tiny
    draws = np.maximum(bootstrap_means(samples, RESAMPLES, np.random.default_rng(0)) / scale, tiny)
    growths = np.polyfit(np.log(grid), np.log(draws).T, 1)[0]
    growth = float(np.polyfit(np.log(grid), np.log(np.maximum(ratios, tiny)), 1)[0])
    low, high = (float(q) for q in np.quantile(growths, [0.025, 0.975]))
    half = (len(grid) + 1) // 2
    return growth, low, high, float(np.quantile(draws[:, :half], 0.975, axis=0).max())


def _limit_words(at_least: float | None, alpha: float | None) -> list[str]:
    if at_least is None:
        return []
    rate = "" if alpha is None else f" (error rate {alpha:.2g})"
    return [f"any hidden constant is at least {at_least:.4g}{rate}"]


def _growth_words(letter: str, growth: float, low: float, high: float) -> str:
    if not np.isfinite(growth):
        return "a run diverged on this grid"
    if abs(growth) <= FLAT:
        return f"the ratio is flat on this grid ({letter}^{growth:.2f}, {low:.2f} .. {high:.2f})"
    verb = "grows" if growth > 0 else "falls"
    return f"the ratio {verb} like {letter}^{growth:.2f} ({low:.2f} .. {high:.2f}) on this grid"
