"""Least squares and robust regression with a nonconvex regulariser on bundled data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.data.boxes import mean_square_bound, tight_diagonal
from boundcheck.problems.data.bundled import load_bundled
from boundcheck.problems.data.floors import regularised_floor
from boundcheck.problems.data.linear_model import RATIO, LinearModel
from boundcheck.problems.links import link_named

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_LOSSES = ("quadratic", "ratio", "log")


@dataclass(kw_only=True, eq=False, repr=False)
class Regression(LinearModel):
    """f_i(x) = mean_n phi(<a_n, x> - y_n) + rho sum_c x_c^2/(1+x_c^2) over the rows of client i.

    phi(z) = z^2/2 is least squares, z^2/(1+z^2) the Geman-McClure loss and log(1+z^2) the Cauchy loss.  The last two
    are nonconvex with bounded slopes; least squares has no G_inf, and sigma and zeta do not exist.

    Parameters
    ----------
    N : int
        Clients, at most the rows of the data set.
    data : {'diabetes', 'cancer', 'wine', 'digits', 'digits-pooled'}
        See `boundcheck.problems.data.bundled`; the target is standardised, or the label +-1.
    loss : {'quadratic', 'ratio', 'log'}
        The link phi.
    rho : float
        Weight of the regulariser, > 0.
    split, skew, concentration, split_seed :
        Which rows a client has, see `boundcheck.problems.data.partition`; diabetes has two classes, target
        below and above median.
    bias : bool
        Append a column of ones.
    start : float
        Every coordinate of x_0.

    Attributes
    ----------
    rows, target : Array
        Rows a (N, m, d) and targets y (N, m) of every client, padded with zeros.
    """

    family = "regression"
    data: str = "diabetes"
    loss: str = "ratio"
    rho: float = 0.1

    def __post_init__(self, start: float) -> None:
        self.require_positive("rho")
        require(self.loss in _LOSSES, "regression: loss", self.loss, f"one of {', '.join(_LOSSES)}")
        self.phi = link_named(self.loss)
        source = load_bundled(self.data)
        columns = source.features
        if self.bias:
            columns = np.concatenate([columns, np.ones((len(columns), 1))], axis=1)
        self._fit(columns, source.target, source.classes, start)

    def slope(self, z: Array) -> Array:
        return self.phi.slope(z, 1.0)

    def value(self, x: Array) -> Array:
        each = np.vecdot(self.phi.value(self.misses(x)), self.held.weights)
        total: Array = each.mean(axis=1) + self.regulariser(x)
        return total

    def loss_at(self, x: Array) -> tuple[float, Array]:
        """Return the loss without the regulariser, and its gradient, at one point."""
        rows = self.rows.reshape(-1, self.d)
        weights = self.held.weights.ravel() / self.N
        miss = rows @ x - self.target.ravel()
        return float(weights @ self.phi.value(miss)), (weights * self.phi.slope(miss, 1.0)) @ rows

    def certified_constants(self) -> dict[str, Constant | None]:
        convex = self.phi.name == "quadratic"
        floor = regularised_floor(self) if convex else self._zero()
        gap = self.initial_value - floor.value
        constants: dict[str, Constant | None] = {**self._smoothness(convex=convex)}
        # the slope of a square grows with the residual, and with it variance and spread of the rows' gradients
        constants |= {"sigma": None, "zeta": None, "G_inf": None} if convex else self._bounded_slope_constants()
        return constants | {"f_star": floor, "Delta": upper(gap, f"f(x_0) - f_star; {floor.reason}")}

    def gradient_ceiling(self) -> Constant | None:
        if not np.isfinite(self.phi.sup_slope):
            return None
        loss = self.phi.sup_slope**2 * float(tight_diagonal(self.weighted_rows()).sum())
        why = "each row's slope roams between its extremes on its own, and the regulariser is added at its steepest"
        return upper(self.with_regulariser(loss), why)

    def _zero(self) -> Constant:
        found = float(self.value(np.zeros((1, 1, self.d)))[0])
        return lower(0.0, f"both parts are >= 0; at most f(0) = {found:.3g} too low")

    def _smoothness(self, *, convex: bool) -> dict[str, Constant]:
        """Return L and L_sample: attained at 0 when phi'' is constant, else where all residuals vanish at once."""
        origin = np.zeros(self.d)
        peak, ridge = self.phi.sup_curvature, 2 * self.rho
        steepest = (np.linalg.norm(self.rows, 2, axis=(1, 2)) ** 2 / self.sizes).max() * peak + ridge
        longest = float((self.rows**2).sum(axis=-1).max()) * peak + ridge
        if convex:
            why = "the loss has constant curvature, the regulariser peaks at x = 0"
            return {"L": exact(steepest, why, origin), "L_sample": exact(longest, f"longest row; {why}", origin)}
        mild = "largest row with residual 0, regulariser at x = 0: loose where x must move to make the residual vanish"
        return {
            "L": upper(steepest, "all residuals 0 at once, at x = 0: loose by the share of rows that cannot be fitted"),
            "L_sample": upper(longest, mild),
        }

    def _bounded_slope_constants(self) -> dict[str, Constant]:
        """Return the constants that need bounded slopes |phi'| <= s."""
        s = self.phi.sup_slope
        square = ((self.rows**2).sum(axis=(1, 2)) / self.sizes).max()
        return {
            "sigma": upper(s * np.sqrt(square), "second moment with every row at the steepest slope: loose by a third"),
            "zeta": self._heterogeneity(s),
            "G_inf": self._largest_coordinate(),
        }

    def _heterogeneity(self, steep: float) -> Constant:
        """Bound the spread of the client means over all slopes in [-steep, steep]."""
        if self.N == 1:
            return exact(0.0, "a single client")
        why = "each row's slope roams between its extremes on its own: loose by a factor of two or more"
        return upper(steep * np.sqrt(mean_square_bound(self.rows, self.sizes)), why)

    def _largest_coordinate(self) -> Constant:
        """Return s max |a_nc| + rho sup: row n and coordinate c sit at their steepest points, the rest of x free."""
        rows = self.rows.reshape(-1, self.d)
        n, c = np.unravel_index(int(np.abs(rows).argmax()), rows.shape)
        at = np.zeros(self.d)
        sign = np.sign(rows[n, c])
        at[c] = sign * RATIO.slope_at
        others = rows[n].copy()
        others[c] = 0.0
        wanted = self.phi.slope_at + self.target.ravel()[n] - at[c] * rows[n, c]
        at += wanted * others / (others @ others)
        total = self.phi.sup_slope * abs(rows[n, c]) + self.rho * RATIO.sup_slope
        return exact(total, "largest entry; its row and its coordinate reach their steepest points together", at)
