"""What theorems of several papers share: variances, full participation, and conditions that limit one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from sympy import Expr, Integer, Le, Max, Min, Piecewise, Rational

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.notation import symbols

Limits = Mapping[str, tuple[Expr, bool]]
"""Label to an upper limit of a step, and whether the paper states it."""

N, S, b, sigma = symbols("N S b sigma")

VARIANCE = sigma**2 / b
"""Variance of a minibatch gradient."""
SAMPLING = (N - S) / (S * Max(N - 1, 1))
"""Variance factor of a sample without replacement: 0 for S = N, 1 for S = 1."""


@cache
def compound(steps: Expr) -> Expr:
    """Return the sum of the powers 0 .. n - 2 of 1 + 1/(n - 1) for n steps: 0 for one, below (e - 1) (n - 1)."""
    powers = (steps - 1) * ((1 + 1 / Max(steps - 1, 1)) ** (steps - 1) - 1)
    return Piecewise((Integer(0), steps < 2), (powers, True))


FULL = Condition("full participation", Le(N, S))


def least(*numbers: Expr) -> Expr:
    """Return the least of different numbers; sympy does not try to compare them, which takes it long."""
    return Min(*numbers, evaluate=False)


def smallest(limits: Limits) -> Expr:
    """Return the largest step that all limits allow."""
    return least(*(limit for limit, _ in limits.values()))


def within(step: Expr, limits: Limits) -> tuple[Condition, ...]:
    """Return step <= limit for every labelled limit."""
    return tuple(Condition(label, Le(step, limit), stated=stated) for label, (limit, stated) in limits.items())


def sharpen_bound(bound: Bound, factor: Rational, note: str) -> Bound:
    """Return a bound with all its constants multiplied by a factor below 1, which the same proof gives."""
    stem, dash, case = bound.id.partition("-alt")
    return replace(
        bound,
        id=f"{stem}S{dash}{case}",
        title=bound.title.replace("explicit constants of the proof", "sharpened"),
        where=f"{bound.where}, sharpened",
        terms={name: factor * term for name, term in bound.terms.items()},
        form="sharpened",
        note=note,
    )
