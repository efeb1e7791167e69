"""Tilted ridges whose clients have weights: f = sum_i p_i f_i."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import exact
from boundcheck.problems.synthetic.ridge import Ridge

if TYPE_CHECKING:
    from boundcheck.problems.constants import Constant


@dataclass(kw_only=True, eq=False, repr=False)
class WeightedRidge(Ridge):
    """f_i(x) = weight sum_c phi(x_c) + <h_i, x> with weights p_i in proportion to 1 + skew i/(N - 1).

    sum_i p_i h_i = 0 and sum_i p_i |h_i|^2 = zeta^2, so that f is the ridge and zeta is exact at every x.

    Parameters
    ----------
    skew : float
        The last client weighs 1 + skew times as much as the first.
    N, d, link, weight, zeta, sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`, whose clients are tilted here.
    """

    family = "ridge-weighted"
    skew: float = 3.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        require(self.skew > -1, "ridge-weighted: skew", self.skew, "a number above -1")
        require(self.heterogeneity == "tilt", "ridge-weighted: heterogeneity", self.heterogeneity, "tilt")
        p = 1.0 + self.skew * np.arange(self.N) / max(self.N - 1, 1)
        self.client_weights = p / p.sum()
        if self.zeta:
            leaning = self.tilts / self.client_weights[:, None]
            self.tilts = leaning * (self.zeta / np.sqrt(self.client_weights @ (leaning**2).sum(axis=1)))

    def _client_gap(self) -> Constant | None:
        """Return Delta_mean of equal clients; else it is not known."""
        return (
            None
            if self.zeta
            else exact(self.initial_value, "all clients are alike", self.everywhere(self.phi.floor_at))
        )
