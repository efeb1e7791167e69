"""A local search for values at which something is negative by a margin, under conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

Array = Any
_ROUNDS = 40
_ENOUGH = 0.1
"""A margin that is not made larger: values are then rounded."""
_STEP = 1e-6
_STILL = 1e-9
_APPROACHES = 20
_PATIENCE = 5
"""Approaches after which the best point should be nearer by a tenth."""
_DEMAND = 0.05
"""Margin that is asked for before it is made as large as possible."""
_STIFF = 1e6
_SEEN = 4
"""At how many of the starts it is seen which value moves which condition."""
_LITTLE = 1e-4


@dataclass(frozen=True)
class Conditions:
    """What must not be negative, the first of it above all, and what must be zero: a row each, a column a point."""

    least: Array
    zero: Array
    weights: Array
    """By how much of the margin each of `least` must be above zero."""


class Ask(Protocol):
    """What is asked at many points at once."""

    def __call__(self, x: Array, which: Array | None = None) -> Conditions:
        """Return the conditions at values with a column a point; of those that are not wanted any number may come."""


def lacking(one: Conditions) -> Array:
    """Return how much is missing at each point, as a sum of squares."""
    short = np.minimum(one.least - _DEMAND * one.weights[:, None], 0.0)
    found: Array = (short**2).sum(axis=0) + (one.zero**2).sum(axis=0)
    return found


def climb(ask: Ask, starts: Array, calm: Array, low: Array, high: Array) -> Array | None:
    """Return values at which all conditions hold with the largest margin that is met, None where none can help.

    `starts` has a column for each start; what has no part in the first condition is as in the first of them.
    """
    starts = np.clip(starts, low[:, None], high[:, None])
    start = starts[:, 0]
    rows = np.abs(_slopes(ask, starts[:, :_SEEN])).max(axis=2)
    inside = _beside_first(rows)
    # What has no part in the first condition is calm if its own conditions then hold, else it is searched for apart.
    rest = np.where(inside, start, np.clip(calm, low, high))
    touched = (rows[:, inside] > _STILL).any(axis=1)
    if not _hold(ask(rest[:, None]), ~touched):
        mine = ~touched & (rows > _STILL).any(axis=1)
        found = _margin(ask, start, starts, ~inside, mine, low, high) if mine.any() else start
        if found is None or not _hold(ask(found[:, None]), ~touched):
            return None
        rest = found
    if not touched[0]:
        return rest if ask(rest[:, None]).least[0, 0] > 0 else None
    return _margin(ask, rest, starts, inside, touched, low, high)


def _hold(one: Conditions, which: Array) -> bool:
    count = len(one.least)
    return bool((one.least[which[:count]] >= -_STILL).all() and (np.abs(one.zero[which[count:]]) <= _STILL).all())


def _slopes(ask: Ask, points: Array, places: Array | None = None) -> Array:
    """Return how each condition moves along each place: shape (conditions, places, points)."""
    return _near(ask, points, np.arange(len(points)) if places is None else places)[1]


def _near(ask: Ask, points: Array, places: Array, which: Array | None = None) -> tuple[Array, Array]:
    """Return all conditions at some points, and their slopes along some places, in one evaluation."""
    moved = np.repeat(points[:, None, :], len(places) + 1, axis=1)
    moved[places, np.arange(1, len(places) + 1)] += _STEP
    one = ask(moved.reshape(len(points), (len(places) + 1) * points.shape[1]), which)
    rows = np.concatenate([one.least, one.zero]).reshape(-1, len(places) + 1, points.shape[1])
    return rows[:, 0], (rows[:, 1:] - rows[:, :1]) / _STEP


def _beside_first(rows: Array) -> Array:
    """Return which values are joined to the first condition, through others."""
    moves = rows > _STILL
    inside = moves[0].copy()
    while True:
        joined = moves[moves[:, inside].any(axis=1)].any(axis=0) | inside
        if (joined == inside).all():
            return inside
        inside = joined


class _Short:
    """What is short of a demand at some points, with its slopes: residuals of a least squares search."""

    def __init__(self, ask: Ask, places: Array, which: Array, demand: Array) -> None:
        self.ask, self.places, self.which, self.demand = ask, places, which, demand

    def __call__(self, points: Array) -> tuple[Array, Array, Array]:
        """Return residuals, their slopes and their squares."""
        rows, slopes = (one[self.which] for one in _near(self.ask, points, self.places, self.which))
        count = len(self.demand)
        short = rows - np.append(self.demand, np.zeros(len(rows) - count))[:, None]
        short[:count] = np.minimum(short[:count], 0.0)
        slopes[:count] *= (short[:count] < 0)[:, None]
        return short, slopes, (short**2).sum(axis=0)


def _nearer(short: _Short, points: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return points at which what is lacking is least in the mean square: steps of Levenberg and Marquardt in a box.

    From where conditions contradict each other to first order this moves on, where a method that wants to hold them all
    gives up.  All points move at once; the squares that are left come with them.
    """
    places, x = short.places, points.copy()
    damping = np.full(x.shape[1], 1e-2)
    value, slopes, size = short(x)
    least: list[float] = []
    for _ in range(_APPROACHES):
        least.append(float(size.min()))
        if least[-1] <= _STILL or (len(least) > _PATIENCE and least[-1] > 0.9 * least[-1 - _PATIENCE]):
            break
        pull = np.einsum("mks,ms->ks", slopes, value)
        # Values at an end of the box that are pushed out of it stay.
        inner = x[places]
        stays = ((inner <= low[places][:, None]) & (pull > 0)) | ((inner >= high[places][:, None]) & (pull < 0))
        free = slopes * ~stays
        square = np.einsum("mks,mls->skl", free, free) + damping[:, None, None] * np.eye(len(places))
        step = np.linalg.solve(square, -(pull * ~stays).T[:, :, None])[:, :, 0].T
        other = x.copy()
        other[places] = np.clip(inner + step, low[places][:, None], high[places][:, None])
        now, moved, less = short(other)
        better = less < size
        x, value, size = np.where(better, other, x), np.where(better, now, value), np.where(better, less, size)
        slopes = np.where(better, moved, slopes)
        damping = np.clip(np.where(better, damping / 4, damping * 8), 1e-9, _STIFF)
    return x, size


def _margin(ask: Ask, rest: Array, starts: Array, inside: Array, which: Array, low: Array, high: Array) -> Array | None:
    """Return the values with those inside moved to where the margin of some conditions is largest."""
    from scipy.optimize import minimize

    places = np.flatnonzero(inside)
    weights = ask(rest[:, None]).weights
    count = int(which[: len(weights)].sum())
    weights = weights[which[: len(weights)]]
    points = np.repeat(rest[:, None], starts.shape[1], axis=1)
    points[inside] = starts[inside]
    points, left = _nearer(_Short(ask, places, which, _DEMAND * weights), points, low, high)
    best = int(np.argmin(np.where(_near(ask, points, places[:0], which)[0][which][0] > _LITTLE, left, left + 1.0)))
    rest = points[:, best]
    last: list[Any] = [b"", None]

    def near(z: Array) -> tuple[Array, Array]:
        key = z[:-1].tobytes()
        if last[0] != key:
            x = rest.copy()
            x[inside] = z[:-1]
            rows, slopes = _near(ask, x[:, None], places, which)
            last[:] = key, (rows[which, 0], slopes[which][:, :, 0])
        found: tuple[Array, Array] = last[1]
        return found

    conditions: list[dict[str, Any]] = [
        {
            "type": "ineq",
            "fun": lambda z: near(z)[0][:count] - weights * z[-1],
            "jac": lambda z: np.hstack([near(z)[1][:count], -weights[:, None]]),
        }
    ]
    if which.sum() > count:
        conditions.append(
            {
                "type": "eq",
                "fun": lambda z: near(z)[0][count:],
                "jac": lambda z: np.hstack([near(z)[1][count:], np.zeros((int(which.sum()) - count, 1))]),
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
    rest[inside] = np.nan_to_num(found.x[:-1])
    return rest
