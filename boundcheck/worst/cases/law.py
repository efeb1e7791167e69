"""The law in T: worst cases of several horizons as a + b/T."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLOSE = 1e-6
"""Relative distance at which a worst case lies on the law."""
_SHORT = 2000
"""Largest denominator of a fraction that is worth printing."""


@dataclass(frozen=True)
class LawInT:
    """Upper sides that are a + b/T, read off and not proved.

    Attributes
    ----------
    a, b : float
        By the two largest horizons.
    holds_from : int
        The least of the horizons asked for from which on all lie on it.
    error : float
        Largest relative distance of these.
    """

    a: float
    b: float
    holds_from: int
    error: float

    def text(self) -> str:
        """Return it as a line; short fractions that are as close as the values are."""
        return f"{_number(self.a)} + {_number(self.b)}/T from T = {self.holds_from}, to {self.error:.0e}; read off"


def law_in_T(values: Mapping[int, float]) -> LawInT | None:
    """Return the law that values by horizon follow; None where fewer than three of the largest do.

    Parameters
    ----------
    values : mapping
        T to the upper side.

    Examples
    --------
    >>> law_in_T({T: 1 / 15 + 464 / 225 / T for T in (4, 10, 20, 50)}).text()
    '1/15 + 464/225/T from T = 4, to 0e+00; read off'
    """
    known = sorted(T for T, value in values.items() if math.isfinite(value))
    if len(known) < 3:
        return None
    T, last = known[-2:]
    b = (values[T] - values[last]) / (1 / T - 1 / last)
    a = values[last] - b / last
    on = []
    for horizon in reversed(known):
        error = abs(a + b / horizon - values[horizon]) / abs(values[horizon] or 1.0)
        if error > _CLOSE:
            break
        on.append((horizon, error))
    if len(on) < 3:
        return None
    return LawInT(a, b, on[-1][0], round(max(error for _, error in on), 12))


def _number(value: float) -> str:
    short = Fraction(value).limit_denominator(_SHORT)
    return str(short) if abs(float(short) - value) <= _CLOSE * max(abs(value), _CLOSE) else f"{value:.9g}"
