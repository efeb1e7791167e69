"""What logistic and robust regression share: a loss of <a, x> - y, a nonconvex regulariser, an optional bias."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.arrays import along, combine_rows, matvec, matvec_transposed, pick_rows, rows_of
from boundcheck.problems.data.rows import RowProblem
from boundcheck.problems.links import LINKS
from boundcheck.problems.tiles import products

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

RATIO = LINKS["ratio"]
"""The regulariser of one coordinate, x^2/(1+x^2)."""


@dataclass(kw_only=True, eq=False, repr=False)
class LinearModel(RowProblem):
    """f_i(x) = mean_n phi(<a_n, x> - y_n) + rho sum_c x_c^2/(1+x_c^2) over the rows of client i.

    Parameters
    ----------
    N, data, split, skew, concentration, split_seed, start
        As for `boundcheck.problems.data.rows.RowProblem`.
    rho : float
        Weight of the regulariser, > 0.
    bias : bool
        Append a column to the rows, of ones before labels multiply them.

    Attributes
    ----------
    rows, target : Array
        Rows a (N, m, d) and targets y (N, m) of every client, padded with zeros.
    """

    rho: float = 0.5
    bias: bool = True

    def _fit(self, rows: Array, target: Array, classes: Indices, start: float) -> None:
        """Give the clients their rows of the whole data (rows, d) and (rows,)."""
        self.held = self.partition(classes)
        self.rows, self.target = self.held.take(rows), self.held.take(target)
        self._has_targets = bool(target.any())
        # Of all clients, for products with many lanes at once; padding has weight 0.
        self._across, self._weighted = self.rows.reshape(-1, self.rows.shape[2]).T.copy(), self.weighted_rows()
        d = self.rows.shape[2]
        self._begin(np.full(d, float(start)), self.held.sizes)

    @abstractmethod
    def slope(self, z: Array) -> Array:
        """Return phi'."""

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return mean_n phi'(<a_n, x> - y_n) a_n + rho (x^2/(1+x^2))'."""
        chosen = rows_of(clients)
        return self._gradient(x, self.rows[chosen], self.target[chosen], self.sizes[chosen][..., None])

    def _gradient(self, x: Array, rows: Array, target: Array, sizes: Indices | int) -> Array:
        """Average over rows (..., n, d)."""
        g = RATIO.slope(x, self.rho)
        g += matvec_transposed(rows, self.slope(matvec(rows, x) - target)) / sizes
        return g

    def mean_gradient(self, x: Array) -> Array:
        heights = products(x, self._across)
        if self._has_targets:
            heights -= self.target.reshape(-1)
        g = RATIO.slope(x, self.rho)
        g += products(self.slope(heights), self._weighted)
        return g

    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        rows, b = pick_rows(self.rows, owner, row), row.shape[-1]
        heights = along(rows, x)
        if self._has_targets:
            heights -= pick_rows(self.target, owner, row)
        slopes = self.slope(heights)
        # The sum of one row is that row, the mean of one its sum.
        g = RATIO.slope(x, self.rho)
        g += combine_rows(rows, slopes) if b == 1 else combine_rows(rows, slopes) / b
        return g

    def outcomes(self, x: Array, client: int) -> Array:
        m = self.sizes[client]
        rows = self.rows[client, :m]
        slopes = self.slope(rows @ x - self.target[client, :m])
        return RATIO.slope(x, self.rho) + slopes[:, None] * rows

    def weighted_rows(self) -> Array:
        """Return the rows of all clients with their weights in f, shape (rows, d)."""
        weighted: Array = self.rows * (self.held.weights / self.N)[..., None]
        return weighted.reshape(-1, self.rows.shape[2])

    def with_regulariser(self, loss: float) -> float:
        """Return a bound of sup |grad f|^2 from one of the loss alone."""
        steep = self.rho * RATIO.sup_slope * float(np.sqrt(self.d))
        return (float(np.sqrt(loss)) + steep) ** 2

    def misses(self, x: Array) -> Array:
        """Return <a_n, x> - y_n of all rows at server points (lanes, 1, d), shape (lanes, N, m)."""
        return matvec(self.rows, self.everyone_at(x)) - self.target

    def regulariser(self, x: Array) -> Array:
        """Return rho sum_c x_c^2/(1+x_c^2) at server points, shape (lanes,)."""
        total: Array = self.rho * RATIO.value(x).sum(axis=(1, 2))
        return total
