"""Worst cases that are known in closed form, and identities between worst cases."""

import time

import pytest
from worst_methods import method

from boundcheck.errors import InputError
from boundcheck.worst import ProblemClass, worst


@pytest.mark.parametrize("T", [1, 2, 3, 6])
def test_gradient_descent_on_smooth_functions(T):
    """The smallest |grad f|^2 of T steps of 1/L is 4 L Delta/(3 (T-1) + 2) (Abbaszadehpeivasti et al. 2021)."""
    found = worst(method("sgd", eta=1.0), K=1, T=T, N=1, measure="best")
    assert found.upper == pytest.approx(4 / (3 * (T - 1) + 2), rel=1e-6)


@pytest.mark.parametrize("T", [1, 3, 5])
def test_gradient_descent_on_convex_functions(T):
    """f(x_T) - f_star is L R^2/(4 T + 2) for steps of 1/L (Drori, Teboulle 2014)."""
    convex = {"mu": 0.0, "Delta": None, "distance": 1.0}
    found = worst(method("sgd", eta=0.5), K=1, T=T, N=1, L=2.0, measure="value", **convex)
    assert found.upper == pytest.approx(2 / (4 * T + 2), rel=1e-6)
    assert found.exact


@pytest.mark.parametrize("eta", [0.6, 1.0, 1.7])
def test_gradient_descent_on_strongly_convex_functions(eta):
    """f(x_T) - f_star shrinks by max(1 - eta mu, eta L - 1)^(2T) (Taylor, Hendrickx, Glineur 2018)."""
    found = worst(method("sgd", eta=eta), K=1, T=2, N=1, mu=0.2, measure="value")
    assert found.upper == pytest.approx(max(1 - 0.2 * eta, eta - 1) ** 4, rel=1e-6)


@pytest.mark.parametrize(("N", "b"), [(1, 1), (3, 1), (2, 4)])
def test_one_step_of_sgd_with_additive_noise(N, b):
    """A step adds L eta^2 sigma^2/(2 N b): by the descent lemma, attained by noise along the largest curvature."""
    found = worst(method("sgd", eta=0.7), K=1, T=1, N=N, b=b, mu=0.1, sigma=0.8, measure="value")
    assert found.upper == pytest.approx(0.93**2 + 0.7**2 * 0.8**2 / (2 * N * b), rel=1e-6)
    assert found.exact


def test_local_steps_of_clients_that_agree_in_one_step_are_gradient_descent():
    """FedAvg with one local step is gradient descent on f, whatever the clients are."""
    ours = worst(method("fedavg", eta=0.8, gamma=1.0), K=1, T=3, zeta=1.0)
    assert ours.upper == pytest.approx(worst(method("sgd", eta=0.8), K=1, T=3, N=1).upper, rel=1e-7)


@pytest.mark.parametrize("N", [2, 3, 8])
def test_without_noise_the_number_of_clients_does_not_matter(N):
    """Two blocks of products stand for any N >= 2: FedAvg at eta = 1/(L K), K = T = 2 is 35/32."""
    found = worst(method("fedavg", eta=0.5, gamma=1.0), K=2, T=2, zeta=1.0, N=N)
    assert found.upper == pytest.approx(35 / 32, rel=1e-8)


def test_noise_is_averaged_over_clients():
    """More clients have less noise: the worst case lies between that of one client and that without noise."""
    values = [worst(method("fedavg"), K=2, T=2, zeta=1.0, sigma=1.0, N=N).upper for N in (2, 4, 100)]
    quiet = worst(method("fedavg"), K=2, T=2, zeta=1.0).upper
    assert values[0] > values[1] > values[2] > quiet


def test_units_are_those_of_the_problem():
    """Worst cases scale like L Delta if eta scales like 1/L and zeta^2 like L Delta."""
    one = worst(method("fedavg-m", eta=0.2, gamma=0.4), K=2, T=2, zeta=1.0)
    other = worst(method("fedavg-m", eta=0.05, gamma=0.1), K=2, T=2, L=4.0, Delta=3.0, zeta=12**0.5)
    assert other.upper == pytest.approx(12 * one.upper, rel=1e-6)


def test_heterogeneity_that_nothing_bounds_has_no_worst_case():
    """Without zeta or G_0 the clients of FedAvg differ as they like; SCAFFOLD's corrections make up for it."""
    free = worst(method("fedavg"), K=2, T=2)
    assert free.upper == float("inf")
    assert "zeta or G_0" in free.why
    assert worst(method("scaffold", eta=0.1), K=2, T=2).upper < 2.0


@pytest.mark.parametrize(
    "constants",
    [{"L": 0.0}, {"mu": 2.0}, {"zeta": -1.0}, {"N": 0}, {"Delta": None}, {"distance": 1.0}, {"Delta_mean": 1.0}],
)
def test_a_class_that_does_not_exist_is_refused(constants):
    """The message names the constant and what is legal."""
    with pytest.raises(InputError, match=f"{next(iter(constants))} = .* is not legal"):
        ProblemClass(**constants)


def test_an_unknown_left_hand_side_is_refused():
    """The message lists those that are known."""
    with pytest.raises(InputError, match="measure = 'median' is not legal: average"):
        worst(method("fedavg"), K=1, T=1, measure="median")


@pytest.mark.slow
@pytest.mark.parametrize("N", [2, 3, 8])
@pytest.mark.parametrize(("T", "seconds"), [(8, 1.0), (16, 20.0)])
def test_long_runs_are_solved_in_time(N, T, seconds):
    """Both sides, in seconds of a core: two blocks of 2 T rows whatever N is, and functions of two of the clients."""
    start = time.process_time()
    found = worst(method("fedavg", eta=0.5, gamma=1.0), K=2, T=T, N=N, zeta=1.0)
    assert time.process_time() - start < seconds
    assert found.gap <= 1e-6
    assert found.exact


@pytest.mark.slow
@pytest.mark.parametrize("N", [2, 8])
@pytest.mark.parametrize(("T", "seconds"), [(8, 1.0), (16, 20.0)])
def test_the_longest_search_is_done_in_time(N, T, seconds):
    """SCAFFOLD-M, where every programme for a function is tried: in seconds of a core."""
    start = time.process_time()
    found = worst(method("scaffold-m"), K=2, T=T, N=N, zeta=1.0)
    assert time.process_time() - start < seconds
    assert found.upper * (1 - 5e-5) <= found.lower <= found.upper
