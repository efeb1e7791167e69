"""Factors of polynomials are those that sympy finds without the shorter way."""

import random

import pytest
from sympy import QQ, ring

from boundcheck.proofs.algebra import factors
from boundcheck.proofs.algebra.factors import factor_polynomial

RING, X, Y, Z = ring("x, y, z", QQ)
KNOWN = [
    X,
    RING(7),
    -X * Y**3,
    X * Y + 1,
    X * Y + Y,
    X**2 - Y**2,
    (X + Y) ** 2 * (X - 2),
    6 * X * Z - 4 * Y * Z**3,
    (X * Y - Z) * (Y * Z - 1) * (Z**2 + 1),
    (X + Y) * (Y + Z) * (Z + X),
    (X * (Y**2 - 1) + (Y - 1) * Z) * -5,
    QQ(2, 3) * X * Y**2 - QQ(1, 6),
    1 - X**2 * Y**2,
    (X**2 - 2) * (X**2 * Y**2 + Z**2 - 3) * (Y**2 + 1),
]


def drawn(seed):
    """Return a product of two to four sums of up to four monomials, some of them squared."""
    rng, made = random.Random(seed), RING.one
    for _ in range(rng.randint(2, 4)):
        terms = {
            tuple(rng.randint(0, 2) for _ in range(3)): QQ(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(4)
        }
        made *= RING.from_dict({m: c for m, c in terms.items() if c} or {(0, 0, 0): QQ(1)}) ** rng.choice([1, 1, 2])
    return made


DRAWN = [pytest.param(drawn(seed), marks=[pytest.mark.slow] * (seed >= 10)) for seed in range(60)]


@pytest.mark.parametrize("polynomial", [*KNOWN, *DRAWN], ids=str)
def test_factors_are_those_of_the_general_search(polynomial):
    """The same number and the same factors with the same powers, whose product is the polynomial."""
    number, found = factor_polynomial(polynomial)
    scale, wanted = polynomial.factor_list()
    assert (number, dict(found)) == (scale, dict(wanted))
    assert len(dict(found)) == len(found)
    whole = RING(number)
    for factor, power in found:
        whole *= factor**power
    assert whole == polynomial


def test_what_has_a_letter_of_the_first_degree_is_not_searched(monkeypatch):
    """A sum of the first degree in a letter, times others, asks for greatest common divisors alone."""
    monkeypatch.setattr(type(X), "factor_list", None)
    factors.factor_polynomial.cache_clear()
    assert dict(factor_polynomial(Z * (X * Y**2 - 1) * (Y * Z + Z**2 + 1))[1]) == {
        Z: 1,
        X * Y**2 - 1: 1,
        Y * Z + Z**2 + 1: 1,
    }
