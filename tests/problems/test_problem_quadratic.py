from __future__ import annotations

import numpy as np
import pytest
from problem_cases import points

from boundcheck.engine.exact.moments import fedavg_moments
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.problems.synthetic import quadratic
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.problems.synthetic.ridge import Ridge


def test_two_tilted_parabolas_by_hand():
    """N = 2, f = x^2/2 +- 3x from x_0 = 1: L = 1, Delta = 1/2, G_0 = 1 + 9, zeta = 3, zeta_pair = 6."""
    problem = Quadratic(N=2, d=1, mu=1.0, zeta=3.0)
    found = {letter: problem.constant(letter) for letter in ("L", "Delta", "G_0", "zeta", "zeta_pair", "f_star")}
    assert found == pytest.approx({"L": 1, "Delta": 0.5, "G_0": 10, "zeta": 3, "zeta_pair": 6, "f_star": 0})


@pytest.mark.parametrize("spread", [0.0, 0.4, 1.0])
def test_spectra_lie_in_the_interval_and_reach_L(spread):
    """All eigenvalues lie in [mu, L] and client 0 has both ends."""
    problem = Quadratic(N=6, d=5, mu=0.2, L=3.0, spread=spread)
    spectra = np.linalg.eigvalsh(problem.A)
    assert spectra.min() >= 0.2 - 1e-12
    assert spectra.max() <= 3.0 + 1e-12
    assert spectra[0, [0, -1]] == pytest.approx([0.2, 3.0])


def test_spread_zero_gives_one_matrix_and_finite_zeta():
    """Without spread all matrices agree; with spread zeta is not among the constants."""
    same, differ = Quadratic(N=4, zeta=1.0), Quadratic(N=4, zeta=1.0, spread=0.5)
    np.testing.assert_array_equal(same.A, np.broadcast_to(same.A[0], same.A.shape))
    assert "zeta" in same.constants
    assert "zeta" not in differ.constants
    assert "G_inf" not in same.constants


def test_zeta_is_met_at_the_minimiser():
    """With spread, mean_i |grad f_i(0)|^2 = zeta^2 still."""
    problem = Quadratic(N=5, zeta=2.0, spread=0.7)
    g = problem.exact_gradient(np.zeros((1, 5, 8)))
    assert (g**2).sum(axis=-1).mean() == pytest.approx(4.0)


def test_the_minimiser_solves_the_normal_equations():
    """x_star from the client minimisers b_i = -A_i^-1 a_i is mean(A_i)^-1 mean(A_i b_i)."""
    problem = Quadratic(N=5, zeta=2.0, spread=0.7)
    b = -np.linalg.solve(problem.A, problem.tilts[:, :, None])
    x = np.linalg.solve(problem.A.mean(axis=0), (problem.A @ b).mean(axis=0))[:, 0]
    np.testing.assert_allclose(x, problem.x_star, atol=1e-12)


def test_the_matrix_of_a_client_does_not_depend_on_N():
    """Client i keeps its matrix when more clients join."""
    few, many = Quadratic(N=3, spread=1.0), Quadratic(N=7, spread=1.0)
    np.testing.assert_array_equal(few.A, many.A[:3])
    assert not np.array_equal(few.A, Quadratic(N=3, spread=1.0, structure_seed=1).A)


def test_matrices_do_not_depend_on_what_is_made_together(monkeypatch):
    """All five at once, two and two and one, and each alone are the same to the last bit."""
    together = Quadratic(N=5, d=3, spread=0.5).A
    for numbers in (2 * 3**2, 1):
        monkeypatch.setattr(quadratic, "_NUMBERS_AT_ONCE", numbers)
        np.testing.assert_array_equal(Quadratic(N=5, d=3, spread=0.5).A, together)


def test_nonconvex_clients_are_allowed_when_the_average_is_convex():
    """A negative mu passes with many independent clients and is refused when all share the matrix."""
    problem = Quadratic(N=12, mu=-0.2, spread=1.0)
    assert np.linalg.eigvalsh(problem.A[0])[0] == pytest.approx(-0.2)
    assert np.linalg.eigvalsh(problem.mean_A)[0] > 0
    with pytest.raises(InputError, match=r"quadratic: mu = -0.2 is not legal: large enough for a positive definite"):
        Quadratic(N=12, mu=-0.2)


@pytest.mark.parametrize("noise", ["signs", "phases"])
@pytest.mark.parametrize(("spread", "gamma", "K"), [(0.0, 1.0, 1), (0.6, 1.0, 3), (0.6, 0.5, 2)])
def test_moments_equal_the_stacked_linear_recursion(noise, spread, gamma, K):
    """The moments agree with propagating all clients' joint mean and covariance one local step at a time."""
    problem = Quadratic(N=3, d=2, spread=spread, zeta=0.7, sigma=0.9, noise=noise)
    eta, T, size = 0.2, 4, 3 * 2
    step = np.eye(size)
    for i in range(3):
        step[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] -= eta * problem.A[i]
    copy = np.tile(np.eye(2), (3, 1))
    mean, cov, expected = problem.start, np.zeros((2, 2)), []
    for _ in range(T):
        expected.append(mean @ problem.mean_A @ problem.mean_A @ mean + np.trace(problem.mean_A @ cov @ problem.mean_A))
        # The joint state is (x, y_1, y_2, y_3), so that the server step sees their correlation.
        joint_mean = np.concatenate([mean, copy @ mean])
        lift = np.vstack([np.eye(2), copy])
        joint_cov = lift @ cov @ lift.T
        move = np.eye(2 + size)
        move[2:, 2:] = step
        for _ in range(K):
            joint_mean = move @ joint_mean - eta * np.concatenate([np.zeros(2), problem.tilts.ravel()])
            joint_cov = move @ joint_cov @ move.T
            joint_cov[2:, 2:] += eta**2 * 0.81 / 2 * np.eye(size)
        server = np.hstack([(1 - gamma) * np.eye(2), gamma * copy.T / 3])
        mean, cov = server @ joint_mean, server @ joint_cov @ server.T
    np.testing.assert_allclose(fedavg_moments(problem, eta, gamma, K, T), expected, rtol=1e-12)


def test_moments_start_at_the_exact_gradient_and_scale_with_b():
    """The first moment is |grad f(x_0)|^2; the noise part of the second is divided by b."""
    problem = Quadratic(N=2, sigma=1.0, zeta=1.0)
    quiet = fedavg_moments(Quadratic(N=2, zeta=1.0), 0.1, 1.0, 2, 2)
    one, four = (fedavg_moments(problem, 0.1, 1.0, 2, 2, b=b) for b in (1, 4))
    assert one[0] == pytest.approx((problem.mean_gradient(problem.start[None, None]) ** 2).sum())
    assert one[1] - quiet[1] == pytest.approx(4 * (four[1] - quiet[1]))


def test_moments_need_a_quadratic():
    """Another family is refused with its name."""
    with pytest.raises(NotApplicableError, match="family quadratic, but ridge is of family ridge"):
        fedavg_moments(Ridge(N=2), 0.1, 1.0, 1, 1)


def test_value_by_brute_force():
    """The value is the average over clients of x^T A_i x/2 + <a_i, x>."""
    problem = Quadratic(N=3, spread=0.5, zeta=1.0)
    x = points(2, 1, problem.d)
    loop = [np.mean([v @ A @ v / 2 + a @ v for A, a in zip(problem.A, problem.tilts, strict=True)]) for v in x[:, 0]]
    np.testing.assert_allclose(problem.value(x), loop, rtol=1e-12)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"mu": 2.0}, "mu = 2.0 is not legal"),
        ({"L": 0.0}, "L = 0.0 is not legal"),
        ({"spread": 1.5}, "spread = 1.5 is not legal"),
        ({"d": 0}, "d = 0 is not legal"),
        ({"structure_seed": -1}, "structure_seed = -1 is not legal"),
        ({"noise": "gauss", "sigma": 1.0}, "noise = 'gauss' is not legal"),
    ],
)
def test_bad_parameters_are_named(bad, message):
    """The message names the parameter and its value."""
    with pytest.raises(InputError, match=message):
        Quadratic(N=2, **bad)


@pytest.mark.parametrize("structure_seed", range(12))
def test_clients_that_are_flat_in_a_direction_have_no_mu(structure_seed):
    """With a smallest eigenvalue of 0 the clients are convex, not strongly, and their infima need not be finite.

    Went wrong: rounding made it a tiny positive number, and a system that has no solution was solved.
    """
    problem = Quadratic(N=5, d=10, mu=0.0, L=20.0, spread=0.01, zeta=0.01, structure_seed=structure_seed)
    assert problem.convex
    assert {"mu", "Delta_mean", "Gamma_star"}.isdisjoint(problem.constants)
