"""Polynomials of the checker as Coq's real numbers: letters, products of means (``mv``) and of deviations (``dv``)."""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from boundcheck.proofs.kernel.algebra import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.kernel.certificates import Poly

PRODUCT = re.compile(r"<(~{1,2})(\w+), (~{1,2})(\w+)>")
"""A product of two vectors in the checker's polynomials, each with its marks."""
_FORMS = {"~": "mv", "~~": "dv"}


def name_of(name: str) -> str:
    """Return a name of a description as one of Coq's, which none of the library's is."""
    return f"v_{name}"


def fraction(value: Fraction) -> str:
    """Write an exact number."""
    top = str(value.numerator) if value >= 0 else f"(- {-value.numerator})"
    return top if value.denominator == 1 else f"({top} / {value.denominator})"


def generator(name: str) -> str:
    """Write a letter, or a product of two vectors."""
    found = PRODUCT.fullmatch(name)
    if found is None:
        return name
    if found[1] != found[3]:
        raise Refused(f"{name} is a product of a mean with a deviation")
    first, second = sorted((found[2], found[4]))
    return f"{_FORMS[found[1]]} {name_of(first)} {name_of(second)}"


def factor(text: str) -> str:
    """Write a text as a factor, or as an argument."""
    return f"({text})" if " " in text else text


def power(base: str, exponent: int) -> str:
    """Write a power, below 0 as an inverse."""
    text = factor(base) if abs(exponent) == 1 else f"{factor(base)} ^ {abs(exponent)}"
    return text if exponent > 0 else f"/ {factor(text)}"


def write_polynomial(p: Poly, names: Mapping[str, str] | None = None) -> str:
    """Write a polynomial, with terms in a fixed order; some letters by other names."""
    others = names or {}
    terms = []
    for m, c in sorted(p.items()):
        factors = [power(generator(others.get(g, g)), k) for g, k in m]
        if c != 1 or not factors:
            factors.insert(0, fraction(Fraction(c)))
        terms.append(" * ".join(factors))
    return " + ".join(terms) or "0"


def common_denominator(values: Iterable[int | Fraction]) -> int:
    """Return the least whole number whose product with each value is whole."""
    return lcm(1, *(value.denominator for value in values))
