"""Random points at which hypotheses hold: where a polynomial is negative there, no proof needs to be looked for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"
_TRIES = 40_000
_WANTED = 200
_AT_ONCE = 2000
_SEED = 11
_INSIDE = 24
"""How many points inside what is given are spread, beside twice as many on its edges at most."""
_NEAR_ONE = 4000
_BISECTED = 500
"""How many points are moved onto an equality: few of them are taken in the end."""


def evaluate_at(polynomial: Any, points: Array) -> Array:
    """Return the values of a polynomial at points, one a row."""
    total = np.zeros(len(points))
    for monomial, number in polynomial.terms():
        total += float(number) * _power(points, monomial)
    return total


def size(polynomial: Any, points: Array) -> Array:
    """Return the sum of the absolute values of the terms: the scale of rounding."""
    total = np.zeros(len(points))
    for monomial, number in polynomial.terms():
        total += abs(float(number)) * np.abs(_power(points, monomial))
    return total


def _power(points: Array, monomial: tuple[int, ...]) -> Array:
    total = np.ones(len(points))
    for place, exponent in enumerate(monomial):
        if exponent:
            total = total * points[:, place] ** exponent
    return total


def feasible(hypotheses: Sequence[Any], signs: Sequence[str]) -> Array:
    """Return points at which every hypothesis holds, none if chance meets none."""
    tries, found, count = _draw_points(tuple(signs)), [np.empty((0, len(signs)))], 0
    for first in range(0, _TRIES, _AT_ONCE):
        points = tries[first : first + _AT_ONCE].copy()
        for hypothesis in sorted(hypotheses, key=len):
            points = move_into_range(hypothesis, points)
        for hypothesis in hypotheses:
            points = points[evaluate_at(hypothesis, points) >= 0]
        found.append(points)
        count += len(points)
        if count >= _WANTED:
            break
    return np.concatenate(found)[:_WANTED]


@lru_cache(maxsize=4)
def _draw_points(signs: tuple[str, ...]) -> Array:
    rng = np.random.default_rng(_SEED)
    points = np.exp(rng.uniform(-6, 3, (_TRIES, len(signs))))
    points[:, [n for n, sign in enumerate(signs) if sign == "real"]] *= rng.choice([-1.0, 1.0], (_TRIES, 1))
    # Half of the points have some letters at 1, where many hypotheses are tight.
    ones = rng.random((_TRIES, len(signs))) < rng.choice([0.0, 0.4], (_TRIES, 1))
    points[ones] = 1.0
    return points


def move_into_range(hypothesis: Any, points: Array) -> Array:
    """Return the points with a letter that stands alone, in ``letter - number`` or in ``-letter``, moved into range."""
    monomials = [m for m in hypothesis.monoms() if any(m)]
    if len(hypothesis) == 1 and sum(monomials[0] if monomials else ()) == 1 and hypothesis.LC < 0:
        place = monomials[0].index(1)
        points[:, place] = np.minimum(points[:, place], 0.0)
    if len(monomials) == 1 and sum(monomials[0]) == 1 and len(hypothesis) == 2:
        place = monomials[0].index(1)
        at = float(-hypothesis.coeff(1) / hypothesis.LC)
        if evaluate_at(hypothesis, np.where(np.arange(points.shape[1]) == place, at + 1, points[:1]))[0] > 0:
            points[:, place] = np.maximum(points[:, place], at)
        else:
            points[:, place] = np.minimum(points[:, place], at)
    return points


@lru_cache(maxsize=64)
def spread(hypotheses: tuple[Any, ...], signs: tuple[str, ...]) -> Array:
    """Return a few dozen points at which every hypothesis holds: near 1, far out, and on edges of what is given."""
    inner = np.concatenate([_near_one(hypotheses, signs), feasible(hypotheses, signs)])
    if not len(inner):
        return inner
    edges = np.concatenate([_far(hypotheses, inner[:4]), _edges(hypotheses, signs, inner[:12])])
    return np.concatenate([edges[: 2 * _INSIDE], inner[:_INSIDE]])


def _near_one(hypotheses: tuple[Any, ...], signs: tuple[str, ...]) -> Array:
    """Return points at which all that is given holds, of letters near 1: far from it they only blur the numbers."""
    rng = np.random.default_rng(13)
    points = np.exp(rng.uniform(-1.6, 1.6, (_NEAR_ONE, len(signs))))
    points *= np.where([sign == "real" for sign in signs], rng.choice([-1.0, 1.0], points.shape), 1.0)
    for hypothesis in sorted(hypotheses, key=len):
        points = move_into_range(hypothesis, points)
    known = set(hypotheses)
    for hypothesis in hypotheses:
        if -hypothesis in known:  # an equality, which chance does not meet
            places = sorted({n for m in hypothesis.monoms() for n, e in enumerate(m) if e})
            free = [n for n in places if signs[n] != "real"]
            some = points[:_BISECTED]
            sides = [_on_edge(one, n, some) for n in free[:1] for one in (hypothesis, -hypothesis)]
            points = np.concatenate(sides) if sides else points
    for hypothesis in hypotheses:
        points = points[evaluate_at(hypothesis, points) >= -1e-12 * np.maximum(size(hypothesis, points), 1e-300)]
    return points[:_INSIDE]


def _far(hypotheses: tuple[Any, ...], points: Array) -> Array:
    """Return points with one letter near 0 or far out, where all that is given holds."""
    found = [np.empty((0, points.shape[1]))]
    for place in range(points.shape[1]):
        for factor in (0.01, 100.0):
            moved = points.copy()
            moved[:, place] *= factor
            for hypothesis in hypotheses:
                moved = moved[evaluate_at(hypothesis, moved) >= 0]
            found.append(moved[:1])
    return np.concatenate(found)


def _edges(hypotheses: tuple[Any, ...], signs: tuple[str, ...], points: Array) -> Array:
    """Return points on the edges of what is given: one letter moved until a hypothesis is an equality."""
    found = [np.empty((0, points.shape[1]))]
    for hypothesis in hypotheses:
        for place in sorted({n for m in hypothesis.monoms() for n, e in enumerate(m) if e}):
            if signs[place] == "real":
                continue
            made = _on_edge(hypothesis, place, points)
            for other in hypotheses:
                made = made[evaluate_at(other, made) >= -1e-9 * np.maximum(size(other, made), 1e-300)]
            found.append(made[:3])
    every = np.concatenate(found)
    return every[np.random.default_rng(5).permutation(len(every))]


def _on_edge(hypothesis: Any, place: int, points: Array) -> Array:
    """Return points moved along one letter to where a polynomial is 0, by bisection of the logarithm."""
    powers = _powers_along(hypothesis, place, points)
    start = points[:, place]
    found: list[Array] = []
    for factor in (100.0, 0.01):
        crossed = _sum_powers(powers, start * factor) < 0
        low, high = start[crossed], start[crossed] * factor
        here = {power: value[crossed] for power, value in powers.items()}
        for _ in range(60):
            middle = np.sqrt(low * high)
            above = _sum_powers(here, middle) >= 0
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        moved = points[crossed].copy()
        moved[:, place] = low
        found.append(moved)
    return np.concatenate(found)


def _powers_along(polynomial: Any, place: int, points: Array) -> dict[int, Array]:
    """Return what each power of one letter is multiplied with, at each point."""
    found: dict[int, Array] = {}
    for monomial, number in polynomial.terms():
        others = (*monomial[:place], 0, *monomial[place + 1 :])
        found[monomial[place]] = found.get(monomial[place], 0.0) + float(number) * _power(points, others)
    return found


def _sum_powers(powers: dict[int, Array], letter: Array) -> Array:
    return sum((value * letter**power for power, value in powers.items()), np.zeros(len(letter)))
