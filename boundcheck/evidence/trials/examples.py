"""Where a bound is looked at when nothing else is said: its problem, and letters that have one value before a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.methods import METHODS
from boundcheck.notation import PAPERS

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound


def example_of(bound: Bound) -> str:
    """Return the problem of a bound's example: its paper's, or for a paper of the user's one that suits the method."""
    if bound.example:
        return bound.example
    if bound.paper in PAPERS:
        return PAPERS[bound.paper].example
    return PAPERS["fmgda" if METHODS[bound.method].card.kind == "minimax" else "momentum-fl"].example


def initial_values(bound: Bound, N: int) -> dict[str, float]:
    """Return the letters of a bound that belong to the run: the value that always serves, else 0 until measured."""
    from boundcheck.engine.quantities import QUANTITIES

    ceilings = {letter: QUANTITIES[name].ceiling for letter, name in bound.measured.items()}
    return {letter: ceiling(N) if ceiling else 0.0 for letter, ceiling in ceilings.items()}


def pinned_letters(bound: Bound) -> dict[str, Any]:
    """Return the letters of the setting to which a condition gives one value (T = 1 for the drift of one round)."""
    pins: dict[str, Any] = {}
    for condition in bound.conditions:
        letter, value = str(condition.relation.lhs), condition.relation.rhs
        if condition.relation.rel_op == "==" and letter in {"N", "K", "T", "S"} and value.is_Integer:
            pins[letter] = int(value)
    return pins
