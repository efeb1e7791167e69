"""What the ridge families with client-dependent shapes share: coordinates do not interact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.links import link_named
from boundcheck.problems.noise.models import make_noise

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices


class Separable(Problem):
    """f_i(x) = sum_c a_ic weight phi((x_c - b_ic)/scale) + <h_i, x> + e_i |x|^2 / 2.

    Subclasses choose the tables after this constructor has set them to 1, 0, 0 and 0, and know f_star and zeta.

    Attributes
    ----------
    shares, shifts, tilts : Array
        a, b and h (N, d).
    bends : Array
        e (N,).
    steep, sharp : float
        Suprema of slope and curvature of ``weight phi(x/scale)``.
    """

    def __init__(
        self,
        *,
        N: int,
        d: int,
        link: str,
        weight: float,
        scale: float,
        sigma: float,
        noise: str,
        omega: float,
        odds: int,
        start: float,
    ) -> None:
        require_count(d, f"{self.family}: d")
        require(weight > 0, f"{self.family}: weight", weight, "a number > 0")
        require(scale > 0, f"{self.family}: scale", scale, "a number > 0")
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=make_noise(noise, sigma, d, omega, odds))
        self.link = link_named(link)
        self.weight, self.scale = float(weight), float(scale)
        self.steep = self.weight / self.scale * self.link.sup_slope
        self.sharp = self.weight / self.scale**2 * self.link.sup_curvature
        self.shares = np.ones((N, d))
        self.shifts = np.zeros((N, d))
        self.tilts = np.zeros((N, d))
        self.bends = np.zeros(N)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return a_i weight phi'((x - b_i)/scale)/scale + h_i + e_i x."""
        rows = slice(None) if clients is None else clients
        g = self.link.slope((x - self.shifts[rows]) / self.scale, self.weight / self.scale)
        g *= self.shares[rows]
        g += self.tilts[rows]
        g += self.bends[rows][..., None] * x
        return g

    def value(self, x: Array) -> Array:
        """Return the client average of the ridges; tilts and bends cancel."""
        ridges = self.link.value((x - self.shifts) / self.scale)
        total: Array = self.weight * (self.shares * ridges).mean(axis=1).sum(axis=-1)
        return total

    def everywhere(self, z: float) -> Array:
        """Return the point with every coordinate z."""
        return np.full(self.d, float(z))

    def gap(self) -> Constant:
        """Return Delta for f_star = 0."""
        return exact(self.value(self.start[None, None, :])[0], "f(x_0) - 0 in closed form", self.start)

    def sampled(self, smooth: Constant, coordinate: Constant | None, norm: Constant | None) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma and G_inf, as the noise turns the exact gradients' suprema into samples'."""
        found = {
            "L": smooth,
            "L_sample": self.noise.sample_smoothness(smooth),
            "L_rms": self.noise.mean_square_smoothness(smooth),
            "sigma": self.noise.deviation(norm),
            "G_inf": coordinate and self.noise.sample_coordinate(coordinate),
        }
        return {letter: constant for letter, constant in found.items() if constant is not None}

    def require_even(self) -> None:
        """Refuse links that are not even."""
        require(self.link.even, f"{self.family}: link", self.link.name, "an even function")
