"""Clients with log-cosh functions of different reach: almost linear over very different distances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.arrays import rows_of
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.links import LINKS
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import kinds, variance
from boundcheck.problems.synthetic.onedim import peak

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_LOG_COSH = LINKS["log-cosh"]


@dataclass(kw_only=True, eq=False, repr=False)
class LogCoshClients(NoisyFormula):
    """f_i(x) = height (s^2/h) log cosh(h (x - p)/s) - constant, d = 1, with (s, h, p) of two kinds of clients in turn.

    The slope is height s tanh(h (x-p)/s), so a client pulls with at most height s and has curvature height h at p.
    The constants make every client 0 at the minimiser of f, so that f_star = 0 and small gaps are exact.

    Parameters
    ----------
    N : int
        Clients; even ones have s1, h1, p1 and odd ones s2, h2, p2.
    height : float
        Scale of f.
    s1, h1, p1, s2, h2, p2 : float
        Slope bound, curvature and centre of the two kinds.
    start : float
        x_0 less the minimiser of f.
    sigma, noise, omega, odds
        As for `boundcheck.problems.synthetic.ridge.Ridge`.

    Attributes
    ----------
    x_star : Array
        The minimiser of f, a point.
    lowest : float
        Its coordinate.
    """

    family = "log-cosh"
    d: int = field(default=1, init=False)
    height: float = 1.0
    s1: float = 1.0
    h1: float = 1.0
    p1: float = 0.0
    s2: float = 1.0
    h2: float = 0.5
    p2: float = -2.0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("height", "s1", "h1", "s2", "h2")
        second = np.arange(self.N)[:, None] % 2 == 1
        self.pulls = np.where(second, self.s2, self.s1)
        self.bends = np.where(second, self.h2, self.h1)
        self.centres = np.where(second, self.p2, self.p1)
        self.lowest = self._minimiser()
        self.x_star = np.array([self.lowest])
        self.start = self.x_star + start

    def _minimiser(self) -> float:
        """Return the zero of the increasing function grad f, by bisection to rounding."""
        low, high = float(self.centres.min()), float(self.centres.max())
        for _ in range(200):
            middle = (low + high) / 2
            if self.mean_gradient(np.full((1, 1, 1), middle))[0, 0, 0] > 0:
                high = middle
            else:
                low = middle
        return high

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return height s_i tanh(h_i (x - p_i)/s_i)."""
        rows = rows_of(clients)
        pulls, bends, centres = self.pulls[rows], self.bends[rows], self.centres[rows]
        return _LOG_COSH.slope(bends * (x - centres) / pulls, self.height) * pulls

    def value(self, x: Array) -> Array:
        """Return the client average, 0 at the minimiser."""
        rate = self.bends / self.pulls
        rise = _rise(rate * (self.lowest - self.centres), rate * (x - self.lowest))
        total: Array = self.height * (self.pulls / rate * rise).mean(axis=(1, 2))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        sharpest, strongest = int(self.bends.argmax()), int(self.pulls.argmax())
        smooth = exact(self.height * self.bends.max(), "curvature at the centre", self.centres[sharpest])
        reach = self.centres[strongest] + 20.0 * self.pulls[strongest] / self.bends[strongest]
        pull = exact(self.height * self.pulls.max(), "limit of the slope, reached to rounding", reach)
        firsts, shares = kinds(np.arange(self.N) % 2)

        def slopes(z: Array) -> Array:
            """Return those of a client of each kind, shape (kinds, n)."""
            found: Array = self.exact_gradient(z[:, None, None], np.tile(firsts, (len(z), 1)))[..., 0].T
            return found

        # The slopes are constant between the centres' surroundings, each at its own scale.
        steps = np.linspace(-25.0, 25.0, 10_001)
        grid = np.unique(self.centres[firsts] + self.pulls[firsts] / self.bends[firsts] * steps)
        spread, at = peak(lambda z: variance(slopes(z), shares), grid)
        widest, pair_at = peak(lambda z: np.ptp(slopes(z), axis=0), grid)
        return {
            **self.noise.samples(smooth, pull, pull),
            "zeta": exact(np.sqrt(spread), "maximised in one variable, to rounding", np.array([at])),
            "zeta_pair": exact(widest, "maximised in one variable, to rounding", np.array([pair_at])),
            "f_star": exact(0.0, "f is convex, and its value counts from the minimum", self.x_star),
            "Delta": self.gap(),
        }

    @property
    def convex(self) -> bool:
        """Whether every client is convex: they are."""
        return True

    def gradient_ceiling(self) -> Constant:
        far = float((self.centres + 20.0 * self.pulls / self.bends).max())
        total = (self.height * float(self.pulls.mean())) ** 2
        return exact(total, "all slopes at their limits, reached to rounding", np.array([far]))


def _rise(u: Array, change: Array) -> Array:
    """Return log cosh(u + change) - log cosh(u), to rounding of the difference where it is small."""
    near = np.clip(change, -1.0, 1.0)
    small = np.log1p(2 * np.sinh(near / 2) ** 2 + np.tanh(u) * np.sinh(near))
    return np.where(np.abs(change) <= 1.0, small, _LOG_COSH.value(u + change) - _LOG_COSH.value(u))
