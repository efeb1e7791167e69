"""Heterogeneous curvature: a few stiff parabolas among soft ones, all constants in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class StiffClients(NoisyFormula):
    """f_i(x) = c_i |x|^2/2 + <a_i, x>, c_i = L for the first `stiff` clients and mu for the others, tilts that cancel.

    f(x) = c |x|^2/2 with c the mean of the c_i, so x_star = 0 and f_star = 0.  Local steps go to the minimisers
    -a_i/c_i at very different speeds.  With zeta = 0, mean_i |grad f_i|^2 = (mean_i c_i^2/c^2) |grad f|^2: clients are
    (0, B)-dissimilar with an exact B.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    mu, L : float
        The two curvatures, 0 < mu <= L.
    stiff : int
        Clients of curvature L; all of them where N is smaller.
    zeta : float
        Heterogeneity at the minimiser, zeta_star; where mu = L at every x.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "stiff-clients"
    lane_tables: ClassVar = {"tilts": "zeta"}
    dials = ("zeta",)
    d: int = 1
    mu: float = 0.1
    L: float = 1.0
    stiff: int = 1
    zeta: float = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("mu", "L")
        require(self.mu <= self.L, "stiff-clients: mu", self.mu, f"at most L = {self.L:g}")
        require_count(self.stiff, "stiff-clients: stiff")
        self.tilts = tilts(self.N, self.d, self.zeta)
        self.x_star = np.zeros(self.d)
        self.curvatures = np.where(np.arange(self.N) < self.stiff, self.L, self.mu)[:, None]
        self.mean_curvature = float(self.curvatures.mean())

    @property
    def convex(self) -> bool:
        """Whether every client is convex: they are."""
        return True

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return c_i x + a_i."""
        rows = slice(None) if clients is None else clients
        g: Array = self.curvatures[rows] * x
        if self.zeta:
            g += self.of_clients(self.tilts, clients)
        return g

    def client_prox(self, v: Array, step: Any, clients: Indices | None = None) -> Array:
        """Return (v - step a_i)/(1 + step c_i)."""
        rows = slice(None) if clients is None else clients
        shifted = v - step * self.of_clients(self.tilts, clients) if self.zeta else v
        y: Array = shifted / (1.0 + step * self.curvatures[rows])
        return y

    def mean_gradient(self, x: Array) -> Array:
        """Return c x: the tilts cancel."""
        slope: Array = self.mean_curvature * x
        return slope

    def value(self, x: Array) -> Array:
        """Return c |x|^2/2."""
        half: Array = self.mean_curvature * (x * x).sum(axis=(1, 2)) / 2
        return half

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, mu, mu_PL, f_star, Delta, Delta_mean, Gamma_star; zeta where mu = L."""
        origin, parabolas = self.x_star, "a client's curvature"
        alike = self.curvatures.min() == self.curvatures.max()
        depth = float(((self.tilts**2).sum(axis=1) / (2 * self.curvatures[:, 0])).mean())
        alone = "the minima of the client parabolas"
        return {
            **self.noise.samples(exact(self.L, parabolas, origin), None, None),
            **(tilt_constants(self.tilts, self.zeta, self.start) if alike else {"zeta": None, "zeta_pair": None}),
            "G_inf": None,
            "G_rms": None,
            "mu": exact(float(self.curvatures.min()), parabolas, origin),
            "mu_PL": exact(self.mean_curvature, "f is a parabola of the mean curvature", self.everywhere(1.0)),
            "f_star": exact(0.0, "c |x|^2/2 and tilts that cancel", origin),
            "Delta": self.gap(),
            "Delta_mean": exact(self.initial_value + depth, alone, self.start),
            "Gamma_star": exact(depth, alone, self.start),
        }
