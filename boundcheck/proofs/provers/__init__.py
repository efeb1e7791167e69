"""The provers and the vocabulary in which goals are written; importing this imports sympy and z3."""

import sympy as sp

from boundcheck.proofs.language.claim import AllOf, AnyOf
from boundcheck.proofs.provers.enumeration import Expected, Rationals, signs, subsets
from boundcheck.proofs.provers.expectation import (
    NoiseSymbol,
    Sampling,
    expect,
    independent,
    noise,
    sampled_mean,
    taken,
    with_replacement,
    without_replacement,
)
from boundcheck.proofs.provers.gram import GramBound
from boundcheck.proofs.provers.hilbert import Vector, clients, deviation, inner, mean, square, unit_mean, vectors
from boundcheck.proofs.provers.identity import Identity
from boundcheck.proofs.provers.lengths import LengthBound
from boundcheck.proofs.provers.monotone import AllFrom, OnBox
from boundcheck.proofs.provers.pathwise import Pathwise
from boundcheck.proofs.provers.real import Feasible, Infeasible, Real
from boundcheck.proofs.provers.search import Search

__all__ = [
    "AllFrom",
    "AllOf",
    "AnyOf",
    "Attack",
    "Expected",
    "Feasible",
    "GramBound",
    "Identity",
    "Infeasible",
    "LengthBound",
    "NoiseSymbol",
    "OnBox",
    "Pathwise",
    "Rationals",
    "Real",
    "Sampling",
    "Search",
    "Vector",
    "clients",
    "deviation",
    "expect",
    "frac",
    "independent",
    "inner",
    "mean",
    "noise",
    "nonnegative",
    "positive",
    "sampled_mean",
    "signs",
    "square",
    "subsets",
    "taken",
    "unit_mean",
    "vectors",
    "with_replacement",
    "without_replacement",
]

Attack = Search
"""`Search` under the name that documents and claims of users have for it."""


def frac(p: int, q: int) -> sp.Rational:
    """Return the exact fraction p/q."""
    return sp.Rational(p, q)


def positive(names: str) -> tuple[sp.Symbol, ...]:
    """Return positive symbols for letters that belong to one step only, such as a Young parameter."""
    return tuple(sp.Symbol(name, positive=True) for name in names.split())


def nonnegative(names: str) -> tuple[sp.Symbol, ...]:
    """Return nonnegative symbols for letters that belong to one step only."""
    return tuple(sp.Symbol(name, nonnegative=True) for name in names.split())
