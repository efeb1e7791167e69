"""Rational functions in lowest terms: sympy's field of fractions over the rationals, with shorter ways to cancel.

Nearly every denominator in a proof is a number times letters, and all numbers of a fraction in lowest terms are whole:
then a content and smallest exponents are all that can be cancelled.  What comes out is what sympy gives, exactly.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import Any

from sympy.polys.domains import QQ, ZZ
from sympy.polys.fields import FracElement, FracField

from boundcheck.proofs.rationals.narrow import letters, narrow, ring_in, widen

Polynomial = Any


class LowestFraction(FracElement):  # type: ignore[misc]
    """A fraction that is cancelled by `lowest`."""

    def new(self, numer: Polynomial, denom: Polynomial) -> LowestFraction:
        """Return a fraction of the same field."""
        return LowestFraction(self.field, *lowest(numer, denom))

    def __mul__(self, other: Any) -> Any:
        """Return a product; to multiply by 1, as half of the coefficients in a proof ask for, takes no polynomials."""
        if type(other) is not LowestFraction or other.field is not self.field:
            return super().__mul__(other)
        if _is_one(other):
            return self
        if _is_one(self):
            return other
        if not (self.numer and other.numer):
            return self.field.zero
        return self.new(self.numer * other.numer, self.denom * other.denom)


class QuotientField(FracField):  # type: ignore[misc]
    """The field of rational functions in some letters, with rational coefficients."""

    def __new__(cls, names: tuple[str, ...]) -> QuotientField:
        made = super().__new__(cls, names, QQ)
        made.dtype = LowestFraction(made, made.ring.zero).raw_new
        made.zero, made.one = made.dtype(made.ring.zero), made.dtype(made.ring.one)
        made.gens = made._gens()
        return made  # type: ignore[no-any-return]

    def new(self, numer: Polynomial, denom: Polynomial | None = None) -> LowestFraction:
        """Return a fraction in lowest terms."""
        return LowestFraction(self, *lowest(numer, self.ring.one if denom is None else denom))


def _is_one(value: LowestFraction) -> bool:
    numer, denom, none = value.numer, value.denom, value.field.ring.zero_monom
    return len(numer) == 1 == len(denom) and none in numer and none in denom and numer[none] == denom[none]


def lowest(numer: Polynomial, denom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return numerator and denominator in lowest terms: whole numbers, the denominator's leading one positive."""
    if not numer:
        return numer, numer.ring.one
    if any(number.denominator != 1 for side in (numer, denom) for number in side.values()):
        return numer.cancel(denom)  # type: ignore[no-any-return]
    return _by_monomial(numer, denom) if len(denom) == 1 else _by_divisor(numer, denom)


@lru_cache(maxsize=1 << 13)
def _by_divisor(numer: Polynomial, denom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Cancel a greatest common divisor; two of three fractions of a proof are asked for again."""
    places = letters(numer, denom)
    whole = ring_in(numer.ring, places, ZZ)
    _, over, under = narrow(numer, places, whole).cofactors(narrow(denom, places, whole))
    if under.LC < 0:
        over, under = -over, -under
    return widen(over, places, numer.ring), widen(under, places, numer.ring)


def _by_monomial(numer: Polynomial, denom: Polynomial) -> tuple[Polynomial, Polynomial]:
    ((powers, number),) = denom.items()
    content = int(number.numerator)
    for value in numer.values():
        if content in {1, -1}:
            break
        content = gcd(content, int(value.numerator))
    content = abs(content) if number > 0 else -abs(content)
    least = tuple(map(min, powers, *numer)) if any(powers) else powers
    if content == 1 and not any(least):
        return numer, denom
    return _divide_side(numer, least, content), _divide_side(denom, least, content)


def _divide_side(side: Polynomial, least: tuple[int, ...], content: int) -> Polynomial:
    return side.new({tuple(map(int.__sub__, powers, least)): number / content for powers, number in side.items()})
