"""Proximal steps of single clients where a family has no closed form: accelerated descent down to a residual."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array

ROUNDINGS = 2.0**6
"""Residual of a solved row in roundings of |v|/step + |grad f_i(v)|: 1.4e-14 of it in doubles."""
_MOST, _SPARE = 20_000, 100
"""Iterations at most, and those that rounding may cost beyond what theory says."""


def solve_client_prox(
    gradient: Callable[[Array], Array], v: Array, step: Any, *, L: float, convex: bool, name: str
) -> Array:
    """Return argmin_y f_i(y) + |y - v|^2/(2 step) of every row, by Nesterov's method with its constant momentum.

    A row rests once |grad f_i(y) + (y - v)/step| is at most `ROUNDINGS` roundings of |v|/step + |grad f_i(v)|, whatever
    other rows do.

    Parameters
    ----------
    gradient : callable
        Returns the clients' exact gradients at points of the shape of `v`.
    v : Array
        Client points (lanes, clients, d).
    step : float or Array
        Length of the step, one number or (lanes, 1, 1).
    L : float
        Smoothness of the clients.
    convex : bool
        Whether they are known to be convex.
    name : str
        What messages call the problem.

    Raises
    ------
    NotApplicableError
        If the minimiser need not be unique: f_i is not known to be convex, and the step is 1/L or longer; or if the
        residual is not reached.
    """
    stiffness = 1.0 / step
    steepest, least = stiffness + L, stiffness if convex else stiffness - L
    if not np.all(least > 0):
        longest = float(np.max(step))
        msg = (
            f"problem {name} is not known to be convex: a client's proximal step of {longest:.6g} may have "
            f"several minimisers; shorter than 1/L = {1 / L:.6g} it has one"
        )
        raise NotApplicableError(msg)
    root = np.sqrt(steepest / least)
    momentum, descent = (root - 1.0) / (root + 1.0), 1.0 / steepest
    g = gradient(v)
    enough = ROUNDINGS * float(np.finfo(v.dtype).eps) * (_lengths(v) * stiffness + _lengths(g))
    y = ahead = v
    iterations = math.ceil(float(np.max(root)) * math.log(1.0 / np.finfo(v.dtype).eps)) + _SPARE
    for _ in range(min(iterations, _MOST)):
        slope = gradient(ahead) + (ahead - v) * stiffness
        moves = _lengths(slope) > enough
        if not moves.any():
            return ahead
        new = np.where(moves, ahead - descent * slope, y)
        ahead = np.where(moves, new + momentum * (new - y), ahead)
        y = new
    msg = f"problem {name}: a client's proximal step is not solved to {float(enough.min()):.3g}"
    raise NotApplicableError(msg)


def _lengths(v: Array) -> Array:
    """Return the length of every row, (lanes, clients, 1)."""
    found: Array = np.sqrt((v * v).sum(axis=-1, keepdims=True))
    return found
