"""Array operations in which no lane can influence another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Words


def rows_of(clients: Indices | None) -> Indices | slice:
    """Return what picks the rows of these clients from a table (N, ...): all of them for None."""
    return slice(None) if clients is None else clients


def members_of(clients: Indices, lanes: Indices | Array) -> Indices:
    """Return the rows of some lanes, by number or by a mask, where lane after lane has `clients` (lanes,) rows."""
    starts, lengths = (np.cumsum(clients) - clients)[lanes], clients[lanes]
    return np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())


def draw_indices(words: Words, choices: Indices | int, shape: tuple[int, ...]) -> Indices:
    """Return one of `choices` equally likely numbers for each random word.

    A 64-bit word modulo n is uniform up to n/2^64, which no statistic of ours can see.
    """
    among = np.uint64(choices) if isinstance(choices, (int, np.integer)) else choices.astype(np.uint64)
    return (words.reshape(shape) % among).astype(np.intp)


def pick_rows(table: Array, owner: Indices, row: Indices) -> Array:
    """Return the rows `row` (lanes, clients, b) of the clients `owner` (..., clients, 1) from a table (N, m, ...)."""
    # Three times as fast as an index with two arrays; drawn rows are in range, so that nothing is clipped.
    flat = table.reshape(-1, *table.shape[2:])
    found: Array = flat.take(owner * table.shape[1] + row, axis=0, mode="clip")
    return found


def along(rows: Array, x: Array) -> Array:
    """Return the products of drawn rows (..., b, d) with points (..., d), shape (..., b)."""
    if rows.shape[-2] > 1:
        return matvec(rows, x)
    single: Array = np.vecdot(rows[..., 0, :], x)[..., None]
    return single


def combine_rows(rows: Array, weights: Array) -> Array:
    """Return the sum over drawn rows (..., b, d) times their weights (..., b), shape (..., d); may use up `rows`."""
    if rows.shape[-2] > 1:
        return matvec_transposed(rows, weights)
    single: Array = rows[..., 0, :]
    single *= weights
    return single


def matvec(matrices: Array, x: Array) -> Array:
    """Return the products of matrices (..., n, d) and vectors (..., d), one a lane and client, shape (..., n).

    A product whose rows are lanes would sum in an order that depends on how many lanes there are.
    """
    product: Array = np.matmul(matrices, x[..., None])[..., 0]
    return product


def matvec_transposed(matrices: Array, y: Array) -> Array:
    """Return the products of transposed matrices (..., n, d) and vectors (..., n), likewise, shape (..., d)."""
    return matvec(np.swapaxes(matrices, -1, -2), y)
