"""Products with matrices that lanes have in common: right, and the same bits whatever stands beside a lane."""

import numpy as np
import pytest

from boundcheck.problems.arrays import products, tiled, untiled
from boundcheck.problems.synthetic.finite_sum import FiniteSum

LANES = (1, 2, 7, 8, 9, 16, 33)


@pytest.mark.parametrize("clients", [1, 3])
@pytest.mark.parametrize(("k", "n"), [(1, 1), (5, 1), (1, 4), (12, 7), (100, 50)])
def test_products_are_those_of_single_vectors(clients, k, n):
    """A loop over lanes and clients gives the same to rounding, with one matrix and with one a client."""
    rng = np.random.default_rng(0)
    matrices = rng.standard_normal((clients, k, n))
    for lanes in LANES:
        x = rng.standard_normal((lanes, clients, k))
        common, own = products(x, matrices[0]), untiled(np.matmul(tiled(x), matrices), lanes)
        assert common.shape == own.shape == (lanes, clients, n)
        for lane in range(lanes):
            for i in range(clients):
                np.testing.assert_allclose(common[lane, i], matrices[0].T @ x[lane, i], rtol=1e-12, atol=1e-13)
                np.testing.assert_allclose(own[lane, i], matrices[i].T @ x[lane, i], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("m", "d"), [(1, 5), (2, 4), (8, 12), (50, 100)])
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
