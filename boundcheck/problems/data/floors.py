"""A proved floor of a convex loss plus rho sum_c x_c^2/(1+x_c^2): convex minorants on shrinking boxes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from boundcheck.problems.certification.search import minimum
from boundcheck.problems.constants import Constant, lower

if TYPE_CHECKING:
    from boundcheck.problems.types import Array


class Regularised(Protocol):
    """What the floor needs to know of a problem."""

    d: int
    rho: float

    def value(self, x: Array) -> Array:
        """Return f at server points (lanes, 1, d)."""
        ...

    def mean_gradient(self, x: Array) -> Array:
        """Return grad f at server points (lanes, 1, d)."""
        ...

    def loss_at(self, x: Array) -> tuple[float, Array]:
        """Return the convex loss and its gradient at one point (d,)."""
        ...


def regularised_floor(problem: Regularised) -> Constant:
    """Bound f from below by convex functions, on boxes that shrink around every minimiser.

    Where x_c^2/(1+x_c^2) <= q_c the regulariser is at least (1 - q_c) x_c^2, which makes f at least a strongly convex
    g.  Its minimum bounds f_star, and points of f <= (a value found) lie near the minimiser of g, which gives smaller
    q_c.
    """
    found = minimum(partial(_whole, problem), np.zeros(problem.d))
    reached = float(problem.value(found[None, None, :])[0])
    q = np.full(problem.d, reached / problem.rho)
    if q[0] >= 1:
        return lower(0.0, f"both parts are >= 0; at most {reached:.3g} too low (rho is below the minimum of f)")
    best = 0.0
    for _ in range(50):
        weights = problem.rho * (1 - q)
        centre = minimum(partial(_convex, problem, weights), np.zeros(problem.d))
        value, slope = _convex(problem, weights, centre)
        best = max(best, value - float(slope @ slope) / (4 * weights.min()))
        radius = np.sqrt(max(0.0, reached - best) / weights.min())
        reach = (np.abs(centre) + radius) ** 2
        shrunk = np.minimum(q, reach / (1 + reach))
        if np.allclose(shrunk, q, rtol=1e-3, atol=0):
            break
        q = shrunk
    return lower(best, f"convex minorants on shrinking boxes: at most {reached - best:.3g} too low")


def _whole(problem: Regularised, x: Array) -> tuple[float, Array]:
    at = x[None, None, :]
    return float(problem.value(at)[0]), problem.mean_gradient(at)[0, 0]


def _convex(problem: Regularised, weights: Array, x: Array) -> tuple[float, Array]:
    """Return the loss plus sum_c weights_c x_c^2, and its gradient."""
    value, slope = problem.loss_at(x)
    return float(value + weights @ (x * x)), 2 * weights * x + slope
