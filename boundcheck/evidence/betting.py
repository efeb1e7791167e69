"""Exact tests of a mean by betting: valid for every sample size, every skewness, and under optional stopping.

Under E[Y_i] <= B and Y_i >= 0 the wealth prod_i (1 - lam + lam Y_i / B) is a nonnegative supermartingale for every
lam in (0, 1), and so is the average over a grid of lam.  By Ville's inequality it ever exceeds 1/alpha with
probability at most alpha.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

LAMBDAS = np.arange(1, 50) / 50
"""The bets that are mixed, equally weighted."""


def evidence_above(y: Array, bound: float) -> float:
    """Return the largest wealth reached against "E[Y] <= bound" by values `y` >= 0 in their given order.

    An infinite value (a diverged run) makes the wealth infinite.
    """
    if np.isinf(y).any():
        return np.inf
    return _largest(_wealth(y / bound - 1.0)) if bound > 0 else (np.inf if (y > 0).any() else 1.0)


def wealth_above(y: Array, bound: float) -> float:
    """Return the wealth at the end against "E[Y] <= bound": an e-value, whose expectation is at most 1.

    The largest wealth (`evidence_above`) is none: its expectation may exceed 1, so averages of it mean nothing.
    """
    if np.isinf(y).any() or bound <= 0:
        return evidence_above(y, bound)
    return float(_wealth(y / bound - 1.0)[-1])


def evidence_below(y: Array, bound: float, ceiling: float) -> float:
    """Return the largest wealth reached against "E[Y] >= bound" when surely 0 <= Y <= `ceiling`, bound < ceiling."""
    return _largest(_wealth((bound - y) / (ceiling - bound)))


def _wealth(gains: Array) -> Array:
    """Return the mixed wealth after every bet with the given gains, each at least -1."""
    with np.errstate(divide="ignore"):
        logs = np.cumsum(np.log1p(np.multiply.outer(LAMBDAS, np.maximum(gains, -1.0))), axis=1)
    top = logs.max(axis=0)
    mixed = top + np.log(np.exp(logs - top).mean(axis=0))
    # exp overflows from 710 on; such a wealth is beyond every 1/alpha.
    wealth: Array = np.exp(np.minimum(mixed, 700.0))
    return wealth


def _largest(wealth: Array) -> float:
    return max(1.0, float(wealth.max()))
