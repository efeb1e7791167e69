"""A printed statement and its repair side by side, with what differs in colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.findings.places import without_lines
from boundcheck.metrics import METRICS
from boundcheck.report.typst.markup import escape, letter, literal, prose
from boundcheck.report.typst.typeset import typeset, typeset_difference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

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
    exact = mine.kind == other.kind == "explicit"  # no constant is hidden: numbers count
    theirs = monomials(other.total, exact=exact)
    sign = "<=" if mine.kind == "explicit" else "lt.tilde"
    lines = [
        f"*{title}* #text(8pt)[({escape(mine.id.partition('.')[2])})]\n",
        " ".join(
            [
                piece(left),
                *(
                    _term(term, sign if i == 0 else "+", theirs, other.terms.get(name), exact=exact)
                    for i, (name, term) in enumerate(mine.terms.items())
                ),
            ]
        ),
        "",
    ]
    lines += [f"{prescription_entries(*given)}\n" for given in _parameters(mine, other)]
    if mine.kind == other.kind == "explicit":
        known = {condition.relation for condition in other.conditions}
        more = [condition for condition in mine.conditions if condition.relation not in known]
        lines += [f"{prose(without_lines(c.label))}: {piece(typeset(c.relation), differs=True)}\n" for c in more[:MOST]]
    return "\n".join(lines)


def flowing(bound: Bound) -> str:
    """Return the inequality of a bound as a paragraph that breaks between its terms."""
    left = METRICS[bound.metric].formula or literal(bound.metric)
    sign = "<=" if bound.kind == "explicit" else "lt.tilde"
    terms = [piece(f"{'+' if i else sign} {typeset(term)}") for i, term in enumerate(bound.terms.values())]
    return f"#prescribed[{' '.join([piece(left), *terms])}]\n"


def _term(
    term: sp.Expr, sign: str, theirs: set[sp.Expr], partner: sp.Expr | None = None, *, exact: bool = False
) -> str:
    """Return a term; of one that stands for a `partner` on the other side only what differs is in colour."""
    if monomials(term, exact=exact) <= theirs:
        return piece(f"{sign} {typeset(term)}")
    new = new_factors(term, partner, exact=exact) if partner is not None else set()
    if partner is not None and not new and (not exact or new_factors(partner, term, exact=True)):
        # What differs is a factor that the partner has more.
        return piece(f"{sign} {typeset(term)}")
    if not new or new == set(factors(term)):
        return piece(f"{sign} {typeset(term)}", differs=True)
    return piece(f"{sign} {typeset_difference(term, new)}", part=True)


def factors(term: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """Return base and exponent of the factors of a product that are no numbers and no hidden constants."""
    return [f.as_base_exp() for f in sp.Mul.make_args(term) if not _constant(f)]


def new_factors(term: sp.Expr, partner: sp.Expr, *, exact: bool = False) -> set[tuple[sp.Expr, sp.Expr]]:
    """Return the factors of a product that its partner does not have with the same exponent.

    Sums are the same if they are so without their numbers; if `exact`, with them.
    """
    known = {_summands(*factor, exact=exact) for factor in factors(partner)}
    return {factor for factor in factors(term) if _summands(*factor, exact=exact) not in known}


def _summands(base: sp.Expr, exponent: sp.Expr, *, exact: bool) -> tuple[object, sp.Expr]:
    return frozenset(monomials(base, exact=exact)) if base.is_Add else base, exponent


def piece(formula: str, *, differs: bool = False, part: bool = False) -> str:
    """Return mathematics in display style that stays whole, shrunk where it is wider than its column.

    Parameters
    ----------
    formula : str
        Typst mathematics.
    differs : bool
        Whether it is in the colour of a difference.
    part : bool
        Whether a factor in it is.
    """
    how = "(new: true)" if differs else "(part: true)" if part else ""
    return f"#piece{how}[$ {formula} $]"


def _parameters(mine: Bound, other: Bound) -> Iterable[tuple[str, sp.Expr, set[sp.Expr]]]:
    """Yield the prescriptions that differ by more than numbers, each with the parts of the other one."""
    for name, formula in mine.parameters.items():
        theirs = parts(other.parameters[name]) if name in other.parameters else set()
        if name not in HIDDEN and parts(formula) != theirs:
            yield name, formula, theirs


def prescription_entries(
    name: str, formula: sp.Expr, theirs: Collection[sp.Expr] | None = None, value: str = ""
) -> str:
    """Return a prescription, entry by entry where it is a minimum or a maximum, so that a line may break between.

    Where `theirs` is given (`parts` of another prescription), what is not in it is in colour. `value` is what it is
    at a cell, with its sign, such as ``approx 0.1``: it stays on the line of what it follows.
    """
    before, chosen = choice(formula)
    if chosen is None:
        # A product beside a product: the factors that differ; beside a choice all of it.
        partner = next(iter(theirs), None) if theirs is not None and len(theirs) == 1 else None
        new = new_factors(formula, partner) if partner is not None else set()
        if new and new != set(factors(formula)):
            return piece(f"{letter(name)} = {typeset_difference(formula, new)} {value}", part=True)
        return piece(f"{letter(name)} = {typeset(formula)} {value}", differs=theirs is not None)
    word = type(chosen).__name__.lower()
    other = theirs is not None and sp.Symbol(word) not in theirs
    lead = f"{letter(name)} = {'' if before == 1 else typeset(before)} upright({literal(word)})"
    chosen_from = sorted(chosen.args, key=sp.default_sort_key)
    entries = [
        piece(typeset(entry), differs=theirs is not None and bare(before * entry) not in theirs)
        for entry in chosen_from
    ]
    high = ", size: #2.4em" if any("frac(" in typeset(entry) for entry in chosen_from) else ""
    opening, closing = piece(f"lr(\\({high})"), piece(f"lr(\\){high}) {value}")
    return _NO_BREAK.join([piece(lead, differs=other), opening, ", ".join(entries), closing])


_NO_BREAK = "#sym.wj;"
"""What keeps a line from breaking between a bracket and what it holds."""


def monomials(expression: sp.Expr, *, exact: bool = False) -> set[sp.Expr]:
    """Return the products that an expression is the sum of, without numbers and hidden constants unless `exact`."""
    found = sp.Add.make_args(sp.expand(expression))
    return set(found) if exact else {bare(term) for term in found}


def choice(expression: sp.Expr) -> tuple[sp.Expr, sp.Expr | None]:
    """Return a product as factor and minimum or maximum; None where it holds no such factor."""
    factors = sp.Mul.make_args(expression)
    chosen = [factor for factor in factors if isinstance(factor, (sp.Min, sp.Max))]
    return (sp.Mul(*(f for f in factors if f is not chosen[0])), chosen[0]) if len(chosen) == 1 else (expression, None)


def parts(expression: sp.Expr) -> set[sp.Expr]:
    """Return the entries of a minimum or a maximum, else the expression alone, without numbers; and which of both."""
    before, chosen = choice(expression)
    if chosen is None:
        return {bare(expression)}
    return {bare(before * entry) for entry in chosen.args} | {sp.Symbol(type(chosen).__name__.lower())}


def bare(expression: sp.Expr) -> sp.Expr:
    """Return a product without its numbers and hidden constants."""
    factors = [f for f in sp.Mul.make_args(expression) if not _constant(f)]
    return sp.Mul(*factors)


def _constant(factor: sp.Expr) -> bool:
    return all(symbol.name in HIDDEN for symbol in factor.free_symbols)
