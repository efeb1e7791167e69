"""Products with matrices that lanes have in common: right, and the same bits whatever stands beside a lane."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from boundcheck.problems import tiles
from boundcheck.problems.synthetic.finite_sum import FiniteSum
from boundcheck.problems.tiles import from_tiles, products, to_tiles

LANES = (1, 2, 7, 8, 9, 16, 33)


@pytest.mark.parametrize("clients", [1, 3])
@pytest.mark.parametrize(("k", "n"), [(1, 1), (5, 1), (1, 4), (12, 7), (100, 50)])
def test_products_are_those_of_single_vectors(clients, k, n):
    """A loop over lanes and clients gives the same to rounding, with one matrix and with one a client."""
    rng = np.random.default_rng(0)
    matrices = rng.standard_normal((clients, k, n))
    for lanes in LANES:
        x = rng.standard_normal((lanes, clients, k))
        common, own = products(x, matrices[0]), from_tiles(np.matmul(to_tiles(x, n), matrices), lanes)
        assert common.shape == own.shape == (lanes, clients, n)
        for lane in range(lanes):
            for i in range(clients):
                np.testing.assert_allclose(common[lane, i], matrices[0].T @ x[lane, i], rtol=1e-12, atol=1e-13)
                np.testing.assert_allclose(own[lane, i], matrices[i].T @ x[lane, i], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("m", "d"), [(1, 5), (2, 4), (8, 12), (50, 100), (64, 257)])
@pytest.mark.parametrize("offset", [0.0, 0.5])
def test_a_full_batch_is_the_mean_of_its_components_in_any_company(m, d, offset):
    """The place of a lane among others changes no bit; the numbers are those of a sum over components."""
    problem = FiniteSum(N=3, d=d, m=m, zeta=1.0, offset=offset)
    x = np.random.default_rng(1).standard_normal((max(LANES), 3, d))
    whole = problem.exact_gradient(x)
    for lane in (0, 20, 32):
        means = [problem.outcomes(x[lane, i], i).mean(axis=0) for i in range(3)]
        np.testing.assert_allclose(whole[lane], means, rtol=1e-12, atol=1e-13)
    for lanes in LANES:
        np.testing.assert_array_equal(problem.exact_gradient(x[:lanes]), whole[:lanes])
        np.testing.assert_array_equal(problem.exact_gradient(x[lanes - 1 :: -1]), whole[lanes - 1 :: -1])
    server = x[:, :1]
    mean = problem.mean_gradient(server)
    np.testing.assert_allclose(mean[:, 0], problem.exact_gradient(problem.everyone_at(server)).mean(axis=1), atol=1e-13)
    np.testing.assert_array_equal(problem.mean_gradient(server[::-1]), mean[::-1])


@pytest.mark.parametrize(("k", "n"), [(12, 7), (100, 50), (257, 50), (257, 64), (64, 257), (30, 1)])
@pytest.mark.parametrize("vectors", [8, 16, 24, 48, 64])
@pytest.mark.parametrize("threads", [1, 2])
def test_one_product_has_the_bits_of_its_tiles(threads, vectors, k, n, request):
    """With two threads OpenBLAS sums some shapes in another order (k = 257): those stay in tiles."""
    request.addfinalizer(tiles._as_tiles.cache_clear)
    tiles._as_tiles.cache_clear()
    with threadpool_limits(threads, "blas"):
        same_as_by_hand(vectors, k, n)


def same_as_by_hand(vectors, k, n):
    """Compare with a product for each eight vectors."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((vectors, 2, k))
    for matrices in (rng.standard_normal((2, k, n)), np.swapaxes(rng.standard_normal((2, n, k)), 1, 2)):
        by_hand = np.stack([[x[i : i + 8, j] @ matrices[j] for j in range(2)] for i in range(0, vectors, 8)])
        own = from_tiles(np.matmul(to_tiles(x, n), matrices), vectors)
        np.testing.assert_array_equal(own, by_hand.swapaxes(1, 2).reshape(vectors, 2, n))
        np.testing.assert_array_equal(products(x[:, 0], matrices[0]), own[:, 0])
