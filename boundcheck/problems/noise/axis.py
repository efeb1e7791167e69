"""Random signs along one coordinate: noise that leaves the others alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.noise.base import PointNoise
from boundcheck.problems.noise.signs import SignNoise

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token, Words


class AxisNoise(PointNoise):
    """A random sign of size sigma along the last coordinate."""

    kind = "signs along one coordinate"
    white = False

    def __init__(self, sigma: float, d: int) -> None:
        super().__init__(sigma, d)
        self._along = SignNoise(sigma, 1)
        self.norms = self._along.norms

    def words(self, clients: int, b: int) -> int:
        """Return one bit a sample, rounded up to whole words."""
        return self._along.words(clients, b)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` signs along the last coordinate, shape (lanes, clients, d)."""
        return self._embed_signs(self._along.token(raw, clients, b))

    @property
    def sup(self) -> float:
        """Sigma."""
        return self.sigma

    def support(self, x: Array) -> Array:
        """Return the two outcomes."""
        return self._embed_signs(self._along.support(x[..., -1:]))

    def every(self, clients: int) -> Token:
        """Return all 2^clients patterns."""
        return self._embed_signs(self._along.every(clients))

    def _embed_signs(self, signs: Array) -> Array:
        return np.concatenate([np.zeros((*signs.shape[:-1], self.d - 1)), signs], axis=-1)
