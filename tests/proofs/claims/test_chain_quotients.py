"""Rational functions in lowest terms are those of sympy, term by term."""

import random

import pytest
from sympy.polys.domains import QQ
from sympy.polys.fields import FracField

from boundcheck.proofs.rationals.quotients import LowestFraction, QuotientField, lowest

NAMES = ("x", "y", "z")
OURS, THEIRS = QuotientField(NAMES), FracField(NAMES, QQ)
FORMS = {
    "a number": lambda rng, x, y, z: x**0 * rng.choice([-6, -1, 0, 1, 4]),
    "a fraction": lambda rng, x, y, z: x * QQ(rng.randint(-9, 9), rng.randint(1, 9)),
    "a monomial": lambda rng, x, y, z: rng.choice([-6, 1, 4]) * x ** rng.randint(0, 3) * y ** rng.randint(0, 2),
    "a product": lambda rng, x, y, z: rng.choice([-2, 1, 3]) * (2 * x - 2 * y) ** rng.randint(0, 2) * (x + 3 * z),
    "a sum": lambda rng, x, y, z: rng.randint(-4, 4) * x**2 * y + rng.randint(-4, 4) * z - 6 * y,
}


def drawn(seed, field):
    """Return two random functions and what arithmetic makes of them; the same draws whatever the field."""
    rng = random.Random(seed)
    made = []
    for _ in range(2):
        over, under = (FORMS[rng.choice(list(FORMS))](rng, *field.gens) for _ in range(2))
        made.append(over / under if under else over)
    a, b = made
    found = [a, b, a + b, a - b, a * b, a**2, a + 1, 3 * a, a * QQ(2, 3), 1 - a, (a + b) * (a - b)]
    return found + ([a / b, 1 / b] if b else [])


@pytest.mark.parametrize("seed", range(10))
def test_arithmetic_is_that_of_sympy(seed):
    """Numerators and denominators have the same terms, signs and contents."""
    for part in range(5):
        for ours, theirs in zip(*(drawn(100 * seed + part, field) for field in (OURS, THEIRS)), strict=True):
            one, other = OURS.one * ours, THEIRS.one * theirs  # 0 + 1 is a plain 1
            assert type(one) is LowestFraction
            assert (dict(one.numer), dict(one.denom)) == (dict(other.numer), dict(other.denom))


def test_lowest_terms_by_hand():
    """-6 x^2 y/(-4 x) = 3 x y/2, and (x^2 - y^2)/(y - x) = -x - y."""
    x, y, _ = OURS.ring.gens
    assert lowest(-6 * x**2 * y, -4 * x) == (3 * x * y, OURS.ring(2))
    assert lowest(x**2 - y**2, y - x) == (-x - y, OURS.ring.one)
    assert lowest(x / 2, OURS.ring.one) == (x, OURS.ring(2))
    assert lowest(OURS.ring.zero, y - x) == (OURS.ring.zero, OURS.ring.one)
