"""Array operations in which no lane can influence another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Words


def rows_of(clients: Indices | None) -> Indices | slice:
    """Return what picks the rows of these clients from a table (N, ...): all of them for None."""
    return slice(None) if clients is None else clients


def drawn(words: Words, choices: Indices | int, shape: tuple[int, ...]) -> Indices:
    """Return one of `choices` equally likely numbers for each random word.

    A 64-bit word modulo n is uniform up to n/2^64, which no statistic of ours can see.
    """
    among = np.uint64(choices) if isinstance(choices, (int, np.integer)) else choices.astype(np.uint64)
    return (words.reshape(shape) % among).astype(np.intp)


def matvec(matrices: Array, x: Array) -> Array:
    """Return the products of matrices (..., n, d) and vectors (..., d), one a lane and client, shape (..., n).

    A product whose rows are lanes would sum in an order that depends on how many lanes there are.
    """
    product: Array = np.matmul(matrices, x[..., None])[..., 0]
    return product


def matvec_transposed(matrices: Array, y: Array) -> Array:
    """Return the products of transposed matrices (..., n, d) and vectors (..., n), likewise, shape (..., d)."""
    return matvec(np.swapaxes(matrices, -1, -2), y)
