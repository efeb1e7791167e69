"""Numbers and sums in words: a reading is a formula that a maintainer can look for in his code."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXACT = 1e-7
"""How well a reading fits, relative to what is read: rounding errors of least squares, and of single precision."""

BLOWN = 1e9
"""Of numbers as large as this all others are rounding errors, and say nothing."""


def text(value: float) -> str:
    """Return a number as a short decimal or a fraction where it is one, six digits otherwise."""
    value = float(value)
    for digits in (0, 1, 2, 3, 4):
        if abs(value - round(value, digits)) < EXACT * max(1.0, abs(value)):
            return f"{round(value, digits) + 0.0:g}"
    near = Fraction(value).limit_denominator(60)
    if abs(float(near) - value) < EXACT * max(1.0, abs(value)):
        return str(near)
    return f"{value:.6g}"


def total(terms: Iterable[tuple[float, str]]) -> str:
    """Return a sum of terms with coefficients, those that are 0 left out."""
    parts = ""
    for coefficient, name in terms:
        if abs(coefficient) < EXACT:
            continue
        sign = "-" if coefficient < 0 else "+"
        size = text(abs(coefficient))
        term = name if size == "1" else f"{size} {name}"
        parts += f" {sign} {term}" if parts else (f"-{term}" if sign == "-" else term)
    return parts or "0"


def fit(columns: Sequence[Any], target: Any) -> tuple[Any, bool]:
    """Return the coefficients of the columns that make the target, and whether they make it to rounding.

    Columns that hang together leave the coefficients open: such a fit is none.
    """
    A, b = np.stack([np.ravel(column) for column in columns], axis=1), np.ravel(target)
    if not (np.isfinite(A).all() and np.isfinite(b).all()) or np.abs(b).max(initial=0.0) > BLOWN:
        return np.zeros(A.shape[1]), False
    lengths = np.sqrt((A * A).sum(axis=0))
    if not lengths.all() or A.shape[0] < A.shape[1]:
        return np.zeros(A.shape[1]), False
    try:
        scaled, _, rank, _ = np.linalg.lstsq(A / lengths, b, rcond=1e-9)
    except np.linalg.LinAlgError:
        return np.zeros(A.shape[1]), False
    found = scaled / lengths
    rest = np.abs(A @ found - b).max()
    return found, bool(rank == A.shape[1] and rest <= EXACT * max(float(np.abs(b).max()), 1e-300))
