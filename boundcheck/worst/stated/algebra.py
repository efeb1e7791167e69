"""Vectors of which only products are known, the numbers that are made of them, and relations between these.

A vector is a combination of basis vectors, a number a combination of function values, products and 1, both over Q.
A vector of the agents has a mean over them and a deviation; one that all share has a mean alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

from boundcheck.errors import InputError

Sparse = dict[int, Fraction]
Key = tuple[str | int, ...]
ONE: Key = ("1",)
"""What the constant part of a number multiplies."""


def rational(value: Any, what: str = "a number") -> Fraction:
    """Return a number as a fraction: a float as the decimal of twelve digits that is closest.

    Raises
    ------
    InputError
        If it is no finite number.
    """
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        short = Fraction(value).limit_denominator(1000)
        return short if float(short) == value else Fraction(f"{value:.12g}")
    if isinstance(value, Scalar) and not set(value.parts) - {ONE}:
        return value.parts.get(ONE, Fraction(0))
    msg = f"{what} = {value!r} is not legal: a finite number"
    raise InputError(msg)


def _add(a: dict[Any, Fraction], b: dict[Any, Fraction], sign: int = 1) -> dict[Any, Fraction]:
    found = dict(a)
    for key, c in b.items():
        if total := found.get(key, Fraction(0)) + sign * c:
            found[key] = total
        else:
            found.pop(key, None)
    return found


def _scale(a: dict[Any, Fraction], factor: Fraction) -> dict[Any, Fraction]:
    return {key: c * factor for key, c in a.items()} if factor else {}


@dataclass(frozen=True)
class Vector:
    """A combination of basis vectors.

    Attributes
    ----------
    mean, deviation : dict
        Index of a basis vector to its coefficient: in the mean over the agents, and in what one has beside it.
    """

    mean: Sparse
    deviation: Sparse

    def __add__(self, other: Vector) -> Vector:
        _need_vector(other, "added to a vector")
        return Vector(_add(self.mean, other.mean), _add(self.deviation, other.deviation))

    def __radd__(self, other: Any) -> Vector:
        return self if isinstance(other, int) and other == 0 else self + other

    def __sub__(self, other: Vector) -> Vector:
        _need_vector(other, "subtracted from a vector")
        return Vector(_add(self.mean, other.mean, -1), _add(self.deviation, other.deviation, -1))

    def __mul__(self, factor: Any) -> Vector:
        by = rational(factor, "a factor of a vector")
        return Vector(_scale(self.mean, by), _scale(self.deviation, by))

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return self * -1

    def __truediv__(self, divisor: Any) -> Vector:
        return self * (1 / rational(divisor, "a divisor of a vector"))

    @property
    def key(self) -> tuple[tuple[tuple[int, Fraction], ...], ...]:
        """Return what is equal of equal vectors."""
        return tuple(sorted(self.mean.items())), tuple(sorted(self.deviation.items()))


NOTHING = Vector({}, {})
"""The vector 0."""


@dataclass(frozen=True)
class Scalar:
    """A combination of function values, products and 1.

    Attributes
    ----------
    parts : dict
        ``("f", k)`` is a value, ``("P", i, j)`` the product of the means of two basis vectors, ``("Q", i, j)`` that of
        the deviations, averaged over the agents, and `ONE` is 1.
    """

    parts: dict[Key, Fraction]

    def __add__(self, other: Any) -> Scalar:
        return Scalar(_add(self.parts, number(other).parts))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Scalar:
        return Scalar(_add(self.parts, number(other).parts, -1))

    def __rsub__(self, other: Any) -> Scalar:
        return number(other) - self

    def __mul__(self, factor: Any) -> Scalar:
        return Scalar(_scale(self.parts, rational(factor, "a factor of a product or value")))

    __rmul__ = __mul__

    def __neg__(self) -> Scalar:
        return self * -1

    def __truediv__(self, divisor: Any) -> Scalar:
        return self * (1 / rational(divisor, "a divisor"))

    def __le__(self, other: Any) -> LinearRelation:
        return LinearRelation(number(other) - self)

    def __ge__(self, other: Any) -> LinearRelation:
        return LinearRelation(self - other)

    def equals(self, other: Any) -> LinearRelation:
        """Return that two numbers are equal."""
        return LinearRelation(self - other, equal=True)


@dataclass(frozen=True)
class LinearRelation:
    """That a number is >= 0, or 0."""

    number: Scalar
    equal: bool = False


def number(value: Any) -> Scalar:
    """Return a value as a number.

    Raises
    ------
    InputError
        If it is a vector, or no number.
    """
    if isinstance(value, Scalar):
        return value
    if isinstance(value, Vector):
        msg = "a vector stands where a number should: write |v|^2 or dot(u, v)"
        raise InputError(msg)
    constant = rational(value)
    return Scalar({ONE: constant} if constant else {})


def dot(u: Vector, v: Vector) -> Scalar:
    """Return the product of two vectors, averaged over the agents."""
    for vector in (u, v):
        _need_vector(vector, "multiplied by a vector")
    found: dict[Key, Fraction] = {}
    for block, one, other in (("P", u.mean, v.mean), ("Q", u.deviation, v.deviation)):
        for i, a in one.items():
            for j, c in other.items():
                key = (block, min(i, j), max(i, j))
                found[key] = found.get(key, Fraction(0)) + a * c
    return Scalar({key: c for key, c in found.items() if c})


def square(u: Vector) -> Scalar:
    """Return |u|^2, averaged over the agents."""
    return dot(u, u)


def _need_vector(value: Any, role: str) -> None:
    if not isinstance(value, Vector):
        msg = f"a {type(value).__name__.lower()} is {role}, where a vector should be"
        raise InputError(msg)
