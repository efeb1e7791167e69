"""The convex hull of parabolas point by point: an active-set method for weights on the simplex."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

_FLAT = 1e-11
"""Vertices are dependent along a direction whose share of the largest curvature is smaller."""
_TIGHT = 1e-14
"""Relative fall of the objective along a further vertex that counts as none."""
_TURNS = 50
"""Most changes of the vertices in use, times their number."""


class ActiveHull:
    """`Hull` without a table: ``min over the simplex of bend/2 |x - sum_j a_j w_j|^2 + sum_j a_j t_j``.

    The vertices in use are found anew at every point: one that lowers the minimum enters, those whose weight falls to 0
    leave, and those that stay are affinely independent (Wolfe's method, with heights).

    Its parameters are those of `Hull`.

    References
    ----------
    Wolfe, Mathematical Programming 11 (1976).
    """

    def __init__(self, w: Array, t: Array, bend: float) -> None:
        self.w, self.t, self.bend = w, t, bend

    def __call__(self, x: Array) -> tuple[Array, Array]:
        """Return values (points,) and the vertices in use ``sum_j a_j w_j`` (points, d) at `x` (points, d)."""
        values, vertices = np.empty(len(x)), np.empty(x.shape)
        for k, at in enumerate(x):
            weights = self._weights(at)
            vertices[k] = weights @ self.w
            apart = at - vertices[k]
            values[k] = self.bend / 2 * (apart @ apart) + weights @ self.t
        return values, vertices

    def _weights(self, x: Array) -> Array:
        """Return the weights at a point (d,)."""
        away = self.w - x
        heights = self.bend / 2 * np.vecdot(away, away) + self.t
        weights = np.zeros(len(away))
        weights[heights.argmin()] = 1.0
        slack = _TIGHT * float(np.ptp(heights))
        lowest = np.inf
        for _ in range(_TURNS * len(away)):
            middle = weights @ away
            height = self.bend / 2 * float(middle @ middle) + float(weights @ self.t)
            slopes = self.bend * (away @ middle) + self.t
            enters = int(slopes.argmin())
            # Among nearly equal vertices rounding would let the same ones enter and leave for ever.
            if weights[enters] > 0 or slopes[enters] >= weights @ slopes - slack or height >= lowest:
                break
            lowest = height
            weights = self._settle_weights(away, weights, enters)
        return weights

    def _settle_weights(self, away: Array, weights: Array, enters: int) -> Array:
        """Return the best weights of the vertices in use and one more, without those whose weight falls to 0."""
        used = [*np.flatnonzero(weights).tolist(), enters]
        own = weights[used]
        while True:
            move, ends = self._move(away[used], self.t[used], own)
            falls = np.flatnonzero(move < 0)
            steps = -own[falls] / move[falls]
            first = steps.argmin() if len(falls) else 0
            if not len(falls) or (ends and steps[first] > 1.0):
                own = own + move
                break
            own = own + steps[first] * move
            del used[falls[first]]
            own = np.delete(own, falls[first])
            if ends and steps[first] == 1.0:
                break
        found = np.zeros(len(weights))
        found[used] = np.maximum(own, 0.0) / np.maximum(own, 0.0).sum()
        return found

    def _move(self, away: Array, t: Array, own: Array) -> tuple[Array, bool]:
        """Return the way to the best weights of affinely independent vertices, else one along which it only falls."""
        edges = away[:-1] - away[-1]
        slopes = self.bend * (edges @ (own @ away)) + t[:-1] - t[-1]
        curvatures, axes = np.linalg.eigh(self.bend * edges @ edges.T)
        along = axes.T @ slopes
        ends = not len(curvatures) or bool(curvatures[0] > _FLAT * curvatures.sum())
        rest = axes @ (-along / curvatures) if ends else -np.copysign(1.0, along[0]) * axes[:, 0]
        return np.append(rest, -rest.sum()), ends
