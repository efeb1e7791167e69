from __future__ import annotations

import itertools

import numpy as np
import pytest
from problem_cases import Words, points

from boundcheck.errors import InputError
from boundcheck.problems.data.boxes import box_bound
from boundcheck.problems.data.logistic import Logistic


def straightforward(rows, x, rho):
    """Value and gradient of one client, row by row."""
    value, gradient = 0.0, np.zeros(len(x))
    for z in rows:
        value += np.log1p(np.exp(-z @ x))
        gradient -= z / (1 + np.exp(z @ x))
    ridge = rho * 2 * x / (1 + x * x) ** 2
    return value / len(rows) + rho * (x * x / (1 + x * x)).sum(), gradient / len(rows) + ridge


def test_value_and_gradient_row_by_row():
    """Vectorised value and gradients agree with a loop over rows."""
    problem = Logistic(N=4, skew=0.5)
    x = 0.3 * points(1, 1, problem.d)
    loops = [straightforward(rows, x[0, 0], problem.rho) for rows in problem.rows]
    assert problem.value(x)[0] == pytest.approx(np.mean([value for value, _ in loops]))
    g = problem.exact_gradient(np.broadcast_to(x, (1, 4, problem.d)))
    np.testing.assert_allclose(g[0], [gradient for _, gradient in loops], rtol=1e-10, atol=1e-13)


def test_extreme_points_do_not_overflow():
    """At |x| = 1e4 gradients and values are finite (a warning would fail the test)."""
    problem = Logistic(N=2)
    x = np.full((1, 2, problem.d), 1e4)
    assert np.isfinite(problem.exact_gradient(x)).all()
    assert np.isfinite(problem.value(x[:, :1])).all()


def test_columns_are_standardised_and_labels_signed():
    """With one client the rows have second moment 1 in every column, and the bias column holds the labels."""
    rows = Logistic(N=1).rows[0]
    np.testing.assert_allclose((rows**2).mean(axis=0), 1.0)
    assert set(np.unique(rows[:, -1])) == {-1.0, 1.0}
    assert (rows[:, -1] == 1).sum() == 357
    assert Logistic(N=1, bias=False).rows.shape == (1, 569, 30)


@pytest.mark.parametrize("N", [2, 5, 8, 100])
def test_skew_goes_from_even_to_sorted(N):
    """At skew 0 label counts differ by at most one, at skew 1 at most one client has both labels."""
    positive = [(Logistic(N=N, skew=skew).rows[..., -1] > 0).mean(axis=1) for skew in (0.0, 0.5, 1.0)]
    m = 569 // N
    assert np.ptp(positive[0]) * m <= 1 + 1e-9
    assert ((positive[2] > 0) & (positive[2] < 1)).sum() <= 1
    assert positive[0].var() <= positive[1].var() <= positive[2].var()


@pytest.mark.parametrize("skew", [0.0, 0.3, 1.0])
def test_the_kept_rows_do_not_depend_on_skew(skew):
    """Every kept row is given to exactly one client, so f is the same function at every skew."""
    even = Logistic(N=8).rows.reshape(-1, 31)
    other = Logistic(N=8, skew=skew).rows.reshape(-1, 31)
    np.testing.assert_array_equal(even[np.lexsort(even.T)], other[np.lexsort(other.T)])


def test_a_token_names_rows_of_the_own_client():
    """A minibatch gradient is the mean of the enumerated gradients of the rows it names."""
    problem = Logistic(N=3, skew=1.0)
    token = problem.sample(Words(range(2)), None, 4)
    assert token.row.shape == (2, 3, 4)
    x = points(2, 3, problem.d)
    g = problem.gradient(x, None, token)
    for lane, client in itertools.product(range(2), range(3)):
        rows = problem.outcomes(x[lane, client], client)[token.row[lane, client]]
        np.testing.assert_allclose(g[lane, client], rows.mean(axis=0), rtol=1e-11, atol=1e-12)


def test_a_token_follows_the_active_clients():
    """With a client index the token's rows belong to the clients named there."""
    problem = Logistic(N=4, skew=1.0)
    clients = np.array([[1, 3], [0, 2]])
    token = problem.sample(Words(range(2)), clients, 1)
    x = points(2, 2, problem.d)
    g = problem.gradient(x, clients, token)
    for lane, k in itertools.product(range(2), range(2)):
        row = problem.outcomes(x[lane, k], int(clients[lane, k]))[token.row[lane, k, 0]]
        np.testing.assert_allclose(g[lane, k], row, rtol=1e-11, atol=1e-12)


def test_smoothness_is_the_hessian_at_the_origin():
    """L and L_sample are the spectral norms of the client and row Hessians at 0, written out."""
    problem = Logistic(N=5, skew=0.5)
    hessians = [rows.T @ rows / (4 * len(rows)) + 2 * problem.rho * np.eye(problem.d) for rows in problem.rows]
    assert problem.constant("L") == pytest.approx(max(np.linalg.norm(h, 2) for h in hessians))
    longest = max((rows**2).sum(axis=1).max() for rows in problem.rows)
    assert problem.constant("L_sample") == pytest.approx(longest / 4 + 2 * problem.rho)


@pytest.mark.parametrize("n", [1, 4, 9])
def test_the_box_bound_covers_every_vertex(n):
    """For random quadratics the bound is at least the best vertex, and at most the row-sum bound."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        factor = rng.standard_normal((3, n))
        Q = factor.T @ factor
        vertices = np.array(list(itertools.product([0.0, 1.0], repeat=n)))
        best = np.einsum("vi,ij,vj->v", vertices, Q, vertices).max()
        largest = np.linalg.eigvalsh(Q)[-1]
        bound = box_bound(lambda s, Q=Q: Q @ s, np.full(n, largest))
        assert best * (1 - 1e-12) <= bound <= np.abs(Q).sum() + n * largest


def test_the_floor_is_zero_for_a_weak_regulariser():
    """Below the minimum of f no box can be proved: f_star falls back to 0 and the reason says how low that is."""
    constant = Logistic(N=1, rho=0.1).constants["f_star"]
    assert constant.value == 0
    assert constant.kind == "lower"
    assert "too low" in constant.reason


def test_the_floor_is_below_every_descent_and_close():
    """From many starts no descent ends below f_star, and the best is within 1 % of the initial gap."""
    from scipy.optimize import minimize

    problem = Logistic(N=2)
    rng = np.random.default_rng(0)

    def objective(x):
        at = x[None, None, :]
        return problem.value(at)[0], problem.mean_gradient(at)[0, 0]

    ends = [minimize(objective, s * rng.standard_normal(31), jac=True, method="BFGS").fun for s in (0.1, 1, 3) * 3]
    floor = problem.constant("f_star")
    assert min(ends) >= floor
    assert min(ends) - floor <= 0.01 * problem.constant("Delta")


@pytest.mark.parametrize(
    ("N", "bad", "message"),
    [
        (570, {}, "N = 570 is not legal: at most 569"),
        (0, {}, "N = 0 is not legal"),
        (2, {"rho": 0.0}, "rho = 0.0 is not legal"),
        (2, {"skew": 1.5}, "skew = 1.5 is not legal"),
    ],
)
def test_bad_parameters_are_named(N, bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        Logistic(N=N, **bad)
