"""A printed statement and its repair side by side, with what differs in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.metrics import METRICS
from boundcheck.report.markup import escape, letter, literal
from boundcheck.report.typeset import typeset

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from boundcheck.bounds import Bound

MOST = 4
"""Conditions that one side lists."""
HIDDEN = ("a", "c")
"""Letters of constants: a difference in them alone is none."""


def contrast(printed: Bound, repaired: Bound) -> str:
    """Return two columns: each with its terms, the parameters and the conditions that the other does not have."""
    left, right = _side("As printed", printed, repaired), _side("Repaired", repaired, printed)
    return f"#two-columns[\n{left}\n][\n{right}\n]\n"


def _side(title: str, mine: Bound, other: Bound) -> str:
    left = METRICS[mine.metric].formula or literal(mine.metric)
    theirs = monomials(other.total)
    terms = [marked(typeset(term), not monomials(term) <= theirs) for term in mine.terms.values()]
    lines = [
        f"*{title}* #text(8pt)[({escape(mine.id.partition('.')[2])})]\n",
        f"{flow(left, '<=' if mine.kind == 'explicit' else 'lt.tilde', terms)}\n",
    ]
    lines += [f"{_parameter(name, formula, other)}\n" for name, formula in _parameters(mine, other)]
    if mine.kind == other.kind == "explicit":
        known = {condition.relation for condition in other.conditions}
        more = [condition for condition in mine.conditions if condition.relation not in known]
        lines += [f"{escape(c.label)}: {piece(marked(typeset(c.relation), True))}\n" for c in more[:MOST]]
    return "\n".join(lines)


def flow(left: str, sign: str, terms: Sequence[str]) -> str:
    """Return an inequality as pieces of mathematics between which a line may break."""
    first, *others = terms
    return " ".join([piece(left), piece(f"{sign} {first}"), *(piece(f"+ {term}") for term in others)])


def piece(formula: str) -> str:
    """Return mathematics in display style that stays whole, shrunk where it is wider than its column."""
    return f"#piece[$display({formula})$]"


def _parameters(mine: Bound, other: Bound) -> Iterable[tuple[str, sp.Expr]]:
    """Yield the prescriptions that differ by more than numbers."""
    for name, formula in mine.parameters.items():
        theirs = other.parameters.get(name)
        if name not in HIDDEN and (theirs is None or parts(formula) != parts(theirs)):
            yield name, formula


def _parameter(name: str, formula: sp.Expr, other: Bound) -> str:
    theirs = parts(other.parameters[name]) if name in other.parameters else set()
    if not isinstance(formula, (sp.Min, sp.Max)):
        return piece(f"{letter(name)} = {marked(typeset(formula), True)}")
    word = "min" if isinstance(formula, sp.Min) else "max"
    lead = f"{letter(name)} = {marked(f'upright({literal(word)})', sp.Symbol(type(formula).__name__) not in theirs)}"
    listed = sorted(formula.args, key=sp.default_sort_key)
    entries = [marked(typeset(arg), bare(arg) not in theirs) for arg in listed]
    return f"{piece(lead)} ({', '.join(map(piece, entries))})"


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
