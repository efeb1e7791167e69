"""Spikes in one random coordinate: bounded variance, heavy tails."""

from __future__ import annotations

import numpy as np

from boundcheck.problems.noise.base import ListedNoise


class SparseNoise(ListedNoise):
    """A spike in one random coordinate: +-sigma sqrt(rarity) with probability 1/rarity, else nothing.

    Mean 0 and covariance sigma^2/d I exactly, as for signs, but the sup norm is sqrt(d rarity) times larger: the
    variance is bounded and the tails are as heavy as this allows.
    """

    def __init__(self, sigma: float, d: int, rarity: int = 1) -> None:
        self.rarity = rarity
        self.kind = "sparse" if rarity == 1 else "spikes"
        spikes = float(sigma) * float(np.sqrt(rarity)) * np.eye(d)
        super().__init__(sigma, np.concatenate([spikes, -spikes, np.zeros((2 * d * (rarity - 1), d))]))

    @property
    def sup(self) -> float:
        """Sigma sqrt(rarity)."""
        return self.sigma * float(np.sqrt(self.rarity))
