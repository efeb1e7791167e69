"""Irreducible factors of polynomials, by greatest common divisors where a letter stands in the first power."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

from boundcheck.proofs.rationals.narrow import Polynomial, letters, narrow, ring_in, widen

Factors = tuple[tuple[Polynomial, int], ...]


@lru_cache(maxsize=1 << 14)
def factor_polynomial(polynomial: Polynomial) -> tuple[Any, Factors]:
    """Return number and irreducible factors, with whole coprime coefficients, of a polynomial that is not 0.

    ``a x + b`` with coprime a and b is irreducible: a factor without x would divide both.  So a polynomial of the first
    degree in some letter is the greatest common divisor of a and b times an irreducible one, which takes a tenth of the
    time of the general search; what has no such letter is left to that, without what is free of some letter.
    """
    places = letters(polynomial)
    number, factors = _factor_narrow(
        narrow(polynomial, places, ring_in(polynomial.ring, places, polynomial.ring.domain))
    )
    return number, tuple((widen(factor, places, polynomial.ring), power) for factor, power in factors)


def _factor_narrow(polynomial: Polynomial) -> tuple[Any, Factors]:
    low, rest = _without_letters(polynomial)
    found = [(letter, power) for letter, power in zip(polynomial.ring.gens, low, strict=True) if power]
    number = polynomial.ring.domain.one
    while not rest.is_ground:
        sides = _linear(rest)
        if sides is None:
            scale, factors = _search_factors(rest)
            return number * scale, (*found, *factors)
        common = sides[0].gcd(sides[1])
        # A copy: what sympy divides keeps the hash that it had as a zero.
        scale, factor = _whole(rest.exquo(common).copy())
        number *= scale
        found.append((factor, 1))
        rest = common
    return number * rest.LC, tuple(found)


def _without_letters(polynomial: Polynomial) -> tuple[tuple[int, ...], Polynomial]:
    """Return the powers of letters that divide a polynomial, and what they leave."""
    low = tuple(map(min, zip(*polynomial.itermonoms(), strict=True)))
    if not any(low):
        return low, polynomial
    return low, polynomial.ring.from_dict(
        {tuple(e - less for e, less in zip(m, low, strict=True)): c for m, c in polynomial.iterterms()}
    )


def _linear(polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """Return a and b of ``a x + b``, by the letter x for which one of them is shortest; None if there is no letter."""
    ring, best = polynomial.ring, None
    degrees = map(max, zip(*polynomial.itermonoms(), strict=True))
    for place in (place for place, degree in enumerate(degrees) if degree == 1):
        sides: tuple[dict[Any, Any], dict[Any, Any]] = {}, {}
        for m, c in polynomial.iterterms():
            sides[1 - m[place]][(*m[:place], 0, *m[place + 1 :])] = c
        if best is None or min(map(len, sides)) < min(map(len, best)):
            best = sides
    return None if best is None else (ring.from_dict(best[0]), ring.from_dict(best[1]))


def _search_factors(polynomial: Polynomial) -> tuple[Any, Factors]:
    """Return number and factors by the general search, once what all coefficients of a letter share is divided out."""
    ring = polynomial.ring
    for place in range(ring.ngens):
        coefficients: dict[int, dict[Any, Any]] = {}
        for m, c in polynomial.iterterms():
            coefficients.setdefault(m[place], {})[(*m[:place], 0, *m[place + 1 :])] = c
        common = reduce(lambda a, b: a.gcd(b), map(ring.from_dict, coefficients.values()))
        if len(coefficients) > 1 and not common.is_ground:
            parts = factor_polynomial(polynomial.exquo(common).copy()), factor_polynomial(common)
            return parts[0][0] * parts[1][0], (*parts[0][1], *parts[1][1])
    number, factors = polynomial.factor_list()
    return number, tuple(factors)


def _whole(polynomial: Polynomial) -> tuple[Any, Polynomial]:
    """Return a polynomial as a number times one with whole coprime coefficients, the leading one positive."""
    number, factor = polynomial.primitive()
    return (-number, -factor) if factor.LC < 0 else (number, factor)
