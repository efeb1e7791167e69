"""Ridges with free tables, and the diagonal behind bounds over boxes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from boundcheck.problems.data.boxes import tight_diagonal
from boundcheck.problems.synthetic.ridge import Ridge
from boundcheck.problems.synthetic.ridge_shift import ShiftRidge
from boundcheck.problems.synthetic.ridge_table import TableRidge

GRID = np.linspace(-40, 40, 80_001)


def slopes(problem, c):
    """Return the client slopes in coordinate c by the formula, shape (points, N)."""
    a, b, s, h = problem.shares[:, c], problem.shifts[:, c], problem.widths[c], problem.tilts[:, c]
    z = (GRID[:, None] - b) / s
    return a / s * 2 * z / (1 + z * z) ** 2 + h


@pytest.mark.parametrize("N", [2, 5])
def test_constants_by_a_fine_grid(N):
    """zeta, zeta_pair, L, G_inf and f_star agree with maxima over a grid in every coordinate, and are never below."""
    problem = TableRidge(N=N, d=4, zeta=0.4, spread=0.8, shift=1.5, stretch=3.0, scale=0.7)
    each = [slopes(problem, c) for c in range(4)]
    pairs = itertools.combinations(range(N), 2)
    found = {
        "zeta": np.sqrt(sum(g.var(axis=1).max() for g in each)),
        "zeta_pair": np.sqrt(max(sum(((g[:, i] - g[:, j]) ** 2).max() for g in each) for i, j in pairs)),
        "L": max(np.abs(np.diff(g, axis=0)).max() for g in each) / 1e-3,
        "G_inf": max(np.abs(g).max() for g in each),
    }
    for letter, value in found.items():
        assert value <= problem.constant(letter) * (1 + 1e-9)
        assert value >= problem.constant(letter) * (1 - 1e-5)
    floor = 0.0
    for c in range(4):
        z = (GRID[:, None] - problem.shifts[:, c]) / problem.widths[c]
        floor += (problem.shares[:, c] * z * z / (1 + z * z)).mean(axis=1).min()
    assert problem.constant("f_star") == pytest.approx(floor, rel=1e-6)


def test_gradients_are_the_formula():
    """Client gradients along the diagonal are those of the tables."""
    problem = TableRidge(N=3, d=2, zeta=0.4)
    some = np.arange(0, len(GRID), 997)
    g = problem.exact_gradient(np.broadcast_to(GRID[some, None, None], (len(some), 3, 2)))
    for c in range(2):
        np.testing.assert_allclose(g[..., c], slopes(problem, c)[some], rtol=1e-12)


def test_tables_keep_their_dials():
    """Weights average to `weight` and spread by `spread`, centres average to 0 and reach `shift`, widths are graded."""
    problem = TableRidge(N=6, d=5, weight=2.0, spread=0.25, shift=1.5, scale=0.5, stretch=8.0, structure_seed=3)
    np.testing.assert_allclose(problem.shares.mean(axis=0), 2.0)
    assert np.abs(problem.shares / 2 - 1).max() == pytest.approx(0.25)
    np.testing.assert_allclose(problem.shifts.mean(axis=0), 0.0, atol=1e-15)
    assert np.abs(problem.shifts).max() == pytest.approx(1.5)
    assert problem.widths[0] == 0.5
    np.testing.assert_allclose(problem.widths[1:] / problem.widths[:-1], 8**0.25)


def test_without_tables_it_is_the_plain_ridge():
    """With spread = shift = 0 and stretch = 1 gradients and constants are those of family ridge."""
    table = TableRidge(N=3, d=4, spread=0.0, shift=0.0, stretch=1.0, zeta=0.7)
    plain = Ridge(N=3, d=4, zeta=0.7)
    x = np.random.default_rng(0).standard_normal((5, 3, 4))
    np.testing.assert_allclose(table.exact_gradient(x), plain.exact_gradient(x), rtol=1e-13)
    for letter in ("L", "zeta", "zeta_pair", "G_inf", "f_star", "Delta"):
        assert table.constant(letter) == pytest.approx(plain.constant(letter), abs=1e-15)


def test_two_clients_with_centres_alone_are_the_shifted_ridge():
    """For N = 2 and d = 1 the centres are +-shift, and all constants are those of family ridge-shift."""
    table = TableRidge(N=2, d=1, spread=0.0, shift=0.7)
    shifted = ShiftRidge(N=2, d=1, shift=0.7)
    for letter in ("L", "zeta", "zeta_pair", "G_inf", "f_star", "Delta"):
        assert table.constant(letter) == pytest.approx(shifted.constant(letter))


@pytest.mark.parametrize("shape", [(6, 3), (40, 5), (5, 9)])
def test_the_diagonal_dominates_and_covers_every_vertex(shape):
    """diag(r) - Z Z^T has no negative eigenvalue, u^T Z Z^T u <= sum r at sign vectors, and r beats the plain bound."""
    rng = np.random.default_rng(4)
    rows = rng.standard_normal(shape) * np.geomspace(3.0, 0.1, shape[1])
    rows[1] = 0.0
    r = tight_diagonal(rows)
    assert np.linalg.eigvalsh(np.diag(r) - rows @ rows.T)[0] >= -1e-9 * r.max()
    signs = rng.choice([-1.0, 1.0], (1000, shape[0]))
    assert (((signs @ rows) ** 2).sum(axis=1) <= r.sum()).all()
    assert r[1] == 0
    assert r.sum() < 0.8 * shape[0] * np.linalg.norm(rows, 2) ** 2


def test_the_diagonal_of_one_direction_is_exact():
    """For rows along one vector the bound of u^T Z Z^T u is attained at the signs of the rows."""
    sizes = np.array([3.0, -1.0, 0.5, 2.0])
    rows = sizes[:, None] * np.array([0.6, 0.8])
    assert tight_diagonal(rows, 200).sum() == pytest.approx(np.abs(sizes).sum() ** 2, rel=1e-9)
