"""Random words: one stream a lane, the same bits whatever lanes, blocks or workers run beside it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array, Words

_CHUNK = 1024
"""Words a generator is asked for at once: a call costs as much as some hundred words."""

NOISE, PARTICIPATION, METHOD = 0, 1, 2
"""Roles of a lane's streams: minibatches, which clients take part, and the method's own coin flips."""


class StoredWords:
    """Words that are there, as a stream."""

    def __init__(self, words: Words) -> None:
        self._words, self._at = words, 0
        self.lanes = len(words)

    def raw(self, words: int) -> Words:
        """Return the next `words` words of every lane."""
        self._at += words
        return self._words[:, self._at - words : self._at]


class LaneStreams:
    """The random words of a block of lanes, drawn in lock-step.

    Parameters
    ----------
    seed : int
        Root seed.
    role : int
        `NOISE` or `PARTICIPATION`.
    keys : sequence of tuples of int
        One key a lane; the key alone decides the lane's numbers.
    """

    def __init__(self, seed: int, role: int, keys: Sequence[tuple[int, ...]]) -> None:
        self._seed, self._role, self._keys = seed, role, list(keys)
        self._buffer: Words = np.empty((len(keys), 0), dtype=np.uint64)
        self._at = 0
        self.words_taken = 0
        """Words of a lane that were taken so far."""

    @property
    def lanes(self) -> int:
        """Return the number of lanes."""
        return len(self._keys)

    @cached_property
    def _generators(self) -> list[np.random.PCG64DXSM]:
        # A generator a lane, keyed by what the lane is and not by its place: neighbours cannot shift its numbers.
        # Made when words are asked for: most methods flip no coins.
        seeds = (np.random.SeedSequence(self._seed, spawn_key=(self._role, *key)) for key in self._keys)
        return [np.random.PCG64DXSM(seed) for seed in seeds]

    def raw(self, words: int) -> Words:
        """Return the next `words` 64-bit words of every lane, shape (lanes, words)."""
        out = self.peek(words)
        self.skip(words)
        return out

    def peek(self, words: int) -> Words:
        """Return the words that `raw` would return, without taking them."""
        if self._at + words > self._buffer.shape[1]:
            # What is left comes first: no word is skipped, so chunks do not show in the numbers.
            fresh = [g.random_raw(max(words, _CHUNK)) for g in self._generators]
            self._buffer = np.concatenate([self._buffer[:, self._at :], np.stack(fresh)], axis=1)
            self._at = 0
        return self._buffer[:, self._at : self._at + words]

    def skip(self, words: int) -> None:
        """Take words that were peeked at."""
        self._at += words
        self.words_taken += words

    def generators(self) -> list[tuple[int, int]]:
        """Return state and increment of every lane's generator before its next word, as numbers below 2^128."""
        # Generators are ahead of what was taken by what the buffer holds.
        left = self._buffer.shape[1] - self._at
        found = []
        for generator in self._generators:
            state = generator.advance(-left).state["state"]
            generator.advance(left)
            found.append((state["state"], state["inc"]))
        return found

    def since(self, taken: int) -> int:
        """Return how many words of a lane were taken since `taken` of them were."""
        return self.words_taken - taken

    def ahead(self, steps: int, words: int) -> StoredWords:
        """Return the words of the next `steps` calls that take `words` each, a step as a lane more."""
        return StoredWords(self.peek(steps * words).reshape(-1, words))

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self._generators = [g for g, stays in zip(self._generators, lanes, strict=True) if stays]
        self._keys = [key for key, stays in zip(self._keys, lanes, strict=True) if stays]
        self._buffer = self._buffer[lanes]
