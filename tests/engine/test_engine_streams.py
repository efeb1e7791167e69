"""Random words: the key of a lane decides its numbers, and nothing else does."""

import numpy as np
import pytest
from engine_probes import Bowls
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from boundcheck.engine import simulate
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.engine.streams import NOISE, PARTICIPATION, LaneStreams
from boundcheck.methods.fedavg import FedAvg, FedAvgM
from boundcheck.methods.scaffold import ScaffoldM

KEYS = [(4, 2, 3, 9, 1, 0), (4, 2, 3, 9, 1, 1), (4, 2, 3, 5, 1, 0)]


def direct(role, key, words, seed=11):
    """Return the words that numpy's generator gives for a key."""
    return np.random.PCG64DXSM(np.random.SeedSequence(seed, spawn_key=(role, *key))).random_raw(words)


@settings(deadline=None, max_examples=30)
@given(chunks=st.lists(st.integers(0, 1500), min_size=1, max_size=8))
def test_chunking_does_not_change_the_numbers(chunks):
    """However many words are asked for at a time, a lane gets the words of its own numpy generator in order."""
    streams = LaneStreams(11, NOISE, KEYS)
    parts = [streams.raw(words) for words in chunks]
    assert [part.shape for part in parts] == [(3, words) for words in chunks]
    for lane, key in enumerate(KEYS):
        np.testing.assert_array_equal(np.concatenate([p[lane] for p in parts]), direct(NOISE, key, sum(chunks)))


@settings(deadline=None, max_examples=20)
@given(mask=st.lists(st.booleans(), min_size=3, max_size=3).filter(any), words=st.integers(0, 1100))
def test_survivors_go_on_where_they_were(mask, words):
    """After some lanes drop out the others continue their own sequences."""
    streams = LaneStreams(11, NOISE, KEYS)
    streams.raw(words)
    streams.keep(np.array(mask))
    after = streams.raw(words)
    assert streams.lanes == sum(mask)
    for row, key in zip(after, [k for k, stays in zip(KEYS, mask, strict=True) if stays], strict=True):
        np.testing.assert_array_equal(row, direct(NOISE, key, 2 * words)[words:])


def test_roles_seeds_and_keys_give_unrelated_words():
    """Different roles, seeds or keys share no word, and their bits agree half of the time."""
    streams = [direct(role, key, 4000, seed) for role in (0, 1) for key in KEYS for seed in (0, 1)]
    roles = [LaneStreams(s, r, [k]).raw(4000)[0] for r in (NOISE, PARTICIPATION) for k in KEYS for s in (0, 1)]
    low, high = stats.binom.interval(1 - 1e-6, 64 * 4000, 0.5)
    for a, (mine, numpys) in enumerate(zip(roles, streams, strict=True)):
        np.testing.assert_array_equal(mine, numpys)
        for other in roles[:a]:
            assert not np.isin(mine, other).any()
            assert low <= np.bitwise_count(mine ^ other).sum() <= high


class Tapped(Bowls):
    """Keeps the minibatches and the active clients."""

    def __init__(self, **setting):
        super().__init__(**setting)
        self.drawn, self.clients = [], []

    def sample(self, stream, clients=None, b=1):
        """Record and pass on."""
        token = super().sample(stream, clients, b)
        self.drawn.append(token)
        self.clients.append(clients)
        return token


def tapped(method, *, S=2, sigma=0.5, K=2, T=20, b=1, lanes=2, seed=0):
    problem = Tapped(N=4, d=40, sigma=sigma)
    simulate(problem, method, K=K, T=T, S=S, b=b, lanes=lanes, block=16, seed=seed)
    return problem


def test_methods_are_paired():
    """Common random numbers: two methods at one setting see the same minibatches and active clients."""
    one = tapped(FedAvg(eta=0.1))
    two = tapped(FedAvgM(eta=0.2, gamma=0.3, beta=0.5))
    for name in ("drawn", "clients"):
        for a, b in zip(getattr(one, name), getattr(two, name), strict=True):
            np.testing.assert_array_equal(a, b)
    first = tapped(ScaffoldM(eta=0.1, gamma=0.1, beta=0.5))
    np.testing.assert_array_equal(first.clients[1], one.clients[0])


def test_a_run_uses_the_documented_keys():
    """Active sets and signs of a run are rebuilt from numpy with the spawn key (role, N, S, K, T, b, replicate)."""
    K, T, seed = 2, 20, 7
    problem = tapped(FedAvg(eta=0.1), lanes=[0, 5], seed=seed)
    for lane, replicate in enumerate((0, 5)):
        key = (4, 2, K, T, 1, replicate)
        ranks = np.argsort(direct(1, key, 4 * T, seed).reshape(T, 4), axis=1)
        signs = np.unpackbits(direct(0, key, 2 * K * T, seed).astype("<u8").view(np.uint8)).reshape(K * T, 128)
        for step in range(K * T):
            np.testing.assert_array_equal(problem.clients[step][lane], np.sort(ranks[step // K, :2]))
            np.testing.assert_array_equal(problem.drawn[step][lane].ravel() > 0, signs[step, :80] == 1)


@pytest.mark.parametrize("change", [{"S": 3}, {"K": 3}, {"T": 4}, {"b": 2}, {"seed": 1}, {"lanes": [2, 3]}])
def test_every_part_of_the_key_matters(change):
    """Another S, K, T, b, seed or replicate number gives other minibatches."""
    one, two = tapped(FedAvg(eta=0.1)), tapped(FedAvg(eta=0.1), **change)
    for lane in range(2):
        assert not np.array_equal(one.drawn[0][lane, :2], two.drawn[0][lane, :2])
    assert not np.array_equal([c[0, 0] for c in one.clients[:20]], [c[0, 0] for c in two.clients[:20]])


def test_participation_does_not_depend_on_the_noise():
    """The active clients are the same with and without gradient noise."""
    quiet, noisy = tapped(FedAvg(eta=0.1), sigma=0.0), tapped(FedAvg(eta=0.1), sigma=2.0)
    for a, b in zip(quiet.clients, noisy.clients, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(("N", "S"), [(5, 2), (5, 4), (3, 1)])
def test_participation_is_uniform_without_replacement(N, S):
    """Every round has S distinct clients in order; clients and whole subsets have binomial frequencies (1e-6)."""
    lanes, rounds = 40, 200
    keys = [(N, S, 1, rounds, 1, lane) for lane in range(lanes)]
    problem = Bowls(N=N)
    oracle = LaneOracle(problem, Setting.of(problem, S=S, K=1, T=1), seed=2, keys=keys, observers=[])
    identity = np.broadcast_to(np.arange(N)[None, :, None], (lanes, N, 1))
    sets = []
    for _ in range(rounds):
        oracle.begin_round(np.zeros((lanes, 1, 2)))
        sets.append(oracle.active(identity)[:, :, 0])
    chosen = np.concatenate(sets)
    assert chosen.shape == (lanes * rounds, S)
    assert (np.diff(chosen, axis=1) > 0).all()
    low, high = stats.binom.interval(1 - 1e-6, len(chosen), S / N)
    assert all(low <= (chosen == i).sum() <= high for i in range(N))
    subsets, counts = np.unique(chosen, axis=0, return_counts=True)
    expected = round(1 / stats.hypergeom(N, S, S).pmf(S))
    assert len(subsets) == expected
    low, high = stats.binom.interval(1 - 1e-6, len(chosen), 1 / expected)
    assert low <= counts.min() <= counts.max() <= high


@pytest.mark.parametrize(("N", "S"), [(3, 1), (7, 6), (300, 20), (1000, 999)])
def test_active_clients_hold_the_smallest_words(N, S):
    """The active clients are those of the S smallest words of the lane's own stream, in order of their numbers."""
    keys = [(N, S, 1, 3, 1, lane) for lane in range(4)]
    oracle = LaneOracle(Bowls(N=N), Setting(N=N, S=S, K=1, T=1), seed=2, keys=keys, observers=[])
    words = LaneStreams(2, PARTICIPATION, keys)
    identity = np.broadcast_to(np.arange(N)[None, :, None], (len(keys), N, 1))
    for _ in range(3):
        oracle.begin_round(np.zeros((len(keys), 1, 2)))
        drawn = words.raw(N).tolist()
        expected = [sorted(sorted(range(N), key=lane.__getitem__)[:S]) for lane in drawn]
        assert oracle.active(identity)[:, :, 0].tolist() == expected


def test_memory_rows_go_back_where_they_came_from():
    """`remember` writes exactly the rows that `active` reads, in a new array."""
    keys = [(5, 2, 1, 9, 1, lane) for lane in range(3)]
    oracle = LaneOracle(Bowls(N=5), Setting(N=5, S=2, K=1, T=1), seed=2, keys=keys, observers=[])
    oracle.begin_round(np.zeros((3, 1, 2)))
    memory = np.arange(30.0).reshape(3, 5, 2)
    before, rows = memory.copy(), oracle.active(memory)
    after = oracle.remember(memory, rows + 100.0)
    np.testing.assert_array_equal(memory, before)
    np.testing.assert_array_equal(oracle.active(after), rows + 100.0)
    assert ((after - before == 100.0).all(axis=2).sum(axis=1) == 2).all()
    assert ((after == before).all(axis=2).sum(axis=1) == 3).all()
