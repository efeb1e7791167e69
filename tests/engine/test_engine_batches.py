"""Large minibatches: a prescribed first batch is added in parts, blocks shrink, and what no memory holds is refused."""

import tracemalloc

import numpy as np
import pytest

from boundcheck import check, load_problem
from boundcheck.engine import simulate
from boundcheck.engine.mixed import mixes
from boundcheck.engine.oracle import AT_ONCE, LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.engine.streams import NOISE, LaneStreams
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.limits import MOST_AT_CLIENTS, MOST_SAMPLED
from boundcheck.methods import METHODS

KEYS = [(2, 2, 1, 1, 1, replicate) for replicate in range(3)]


def first_gradients(problem, B):
    oracle = LaneOracle(problem, Setting.of(problem, K=1, T=1), seed=5, keys=KEYS, observers=[])
    return oracle.initial(np.tile(problem.start, (len(KEYS), 1, 1)), B)


@pytest.mark.parametrize("noise", ["signs", "phases"])
@pytest.mark.parametrize("B", [1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE - 7])
def test_parts_of_a_first_batch_are_its_mean(noise, B):
    """On the same words in one piece, whatever is left for the last part."""
    problem = load_problem("ridge-ratio", N=2, d=3, sigma=2.0, noise=noise)
    y = np.tile(problem.start, (len(KEYS), 2, 1))
    whole = problem.gradient(y, None, problem.sample(LaneStreams(5, NOISE, KEYS), None, B))
    assert first_gradients(problem, B) == pytest.approx(whole, rel=1e-12)
    assert first_gradients(problem, B) != pytest.approx(first_gradients(problem, B + 1), rel=1e-6)


def test_a_lane_is_the_same_in_every_block():
    """Bit by bit, alone and beside others, with a batch of several parts."""
    problem, method = (
        load_problem("ridge-ratio", N=3, sigma=1.0),
        METHODS["fedavg-m-vr"](eta=0.1, gamma=0.1, beta=0.5, B=1000),
    )
    runs = [
        simulate(problem, method, K=2, T=3, lanes=lanes, block=block) for lanes, block in ((6, 6), (6, 1), ([4], 1))
    ]
    assert np.array_equal(runs[0].final, runs[1].final)
    assert np.array_equal(runs[0].final[[4]], runs[2].final)


def peak(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_prescribed_batch_takes_the_memory_of_a_part():
    """It was 4.9 GB at sigma = 1e3, all samples of all replicates at once: at sigma = 100 B is 1125."""
    problem = load_problem("ridge-log", N=4, sigma=100.0)
    assert peak(lambda: check("momentum-fl.theorem15", problem, K=2, T=8)) < 60e6


def test_samples_of_a_step_are_in_memory_for_few_lanes_at_a_time():
    """4 clients x 16 coordinates x 20,000 samples are 10 MB a lane, and were 160 MB at 16 lanes, twice."""
    problem = load_problem("ridge-ratio", N=4, sigma=1.0)
    method = METHODS["fedavg"](eta=0.1)
    assert peak(lambda: simulate(problem, method, K=1, T=1, b=20_000, lanes=64)) < 450e6


@pytest.mark.parametrize("noise", ["signs", "phases", "finite-phases", "sparse", "spikes", "skewed", "common-phases"])
def test_the_largest_minibatch_fits(noise):
    """What is made on the way to a minibatch is six arrays of its size at most, of which the largest has 4e7 numbers.

    It was 1e8 numbers, which took up to 4.7 GB.
    """
    problem, b = load_problem("ridge-ratio", N=2, d=8, sigma=1.0, noise=noise), 40_000
    method = METHODS["fedavg"](eta=0.1)
    found = peak(lambda: simulate(problem, method, K=1, T=1, b=b, lanes=1))
    assert found < 6.5 * 8 * (2 * 8 * b)
    assert 6.5 * 8 * MOST_SAMPLED < 2.1e9
    with pytest.raises(NotApplicableError, match=r"more than 4e\+07"):
        simulate(problem, method, K=1, T=1, b=MOST_SAMPLED // 16 + 1)


@pytest.mark.parametrize("sigma", [1e4, 1e6])
def test_what_no_memory_holds_is_refused_with_its_size(sigma):
    problem = load_problem("ridge-log", N=4, sigma=sigma)
    found = check("momentum-fl.theorem15", problem, K=2, T=8)
    assert found.verdict == "not applicable"
    assert "samples at each of 4 clients" in found.reason
    method = METHODS["stem"](kappa=0.1, growth=0.0, w=1.0, c=1.0, B=10**8)
    with pytest.raises(NotApplicableError, match=r"a batch of 100000000 samples at each of 4 clients"):
        simulate(problem, method, K=1, T=1)


def test_lanes_of_several_numbers_of_clients_have_no_batch_of_parts():
    """There the parts would be others."""
    assert mixes(METHODS["fedavg-m-vr"](eta=0.1, gamma=0.1, beta=0.5, B=AT_ONCE)) == METHODS["fedavg-m-vr"].card.mixes
    assert not mixes(METHODS["fedavg-m-vr"](eta=0.1, gamma=0.1, beta=0.5, B=AT_ONCE + 1))


MOST_ARRAYS = 24
"""Arrays of the size of all clients' points that a run may keep."""


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("gradma", {"eta": 0.1, "gamma": 0.1, "beta": 0.1, "beta_mem": 0.1}),
        ("scaffold-m", {"eta": 0.1, "gamma": 0.1, "beta": 0.1}),
        ("fedavg", {"eta": 0.1}),
    ],
)
def test_the_largest_problem_fits(name, steps):
    """What methods keep beside the points, of which GradMA keeps most, is under 4 GB at the largest N d.

    It was 1e8 numbers, at which SCAFFOLD-M would take 7 GB.
    """
    problem, method = load_problem("ridge-ratio", N=10, d=20_000, sigma=1.0), METHODS[name](**steps)
    assert peak(lambda: simulate(problem, method, K=2, T=2, lanes=1)) < MOST_ARRAYS * 8 * 10 * 20_000
    assert MOST_ARRAYS * 8 * MOST_AT_CLIENTS < 4e9
    with pytest.raises(InputError, match="N d = 20000010 is not legal"):
        load_problem("ridge-ratio", N=10, d=2_000_001)
