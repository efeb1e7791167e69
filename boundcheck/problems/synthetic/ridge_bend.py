"""Ridges bent up on one client and down on another: heterogeneity that grows with |x| without bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import sign_pattern, tilt_constants, tilts
from boundcheck.problems.synthetic.separable import Separable


@dataclass(kw_only=True, eq=False, repr=False)
class BendRidge(Separable):
    """f_i(x) = weight sum_c phi((x_c - centre)/scale) + e_i bend |x|^2/2 + <a_i, x>, e_i = +1, -1, ... (0 last if odd).

    The bends average to zero, so f is the ridge alone; the gradients differ by e_i bend x + a_i, which is unbounded:
    zeta and G_inf do not exist, and a theorem that needs neither must still hold.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi; half-huber is the one-sided Huber function.
    weight, scale, centre : float
        Of the ridge, whose minimum is at x_c = centre.
    bend : float
        Curvature added to one client and taken from the next.
    zeta : float
        Root mean square of the tilts a_i: heterogeneity at x = 0.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-bend"
    dials = ("centre", "bend", "zeta")
    centre: float = 0.0
    bend: float = 0.5
    zeta: float = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        require(self.bend >= 0, "ridge-bend: bend", self.bend, "a number >= 0")
        self.shifts = np.full((self.N, self.d), float(self.centre))
        self.bends = self.bend * sign_pattern(self.N) if self.N > 1 else np.zeros(self.N)
        self.tilts = tilts(self.N, self.d, self.zeta)

    def certified_constants(self) -> dict[str, Constant | None]:
        bend = float(self.bends.max())
        low = self.weight / self.scale**2 * self.phi.low_curvature
        if self.sharp + bend >= bend - low:
            at, why = self.phi.curvature_at, "the highest curvature of the ridge, plus the bend"
        else:
            at, why = self.phi.low_at, "the lowest curvature of the ridge, less the bend"
        smooth = exact(max(self.sharp, -low) + bend, why, self.everywhere(self.centre + self.scale * at))
        floor_at = self.everywhere(self.centre + self.scale * self.phi.floor_at)
        size = float(np.sqrt((self.tilts**2).sum(axis=1).mean()))
        return {
            **self.noise.samples(smooth, None, None),
            "f_star": exact(0.0, "inf phi = 0; bends and tilts cancel", floor_at),
            "Delta": self.gap(),
            **({} if bend else tilt_constants(self.tilts, size, self.start)),
        }
