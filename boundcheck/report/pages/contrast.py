"""A printed statement and its repair side by side, with what differs in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.metrics import METRICS
from boundcheck.report.markup import escape, letter, literal
from boundcheck.report.typeset import typeset

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from boundcheck.bounds import Bound

HIDDEN = ("a", "c")
"""Letters of constants: a difference in them alone is none."""


def contrast(printed: Bound, repaired: Bound) -> str:
    """Return two columns: each with its terms, the parameters and the conditions that the other does not have."""
    left, right = _side("As printed", printed, repaired), _side("Repaired", repaired, printed)
    return f"#two-columns[\n{left}\n][\n{right}\n]\n"


def _side(title: str, mine: Bound, other: Bound) -> str:
    sign = "<=" if mine.kind == "explicit" else "lt.tilde"
    left = METRICS[mine.metric].formula or literal(mine.metric)
    lines = [f"*{title}* #text(8pt)[({escape(mine.id.partition('.')[2])})]\n", f"#formula[$ {left} {sign} $]"]
    theirs = monomials(other.total)
    for i, term in enumerate(mine.terms.values()):
        shown = marked(typeset(term), not monomials(term) <= theirs)
        lines.append(f"#formula[$ {'+' if i else ''} {shown} $]")
    lines += [_parameter(name, formula, other) for name, formula in _parameters(mine, other)]
    known = {condition.relation for condition in other.conditions}
    more = [condition for condition in mine.conditions if condition.relation not in known]
    lines += [
        f"#formula[#text(9pt)[{escape(c.label)}: ${marked(f'inline({typeset(c.relation)})', True)}$]]" for c in more[:5]
    ]
    return "\n".join(lines)


def _parameters(mine: Bound, other: Bound) -> Iterable[tuple[str, sp.Expr]]:
    """Yield the prescriptions that differ by more than numbers."""
    for name, formula in mine.parameters.items():
        theirs = other.parameters.get(name)
        if name not in HIDDEN and (theirs is None or parts(formula) != parts(theirs)):
            yield name, formula


def _parameter(name: str, formula: sp.Expr, other: Bound) -> str:
    theirs = parts(other.parameters[name]) if name in other.parameters else set()
    if isinstance(formula, (sp.Min, sp.Max)):
        listed = sorted(formula.args, key=sp.default_sort_key)
        inner = ", ".join(marked(typeset(arg), bare(arg) not in theirs) for arg in listed)
        word = "min" if isinstance(formula, sp.Min) else "max"
        shown = f"{marked(f'upright({literal(word)})', type(formula) is not type(other.parameters.get(name)))}({inner})"
    else:
        shown = marked(typeset(formula), True)
    return f"#formula[${letter(name)} = {shown}$]"


def marked(formula: str, differs: bool) -> str:
    """Return mathematics in the colour of a difference, if it is one."""
    return f"differs({formula})" if differs else formula


def monomials(expression: sp.Expr) -> set[sp.Expr]:
    """Return the products that an expression is the sum of, without numbers and hidden constants."""
    return {bare(term) for term in sp.Add.make_args(sp.expand(expression))}


def parts(expression: sp.Expr) -> set[sp.Expr]:
    """Return the entries of a minimum or a maximum, else the expression alone, without numbers; and which of both."""
    entries: Collection[sp.Expr] = expression.args if isinstance(expression, (sp.Min, sp.Max)) else (expression,)
    return {bare(entry) for entry in entries} | {sp.Symbol(type(expression).__name__)}


def bare(expression: sp.Expr) -> sp.Expr:
    """Return a product without its numbers and hidden constants."""
    factors = [f for f in sp.Mul.make_args(expression) if not _constant(f)]
    return sp.Mul(*factors)


def _constant(factor: sp.Expr) -> bool:
    return all(symbol.name in HIDDEN for symbol in factor.free_symbols)
