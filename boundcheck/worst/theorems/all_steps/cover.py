"""A large box covered by smaller ones, each with a theorem that is near the best ones."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError, require
from boundcheck.worst.theorems.all_steps.sharpen import sharpen_steps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.methods.base import Method
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.theorems.all_steps.theorem import StepTheorem

Ranges = dict[str, tuple[Fraction, Fraction]]
_MOST = 64
"""Pieces at which the search gives up."""
_WIDE = 2.01
"""Quotient of the ends of a range up to which it is tried as it is: wider ones are halved at once."""


def cover_steps(
    method: Method,
    *,
    K: int,
    box: Mapping[str, tuple[Fraction, Fraction]],
    within: float,
    given: ProblemClass | None = None,
    most: int = _MOST,
) -> list[StepTheorem]:
    """Cover a box by boxes with a theorem each, none further than `within` above the best one-round theorems.

    Parameters
    ----------
    method : Method
    K : int
        Local steps.
    box : mapping
        Hyperparameter to its least and largest value, above 0.
    within : float
        The largest relative excess at points that the searches do not see.
    given : ProblemClass, optional
    most : int
        Pieces at which it gives up.

    Raises
    ------
    InputError
        If the box or `within` is not legal.
    NotApplicableError
        If a piece has no theorem, however small, or there would be too many.
    """
    require(0 < within <= 1, "within", within, "a relative excess in (0, 1], 0.03 for 3 %")
    waiting: list[Ranges] = [dict(box)]
    found: list[StepTheorem] = []
    while waiting:
        piece = waiting.pop(0)
        require(all(0 < low < high for low, high in piece.values()), "box", piece, "two numbers each, 0 < low < high")
        if max(_quotients(piece).values()) <= _WIDE:
            theorem = _theorem(method, K, piece, given)
            if theorem is not None and theorem.gap <= within:
                found.append(theorem)
                continue
        if len(found) + len(waiting) + 2 > most:
            msg = f"method {method.card.id}: more than {most} boxes are needed to be within {100 * within:g} %"
            raise NotApplicableError(msg)
        waiting += _halves(piece)
    return found


def _theorem(method: Method, K: int, piece: Ranges, given: ProblemClass | None) -> StepTheorem | None:
    try:
        return sharpen_steps(method, K=K, box=piece, given=given)
    except NotApplicableError:
        if max(_quotients(piece).values()) < _WIDE**0.25:
            raise
        return None


def _quotients(piece: Ranges) -> dict[str, float]:
    return {name: float(high / low) for name, (low, high) in piece.items()}


def _halves(piece: Ranges) -> list[Ranges]:
    """Return both halves of a box along the side that is longest, on a logarithmic scale."""
    quotients = _quotients(piece)
    name = max(quotients, key=quotients.__getitem__)
    low, high = piece[name]
    middle = Fraction(math.sqrt(low * high)).limit_denominator(64 * (low.denominator + high.denominator))
    return [piece | {name: (low, middle)}, piece | {name: (middle, high)}]
