"""Logistic regression with a nonconvex regulariser on bundled data: real minibatches, computable constants."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.base import Problem
from boundcheck.problems.boxes import box_bound
from boundcheck.problems.cancer import signed_rows
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.links import LINKS
from boundcheck.problems.noise import NoNoise

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices, Stream, Token

_RATIO = LINKS["ratio"]


class Rows(NamedTuple):
    """A minibatch: row numbers within each client, drawn with replacement."""

    row: Indices
    """Shape (lanes, clients, b)."""


class Logistic(Problem):
    """f_i(x) = mean_n log(1 + exp(-<z_n, x>)) + rho sum_c x_c^2/(1+x_c^2) over the m = 569 // N rows of client i.

    z_n is a row of the breast cancer data times its label +-1; see `boundcheck.problems.cancer.signed_rows`.  A
    sample is one row of the client, drawn uniformly with replacement.

    Parameters
    ----------
    N : int
        Clients, at most 569; each gets 569 // N rows and the rest of the file is left out.
    rho : float
        Weight of the regulariser, > 0.  Above the minimum of f, `f_star` is bounded tightly (see its reason).
    skew : float
        Label skew in [0, 1]: 0 deals the rows evenly, 1 sorts them by label.
    bias : bool
        Append a column of ones.
    start : float
        Every coordinate of x_0.

    Attributes
    ----------
    rows : Array
        The signed rows z of every client (N, m, d).
    """

    family = "logistic"

    def __init__(self, *, N: int, rho: float = 0.5, skew: float = 0.0, bias: bool = True, start: float = 0.0) -> None:
        require(rho > 0, "logistic: rho", rho, "a number > 0")
        require(0 <= skew <= 1, "logistic: skew", skew, "a number in [0, 1]")
        self.rows = signed_rows(N, skew, bias=bias)
        self.m = self.rows.shape[1]
        self.rho = float(rho)
        d = self.rows.shape[2]
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=NoNoise(0.0, d))

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return -mean_n z_n / (1 + exp(<z_n, x>)) + rho phi'(x)."""
        return self._gradient(x, self.rows if clients is None else self.rows[clients])

    def _gradient(self, x: Array, rows: Array) -> Array:
        """Average over rows (..., n, d): two matrix-vector products a lane and client, so that lanes stay apart."""
        weights = _sigmoid(-np.matmul(rows, x[..., None]))
        pull = np.matmul(np.swapaxes(rows, -1, -2), weights)[..., 0]
        g = _RATIO.slope(x, self.rho)
        g -= pull / rows.shape[-2]
        return g

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw `b` rows with replacement for every lane and client; a 64-bit word modulo m is one row."""
        n = self.N if clients is None else clients.shape[1]
        words = stream.raw(b * n)
        return Rows((words % np.uint64(self.m)).astype(np.intp).reshape(len(words), n, b))

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        """Return the mean gradient of the rows in `sample` at `x` (of all rows without a sample)."""
        if sample is None:
            return self.exact_gradient(x, clients)
        owner = np.arange(self.N) if clients is None else clients
        return self._gradient(x, self.rows[owner[..., None], sample.row])

    def outcomes(self, x: Array, client: int) -> Array:
        """Return the gradients of all rows of one client, shape (m, d)."""
        rows = self.rows[client]
        each: Array = _RATIO.slope(x, self.rho) - _sigmoid(-(rows @ x))[:, None] * rows
        return each

    def value(self, x: Array) -> Array:
        """Return f."""
        margins = np.matmul(self.rows, np.broadcast_to(x, (len(x), self.N, self.d))[..., None])
        loss = np.logaddexp(0.0, -margins).mean(axis=(1, 2, 3))
        total: Array = loss + self.rho * _RATIO.value(x).sum(axis=(1, 2))
        return total

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, sigma, zeta, G_inf, f_star and Delta, all from the data matrix."""
        origin = np.zeros(self.d)
        squares = np.linalg.norm(self.rows, 2, axis=(1, 2)) ** 2
        longest = float((self.rows**2).sum(axis=-1).max())
        floor = self._floor()
        initial = float(self.value(self.start[None, None, :])[0])
        ridge = 2 * self.rho
        return {
            "L": exact(squares.max() / (4 * self.m) + ridge, "all curvatures peak at x = 0", origin),
            "L_sample": exact(longest / 4 + ridge, "longest row; all curvatures peak at x = 0", origin),
            "sigma": self._deviation(),
            "zeta": self._heterogeneity(squares),
            "G_inf": self._largest_coordinate(),
            "f_star": floor,
            "Delta": upper(initial - floor.value, f"f(x_0) - f_star; {floor.reason}"),
        }

    def _deviation(self) -> Constant:
        """Bound the variance of a client's row gradients over all row weights in [0, 1], not only logistic ones."""
        bounds = []
        for rows in self.rows:
            r = (rows**2).sum(axis=1) / self.m

            def product(s: Array, rows: Array = rows, r: Array = r) -> Array:
                centred: Array = r * s - rows @ (rows.T @ s) / self.m**2
                return centred

            bounds.append(box_bound(product, r))
        return upper(np.sqrt(max(bounds)), "variance over all row weights in [0, 1]: loose by several percent")

    def _heterogeneity(self, squares: Array) -> Constant:
        """Bound the spread of the client means over all row weights in [0, 1]; the regulariser cancels."""
        if self.N == 1:
            return exact(0.0, "a single client")
        scale = 1 / (self.m * np.sqrt(self.N))

        def product(s: Array) -> Array:
            means = np.matmul(s.reshape(self.N, 1, self.m), self.rows)[:, 0] * scale
            means -= means.mean(axis=0)
            image: Array = np.matmul(self.rows, means[:, :, None]).ravel() * scale
            return image

        bound = box_bound(product, np.repeat(squares, self.m) * scale**2)
        why = "each client's row weights roam [0, 1] on their own: loose by a factor of two or more when skew is small"
        return upper(np.sqrt(bound), why)

    def _largest_coordinate(self) -> Constant:
        """Return max |z_nc| + rho sup phi': row n is as wrong as can be while x_c sits at the steepest point."""
        rows = self.rows.reshape(-1, self.d)
        n, c = np.unravel_index(int(np.abs(rows).argmax()), rows.shape)
        others = rows[n] ** 2
        others[c] = 0.0
        at = -rows[n] * (100.0 / others.sum())
        at[c] = -np.sign(rows[n, c]) * _RATIO.slope_at
        total = abs(rows[n, c]) + self.rho * _RATIO.sup_slope
        return exact(total, "largest entry; approached where that row's margin tends to -infinity", at)

    def _floor(self) -> Constant:
        """Bound f from below by convex functions, on boxes that shrink around every minimiser.

        Where x_c^2/(1+x_c^2) <= q_c the regulariser is at least (1 - q_c) x_c^2, which makes f at least a strongly
        convex g.  Its minimum bounds f_star, and points of f <= (a value found) lie near the minimiser of g, which
        gives smaller q_c.
        """
        found = self._minimise(np.full(self.d, self.rho), nonconvex=True)
        reached = float(self.value(found[None, None, :])[0])
        q = np.full(self.d, reached / self.rho)
        if q[0] >= 1:
            return lower(0.0, f"both parts are >= 0; at most {reached:.3g} too low (rho is below the minimum of f)")
        best = 0.0
        for _ in range(50):
            weights = self.rho * (1 - q)
            centre = self._minimise(weights)
            value, slope = self._convex(centre, weights)
            best = max(best, value - float(slope @ slope) / (4 * weights.min()))
            radius = np.sqrt(max(0.0, reached - best) / weights.min())
            reach = (np.abs(centre) + radius) ** 2
            shrunk = np.minimum(q, reach / (1 + reach))
            if np.allclose(shrunk, q, rtol=1e-3, atol=0):
                break
            q = shrunk
        return lower(best, f"convex minorants on shrinking boxes: at most {reached - best:.3g} too low")

    def _minimise(self, weights: Array, *, nonconvex: bool = False) -> Array:
        """Return a minimiser of the loss plus sum_c weights_c x_c^2 (or, `nonconvex`, weights_c phi(x_c))."""
        from scipy.optimize import minimize

        def objective(x: Array) -> tuple[float, Array]:
            if nonconvex:
                at = x[None, None, :]
                return float(self.value(at)[0]), self.mean_gradient(at)[0, 0]
            return self._convex(x, weights)

        found: Array = minimize(objective, np.zeros(self.d), jac=True, method="BFGS", options={"gtol": 1e-9}).x
        return found

    def _convex(self, x: Array, weights: Array) -> tuple[float, Array]:
        rows = self.rows.reshape(-1, self.d)
        margins = rows @ x
        value = np.logaddexp(0.0, -margins).mean() + weights @ (x * x)
        return float(value), 2 * weights * x - _sigmoid(-margins) @ rows / len(rows)


def _sigmoid(z: Array) -> Array:
    """Return 1 / (1 + exp(-z)) without overflow."""
    half: Array = 0.5 * (1.0 + np.tanh(0.5 * z))
    return half
