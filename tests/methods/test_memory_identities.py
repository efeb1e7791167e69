"""Exact relations of MIFA and MIFAM: the invariant of the memory, both starts, and what they reduce to."""

import numpy as np
import pytest
import straightline_memory
from method_harness import Record, drive, last
from method_problems import PlainRidge

from boundcheck.errors import InputError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.memory import MIFA, MIFAM
from boundcheck.methods.server_momentum import FedAvgServerM


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("start", ["zero", "full"])
def test_with_everyone_active_mifa_is_fedavg(start):
    """S = N: every row of the memory is fresh, whatever it started as."""
    still = {"sigma": 0.0}  # the pass of start='full' shifts the noise
    expected = last(ridge(**still), FedAvg(eta=0.1, gamma=0.7), K=3, rounds=4)
    close(last(ridge(**still), MIFA(eta=0.1, gamma=0.7, start=start), K=3, rounds=4), expected)


def test_with_everyone_active_mifa_is_fedavg_on_noise():
    """S = N with a zero start: the same noisy trajectory as FedAvg."""
    close(last(ridge(), MIFA(eta=0.1), K=3, rounds=4), last(ridge(), FedAvg(eta=0.1), K=3, rounds=4))


def test_with_everyone_active_mifam_is_fedavg_with_server_momentum():
    """S = N: d is the mean displacement, and m <- beta m + d."""
    numbers = {"eta": 0.1, "beta": 0.6, "gamma": 0.8}
    expected = last(ridge(), FedAvgServerM(**numbers), K=3, rounds=5)
    close(last(ridge(), MIFAM(**numbers), K=3, rounds=5), expected)


@pytest.mark.parametrize("start", ["zero", "full"])
def test_without_momentum_mifam_is_mifa(start):
    """MIFAM at beta = 0 has MIFA's trajectory."""
    common = {"K": 3, "rounds": 5, "S": 2}
    expected = last(ridge(), MIFA(eta=0.1, gamma=0.8, start=start), **common)
    close(last(ridge(), MIFAM(eta=0.1, beta=0.0, gamma=0.8, start=start), **common), expected)


@pytest.mark.parametrize("start", ["zero", "full"])
@pytest.mark.parametrize("S", [1, 3, 5])
def test_d_is_the_mean_of_the_memory_over_all_clients(S, start):
    """d_t = mean_N G_i at every round, and exactly S rows change."""
    for before, after in drive(ridge(), MIFAM(eta=0.1, beta=0.4, start=start), K=2, rounds=6, S=S):
        close(after.d, after.G.mean(axis=1, keepdims=True))
        assert ((after.G != before.G).any(axis=2).sum(axis=1) == S).all()


def test_the_first_step_of_a_zero_start_is_short():
    """With G_i = 0 the first step is S/N of FedAvg's on the same clients."""
    short = last(ridge(), MIFA(eta=0.1), K=3, rounds=1, S=2)
    whole = last(ridge(), FedAvg(eta=0.1), K=3, rounds=1, S=2)
    close(short[1] - short[0], 0.4 * (whole[1] - whole[0]))


@pytest.mark.parametrize("beta", [0.0, 0.6])
def test_full_start_is_a_pass_of_local_sgd_over_all_clients(beta):
    """start='full' fills the memory with K steps of every client from x0, as the straight-line reference does."""
    problem = ridge()
    record = Record(problem)
    method = MIFAM(eta=0.1, beta=beta, gamma=0.9, start="full", B=2)
    found = last(problem, method, K=3, rounds=4, S=2)
    assert record.rounds[0].sampled == 5 * 3 * 2
    for lane in range(2):
        later = record.samples(lane, 3)

        def g(r, k, i, lane=lane, later=later):
            return later(r, k, i) if k >= 0 else record.at_sample(lane, record.calls[3 + k], i)

        active = record.active(lane, 3, 4)
        numbers = {"N": 5, "K": 3, "eta": 0.1, "gamma": 0.9, "beta": beta}
        close(found[:, lane], straightline_memory.mifam(problem.start, g, active=active, start="full", **numbers))


def test_an_unknown_start_is_refused():
    """The message names the choice and what is legal."""
    with pytest.raises(InputError, match=r"mifa: start = 'warm'.*zero or full"):
        MIFA(eta=0.1, start="warm")
