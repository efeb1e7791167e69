"""Two numbers side by side, with the digits that differ."""

from __future__ import annotations

import math

_MOST = 17
"""Digits that tell any two doubles apart."""


def pair_of_digits(first: float, second: float, digits: int = 6) -> tuple[str, str]:
    """Return both numbers with `digits` significant digits, or as many more as tell them apart.

    Where more are needed, trailing zeros are kept, so that both have the same: 1.60000012e-07 and 1.60000000e-07.
    """
    texts = f"{first:.{digits}g}", f"{second:.{digits}g}"
    if first == second or texts[0] != texts[1] or not math.isfinite(first - second):
        return texts
    # One digit more than the first that differs: 1.2e-07 beside 1.1e-07 may be next to each other.
    needed = next((n for n in range(digits, _MOST) if f"{first:.{n}g}" != f"{second:.{n}g}"), _MOST - 1)
    return f"{first:#.{needed + 1}g}", f"{second:#.{needed + 1}g}"


def apart(first: float, second: float, sign: str = "") -> str:
    """Return ``first > second`` with the digits that differ; the sign is that of the numbers unless it is given."""
    found = sign or (">" if first > second else "<=")
    return f" {found} ".join(pair_of_digits(first, second))
