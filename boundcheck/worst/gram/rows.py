"""Linear forms of what a worst case varies: two Gram matrices, function values and a level.

The unknowns stand in one vector: the triangles of P and Q, as Clarabel stacks them, the values, and the level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Pair(NamedTuple):
    """A vector in the two blocks, of the clients i and j: deviations of i in the first row, of j in the second."""

    mean: Array
    """(size of P,)."""
    deviation: Array
    """(2, size of Q)."""

    def __sub__(self, other: Pair) -> Pair:
        return Pair(self.mean - other.mean, self.deviation - other.deviation)

    def times(self, factor: float) -> Pair:
        """Return a multiple."""
        return Pair(factor * self.mean, factor * self.deviation)

    def less(self, other: Pair, factor: float) -> Pair:
        """Return the vector less a multiple of another."""
        return self - other.times(factor)

    @property
    def means(self) -> Pair:
        """Return the mean over the clients."""
        return Pair(self.mean, 0.0 * self.deviation)

    @property
    def deviations(self) -> Pair:
        """Return what a client has beside the mean."""
        return Pair(0.0 * self.mean, self.deviation)

    @property
    def other_client(self) -> Pair:
        """Return the same vector of the other client."""
        return Pair(self.mean, self.deviation[::-1])


class StackedRows:
    """Rows over the triangles of several matrices, function values and a level.

    Parameters
    ----------
    sizes : tuple of int
        Sizes of the matrices.
    values : int
        Number of function values.
    """

    of_means = 1
    """How many of the matrices, the first ones, are of means."""

    def __init__(self, sizes: tuple[int, ...], values: int) -> None:
        self.sizes, self.values = sizes, values
        self._triangles = [Triangle(size) for size in sizes]
        self._ends = np.cumsum([triangle.count for triangle in self._triangles])
        self.width = int(self._ends[-1]) + values + 1

    def zero(self) -> Array:
        """Return the row of zeros."""
        return np.zeros(self.width)

    def block(self, number: int, u: Array, v: Array) -> Array:
        """Return the row of a product in one matrix."""
        row = self.zero()
        self._fill(row, number, np.outer(u, v))
        return row

    def _fill(self, row: Array, number: int, matrix: Array) -> None:
        start = self._ends[number - 1] if number else 0
        row[start : self._ends[number]] = self._triangles[number].stack(matrix)

    def value(self, point: int) -> Array:
        """Return the row of the function value at a point."""
        row = self.zero()
        row[self._ends[-1] + point] = 1.0
        return row

    def level(self) -> Array:
        """Return the row of the level."""
        row = self.zero()
        row[-1] = 1.0
        return row

    def matrix(self, number: int, unknowns: Array) -> Array:
        """Return one matrix."""
        start = self._ends[number - 1] if number else 0
        return self._triangles[number].matrix(unknowns[start : self._ends[number]])

    def matrices(self, unknowns: Array) -> tuple[Array, Array, Array]:
        """Return the first two matrices and the values."""
        return self.matrix(0, unknowns), self.matrix(1, unknowns), unknowns[self._ends[-1] : -1]


class GramRows(StackedRows):
    """Makes rows over the unknowns.

    Parameters
    ----------
    means, deviations, values : int
        Sizes of P and Q, number of function values.
    N : int
        Clients: deviations of two clients have products -1/(N-1) times those of one.
    """

    def __init__(self, means: int, deviations: int, values: int, N: int) -> None:
        super().__init__((means, deviations), values)
        across = -1.0 / (N - 1) if N > 1 else 0.0
        self._kernel = np.array([[1.0, across], [across, 1.0]])

    def product(self, u: Pair, v: Pair) -> Array:
        """Return the row of the product <u, v>, averaged over clients (or pairs of them)."""
        row = self.block(0, u.mean, v.mean)
        self._fill(row, 1, u.deviation.T @ self._kernel @ v.deviation)
        return row

    def square(self, u: Pair) -> Array:
        """Return the row of |u|^2."""
        return self.product(u, u)


class Triangle:
    """Symmetric matrices as upper triangles, column by column, off-diagonal entries times sqrt(2)."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._columns, self._rows = np.tril_indices(size)
        self._scale = np.where(self._rows == self._columns, 1.0, np.sqrt(2.0))
        self.count = len(self._scale)

    def stack(self, matrix: Array) -> Array:
        """Return the triangle of a symmetric matrix, its entries beside the diagonal scaled."""
        symmetric = (matrix + matrix.T) / 2
        entries: Array = symmetric[self._rows, self._columns] * self._scale
        return entries

    def matrix(self, stacked: Array) -> Array:
        """Return the symmetric matrix of a triangle."""
        found = np.zeros((self.size, self.size))
        found[self._rows, self._columns] = stacked / self._scale
        found[self._columns, self._rows] = found[self._rows, self._columns]
        return found
