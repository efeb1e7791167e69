"""A sharpened theorem as a `Bound`, so that it is measured, plotted and checked like any other."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.notation import CURVATURE, LETTERS, NUMBER, STEP, symbols
from boundcheck.worst.gram.units import hyperparameters, units

if TYPE_CHECKING:
    import sympy as sp

    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.methods.base import Method
    from boundcheck.notation import Unit
    from boundcheck.worst.theorems.sharpened import Sharpened

_DECIMALS = 9
"""Significant digits of a factor, rounded up."""
_LETTERS_FOR = {STEP: ("eta", "gamma", "h"), CURVATURE: ("mu_prox", "mu", "L_env")}
"""Letters that a hyperparameter may take that has none of its own."""


def bound_of(theorem: Sharpened) -> Bound:
    """Return a sharpened theorem as a bound.

    Raises
    ------
    NotApplicableError
        If it is about additive noise, which a bound cannot ask for.
    """
    from boundcheck.bounds.bound import Bound

    card, given = theorem.method.card, theorem.given
    if given.sigma and "same sample" in card.needs:
        msg = f"method {card.id} evaluates a minibatch twice: the theorem is of additive noise, which no bound can say"
        raise NotApplicableError(msg)
    used = [letter for letter in ("zeta", "sigma", "G_0") if getattr(given, letter)]
    parameters, choices, hyper = parameters_of(theorem.method)
    L, Delta = symbols("L Delta")
    return Bound(
        id=f"sharpened.{card.id}",
        paper=card.paper,
        title=f"{card.title}, {theorem.title}",
        where="no paper: a proof over the rationals",
        method=card.id,
        metric="server_gradient",
        needs=("L", "Delta", *used, *(["zeta"] if given.zeta == 0 else [])),
        parameters=parameters,
        choices=choices,
        hyper=hyper,
        terms=_terms(theorem),
        trivial=2 * L * Delta,
        conditions=_conditions(theorem),
        form="proof",
        rigid=True,
        exact_gradients=not given.sigma,
        note="For every T; the potential was chosen for one T.",
    )


def rounded_up(value: Fraction) -> Fraction:
    """Return a decimal fraction that is no smaller, with nine digits: theorems are only ever weakened."""
    if value <= 0:
        return Fraction(0)
    places = _DECIMALS - len(str(int(value))) if value >= 1 else _DECIMALS + len(str(int(1 / value)))
    scale = Fraction(10) ** places
    return ceil(value * scale) / scale


def _terms(theorem: Sharpened) -> dict[str, sp.Expr]:
    """Return the terms: what the start brings over T, what every round brings as it is."""
    L, Delta, zeta, sigma, G_0, b, T = symbols("L Delta zeta sigma G_0 b T")
    letters = {"Delta": L * Delta, "zeta": zeta**2, "sigma": sigma**2, "G_0": G_0}
    words = {"Delta": "descent", "zeta": "heterogeneity", "sigma": "noise", "G_0": "gradients"}
    once, always = theorem.proof.constants["start"], theorem.proof.constants["round"]
    terms = {}
    for name, letter in letters.items():
        if factor := always.get(name, Fraction(0)):
            terms[words[name]] = _number(factor) * letter / (b if name == "sigma" else 1)
        if factor := once.get(name, Fraction(0)):
            terms[words[name] if name == "Delta" else f"{words[name]} at the start"] = _number(factor) * letter / T
    return terms


def _number(value: Fraction) -> sp.Rational:
    import sympy

    up = rounded_up(value)
    return sympy.Rational(up.numerator, up.denominator)


def parameters_of(method: Method) -> tuple[dict[str, sp.Expr], dict[str, Any], dict[str, str]]:
    """Return steps as letters over L, other hyperparameters as choices, and which letter sets which step."""
    import sympy

    (L,) = symbols("L")
    parameters: dict[str, sp.Expr] = {}
    choices: dict[str, Any] = {f.name: getattr(method, f.name) for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    hyper = {}
    values = hyperparameters(method)
    for name, unit in units(method).items():
        value = Fraction(values[name])
        choices[name] = float(value)
        if unit != NUMBER:
            letter = _letter(name, unit, parameters)
            parameters[letter] = sympy.Rational(value.numerator, value.denominator) * (1 / L if unit == STEP else L)
            hyper[name] = letter
            del choices[name]
    # A hyperparameter that is no step must not be taken for the letter of one.
    return parameters, choices, hyper | {name: "" for name in choices if name in parameters}


def _letter(name: str, unit: Unit, taken: dict[str, sp.Expr]) -> str:
    own = [name] if name in LETTERS and LETTERS[name].unit == unit else []
    return next(letter for letter in (*own, *_LETTERS_FOR[unit]) if letter not in taken)


def _conditions(theorem: Sharpened) -> tuple[Condition, ...]:
    from sympy import Eq, Le

    from boundcheck.bounds.bound import Condition
    from boundcheck.bounds.common import FULL

    N, S, K, zeta = symbols("N S K zeta")
    given = theorem.given
    partial = theorem.S < given.N
    found = [Condition("active clients", Eq(S, theorem.S)) if partial else FULL]
    found.append(Condition("local steps", Eq(K, theorem.K)))
    if given.sigma or given.N == 1 or partial:
        found.append(Condition("clients", Eq(N, given.N)))
    if given.zeta == 0:
        found.append(Condition("equal gradients", Le(zeta, 0, evaluate=False)))
    return tuple(found)
