"""Quadratic forms over Q of what one round meets: function values, products of basis vectors, and constants.

A form is a dictionary from what it multiplies to its coefficient:
``("f", k)`` is the value at point k, ``("P", i, j)`` the product of the means of the basis vectors i <= j,
``("Q", i, j)`` the mean over the clients of the products of their deviations, and ``("1", letter)`` a constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from boundcheck.worst.trace import ORIGIN
from boundcheck.worst.vectors import DEVIATION, MEAN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.worst.vectors import GramVector

Key: TypeAlias = tuple[str | int, ...]
Sparse: TypeAlias = dict[int, Fraction]


class Form(dict[Key, Fraction]):
    """A form that is added and multiplied by numbers."""

    def __add__(self, other: Form) -> Form:
        return Form.total([(1, self), (1, other)])

    def __sub__(self, other: Form) -> Form:
        return Form.total([(1, self), (-1, other)])

    def __mul__(self, factor: Fraction | float) -> Form:
        exact = Fraction(factor)
        return Form({key: exact * c for key, c in self.items()} if exact else {})

    __rmul__ = __mul__

    def __truediv__(self, divisor: Fraction | float) -> Form:
        return self * (1 / Fraction(divisor))

    @classmethod
    def total(cls, parts: Iterable[tuple[Fraction | int, Form]]) -> Form:
        """Return the sum of multiples."""
        found: dict[Key, Fraction] = {}
        for factor, form in parts:
            for key, c in form.items():
                found[key] = found.get(key, Fraction(0)) + factor * c
        return cls({key: c for key, c in found.items() if c})


class Vector(NamedTuple):
    """A vector by its coefficients in both blocks."""

    mean: Sparse
    deviation: Sparse

    def __sub__(self, other: Vector) -> Vector:  # type: ignore[override]
        return Vector(_minus(self.mean, other.mean), _minus(self.deviation, other.deviation))

    @property
    def means(self) -> Vector:
        """Return its mean over the clients."""
        return Vector(self.mean, {})

    @property
    def deviations(self) -> Vector:
        """Return what a client has beside the mean."""
        return Vector({}, self.deviation)


class Forms:
    """Makes forms of vectors, as `boundcheck.worst.rows.Rows` makes rows.

    Parameters
    ----------
    still : set of int
        Basis vectors that have no deviation.
    """

    def __init__(self, still: set[int]) -> None:
        self._still = still

    def vector(self, v: GramVector) -> Vector:
        """Return a vector; points are relative to the origin."""
        rows = [{k: Fraction(c) for k, c in enumerate(row) if c} for row in v.coefficients]
        mean = {k: c for k, c in rows[MEAN].items() if k != ORIGIN}
        return Vector(mean, {k: c for k, c in rows[DEVIATION].items() if k not in self._still})

    def product(self, u: Vector, v: Vector) -> Form:
        """Return the product, averaged over the clients."""
        return Form.total([(1, _block("P", u.mean, v.mean)), (1, _block("Q", u.deviation, v.deviation))])

    def square(self, u: Vector) -> Form:
        """Return the square of the norm."""
        return self.product(u, u)

    def value(self, point: int) -> Form:
        """Return the function value at a point."""
        return Form({("f", point): Fraction(1)})

    @staticmethod
    def constant(letter: str, factor: Fraction | int = 1) -> Form:
        """Return a multiple of a constant of the class."""
        return Form({("1", letter): Fraction(factor)})


def _minus(u: Sparse, v: Sparse) -> Sparse:
    found = {k: u.get(k, Fraction(0)) - v.get(k, Fraction(0)) for k in u.keys() | v.keys()}
    return {k: c for k, c in found.items() if c}


def _block(block: str, u: Sparse, v: Sparse) -> Form:
    found: dict[Key, Fraction] = {}
    for i, a in u.items():
        for j, c in v.items():
            key = (block, i, j) if i <= j else (block, j, i)
            found[key] = found.get(key, Fraction(0)) + a * c
    return Form(found)
