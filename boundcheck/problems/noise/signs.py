"""Random signs: the default noise, one random bit a coordinate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.noise.base import PointNoise, every_choice

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token, Words

_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
_EIGHTS = _BITS.view(np.uint64)[:, 0]
"""The eight bits of every byte, a byte each, as one word."""


class SignNoise(PointNoise):
    """Independent random signs of size sigma / sqrt(d): the norm is sigma surely, the sup norm is bounded."""

    kind = "signs"
    clients_axis = 1

    def __init__(self, sigma: float, d: int) -> None:
        super().__init__(sigma, d)
        self.norms = np.array([self.sigma])
        self._table = np.where(_BITS == 1, self.sup, -self.sup)
        self._eights = _EIGHTS

    def words(self, clients: int, b: int) -> int:
        """Return one bit a coordinate, rounded up to whole words."""
        return -(-b * clients * self.d // 64)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` sign vectors, shape (lanes, clients, d)."""
        lanes, words = raw.shape
        signs = self._looked_up(raw) if type(raw) is np.ndarray else self._spread(raw)
        used = signs.reshape(lanes, words * 64)[:, : b * clients * self.d]
        if b == 1:
            return used.reshape(lanes, clients, self.d)
        return used.reshape(lanes, b, clients, self.d).mean(axis=1)

    def _looked_up(self, raw: Words) -> Array:
        """Return the signs of all bits, eight a row."""
        signs = np.empty_like(self._table, shape=(raw.size * 8, 8))
        # Bytes in little-endian order on every machine; each looks up its eight signs at once.
        bits = raw.astype("<u8", copy=False).view(np.uint8).reshape(-1)
        # A byte is never out of range; with mode="raise" numpy would fill a buffer first and copy it to `out`.
        self._table.take(bits, axis=0, out=signs, mode="clip")
        return signs

    def _spread(self, raw: Words) -> Array:
        """Return the signs of all bits, as a compiler has them soonest: it looks up words, not rows."""
        ones = self._eights.take(raw.view(np.uint8).reshape(-1), mode="clip").view(np.uint8)
        # A number of numpy's takes the precision of the run.
        plus = np.float64(self.sup)
        signs: Array = np.where(ones == 1, plus, -plus)
        return signs

    @property
    def sup(self) -> float:
        """Sigma / sqrt(d)."""
        return self.sigma / float(np.sqrt(self.d))

    def support(self, x: Array) -> Array:
        """Return the two sign vectors, which have the coordinate laws of the noise."""
        return np.stack([np.full(self.d, self.sup), np.full(self.d, -self.sup)])

    def every(self, clients: int) -> Token:
        """Return all 2^(clients d) sign patterns."""
        bits = every_choice(2, clients * self.d)
        patterns: Array = np.where(bits == 1, self.sup, -self.sup)
        return patterns.reshape(len(bits), clients, self.d)

    def every_bits(self, clients: int) -> float:
        """Return a bit a coordinate of every client."""
        return float(clients * self.d)
