"""What the ridge families with client-dependent shapes share: coordinates do not interact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.links import link_named
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.steepness import steepest_mean, total_square

if TYPE_CHECKING:
    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Array, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class Separable(NoisyFormula):
    """f_i(x) = sum_c a_ic weight phi((x_c - b_ic)/scale) + <h_i, x> + e_i |x|^2 / 2.

    Subclasses choose the tables after `__post_init__` has set them to 1, 0, 0 and 0, and know f_star and zeta.

    Attributes
    ----------
    shares, shifts, tilts : Array
        a, b and h (N, d).
    bends : Array
        e (N,).
    steep, sharp : float
        Suprema of slope and curvature of ``weight phi(x/scale)``.
    """

    lane_tables: ClassVar = {"shares": "", "shifts": "", "tilts": "", "bends": ""}
    link: str = "ratio"
    weight: float = 1.0
    scale: float = 1.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("weight", "scale")
        self.phi = link_named(self.link)
        self.steep = self.weight / self.scale * self.phi.sup_slope
        self.sharp = self.weight / self.scale**2 * self.phi.sup_curvature
        self.shares = np.ones((self.N, self.d))
        self.shifts = np.zeros((self.N, self.d))
        self.tilts = np.zeros((self.N, self.d))
        self.bends = np.zeros(self.N)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return a_i weight phi'((x - b_i)/scale)/scale + h_i + e_i x."""
        g = self.phi.slope((x - self.of_clients(self.shifts, clients)) / self.scale, self.weight / self.scale)
        g *= self.of_clients(self.shares, clients)
        g += self.of_clients(self.tilts, clients)
        g += self.of_clients(self.bends, clients)[..., None] * x
        return g

    def value(self, x: Array) -> Array:
        """Return the client average of the ridges; tilts and bends cancel."""
        ridges = self.phi.value((x - self.shifts) / self.scale)
        total: Array = self.weight * (self.shares * ridges).mean(axis=1).sum(axis=-1)
        return total

    def mean_ridges(self) -> tuple[Array, Array, Array]:
        """Return shares >= 0 (n, d), centres (n, d) and widths (d,) of ridges whose average has the slopes of f."""
        return self.weight * self.shares, self.shifts, np.full(self.d, self.scale)

    def gradient_ceiling(self) -> Constant | None:
        if not np.isfinite(self.phi.sup_slope):
            return None
        shares, centres, widths = self.mean_ridges()
        return total_square(
            [steepest_mean(self.phi, shares[:, c], centres[:, c], float(widths[c])) for c in range(self.d)]
        )

    def require_even(self) -> None:
        """Refuse links that are not even, and those that are not lowest at 0."""
        require(self.phi.rises, f"{self.family}: link", self.phi.name, "an even function, lowest at 0")
