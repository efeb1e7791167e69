"""Polynomials over Q with integer exponents, negative ones included: dicts from exponents to fractions."""

from __future__ import annotations

from fractions import Fraction
from operator import add
from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, Fraction]


def polynomial(e: sp.Expr, letters: Sequence[sp.Symbol]) -> Polynomial:
    """Return a polynomial expression as a dict."""
    if not letters:
        value = sp.Rational(e)
        return {(): Fraction(int(value.p), int(value.q))} if value else {}
    terms = sp.Poly(e, *letters).as_dict()
    return {tuple(map(int, k)): Fraction(int(c.p), int(c.q)) for k, c in terms.items()}


def plus(p: Polynomial, q: Polynomial, factor: Fraction | int = 1) -> Polynomial:
    """Return ``p + factor * q``."""
    total = dict(p)
    for k, c in q.items():
        total[k] = total.get(k, Fraction(0)) + factor * c
    return {k: c for k, c in total.items() if c}


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product."""
    total: dict[Exponents, Fraction] = {}
    for k, c in p.items():
        for m, d in q.items():
            key = tuple(map(add, k, m))
            total[key] = total.get(key, Fraction(0)) + c * d
    return {k: c for k, c in total.items() if c}


def times_monomial(p: Polynomial, by: Exponents) -> Polynomial:
    """Return the product with a monomial."""
    return {tuple(map(add, k, by)): c for k, c in p.items()}


def expression(p: Mapping[Exponents, Fraction], letters: Sequence[sp.Symbol]) -> sp.Expr:
    """Return a dict as a sympy expression."""
    return sp.Add(
        *(
            sp.Rational(c.numerator, c.denominator) * sp.Mul(*(s**e for s, e in zip(letters, k, strict=True)))
            for k, c in p.items()
        )
    )
