"""A local search for values at which something is negative by a margin, under conditions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any
_ROUNDS = 40
_ENOUGH = 0.1
"""A margin that is not made larger: values are then rounded."""
_STEP = 1e-6
_STILL = 1e-9


@dataclass(frozen=True)
class Conditions:
    """What must not be negative, the first of it above all, and what must be zero: a row each, a column a point."""

    least: Array
    zero: Array
    weights: Array
    """By how much of the margin each of `least` must be above zero."""


Ask = Callable[[Array], Conditions]
"""What is asked at many points at once: values, a column a point."""


def climbed(ask: Ask, start: Array, calm: Array, low: Array, high: Array) -> Array | None:
    """Return values at which all conditions hold with the largest margin that is met, None where none can help."""
    start = np.clip(start, low, high)
    base, rows = ask(start[:, None]), _slopes(ask, start)
    inside = _beside_first(rows)
    # What has no part in the first condition is calm if its own conditions then hold, else it is searched for apart.
    rest = np.where(inside, start, np.clip(calm, low, high))
    touched = (np.abs(rows[:, inside]) > _STILL).any(axis=1)
    if not _hold(ask(rest[:, None]), ~touched):
        mine = ~touched & (np.abs(rows) > _STILL).any(axis=1)
        rest = _margin(ask, start, ~inside, mine, low, high) if mine.any() else start
        if not _hold(ask(rest[:, None]), ~touched):
            return None
    if not touched[0]:
        return rest if base.least[0, 0] > 0 else None
    return _margin(ask, rest, inside, touched, low, high)


def _hold(one: Conditions, which: Array) -> bool:
    count = len(one.least)
    return bool((one.least[which[:count]] >= -_STILL).all() and (np.abs(one.zero[which[count:]]) <= _STILL).all())


def _slopes(ask: Ask, x: Array) -> Array:
    """Return how each condition moves with each value."""
    return _moves(_rows(_around(ask, x, np.eye(len(x)))))


def _around(ask: Ask, x: Array, places: Array) -> Conditions:
    """Return the conditions at a point, in the first column, and a step from it along each of some directions."""
    return ask(np.column_stack([x, *(x + _STEP * one for one in places)]))


def _moves(rows: Array) -> Array:
    """Return differences against the first column, for each step."""
    return (rows[:, 1:] - rows[:, :1]) / _STEP


def _rows(one: Conditions) -> Array:
    return np.concatenate([one.least, one.zero])


def _beside_first(rows: Array) -> Array:
    """Return which values are joined to the first condition, through others."""
    moves = np.abs(rows) > _STILL
    inside = moves[0].copy()
    while True:
        joined = moves[moves[:, inside].any(axis=1)].any(axis=0) | inside
        if (joined == inside).all():
            return inside
        inside = joined


def _margin(ask: Ask, rest: Array, inside: Array, which: Array, low: Array, high: Array) -> Array:
    """Return the values with those inside moved to where the margin of some conditions is largest."""
    from scipy.optimize import minimize

    last: list[Any] = [b"", None]
    places = np.eye(len(rest))[inside]
    weights = ask(rest[:, None]).weights
    free, bound = which[: len(weights)], which[len(weights) :]
    weights = weights[free]

    def whole(z: Array) -> Array:
        x = rest.copy()
        x[inside] = z[:-1]
        return x

    def near(z: Array) -> tuple[Array, Array, Array, Array]:
        key = z[:-1].tobytes()
        if last[0] != key:
            one = _around(ask, whole(z), places)
            least, zero = one.least[free], one.zero[bound]
            last[:] = key, (least[:, 0], _moves(least), zero[:, 0], _moves(zero))
        found: tuple[Array, Array, Array, Array] = last[1]
        return found

    conditions: list[dict[str, Any]] = [
        {
            "type": "ineq",
            "fun": lambda z: near(z)[0] - weights * z[-1],
            "jac": lambda z: np.hstack([near(z)[1], -weights[:, None]]),
        }
    ]
    if bound.any():
        conditions.append(
            {
                "type": "eq",
                "fun": lambda z: near(z)[2],
                "jac": lambda z: np.hstack([near(z)[3], np.zeros((int(bound.sum()), 1))]),
            }
        )
    gradient = np.append(np.zeros(len(places)), -1.0)
    search: Any = minimize
    found = search(
        lambda z: -z[-1],
        np.append(rest[inside], 0.0),
        jac=lambda z: gradient,
        method="SLSQP",
        bounds=[*zip(low[inside], high[inside], strict=True), (0.0, _ENOUGH)],
        constraints=conditions,
        options={"maxiter": _ROUNDS},
    )
    return whole(np.nan_to_num(found.x))
