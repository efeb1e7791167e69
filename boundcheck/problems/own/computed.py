"""Letters of the user's own on problems of one dimension: the extreme of what attacks them, over the whole line."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.own.letters import ATTACKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array

_FAR = np.geomspace(1e-6, 1e6, 1201)
"""Distances from a centre, a hundred for every power of ten."""
_NEAR = np.linspace(-30.0, 30.0, 6001)
_ZOOM = np.linspace(-1.0, 1.0, 21)
_PEAKS = 6
"""Peaks of the grid that are zoomed in on."""
_FIRST, _ROUNDS = 6, 12
"""Zooms, each ten times narrower, after which a peak hardly grows any more, unless it is a pole."""
_GROWTH = 1e-3
"""Share of its value by which the last power of ten may raise a quantity that has a limit."""
_INFINITE = 1e60
"""What a ratio whose denominator is kept away from 0 reaches where it has no bound."""
_KNOWN: WeakKeyDictionary[Problem, dict[str, Constant | str]] = WeakKeyDictionary()


def with_own_letters(problem: Problem, letters: Iterable[str]) -> Problem:
    """Return the problem with a value for every letter of the user's own among `letters` that it does not claim.

    A letter is the supremum (for the sense 'inf' the infimum) over x of the ratio that attacks it, see
    `boundcheck.problems.own.letters.own_letter`.  In one dimension this is found as other suprema in one variable are:
    on a grid of the whole line, then by zooming in, to rounding.

    Raises
    ------
    NotApplicableError
        If a value cannot be computed here: the problem has more dimensions, the supremum is infinite, the infimum is
        0, or the attack fails.
    """
    missing = [letter for letter in letters if letter in ATTACKS and letter not in problem.constants]
    if not missing:
        return problem
    found = {letter: _compute_constant(problem, letter) for letter in missing}
    for letter, value in found.items():
        if isinstance(value, str):
            msg = f"{problem.name} does not claim {letter}, a letter of one's own, and {value}"
            raise NotApplicableError(msg)
    completed = copy.copy(problem)
    vars(completed)["_constants"] = {**problem.constants, **found}
    return completed


def _compute_constant(problem: Problem, letter: str) -> Constant | str:
    """Return the value of a letter, or why there is none; once a problem."""
    known = _KNOWN.setdefault(problem, {})
    if letter not in known:
        known[letter] = _extreme(problem, letter)
    return known[letter]


def _extreme(problem: Problem, letter: str) -> Constant | str:
    attack, sense = ATTACKS[letter]
    if problem.d != 1 or problem.radius is not None:
        return "it is computed on the whole line only: problems of one dimension (a dial d=1 makes one)"
    sign = 1.0 if sense == "sup" else -1.0

    def height(z: Array) -> Array:
        with np.errstate(all="ignore"):
            values = sign * np.asarray(attack(problem, z[:, None]), dtype=float)
        return np.where(np.isnan(values), -np.inf, values)

    try:
        top = _largest(height, _grid(problem))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, BoundcheckError) as error:
        return f"its attack fails: {str(error) or type(error).__name__}"
    if top is None:
        return "its supremum is infinite or not found" if sense == "sup" else "its infimum is not found"
    value = sign * top[0]
    if value < 0 or (sense == "inf" and value == 0):
        return f"its {'supremum' if sense == 'sup' else 'infimum'} is {value:.3g}"
    return exact(value, "the extreme of what attacks it, in one variable, to rounding", np.array([top[1]]))


def _grid(problem: Problem) -> Array:
    """Return increasing points around the start, the origin, the minimiser, and where constants are attained."""
    spots = [0.0, float(problem.start[0])]
    spots += [] if problem.x_star is None else [float(problem.x_star[0])]
    spots += [float(constant.at[0]) for constant in problem.constants.values() if constant.at is not None]
    centres = np.unique(spots)
    offsets = np.concatenate([-_FAR[::-1], _FAR])
    grid: Array = np.unique(np.concatenate([(centres[:, None] + offsets).ravel(), (centres[:, None] + _NEAR).ravel()]))
    return grid


def _largest(height: Callable[[Array], Array], grid: Array) -> tuple[float, float] | None:
    """Return the supremum on the line and a place; None if it is infinite, or values still rise far out."""
    values = height(grid)
    if values.max() > _INFINITE:
        return None
    rises = np.concatenate([[True], values[1:] >= values[:-1]]) & np.concatenate([values[:-1] >= values[1:], [True]])
    peaks = np.flatnonzero(rises)
    best = peaks[np.argsort(-values[peaks], kind="stable")[:_PEAKS]]
    found = []
    for k in best:
        if k in {0, len(grid) - 1}:
            found.append(_limit(height, float(grid[k]), float(values[k])))
        else:
            found.append(_zoom_in(height, float(grid[k]), float(grid[k + 1] - grid[k - 1]), float(values[k])))
        if found[-1] is None:
            return None
    return max(one for one in found if one is not None)


def _zoom_in(height: Callable[[Array], Array], at: float, radius: float, top: float) -> tuple[float, float] | None:
    """Return the peak near a point; None where it is a pole."""
    early = top
    for zoom in range(_ROUNDS):
        near = at + radius * _ZOOM
        values = height(near)
        best = int(values.argmax())
        if values[best] > top:
            at, top = float(near[best]), float(values[best])
        if zoom == _FIRST - 1:
            early = top
        radius /= 10.0
    return (top, at) if top < _INFINITE and top - early <= _GROWTH * abs(early) else None


def _limit(height: Callable[[Array], Array], at: float, top: float) -> tuple[float, float] | None:
    """Return the limit that values far out approach, with what is left of the way; None where they just rise."""
    nearer, near = height(np.array([at / 100, at / 10]))
    last, before = max(top - near, 0.0), max(near - nearer, 0.0)
    approaches = last <= max(_GROWTH * abs(top), 1e-300) and last <= max(before / 2, 1e-9 * abs(top))
    return (top + last, at) if approaches else None
