"""FedAvg on quadratics: the engine against matrix powers and against the exact second moment."""

import itertools

import numpy as np
import pytest
from engine_probes import Bowls

from boundcheck.engine import simulate
from boundcheck.methods.fedavg import FedAvg

ETA, GAMMA, K, T = 0.2, 1.3, 3, 6


def moments(problem, S):
    """Return the means of f's squared gradient at x_0..x_(T-1), exactly.

    In homogeneous coordinates z = (x, 1) a round with active set s is z <- M_s z + noise with
    M_s from (I - eta A_i)^K, and E zz' obeys Z <- mean_s (M_s Z M_s' + Q_s), Q_s = (gamma eta / S)^2 (sigma^2 / d)
    sum_(i in s) sum_(j < K) (I - eta A_i)^2j; every set is equally likely.
    """
    d = problem.d
    pulls = [np.linalg.matrix_power(np.eye(d) - ETA * a, K) for a in problem.A]
    maps, noises = [], []
    for s in itertools.combinations(range(problem.N), S):
        M = np.eye(d + 1)
        M[:d, :d] += GAMMA * (sum(pulls[i] for i in s) / S - np.eye(d))
        M[:d, d] = GAMMA * sum((np.eye(d) - pulls[i]) @ problem.b[i] for i in s) / S
        Q = np.zeros((d + 1, d + 1))
        for i, j in itertools.product(s, range(K)):
            Q[:d, :d] += np.linalg.matrix_power(np.eye(d) - ETA * problem.A[i], 2 * j)
        maps.append(M)
        noises.append(Q * (GAMMA * ETA / S * problem.noise.sigma) ** 2 / d)
    A = problem.A.mean(axis=0)
    slope = np.concatenate([A, -sum(a @ b for a, b in zip(problem.A, problem.b, strict=True))[:, None] / problem.N], 1)
    z = np.append(problem.start, 1.0)
    Z, squares = np.outer(z, z), []
    for _ in range(T):
        squares.append(np.trace(slope @ Z @ slope.T))
        Z = sum(M @ Z @ M.T + Q for M, Q in zip(maps, noises, strict=True)) / len(maps)
    return np.array(squares), Z


@pytest.mark.parametrize("d", [1, 3])
def test_without_noise_a_run_is_a_matrix_power(d):
    """Noiseless full-participation FedAvg ends at M^T z_0 and has the exact average squared gradient, to 1e-12."""
    problem = Bowls(N=3, d=d)
    squares, Z = moments(problem, 3)
    run = simulate(problem, FedAvg(eta=ETA, gamma=GAMMA), K=K, T=T, lanes=2, points=T)
    np.testing.assert_allclose(run.final, np.tile(Z[:d, d], (2, 1)), rtol=0, atol=1e-12)
    averages = np.cumsum(squares) / np.arange(1, T + 1)
    np.testing.assert_allclose(run.curves["server_gradient"][0], averages[run.checkpoints - 1], rtol=1e-12)


@pytest.mark.parametrize(
    ("S", "kind", "b", "lanes"),
    [
        pytest.param(3, "phases", 1, 8000, marks=pytest.mark.slow),
        pytest.param(2, "signs", 4, 8000, marks=pytest.mark.slow),
        pytest.param(3, "signs", 1, 8000, marks=pytest.mark.slow),
        (3, "phases", 1, 2500),
        (2, "signs", 4, 2500),
        pytest.param(2, "phases", 4, 8000, marks=pytest.mark.slow),
        pytest.param(1, "signs", 1, 8000, marks=pytest.mark.slow),
    ],
)
def test_noise_and_sampling_have_the_exact_second_moment(S, kind, b, lanes):
    """The mean over lanes of the average |grad f|^2 is within 4 standard errors, each below 1 %, of the closed form."""
    problem = Bowls(N=3, d=2, sigma=6.0, kind=kind)
    if kind == "phases":  # so slow a wave that the noise does not change along the run
        problem.noise.omega = 1e-12
    run = simulate(problem, FedAvg(eta=ETA, gamma=GAMMA), K=K, T=T, S=S, b=b, lanes=lanes, seed=1)
    values = run.average("server_gradient")
    problem.noise.sigma /= np.sqrt(b)
    exact = moments(problem, S)[0].mean()
    error = values.std(ddof=1) / np.sqrt(len(values))
    assert abs(values.mean() - exact) < 4 * error
    assert error < 0.01 * exact
