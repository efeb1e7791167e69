"""Exponents read off a bound by computation: the order of growth of an expression in one letter.

All letters are positive and terms are added, so the order of a sum is the largest order and the order of a minimum the
smallest: exact arithmetic on exponents, no limits.  Where something is subtracted (N - S) the whole is positive and
below what it is subtracted from, which alone counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
import sympy as sp

from boundcheck.bounds.bound import compile_expression
from boundcheck.errors import BoundcheckError
from boundcheck.notation import LETTERS, letter_named, symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds.bound import Bound

_TRIED = 200
"""Values at which a base of a power is compared with 1."""


class Terms(Protocol):
    """What a bound and a row of a comparison table have in common: terms, and what is put into them."""

    @property
    def id(self) -> str:
        """Return its name."""

    @property
    def terms(self) -> Mapping[str, sp.Expr]:
        """Return the named terms."""

    @property
    def total(self) -> sp.Expr:
        """Return their sum."""

    @property
    def parameters(self) -> Mapping[str, sp.Expr]:
        """Return the prescribed parameters."""

    @property
    def free(self) -> tuple[str, ...]:
        """Return the parameters that are left to the user."""

    @property
    def regime(self) -> Mapping[str, sp.Expr]:
        """Return how settings grow with T."""


def order(expression: sp.Expr, letter: sp.Symbol) -> sp.Rational:
    """Return p with expression ~ letter^p (logarithms ignored) as the letter grows, the others fixed.

    Raises
    ------
    BoundcheckError
        If the expression is not built from +, *, powers, min, max, logarithms, exponentials, roundings, sums over an
        index and sines of small angles.
    """
    e = sp.sympify(expression)
    if letter not in e.free_symbols:
        return sp.Integer(0)
    if e == letter:
        return sp.Integer(1)
    if isinstance(e, sp.Mul):
        return sp.Add(*(order(a, letter) for a in e.args))
    if isinstance(e, (sp.Add, sp.Max)):
        return max(order(a, letter) for a in _added_terms(e))
    if isinstance(e, sp.Min):
        return min(order(a, letter) for a in e.args)
    if isinstance(e, sp.Pow) and letter not in e.exp.free_symbols:
        return order(e.base, letter) * e.exp
    if isinstance(e, sp.Pow) and e.base in (symbol("beta1"), symbol("beta2")):
        # Weights of old moments lie in [0, 1): their powers die out.
        return -sp.oo
    if isinstance(e, sp.Pow) and order(e.exp, letter) > 0 and (_is_share(e.base) or _is_below_one(e.base, letter)):
        return -sp.oo
    if (
        isinstance(e, sp.Pow)
        and e.exp.could_extract_minus_sign()
        and order(e.exp, letter) > 0
        and (e.base - 1).is_positive
    ):
        # A share too, written as a number above 1 to a negative power.
        return -sp.oo
    if isinstance(e, (sp.log, sp.LambertW, sp.harmonic)):
        return sp.Integer(0)
    if isinstance(e, sp.exp) and e.args[0].could_extract_minus_sign() and order(e.args[0], letter) > 0:
        return -sp.oo
    if isinstance(e, sp.sin) and order(e.args[0], letter) < 0:
        return order(e.args[0], letter)
    if isinstance(e, (sp.ceiling, sp.floor)):
        return max(order(e.args[0], letter), sp.Integer(0))
    if isinstance(e, sp.Piecewise):
        return order(e.args[-1].expr, letter)
    if isinstance(e, sp.Sum) and len(e.limits) == 1:
        return _order_of_sum(e, letter)
    msg = f"no rule for the order of {e.func.__name__} in {letter}"
    raise BoundcheckError(msg)


def _order_of_sum(e: sp.Sum, letter: sp.Symbol) -> sp.Rational:
    """Return the order of a sum of positive terms that are powers of its index: of its first ones or of its last."""
    index, _, last = e.limits[0]
    early = order(e.function.subs(index, sp.Integer(1)), letter)
    if last - letter not in {-1, 0}:
        msg = f"no rule for the order of a sum up to {last} in {letter}"
        raise BoundcheckError(msg)
    return max(early, order(e.function.subs(index, letter), letter) + 1)


def _is_share(base: sp.Expr) -> bool:
    """Return whether a base is 1 less something, which a linear rate takes powers of."""
    rest = base - 1
    return bool(base.is_Add) and rest.could_extract_minus_sign() and 1 in base.args


def _is_below_one(base: sp.Expr, letter: sp.Symbol) -> bool:
    """Return whether a base without the letter is below 1 at many values of its letters: weights, and mu <= L."""
    names = sorted(s.name for s in base.free_symbols)
    if letter in base.free_symbols or not names:
        return bool(letter not in base.free_symbols and base < 1)
    rng = np.random.default_rng(0)
    _, function = compile_expression(base)
    for _ in range(_TRIED):
        given = dict(zip(names, np.exp(rng.uniform(-5, 5, len(names))), strict=True))
        given |= {name: rng.random() for name in names if letter_named(name).kind.high == 1}
        given |= {name: 1.0 + np.floor(value) for name, value in given.items() if letter_named(name).kind.whole}
        given |= {name: rng.random() * min(given.get("L", 1.0), 1.0) for name in ("mu", "mu_PL") if name in given}
        with np.errstate(all="ignore"):
            if not 0 <= float(function(*(given[name] for name in names))) < 1:
                return False
    return True


def _added_terms(e: sp.Expr) -> list[sp.Expr]:
    """Return the arguments that are not subtracted (all of them if every one is)."""
    return [a for a in e.args if not a.could_extract_minus_sign()] or list(e.args)


@lru_cache(maxsize=1 << 12, typed=True)
def leading(expression: sp.Expr, letter: sp.Symbol) -> sp.Expr:
    """Return the part of the expression that is left as the letter grows: lower-order parts and branches dropped."""
    e = sp.sympify(expression)
    if letter not in e.free_symbols:
        return e
    if isinstance(e, (sp.Add, sp.Max, sp.Min)):
        top = order(e, letter)
        kept = [leading(a, letter) for a in (_added_terms(e) if e.is_Add else e.args) if order(a, letter) == top]
        return e.func(*kept) if len(kept) > 1 else kept[0]
    if isinstance(e, sp.ceiling):
        inner = e.args[0]
        return leading(inner, letter) if order(inner, letter) > 0 else sp.Integer(1)
    if isinstance(e, sp.Piecewise):
        return leading(e.args[-1].expr, letter)
    if isinstance(e, (sp.Mul, sp.Pow)):
        return e.func(*(leading(a, letter) for a in e.args))
    return e


def substitute_parameters(bound: Terms, expression: sp.Expr, *, regime: bool = True) -> sp.Expr:
    """Return the expression with the bound's parameters (and its regime) put in: constants and settings stay.

    A parameter whose formula has no order by the rules, such as a sum of round-downs, has its growth in the regime.
    A parameter that is left to the user stays a letter, unless what the theorem suggests for it changes with T; so does
    one that abbreviates a weight, such as the factor by which a round shrinks an error.
    """
    shares = {name for name in getattr(bound, "definitions", ()) if letter_named(name).kind.high == 1}
    put = [
        (name, bound.regime.get(name, bound.parameters[name]))
        for name in reversed(list(bound.parameters))
        # A hyperparameter whose name is no letter stands in no formula.
        if name in LETTERS
        and (
            (name not in bound.free and name not in shares)
            or symbol("T") in sp.sympify(bound.parameters[name]).free_symbols
        )
    ]
    put += bound.regime.items() if regime else ()
    return _with(sp.sympify(expression), tuple((symbol(name), sp.sympify(value)) for name, value in put))


@lru_cache(maxsize=1 << 12)
def _with(expression: sp.Expr, values: tuple[tuple[sp.Symbol, sp.Expr], ...]) -> sp.Expr:
    """Put values in the place of letters, one after the other; pages and tables ask again for the same."""
    for letter, value in values:
        expression = expression.subs(letter, value)
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


def exponents(bound: Terms) -> Exponents:
    """Return the exponents that `bound` promises at its prescribed parameters, derived from its terms.

    Powers of the accuracy that a row of a comparison table prints are taken as printed.
    """
    T = symbol("T")
    dominant = leading(substitute_parameters(bound, bound.total), T)
    powers = {name: order(dominant, symbol(name)) for name in ("T", "N", "K")}
    # S <= N: what falls with N is gone before S counts.
    powers["S"] = order(leading(dominant, symbol("N")), symbol("S"))
    if powers["T"] >= 0:
        return Exponents(**powers, rounds=None, samples=None)
    rounds = sp.Rational(2) / -powers["T"]
    samples = rounds * order(substitute_parameters(bound, symbol("K") * T), T)
    # A printed cost stands: rounds and samples may fall by different powers, with a K that grows.
    printed = {name: -order(cost, symbol("eps_acc")) for name, cost in getattr(bound, "complexity", {}).items()}
    samples = printed.get("steps", printed.get("samples", samples))
    return Exponents(**powers, rounds=printed.get("rounds", rounds), samples=samples)


def decay(bound: Bound, letter: str, *, regime: bool = False) -> list[float]:
    """Return the powers p of the bound's terms ~ letter^(-p), the model that measurements are fitted with.

    In T every term counts; in another letter those terms that dominate as T grows.
    """
    T = symbol("T")
    parts = [leading(substitute_parameters(bound, e, regime=regime), T) for e in bound.terms.values()]
    if letter != "T":
        top = max(order(e, T) for e in parts)
        parts = [e for e in parts if order(e, T) == top]
    return sorted({-float(order(e, symbol(letter))) for e in parts})
