"""The factor by which a round contracts as a `Bound`: it is checked, refuted, plotted and reviewed like any other."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from boundcheck.errors import NotApplicableError
from boundcheck.notation import symbols
from boundcheck.worst.theorems.all_steps.bound import as_rational
from boundcheck.worst.theorems.theorem import parameters_of, rounded_up

if TYPE_CHECKING:
    import sympy as sp

    from boundcheck.bounds.bound import Bound
    from boundcheck.worst.theorems.contraction import Contraction

_LEAST = Fraction(1, 10**7)
"""Smaller factors are what rounding left of 0; they are raised to it."""


def bound_of_contraction(theorem: Contraction) -> Bound:
    """Return E m(x_T) <= rate^T (start m(x_0) + a) + b as a bound, m the distance or the value; for mu and above.

    The letters are L, mu, zeta_star where heterogeneity at x_star is assumed, sigma where there is noise, and delta_x
    or Delta; steps are multiples of 1/L.  The sum over rounds, rate^T and 1/(1 - rate), is in the terms.

    Raises
    ------
    NotApplicableError
        If it is about additive noise of a method that evaluates a minibatch twice, which a bound cannot ask for.

    Examples
    --------
    >>> from boundcheck import METHODS
    >>> from boundcheck.worst import contract
    >>> bound = bound_of_contraction(contract(METHODS["sgd"](eta=1.0), K=1, mu=0.1, N=1))
    >>> bound.metric, sorted(bound.needs)
    ('final_distance', ['L', 'delta_x', 'mu'])
    """
    from sympy import Eq, Le

    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.bounds.common import FULL

    card, given = theorem.method.card, theorem.given
    if given.sigma and "same sample" in card.needs:
        msg = f"method {card.id} evaluates a minibatch twice: the theorem is of additive noise, which no bound can say"
        raise NotApplicableError(msg)
    parameters, choices, hyper = parameters_of(theorem.method)
    L, mu, K, N, delta_x, Delta = symbols("L mu K N delta_x Delta")
    distance = theorem.measured == "distance"
    needs = ["L", "mu", "delta_x" if distance else "Delta"]
    needs += [letter for letter, name in (("zeta_star", "zeta"), ("sigma", "sigma")) if _counts(theorem, name)]
    conditions = [FULL, Condition("local steps", Eq(K, theorem.K))]
    conditions.append(Condition("curvature", Le(as_rational(Fraction(given.convexity)) * L, mu)))
    if given.sigma or given.N == 1:
        conditions.append(Condition("clients", Eq(N, given.N)))
    return Bound(
        id=f"contraction.{card.id}",
        paper=card.paper,
        title=f"{card.title}, the factor by which a round contracts",
        where="no paper: a proof over the rationals",
        method=card.id,
        metric="final_distance" if distance else "final_suboptimality",
        needs=tuple(needs),
        parameters=parameters,
        choices=choices,
        hyper=hyper,
        terms=_terms(theorem),
        trivial=delta_x if distance else Delta,
        conditions=tuple(conditions),
        form="proof",
        rigid=True,
        convex=True,
        exact_gradients=not given.sigma,
        note="For every T; its three certificates are checked over the rationals, the sum over rounds is geometric.",
    )


def _counts(theorem: Contraction, name: str) -> bool:
    """Return whether a constant is part of the class."""
    return bool(getattr(theorem.given, name))


def _terms(theorem: Contraction) -> dict[str, sp.Expr]:
    """Return the terms; a gradient squared is in units of L^2 times a distance, or L times a value."""
    L, T, b, delta_x, Delta, zeta, sigma = symbols("L T b delta_x Delta zeta_star sigma")
    distance = theorem.measured == "distance"
    falls = as_rational(theorem.rate) ** T
    found = {"start": falls * _up(theorem.at_start("start")) * (delta_x if distance else Delta)}
    unit = 1 / L ** (2 if distance else 1)
    for name, word, square in (("zeta", "heterogeneity", zeta**2), ("sigma", "noise", sigma**2 / b)):
        if not _counts(theorem, name):
            continue
        for factor, where, times in ((theorem.at_start(name), " at the start", falls), (theorem.at_end(name), "", 1)):
            if factor:
                found[word + where] = times * _up(max(factor, _LEAST)) * square * unit
    return found


def _up(value: Fraction) -> sp.Rational:
    return as_rational(rounded_up(value))
