"""The last claim of a proof, made from the `Bound` that is measured: metric, terms and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.lemmas.chain.claims import ChainClaim, letters_of, substituted
from boundcheck.lemmas.chain.expressions import node_of, sum_of
from boundcheck.lemmas.chain.grammar import Node, read
from boundcheck.lemmas.chain.prescribed import Roots, facts, without_roots
from boundcheck.lemmas.chain.setting import EULER

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from boundcheck.bounds import Bound
    from boundcheck.lemmas.chain.claims import Step

METRIC_STATEMENTS = {
    "server_gradient": "mean(t) |mean(i) grad(x[t])|^2",
    "suboptimality": "f(x[T]) - f_star",
}
"""What the engine measures, as an expression of claims."""


def last_claim(
    bound: Bound,
    steps: tuple[Step, ...],
    letters: Collection[str],
    terms: Mapping[str, Any] | None = None,
    root_letters: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> ChainClaim:
    """Return the claim that a bound makes: metric <= sum of its terms, under its conditions.

    Parameters
    ----------
    bound : Bound
        The registered object.
    steps : tuple of Step
        From what it follows.
    letters : collection of str
        Letters of the proof's setting; a condition on others is one that the proof does not need.
    root_letters : sequence of str
        Letters for the square roots in a rate, which holds at the prescribed parameters only: these are given then.
    renamed : mapping, optional
        Letters of the bound to those of the proof, where they differ.
    terms : mapping, optional
        Other terms in the place of the bound's own, to ask how far they can be lowered.

    Raises
    ------
    NotApplicableError
        If the metric has no expression, or a term is not a rational function of the letters.
    """
    if bound.metric not in METRIC_STATEMENTS:
        msg = f"metric {bound.metric} of {bound.id} has no expression; known are {', '.join(METRIC_STATEMENTS)}"
        raise NotApplicableError(msg)
    roots = Roots(root_letters)
    write = roots.node if bound.rigid else node_of
    right = sum_of([write(term) for term in (terms or bound.terms).values()])
    relations = [_relation(c.relation) for c in bound.conditions]
    if bound.rigid:
        relations += [*facts(bound, roots), *roots.given()]
    names = {old: Node("letter", new) for old, new in (renamed or {}).items()}
    relations = [substituted(node, names) for node in relations]
    given = tuple(node for node in relations if letters_of(node) - {EULER} <= set(letters))
    shows = Node("relation", "<=", (read(METRIC_STATEMENTS[bound.metric]), substituted(right, names)))
    return ChainClaim(bound.id, shows, {}, given, steps, title=bound.title, where=bound.where)


def _relation(relation: Any) -> Node:
    signs = {"<=": "<=", "<": "<=", ">=": ">=", ">": ">=", "==": "="}
    sides = without_roots(relation.lhs, relation.rhs)
    return Node("relation", signs[relation.rel_op], tuple(map(node_of, sides)))
