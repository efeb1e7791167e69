"""A constant that a theorem needs, with how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

Kind = Literal["exact", "upper", "lower", "estimate"]


@dataclass(frozen=True)
class Constant:
    """The value of one letter on one problem.

    `exact` means the supremum (or infimum) is reached, or approached as closely as one likes; `upper` and `lower`
    are proved bounds on the side that keeps every theorem valid.  An `estimate` is no bound: nothing follows from it,
    and `certify` never calls it ok.  No shipped problem has one.
    """

    value: float
    kind: Kind
    reason: str
    """One line: why it holds."""
    at: Array | None = None
    """A point (d,) where an exact value is attained, if a single point shows it."""
    vouched: bool = False
    """Whether it rests on the word of whoever wrote the functions alone: a verdict that needs it says so."""


def exact(value: float, reason: str, at: Array | None = None) -> Constant:
    """Return a constant that is attained."""
    return Constant(float(value), "exact", reason, at)


def upper(value: float, reason: str) -> Constant:
    """Return a proved upper bound; the reason says how loose it can be."""
    return Constant(float(value), "upper", reason)


def lower(value: float, reason: str) -> Constant:
    """Return a proved lower bound; the reason says how loose it can be."""
    return Constant(float(value), "lower", reason)
