"""A relation in the place where it is used: its two sides as linear forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.evaluate import scalar
from boundcheck.proofs.language.forms import add_forms

if TYPE_CHECKING:
    from boundcheck.proofs.algebra.scope import Scope
    from boundcheck.proofs.language.forms import Scalar
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.steps import Step


@dataclass
class Premise:
    """``left <= right``, or an equality, in the place where it is used."""

    left: Scalar
    right: Scalar
    equal: bool
    step: Step | None = None
    rest: Scalar | None = None
    """What a growth adds at each step: the rule needs it nonnegative."""
    inside: Scope | None = None
    """Where what is added still depends on the index of the growth: the scope that binds it."""

    @property
    def difference(self) -> Scalar:
        """Return what the premise says is not negative: right - left."""
        return add_forms(self.right, {term: -value for term, value in self.left.items()})


def sides(relation: Node) -> tuple[Node, Node, bool]:
    """Return the smaller side, the larger side, and whether they are equal.

    Raises
    ------
    InputError
        If there is more than one relation.
    """
    if len(relation.parts) != 2:
        msg = f"{str(relation)!r}: a claim shows one relation; give each link of a chain a claim of its own"
        raise InputError(msg)
    left, right = relation.parts
    return (right, left, False) if relation.name == ">=" else (left, right, relation.name == "=")


def premise_of(relation: Node, scope: Scope) -> Premise:
    """Return what a relation says in a scope."""
    small, large, equal = sides(relation)
    return Premise(scalar(small, scope), scalar(large, scope), equal)
