"""Certificates of quadratic inequalities between vectors: explicit squares from an exact elimination."""

from __future__ import annotations

from itertools import islice, permutations
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.proofs.certificates.build import StatementDraft
from boundcheck.proofs.certificates.statement import INNER, expression, vector_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.proofs.certificates.build import Certificate
    from boundcheck.proofs.certificates.real import Term

ORDERS = 24
"""Most orders of elimination that are tried for a block."""


def gram(
    lhs: sp.Expr,
    rhs: sp.Expr,
    domain: Sequence[sp.Basic] = (),
    given: Sequence[tuple[sp.Expr, sp.Expr]] = (),
) -> Certificate | None:
    """Return a certificate of ``lhs <= rhs`` between forms, or None where none was found.

    Parameters
    ----------
    lhs, rhs : expression
        Linear in inner products, plus terms without vectors.
    domain : sequence of relation
        Where the letters live.
    given : sequence of (multiplier, expression)
        Expressions known to be nonnegative, with the multipliers used for them.
    """
    premises = [sp.Ge(e, 0, evaluate=False) for _, e in given]
    draft = StatementDraft([*domain, *premises], sp.Le(lhs, rhs, evaluate=False)).define()
    shown = {d: k for k, d in enumerate(draft.given)}
    gap = sp.expand(draft.shows.rhs - draft.shows.lhs)
    terms: list[Term] = []
    for (multiplier, _), premise in zip(given, premises, strict=True):
        weight = _weight(draft, multiplier)
        if weight is None or premise not in shown:
            return None
        terms.append([*weight, shown[premise]])
        gap = sp.expand(gap - multiplier * premise.lhs)
    form, constant = _split(gap)
    if constant != 0:
        weight = _weight(draft, constant)
        if weight is None:
            return None
        terms.append(weight)
    for names in _blocks(form):
        tried = (_squares(draft, form, order) for order in islice(permutations(names), ORDERS))
        squares = next((found for found in tried if found is not None), None)
        if squares is None:
            return None
        terms += squares
    return draft.certificate("linear" if given else "gram", {"by": terms})


def _weight(draft: StatementDraft, e: sp.Expr) -> Term | None:
    """Return a number that is shown to be nonnegative as factors."""
    e = sp.cancel(sp.together(e))
    if e.is_Rational:
        return [str(e)] if e >= 0 else None
    number = draft.lemma(e, ">=")
    return None if number is None else [number]


def _split(gap: sp.Expr) -> tuple[dict[frozenset[str], sp.Expr], sp.Expr]:
    """Return the coefficients of inner products, and the terms without vectors."""
    form: dict[frozenset[str], sp.Expr] = {}
    rest = sp.S.Zero
    for term in sp.Add.make_args(gap):
        atoms = list(term.atoms(sp.Function(INNER)))
        if atoms:
            (atom,) = atoms
            key = frozenset(a.name for a in atom.args)
            form[key] = form.get(key, sp.S.Zero) + term / atom
        else:
            rest += term
    found = {k: sp.cancel(sp.together(c)) for k, c in form.items()}
    return {k: c for k, c in found.items() if c != 0}, sp.cancel(sp.together(rest))


def _blocks(form: dict[frozenset[str], sp.Expr]) -> Iterator[list[str]]:
    left = sorted(set().union(*form))
    while left:
        block = {left[0]}
        while True:
            more = {n for pair in form if pair & block for n in pair} | block
            if more == block:
                break
            block = more
        yield sorted(block)
        left = [n for n in left if n not in block]


def _squares(draft: StatementDraft, form: dict[frozenset[str], sp.Expr], order: Sequence[str]) -> list[Term] | None:
    """Eliminate in an order; return weighted squares, or None where a pivot has no known sign."""
    size = len(order)
    entry = {
        (i, j): form.get(frozenset((order[i], order[j])), sp.S.Zero) / (1 if i == j else 2)
        for i in range(size)
        for j in range(size)
    }
    terms: list[Term] = []
    for p in range(size):
        pivot = entry[p, p]
        row = {j: entry[p, j] for j in range(p + 1, size) if entry[p, j] != 0}
        if pivot == 0:
            if row:
                return None
            continue
        ratios = {j: sp.cancel(sp.together(x / pivot)) for j, x in row.items()}
        root = _root(pivot)
        scaled = {j: sp.cancel(sp.together(root * ratio)) for j, ratio in ratios.items()}
        weight = _pivot(draft, sp.cancel(pivot / root**2), list(scaled.values()))
        if weight is None:
            return None
        parts = [f"({expression(root)})*({vector_text(order[p])})"]
        parts += [f"({expression(sp.factor(ratio))})*({vector_text(order[j])})" for j, ratio in scaled.items()]
        terms.append([*weight, [" + ".join(parts)]])
        for i in row:
            for j in row:
                entry[i, j] = sp.cancel(sp.together(entry[i, j] - row[i] * ratios[j]))
    return terms


def _root(pivot: sp.Expr) -> sp.Expr:
    """Return what stands squared in a pivot: as part of the vector it needs no sign."""
    top, bottom = sp.fraction(pivot)
    found = sp.S.One
    for part, sign in ((top, 1), (bottom, -1)):
        found *= sp.Mul(*(base ** (sign * (e // 2)) for base, e in sp.factor_list(part)[1] if base.is_Add))
    return found


def _pivot(draft: StatementDraft, pivot: sp.Expr, ratios: Sequence[sp.Expr]) -> Term | None:
    """Return the pivot as a nonnegative factor, once the sign of every denominator is known."""
    if pivot.is_Rational and pivot < 0:
        return None
    for base in {b for r in (*ratios, pivot) for b, _ in sp.factor_list(sp.fraction(r)[1])[1]}:
        if not draft.question.sign_of(base) and draft.lemma(base, ">") is None and draft.lemma(-base, ">") is None:
            return None
    return _weight(draft, pivot)
