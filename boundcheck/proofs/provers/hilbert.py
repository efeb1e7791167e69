"""Vectors of a real Hilbert space as linear combinations of names: what holds here holds in every dimension.

Sums over clients
-----------------
A family ``v_1 .. v_N`` of vectors of H is one vector of the space H^N with the inner product ``mean_i <u_i, v_i>``.  A
vector common to the clients is the constant family, and its inner products are those of H.  Averaging is the orthogonal
projection on the constant families, so every family is ``v = v_mean + v_dev`` with ``v_mean`` constant and ``v_dev``
orthogonal to all constant families.  A quadratic form in families, their means and common vectors therefore falls into
two blocks: one over common vectors and means, one over deviations.

Both blocks range over all positive semidefinite Gram matrices, whatever N >= 2: any vectors of H serve as means, and
the families ``(x, -x, 0, .., 0) sqrt(N/2)`` serve as deviations with ``mean_i |v_dev_i|^2 = |x|^2``.  So a form is
nonnegative for all families of N vectors, in every dimension, if and only if the two small blocks are positive
semidefinite; with N = 1 the deviations vanish and the first block alone remains.  Coefficients may contain N: the
blocks are then decided over its domain, the one of deviations for N >= 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

INNER = sp.Function("inner")
ONE = "one"
MEAN = "_mean"
DEVIATION = "_dev"
RESERVED = (MEAN, DEVIATION, "_sampled", "_taken")


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
    return tuple(Vector({name: sp.S.One}) for name in _plain(names))


def clients(names: str) -> tuple[Vector, ...]:
    """Return one family ``v_1 .. v_N``, a vector a client, for each name in a space-separated string.

    With families, `inner` is the mean over clients of the inner products, and `square` the mean square.
    """
    return tuple(Vector({name + MEAN: sp.S.One, name + DEVIATION: sp.S.One}) for name in _plain(names))


def mean(v: Vector) -> Vector:
    """Return the mean of a family over the clients; a common vector is its own mean."""
    return Vector({name: x for name, x in v.parts.items() if not name.endswith(DEVIATION)})


def deviation(v: Vector) -> Vector:
    """Return the deviation of a family from its mean."""
    return v - mean(v)


def inner(u: Vector, v: Vector) -> sp.Expr:
    """Return the inner product as a bilinear expression in the Gram symbols ``inner(a, b)``."""
    return sp.Add(*(a * b * gram(m, n) for m, a in u.parts.items() for n, b in v.parts.items()))


def square(u: Vector) -> sp.Expr:
    """Return the squared norm."""
    return inner(u, u)


def unit_mean() -> dict[sp.Expr, sp.Expr]:
    """Return the rule that makes ``inner`` the mean over clients: the vector ``one`` has squared norm 1."""
    return {gram(ONE, ONE): sp.S.One}


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
            if gram(m, n) != 0:
                values[gram(m, n)] = total / len(u) if mean else total
    return values


def _plain(names: str) -> list[str]:
    for name in names.split():
        require(not name.endswith(RESERVED), "vector name", name, f"a name without the endings {', '.join(RESERVED)}")
    return names.split()


def gram(m: str, n: str) -> sp.Expr:
    """Return the Gram symbol of two names; a deviation is orthogonal to whatever is common to the clients."""
    if m.endswith(DEVIATION) != n.endswith(DEVIATION):
        return sp.S.Zero
    first, second = sorted((m, n))
    return INNER(sp.Symbol(first), sp.Symbol(second))
