"""Linear losses on an interval that come in a cycle: large and rare one way, small and frequent the other."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.base import Formula

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Stream, Token


@dataclass(kw_only=True, eq=False, repr=False)
class Cycle(Formula):
    """f_t(x) = peak x in the first of every `period` rounds, -x in the others, on the interval [-width/2, width/2].

    f is the average over one period.  All clients pay the same loss.  The method has to stay in the interval by
    itself: constants hold there.

    Parameters
    ----------
    N : int
        Clients.
    peak : float
        Slope of the rare loss, >= 1.
    period : int
        Rounds of a cycle, >= 2.
    width : float
        Of the interval.
    start : float
        x_0.
    """

    family = "online"
    d: int = 1
    peak: float = 3.0
    period: int = 3
    width: float = 2.0
    start: InitVar[float] = 0.0

    def __post_init__(self, start: float) -> None:
        super().__post_init__(start)
        require(self.d == 1, "online: d", self.d, "1")
        require(self.peak >= 1, "online: peak", self.peak, "a number >= 1")
        require_count(self.period, "online: period", 2)
        self.require_positive("width")
        half = self.width / 2
        require(abs(start) <= half, "online: start", start, f"a number in [-{half:g}, {half:g}]")
        self.radius = self.width / 2
        self._slopes = np.array([self.slope(t) for t in range(self.period)])

    def slope(self, t: int) -> float:
        """Return the slope of f_t."""
        return self.peak if t % self.period == 0 else -1.0

    @property
    def online(self) -> bool:
        """Whether round t has a loss of its own: it has."""
        return True

    @property
    def convex(self) -> bool:
        """Whether the losses are convex: they are linear."""
        return True

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the average slope over a period."""
        return np.full(x.shape, self._average)

    @property
    def _average(self) -> float:
        return (self.peak - (self.period - 1)) / self.period

    def value(self, x: Array) -> Array:
        """Return the average over a period."""
        total: Array = self._average * x.sum(axis=(1, 2))
        return total

    def loss_of_round(self, t: int, x: Array) -> Array:
        """Return f_t at server points."""
        paid: Array = self.slope(t) * x.sum(axis=(1, 2))
        return paid

    def least_loss(self, T: int) -> float:
        """Return -|sum of the slopes| width/2: a linear function is least at an end."""
        return -abs(sum(self.slope(t) for t in range(T))) * self.width / 2

    def of_round(self, t: int, shape: tuple[int, ...]) -> Token:
        """Return the sample that all clients meet in round t."""
        return np.full(shape, self.slope(t))

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Return losses of random rounds, which no run asks for: there the round decides (`of_round`)."""
        n = self.N if clients is None else clients.shape[1]
        words = stream.raw(b * n)
        slopes: Array = self._slopes[draw_indices(words, self.period, (len(words), n, b))].mean(axis=2, keepdims=True)
        return slopes

    def outcomes(self, x: Array, client: int) -> Array:
        """Return the slopes of one period."""
        return self._slopes[:, None].copy()

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        """Return the slope of the round's loss (the average one without a sample)."""
        return self.exact_gradient(x, clients) if sample is None else np.broadcast_to(sample, x.shape).copy()

    @property
    def is_noisy(self) -> bool:
        """Whether two runs differ: the losses come in a fixed order."""
        return False

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return the bounds of slopes and the width; on all of R the average has no floor."""
        return {
            "sigma": exact(float(self._slopes.std()), "spread of the slopes over a period"),
            "zeta": exact(0.0, "all clients pay the same loss"),
            "G_inf": exact(self.peak, "slope of the rare loss"),
            "D_inf": exact(self.width, "length of the interval"),
        }
