"""What a measurement says about the constant that a bound of order only hides: a lower limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import boundcheck.evidence.betting as betting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array

_STEPS = 60
"""Bisections; each halves the logarithm of what is left."""
_FACTOR = 1e12
"""How far below the largest value a limit is looked for; further down it is 0."""


def constant_at_least(y: Array, shape: float, alpha: float | None) -> float | None:
    """Return a lower limit of every C with E[Y] <= C `shape`, or None where the shape is 0.

    Parameters
    ----------
    y : (replicates,) array
        One value a run, each >= 0, infinite where a run diverged: such a run counts as the largest number there is.
    shape : float
        The right-hand side without its constant.
    alpha : float or None
        Probability with which the limit may be too large; None where `y` are no random draws, so that their mean is
        exact.
    """
    if not shape:
        return None
    values = np.minimum(y, np.finfo(float).max / len(y))
    return (float(values.mean()) if alpha is None else lower_limit(values, alpha)) / shape


def lower_limit(y: Array, alpha: float) -> float:
    """Return a lower limit of E[Y] for values >= 0, too large with probability at most `alpha`, for every law."""
    # The room for it is `betting`, once it has one; the mean that a bet refutes is found by bisection until then.
    ready = getattr(betting, "lower_limit", None)
    if ready is not None:
        return float(ready(y, alpha))
    high = float(y.max())
    low = high / _FACTOR
    if high <= 0 or betting.evidence_above(y, low) < 1 / alpha:
        return 0.0
    for _ in range(_STEPS):
        middle = math.sqrt(low) * math.sqrt(high)
        low, high = (middle, high) if betting.evidence_above(y, middle) >= 1 / alpha else (low, middle)
    return low


def no_constant(refuted_by: Sequence[str]) -> list[str]:
    """Return the words that no constant serves, which only a proof allows to say."""
    return [f"no constant serves: refuted by {', '.join(refuted_by)}"] if refuted_by else []
