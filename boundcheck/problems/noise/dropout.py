"""Multiplicative noise: a sample sees the whole gradient or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require_count
from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.constants import Constant
from boundcheck.problems.noise.base import Noise, every_choice

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Token, Words


class DropoutNoise(Noise):
    """Multiplicative noise: the sample gradient is `odds` times the exact one with probability 1/odds, else 0.

    Its variance is (odds - 1) |grad f_i(x)|^2.  So sigma exists on all of R^d only where gradients are bounded, by
    G say, and then is G sqrt(odds - 1); elsewhere the same formula holds on any region with G its largest gradient.
    """

    kind = "dropout"
    white = False

    def __init__(self, odds: int, d: int) -> None:
        require_count(odds, "odds", 2)
        super().__init__(0.0, d)
        self.odds = int(odds)
        self.second_moment_factor = float(odds)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample, which is kept when the word is a multiple of `odds`."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the factors, averaged over `b` samples, shape (lanes, clients, 1)."""
        return self._factors(draw_indices(raw, self.odds, (len(raw), b, clients))).mean(axis=1)

    def _factors(self, chosen: Indices) -> Array:
        return np.where(chosen == 0, float(self.odds), 0.0)[..., None]

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Multiply by the factors."""
        g *= token
        return g

    @property
    def sup(self) -> float:
        raise self._relative()

    @property
    def curvature(self) -> float:
        raise self._relative()

    def support(self, x: Array) -> Array:
        """Refuse, see `around`."""
        raise self._relative()

    def _relative(self) -> NotApplicableError:
        return NotApplicableError("dropout noise is relative to the gradient: it has no size of its own")

    def around(self, g: Array, x: Array) -> Array:
        """Return odds times the gradient once, and odds - 1 times zero."""
        return self._factors(np.arange(self.odds)) * g

    def every(self, clients: int) -> Token:
        """Return all joint choices of the factors."""
        return self._factors(every_choice(self.odds, clients))

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return odds L."""
        return Constant(self.odds * smooth.value, smooth.kind, f"{smooth.reason}, times the odds", smooth.at)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return sqrt(odds) L: the square of the factor has mean odds."""
        total = float(np.sqrt(self.odds)) * smooth.value
        return Constant(total, smooth.kind, f"{smooth.reason}, times the root of the odds", smooth.at)

    def sample_coordinate(self, coordinate: Constant) -> Constant:
        """Return odds times the largest coordinate."""
        total = self.odds * coordinate.value
        return Constant(total, coordinate.kind, f"{coordinate.reason}, times odds", coordinate.at)

    def deviation(self, norm: Constant | None) -> Constant | None:
        """Return sqrt(odds - 1) times the largest gradient; None where gradients are unbounded."""
        if norm is None:
            return None
        value = norm.value * float(np.sqrt(self.odds - 1))
        return Constant(value, norm.kind, f"sqrt(odds - 1) times the largest gradient: {norm.reason}", norm.at)
