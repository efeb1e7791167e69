"""Quadratics with different curvatures and tilts: unbounded gradients, exact moments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.noise.models import make_noise
from boundcheck.problems.synthetic.heterogeneity import largest_pair, tilts

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices


class Quadratic(Problem):
    """f_i(x) = x^T A_i x / 2 + <a_i, x>, with sum_i a_i = 0 and a positive definite average matrix A.

    Completing the square, f_i(x) = (x - b_i)^T A_i (x - b_i) / 2 up to a constant, with A_i b_i = -a_i.  The average
    is f(x) = x^T A x / 2, so x_star = 0 and f_star = 0 exactly.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    mu, L : float
        Ends of the spectrum that all A_i are drawn from.  Client 0 has both ends (for d = 1 its matrix is L).  A
        negative `mu` gives nonconvex clients; the average must be positive definite nevertheless.
    spread : float
        Heterogeneity of curvature in [0, 1]: A_i = (1 - spread) A_0 + spread (a matrix of its own for client i).
    zeta : float
        Heterogeneity at the minimiser, mean_i |grad f_i(0)|^2 = zeta^2; with spread = 0 it is the same at every x.
    sigma : float
        Noise of one sample, met exactly.
    noise : str
        A name in `boundcheck.problems.noise.models.NOISES`, with `omega` and `odds` as for
        `boundcheck.problems.synthetic.ridge.Ridge`.
    start : float
        Every coordinate of x_0.
    structure_seed : int
        Which matrices; the same seed gives the same matrices to client i whatever N.

    Attributes
    ----------
    A : Array
        Client matrices (N, d, d).
    mean_A : Array
        Their average (d, d).
    tilts : Array
        The vectors a_i (N, d).
    x_star : Array
        The minimiser of f (d,): the origin.
    """

    family = "quadratic"

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        mu: float = 0.1,
        L: float = 1.0,
        spread: float = 0.0,
        zeta: float = 0.0,
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
        structure_seed: int = 0,
    ) -> None:
        require_count(d, "quadratic: d")
        require(L > 0, "quadratic: L", L, "a number > 0")
        require(-L <= mu <= L, "quadratic: mu", mu, f"a number in [-L, L] = [{-L:g}, {L:g}]")
        require(0 <= spread <= 1, "quadratic: spread", spread, "a number in [0, 1]")
        require_count(structure_seed, "quadratic: structure_seed", 0)
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=make_noise(noise, sigma, d, omega, odds))
        self.L = float(L)
        self.spread = float(spread) if N > 1 else 0.0
        self.zeta = float(zeta)
        self.tilts = tilts(N, d, zeta)
        self.x_star = np.zeros(d)
        own = np.stack([_matrix(d, mu, L, structure_seed, i) for i in range(N)])
        self.A = (1 - self.spread) * own[0] + self.spread * own
        self.mean_A: Array = self.A.mean(axis=0)
        lowest = float(np.linalg.eigvalsh(self.mean_A)[0])
        require(lowest > 0, "quadratic: mu", mu, f"large enough for a positive definite average (now {lowest:.3g})")

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return A_i x + a_i."""
        matrices = self.mean_A if not self.spread else self.A if clients is None else self.A[clients]
        g = _apply(matrices, x)
        if self.zeta:
            g += self.tilts if clients is None else self.tilts[clients]
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return A x: the tilts cancel."""
        return _apply(self.mean_A, x)

    def value(self, x: Array) -> Array:
        """Return x^T A x / 2."""
        half: Array = np.vecdot(x, _apply(self.mean_A, x)).sum(axis=1) / 2
        return half

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, f_star and Delta; zeta and zeta_pair only where finite, that is spread = 0.

        Dropout noise grows with |x|, so sigma is missing: on |x| <= r it is at most sqrt(odds - 1) (L r + max |a_i|).
        """
        smooth = exact(self.L, "largest eigenvalue of A_0; the others' are no larger", self.x_star)
        deviation = self.noise.deviation(None)
        constants = {
            "L": smooth,
            "L_sample": self.noise.sample_smoothness(smooth),
            "L_rms": self.noise.mean_square_smoothness(smooth),
            **({} if deviation is None else {"sigma": deviation}),
            "f_star": exact(0.0, "x^T A x / 2 with A positive definite and tilts that cancel", self.x_star),
            "Delta": exact(self.value(self.start[None, None, :])[0], "f(x_0) - 0 in closed form", self.start),
            **self._client_gap(),
        }
        if not self.spread:
            constants["zeta"] = exact(self.zeta, "clients differ by their tilts alone", self.start)
            constants["zeta_pair"] = exact(largest_pair(self.tilts), "clients differ by their tilts alone", self.start)
        return constants

    def _client_gap(self) -> dict[str, Constant]:
        """Return Delta_mean if every client is bounded below: inf f_i = -a_i^T A_i^(-1) a_i / 2."""
        if float(np.linalg.eigvalsh(self.A).min()) <= 0:
            return {}
        depths = np.vecdot(self.tilts, np.linalg.solve(self.A, self.tilts[..., None])[..., 0]) / 2
        initial = float(self.value(self.start[None, None, :])[0])
        return {"Delta_mean": exact(initial + float(depths.mean()), "the minima of the client parabolas", self.start)}


def _apply(matrices: Array, x: Array) -> Array:
    """Multiply row by row: one matrix-vector product a lane and client, so that lanes cannot influence each other."""
    product: Array = np.matmul(matrices, x[..., None])[..., 0]
    return product


def _matrix(d: int, mu: float, L: float, seed: int, client: int) -> Array:
    """Return a symmetric matrix with eigenvalues mu, L and, between them, d - 2 random ones."""
    rng = np.random.default_rng([seed, client])
    spectrum = rng.uniform(mu, L, d)
    spectrum[0] = mu
    spectrum[-1] = L
    basis, _ = np.linalg.qr(rng.standard_normal((d, d)))
    matrix = (basis * spectrum) @ basis.T
    symmetric: Array = (matrix + matrix.T) / 2
    return symmetric
