"""Exponents read off a bound by computation: the order of growth of an expression in one letter.

All letters are positive and terms are added, never subtracted from each other, so the order of a sum is the largest
order and the order of a minimum the smallest: exact arithmetic on exponents, no limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import BoundcheckError
from boundcheck.notation import symbol

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound


def order(expression: sp.Expr, letter: sp.Symbol) -> sp.Rational:
    """Return p with expression ~ letter^p (logarithms ignored) as the letter grows, the others fixed.

    Raises
    ------
    BoundcheckError
        If the expression is not built from +, *, powers, min, max, logarithms and round-ups.
    """
    e = sp.sympify(expression)
    if letter not in e.free_symbols:
        return sp.Integer(0)
    if e == letter:
        return sp.Integer(1)
    if isinstance(e, sp.Mul):
        return sp.Add(*(order(a, letter) for a in e.args))
    if isinstance(e, (sp.Add, sp.Max)):
        return max(order(a, letter) for a in e.args)
    if isinstance(e, sp.Min):
        return min(order(a, letter) for a in e.args)
    if isinstance(e, sp.Pow) and letter not in e.exp.free_symbols:
        return order(e.base, letter) * e.exp
    if isinstance(e, sp.Pow) and e.base in (symbol("beta1"), symbol("beta2")):
        # Weights of old moments lie in [0, 1): their powers die out.
        return -sp.oo
    if isinstance(e, sp.log):
        return sp.Integer(0)
    if isinstance(e, sp.ceiling):
        return max(order(e.args[0], letter), sp.Integer(0))
    if isinstance(e, sp.Piecewise):
        return order(e.args[-1].expr, letter)
    msg = f"no rule for the order of {e.func.__name__} in {letter}"
    raise BoundcheckError(msg)


def leading(expression: sp.Expr, letter: sp.Symbol) -> sp.Expr:
    """Return the part of the expression that is left as the letter grows: lower-order parts and arms dropped."""
    e = sp.sympify(expression)
    if letter not in e.free_symbols:
        return e
    if isinstance(e, (sp.Add, sp.Max, sp.Min)):
        top = order(e, letter)
        kept = [leading(a, letter) for a in e.args if order(a, letter) == top]
        return e.func(*kept) if len(kept) > 1 else kept[0]
    if isinstance(e, sp.ceiling):
        inner = e.args[0]
        return leading(inner, letter) if order(inner, letter) > 0 else sp.Integer(1)
    if isinstance(e, sp.Piecewise):
        return leading(e.args[-1].expr, letter)
    if isinstance(e, (sp.Mul, sp.Pow)):
        return e.func(*(leading(a, letter) for a in e.args))
    return e


def prescribed(bound: Bound, expression: sp.Expr, *, regime: bool = True) -> sp.Expr:
    """Return the expression with the bound's parameters (and its regime) put in: constants and settings stay."""
    for name in reversed(list(bound.parameters)):
        if name not in bound.free:
            expression = expression.subs(symbol(name), bound.parameters[name])
    for name, value in bound.regime.items() if regime else ():
        expression = expression.subs(symbol(name), value)
    return expression


@dataclass(frozen=True)
class Exponents:
    """Powers of the letters in the part of a bound that dominates as T grows."""

    T: sp.Rational
    N: sp.Rational
    K: sp.Rational
    S: sp.Rational
    rounds: sp.Rational | None
    """p in: rounds ~ eps^(-p) for |grad| <= eps; None if the bound does not decrease with T."""
    samples: sp.Rational | None
    """p in: local steps of one client ~ eps^(-p)."""


def exponents(bound: Bound) -> Exponents:
    """Return the exponents that `bound` promises at its prescribed parameters, derived from its terms."""
    T = symbol("T")
    dominant = leading(prescribed(bound, bound.total), T)
    powers = {name: order(dominant, symbol(name)) for name in ("T", "N", "K", "S")}
    if powers["T"] >= 0:
        return Exponents(**powers, rounds=None, samples=None)
    rounds = sp.Rational(2) / -powers["T"]
    steps = order(prescribed(bound, symbol("K") * T), T)
    return Exponents(**powers, rounds=rounds, samples=rounds * steps)


def decay(bound: Bound, letter: str, *, regime: bool = False) -> list[float]:
    """Return the powers p of the bound's terms ~ letter^(-p), the model that measurements are fitted with.

    In T every term counts; in another letter those terms that dominate as T grows.
    """
    T = symbol("T")
    parts = [leading(prescribed(bound, e, regime=regime), T) for e in bound.terms.values()]
    if letter != "T":
        top = max(order(e, T) for e in parts)
        parts = [e for e in parts if order(e, T) == top]
    return sorted({-float(order(e, symbol(letter))) for e in parts})
