"""Quadratics with different curvatures and tilts: unbounded gradients, exact moments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.limits import require_numbers
from boundcheck.problems.arrays import matvec, matvec_transposed, rows_of
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_NUMBERS_AT_ONCE = 2**20
"""Of the matrices that are made together: a call of LAPACK for each would cost more than the work in it."""


@dataclass(kw_only=True, eq=False, repr=False)
class Quadratic(NoisyFormula):
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
    lowest : float
        Smallest eigenvalue of the average.
    """

    family = "quadratic"
    lane_tables: ClassVar = {"tilts": "zeta"}
    dials = ("zeta",)
    mu: float = 0.1
    L: float = 1.0
    spread: float = 0.0
    zeta: float = 0.0
    structure_seed: int = 0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        mu, L, spread = self.mu, self.L, self.spread
        self.require_positive("L")
        require(-L <= mu <= L, "quadratic: mu", mu, f"a number in [-L, L] = [{-L:g}, {L:g}]")
        require(0 <= spread <= 1, "quadratic: spread", spread, "a number in [0, 1]")
        require_count(self.structure_seed, "quadratic: structure_seed", 0)
        self.spread = float(spread) if self.N > 1 else 0.0
        self.tilts = tilts(self.N, self.d, self.zeta)
        self.x_star = np.zeros(self.d)
        self.A, self.mean_A = self._matrices()
        lowest = self.lowest = float(np.linalg.eigvalsh(self.mean_A)[0])
        require(lowest > 0, "quadratic: mu", mu, f"large enough for a positive definite average (now {lowest:.3g})")

    def _matrices(self) -> tuple[Array, Array]:
        """Return the matrices of all clients, a view of one where they are alike, and their average."""
        first = self._random_matrices(range(1))[0]
        if not self.spread:
            total = np.zeros_like(first)
            for _ in range(self.N):  # as `mean` adds them
                total += first
            return np.broadcast_to(first, (self.N, self.d, self.d)), total / self.N
        require_numbers({"N": self.N, "d": self.d, "rows": self.d}, "quadratic with spread > 0")
        A = np.empty((self.N, self.d, self.d))
        many = max(1, _NUMBERS_AT_ONCE // self.d**2)
        for i in range(0, self.N, many):
            apart = self._random_matrices(range(i, min(i + many, self.N)))
            A[i : i + many] = (1 - self.spread) * first + self.spread * apart
        return A, A.mean(axis=0)

    def _random_matrices(self, clients: range) -> Array:
        """Return a symmetric matrix a client with eigenvalues mu, L and, between them, d - 2 random ones."""
        spectra, normal = np.empty((len(clients), self.d)), np.empty((len(clients), self.d, self.d))
        for place, client in enumerate(clients):
            rng = np.random.default_rng([self.structure_seed, client])
            spectra[place] = rng.uniform(self.mu, self.L, self.d)
            normal[place] = rng.standard_normal((self.d, self.d))
        spectra[:, 0], spectra[:, -1] = self.mu, self.L
        bases, _ = np.linalg.qr(normal)
        matrices = (bases * spectra[:, None]) @ bases.swapaxes(1, 2)
        symmetric: Array = (matrices + matrices.swapaxes(1, 2)) / 2
        return symmetric

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return A_i x + a_i."""
        matrices = self.A[rows_of(clients)] if self.spread else self.mean_A
        g = matvec(matrices, x)
        if self.zeta:
            g += self.of_clients(self.tilts, clients)
        return g

    def client_prox(self, v: Array, step: Any, clients: Indices | None = None) -> Array:
        """Return (I + step A_i)^(-1) (v - step a_i), in the eigenvectors of A_i."""
        legal = f"shorter than {-1 / min(self._weakest, -1e-300):.6g}, for a minimiser"
        require(bool(np.all(1.0 + step * self._weakest > 0)), f"{self.name}: proximal step", step, legal)
        rows = rows_of(clients) if self.spread else slice(0, 1)
        spectrum, basis = (table[rows] for table in self._eigenpairs)
        shifted = v - step * self.of_clients(self.tilts, clients) if self.zeta else v
        return matvec(basis, matvec_transposed(basis, shifted) / (1.0 + step * spectrum))

    @cached_property
    def _eigenpairs(self) -> tuple[Array, Array]:
        """Return eigenvalues and eigenvectors of the clients' matrices, of one where they are alike."""
        spectrum, basis = np.linalg.eigh(self.A if self.spread else self.A[:1])
        return spectrum, basis

    def mean_gradient(self, x: Array) -> Array:
        """Return A x: the tilts cancel."""
        return matvec(self.mean_A, x)

    def value(self, x: Array) -> Array:
        """Return x^T A x / 2."""
        half: Array = np.vecdot(x, matvec(self.mean_A, x)).sum(axis=1) / 2
        return half

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, mu_PL, f_star and Delta; zeta, zeta_pair only where spread = 0; no G_inf.

        mu exists where every client is strongly convex.

        Dropout noise grows with |x|, so sigma is missing: on |x| <= r it is at most sqrt(odds - 1) (L r + max |a_i|).
        """
        smooth = exact(self.L, "largest eigenvalue of A_0; the others' are no larger", self.x_star)
        return {
            **self.noise.samples(smooth, None, None),
            "G_inf": None,
            "G_rms": None,
            "mu": self._strength(),
            "mu_PL": exact(
                self.lowest,
                "smallest eigenvalue of the average, along its vector",
                np.linalg.eigh(self.mean_A)[1][:, 0],
            ),
            "f_star": exact(0.0, "x^T A x / 2 with A positive definite and tilts that cancel", self.x_star),
            "Delta": self.gap(),
            **self._alone(),
            **({"zeta": None, "zeta_pair": None} if self.spread else tilt_constants(self.tilts, self.zeta, self.start)),
        }

    @cached_property
    def _weakest(self) -> float:
        """The smallest eigenvalue of a client's matrix; 0 where it is that but for rounding."""
        found = float(np.linalg.eigvalsh(self.A if self.spread else self.A[:1]).min())
        return found if abs(found) > self.d * float(np.finfo(float).eps) * self.L else 0.0

    @property
    def convex(self) -> bool:
        """Whether no client's matrix has a negative eigenvalue."""
        return self._weakest >= 0

    def _strength(self) -> Constant | None:
        why = "smallest eigenvalue of a client's matrix; parabolas have it everywhere"
        return exact(self._weakest, why, self.x_star) if self._weakest > 0 else None

    def _alone(self) -> dict[str, Constant | None]:
        """Return Delta_mean and Gamma_star if every client is bounded below: inf f_i = -a_i^T A_i^(-1) a_i / 2."""
        if self._weakest <= 0:
            return {"Delta_mean": None, "Gamma_star": None}
        depth, why = (
            float((np.vecdot(self.tilts, self._client_minimisers()) / 2).mean()),
            "the minima of the client parabolas",
        )
        return {
            "Delta_mean": exact(self.initial_value + depth, why, self.start),
            "Gamma_star": exact(depth, why, self.start),
        }

    def _client_minimisers(self) -> Array:
        """Return A_i^(-1) a_i, shape (N, d)."""
        if not self.spread:
            return np.asarray(np.linalg.solve(self.A[0], self.tilts.T).T, dtype=float)
        return np.asarray(np.linalg.solve(self.A, self.tilts[..., None])[..., 0], dtype=float)
