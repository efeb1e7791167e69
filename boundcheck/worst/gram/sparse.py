"""Rows over many unknowns of which few are not 0, and Gram rows that are made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from boundcheck.worst.gram.rows import GramRows, Pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.worst.gram.rows import Array

_ZERO = 1e-13
"""Share of the largest entry of a row below which an entry is rounding."""


class SparseRow:
    """A linear form by its entries that are not 0; entries of one index are added up when rows are stacked.

    Parameters
    ----------
    index, entries : Array
        Positions and numbers, as many of each.
    """

    __array_ufunc__ = None

    def __init__(self, index: Array, entries: Array) -> None:
        self.index, self.entries = index, entries

    def __add__(self, other: SparseRow) -> SparseRow:
        return SparseRow(np.concatenate([self.index, other.index]), np.concatenate([self.entries, other.entries]))

    def __sub__(self, other: SparseRow) -> SparseRow:
        return self + -1.0 * other

    def __mul__(self, factor: float) -> SparseRow:
        return SparseRow(self.index, factor * self.entries)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> SparseRow:
        return self * (1.0 / divisor)

    def any(self) -> bool:
        """Return whether there is an entry."""
        return bool(self.entries.any())


def stack_rows(rows: Sequence[SparseRow], width: int) -> Any:
    """Return rows as a matrix of scipy's, without rounding for entries."""
    counts = [len(row.index) for row in rows]
    index = np.concatenate([np.zeros(0, int), *(row.index for row in rows)])
    entries = np.concatenate([np.zeros(0), *(row.entries for row in rows)])
    made = sparse.csr_array((entries, index, np.cumsum([0, *counts])), shape=(len(rows), width))
    made.sum_duplicates()
    largest = np.repeat(abs(made).max(axis=1).toarray().ravel(), np.diff(made.indptr))
    made.data[np.abs(made.data) < _ZERO * largest] = 0.0
    made.eliminate_zeros()
    return made


class SparseGramRows(GramRows):
    """`GramRows` whose rows are sparse."""

    def zero(self) -> Any:
        """Return the row of zeros."""
        return SparseRow(np.zeros(0, int), np.zeros(0))

    def block(self, number: int, u: Array, v: Array) -> Any:
        """Return the row of a product in one matrix."""
        i, j = np.flatnonzero(u), np.flatnonzero(v)
        rows, columns = np.repeat(i, len(j)), np.tile(j, len(i))
        entries = np.outer(u[i], v[j]).ravel()
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        start = self._ends[number - 1] if number else 0
        return SparseRow(start + high * (high + 1) // 2 + low, np.where(low == high, entries, entries / np.sqrt(2.0)))

    def value(self, point: int) -> Any:
        """Return the row of the function value at a point."""
        return SparseRow(np.array([self._ends[-1] + point]), np.ones(1))

    def level(self) -> Any:
        """Return the row of the level."""
        return SparseRow(np.array([self.width - 1]), np.ones(1))

    def product(self, u: Pair, v: Pair) -> Any:
        """Return the row of the product <u, v>, averaged over clients (or pairs of them)."""
        row = self.block(0, u.mean, v.mean)
        for a, one in enumerate(u.deviation):
            for c, other in enumerate(v.deviation):
                if one.any() and other.any():
                    row = row + self._kernel[a, c] * self.block(1, one, other)
        return row
