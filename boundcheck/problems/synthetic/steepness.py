"""How steep the average of shifted ridges gets: suprema of |mean_i a_i phi'((z - b_i)/s)/s| over all z."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.problems.constants import Constant, exact, upper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.problems.links import Link
    from boundcheck.problems.types import Array

_TOLERANCE = 1e-8
"""How much larger than the supremum a proved bound may be, relative to what clients that agree would reach."""
_ROUNDS = 40
_PIECES = 256


class SlopeBound(NamedTuple):
    """A bound on a slope of one variable, where it is reached, and whether it is (up to `_TOLERANCE`)."""

    value: float
    at: float
    reached: bool


def steepest_mean(phi: Link, shares: Array, shifts: Array, width: float) -> SlopeBound:
    """Return sup_z |mean_i a_i phi'((z - b_i)/s)/s| for clients with shares a (N,) >= 0 and centres b (N,).

    Ridges with a common centre, or with slopes that stay at their supremum, are steepest together.  Otherwise the
    supremum lies between the outermost steepest places, or within one period, and is found there by bisection.
    """
    together = float(shares.mean()) * phi.sup_slope / width
    if not np.ptp(shifts) or phi.tail == "stays":
        return SlopeBound(together, float(shifts.max()) + width * phi.slope_at, reached=True)
    if not phi.tail:
        return SlopeBound(together, 0.0, reached=False)

    def slope(z: Array) -> Array:
        slopes = phi.slope((z - shifts[:, None]) / width, 1.0 / width)
        mean: Array = (shares[:, None] * slopes).mean(axis=0)
        return np.abs(mean)

    reach = width * (np.pi if phi.tail == "repeats" else abs(phi.slope_at))
    low, high = float(shifts.min()) - reach, float(shifts.max()) + reach
    bend = float(shares.mean()) * phi.sup_curvature / width**2
    value, at = proved_peak(slope, bend, low, high, _TOLERANCE * together)
    return SlopeBound(value, at, reached=True)


def proved_peak(
    function: Callable[[Array], Array], lipschitz: float, low: float, high: float, tolerance: float
) -> tuple[float, float]:
    """Return an upper bound of a Lipschitz function on [low, high] and a point at most `tolerance` below it.

    Between two points a distance h apart it is at most the mean of their values plus `lipschitz` h/2; pieces where
    that is above the best value found are halved until none is, or 40 times.

    References
    ----------
    .. [1] Piyavskii, USSR Computational Mathematics and Mathematical Physics 12 (1972) 57-67.
    """
    edges = np.linspace(low, high, _PIECES + 1)
    left, right = edges[:-1], edges[1:]
    best, at, bound = -np.inf, low, np.inf
    for _ in range(_ROUNDS):
        points = np.concatenate([left, right])
        values = function(points)
        top = int(values.argmax())
        if values[top] > best:
            best, at = float(values[top]), float(points[top])
        limits = values.reshape(2, -1).mean(axis=0) + lipschitz * (right - left) / 2
        open_ = limits > best + tolerance
        bound = float(limits[open_].max(initial=best + tolerance))
        if not open_.any():
            break
        middle = (left[open_] + right[open_]) / 2
        left, right = np.concatenate([left[open_], middle]), np.concatenate([middle, right[open_]])
    return bound, at


def total_square(found: Sequence[SlopeBound]) -> Constant:
    """Return sup |grad f|^2 of a function whose coordinates do not interact, from their steepest slopes."""
    total = float(sum(each.value**2 for each in found))
    if not all(each.reached for each in found):
        return upper(total, "all clients' slopes at their suprema, which they reach at different points")
    return exact(total, "every coordinate of grad f at its steepest", np.array([each.at for each in found]))


def largest_sum(vectors: Array) -> tuple[float, Array | None]:
    """Return sup |sum_m s_m v_m| over |s_m| <= 1 for vectors (M, d), and the signs (M,) that reach it.

    A norm is convex, so signs reach it; they are tried for M <= 16.  Beyond, sqrt(M) times the largest singular value
    is returned as a bound, without signs.
    """
    M = len(vectors)
    if M > 16:
        return float(np.sqrt(M) * np.linalg.norm(vectors, 2)), None
    bits = np.arange(1 << (M - 1))[:, None] >> np.arange(M) & 1
    signs = 1.0 - 2.0 * bits
    norms = np.linalg.norm(signs @ vectors, axis=1)
    best = int(norms.argmax())
    return float(norms[best]), signs[best]
