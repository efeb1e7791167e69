"""What is asked of a solver and of a proof, in plain data: no problem has to be known to answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from boundcheck.worst.stated.algebra import LinearRelation, Scalar


class KnownRelation(NamedTuple):
    """A relation that holds, and why."""

    name: str
    relation: LinearRelation


@dataclass(frozen=True)
class StatedQuestion:
    """A number that is to be largest, and what is known.

    Attributes
    ----------
    name : str
    objective : Scalar
    known : list of KnownRelation
    matrices : list of (str, list of list of Scalar)
        Positive semidefinite ones, with their names.
    labels : list of (str, bool)
        Name of every basis vector, and whether it is of the agents.
    values : int
        How many function values there are.
    is_attained : bool
        Whether what is known is sufficient for functions that attain the answer.
    """

    name: str
    objective: Scalar
    known: list[KnownRelation]
    matrices: list[tuple[str, list[list[Scalar]]]]
    labels: list[tuple[str, bool]]
    values: int
    is_attained: bool


@dataclass(frozen=True)
class StatedProof:
    """A proof over Q: the value, what is used of what is known with its multipliers, and squares by block."""

    value: Fraction
    used: list[tuple[Fraction, KnownRelation]]
    squares: list[tuple[Fraction, str, dict[int, Fraction]]]
