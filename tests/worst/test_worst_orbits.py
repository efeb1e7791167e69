"""Averages over draws: all draws of few clients counted one by one, and the sizes of the blocks."""

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from boundcheck.worst.facts.orbits import DEVIATIONS, KINDS, Orbits

COUNTS = [(2, 1), (3, 1), (3, 2), (4, 2), (5, 3), (6, 3)]


def value(block, x, i, order):
    """Return a block's function of client i and the draw with indicator x, as its module writes it."""
    j = block.j
    if block.hooked:
        columns = np.array([np.ones(3), x[:3], np.arange(3) == i]).astype(float)
        found = round(np.linalg.det(columns.T))
        pairs = [(2 * k + 3, 2 * k + 4) for k in range(j - 1)]
    else:
        found, pairs = 1, [(2 * k, 2 * k + 1) for k in range(j)]
        if order:
            own = next((pair for pair in pairs if i in pair), None)
            if own is None:
                return 0
            found = 1 if i == own[0] else -1
            pairs.remove(own)
    for a, b in pairs:
        found *= x[a] - x[b]
    return int(found)


def dimension(block, N):
    """Return the dimension of the representation: by subsets, or by the lengths of hooks."""
    j = block.j
    if not block.hooked:
        return comb(N, j) - (comb(N, j - 1) if j else 0)
    rows = (N - j - 1, j, 1)
    heights = [sum(row > c for row in rows) for c in range(rows[0])]
    found = Fraction(1)
    hooks = [rows[r] - c + heights[c] - r - 1 for r in range(3) for c in range(rows[r])]
    for k, hook in enumerate(hooks, 1):
        found *= Fraction(k, hook)
    return int(found)


@pytest.mark.parametrize(("N", "S"), COUNTS)
def test_averages_are_those_of_all_draws(N, S):
    """Of every two functions of every block, over every orbit of two draws and a client."""
    orbits = Orbits(N, S)
    draws = [np.isin(np.arange(N), A).astype(int) for A in itertools.combinations(range(N), S)]
    for block, orbit in itertools.product(orbits.blocks, [*map(orbits.alone, KINDS), *orbits.between()]):
        triples = [
            (x, y, i)
            for x, y, i in itertools.product(draws, draws, range(N))
            if (x @ y, 1 - x[i], 1 - y[i]) == (orbit.shared, orbit.first, orbit.second)
        ]
        # Three clients are in turn the one of a determinant; deviations are of length 1 on average.
        scale = Fraction(1, 3) if block.hooked else Fraction(N, 2) if block == DEVIATIONS else 1
        for order, other in itertools.product(block.orders, repeat=2):
            total = sum(value(block, x, i, order) * value(block, y, i, other) for x, y, i in triples)
            assert orbits.product(block, orbit, order, other) == scale * Fraction(total, len(triples))


@pytest.mark.parametrize(("N", "S"), [*COUNTS, (10, 2), (12, 5), (20, 10)])
def test_blocks_are_all_there_is(N, S):
    """Functions of a client and a draw are as many as the blocks have room for."""
    orbits = Orbits(N, S)
    assert sum(len(orbits.functions(b)) * dimension(b, N) for b in orbits.blocks) == N * comb(N, S)
