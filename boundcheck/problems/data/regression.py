"""Least squares and robust regression with a nonconvex regulariser on bundled data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.data.boxes import tight_diagonal
from boundcheck.problems.data.bundled import bundled
from boundcheck.problems.data.floors import regularised_floor
from boundcheck.problems.data.partition import deal
from boundcheck.problems.data.rows import RowProblem
from boundcheck.problems.links import LINKS, link_named
from boundcheck.problems.noise.base import NoNoise

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices

_RATIO = LINKS["ratio"]
_LOSSES = ("quadratic", "ratio", "log")


class Regression(RowProblem):
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
        How rows are dealt, see `boundcheck.problems.data.partition`; diabetes has two classes, target
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

    def __init__(
        self,
        *,
        N: int,
        data: str = "diabetes",
        loss: str = "ratio",
        rho: float = 0.1,
        split: str = "skew",
        skew: float = 0.0,
        concentration: float = 1.0,
        split_seed: int = 0,
        bias: bool = True,
        start: float = 0.0,
    ) -> None:
        require(rho > 0, "regression: rho", rho, "a number > 0")
        require(loss in _LOSSES, "regression: loss", loss, f"one of {', '.join(_LOSSES)}")
        source = bundled(data)
        self.dealt = deal(
            source.classes, N, "regression", split=split, skew=skew, concentration=concentration, split_seed=split_seed
        )
        columns = source.features
        if bias:
            columns = np.concatenate([columns, np.ones((len(columns), 1))], axis=1)
        self.rows, self.target = self.dealt.take(columns), self.dealt.take(source.target)
        self.sizes = self.dealt.sizes
        self.link = link_named(loss)
        self.rho = float(rho)
        d = self.rows.shape[2]
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=NoNoise(0.0, d))

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return mean_n phi'(<a_n, x> - y_n) a_n + rho (x^2/(1+x^2))'."""
        chosen = slice(None) if clients is None else clients
        return self._gradient(x, self.rows[chosen], self.target[chosen], self.sizes[chosen][..., None])

    def _gradient(self, x: Array, rows: Array, target: Array, sizes: Indices | int) -> Array:
        """Average over rows (..., n, d): two matrix-vector products a lane and client, so that lanes stay apart."""
        miss = np.matmul(rows, x[..., None]) - target[..., None]
        pull = np.matmul(np.swapaxes(rows, -1, -2), self.link.slope(miss, 1.0))[..., 0]
        g = _RATIO.slope(x, self.rho)
        g += pull / sizes
        return g

    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        """Return the mean gradient of chosen rows."""
        return self._gradient(x, self.rows[owner, row], self.target[owner, row], row.shape[-1])

    def outcomes(self, x: Array, client: int) -> Array:
        """Return the gradients of all rows of one client, shape (rows, d)."""
        m = self.sizes[client]
        rows = self.rows[client, :m]
        slopes = self.link.slope(rows @ x - self.target[client, :m], 1.0)
        each: Array = _RATIO.slope(x, self.rho) + slopes[:, None] * rows
        return each

    def value(self, x: Array) -> Array:
        """Return f."""
        images = np.matmul(self.rows, np.broadcast_to(x, (len(x), self.N, self.d))[..., None])[..., 0]
        each = np.vecdot(self.link.value(images - self.target), self.dealt.weights)
        total: Array = each.mean(axis=1) + self.rho * _RATIO.value(x).sum(axis=(1, 2))
        return total

    def loss(self, x: Array) -> tuple[float, Array]:
        """Return the loss without the regulariser, and its gradient, at one point."""
        rows = self.rows.reshape(-1, self.d)
        weights = self.dealt.weights.ravel() / self.N
        miss = rows @ x - self.target.ravel()
        return float(weights @ self.link.value(miss)), (weights * self.link.slope(miss, 1.0)) @ rows

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, f_star and Delta, and with bounded slopes sigma, zeta and G_inf, from the data matrix."""
        convex = self.link.name == "quadratic"
        floor = regularised_floor(self) if convex else self._zero()
        gap = float(self.value(self.start[None, None, :])[0]) - floor.value
        constants = self._smoothness(convex=convex)
        if not convex:
            constants |= self._bounded()
        return constants | {"f_star": floor, "Delta": upper(gap, f"f(x_0) - f_star; {floor.reason}")}

    def _zero(self) -> Constant:
        found = float(self.value(np.zeros((1, 1, self.d)))[0])
        return lower(0.0, f"both parts are >= 0; at most f(0) = {found:.3g} too low")

    def _smoothness(self, *, convex: bool) -> dict[str, Constant]:
        """Return L and L_sample: attained at 0 when phi'' is constant, else where all residuals vanish at once."""
        origin = np.zeros(self.d)
        peak, ridge = self.link.sup_curvature, 2 * self.rho
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

    def _bounded(self) -> dict[str, Constant]:
        """Return the constants that need bounded slopes |phi'| <= s."""
        s = self.link.sup_slope
        square = ((self.rows**2).sum(axis=(1, 2)) / self.sizes).max()
        return {
            "sigma": upper(s * np.sqrt(square), "second moment with every row at the steepest slope: loose by a third"),
            "zeta": self._heterogeneity(s),
            "G_inf": self._largest_coordinate(),
        }

    def _heterogeneity(self, steep: float) -> Constant:
        """Bound the spread of the client means over all slopes in [-steep, steep]: u^T Q u <= sum r if Q <= diag(r)."""
        if self.N == 1:
            return exact(0.0, "a single client")
        total = sum(float(tight_diagonal(rows / m).sum()) for rows, m in zip(self.rows, self.sizes, strict=True))
        why = "each row's slope roams between its extremes on its own: loose by a factor of two or more"
        return upper(steep * np.sqrt(total / self.N), why)

    def _largest_coordinate(self) -> Constant:
        """Return s max |a_nc| + rho sup: row n and coordinate c sit at their steepest points, the rest of x free."""
        rows = self.rows.reshape(-1, self.d)
        n, c = np.unravel_index(int(np.abs(rows).argmax()), rows.shape)
        at = np.zeros(self.d)
        sign = np.sign(rows[n, c])
        at[c] = sign * _RATIO.slope_at
        others = rows[n].copy()
        others[c] = 0.0
        wanted = self.link.slope_at + self.target.ravel()[n] - at[c] * rows[n, c]
        at += wanted * others / (others @ others)
        total = self.link.sup_slope * abs(rows[n, c]) + self.rho * _RATIO.sup_slope
        return exact(total, "largest entry; its row and its coordinate reach their steepest points together", at)
