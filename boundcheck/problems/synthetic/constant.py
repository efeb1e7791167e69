"""Clients with constant gradients: a minority against a majority."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.arrays import rows_of
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.links import LINKS
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import largest_pair

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_ROOT = LINKS["pseudo-huber"]


@dataclass(kw_only=True, eq=False, repr=False)
class ConstantClients(NoisyFormula):
    """f_i(x) = g_i sum_c x_c + weight sum_c (sqrt(1+x_c^2) - 1), g_i = majority, for the last client minority.

    With weight = 0 every client's gradient is the same at every point, which isolates what a method does to
    gradients from what they do to the iterate.  f is bounded below iff |mean_i g_i| < weight (or both vanish):
    otherwise f_star and Delta are missing.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    majority, minority : float
        The gradient of clients 0..N-2 and of client N-1, in every coordinate.
    weight : float
        Of the bowl, >= 0.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "constant"
    d: int = 1
    majority: float = 1.0
    minority: float = 0.0
    weight: float = 0.0
    start: InitVar[float] = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        require(self.weight >= 0, "constant: weight", self.weight, "a number >= 0")
        self.pulls = np.full((self.N, 1), float(self.majority))
        self.pulls[-1] = self.minority
        self.mean_pull = float(self.pulls.mean())

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return g_i + weight x/sqrt(1+x^2)."""
        g = _ROOT.slope(x, self.weight)
        g += self.pulls[rows_of(clients)]
        return g

    def value(self, x: Array) -> Array:
        total: Array = (self.mean_pull * x + self.weight * _ROOT.value(x)).sum(axis=(1, 2))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        origin = np.zeros(self.d)
        smooth = exact(self.weight, "the bowl bends most at 0, the rest is linear", origin)
        largest = int(np.abs(self.pulls).argmax())
        far = np.full(self.d, np.copysign(_ROOT.slope_at, self.pulls[largest, 0]))
        top = float(np.abs(self.pulls).max()) + self.weight
        coordinate = exact(top, "largest constant, and the limit of the bowl's slope", far)
        norm = exact(top * np.sqrt(self.d), coordinate.reason, far)
        flat = np.broadcast_to(self.pulls, (self.N, self.d))
        return {
            **self.noise.samples(smooth, None, norm),
            "zeta": exact(float(np.sqrt(flat.var(axis=0).sum())), "the same at every x", origin),
            "zeta_pair": exact(largest_pair(flat), "the same at every x", origin),
            "G_inf": self.noise.sample_coordinate(coordinate),
            **self._floor(),
        }

    def gradient_ceiling(self) -> Constant:
        total = self.d * (abs(self.mean_pull) + self.weight) ** 2
        far = np.full(self.d, np.copysign(_ROOT.slope_at, self.mean_pull))
        return exact(total, "the mean constant, and the limit of the bowl's slope", far)

    def _floor(self) -> dict[str, Constant | None]:
        pull, weight = self.mean_pull, self.weight
        if abs(pull) >= weight and (pull or weight):
            return {}
        depth = float(np.sqrt(weight**2 - pull**2))
        floor = self.d * (depth - weight)
        at = np.full(self.d, -pull / depth if depth else 0.0)
        return {
            "f_star": exact(floor, "where the bowl's slope cancels the mean constant", at),
            "Delta": self.gap(floor, "f(x_0) - f_star in closed form"),
        }
