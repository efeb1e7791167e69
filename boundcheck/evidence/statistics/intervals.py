"""Limits for a mean from few replicates."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

CLEAR = 6.0
"""Margin in standard errors beyond which the t limit is safe for skewed samples."""
BOOTSTRAP_FROM = 50
"""Fewest replicates for which a bootstrap limit is used."""
BOOTSTRAP_TO = 4096
"""Most replicates that are resampled: the jackknife of n values takes n^2 numbers of memory."""


def standard_error(y: Array) -> float:
    """Return the standard error of the mean (0 for a single value, infinite if a run diverged)."""
    if not np.isfinite(y).all():
        return np.inf
    return float(y.std(ddof=1) / np.sqrt(len(y))) if len(y) > 1 else 0.0


def t_interval(y: Array, level: float = 0.95) -> tuple[float, float]:
    """Return the two-sided t interval of the mean (the mean itself, twice, if a run diverged)."""
    from scipy.special import stdtrit

    mean, half = float(y.mean()), 0.0
    if len(y) > 1 and np.isfinite(y).all():
        half = float(stdtrit(len(y) - 1, 0.5 + level / 2)) * standard_error(y)
    return mean - half, mean + half


def upper_limit(y: Array, bound: float, alpha: float) -> float | None:
    """Return a one-sided upper limit of the mean at error rate `alpha`, or None when no safe one is to be had.

    The t limit when the mean clears `bound` by more than `CLEAR` standard errors, else the BCa bootstrap limit
    with at least `BOOTSTRAP_FROM` replicates (their value itself if they are all equal): t limits undercover skewed
    samples near the bound.  Of more than `BOOTSTRAP_TO` replicates the limit is corrected for skewness by the first
    term of Edgeworth's series, which is what BCa comes to (Hall, 1988, Theoretical comparison of bootstrap confidence
    intervals, Ann. Statist. 16).  A few replicates that are all equal say nothing of the spread and have no limit, and
    at an error rate below 1e-16, where 1 - alpha is 1, there is none either.
    """
    from scipy.special import stdtrit

    se, equal = standard_error(y), bool(np.ptp(y) <= 1e-12 * y.max())
    if len(y) > 2 and not equal and bound - y.mean() > CLEAR * se:
        return float(y.mean() + stdtrit(len(y) - 1, 1 - alpha) * se)
    if len(y) < BOOTSTRAP_FROM:
        return None
    # BCa divides by the spread of the values.
    if equal:
        return float(y.max())
    high = float(y.mean()) + _skewed_quantile(y, alpha) * se if len(y) > BOOTSTRAP_TO else _bootstrap_limit(y, alpha)
    return high if np.isfinite(high) else None


def _bootstrap_limit(y: Array, alpha: float) -> float:
    from scipy.stats import DegenerateDataWarning, bootstrap

    # A seed of its own: a verdict must not depend on what was drawn before.
    rng = np.random.default_rng(len(y))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        result = bootstrap(
            (y,), np.mean, confidence_level=1 - alpha, alternative="less", method="BCa", n_resamples=4000, rng=rng
        )
    return float(result.confidence_interval.high)


def _skewed_quantile(y: Array, alpha: float) -> float:
    """Return what (E[Y] - mean)/standard error exceeds with probability alpha, for n values of this skewness."""
    from scipy.special import ndtri
    from scipy.stats import skew

    z = float(ndtri(1 - alpha))
    return z + float(skew(y)) * (2 * z * z + 1) / (6 * math.sqrt(len(y)))
