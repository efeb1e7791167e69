"""Ridges centred at different points: bounded heterogeneity of value, slope and curvature at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import kinds, sign_pattern, variance
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.types import Array


@dataclass(kw_only=True, eq=False, repr=False)
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
    shift: float = 0.5

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_even()
        require(self.shift >= 0, "ridge-shift: shift", self.shift, "a number >= 0")
        self.shift = float(self.shift) if self.N > 1 else 0.0
        self.shifts = np.repeat(self.shift * sign_pattern(self.N)[:, None], self.d, axis=1)
        self._grid = span(2 * self.shift + 10 * self.scale, 0.005 * self.scale)

    def certified_constants(self) -> dict[str, Constant | None]:
        firsts, shares = kinds(self.shifts[:, 0])

        def slopes(z: Array) -> Array:
            """Return those of a client of each kind in one coordinate, shape (kinds, n)."""
            return self.phi.slope((z - self.shifts[firsts, :1]) / self.scale, self.weight / self.scale)

        def ridge(z: Array) -> Array:
            """Return f in one coordinate."""
            mean: Array = shares @ self.phi.value((z - self.shifts[firsts, :1]) / self.scale)
            return self.weight * mean

        steepest = self.shift + self.scale * self.phi.curvature_at
        smooth = exact(self.sharp, "the first client's curvature at its centre", self.everywhere(steepest))
        spread, at = peak(lambda z: variance(slopes(z), shares), self._grid)
        widest, pair_at = peak(lambda z: np.ptp(slopes(z), axis=0), self._grid)
        minus, floor_at = peak(lambda z: -ridge(z), self._grid)
        floor = -minus * self.d
        polished = "maximised in one variable, to rounding; all coordinates are alike"
        return {
            **self.noise.samples(smooth, *self._sizes()),
            "zeta": exact(np.sqrt(self.d * spread), polished, self.everywhere(at)),
            "zeta_pair": exact(np.sqrt(self.d) * widest, polished, self.everywhere(pair_at)),
            "f_star": exact(floor, f"f {polished.replace('maxi', 'mini')}", self.everywhere(floor_at)),
            "Delta": self.gap(floor, "f(x_0) - f_star"),
            "Delta_mean": self.gap(0.0, "f(x_0) - 0: every client has its minimum 0 at its centre"),
        }

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        if not np.isfinite(self.steep):
            return None, None
        far = self.everywhere(self.shift + self.scale * self.phi.slope_at)
        coordinate = exact(self.steep, "sup of the slope of the first client", far)
        return coordinate, exact(self.steep * np.sqrt(self.d), "every coordinate at its steepest", far)
