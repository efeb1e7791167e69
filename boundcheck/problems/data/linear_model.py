"""What logistic and robust regression share: a loss of <a, x> - y, a nonconvex regulariser, an optional bias."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.data.rows import RowProblem
from boundcheck.problems.links import LINKS
from boundcheck.problems.types import rows_of

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
        self.dealt = self.partition(classes)
        self.rows, self.target = self.dealt.take(rows), self.dealt.take(target)
        d = self.rows.shape[2]
        self._begin(np.full(d, float(start)), self.dealt.sizes)

    @abstractmethod
    def slope(self, z: Array) -> Array:
        """Return phi'."""

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return mean_n phi'(<a_n, x> - y_n) a_n + rho (x^2/(1+x^2))'."""
        chosen = rows_of(clients)
        return self._gradient(x, self.rows[chosen], self.target[chosen], self.sizes[chosen][..., None])

    def _gradient(self, x: Array, rows: Array, target: Array, sizes: Indices | int) -> Array:
        """Average over rows (..., n, d): two matrix-vector products a lane and client, so that lanes stay apart."""
        miss = np.matmul(rows, x[..., None]) - target[..., None]
        g = RATIO.slope(x, self.rho)
        g += np.matmul(np.swapaxes(rows, -1, -2), self.slope(miss))[..., 0] / sizes
        return g

    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        return self._gradient(x, self.rows[owner, row], self.target[owner, row], row.shape[-1])

    def outcomes(self, x: Array, client: int) -> Array:
        """Return the gradients of all rows of one client, shape (rows, d)."""
        m = self.sizes[client]
        rows = self.rows[client, :m]
        slopes = self.slope(rows @ x - self.target[client, :m])
        each: Array = RATIO.slope(x, self.rho) + slopes[:, None] * rows
        return each

    def misses(self, x: Array) -> Array:
        """Return <a_n, x> - y_n of all rows at server points (lanes, 1, d), shape (lanes, N, m)."""
        images: Array = np.matmul(self.rows, self.everyone_at(x)[..., None])[..., 0]
        return images - self.target

    def regulariser(self, x: Array) -> Array:
        """Return rho sum_c x_c^2/(1+x_c^2) at server points, shape (lanes,)."""
        total: Array = self.rho * RATIO.value(x).sum(axis=(1, 2))
        return total
