"""The convex hull of parabolas of one curvature, in closed form piece by piece."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.extremal.active import ActiveHull

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_MOST = 1 << 14
"""Most numbers in the maps of all sets of parabolas that may be in use together: more are slower than a search."""
_FLAT = 1e-11
"""Subsets are dependent whose equations have a smaller relative pivot: a smaller subset does as well."""
_INSIDE = -1e-12
"""Weights below are negative."""
_CHUNK = 1 << 20
"""Most numbers in one array of weights."""


def numbers(pieces: int, d: int) -> int:
    """Return how many numbers a hull keeps: no more than d + 1 parabolas are in use at a point."""
    return sum(comb(pieces, size) for size in range(1, min(pieces, d + 1) + 1)) * pieces * d


def hull(w: Array, t: Array, bend: float) -> Hull | ActiveHull:
    """Return the hull of few parabolas as a table of all sets of them, of more as a search at every point."""
    return (Hull if numbers(*w.shape) <= _MOST else ActiveHull)(w, t, bend)


class Hull:
    """``min over the simplex of bend/2 |x - sum_j a_j w_j|^2 + sum_j a_j t_j``, convex and bend-smooth in x.

    It is the convex hull of the parabolas ``bend/2 |x - w_j|^2 + t_j``.  The weights a are affine in x for every set of
    parabolas that are in use; the best set whose weights are nonnegative is the minimum.

    Parameters
    ----------
    w : Array
        Vertices, (parabolas, d).
    t : Array
        Their heights, (parabolas,).
    bend : float
        Curvature, > 0.
    """

    def __init__(self, w: Array, t: Array, bend: float) -> None:
        self.w, self.t, self.bend = w, t, bend
        self._slopes, self._shifts = self._sets()

    def _sets(self) -> tuple[Array, Array]:
        """Return weights as maps of x for every set of parabolas: (sets, parabolas, d) and (sets, parabolas)."""
        n, d = self.w.shape
        found = [self._weights(np.array(list(combinations(range(n), size)))) for size in range(1, min(n, d + 1) + 1)]
        return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])

    def _weights(self, chosen: Indices) -> tuple[Array, Array]:
        """Return the weights as maps of x for sets (sets, size), without those that are dependent."""
        n, d = self.w.shape
        first, rest = chosen[:, 0], chosen[:, 1:]
        edges = self.w[rest] - self.w[first][:, None, :]
        products = self.bend * edges @ edges.swapaxes(1, 2)
        if rest.shape[1]:
            least = np.linalg.eigvalsh(products)[:, 0]
            kept = least > _FLAT * np.trace(products, axis1=1, axis2=2)
            first, rest, edges, products = first[kept], rest[kept], edges[kept], products[kept]
        # a_first = 1 - sum of the others, which solve products a = bend edges (x - w_first) - (t - t_first).
        inverse = np.linalg.inv(products)
        along = np.arange(len(first))
        slope, shift = np.zeros((len(first), n, d)), np.zeros((len(first), n))
        own = self.bend * inverse @ edges
        heights = self.t[rest] - self.t[first][:, None]
        moved = -(own @ self.w[first][:, :, None])[..., 0] - (inverse @ heights[..., None])[..., 0]
        slope[along[:, None], rest], shift[along[:, None], rest] = own, moved
        slope[along, first], shift[along, first] = -own.sum(axis=1), 1.0 - moved.sum(axis=1)
        return slope, shift

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """Return values (points,) and the vertices in use ``sum_j a_j w_j`` (points, d) at `x` (points, d)."""
        size = max(1, _CHUNK // self._shifts.size)
        parts = [self._at(x[k : k + size]) for k in range(0, len(x), size)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _at(self, x: Array) -> tuple[Array, Array]:
        weights = np.einsum("snd,xd->xsn", self._slopes, x) + self._shifts
        apart = x[:, None, :] - weights @ self.w
        values = self.bend / 2 * (apart * apart).sum(axis=-1) + weights @ self.t
        # Rounding of a weight grows with the distance from the vertices.
        slack = _INSIDE * (1.0 + np.abs(weights).max(axis=-1, initial=0.0, keepdims=True))
        values = np.where((weights >= slack).all(axis=-1), values, np.inf)
        best = values.argmin(axis=1)
        along = np.arange(len(x))
        return values[along, best], weights[along, best] @ self.w
