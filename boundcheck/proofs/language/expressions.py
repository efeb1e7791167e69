"""From sympy to expressions of claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.proofs.language.grammar import Node, read
from boundcheck.proofs.language.setting import EULER

if TYPE_CHECKING:
    from boundcheck.proofs.language.affine import Affine


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
        return sum_of([node_of(part) for part in e.as_ordered_terms()])
    if e.is_Mul:
        return _product([node_of(part) for part in e.as_ordered_factors()])
    base, power = (sympy.E, e.args[0]) if isinstance(e, sympy.exp) else e.as_base_exp()
    if (e.is_Pow or isinstance(e, sympy.exp)) and power.is_Integer:
        return Node("power", str(power), (node_of(base),))
    msg = f"{e} is not a rational function of the letters"
    raise NotApplicableError(msg)


def sum_of(parts: list[Node]) -> Node:
    """Return the sum of expressions."""
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


def as_node(index: Affine) -> Node:
    """Return an index as an expression."""
    return read(str(index))
