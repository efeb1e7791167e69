"""Spikes in one random coordinate: bounded variance, heavy tails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.noise.base import PointNoise, every_choice

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token, Words


class SparseNoise(PointNoise):
    """A spike in one random coordinate: +-sigma sqrt(rarity) with probability 1/rarity, else nothing.

    Mean 0 and covariance sigma^2/d I exactly, as for signs, but the sup norm is sqrt(d rarity) times larger: the
    variance is bounded and the tails are as heavy as this allows.
    """

    def __init__(self, sigma: float, d: int, rarity: int = 1) -> None:
        super().__init__(sigma, d)
        self.rarity = rarity
        self.kind = "sparse" if rarity == 1 else "spikes"
        spikes = self.sup * np.eye(d)
        self._outcomes = np.concatenate([spikes, -spikes, np.zeros((2 * d * (rarity - 1), d))])
        self.norms = np.linalg.norm(self._outcomes, axis=1)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample, which decides the outcome."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` spikes, shape (lanes, clients, d)."""
        return self._outcomes[draw_indices(raw, len(self._outcomes), (len(raw), b, clients))].mean(axis=1)

    @property
    def sup(self) -> float:
        """Sigma sqrt(rarity)."""
        return self.sigma * float(np.sqrt(self.rarity))

    def support(self, x: Array) -> Array:
        """Return the 2 d rarity outcomes."""
        return self._outcomes

    def every(self, clients: int) -> Token:
        """Return all joint choices of the outcomes."""
        return self._outcomes[every_choice(len(self._outcomes), clients)]

    def every_bits(self, clients: int) -> float:
        """Return the bits of one outcome, a client each."""
        return clients * math.log2(len(self._outcomes))
