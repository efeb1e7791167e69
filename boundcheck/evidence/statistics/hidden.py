"""What a measurement says about the constant that a bound of order only hides: a lower limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.evidence.statistics.betting import lower_limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array


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


def no_constant(refuted_by: Sequence[str]) -> list[str]:
    """Return the words that no constant serves, which only a proof allows to say."""
    return [f"no constant serves: refuted by {', '.join(refuted_by)}"] if refuted_by else []
