"""Ridges bent up on one client and down on another: heterogeneity that grows with |x| without bound."""

from __future__ import annotations

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import largest_pair, sign_pattern, tilts
from boundcheck.problems.synthetic.separable import Separable


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

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        link: str = "ratio",
        weight: float = 1.0,
        scale: float = 1.0,
        centre: float = 0.0,
        bend: float = 0.5,
        zeta: float = 0.0,
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
    ) -> None:
        super().__init__(
            N=N,
            d=d,
            link=link,
            weight=weight,
            scale=scale,
            sigma=sigma,
            noise=noise,
            omega=omega,
            odds=odds,
            start=start,
        )
        require(bend >= 0, "ridge-bend: bend", bend, "a number >= 0")
        self.centre = float(centre)
        self.shifts = np.full((N, d), self.centre)
        self.bends = bend * sign_pattern(N) if N > 1 else np.zeros(N)
        self.tilts = tilts(N, d, zeta)

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, f_star and Delta; zeta, zeta_pair and G_inf only without bend."""
        bend = float(self.bends.max())
        low = self.weight / self.scale**2 * self.link.low_curvature
        if self.sharp + bend >= bend - low:
            at, why = self.link.curvature_at, "the highest curvature of the ridge, plus the bend"
        else:
            at, why = self.link.low_at, "the lowest curvature of the ridge, less the bend"
        smooth = exact(max(self.sharp, -low) + bend, why, self.everywhere(self.centre + self.scale * at))
        floor_at = self.everywhere(self.centre + self.scale * self.link.floor_at)
        found = {
            **self.sampled(smooth, None, None),
            "f_star": exact(0.0, "inf phi = 0; bends and tilts cancel", floor_at),
            "Delta": self.gap(),
        }
        if not bend:
            size = float(np.sqrt((self.tilts**2).sum(axis=1).mean()))
            found["zeta"] = exact(size, "clients differ by their tilts alone", self.start)
            found["zeta_pair"] = exact(largest_pair(self.tilts), "clients differ by their tilts alone", self.start)
        return found
