"""Problems that differ in the tables of their clients, as one problem in which every lane has a table of its own."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from boundcheck.problems.base import Array, Problem
    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Indices

_OF_NO_RUN = frozenset({"name", "_constants", "_implied", "_ceilings"})
"""Attributes that decide no run."""


def stack_problems(problems: Sequence[Problem], lanes: Indices, letters: Collection[str] = ()) -> Problem | None:
    """Return a problem whose lane l computes what ``problems[lanes[l]]`` does, bit for bit.

    Parameters
    ----------
    problems : sequence of Problem
        Of one family, which says in `Problem.lane_tables` what may differ.
    lanes : (lanes,) array of int
        The problem of every lane.
    letters : collection of str
        Constants that it keeps; they must be the same for all.

    Returns
    -------
    Problem or None
        None where they differ in anything else.  It knows no constants but those of `letters`.
    """
    first = problems[0]
    known = common_constants(problems, letters)
    if known is None or not all(alike(first, other) for other in problems[1:]):
        return None
    whole = copy.copy(first)
    tables = {
        table: np.stack([table_of(problem, table, dial) for problem in problems])[lanes]
        for table, dial in first.lane_tables.items()
    }
    dials = {dial: max(getattr(problem, dial) for problem in problems) for dial in first.dials}
    vars(whole).update(tables, **dials, _constants=known, _implied=None, _ceilings={}, has_lanes=True)
    return whole


def common_constants(problems: Sequence[Problem], letters: Collection[str]) -> dict[str, Constant] | None:
    """Return the constants of these letters, None where problems differ in one of them."""
    values = {
        letter: {problem.constants[letter].value for problem in problems if letter in problem.constants}
        for letter in letters
    }
    if any(len(found) > 1 for found in values.values()):
        return None
    return {letter: problems[0].constants[letter] for letter in letters if letter in problems[0].constants}


def alike(one: Problem, other: Problem, more: Collection[str] = ()) -> bool:
    """Return whether two problems differ in nothing but the tables and dials that their own class declares, and `more`.

    The tables have rows of the same shape, and as many of them unless N is among `more`.
    """
    # A subclass that inherits the declaration may use a dial in another way.
    if type(one) is not type(other) or "dials" not in vars(type(one)) or one.has_lanes or other.has_lanes:
        return False
    free = {*one.lane_tables, *one.dials, *_OF_NO_RUN, *more}
    here, there = ({k: v for k, v in vars(p).items() if k not in free} for p in (one, other))
    rows = slice(1 if "N" in more else 0, None)
    shapes = (getattr(one, table).shape[rows] == getattr(other, table).shape[rows] for table in one.lane_tables)
    return here.keys() == there.keys() and all(shapes) and all(_same(here[k], there[k]) for k in here)


def _same(one: Any, other: Any) -> bool:
    return one is other or pickle.dumps(one) == pickle.dumps(other)


def table_of(problem: Problem, table: str, dial: str) -> Array:
    """Return a table, or one that adds nothing where a dial of 0 leaves it out."""
    found: Array = getattr(problem, table)
    # x + (-0.0) is x for every x, while x + 0.0 is 0.0 for x = -0.0.
    return np.full_like(found, -0.0) if dial and not getattr(problem, dial) else found
