"""Kernels of Gram matrices over short fractions: the directions in which a programme leaves no room for margins."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

SHORT, ROUND = 1000, 1e-4
"""Largest denominator of a short fraction, and by how much solvers miss it."""


def image_of(block: str, form: Mapping[Any, Fraction], u: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return what a block of a form makes of a vector."""
    found: dict[int, Fraction] = {}
    for key, c in form.items():
        if key[0] == block:
            i, j = int(key[1]), int(key[2])
            for row, column in ((i, j), (j, i)):
                if column in u:
                    found[row] = found.get(row, Fraction(0)) + c / 2 * u[column]
    return {i: c for i, c in found.items() if c}


def rational_basis(rows: Array, indices: list[int]) -> list[dict[int, Fraction]] | None:
    """Return rows in reduced form over short fractions, the leading index first; None where they are not short."""
    table = np.array(rows, dtype=float)
    found: list[int] = []
    for k in range(len(table)):
        pivot = int(np.argmax(np.abs(table[k:]).max(axis=0)))
        best = k + int(np.argmax(np.abs(table[k:, pivot])))
        table[[k, best]] = table[[best, k]]
        table[k] /= table[k, pivot]
        for i in range(len(table)):
            if i != k:
                table[i] -= table[i, pivot] * table[k]
        found.append(pivot)
    basis = []
    for pivot, row in zip(found, table, strict=True):
        exact = [Fraction(float(v)).limit_denominator(SHORT) for v in row]
        if any(abs(float(c) - v) > ROUND for c, v in zip(exact, row, strict=True)):
            return None
        basis.append({indices[pivot]: Fraction(1)} | {indices[i]: c for i, c in enumerate(exact) if c and i != pivot})
    return basis


def without_multiples(
    vectors: list[dict[int, Fraction]], others: list[dict[int, Fraction]]
) -> list[dict[int, Fraction]]:
    """Return vectors less multiples of others, so that the leading indices of these have coordinate 0."""
    found = []
    for vector in vectors:
        left = dict(vector)
        for other in others:
            by = left.get(next(iter(other)), Fraction(0))
            for k, c in other.items():
                left[k] = left.get(k, Fraction(0)) - by * c
        found.append({k: c for k, c in left.items() if c})
    return found
