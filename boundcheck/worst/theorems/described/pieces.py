"""What descriptions of rounds have in common: lemmas about values, smoothness both ways, fresh vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.worst.theorems.described.description import Term

if TYPE_CHECKING:
    from boundcheck.worst.theorems.described.description import Fact

Facts = tuple[tuple["Fact", tuple[Term, ...]], ...]
"""Hypotheses with the terms of their multipliers."""
NOISE = ("|n|^2", "<=", "sigma2_mean")
"""The mean of the clients' noises."""


def value_over(step: str) -> Term:
    """Return the factor of F in a potential: one number over the step."""
    return Term("Delta", step)


def descent(over: str, back: Term) -> Facts:
    """Return smoothness between x and the next x: forwards with the factor of F and what backwards has besides."""
    return (("smooth", 0, 1), (value_over(over), back)), (("smooth", 1, 0), (back,))


def both_ways(other: int, term: Term) -> Facts:
    """Return smoothness between x and another point, with one multiplier for both directions."""
    return (("smooth", 0, other), (term,)), (("smooth", other, 0), (term,))


def hypothesis(name: str, *terms: Term) -> Facts:
    """Return a hypothesis that the round states."""
    return ((("given", name), terms),)


def orthogonal(vector: str, others: str) -> dict[str, tuple[str, str, str]]:
    """Return that a vector is orthogonal to each of the others, letter by letter."""
    return {f"{vector} {other}": (f"<{vector}, {other}>", "=", "0") for other in others}


def of_values(over: str, start: Facts = ()) -> dict[str, Facts]:
    """Return the lemmas of the start and of the end: F is at most Delta there, and at least 0 here."""
    return {
        "start": ((("Delta", 0), (value_over(over),)), *start),
        "end": ((("floor", 0), (value_over(over),)),),
    }
