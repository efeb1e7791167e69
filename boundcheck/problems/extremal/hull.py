"""The convex hull of parabolas of one curvature, in closed form piece by piece."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_MOST = 14
"""Most parabolas: all their subsets are looked at."""
_FLAT = 1e-11
"""Subsets are dependent whose equations have a smaller relative pivot: a smaller subset does as well."""
_INSIDE = -1e-12
"""Weights below are negative."""
_CHUNK = 1 << 20
"""Most numbers in one array of weights."""


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
        require(len(w) <= _MOST, "extremal: pieces", len(w), f"at most {_MOST} for each client")
        self.w, self.t, self.bend = w, t, bend
        self._slopes, self._shifts = self._sets()

    def _sets(self) -> tuple[Array, Array]:
        """Return weights as maps of x for every set of parabolas: (sets, parabolas, d) and (sets, parabolas)."""
        n, d = self.w.shape
        slopes, shifts = [], []
        for size in range(1, min(n, d + 1) + 1):
            for chosen in map(list, combinations(range(n), size)):
                found = self._weights(chosen)
                if found is not None:
                    slopes.append(found[0])
                    shifts.append(found[1])
        return np.array(slopes), np.array(shifts)

    def _weights(self, chosen: list[int]) -> tuple[Array, Array] | None:
        """Return the weights of these parabolas as a map of x; None if they are dependent."""
        n, d = self.w.shape
        first, *rest = chosen
        edges = self.w[rest] - self.w[first]
        products = self.bend * edges @ edges.T
        if rest and np.linalg.eigvalsh(products)[0] <= _FLAT * np.trace(products):
            return None
        # a_first = 1 - sum of the others, which solve products a = bend edges (x - w_first) - (t - t_first).
        inverse = np.linalg.inv(products) if rest else np.zeros((0, 0))
        slope, shift = np.zeros((n, d)), np.zeros(n)
        slope[rest] = self.bend * inverse @ edges
        shift[rest] = -slope[rest] @ self.w[first] - inverse @ (self.t[rest] - self.t[first])
        slope[first], shift[first] = -slope[rest].sum(axis=0), 1.0 - shift[rest].sum()
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
