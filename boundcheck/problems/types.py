"""What problems, their noise and methods exchange: arrays, client numbers, random words and minibatches."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Words: TypeAlias = NDArray[np.uint64]
Token: TypeAlias = Any
"""A drawn minibatch: opaque to methods, evaluated at any point by `Problem.gradient`."""


class Stream(Protocol):
    """Independent random words for every lane, whatever lanes run beside it."""

    @property
    def lanes(self) -> int:
        """Return the number of lanes."""
        ...

    def raw(self, words: int) -> Words:
        """Return the next `words` 64-bit words of every lane, shape (lanes, words)."""
        ...


def rows_of(clients: Indices | None) -> Indices | slice:
    """Return what picks the rows of these clients from a table (N, ...): all of them for None."""
    return slice(None) if clients is None else clients


def drawn(words: Words, choices: Indices | int, shape: tuple[int, ...]) -> Indices:
    """Return one of `choices` equally likely numbers for each random word.

    A 64-bit word modulo n is uniform up to n/2^64, which no statistic of ours can see.
    """
    return (words.reshape(shape) % np.asarray(choices, dtype=np.uint64)).astype(np.intp)
