"""Products of many vectors with a matrix that they have in common: fast, and the same bits in any company.

A product of a tile of eight vectors and a matrix is one of full matrices, two to three times as fast as one a vector.
All tiles have one shape, the last is filled up with zeros: no vector's sum depends on how many there are or on its
place among them.  One product with all vectors is faster still, and is taken where the library sums it in the same
order, which depends on the shape, the processor and the library, and is tried before it is relied on.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_TILE = 8
_TRIED = 2**20
"""Numbers in a matrix, and in all vectors, up to which these are tried in one product: else a tile is work enough."""


def _pad_to_tile(x: Array) -> Array:
    """Return vectors (n, ...) with zeros up to a multiple of a tile."""
    missing = -len(x) % _TILE
    if not missing:
        return x
    whole = np.zeros_like(x, shape=(len(x) + missing, *x.shape[1:]))
    whole[: len(x)] = x
    return whole


def products(x: Array, matrix: Array) -> Array:
    """Return the products of vectors (..., k) with one matrix (k, n), shape (..., n)."""
    rows = _pad_to_tile(x.reshape(-1, x.shape[-1]))
    found: Array = np.matmul(rows.reshape(-1, _width(len(rows), *matrix.shape), x.shape[-1]), matrix)
    return found.reshape(len(rows), -1)[: math.prod(x.shape[:-1])].reshape(*x.shape[:-1], -1)


def to_tiles(x: Array, n: int) -> Array:
    """Return points (lanes, clients, d) as tiles (tiles, clients, vectors, d).

    They are for products with a matrix (d, n) a client, and what comes out for products with matrices (n, d).
    """
    whole = _pad_to_tile(x)
    width = min(_width(len(whole), x.shape[2], n), _width(len(whole), n, x.shape[2]))
    return np.swapaxes(whole.reshape(-1, width, *x.shape[1:]), 1, 2)


def from_tiles(x: Array, lanes: int) -> Array:
    """Return the vectors (lanes, clients, n) that stand in tiles (tiles, clients, vectors, n)."""
    return np.swapaxes(x, 1, 2).reshape(-1, x.shape[1], x.shape[3])[:lanes]


def _width(vectors: int, k: int, n: int) -> int:
    """Return how many vectors one product with a matrix (k, n) takes: all of them, or a tile."""
    small = k * max(vectors, n) <= _TRIED
    return vectors if vectors > _TILE and small and _as_tiles(vectors, k, n) else _TILE


@cache
def _as_tiles(vectors: int, k: int, n: int) -> bool:
    """Return whether one product with a matrix (k, n), row after row or transposed, sums as those of tiles do."""
    rng = np.random.default_rng(0)
    # Rows that do not follow one another, as those of one client.
    x = rng.standard_normal((vectors, 2, k))[:, 0]
    by_column = rng.standard_normal((n, k)).T
    return all(
        np.array_equal(np.matmul(x, matrix), np.matmul(x.reshape(-1, _TILE, k), matrix).reshape(vectors, n))
        for matrix in (by_column, np.ascontiguousarray(by_column))
    )
