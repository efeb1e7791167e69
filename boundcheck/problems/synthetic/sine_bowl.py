"""Bowls with a sine: nonconvex, one minimiser, and the Polyak-Lojasiewicz constant is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts
from boundcheck.problems.synthetic.onedim import peak

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_WAVIEST = 4.6
"""From 4.6033 on a second stationary point appears: where sin(2z)/(2z) = -1/wave is as low as it gets, -0.21723."""
_REACH = 50.0
"""Beyond it |phi'|^2/(2 phi) >= (2 |z| - wave)^2/(2 (z^2 + wave)) exceeds 1.8, more than the infimum for any wave."""


@dataclass(kw_only=True, eq=False, repr=False)
class SineBowl(NoisyFormula):
    """f_i(x) = weight sum_c phi(x_c) + <a_i, x>, phi(z) = z^2 + wave sin^2 z, with tilts a_i that cancel.

    phi'' = 2 + 2 wave cos 2z, so that f is nonconvex for wave > 1 and strongly convex below.  Coordinates do not
    interact, so the Polyak-Lojasiewicz constant of f is weight times that of phi, inf phi'^2/(2 phi).  At wave = 3,
    weight = 1 this is the example of H. Karimi, J. Nutini, M. Schmidt, "Linear Convergence of Gradient and
    Proximal-Gradient Methods Under the Polyak-Lojasiewicz Condition", 2016, section 2.2.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    wave : float
        Size of the sine, in [0, 4.6].
    weight : float
        Scale of f.
    zeta : float
        Heterogeneity, met exactly at every x.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "sine-bowl"
    lane_tables: ClassVar = {"tilts": "zeta"}
    dials = ("zeta",)
    d: int = 4
    wave: float = 3.0
    weight: float = 1.0
    zeta: float = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        require(0 <= self.wave <= _WAVIEST, "sine-bowl: wave", self.wave, f"a number in [0, {_WAVIEST}]")
        self.require_positive("weight")
        self.tilts = tilts(self.N, self.d, self.zeta)
        self.x_star = np.zeros(self.d)

    @property
    def convex(self) -> bool:
        """Whether the sine is weak enough."""
        return self.wave <= 1

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x), phi' = 2 z + wave sin 2z."""
        slope: Array = self.weight * (2 * x + self.wave * np.sin(2 * x))
        return slope

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f + a_i."""
        g = self.mean_gradient(x)
        if self.zeta:
            g += self.of_clients(self.tilts, clients)
        return g

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c)."""
        total: Array = self.weight * (x * x + self.wave * np.sin(x) ** 2).sum(axis=(1, 2))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, mu_PL, f_star, Delta, zeta and zeta_pair; mu for wave < 1; no G_inf."""
        origin = self.everywhere(0.0)
        strength, at = self._steepness
        low = self.weight * 2 * (1 - self.wave)
        return {
            **self.noise.samples(exact(self.weight * 2 * (1 + self.wave), "phi'' peaks at 0", origin), None, None),
            **tilt_constants(self.tilts, self.zeta, self.start),
            "G_inf": None,
            "G_rms": None,
            "mu": exact(low, "phi'' is lowest at pi/2", self.everywhere(np.pi / 2)) if low > 0 else None,
            "mu_PL": exact(self.weight * strength, "minimised in one variable, to rounding", self.everywhere(at)),
            "f_star": exact(0.0, "phi >= 0 = phi(0) and tilts cancel", origin),
            "Delta": self.gap(),
        }

    @cached_property
    def _steepness(self) -> tuple[float, float]:
        """Return inf phi'^2/(2 phi) and where it is; at 0 the limit is phi''(0) = 2 + 2 wave, at infinity 2."""

        def negative(z: Array) -> Array:
            slope, height = 2 * z + self.wave * np.sin(2 * z), z * z + self.wave * np.sin(z) ** 2
            shares: Array = -(slope**2) / (2 * height)
            return shares

        top, at = peak(negative, np.linspace(1e-3, _REACH, 50_001))
        return (-top, at) if -top < 2 else (2.0, at)
