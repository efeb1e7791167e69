"""Exact expectations of whole runs: against closed moments, hand-made sums, and sampling."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.engine.exact.moments import fedavg_m_moments, fedavg_moments, scaffold_m_moments
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence import Trial, pair
from boundcheck.methods import METHODS


def on(problem, method, *, K, T, S=None, b=1, metric="server_gradient"):
    """Return a trial of any method with a problem; the bound only names the metric."""
    bound = replace(BOUNDS["momentum-fl.theorem11"], metric=metric)
    return Trial(bound, problem, Setting.of(problem, K=K, T=T, S=S, b=b), None, method)


@pytest.mark.parametrize(("N", "K", "T", "paths"), [(1, 2, 6, 2**12), (2, 3, 2, 2**12), (3, 1, 3, 2**9)])
def test_sign_noise_on_parabolas_has_the_closed_moments(N, K, T, paths):
    """FedAvg and FedAvg-M: the mean over all sign patterns of the run is the linear recursion's second moment."""
    problem = load_problem("quadratic", N=N, d=1, zeta=1.0 if N > 1 else 0.0, sigma=0.7, noise="signs")
    for method, closed in (
        (METHODS["fedavg"](eta=0.2), fedavg_moments(problem, 0.2, 1.0, K, T)),
        (METHODS["fedavg-m"](eta=0.1, gamma=0.3, beta=0.4), fedavg_m_moments(problem, 0.1, 0.3, 0.4, K, T)),
    ):
        y = on(problem, method, K=K, T=T).outcomes()
        assert len(y) == paths
        assert y.mean() == pytest.approx(closed.mean(), rel=1e-12)


def test_first_minibatches_are_paths_too():
    """SCAFFOLD-M starts from noisy control variates; their outcomes count."""
    problem = load_problem("quadratic", N=2, d=1, sigma=1.0, noise="signs")
    method = METHODS["scaffold-m"](eta=0.1, gamma=0.3, beta=0.4, B=1)
    y = on(problem, method, K=1, T=4).outcomes()
    assert len(y) == 4 ** (1 + 4)
    assert y.mean() == pytest.approx(scaffold_m_moments(problem, 0.1, 0.3, 0.4, 1, 4).mean(), rel=1e-12)


def test_sampled_clients_are_paths():
    """One of two parabolas of curvature 1 and 0 a round: x halves or stays, E x_t^2 = ((1 + 1/4)/2)^t."""
    problem = load_problem("stress-participation", N=2)
    y = on(problem, METHODS["fedavg"](eta=0.5), K=1, T=8, S=1).outcomes()
    assert len(y) == 2**8
    assert y.mean() == pytest.approx(np.mean([0.25 * (5 / 8) ** t for t in range(8)]), rel=1e-12)
    pairs = on(load_problem("stress-participation", N=4), METHODS["fedavg"](eta=0.5), K=1, T=4, S=2).outcomes()
    assert len(pairs) == 6**4


def test_every_path_is_met_once():
    """The iterate is a weighted sum of the signs of a run, so distinct weights give every pattern its own end point."""
    problem = load_problem("momentum-fl-e2", N=1, start=0.0)
    y = on(problem, METHODS["fedavg"](eta=0.5), K=1, T=4).outcomes()
    by_hand = []
    for signs in itertools.product((-1.0, 1.0), repeat=4):
        x, total = 0.0, 0.0
        for sign in signs:
            total, x = total + x * x, x - 0.5 * (x + sign)
        by_hand.append(total / 4)
    assert sorted(y) == pytest.approx(sorted(by_hand), rel=1e-12)


@pytest.mark.parametrize(
    ("problem", "settings", "S"),
    [("finite-sum", {"m": 4, "d": 4}, 2), ("ridge-dropout", {"d": 2, "odds": 4}, 1), ("ridge-waves", {"d": 2}, 1)],
)
def test_enumeration_agrees_with_sampling(problem, settings, S):
    """Nonlinear problems, components, dropout and phases, sampled clients: 4000 samples lie within four errors."""
    problem = load_problem(problem, N=2, **settings)
    case = on(problem, METHODS["fedavg-m"](eta=0.2, gamma=0.5, beta=0.5), K=1, T=3, S=S)
    exact, sampled = case.outcomes(), case.measure(0, 0, 4000)
    assert 8**3 <= len(exact) <= 4096
    assert abs(sampled.mean() - exact.mean()) < 4 * sampled.std() / np.sqrt(4000)
    assert sampled.std() == pytest.approx(exact.std(), rel=0.1)
    assert exact.min() - 1e-12 <= sampled.min() <= sampled.max() <= exact.max() + 1e-12


@pytest.mark.parametrize(
    ("problem", "settings", "reason"),
    [
        ("ridge-ratio[d=2]", {"K": 2, "T": 50}, "more than 4096 paths"),
        ("ridge-ratio-phases[d=2]", {"K": 1, "T": 1}, "too many outcomes"),
        ("ridge-waves[d=2]", {"K": 1, "T": 1, "b": 2}, "minibatches of 2 samples"),
        ("finite-sum", {"K": 1, "T": 1, "S": 1}, "of 1 clients of finite-sum"),
    ],
)
def test_what_cannot_be_enumerated_says_why(problem, settings, reason):
    """Too many paths, continuous noise, minibatches, components of sampled clients."""
    problem = load_problem(problem, N=2)
    with pytest.raises(NotApplicableError, match=reason):
        on(problem, METHODS["fedavg"](eta=0.1), **settings).outcomes()


@pytest.mark.parametrize("most", [-1, 2.5])
def test_the_limit_of_paths_is_a_count(most):
    """A negative limit, or one of half a path, is refused."""
    with pytest.raises(InputError, match=f"most = {most} is not legal: an integer >= 0"):
        on(load_problem("ridge-ratio", N=2), METHODS["fedavg"](eta=0.1), K=1, T=1).outcomes(most=most)


def test_check_decides_small_runs_exactly():
    """The verdict has no error rate, and a bound between mean and mean + one part in a million is not fooled."""
    problem = load_problem("momentum-fl-e2", N=1)
    found = check("momentum-fl.theorem11", problem, K=1, T=8)
    method = pair(BOUNDS["momentum-fl.theorem11"], problem, K=1, T=8).method
    mean = fedavg_m_moments(problem, method.eta, method.gamma, method.beta, 1, 8).mean()
    assert found.measured == found.low == found.high == pytest.approx(mean, rel=1e-12)
    assert (found.replicates, found.e_value) == (2**8, None)
    assert "exact expectation over 256 paths" in found.reason
    for factor, verdict in ((1 + 1e-6, "holds"), (1 - 1e-6, "violated")):
        close = replace(BOUNDS["momentum-fl.theorem11"], id="close", terms={"at the mean": factor * mean}, trivial=1e9)
        assert check(close, problem, K=1, T=8).verdict == verdict
    assert check("momentum-fl.theorem11", problem, K=1, T=8, paths=0).replicates == 16
