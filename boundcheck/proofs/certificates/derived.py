"""Lemmas that a question may need: roots of what is compared, and signs of the factors of the goal."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundcheck.proofs.certificates.elimination import Rules
from boundcheck.proofs.certificates.polynomials import expression
from boundcheck.proofs.certificates.statement import expression as printed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.certificates.polynomials import Exponents, Polynomial
    from boundcheck.proofs.certificates.real import FactBase

DIGITS = 1000
"""A root of a number is rounded to a fraction with a denominator of this order."""


def prove_steps(question: FactBase, gap: sp.Expr) -> list[dict[str, Any]]:
    """Return steps that were proved, and note what they show.

    Parameters
    ----------
    question : Question
        What is known; the steps are added to it.
    gap : expression
        What is to be shown to be nonnegative.
    """
    steps = []
    for value in (*_roots(question), *_factors(question, gap)):
        terms = question.prove(value, ">=", quick=True)
        if terms is not None:
            steps.append({"shows": f"{printed(value)} >= 0", "by": terms})
            question.note(value, ">=")
    return steps


def _roots(question: FactBase) -> Iterator[sp.Expr]:
    """Yield ``u - q v`` for every fact that compares powers of two monomials u and v."""
    facts = [f for f in question.facts if f is not None]
    rules = Rules.of(((k, f.value) for k, f in enumerate(question.facts) if f and f.op == "="), question.signs)
    for fact in facts:
        p = fact.value if fact.op == "=" else rules.reduce(fact.value)
        if len(p) == 2 and all(question.signs.strict(k) for k in p) and min(p.values()) < 0 < max(p.values()):
            yield from (_root(question, p, sign) for sign in ((1, -1) if fact.op == "=" else (1,)) if _power(p) > 1)


def _power(p: Polynomial) -> int:
    above, below = p
    return gcd(*(a - b for a, b in zip(above, below, strict=True)))


def _root(question: FactBase, p: Polynomial, sign: int) -> sp.Expr:
    above, below = sorted(p, key=lambda k: -sign * p[k])
    power = _power(p)
    ratio = float(-p[below] / p[above]) ** (1 / power)
    number = Fraction(int(ratio * DIGITS), DIGITS) if ratio > 1 else 1 / Fraction(int(DIGITS / ratio) + 1, DIGITS)
    exact = Fraction(ratio).limit_denominator(DIGITS)
    number = exact if exact**power == -p[below] / p[above] else number
    ends: list[Exponents] = [
        tuple(max(0, d // power) for d in (x - y for x, y in zip(a, b, strict=True)))
        for a, b in ((above, below), (below, above))
    ]
    return expression({ends[0]: Fraction(1), ends[1]: -number}, question.letters)


def _factors(question: FactBase, gap: sp.Expr) -> Iterator[sp.Expr]:
    """Yield the factors of the goal, and their negatives, where there are several."""
    top = sp.fraction(sp.together(gap))[0]
    equations = Rules.of(((k, f.value) for k, f in enumerate(question.facts) if f and f.op == "="), question.signs)
    reduced = equations.reduce(question.polynomial(top))
    bases = [base for base, _ in sp.factor_list(sp.numer(sp.together(expression(reduced, question.letters))))[1]]
    if len(bases) > 1:
        yield from (sign * base for base in bases if not question.sign_of(base) for sign in (1, -1))
