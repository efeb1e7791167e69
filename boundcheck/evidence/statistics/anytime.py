"""An interval for a mean that may be looked at after every replicate: bets on how many deviations it is away.

Let Y_1, Y_2, ... be independent and normal with mean m and any deviation s.  Whoever bets that (m - m_0)/s is normal
with mean 0 and deviation `SPREAD` has, after n values with the t statistic t against m_0, the wealth

    (1 + n g)^(-1/2) [ (1 + t^2/(n - 1)) / (1 + t^2/((n - 1)(1 + n g))) ]^(n/2),     g = SPREAD^2,

which is a nonnegative martingale that starts at 1 if m = m_0, whatever s is; so the chance that it ever reaches
1/alpha is at most alpha.  The interval is of all m_0 against which it does not.
(T. L. Lai, "On confidence sequences", Ann. Statist. 4, 1976; M. F. Perez-Ortiz, T. Lardy, R. de Heide, P. Grunwald,
"E-statistics, group invariance and anytime-valid testing", Ann. Statist. 52, 2024; H. Wang, A. Ramdas, "Anytime-valid
t-tests and confidence sequences for Gaussian means with unknown variance", 2023.)

Bets on bounded values (`betting`) need no law, but a bound: logarithms of ratios of scores have none.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

SPREAD = 3.0
"""Deviation of the bet, in those of a value: the interval is narrowest for half a dozen to fifty values."""
_MOST = 10**7
"""Replicates up to which is looked how many are needed."""


class ReplicatePlan(NamedTuple):
    """What a sample says of larger ones."""

    sees: float
    """Smallest distance of the mean from 0 that would be told from the line with the replicates that there are."""
    needed: int | None
    """Replicates in all after which the question is likely to be decided; None where more than 10^7 are."""
    enough: int | None
    """Replicates in all after which a difference of twice the margin is told; None where there is no margin."""


def anytime_interval(y: Array, level: float) -> tuple[float, float]:
    """Return an interval of the mean that holds, with chance `level`, at all numbers of replicates at once.

    Parameters
    ----------
    y : (replicates,) array
        Values of independent runs, in their order.
    level : float
        In (0, 1).

    Returns
    -------
    (float, float)
        Everything where a value is not finite or there is one alone; the mean, twice, where all are equal.

    Raises
    ------
    InputError
        If `level` does not lie in (0, 1).
    """
    require(0 < level < 1, "level", level, "a number in (0, 1)")
    if len(y) < 2 or not np.isfinite(y).all():
        return -math.inf, math.inf
    mean, deviation = float(y.mean()), float(y.std(ddof=1))
    half = half_width(len(y), deviation, level)
    return mean - half, mean + half


def half_width(n: int, deviation: float, level: float) -> float:
    """Return half the width of the interval of `n` values with a standard deviation."""
    if deviation <= 0:
        return 0.0
    shrink = 1 / (1 + n * SPREAD**2)
    # log of (alpha^2 shrink)^(-1/n), the factor by which the bracket must have grown.
    growth = -(2 * math.log1p(-level) + math.log(shrink)) / n
    if growth + math.log(shrink) >= 0:
        return math.inf
    squared = (n - 1) * math.expm1(growth) / -math.expm1(growth + math.log(shrink))
    return deviation * math.sqrt(squared / n)


def plan(y: Array, line: float, level: float) -> ReplicatePlan:
    """Return what a sample could have told, and how large one is needed.

    Parameters
    ----------
    y : (replicates,) array
    line : float
        Half the width of the range in which a difference is not called one, at least 0.
    level : float
        Of the interval.
    """
    if len(y) < 2 or not np.isfinite(y).all():
        return ReplicatePlan(math.inf, None, None)
    mean, deviation, n = abs(float(y.mean())), float(y.std(ddof=1)), len(y)
    return ReplicatePlan(
        line + half_width(n, deviation, level),
        _replicates(n, deviation, abs(mean - line), level),
        _replicates(n, deviation, line, level) if line > 0 else None,
    )


def _replicates(n: int, deviation: float, half: float, level: float) -> int | None:
    """Return how many values, at least `n`, have an interval of less than half a width."""
    while half_width(n, deviation, level) >= half > 0 or half == 0 < deviation:
        n = math.ceil(1.1 * n)
        if n > _MOST:
            return None
    return n
