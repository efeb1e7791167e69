"""Ridges centred at different points: bounded heterogeneity of value, slope and curvature at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import sign_pattern
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.base import Array


class ShiftRidge(Separable):
    """f_i(x) = weight sum_c phi((x_c - b_i)/scale), b_i = +shift, -shift, +shift, ... (0 for the last of an odd N).

    All coordinates are alike, so zeta, zeta_pair and f_star are suprema of functions of one variable, found on a grid
    and polished to rounding.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight, scale : float
        Of the ridge.
    shift : float
        Distance of the clients' centres from 0, in every coordinate.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-shift"

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        link: str = "ratio",
        weight: float = 1.0,
        scale: float = 1.0,
        shift: float = 0.5,
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
        self.require_even()
        require(shift >= 0, "ridge-shift: shift", shift, "a number >= 0")
        self.shift = float(shift) if N > 1 else 0.0
        self.shifts = np.repeat(self.shift * sign_pattern(N)[:, None], d, axis=1)
        self._grid = span(2 * self.shift + 10 * self.scale, 0.005 * self.scale)

    def _slopes(self, z: Array) -> Array:
        """Return the client slopes in one coordinate, shape (N, n)."""
        return self.link.slope((z - self.shifts[:, :1]) / self.scale, self.weight / self.scale)

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, zeta, zeta_pair, f_star and Delta, and G_inf where it is finite."""
        steepest = self.shift + self.scale * self.link.curvature_at
        smooth = exact(self.sharp, "the first client's curvature at its centre", self.everywhere(steepest))
        spread, at = peak(lambda z: self._slopes(z).var(axis=0), self._grid)
        widest, pair_at = peak(lambda z: np.ptp(self._slopes(z), axis=0), self._grid)
        minus, floor_at = peak(lambda z: -self._ridge(z), self._grid)
        floor = -minus * self.d
        initial = float(self.value(self.start[None, None, :])[0])
        polished = "maximised in one variable, to rounding; all coordinates are alike"
        return {
            **self.sampled(smooth, *self._sizes()),
            "zeta": exact(np.sqrt(self.d * spread), polished, self.everywhere(at)),
            "zeta_pair": exact(np.sqrt(self.d) * widest, polished, self.everywhere(pair_at)),
            "f_star": exact(floor, f"f {polished.replace('maxi', 'mini')}", self.everywhere(floor_at)),
            "Delta": exact(initial - floor, "f(x_0) - f_star", self.start),
            "Delta_mean": exact(initial, "f(x_0) - 0: every client has its minimum 0 at its centre", self.start),
        }

    def _ridge(self, z: Array) -> Array:
        """Return f in one coordinate."""
        ridges: Array = self.link.value((z - self.shifts[:, :1]) / self.scale).mean(axis=0)
        return self.weight * ridges

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        if not np.isfinite(self.steep):
            return None, None
        far = self.everywhere(self.shift + self.scale * self.link.slope_at)
        coordinate = exact(self.steep, "sup of the slope of the first client", far)
        return coordinate, exact(self.steep * np.sqrt(self.d), "every coordinate at its steepest", far)
