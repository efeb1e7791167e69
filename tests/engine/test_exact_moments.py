from __future__ import annotations

import itertools

import numpy as np
import pytest

from boundcheck.engine.exact.moments import fedavg_m_moments, fedavg_moments, scaffold_m_moments
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods.fedavg import FedAvgM
from boundcheck.methods.scaffold import ScaffoldM
from boundcheck.problems.synthetic.quadratic import Quadratic

ETA, GAMMA, BETA = 0.3, 0.5, 0.4


def momentum_by_hand(A, a, x, signs):
    """E over sign patterns of |A x_T|^2 for FedAvg-M with d = 1, N = 2, straight from the pseudocode."""
    T, K = signs.shape[1:3]
    squares, g = [], np.zeros(len(signs))
    x = np.full(len(signs), x)
    for t in range(T):
        squares.append(((A.mean() * x) ** 2).mean())
        displaced = []
        for i in range(2):
            y = x.copy()
            for k in range(K):
                y = y - ETA * (BETA * (A[i] * y + a[i] + signs[:, t, k, i]) + (1 - BETA) * g)
            displaced.append(x - y)
        g = sum(displaced) / (2 * ETA * K)
        x = x - GAMMA * g
    return squares


def scaffold_by_hand(A, a, x, signs, first):
    """Return the same for SCAFFOLD-M, with `first` the noise of the initial control variates."""
    T, K = signs.shape[1:3]
    squares, g = [], np.zeros(len(signs))
    c_i = [A[i] * x + a[i] + first[:, i] for i in range(2)]
    c = (c_i[0] + c_i[1]) / 2
    x = np.full(len(signs), x)
    for t in range(T):
        squares.append(((A.mean() * x) ** 2).mean())
        displaced, fresh = [], []
        for i in range(2):
            y, seen = x.copy(), 0.0
            for k in range(K):
                g_i = A[i] * y + a[i] + signs[:, t, k, i]
                seen = seen + g_i
                y = y - ETA * (BETA * (g_i - c_i[i] + c) + (1 - BETA) * g)
            displaced.append(x - y)
            fresh.append(seen / K)
        g = sum(displaced) / (2 * ETA * K)
        c = c + (fresh[0] - c_i[0] + fresh[1] - c_i[1]) / 2
        c_i = fresh
        x = x - GAMMA * g
    return squares


def clients():
    """Two parabolas of different curvature, whose matrices are read off the problem."""
    problem = Quadratic(N=2, d=1, mu=0.4, L=1.5, spread=1.0, zeta=0.6, sigma=0.7)
    problem.A = np.array([[[1.5]], [[0.4]]])
    problem.mean_A = problem.A.mean(axis=0)
    return problem, problem.A[:, 0, 0], problem.tilts[:, 0]


def patterns(count):
    return 0.7 * np.array(list(itertools.product([-1.0, 1.0], repeat=count)))


def test_momentum_by_enumeration_of_all_signs():
    """FedAvg-M moments equal the mean over all 2^8 sign patterns of a straight-line run (N = 2, K = 2, T = 3)."""
    problem, A, a = clients()
    signs = patterns(8).reshape(-1, 2, 2, 2)
    padded = np.concatenate([signs, np.zeros((len(signs), 1, 2, 2))], axis=1)
    expected = momentum_by_hand(A, a, 1.0, padded)
    np.testing.assert_allclose(fedavg_m_moments(problem, ETA, GAMMA, BETA, 2, 3), expected, rtol=1e-12)


def test_scaffold_by_enumeration_of_all_signs():
    """SCAFFOLD-M moments equal the mean over all 2^10 sign patterns, those of the first control variates included."""
    problem, A, a = clients()
    drawn = patterns(10)
    signs = drawn[:, :8].reshape(-1, 2, 2, 2)
    padded = np.concatenate([signs, np.zeros((len(signs), 1, 2, 2))], axis=1)
    expected = scaffold_by_hand(A, a, 1.0, padded, drawn[:, 8:])
    np.testing.assert_allclose(scaffold_m_moments(problem, ETA, GAMMA, BETA, 2, 3), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("method", "moments"),
    [
        (FedAvgM(eta=0.2, gamma=0.3, beta=0.4), fedavg_m_moments),
        (ScaffoldM(eta=0.2, gamma=0.3, beta=0.4, B=2), lambda *a, **k: scaffold_m_moments(*a, B=2, **k)),
    ],
)
@pytest.mark.parametrize("noise", ["signs", "phases", "spikes"])
def test_simulations_agree_with_the_moments(method, moments, noise):
    """4000 runs of the method with b = 2 agree with the exact moments to 5 standard errors at every round."""
    problem = Quadratic(N=3, d=2, spread=0.7, zeta=0.8, sigma=1.0, noise=noise)
    lanes, K, T = 4000, 3, 5
    keys = [(lane,) for lane in range(lanes)]
    oracle = LaneOracle(problem, Setting.of(problem, S=3, K=K, T=T, b=2), seed=1, keys=keys, observers=[])
    exact = moments(problem, 0.2, 0.3, 0.4, K, T, b=2)
    steps = rounds(method, oracle, initial_state(method, oracle, lanes), T)
    for step, value in zip(steps, exact, strict=True):
        squares = (problem.mean_gradient(step.before.x) ** 2).sum(axis=(1, 2))
        assert abs(squares.mean() - value) <= 5 * squares.std() / np.sqrt(lanes) + 1e-12


def test_beta_one_is_fedavg():
    """With beta = 1 and gamma = gamma_avg eta K, FedAvg-M has the moments of FedAvg."""
    problem = Quadratic(N=4, spread=0.5, zeta=1.0, sigma=1.0)
    plain = fedavg_moments(problem, 0.1, 0.5, 4, 6)
    np.testing.assert_allclose(fedavg_m_moments(problem, 0.1, 0.5 * 0.1 * 4, 1.0, 4, 6), plain, rtol=1e-12)


def test_momentum_stops_where_fedavg_with_the_smaller_step_does():
    """Without noise FedAvg-M(eta, beta) and FedAvg(beta eta) have the same floor; SCAFFOLD-M has none."""
    problem = Quadratic(N=4, d=3, mu=0.5, spread=0.8, zeta=1.0)
    momentum = fedavg_m_moments(problem, 0.1, 0.3, 0.4, 5, 3000)[-1]
    plain = fedavg_moments(problem, 0.04, 1.0, 5, 3000)[-1]
    assert momentum == pytest.approx(plain, rel=1e-6)
    assert plain > 1e-6
    assert scaffold_m_moments(problem, 0.1, 0.3, 0.4, 5, 3000)[-1] < 1e-25


@pytest.mark.parametrize("noise", ["common-signs", "finite-phases", "dropout"])
def test_moments_need_independent_noise_of_fixed_covariance(noise):
    """Common, coupled or relative noise is refused by name."""
    problem = Quadratic(N=2, sigma=0.0 if noise == "dropout" else 1.0, noise=noise)
    for moments in (fedavg_m_moments, scaffold_m_moments):
        with pytest.raises(NotApplicableError, match=f"has {noise}"):
            moments(problem, 0.1, 0.1, 0.5, 1, 1)
    with pytest.raises(NotApplicableError, match=f"has {noise}"):
        fedavg_moments(problem, 0.1, 0.1, 1, 1)


def test_counts_are_checked():
    """A zero number of samples is refused by name."""
    with pytest.raises(InputError, match="B = 0 is not legal"):
        scaffold_m_moments(Quadratic(N=2), 0.1, 0.1, 0.5, 1, 1, B=0)
