"""The four provers and the vocabulary in which goals are written; importing this imports sympy and z3."""

import sympy as sp

from boundcheck.lemmas.claim import AllOf
from boundcheck.lemmas.provers.gram import GramBound
from boundcheck.lemmas.provers.hilbert import Vector, inner, square, unit_mean, vectors
from boundcheck.lemmas.provers.identity import Identity
from boundcheck.lemmas.provers.monotone import AllFrom, OnBox
from boundcheck.lemmas.provers.real import Feasible, Infeasible, Real

__all__ = [
    "AllFrom",
    "AllOf",
    "Feasible",
    "GramBound",
    "Identity",
    "Infeasible",
    "OnBox",
    "Real",
    "Vector",
    "frac",
    "inner",
    "nonnegative",
    "positive",
    "square",
    "unit_mean",
    "vectors",
]


def frac(p: int, q: int) -> sp.Rational:
    """Return the exact fraction p/q."""
    return sp.Rational(p, q)


def positive(names: str) -> tuple[sp.Symbol, ...]:
    """Return positive symbols for letters that belong to one step only, such as a Young parameter."""
    return tuple(sp.Symbol(name, positive=True) for name in names.split())


def nonnegative(names: str) -> tuple[sp.Symbol, ...]:
    """Return nonnegative symbols for letters that belong to one step only."""
    return tuple(sp.Symbol(name, nonnegative=True) for name in names.split())
