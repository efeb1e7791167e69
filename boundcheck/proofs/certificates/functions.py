"""Certificates of inequalities between functions: levels of derivatives, or cells of a box, are looked for.

What is found is what `boundcheck.proofs.kernel.functions` checks: the statement is a text, made from the goal alone.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from sympy.printing.str import StrPrinter

from boundcheck.proofs.certificates.statement import sort_of
from boundcheck.proofs.kernel.functions import MOST_LEVELS, WORK, ProductLimit, Tail, check, relation_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import sympy as sp

    from boundcheck.proofs.kernel.functions import LogSum, Poly

Certificate = dict[str, Any]
_ERRORS = (ValueError, ZeroDivisionError)
_PIECES = (1, 2, 4, 8, 16, 32, 64)
_DEPTH = 4
_TRIES = 120
_MOST_TERMS = 400


class _FunctionPrinter(StrPrinter):  # type: ignore[misc]
    def _print_Exp1(self, e: sp.Expr) -> str:
        del e
        return "euler"


def function_text(e: sp.Expr) -> str:
    """Return an expression as it stands in a certificate about functions."""
    return str(_FunctionPrinter().doprint(e)).replace("**", "^")


def tail_statement(lhs: sp.Expr, rhs: sp.Expr, variable: sp.Symbol, start: sp.Expr) -> Certificate:
    """Return what a certificate of ``lhs <= rhs`` for all ``variable >= start`` states."""
    return {
        "kind": "tail",
        "letters": {variable.name: sort_of(variable)},
        "given": [f"{variable.name} >= {function_text(start)}"],
        "shows": f"{function_text(lhs)} <= {function_text(rhs)}",
    }


def box_statement(lhs: sp.Expr, rhs: sp.Expr, box: Mapping[sp.Symbol, tuple[sp.Expr, sp.Expr]]) -> Certificate:
    """Return what a certificate of ``lhs < rhs`` on a box states."""
    ends = [
        f"{x.name} {side} {function_text(end)}"
        for x, pair in box.items()
        for side, end in zip((">=", "<="), pair, strict=True)
    ]
    return {
        "kind": "box",
        "letters": {x.name: sort_of(x) for x in box},
        "given": ends,
        "shows": f"{function_text(lhs)} < {function_text(rhs)}",
    }


def tail_certificate(statement: Certificate) -> Certificate | None:
    """Return the statement with levels that show it, None where none are found."""
    ((x, _),) = statement["letters"].items()
    left, _, right = relation_of(statement["shows"])
    tail = Tail(x, Fraction(statement["given"][0].partition(" >= ")[2]))
    ProductLimit.left = WORK
    try:
        gap = tail.gap(left, right)
    except _ERRORS:
        return None
    budget = [_TRIES]
    for depth in range(min(_DEPTH, MOST_LEVELS) + 1):
        levels = _search(tail, gap, depth, budget)
        if levels is not None:
            return {**statement, "levels": levels}
    return None


def _search(tail: Tail, gap: LogSum, depth: int, budget: list[int]) -> list[dict[str, str]] | None:
    """Return `depth` levels after which nothing may be negative, None where none are found."""
    ProductLimit.left = WORK
    if depth == 0:
        try:
            tail.last(gap)
        except _ERRORS:
            return None
        return []
    try:
        factors = list(_factors(tail, gap))
    except _ERRORS:
        return None
    for times, at in product(factors, ("start", "end")):
        budget[0] -= 1
        if budget[0] < 0:
            return None
        ProductLimit.left = WORK
        try:
            below = tail.level(gap, times, at)
        except _ERRORS:
            continue
        if sum(len(w.top) + len(w.below) for w in (below.rest, *below.logs.values())) > _MOST_TERMS:
            continue
        more = _search(tail, below, depth - 1, budget)
        if more is not None:
            return [{"times": times, "at": at}, *more]
    return None


def _factors(tail: Tail, gap: LogSum) -> Iterator[str]:
    """Yield what a gap may be multiplied by: 1, what makes the weight of a logarithm constant, or 1/x."""
    yield "1"
    seen = {"1"}
    for weight in gap.logs.values():
        for sign in (1, -1):
            top = {m: sign * c for m, c in weight.top.items()}
            if top and tail.positive(top):
                text = f"({_polynomial(weight.below)})/({_polynomial(top)})"
                if text not in seen:
                    seen.add(text)
                    yield text
    yield f"1/{tail.x}"


def _polynomial(p: Poly) -> str:
    terms = []
    for m, c in p.items():
        powers = "*".join(f"{name}^{k}" if name.isidentifier() else f"({name})^{k}" for name, k in m)
        terms.append(f"({c})*{powers}" if powers else f"({c})")
    return " + ".join(terms) or "0"


def box_certificate(statement: Certificate) -> Certificate | None:
    """Return the statement with cells on which it is shown, None where none are fine enough."""
    names = list(statement["letters"])
    for pieces in _PIECES:
        # One letter at a time, then all of them alike.
        for chosen in (*([name] for name in names), names) if pieces > 1 else ([],):
            made = {**statement, "cells": dict.fromkeys(chosen, pieces)}
            try:
                check({"id": "box", **made})
            except _ERRORS:
                continue
            return made
    return None
