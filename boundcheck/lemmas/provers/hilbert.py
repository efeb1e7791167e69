"""Vectors of a real Hilbert space as linear combinations of names: what holds here holds in every dimension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INNER = sp.Function("inner")
ONE = "one"


@dataclass(frozen=True)
class Vector:
    """A linear combination of named vectors with symbolic coefficients.

    Parameters
    ----------
    parts : dict of str to expression
        Coefficient of each named vector.
    """

    parts: Mapping[str, sp.Expr]

    def __add__(self, other: Vector) -> Vector:
        names = dict.fromkeys([*self.parts, *other.parts])
        return Vector({n: self.parts.get(n, sp.S.Zero) + other.parts.get(n, sp.S.Zero) for n in names})

    def __rmul__(self, scalar: sp.Expr | int) -> Vector:
        return Vector({name: scalar * coefficient for name, coefficient in self.parts.items()})

    def __neg__(self) -> Vector:
        return -1 * self

    def __sub__(self, other: Vector) -> Vector:
        return self + (-other)


def vectors(names: str) -> tuple[Vector, ...]:
    """Return one independent vector for each name in a space-separated string."""
    return tuple(Vector({name: sp.S.One}) for name in names.split())


def inner(u: Vector, v: Vector) -> sp.Expr:
    """Return the inner product as a bilinear expression in the Gram symbols ``inner(a, b)``."""
    return sp.Add(*(a * b * _gram(m, n) for m, a in u.parts.items() for n, b in v.parts.items()))


def square(u: Vector) -> sp.Expr:
    """Return the squared norm."""
    return inner(u, u)


def unit_mean() -> dict[sp.Expr, sp.Expr]:
    """Return the rule that makes ``inner`` the mean over clients: the vector ``one`` has squared norm 1."""
    return {_gram(ONE, ONE): sp.S.One}


def names_of(*expressions: sp.Expr) -> list[str]:
    """Return the sorted names of the vectors that occur in Gram expressions."""
    grams = set().union(*(sp.sympify(e).atoms(INNER) for e in expressions))
    return sorted({argument.name for gram in grams for argument in gram.args})


def gram_values(coordinates: Mapping[str, Iterable[sp.Expr]], *, mean: bool = False) -> dict[sp.Expr, sp.Expr]:
    """Return the values of all Gram symbols at given coordinates; with `mean`, averages in place of sums."""
    columns = {name: list(values) for name, values in coordinates.items()}
    values: dict[sp.Expr, sp.Expr] = {}
    for m, u in columns.items():
        for n, v in columns.items():
            total = sp.Add(*(a * b for a, b in zip(u, v, strict=True)))
            values[_gram(m, n)] = total / len(u) if mean else total
    return values


def _gram(m: str, n: str) -> sp.Expr:
    first, second = sorted((m, n))
    return INNER(sp.Symbol(first), sp.Symbol(second))
