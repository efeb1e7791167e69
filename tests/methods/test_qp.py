"""The batched projection on {v : G v >= 0} against scipy's nonnegative least squares, and its exact properties."""

import numpy as np
import pytest
from scipy.optimize import linprog
from straightline_memory import project as by_nnls
from turns import case_of

from boundcheck.methods import qp
from boundcheck.methods.qp import project, projection

GOLDEN = [
    ((1, 0), [(-1, 1)], (0.5, 0.5)),
    ((1, 0), [(-1, 1), (-1, -1)], (0, 0)),
    ((1, 2, 3), [(-1, 0, 0), (0, -1, 0), (0, 0, 1)], (0, 0, 3)),
    ((1, 1), [(-1, 0), (1, 0)], (0, 1)),
    ((0, 1), [(1, -1), (-1, -1)], (0, 0)),
    ((3, 1, -2), [(1, -2, 0), (-1, 0, 1), (0, 1, 1)], (2 / 3, 1 / 3, 2 / 3)),
]
FEW_ROWS, MANY_ROWS = [(2, 3), (3, 3), (5, 3), (40, 3), (3, 6)], [(6, 16), (10, 16), (40, 16)]
SHAPES = pytest.mark.parametrize(("n", "p"), FEW_ROWS + MANY_ROWS)


def shapes(kept):
    """Of the shapes with many rows, which are dear, every run takes one."""
    return pytest.mark.parametrize(
        ("n", "p"), [*FEW_ROWS, *(case_of(shape, slow=shape != kept) for shape in MANY_ROWS)]
    )


def instances(n, p, count, seed=0):
    """Return problems in six equal parts: random, and with equal, opposite, zero, dependent and badly scaled rows."""
    rng = np.random.default_rng(seed)
    g, rows = rng.normal(size=(count, n)), rng.normal(size=(count, p, n))
    rows[1::6, 1] = rows[1::6, 0]
    rows[2::6, 1] = -0.3 * rows[2::6, 0]
    rows[3::6, 2] = 0.0
    rows[4::6, 2] = rows[4::6, 0] + 0.5 * rows[4::6, 1]
    rows[5::6] *= 10.0 ** rng.integers(-140, 140, size=(len(rows[5::6]), p, 1))
    g[5::6] *= 10.0 ** rng.integers(-140, 140, size=(len(g[5::6]), 1))
    return g, rows


def norm(v):
    """Return the lengths of vectors, also of those whose squares are not numbers."""
    largest = np.maximum(np.abs(v).max(axis=-1, keepdims=True), 1e-300)
    return largest[..., 0] * np.linalg.norm(v / largest, axis=-1)


def unit(rows):
    """Return the rows at length one, zero rows as they are."""
    lengths = norm(rows)[..., None]
    return rows / np.where(lengths > 1e-299, lengths, 1.0)


@pytest.mark.parametrize(("g", "rows", "expected"), GOLDEN)
def test_golden_vectors(g, rows, expected):
    """The worked examples come out to rounding, with multipliers that give them."""
    g, rows = np.array(g, dtype=float), np.array(rows, dtype=float)
    v, u = projection(g, rows)
    np.testing.assert_allclose(v, expected, rtol=0, atol=1e-15)
    np.testing.assert_allclose(g + u @ rows, v, rtol=0, atol=1e-15)
    assert (u >= 0).all()


@shapes((10, 16))
def test_agrees_with_nonnegative_least_squares(n, p):
    """Each of 1200 problems has scipy's solution to 1e-10 |g|, degenerate or badly scaled."""
    g, rows = instances(n, p, 1200)
    expected = np.array([by_nnls(a, b)[0] for a, b in zip(g, rows, strict=True)])
    assert (norm(project(g, rows) - expected) <= 1e-10 * norm(g)).all()


@SHAPES
def test_optimality_and_moreau(n, p):
    """Q1 to Q4: feasible, complementary, <v, g - v> = 0 and |g - v|^2 = |g|^2 - |v|^2."""
    g, rows = instances(n, p, 600, seed=1)
    v, u = projection(g, rows)
    g, v, length = g / norm(g)[:, None], v / norm(g)[:, None], norm(rows)
    slack = np.einsum("bpn,bn->bp", unit(rows), v)
    assert slack.min() >= -1e-11
    assert (u >= 0).all()
    multipliers = u * length / norm(instances(n, p, 600, seed=1)[0])[:, None]
    assert np.abs(multipliers * slack).max() <= 1e-11
    np.testing.assert_allclose(np.einsum("bn,bn->b", v, g - v), 0.0, atol=1e-11)
    np.testing.assert_allclose(norm(g - v) ** 2, 1.0 - norm(v) ** 2, atol=1e-11)
    np.testing.assert_allclose(g + np.einsum("bp,bpn->bn", multipliers, unit(rows)), v, atol=1e-11)


@shapes((6, 16))
def test_invariances(n, p):
    """Q5, Q6: homogeneous in g, and blind to positive factors of the rows."""
    g, rows = instances(n, p, 600, seed=2)
    v, scale = project(g, rows), np.random.default_rng(3).uniform(0.1, 10.0, size=(600, p, 1))
    assert (norm(project(7.0 * g, rows) - 7.0 * v) <= 1e-11 * norm(g)).all()
    assert (norm(project(g, scale * rows) - v) <= 1e-11 * norm(g)).all()
    assert not project(0.0 * g, rows).any()


@shapes((40, 16))
def test_nonexpansive_and_idempotent(n, p):
    """Q7, Q8: no two images are further apart than their origins; a projection is its own; g may be a row."""
    g, rows = instances(n, p, 600, seed=4)
    other = g + np.random.default_rng(5).normal(size=g.shape) * norm(g)[:, None]
    v, w = project(g, rows), project(other, rows)
    assert (norm(v - w) <= norm(g - other) * (1 + 1e-11)).all()
    assert (norm(project(v, rows) - v) <= 1e-11 * norm(g)).all()
    more = np.concatenate([rows, 3.0 * g[:, None]], axis=1)
    assert (norm(project(g, more) - v) <= 1e-11 * norm(g)).all()


@pytest.mark.parametrize("n", [2, 3, 6])
def test_the_cone_is_zero_iff_the_rows_span_positively(n):
    """Q9: n + 1 rows with a positive dependence leave nothing of any g, n independent rows leave something."""
    rng = np.random.default_rng(6)
    rows = rng.normal(size=(100, n, n))
    closing = -np.einsum("bp,bpn->bn", rng.uniform(0.5, 1.5, size=(100, n)), rows)
    g = rng.normal(size=(100, n))
    nothing = project(g, np.concatenate([rows, closing[:, None]], axis=1))
    assert (norm(nothing) <= 1e-11 * norm(g)).all()
    inside = np.linalg.solve(rows, np.ones((100, n, 1)))[:, :, 0]
    np.testing.assert_allclose(project(inside, rows), inside, rtol=1e-12)


def test_zero_iff_the_opposite_is_in_the_cone_of_the_rows():
    """Q10, decided by linear programming: v = 0 iff -g = rows' u for some u >= 0."""
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(200, 6, 3))
    g = rng.normal(size=(200, 3)) - np.einsum("bp,bpn->bn", rng.uniform(0, 0.5, size=(200, 6)), rows)
    zero = norm(project(g, rows)) <= 1e-11 * norm(g)
    inside = [linprog(np.zeros(6), A_eq=a.T, b_eq=-b).status == 0 for a, b in zip(rows, g, strict=True)]
    np.testing.assert_array_equal(zero, inside)
    assert 20 < zero.sum() < 180


@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-9])
def test_a_thin_cone_is_not_a_plane(angle):
    """Opposite rows leave their plane, rows that are opposite up to a small angle do not: v is not continuous in G."""
    g, exact = np.array([1.0, 1.0]), np.array([[1.0, 0.0], [-1.0, 0.0]])
    np.testing.assert_allclose(project(g, exact), [0.0, 1.0], atol=1e-15)
    tilted = np.array([[1.0, 0.0], [-1.0, -angle]])
    np.testing.assert_allclose(project(g, tilted), [0.0, 0.0], atol=1e-6)


@pytest.mark.parametrize("spread", [1e-4, 1e-7, 1e-10, 1e-13, 1e-16])
@pytest.mark.parametrize(("n", "p", "orthogonal"), [(2, 3, 1e-12), (6, 3, 1e-12), (12, 16, 1e-8)])
def test_nearly_dependent_rows_are_obeyed(n, p, orthogonal, spread):
    """Rows near a subspace of half as many dimensions: feasible to rounding at every angle, and <v, g - v> = 0."""
    rng = np.random.default_rng(10)
    g, few = rng.normal(size=(500, n)), rng.normal(size=(500, p // 2, n))
    rows = rng.normal(size=(500, p, p // 2)) @ few + spread * rng.normal(size=(500, p, n))
    v = project(g, rows) / norm(g)[:, None]
    assert np.einsum("bpn,bn->bp", unit(rows), v).min() >= -1e-12
    np.testing.assert_allclose(np.einsum("bn,bn->b", v, g / norm(g)[:, None] - v), 0.0, atol=orthogonal)


def test_rows_are_judged_by_direction_not_by_size():
    """A row of size 1e-300 constrains as much as one of size one."""
    assert project(np.array([1.0, 0.0]), np.array([[-1e-300, 1e-300]])) == pytest.approx([0.5, 0.5])


def test_one_violated_row_takes_no_factorisation(monkeypatch):
    """Where all other rows hold on the plane of the worst one, that is all; where one does not, it is not."""
    rng = np.random.default_rng(5)
    g, rows = rng.normal(size=(300, 4)), rng.normal(size=(300, 3, 4))
    expected = np.array([by_nnls(one, cone)[0] for one, cone in zip(g, rows, strict=True)])
    alone = [np.count_nonzero(np.abs(cone @ v) < 1e-12) == 1 for cone, v in zip(rows, expected, strict=True)]
    several = [np.count_nonzero(np.abs(cone @ v) < 1e-12) > 1 for cone, v in zip(rows, expected, strict=True)]
    assert min(sum(alone), sum(several)) > 40
    handed = []
    least = qp._least
    monkeypatch.setattr(qp, "_least", lambda g, rows: handed.append(len(g)) or least(g, rows))
    np.testing.assert_allclose(project(g, rows), expected, rtol=0, atol=1e-12)
    # The worst row alone may be one that is not tight in the end.
    assert sum(several) <= sum(handed) < sum(several) + sum(alone) / 4


def test_problems_do_not_see_each_other():
    """Every problem has the same bits alone, in other company and in another shape of batch."""
    g, rows = instances(5, 16, 60, seed=8)
    v, u = projection(g, rows)
    for chosen in ([0], [7, 3], list(range(59, -1, -1))):
        alone = projection(g[chosen], rows[chosen])
        np.testing.assert_array_equal(alone[0], v[chosen])
        np.testing.assert_array_equal(alone[1], u[chosen])
    shaped = projection(g.reshape(4, 15, 5), rows.reshape(4, 15, 16, 5))
    np.testing.assert_array_equal(shaped[0].reshape(60, 5), v)
    np.testing.assert_array_equal(shaped[1].reshape(60, 16), u)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["g", "rows"])
def test_a_problem_that_is_not_finite_spoils_only_itself(bad, where):
    """Its answer is nan; the others keep their bits."""
    g, rows = instances(4, 3, 12, seed=9)
    expected = project(g, rows)
    (g if where == "g" else rows)[5].flat[1] = bad
    with np.errstate(invalid="ignore"):
        found = project(g, rows)
    assert np.isnan(found[5]).all()
    np.testing.assert_array_equal(np.delete(found, 5, axis=0), np.delete(expected, 5, axis=0))
