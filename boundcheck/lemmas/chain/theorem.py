"""The last claim of a proof, made from the `Bound` that is measured: metric, terms and conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.lemmas.chain.claims import ChainClaim, letters_of
from boundcheck.lemmas.chain.grammar import Node, read
from boundcheck.lemmas.chain.setting import EULER

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boundcheck.bounds import Bound
    from boundcheck.lemmas.chain.claims import Step

METRIC_STATEMENTS = {
    "server_gradient": "mean(t) |mean(i) grad(x[t])|^2",
    "suboptimality": "f(x[T]) - f_star",
}
"""What the engine measures, as an expression of claims."""


def last_claim(
    bound: Bound, steps: tuple[Step, ...], letters: Collection[str], terms: Mapping[str, Any] | None = None
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
    right = _sum([node_of(term) for term in (terms or bound.terms).values()])
    relations = [_relation(c.relation) for c in bound.conditions]
    given = tuple(node for node in relations if letters_of(node) - {EULER} <= set(letters))
    shows = Node("relation", "<=", (read(METRIC_STATEMENTS[bound.metric]), right))
    return ChainClaim(bound.id, shows, {}, given, steps, title=bound.title, where=bound.where)


def _relation(relation: Any) -> Node:
    signs = {"<=": "<=", "<": "<=", ">=": ">=", ">": ">=", "==": "="}
    return Node("relation", signs[relation.rel_op], (node_of(relation.lhs), node_of(relation.rhs)))


def node_of(expression: Any) -> Node:
    """Return a rational function of letters as an expression of claims.

    Raises
    ------
    NotApplicableError
        If there is a root, a minimum or another function in it.
    """
    import sympy

    e = sympy.sympify(expression)
    if e is sympy.E:
        return Node("letter", EULER)
    if e.is_Rational:
        return Node("neg", parts=(Node("number", str(-e)),)) if e < 0 else Node("number", str(e))
    if e.is_Symbol:
        return Node("letter", e.name)
    if e.is_Add:
        return _sum([node_of(part) for part in e.as_ordered_terms()])
    if e.is_Mul:
        return _product([node_of(part) for part in e.as_ordered_factors()])
    base, power = (sympy.E, e.args[0]) if isinstance(e, sympy.exp) else e.as_base_exp()
    if (e.is_Pow or isinstance(e, sympy.exp)) and power.is_Integer:
        return Node("power", str(power), (node_of(base),))
    msg = f"{e} is not a rational function of the letters"
    raise NotApplicableError(msg)


def _sum(parts: list[Node]) -> Node:
    total = parts[0]
    for part in parts[1:]:
        total = Node("add", parts=(total, part))
    return total


def _product(parts: list[Node]) -> Node:
    if len(parts) > 1 and parts[0].kind == "neg" and str(parts[0].parts[0]) == "1":
        return Node("neg", parts=(_product(parts[1:]),))
    total = parts[0]
    for part in parts[1:]:
        total = Node("mul", parts=(total, part))
    return total
