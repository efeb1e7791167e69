"""Array operations in which no lane can influence another."""

from __future__ import annotations

import math
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


def drawn(words: Words, choices: Indices | int, shape: tuple[int, ...]) -> Indices:
    """Return one of `choices` equally likely numbers for each random word.

    A 64-bit word modulo n is uniform up to n/2^64, which no statistic of ours can see.
    """
    among = np.uint64(choices) if isinstance(choices, (int, np.integer)) else choices.astype(np.uint64)
    return (words.reshape(shape) % among).astype(np.intp)


def picked(table: Array, owner: Indices, row: Indices) -> Array:
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


def combined(rows: Array, weights: Array) -> Array:
    """Return the sum over drawn rows (..., b, d) times their weights (..., b), shape (..., d); may use up `rows`."""
    if rows.shape[-2] > 1:
        return matvec_transposed(rows, weights)
    single: Array = rows[..., 0, :]
    single *= weights
    return single


_TILE = 8
"""Vectors in one product with a matrix that they have in common.

A product of a tile and a matrix is one of full matrices, two to three times as fast as one a vector.  All tiles have
one shape, the last is filled up with zeros: no vector's sum depends on how many there are or on its place among them.
"""


def _filled(x: Array) -> Array:
    """Return vectors (n, ...) with zeros up to a multiple of a tile."""
    missing = -len(x) % _TILE
    if not missing:
        return x
    filled = np.zeros_like(x, shape=(len(x) + missing, *x.shape[1:]))
    filled[: len(x)] = x
    return filled


def products(x: Array, matrix: Array) -> Array:
    """Return the products of vectors (..., k) with one matrix (k, n), shape (..., n)."""
    rows = _filled(x.reshape(-1, x.shape[-1]))
    found: Array = np.matmul(rows.reshape(-1, _TILE, x.shape[-1]), matrix)
    return found.reshape(len(rows), -1)[: math.prod(x.shape[:-1])].reshape(*x.shape[:-1], -1)


def tiled(x: Array) -> Array:
    """Return points (lanes, clients, d) as tiles (tiles, clients, 8, d), for products with a matrix a client."""
    filled = _filled(x)
    return np.swapaxes(filled.reshape(-1, _TILE, *x.shape[1:]), 1, 2)


def untiled(x: Array, lanes: int) -> Array:
    """Return the vectors (lanes, clients, n) that stand in tiles (tiles, clients, 8, n)."""
    return np.swapaxes(x, 1, 2).reshape(-1, x.shape[1], x.shape[3])[:lanes]


def matvec(matrices: Array, x: Array) -> Array:
    """Return the products of matrices (..., n, d) and vectors (..., d), one a lane and client, shape (..., n).

    A product whose rows are lanes would sum in an order that depends on how many lanes there are.
    """
    product: Array = np.matmul(matrices, x[..., None])[..., 0]
    return product


def matvec_transposed(matrices: Array, y: Array) -> Array:
    """Return the products of transposed matrices (..., n, d) and vectors (..., n), likewise, shape (..., d)."""
    return matvec(np.swapaxes(matrices, -1, -2), y)
