"""Separable nonconvex functions with bounded slopes: every constant in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.heterogeneity import largest_pair, phases, tilts
from boundcheck.problems.links import link_named
from boundcheck.problems.noise import make_noise

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices


class Ridge(Problem):
    """f_i(x) = weight sum_c phi(x_c) + <a_i, x> + lam sum_c cos(x_c + p_i), with the client parts averaging to zero.

    The average function is f(x) = weight sum_c phi(x_c) whatever the heterogeneity, so f, grad f, f_star = 0 and
    Delta are exact.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : {'ratio', 'log', 'cosine'}
        phi(z) = z^2/(1+z^2), log(1+z^2) or 1-cos z.
    weight : float
        Scale of f.
    zeta : float
        Heterogeneity, met exactly: mean_i |grad f_i - grad f|^2 = zeta^2.
    heterogeneity : {'tilt', 'phase'}
        Linear tilts a_i (the same difference at every x) or waves of shifted phase (it turns with x).
    sigma : float
        Noise of one sample, met exactly.
    noise : {'signs', 'phases', 'none'}
        Random signs (independent of x) or random phases (changing with x at frequency `omega`).
    start : float
        Every coordinate of x_0.
    """

    family = "ridge"

    def __init__(
        self,
        *,
        N: int,
        d: int = 16,
        link: str = "ratio",
        weight: float = 1.0,
        zeta: float = 0.0,
        heterogeneity: str = "tilt",
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        start: float = 1.0,
    ) -> None:
        require_count(d, "ridge: d")
        require(weight > 0, "ridge: weight", weight, "a number > 0")
        require(heterogeneity in {"tilt", "phase"}, "ridge: heterogeneity", heterogeneity, "tilt or phase")
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=make_noise(noise, sigma, d, omega))
        self.link = link_named(link)
        self.weight = float(weight)
        self.zeta = float(zeta)
        self.tilts = tilts(N, d, zeta if heterogeneity == "tilt" else 0.0)
        self.lam, self.angles = phases(N, d, zeta if heterogeneity == "phase" else 0.0)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return weight phi'(x) + a_i - lam sin(x + p_i)."""
        g = self.link.slope(x, self.weight)
        if self.lam:
            angles = self.angles if clients is None else self.angles[clients]
            g -= self.lam * np.sin(x + angles[..., None])
        elif self.zeta:
            g += self.tilts if clients is None else self.tilts[clients]
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the client parts cancel."""
        return self.link.slope(x, self.weight)

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c)."""
        total: Array = self.weight * self.link.value(x).sum(axis=(1, 2))
        return total

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, sigma, zeta, zeta_pair, G_inf, f_star and Delta."""
        smooth = self._smoothness()
        grow = self.noise.curvature
        sample = Constant(smooth.value + grow, smooth.kind, f"{smooth.reason}; noise peaks too", smooth.at)
        return {
            "L": smooth,
            "L_sample": sample if grow else smooth,
            "sigma": exact(self.noise.sigma, f"{self.noise.kind} noise has this norm at every x"),
            "zeta": exact(self.zeta, "the client parts have this mean square", self._widest()),
            "zeta_pair": self._pairs(),
            "G_inf": self._largest_coordinate(),
            "f_star": exact(0.0, "phi >= 0 = phi(0) and the client parts average to zero", np.zeros(self.d)),
            "Delta": exact(self.value(self.start[None, None, :])[0], "f(x_0) - 0 in closed form", self.start),
        }

    def _widest(self) -> Array:
        return np.full(self.d, np.pi / 2)

    def _smoothness(self) -> Constant:
        peak = self.weight * self.link.sup_curvature
        if not self.lam:
            return exact(peak, f"sup |phi''| = {self.link.sup_curvature:g} at x = 0", np.zeros(self.d))
        total = peak + self.lam
        if self.N % 2 == 0:
            return exact(total, "phi'' and the wave of phase pi both peak at x = 0", np.zeros(self.d))
        missed = self.lam * (1 - np.cos(np.pi / self.N))
        return upper(total, f"for odd N no wave peaks where phi'' does: loose by at most {missed:.3g}")

    def _pairs(self) -> Constant:
        if not self.lam:
            return exact(largest_pair(self.tilts), "tilts differ by the same vector at every x", self.start)
        widest = np.abs(np.sin(self.angles / 2)).max()
        return exact(
            2 * self.lam * widest * np.sqrt(self.d), "waves of the most distant phases, where they differ most"
        )

    def _largest_coordinate(self) -> Constant:
        slope = self.weight * self.link.sup_slope
        total = slope + float(np.abs(self.tilts).max()) + self.lam + self.noise.sup
        if self.lam or self.noise.curvature:
            return upper(total, "suprema of the slope, the client wave and the noise added; they need not meet")
        return exact(total, "slope, largest tilt and noise align (phi' is odd, signs are symmetric)")
