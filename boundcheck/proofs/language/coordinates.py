"""What is said coordinate by coordinate: products of vectors, the vector of ones, and relations of vectors.

The search for proofs knows inner products alone.  So a claim that is said or shown by coordinates is decided by the
kernel, from its steps and multipliers as they are written; an equation with products says to the search what a vector
is made from, and a number that is defined by products is one of which nothing is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.proofs.language.grammar import FUNCTIONS, SOME, Node

if TYPE_CHECKING:
    from collections.abc import Container

    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.setting import ProofSetting
    from boundcheck.proofs.language.steps import Step

ONES = "ones"
"""The vector of ones."""
LAWS = ("vector-square", "contrary", "client-share")
"""Steps: u u is nowhere negative; the opposite of what is shown; what a client adds to the sum over the clients."""


def is_vector(node: Node, vectors: Container[str]) -> bool:
    """Return whether an expression is a vector, `vectors` being the names of those that are declared, and points."""
    if node.kind in ("entry", "letter"):
        return node.name in vectors
    if node.kind == "call":
        return node.name in FUNCTIONS and node.name != "f"
    if node.kind in ("add", "mul"):
        return any(is_vector(part, vectors) for part in node.parts)
    return node.kind in ("neg", "div", "power", "mean") and is_vector(node.parts[0], vectors)


def is_by_coordinate(node: Node, vectors: Container[str]) -> bool:
    """Return whether vectors are multiplied in an expression or related by a relation, or ones stand in it."""
    parts = [is_vector(part, vectors) for part in node.parts]
    own = {
        "mul": sum(parts) > 1,
        "power": any(parts),
        "relation": any(parts),
        "letter": node.name == ONES and ONES in vectors,
    }
    return own.get(node.kind, False) or any(is_by_coordinate(part, vectors) for part in node.parts)


def made_from(node: Node, vectors: Container[str]) -> Node:
    """Return ``some(u, v)`` of the vectors that stand in an expression."""
    found: dict[Node, None] = {}

    def visit(one: Node) -> None:
        if one.kind in ("entry", "letter") and one.name in vectors and one.name != ONES:
            found[one] = None
        for part in one.parts:
            visit(part)

    visit(node)
    return Node("call", SOME, tuple(found))


def decided_by_coordinates(claim: Claim, setting: ProofSetting, coordinates: Container[str]) -> bool:
    """Return whether a claim is said by coordinates, or follows from a step that is.

    Parameters
    ----------
    claim : Claim
    setting : ProofSetting
    coordinates : collection
        The ids of leaves, equations and claims that are said by coordinates.
    """
    return is_by_coordinate(claim.shows, setting.vectors) or any(
        _is_step_by_coordinate(step, setting, coordinates) for step in (*claim.steps, *claim.base)
    )


def _is_step_by_coordinate(step: Step, setting: ProofSetting, coordinates: Container[str]) -> bool:
    by = step.multiplier
    weighted = by is not None and (is_vector(by, setting.vectors) or is_by_coordinate(by, setting.vectors))
    points = any(is_by_coordinate(node, setting.vectors) for node in step.renamed.values())
    return step.id in coordinates or step.id in LAWS or weighted or points
