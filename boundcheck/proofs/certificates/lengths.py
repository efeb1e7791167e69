"""Certificates of inequalities between lengths: Cauchy-Schwarz for each pair of vectors, proved on the spot.

Inner products and lengths are letters then, and what is left is a question about numbers.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.proofs.certificates.statement import DEVIATION, INNER, expression, gram, scalars, vector_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.proofs.certificates.build import StatementDraft

MOST_VECTORS = 6
Vector = dict[str, sp.Expr]
"""A combination of vectors: coefficient by name."""


def add_cauchy_schwarz(draft: StatementDraft, *, combined: bool) -> None:
    """Add steps: <u, v>^2 <= |u|^2 |v|^2 for the vectors of a statement; if `combined`, for u + v too where |u + v| is.

    Where both lengths are letters l and m, -l m <= <u, v> <= l m follows and is added, too.
    """
    grams = {g for r in (*draft.given, draft.shows) for g in r.atoms(sp.Function(INNER))}
    names = sorted({a.name for g in grams for a in g.args})
    lengths = _lengths(draft.given, names)
    vectors = [{name: sp.S.One} for name in names]
    vectors += [v for v, _ in lengths.values() if combined and v not in vectors]
    for u, v in combinations(vectors[:MOST_VECTORS], 2):
        if any(name.endswith(DEVIATION) for name in u) != any(name.endswith(DEVIATION) for name in v):
            continue  # orthogonal
        product, squares = scalars(_dot(u, v)), [scalars(_dot(w, w)) for w in (u, v)]
        gap = squares[0] * squares[1] - product**2
        draft.steps.append({"shows": f"{expression(sp.expand(gap))} >= 0", "by": _cauchy_schwarz(u, v)})
        draft.question.note(gap, ">=")
        found = [(k, letter) for one in (u, v) for k, (w, letter) in lengths.items() if w == one][:2]
        if len(found) == len((u, v)):
            _add_lengths(draft, product, squares[1], found)


def _add_lengths(draft: StatementDraft, product: sp.Expr, square: sp.Expr, found: list[tuple[int, sp.Symbol]]) -> None:
    """Add that p = <u, v> is between -l m and l m: d = p - l m > 0 makes d^2 + 2 d l m + (l^2 m^2 - p^2) vanish."""
    fact = len(draft.question.facts) - 1
    (first, l), (second, m) = found
    for sign in (1, -1):
        gap = l * m - sign * product
        sides = [["1", first, expression(square)], ["1", second, f"{l}^2"]]
        terms = [["not", "not"], ["2", "not", f"{l}*{m}"], ["1", fact], *sides]
        draft.steps.append({"shows": f"{expression(gap)} >= 0", "by": terms})
        draft.question.note(gap, ">=")


def _lengths(given: Sequence[sp.Basic], names: Sequence[str]) -> dict[int, tuple[Vector, sp.Symbol]]:
    """Return the vectors whose lengths are letters, by the number of the equation ``letter^2 = |u - eta v|^2``."""
    found = {}
    for number, one in enumerate(given):
        if isinstance(one, sp.Eq) and one.lhs.is_Pow and one.lhs.exp == 2 and one.rhs.has(sp.Function(INNER)):
            vector = _vector_of(sp.expand(one.rhs), names)
            if vector is not None:
                found[number] = vector, one.lhs.base
    return found


def _vector_of(form: sp.Expr, names: Sequence[str]) -> Vector | None:
    """Return the vector whose square a form is, None where it is no square."""
    first = next((name for name in names if form.coeff(gram(name, name)) != 0), None)
    if first is None:
        return None
    root = sp.sqrt(form.coeff(gram(first, first)))
    if root.has(sp.Pow) and any(p.exp.is_Rational and not p.exp.is_Integer for p in root.atoms(sp.Pow)):
        return None
    vector = {first: root}
    for name in names:
        weight = sp.cancel(form.coeff(gram(first, name)) / (2 * root))
        if name != first and weight != 0:
            vector[name] = weight
    return vector if sp.expand(_dot(vector, vector) - form) == 0 else None


def _dot(u: Vector, v: Vector) -> sp.Expr:
    return sp.expand(sum(c * d * gram(a, b) for a, c in u.items() for b, d in v.items()))


def _cauchy_schwarz(u: Vector, v: Vector) -> list[list[Any]]:
    """Return the terms, with a = |u|^2, b = |v|^2, p = <u, v> and d = p^2 - a b > 0, the denial.

    |b u - p v|^2 = -b d and |a v - p u|^2 = -a d, so that d |u - p v|^2, the latter, p^2 times the former, 2 d^2 and
    2 a b d add up to 0.
    """
    x, y = _text(u), _text(v)
    a, b, p = (expression(scalars(_dot(*pair))) for pair in ((u, u), (v, v), (u, v)))
    return [
        ["not", [f"{x} - ({p})*({y})"]],
        [[f"({a})*({y}) - ({p})*({x})"]],
        [[p], [f"({b})*({x}) - ({p})*({y})"]],
        ["2", "not", "not"],
        ["2", "not", [x], [y]],
    ]


def _text(vector: Vector) -> str:
    return " + ".join(f"({expression(c)})*({vector_text(name)})" for name, c in vector.items())
