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
