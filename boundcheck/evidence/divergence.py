"""A run that ends in something that is no number: divergence, which is evidence, or a function that broke."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array, Indices, Problem

FAR = 1e100
"""From here on a point counts as diverged: squares of squares overflow there, and infinities cancel."""


def watched(problem: Problem) -> Problem:
    """Return the problem with values and gradients that raise where they are no number at a finite point.

    Raises
    ------
    InputError
        By a gradient or a value that is not finite at a point nearer than `FAR`; the message names client and point.
    """
    twin = copy.copy(problem)
    for name in ("gradient", "exact_gradient", "mean_gradient", "value"):
        # Bound to the twin: a mean that asks every client is watched client by client.
        method = getattr(type(problem), name).__get__(twin)
        setattr(twin, name, _watching(problem.name, name.replace("_", " "), method))
    return twin


def _watching(problem: str, what: str, function: Callable[..., Array]) -> Callable[..., Array]:
    def watching(x: Array, *more: Any) -> Array:
        found = function(x, *more)
        near = np.isfinite(x).all(axis=-1) & (np.abs(x).max(axis=-1) < FAR)
        numbers = np.isfinite(found).reshape(*near.shape, -1).all(axis=-1)
        broken = np.argwhere(near & ~numbers)
        if len(broken):
            lane, row = (int(i) for i in broken[0])
            msg = f"{problem}: {what}{_of(x, row, lane, *more)} at x = {x[lane, row].tolist()} is not finite"
            raise InputError(f"{msg}; finite numbers are legal")
        return found

    return watching


def _of(x: Array, row: int, lane: int, clients: Indices | None = None, *_: object) -> str:
    """Return whose row it is; a server point with one row is everybody's."""
    if clients is not None:
        return f" of client {int(np.broadcast_to(clients, x.shape[:2])[lane, row])}"
    return f" of client {row}" if x.shape[1] > 1 else ""
