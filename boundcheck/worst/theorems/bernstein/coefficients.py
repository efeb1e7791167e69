"""Bernstein's form of a polynomial over a box.

With B_i = C(d, i) t^i (1 - t)^(d - i) on [0, 1], these sum to 1 and none is negative: where every coefficient of a
polynomial (of a matrix of them) is >= 0, so is the polynomial on the whole box.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.worst.theorems.bernstein.polynomials import Exponents, Poly

Box = tuple[tuple[Fraction, Fraction], ...]
"""Lower and upper end of every letter."""


def bernstein(p: Poly, box: Box, degree: Exponents) -> Poly:
    """Return Bernstein coefficients of a degree, by their index.

    Raises
    ------
    ValueError
        If the polynomial is of a larger degree.
    """
    current: Poly = dict(p)
    for axis, ((low, high), d) in enumerate(zip(box, degree, strict=True)):
        found: Poly = {}
        for e, c in current.items():
            for i, w in enumerate(power_in_bernstein(e[axis], d, low, high)):
                if w:
                    key = (*e[:axis], i, *e[axis + 1 :])
                    found[key] = found.get(key, Fraction(0)) + c * w
        current = found
    return {e: c for e, c in current.items() if c}


@lru_cache(maxsize=1 << 14)
def power_in_bernstein(power: int, degree: int, low: Fraction, high: Fraction) -> Sequence[Fraction]:
    """Return the Bernstein coefficients of x^power over [low, high].

    Raises
    ------
    ValueError
        If the power is above the degree.
    """
    if power > degree:
        msg = f"x^{power} has no Bernstein form of degree {degree}"
        raise ValueError(msg)
    found = [Fraction(0)] * (degree + 1)
    for r in range(power + 1):
        c = comb(power, r) * low ** (power - r) * (high - low) ** r
        if c:
            for i in range(r, degree + 1):
                found[i] += c * Fraction(comb(i, r), comb(degree, r))
    return tuple(found)
