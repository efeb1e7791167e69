"""Exact tests and limits of a mean by betting: valid for every sample size, skewness, and under optional stopping.

Let Y_1, Y_2, ... be independent with Y_i >= 0 and E[Y_i] <= B.  For lam in [0, 1] the factor 1 - lam + lam Y_i / B is
nonnegative with expectation at most 1, so that the wealth prod_i (1 - lam + lam Y_i / B) is a nonnegative
supermartingale that starts at 1; so is every average of such wealths with fixed weights.  By Ville's inequality it
ever reaches 1/alpha with probability at most alpha.  Where Y_i >= F surely, the same holds for Y_i - F and B - F.
(I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 86, 2024, section 4;
J. Ville, "Etude critique de la notion de collectif", 1939.)

Half of the wealth bets everything: for values that hardly vary nothing grows faster than prod_i Y_i / B.  A value of 0
takes all of that half; the other half is spread evenly over smaller bets, which no value can take.  As every factor
falls when B rises, what is rejected is an interval, whose end is a confidence limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

BETS = np.arange(1, 51) / 50
"""The bets that are mixed; the last one stakes everything."""
WEIGHTS = np.append(np.full(49, 0.5 / 49), 0.5)
"""Their shares of the wealth."""
HALVINGS = 64
"""Halvings of the interval in which a limit is sought."""
ROUNDING = 1e-9
"""Relative slack of values that a floor or a ceiling is a proved limit of."""


def evidence_above(y: Array, bound: float, floor: float = 0.0) -> float:
    """Return the largest wealth reached against "E[Y] <= bound" by values `y` in their given order, at least 1.

    Parameters
    ----------
    y : (replicates,) array
        Values of independent runs; an infinite one (a diverged run) makes the wealth infinite.
    bound : float
        What the mean is claimed not to exceed.
    floor : float
        Proved lower limit of every single value: the higher it is, the sooner a violation shows.

    Raises
    ------
    InputError
        If a value is no number or below a positive floor.
    """
    return max(1.0, float(_path(y, bound, floor).max()))


def wealth_above(y: Array, bound: float, floor: float = 0.0) -> float:
    """Return the wealth at the end against "E[Y] <= bound": an e-value, whose expectation is at most 1.

    The largest wealth (`evidence_above`) is none: its expectation may exceed 1, so averages of it mean nothing.
    """
    return float(_path(y, bound, floor)[-1])


def replicates_above(y: Array, bound: float, alpha: float, floor: float = 0.0) -> int | None:
    """Return after how many values the wealth against "E[Y] <= bound" first reaches 1/alpha, None if it does not."""
    crossed = _path(y, bound, floor) >= 1 / alpha
    return int(crossed.argmax()) + 1 if crossed.any() else None


def evidence_below(y: Array, bound: float, ceiling: float) -> float:
    """Return the largest wealth reached against "E[Y] >= bound" when surely Y <= `ceiling`, bound < ceiling.

    A floor of Y is of no use here: what a bet can lose depends on the ceiling alone.
    """
    return max(1.0, float(_wealth((bound - y) / (ceiling - bound)).max()))


def lower_limit(y: Array, alpha: float, floor: float = 0.0) -> float:
    """Return a lower confidence limit of E[Y]: the largest bound that `evidence_above` rejects at `alpha`.

    The limit is valid for every sample size and may be looked at after every replicate.  It is infinite if a run
    diverged, and the floor if nothing above it is rejected.

    Raises
    ------
    InputError
        If `alpha` does not lie in (0, 1), or a value is no number or below a positive floor.
    """
    require(0 < alpha < 1, "alpha", alpha, "a number in (0, 1)")
    room = _room(y, floor)
    if np.isinf(room).any():
        return np.inf
    # Against the largest mean met on the way no bet ever wins: a geometric mean is at most the arithmetic one.
    low, high = 0.0, float((np.cumsum(room) / np.arange(1, len(room) + 1)).max())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _path(room, middle, 0.0).max() >= 1 / alpha else (low, middle)
    return floor + low


def upper_limit_below(y: Array, ceiling: float, alpha: float) -> float:
    """Return an upper confidence limit of E[Y] when surely Y <= `ceiling`: the mirror image of `lower_limit`.

    Raises
    ------
    InputError
        If `alpha` does not lie in (0, 1), the ceiling is not finite, or a value is no number or above the ceiling.
    """
    require(bool(np.isfinite(ceiling)), "ceiling", ceiling, "a finite number")
    top = float(np.max(y))
    require(top <= ceiling + ROUNDING * abs(ceiling), "values of which the largest", top, f"at most {ceiling:g}")
    return ceiling - lower_limit(np.maximum(ceiling - y, 0.0), alpha)


def _path(y: Array, bound: float, floor: float) -> Array:
    """Return the wealth after every value."""
    room, width = _room(y, floor), bound - floor
    if width <= 0 or np.isinf(room).any():
        beyond = np.isinf(room) if width > 0 else room > 0
        ever: Array = np.where(np.logical_or.accumulate(beyond), np.inf, 1.0)
        return ever
    with np.errstate(over="ignore"):
        return _wealth(room / width - 1.0)


def _room(y: Array, floor: float) -> Array:
    """Return how far values lie above their floor."""
    require(not np.isnan(y).any(), "values", y.tolist(), "numbers, inf for a run that diverged")
    least = float(np.min(y))
    above = floor <= 0 or least >= floor * (1 - ROUNDING)
    require(above, "values of which the smallest", least, f"at least their floor {floor:g}")
    return np.maximum(y - floor, 0.0)


def _wealth(gains: Array) -> Array:
    """Return the mixed wealth after every bet with the given gains, each at least -1."""
    # Gains beyond 1e300 are as good as infinite, and infinity minus infinity would be no number.
    kept = np.clip(gains, -1.0, 1e300)
    with np.errstate(divide="ignore"):
        logs = np.cumsum(np.log1p(np.multiply.outer(BETS, kept)), axis=1)
    top = logs.max(axis=0)
    mixed = top + np.log((WEIGHTS[:, None] * np.exp(logs - top)).sum(axis=0))
    # exp overflows from 710 on; such a wealth is beyond every 1/alpha.
    wealth: Array = np.exp(np.minimum(mixed, 700.0))
    return wealth
