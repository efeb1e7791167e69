"""Constants of many clients in many dimensions: the widest pair is found without an array of all pairs."""

import tracemalloc

import numpy as np
import pytest

from boundcheck import load_problem
from boundcheck.errors import InputError
from boundcheck.problems.synthetic import farthest
from boundcheck.problems.synthetic.heterogeneity import alternating, largest_pair, tilts


def all_pairs(vectors):
    """Return the largest distance, row by row."""
    return float(np.sqrt(max(np.square(row - vectors).sum(axis=-1).max() for row in vectors)))


def clouds():
    """Yield points with many near ties, with exact ones, with outliers, on a line and alone."""
    rng = np.random.default_rng(7)
    yield tilts(1501, 4, 1.0)
    yield alternating(1200, 3, 1.0)
    yield rng.standard_normal((1300, 2))
    yield np.concatenate([rng.standard_normal((900, 5)), 9 * rng.standard_normal((3, 5))])
    yield np.linspace(0, 1, 800)[:, None] * np.ones(6)
    yield rng.standard_normal((2, 3))
    yield rng.standard_normal((1, 3))


@pytest.mark.parametrize("vectors", list(clouds()), ids=lambda v: f"{v.shape[0]}x{v.shape[1]}")
@pytest.mark.parametrize("products", [False, True])
def test_the_widest_pair_is_that_of_all_pairs(vectors, products, monkeypatch):
    """Blocks that are left out hold no wider pair, whether distances are differences or products."""
    if products:
        monkeypatch.setattr(farthest, "_DIRECT", 0)
    assert largest_pair(vectors) == pytest.approx(all_pairs(vectors), rel=1e-14)


def test_most_blocks_are_left_out():
    """On an ellipse of 20,000 clients fewer than a fifth of all pairs are compared."""
    vectors = tilts(20_000, 3, 1.0)
    compared = 0

    def counted(rows, others):
        nonlocal compared
        compared += len(rows) * len(others)
        return distances(rows, others)

    distances = farthest.summed(vectors)
    i, j = farthest.farthest(vectors, counted)
    assert compared < 20_000**2 / 2 / 5
    # The ends of the long axis: its square is four times the larger eigenvalue of the second moments, times two.
    axis = 2 * np.sqrt(2 * np.linalg.eigvalsh(vectors.T @ vectors / len(vectors))[-1])
    assert np.linalg.norm(vectors[i] - vectors[j]) == pytest.approx(axis, rel=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_the_widest_pair_of_a_saddle_is_that_of_all_pairs(share):
    """Tilts and waves together, against the formula over all pairs at once."""
    problem = load_problem("ncsc-p1", N=700, d1=5, d2=3, zeta_pair=2.0, wave_share=share, dual_share=0.3)
    gaps = np.abs(problem.tilts[:, None] - problem.tilts)
    waves = 2 * problem.lam * np.abs(np.sin((problem.angles[:, None] - problem.angles) / 2))
    gaps[..., :5] += waves[..., None]
    assert np.sqrt((gaps**2).sum(axis=-1).max()) == pytest.approx(2.0, rel=1e-13)


@pytest.mark.parametrize(
    "spec", ["ridge-ratio[zeta=1,d=40]", "ncsc-p1[zeta_pair=1,d1=30,d2=10]", "quadratic[zeta=1,d=40]"]
)
def test_memory_is_a_few_arrays_of_all_points(spec):
    """N = 5000, d = 40: 1.6 MB an array of all points; all pairs would take 200 MB, their differences 8 GB."""
    tracemalloc.start()
    try:
        assert dict(load_problem(spec, N=5000).constants)["G_0"].value > 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50e6


def test_the_average_of_equal_matrices_is_that_of_numpy():
    """Bit for bit, without the matrices."""
    problem = load_problem("quadratic", N=7, d=5)
    assert (problem.mean_A == np.stack([problem.A[0]] * 7).mean(axis=0)).all()
    assert problem.A.strides[0] == 0


@pytest.mark.parametrize(
    ("spec", "N", "words"),
    [
        ("finite-sum[d=20000,m=8]", 2000, r"finite-sum: N m d = 320000000 is not legal: at most 1e\+08 numbers"),
        ("quadratic-spread[d=200]", 3000, r"quadratic with spread > 0: N d rows = 120000000 is not legal"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_tried(spec, N, words):
    """With the counts and their product."""
    with pytest.raises(InputError, match=words):
        load_problem(spec, N=N)


def test_vectors_of_a_finite_sum_are_orthonormal():
    """M vectors are drawn and no others: N = 3, d = 5000 would take 200 MB a client otherwise."""
    problem = load_problem("finite-sum", N=3, d=5000)
    gram = problem.rows @ problem.rows.transpose(0, 2, 1)
    np.testing.assert_allclose(gram, np.broadcast_to(problem.length**2 * np.eye(problem.m), gram.shape), atol=1e-12)
