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

    distances = farthest.summed_distances(vectors)
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


LARGE = """ridge-ratio[zeta=1,d=40] ncsc-p1[zeta_pair=1,d1=30,d2=10] quadratic[zeta=1,d=40] ridge-shift[d=40]
ridge-waves[zeta=1,d=40] ridge-waves[zeta=1,d=40,groups=spread] ridge-split[zeta=1,d=40] fedlalr-a2"""


@pytest.mark.parametrize("spec", LARGE.split())
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
        ("finite-sum[d=5000,m=32]", 2000, r"finite-sum: N m d = 320000000 is not legal: at most 1e\+08 numbers"),
        ("quadratic-spread[d=200]", 3000, r"quadratic with spread > 0: N d rows = 120000000 is not legal"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_tried(spec, N, words):
    """With the counts and their product."""
    with pytest.raises(InputError, match=words):
        load_problem(spec, N=N)


def test_pairs_of_tables_are_refused_before_anything_is_computed(monkeypatch):
    """The constants of a table compare all pairs of clients on a grid: N = 20,000 would be 4e8 numbers."""
    problem = load_problem("ridge-table", N=20_000)
    monkeypatch.setattr(type(problem), "_per_coordinate", None)
    with pytest.raises(InputError, match=r"ridge-table: clients pairs of each = 400000000 is not legal"):
        _ = problem.constants


@pytest.mark.parametrize("N", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("groups", ["two", "spread"])
def test_waves_are_as_steep_as_the_steepest_client(groups, N):
    """All clients on a grid, one by one, and all pairs of them: the constants ask a few clients for each point."""
    problem = load_problem("ridge-waves", N=N, d=1, groups=groups, zeta=1.5, frequency=1.7, theta=0.4)
    x = np.linspace(-12.0, 12.0, 40_001)
    slopes = problem.exact_gradient(np.broadcast_to(x[:, None, None], (len(x), N, 1)))[..., 0]
    size, turns = problem.size, 1.7 * x[:, None] + problem.angles
    curved = (2 - 6 * x**2) / (1 + x**2) ** 3
    bends = curved[:, None] * problem.weight - size * 1.7**2 * problem.signs * np.sin(turns)
    widest = max(np.abs(slopes[:, i] - slopes[:, j]).max() for i in range(N) for j in range(N))
    found = {"L": np.abs(bends).max(), "G_inf": np.abs(slopes).max(), "zeta_pair": widest}
    clean = load_problem("ridge-waves", N=N, d=1, groups=groups, zeta=1.5, frequency=1.7, theta=0.4, sigma=0.0)
    for letter, value in found.items():
        assert clean.constant(letter) == pytest.approx(value, rel=1e-6)
        assert clean.constant(letter) >= value * (1 - 1e-12)


@pytest.mark.parametrize("spec", ["ridge-shift[d=1,shift=0.7]", "fedlalr-a2[p2=1.5,h2=0.3]"])
@pytest.mark.parametrize("N", [2, 3, 4, 7])
def test_kinds_of_clients_vary_as_all_clients_do(spec, N):
    """The variance and the range of all clients' slopes on a grid."""
    problem = load_problem(spec, N=N, sigma=0.0)
    x = np.linspace(-15.0, 15.0, 30_001)
    slopes = problem.exact_gradient(np.broadcast_to(x[:, None, None], (len(x), N, 1)))[..., 0]
    assert problem.constant("zeta") == pytest.approx(np.sqrt(slopes.var(axis=1).max()), rel=1e-6)
    assert problem.constant("zeta_pair") == pytest.approx(np.ptp(slopes, axis=1).max(), rel=1e-6)


def test_clients_that_are_not_shifted_do_not_differ():
    """Three of them: their mean is not each of them to the last bit, and yet zeta is 0."""
    assert load_problem("ridge-shift", N=3, shift=0.0).constant("zeta") == 0.0


def test_vectors_of_a_finite_sum_are_orthonormal():
    """M vectors are drawn and no others: N = 3, d = 5000 would take 200 MB a client otherwise."""
    problem = load_problem("finite-sum", N=3, d=5000)
    gram = problem.rows @ problem.rows.transpose(0, 2, 1)
    np.testing.assert_allclose(gram, np.broadcast_to(problem.length**2 * np.eye(problem.m), gram.shape), atol=1e-12)
