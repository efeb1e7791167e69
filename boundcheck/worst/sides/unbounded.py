"""Why a worst case is not finite: one explicit problem, whose multiples are all of the class.

h(x) = L x^2/2 for x > 0 and m x^2/2 for x < 0 starts at its minimum 0, and the clients h + <c_i, .> have it for their
mean.  Its Delta and its distance are 0, and those of ``s^2 f_i(x/s)`` are 0 as well, while the left-hand side is
multiplied by s^2: if a method has more than 0 on it, no number bounds the class in which nothing bounds the c_i.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.extremal.data import Pieces
from boundcheck.worst.sides.instance import run_and_scale

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.sides.instance import AttainedValue

_REACH = 1e4
"""Where h bends again, in units in which tilts are 1: farther than runs get, and allowed anyway."""
_ROUNDING = 1e-9
"""Left-hand sides below it may be rounding."""


def from_the_minimum(trace: Trace, looked: LeftHandSide, given: ProblemClass) -> AttainedValue | None:
    """Return a problem that starts at its minimum and on which the left-hand side is more than 0, if one is found.

    Tilts are as large as the class allows; where it does not bound them their mean square is 1.
    """
    if given.N == 1 or given.is_parabolic or given.Delta_mean is not None:
        return None
    found = [made for pieces in _kinks(given) if (made := run_and_scale(trace, looked, given, pieces)) is not None]
    best = max(found, key=lambda made: made.value, default=None)
    return best if best is not None and best.value > _ROUNDING else None


def _kinks(given: ProblemClass) -> Iterator[Pieces]:
    """Yield h + <c_i, .> for some curvatures m."""
    least = max(given.convexity, 0.0)
    signs = np.array([1.0, -1.0, *np.zeros(given.N - 2)]) if given.N % 2 else np.array([1.0, -1.0])
    tilts = signs / np.sqrt(np.mean(signs**2))
    for share in (0.5, 0.0):
        m = least + share * (given.L - least)
        bend = given.L - m
        vertices = np.broadcast_to([0.0, -_REACH], (len(tilts), 2))
        w = vertices - tilts[:, None] / bend
        t = tilts[:, None] * vertices - tilts[:, None] ** 2 / (2 * bend)
        start = np.zeros(1)
        yield Pieces(given.L, m, w[:, :, None], t, start, last=start)
