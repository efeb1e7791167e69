"""Logistic regression with a nonconvex regulariser on bundled data: real minibatches, computable constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.arrays import matvec
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.data.boxes import box_bound, tight_diagonal
from boundcheck.problems.data.bundled import load_bundled
from boundcheck.problems.data.floors import regularised_floor
from boundcheck.problems.data.linear_model import RATIO, LinearModel
from boundcheck.problems.links import LINKS

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_sigmoid = LINKS["sigmoid"].value
"""1 / (1 + exp(-z)) without overflow."""


@dataclass(kw_only=True, eq=False, repr=False)
class Logistic(LinearModel):
    """f_i(x) = mean_n log(1 + exp(-<z_n, x>)) + rho sum_c x_c^2/(1+x_c^2) over the rows of client i.

    z_n is a standardised row of a bundled data set times its label +-1.  A sample is one row of the client, drawn
    uniformly with replacement.

    Parameters
    ----------
    N : int
        Clients, at most the rows of the data set.
    data : {'cancer', 'wine', 'digits', 'digits-pooled', 'diabetes'}
        See `boundcheck.problems.data.bundled`.
    rho : float
        Weight of the regulariser, > 0.  Above the minimum of f, `f_star` is bounded tightly (see its reason).
    split, skew, concentration, shards, split_seed :
        Which rows a client has, see `RowProblem` and `boundcheck.problems.data.partition`: 'skew' and 'shards' give
        equally many to every client, 'dirichlet' gives unequal numbers (f is the plain average of the clients' means).
    bias : bool
        Append a column of ones.
    start : float
        Every coordinate of x_0.

    Attributes
    ----------
    rows : Array
        The signed rows z of every client (N, m, d), padded with zeros.
    """

    family = "logistic"
    data: str = "cancer"

    def __post_init__(self, start: float) -> None:
        self.require_positive("rho")
        source = load_bundled(self.data)
        signed = source.features * source.signs[:, None]
        if self.bias:
            signed = np.concatenate([signed, source.signs[:, None]], axis=1)
        self._fit(signed, np.zeros(len(signed)), source.classes, start)

    def slope(self, z: Array) -> Array:
        # -sigmoid(-z); where exp(z) is no longer finite the slope is 0. A hyperbolic tangent takes twice as long.
        with np.errstate(over="ignore"):
            slope = np.exp(z)
        slope += 1.0
        np.divide(-1.0, slope, out=slope)
        return slope

    def value(self, x: Array) -> Array:
        each = np.logaddexp(0.0, -self.misses(x))
        equal, weights = self.held.equal, self.held.weights
        loss: Array = each.mean(axis=(1, 2)) if equal else np.vecdot(each, weights).mean(axis=1)
        return loss + self.regulariser(x)

    def certified_constants(self) -> dict[str, Constant | None]:
        origin = np.zeros(self.d)
        squares = np.linalg.norm(self.rows, 2, axis=(1, 2)) ** 2
        steepest = (squares / (4 * self.sizes)).max()
        longest = float((self.rows**2).sum(axis=-1).max())
        floor = regularised_floor(self)
        ridge = 2 * self.rho
        return {
            "L": exact(steepest + ridge, "all curvatures peak at x = 0", origin),
            "L_sample": exact(longest / 4 + ridge, "longest row; all curvatures peak at x = 0", origin),
            "sigma": self._deviation(),
            "zeta": self._heterogeneity(),
            "G_inf": self._largest_coordinate(),
            "f_star": floor,
            "Delta": upper(self.initial_value - floor.value, f"f(x_0) - f_star; {floor.reason}"),
        }

    def gradient_ceiling(self) -> Constant:
        rows = self.weighted_rows()
        loss = box_bound(lambda s: rows @ (rows.T @ s), tight_diagonal(rows))
        why = "row weights roam [0, 1] on their own, and the regulariser is added at its steepest"
        return upper(self.with_regulariser(loss), why)

    def _deviation(self) -> Constant:
        """Bound the variance of a client's row gradients over all row weights in [0, 1], not only logistic ones."""
        bounds = []
        for m, padded in zip(self.sizes, self.rows, strict=True):
            rows = padded[:m]
            r = (rows**2).sum(axis=1) / m

            def product(s: Array, rows: Array = rows, r: Array = r) -> Array:
                return r * s - rows @ (rows.T @ s) / len(rows) ** 2

            bounds.append(box_bound(product, r))
        return upper(np.sqrt(max(bounds)), "variance over all row weights in [0, 1]: loose by several percent")

    def _heterogeneity(self) -> Constant:
        """Bound the spread of the client means over all row weights in [0, 1]; the regulariser cancels."""
        if self.N == 1:
            return exact(0.0, "a single client")
        m = self.rows.shape[1]
        scale = 1 / (self.sizes * np.sqrt(self.N))

        def product(s: Array) -> Array:
            means = np.matmul(s.reshape(self.N, 1, m), self.rows)[:, 0] * scale[:, None]
            means -= means.mean(axis=0)
            image = matvec(self.rows, means) * scale[:, None]
            return np.ravel(image)

        diagonal = [tight_diagonal(size * rows) for size, rows in zip(scale, self.rows, strict=True)]
        bound = box_bound(product, np.concatenate(diagonal))
        why = "each client's row weights roam [0, 1] on their own: loose by a factor of two or less when skew is small"
        return upper(np.sqrt(bound), why)

    def _largest_coordinate(self) -> Constant:
        """Return max |z_nc| + rho sup phi': row n is as wrong as can be while x_c sits at the steepest point."""
        rows = self.rows.reshape(-1, self.d)
        n, c = np.unravel_index(int(np.abs(rows).argmax()), rows.shape)
        others = rows[n] ** 2
        others[c] = 0.0
        at = -rows[n] * (100.0 / others.sum())
        at[c] = -np.sign(rows[n, c]) * RATIO.slope_at
        total = abs(rows[n, c]) + self.rho * RATIO.sup_slope
        return exact(total, "largest entry; approached where that row's margin tends to -infinity", at)

    def loss_at(self, x: Array) -> tuple[float, Array]:
        """Return the loss without the regulariser, and its gradient, at one point."""
        rows = self.rows.reshape(-1, self.d)
        margins = rows @ x
        losses, slopes = np.logaddexp(0.0, -margins), _sigmoid(-margins)
        if self.held.equal:
            return float(losses.mean()), -(slopes @ rows / len(rows))
        weights = self.held.weights.ravel() / self.N
        return float(weights @ losses), -((weights * slopes) @ rows)
