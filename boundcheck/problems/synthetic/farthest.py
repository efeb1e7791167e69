"""The two clients that are furthest apart, without looking at all pairs and without an array of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.problems.types import Array, Indices

Distances: TypeAlias = "Callable[[Indices, Indices], Array]"
"""Row numbers (n,) and (m,) to the distances (n, m) between these rows; a metric."""
_NUMBERS = 1_000_000
"""Most numbers in one array of differences, 8 MB: larger ones leave the cache."""
_ROWS = 256
"""Most rows of a block."""
_ROUNDING = 1.0 + 1e-7
"""What a bound is widened by, so that its rounding rules nothing out."""
_DIRECT = 20_000_000
"""Most numbers in all differences of pairs together that are computed as such."""


def farthest(places: Array, distances: Distances, width: int | None = None) -> tuple[int, int]:
    """Return two row numbers i < j (0, 0 of a single row) whose distance is the largest.

    Rows are put into blocks of neighbours.  By the triangle inequality no pair out of two blocks is further apart than
    one row of each plus the radii about these; blocks for which that is less than a pair already found are left out.
    So the answer is exact, and quick where distances of many pairs are clearly smaller.

    Parameters
    ----------
    places : Array
        Numbers (N, k) that are near each other for rows that are; they decide how quick it is, and nothing else.
    distances : callable
        The metric.
    width : int, optional
        Numbers that a pair takes while its distance is computed; by default k.
    """
    size = int(np.clip(np.sqrt(_NUMBERS / max(places.shape[1] if width is None else width, 1)), 1, _ROWS))
    blocks = list(_blocks(places, np.arange(len(places)), size))
    middles = np.array([block[_middle(places[block])] for block in blocks])
    radii = np.array([distances(middles[b : b + 1], block).max() for b, block in enumerate(blocks)])
    apart = np.concatenate(
        [_distances_to(distances, middles[i : i + size], middles, size) for i in _steps(middles, size)]
    )
    reach = (apart + radii[:, None] + radii) * _ROUNDING
    best, pair = -1.0, (0, 0)
    for a, b in _descending(reach):
        if reach[a, b] < best:
            break
        between = distances(blocks[a], blocks[b])
        i, j = np.unravel_index(int(between.argmax()), between.shape)
        if between[i, j] > best:
            best, pair = float(between[i, j]), (int(blocks[a][i]), int(blocks[b][j]))
    return min(pair), max(pair)


def _descending(reach: Array) -> Iterator[tuple[int, int]]:
    """Yield pairs a <= b of blocks, the furthest reach first."""
    firsts, seconds = np.triu_indices(len(reach))
    order = np.argsort(-reach[firsts, seconds], kind="stable")
    return zip(firsts[order].tolist(), seconds[order].tolist(), strict=True)


def _blocks(places: Array, rows: Indices, size: int) -> Iterator[Indices]:
    """Yield the rows in blocks, halved along the coordinate in which they spread most."""
    if len(rows) <= size:
        yield rows
        return
    low, high = places[rows[0]].copy(), places[rows[0]].copy()
    for start in _steps(rows, _ROWS):
        some = places[rows[start : start + _ROWS]]
        low, high = np.minimum(low, some.min(axis=0)), np.maximum(high, some.max(axis=0))
    half = len(rows) // 2
    order = np.argpartition(places[rows, int((high - low).argmax())], half)
    yield from _blocks(places, rows[order[:half]], size)
    yield from _blocks(places, rows[order[half:]], size)


def _middle(places: Array) -> int:
    """Return the row that is nearest to the mean."""
    off = places - places.mean(axis=0)
    return int(np.vecdot(off, off).argmin())


def _distances_to(distances: Distances, rows: Indices, others: Indices, size: int) -> Array:
    return np.concatenate([distances(rows, others[i : i + size]) for i in _steps(others, size)], axis=1)


def _steps(rows: Indices, size: int) -> range:
    return range(0, len(rows), size)


def widest(vectors: Array) -> tuple[int, int]:
    """Return the two rows of an array (N, d) that are furthest apart; 0, 0 of a single row."""
    if len(vectors) * vectors.size <= _DIRECT:
        return farthest(vectors, summed_distances(vectors))
    return farthest(vectors, _by_products(vectors), 1)


def _by_products(vectors: Array) -> Distances:
    """Return the distances of rows from their products, right to some 1e-8 of the largest length."""
    squares = np.vecdot(vectors, vectors)

    def between(rows: Indices, others: Indices) -> Array:
        products = vectors[rows] @ vectors[others].T
        found: Array = np.sqrt(np.maximum(squares[rows, None] + squares[others] - 2 * products, 0.0))
        return found

    return between


def summed_distances(vectors: Array, extra: Callable[[Indices, Indices], Array] | None = None) -> Distances:
    """Return the distances ``| |v_i - v_j| + e_ij |``, coordinates being added before the norm is taken.

    Parameters
    ----------
    vectors : Array
        v, shape (N, d).
    extra : callable, optional
        e: row numbers (n,) and (m,) to what is added (n, m, d), a metric in every coordinate.
    """

    def between(rows: Indices, others: Indices) -> Array:
        gaps = vectors[rows, None] - vectors[others]
        np.abs(gaps, out=gaps)
        if extra is not None:
            gaps += extra(rows, others)
        gaps *= gaps
        found: Array = np.sqrt(gaps.sum(axis=-1))
        return found

    return between
