"""Clients whose curvature grows with the gradient: hyperbolic cosines, which are not smooth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_FAR = 8.0
"""Where cosh and |sinh| are the same but for a thousandth."""


@dataclass(kw_only=True, eq=False, repr=False)
class Cosh(NoisyFormula):
    """f_i(x) = height sum_c (cosh(x_c) - 1) + <a_i, x>, with sum_i a_i = 0.

    |Hess f| <= height + |grad f|, since cosh <= 1 + |sinh|: no L, but L_0 = height and L_1 = 1.  It is strongly convex.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    height : float
        Scale of f.
    zeta : float
        Root mean square of the tilts a_i.
    start : float
        Every coordinate of x_0.
    sigma, noise, omega, odds
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "cosh"
    height: float = 1.0
    zeta: float = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("height")
        self.tilts = tilts(self.N, self.d, self.zeta)
        self.x_star = np.zeros(self.d)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        g: Array = self.height * np.sinh(x) + self.of_clients(self.tilts, clients)
        return g

    def mean_gradient(self, x: Array) -> Array:
        g: Array = self.height * np.sinh(x)
        return g

    def value(self, x: Array) -> Array:
        return self._common(x)[:, 0]

    def _common(self, x: Array) -> Array:
        """Return what all clients have at points (lanes, clients, d)."""
        # cosh - 1 = 2 sinh(x/2)^2 keeps its digits near 0.
        shared: Array = 2 * self.height * (np.sinh(x / 2) ** 2).sum(axis=-1)
        return shared

    def client_values(self, x: Array, clients: Indices | None = None) -> Array:
        values: Array = self._common(x) + (self.of_clients(self.tilts, clients) * x).sum(axis=-1)
        return values

    @property
    def convex(self) -> bool:
        return True

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L_0, L_1, mu, mu_PL, sigma, zeta, f_star and Delta; no L, and no G_inf."""
        origin, far = np.zeros(self.d), _FAR * np.eye(self.d)[0]
        return {
            "L_0": exact(self.height, "cosh <= 1 + |sinh|, equal at x = 0", origin),
            "L_1": exact(1.0, "(cosh - 1)/|sinh| tends to 1 along an axis", far),
            "mu": exact(self.height, "cosh >= 1", origin),
            "mu_PL": exact(self.height, "|grad f|^2/(2 f) tends to it at x = 0", 1e-3 * np.ones(self.d)),
            "sigma": self.noise.deviation(None),
            "G_inf": None,
            "f_star": exact(0.0, "cosh >= 1, and the tilts cancel", origin),
            "Delta": self.gap(),
            **tilt_constants(self.tilts, self.zeta, self.start),
        }
