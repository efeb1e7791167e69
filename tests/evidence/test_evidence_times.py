"""Time to epsilon on laws with a known answer, what is censored, and what runs cost."""

import numpy as np
import pytest

from boundcheck import load_problem
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.checks.exponents import fit_exponent
from boundcheck.evidence.checks.time_to_epsilon import ComplexityFit, time_to_epsilon
from boundcheck.evidence.trials.costs import cost
from boundcheck.methods import METHODS

GRID = [64.0, 256.0, 1024.0, 4096.0, 16384.0]


def exact(law):
    return [np.full(4, law(T)) for T in GRID]


def test_a_power_law_is_inverted_exactly():
    """3 T^(-1/2) = eps^2 at T = 9 eps^-4, and the exponent is 4."""
    epsilons = [0.5, 0.4, 0.3, 0.2]
    found = time_to_epsilon(GRID, exact(lambda T: 3 * T**-0.5), epsilons, [0.5])
    assert [r.rounds for r in found.reached] == pytest.approx([9 * e**-4 for e in epsilons], rel=1e-9)
    assert {r.relation for r in found.reached} == {"="}
    assert found.complexity.exponent == pytest.approx(4.0, abs=1e-5)
    assert (found.complexity.promise, found.complexity.used, found.complexity.note) == ("as promised", 4, "")


def test_what_is_not_reached_is_kept_and_counted():
    """T^(-1/2) from 1/8 to 1/128: beyond the ends "< 64" (it was "<= 64" in [0, 0]) and "> 16384", none dropped."""
    epsilons = [0.5, 0.3, 0.2, 0.15, 0.1, 0.05, 0.01]
    found = time_to_epsilon(GRID, exact(lambda T: T**-0.5), epsilons, [0.5])
    assert [r.epsilon for r in found.reached] == epsilons
    assert str(found.reached[0]) == "< 64"
    assert [str(r) for r in found.reached[-2:]] == ["> 1.638e+04", "> 1.638e+04"]
    assert (found.reached[0].low, found.reached[0].high) == (0.0, 64.0)
    assert (found.reached[-1].low, found.reached[-1].high) == (16384.0, np.inf)
    assert (found.complexity.used, found.complexity.left_out) == (4, 3)
    assert found.complexity.note == "3 of 7 accuracies lie beyond the grid"
    assert time_to_epsilon(GRID, exact(lambda T: T**-0.5), [0.3, 0.2], [0.5]).complexity is None


def test_an_accuracy_that_may_be_missed_has_an_open_interval():
    """With eps^2 at the mean of the longest horizon, resampled means miss it half of the time: the interval is open."""
    rng = np.random.default_rng(0)
    samples = [T**-0.5 * (1 + 0.2 * rng.standard_normal(20)) for T in GRID]
    found = time_to_epsilon(GRID, samples, [np.sqrt(samples[-1].mean())])
    assert found.reached[0].relation == "="
    assert GRID[-2] < found.reached[0].low < GRID[-1]
    assert found.reached[0].high == np.inf


def test_a_flat_start_is_no_success():
    """A mean that is small, rises and falls for good counts from the last fall on."""
    samples = [np.full(3, m) for m in (0.01, 1.0, 0.5, 0.1, 0.01)]
    (reached,) = time_to_epsilon(GRID, samples, [np.sqrt(0.1)]).reached
    assert reached.rounds == pytest.approx(4096.0)


@pytest.mark.parametrize("bad", [np.inf, 1e300])
def test_diverged_runs_do_not_reach_anything(bad):
    """A diverged longest run is never good enough, and warns about nothing."""
    samples = [*exact(lambda T: T**-0.5)[:-1], np.array([1.0, bad, 1.0, 1.0])]
    assert [r.relation for r in time_to_epsilon(GRID, samples, [0.3, 0.2]).reached] == [">=", ">="]


@pytest.mark.parametrize("repetitions", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_coverage_of_the_exponent(repetitions):
    """On T^(-1/2) + 5/T with 15 % noise the 95 % interval contains 4 in at least 85 of 100 repetitions."""
    hits = 0
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        samples = [(T**-0.5 + 5 / T) * (1 + 0.15 * rng.standard_normal(20)) for T in GRID]
        fit = time_to_epsilon(GRID, samples, [0.4, 0.33, 0.27, 0.22, 0.17, 0.13, 0.11, 0.1], [0.5, 1.0]).complexity
        assert fit.fixed == (2.0,)
        hits += fit.low <= 4 <= fit.high
    assert hits >= 0.85 * repetitions


@pytest.mark.parametrize(
    ("low", "high", "promise"),
    [(3.7, 4.3, "as promised"), (2.8, 3.3, "faster than printed"), (4.5, 5.0, "slower"), (3.5, 4.5, "undecided")],
)
def test_promise_states(low, high, promise):
    """The decays 0.45 and 0.55 are the powers 4.44 and 3.64; more rounds than promised is "slower"."""
    assert ComplexityFit(4.0, (), (low + high) / 2, low, high, 4, 0).promise == promise
    assert ComplexityFit(None, (), 4.0, low, high, 4, 0).promise == ""


def test_one_data_set_has_one_verdict():
    """eps^-4.30 was "as promised" and T^-0.423 of the same runs "slower": one tolerance now."""
    for power in (0.3, 0.42, 0.46, 0.5, 0.54, 0.6):
        samples = exact(lambda T, power=power: T**-power)
        times = time_to_epsilon(GRID, samples, list(np.geomspace(0.52, 0.06, 24)), [0.5, 1.0]).complexity
        fit = fit_exponent("T", GRID, samples, [0.5, 1.0])
        assert times.promise == fit.promise
        assert (times.exponent, times.low, times.high) == (2 / fit.exponent, 2 / fit.high, 2 / fit.low)


def test_horizons_must_increase():
    """Horizons in another order are refused."""
    with pytest.raises(InputError, match="at least two increasing values"):
        time_to_epsilon([2.0, 1.0], [np.ones(2)] * 2, [0.1])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"K": 0}, "K = 0 is not legal: an integer >= 1"),
        ({"T": 0}, "T = 0 is not legal: an integer >= 1"),
        ({"S": 0}, "S = 0 is not legal: an integer >= 1"),
        ({"S": 4}, "S = 4 is not legal: at most N = 3"),
        ({"b": 0}, "b = 0 is not legal: an integer >= 1"),
    ],
)
def test_costs_refuse_what_no_run_can_be_made_of(setting, message):
    """Counts below 1 and more active clients than there are, by name."""
    problem, legal = load_problem("ridge-ratio", N=3, d=2), {"K": 1, "T": 2, "S": 3, "b": 1}
    with pytest.raises(InputError, match=message):
        cost(problem, METHODS["fedavg"](eta=0.1), **legal | setting)


def test_costs_refuse_a_method_for_another_kind_of_problem():
    """A minimax method has no cost on a problem to minimise."""
    with pytest.raises(NotApplicableError, match="method sgda is for minimax problems"):
        cost(load_problem("ridge-ratio", N=3, d=2), METHODS["sgda"](eta_x=0.1, eta_y=0.1), K=1, T=2, S=3)


def test_costs_are_those_of_the_methods_cards():
    """FedAvg, SCAFFOLD-M with B = 5 and SARAH, from their cards: K, K + N B/(S T), and 2(K-1) plus one exact."""
    problem, N, S, K, d, T = load_problem("ridge-ratio", N=6, d=3), 6, 2, 4, 3, 40
    assert cost(problem, METHODS["fedavg"](eta=0.1), K=K, T=T, S=S) == (K * T, 0, 2 * d * T, 64 * 2 * d * T)
    scaffold = cost(problem, METHODS["scaffold-m"](eta=0.1, gamma=0.1, beta=0.5, B=5), K=K, T=T, S=S, b=3)
    floats = (2 + 3) * d * T + d * N / S
    assert scaffold == (3 * K * T + 5 * N / S, 0, floats, 64 * floats)
    sarah = cost(problem, METHODS["sarah"](eta=0.1), K=K, T=T, S=N)
    assert sarah[:2] == (2 * (K - 1) * T, T)


@pytest.mark.parametrize("T", [3, 16, 17, 100])
def test_rounds_of_unequal_cost_are_counted_one_by_one(T):
    """FedLALR's growing interval: round t costs K + floor(log_4 t) gradients."""
    problem = load_problem("ridge-log", N=2, d=2)
    steps = sum(3 + next(j for j in range(20) if 4 ** (j + 1) > t) for t in range(1, T + 1))
    method = METHODS["fedlalr"](eta=0.1, beta1=0.5, beta2=0.9, eps=1.0, growth=4)
    assert cost(problem, method, K=3, T=T, S=2).samples == steps
