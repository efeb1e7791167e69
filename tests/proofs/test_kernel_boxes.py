"""Bernstein's form and pivots in whole numbers, beside fractions: values of the polynomial, principal minors."""

import random
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod

import pytest

from boundcheck.proofs.kernel.boxes import bernstein, clear_denominators, has_nonnegative_pivots

BOX = {"x": (Fraction(-1, 3), Fraction(5, 7)), "h": (Fraction(0), Fraction(3, 4))}
DEGREE = (3, 2)


def _value(p, at):
    return sum(c * prod((x**k for x, k in zip(at, e, strict=True)), start=Fraction(1)) for e, c in p.items())


def _value_in_bernstein(coefficients, at):
    places = [(x - low) / (high - low) for x, (low, high) in zip(at, BOX.values(), strict=True)]
    return sum(
        c * prod(comb(d, i) * t**i * (1 - t) ** (d - i) for i, d, t in zip(index, DEGREE, places, strict=True))
        for index, c in coefficients.items()
    )


def _polynomial(rng):
    exponents = product(range(4), range(-1, 2))
    return {e: Fraction(rng.randint(-9, 9), rng.randint(1, 7)) for e in exponents if rng.random() < 0.7}


@pytest.mark.parametrize("seed", range(5))
def test_two_polynomials_keep_their_values_times_one_positive_number(seed):
    """Two at once, as the entries of a matrix: one factor for both, whatever the place."""
    rng = random.Random(seed)
    polys = [_polynomial(rng) for _ in range(2)]
    whole = clear_denominators(polys, BOX)
    forms = [bernstein("p", p, BOX, DEGREE) for p in whole]
    assert all(type(c) is int for form in forms for c in form.values())
    ratios = set()
    for at in product((Fraction(1, 9), Fraction(1, 2)), (Fraction(1, 5), Fraction(3, 4))):
        lift = at[1] if any(e[1] < 0 for p in polys for e in p) else 1
        ratios |= {_value_in_bernstein(form, at) / (_value(p, at) * lift) for p, form in zip(polys, forms, strict=True)}
    (ratio,) = ratios
    assert ratio > 0


def _determinant(rows):
    total = 0
    for order in permutations(range(len(rows))):
        swaps = sum(a > b for a, b in combinations(order, 2))
        total += (-1) ** swaps * prod(rows[k][order[k]] for k in range(len(rows)))
    return total


def _is_semidefinite(rows):
    """By the principal minors, none of which may be negative."""
    every = (chosen for size in range(1, len(rows) + 1) for chosen in combinations(range(len(rows)), size))
    return all(_determinant([[rows[i][j] for j in chosen] for i in chosen]) >= 0 for chosen in every)


def test_pivots_say_what_minors_say():
    """Products of a few rows, which are singular, and the same with one number changed."""
    rng = random.Random(1)
    seen = set()
    for _ in range(300):
        size, rank = rng.randint(1, 4), rng.randint(1, 4)
        vectors = [[rng.randint(-3, 3) for _ in range(size)] for _ in range(rank)]
        rows = [[sum(v[i] * v[j] for v in vectors) for j in range(size)] for i in range(size)]
        if rng.random() < 0.5:
            rows[-1][-1] -= rng.randint(0, 2)
        said = has_nonnegative_pivots(rows)
        assert said == _is_semidefinite(rows), rows
        seen.add((said, _determinant(rows) == 0))
    assert seen == {(True, True), (True, False), (False, False), (False, True)}
