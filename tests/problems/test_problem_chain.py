"""The chain, the oracles that hide its next link, and the chain split over clients."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from problem_cases import Words, points
from turns import case_of, in_turn

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods.central import STORM
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.scaffold import ScaffoldM
from boundcheck.problems import load_problem
from boundcheck.problems.synthetic.chain import Chain
from boundcheck.problems.synthetic.chain_split import SplitChain


def ramp(t):
    """Return the cubic of the indicator, piece by piece."""
    if t <= 0.25:
        return 0.0
    return 1.0 if t >= 0.5 else 3 * (4 * t - 1) ** 2 - 2 * (4 * t - 1) ** 3


def indicator(x, i):
    """Return Theta_i of the smoothed oracle, from its definition."""
    return ramp(1 - np.sqrt(sum(ramp(abs(v)) ** 2 for v in x[i:])))


def outcomes(problem, x):
    """Return sample gradients at many points, factor `odds` and factor 0, shape (n, 2, d)."""
    g, hidden = problem.exact_gradient(x[:, None])[:, 0], problem.noise.hidden(x)
    return np.stack([g * (1 + hidden * (problem.noise.odds - 1)), g * (1 - hidden)], axis=1)


def test_the_smoothed_indicator_is_its_definition():
    """Theta agrees with its definition at random points; it is 1 before anything is large and 0 up to the last 1/2."""
    problem = Chain(N=1, d=5, noise="smooth-zero-chain", scale=2.0)
    x = np.random.default_rng(0).uniform(-0.6, 0.6, (200, 5))
    expected = [[indicator(row, i) for i in range(5)] for row in x]
    np.testing.assert_allclose(problem.noise.hidden(2 * x), expected, atol=1e-12)
    assert np.mean((np.array(expected) > 0) & (np.array(expected) < 1)) > 0.1
    np.testing.assert_array_equal(problem.noise.hidden(np.full((1, 5), 0.5)), 1.0)
    assert problem.noise.hidden(np.array([[9.0, 0.0, 1.0, 0.0, 0.0]])).tolist() == [[0, 0, 0, 1, 1]]


@pytest.mark.parametrize("noise", ["zero-chain", "smooth-zero-chain"])
def test_a_sample_with_factor_zero_shows_nothing_new(noise):
    """Where only the first k coordinates are beyond 1/4, it has none beyond them: a probabilistic zero-chain."""
    problem = Chain(N=1, d=6, odds=3, noise=noise)
    rng = np.random.default_rng(1)
    for known in range(6):
        x = np.concatenate([rng.uniform(-2, 2, (50, known)), rng.uniform(-0.25, 0.25, (50, 6 - known))], axis=1)
        shown, hidden = outcomes(problem, x)[:, 0], outcomes(problem, x)[:, 1]
        assert not hidden[:, known:].any()
        assert not shown[:, known + 1 :].any()


def test_enumerated_outcomes_have_the_mean_and_variance_of_the_oracle():
    """The outcomes average to grad f; their variance is (odds - 1) |Theta grad f|^2."""
    problem = Chain(N=1, d=5, odds=6, noise="smooth-zero-chain")
    for x in 0.5 * points(20, 1, 5)[:, 0]:
        shown, g = problem.outcomes(x, 0), problem.mean_gradient(x[None, None])[0, 0]
        assert len(shown) == 6
        np.testing.assert_allclose(shown.mean(axis=0), g, atol=1e-12)
        hidden = [indicator(x, i) for i in range(5)] * g
        assert shown.var(axis=0).sum() == pytest.approx(5 * (hidden**2).sum(), abs=1e-12)


@pytest.mark.parametrize(("d", "odds"), in_turn((2, 4, 7), 2, 5, 30))
def test_no_point_is_steeper_in_mean_square_than_claimed(odds, d):
    """The Jacobians of both outcomes at 20000 points near the kinks stay below L_rms and L_sample, and come near."""
    problem = Chain(N=1, d=d, odds=odds, noise="smooth-zero-chain")
    rng = np.random.default_rng(2)
    shape = (20_000, d)
    steep, far = rng.uniform(0.25, 0.5, shape), rng.choice([0.0, 0.6, 0.8, 1.0, 1e3], shape)
    x = np.where(rng.random(shape) < 0.5, steep, far)
    step = 1e-5
    ahead, behind = (np.stack([outcomes(problem, x + s * e) for e in np.eye(d)], -1) for s in (step, -step))
    J = (ahead - behind) / (2 * step)
    square = np.einsum("o,norc,nore->nce", [1 / odds, 1 - 1 / odds], J, J, optimize=True)
    mean_square = np.sqrt(np.linalg.eigvalsh(square)[:, -1].max())
    assert 0.85 * problem.constant("L_rms") <= mean_square <= problem.constant("L_rms")
    assert np.linalg.norm(J[:, 0], 2, axis=(1, 2)).max() <= problem.constant("L_sample")


def test_the_constants_scale_as_the_lower_bound_needs():
    """L_rms is below 162 sqrt(odds) where the paper has 328, sigma below its 23; L_sample grows as odds."""
    for odds in (2, 10, 100, 1000):
        problem = Chain(N=1, d=8, odds=odds, noise="smooth-zero-chain")
        assert 0.7 * 162 * np.sqrt(odds) <= problem.constant("L_rms") <= 162 * np.sqrt(odds)
        assert problem.constant("L_rms") < 328 * np.sqrt(odds)
        assert problem.constant("sigma") <= 23 * np.sqrt(odds - 1)
        assert problem.constant("L_sample") >= 150 * (odds - 1)


@pytest.mark.parametrize("noise", ["zero-chain", "smooth-zero-chain"])
def test_sigma_is_a_dial(noise):
    """The scale follows from sigma: the variance at the steepest hidden link is sigma^2 by enumeration."""
    problem = Chain(N=2, d=4, L=7.0, odds=5, noise=noise, sigma=0.3)
    assert problem.constant("sigma") == pytest.approx(0.3)
    at = np.array([1e4, 0.0, 0.0, 0.0])
    assert problem.outcomes(at, 1).var(axis=0).sum() == pytest.approx(0.09)


def test_storm_needs_odds_samples_for_every_link():
    """A sample shows STORM at most one new coordinate, and six links take 6 * 4 samples on average, or more."""
    problem = load_problem("chain-mean-square[d=6,sigma=0,scale=1,odds=4]", N=1)
    lanes = 200
    oracle = LaneOracle(problem, Setting.of(problem, K=1, T=1), seed=0, keys=[(k,) for k in range(lanes)], observers=[])
    method = STORM(eta=0.4, a=0.3)
    state = method.init(oracle, np.zeros((lanes, 1, 6)))
    found, needed = np.zeros(lanes), np.zeros(lanes)
    for t in range(1, 150):
        oracle.begin_round(state.x)
        state = method.round(oracle, state)
        moved = np.maximum(found, (state.x[:, 0] != 0).sum(axis=1))
        assert (moved <= found + 1).all()
        needed[(moved == 6) & (found < 6)] = t
        found = moved
    assert (found == 6).all()
    assert needed.mean() >= 24 - 4 * np.sqrt(6 * 12 / lanes)


def test_the_split_chain_averages_to_the_chain():
    """Client values, integrated along a line from their gradients, add up to the chain of the same height."""
    problem = SplitChain(N=3, d=7, block=2, L=5.0, scale=1.5)
    chain = Chain(N=1, d=7, L=5.0 / 3, scale=1.5, noise="none")
    x = 2 * points(5, 1, 7)
    np.testing.assert_allclose(problem.value(x), chain.value(x), rtol=1e-12)
    np.testing.assert_allclose(problem.mean_gradient(x), chain.mean_gradient(x), rtol=1e-12)
    clients = problem.exact_gradient(np.broadcast_to(x, (5, 3, 7)))
    np.testing.assert_allclose(clients.mean(axis=1, keepdims=True), chain.mean_gradient(x), atol=1e-13)


def test_a_client_sees_its_own_links_only():
    """With block = 2 and three clients, x_j moves client i only if link j or j + 1 is one of i's."""
    problem = SplitChain(N=3, d=8, block=2)
    assert problem.owner.tolist() == [0, 0, 1, 1, 2, 2, 0, 0]
    x = np.broadcast_to(np.full(8, 0.8), (1, 3, 8))
    seen = problem.exact_gradient(x)[0] != 0
    for i, j in itertools.product(range(3), range(8)):
        assert seen[i, j] == (problem.owner[j] == i or (j < 7 and problem.owner[j + 1] == i))


@pytest.mark.parametrize("block", [1, 3])
@pytest.mark.parametrize(
    ("method", "before"), [(FedAvg(eta=0.2, gamma=4.0), 0), (ScaffoldM(eta=0.2, gamma=12.0, beta=0.9), 1)]
)
def test_a_round_of_many_local_steps_finds_one_block(block, method, before):
    """After t exchanges, that of initial gradients among them, no coordinate beyond t blocks has moved; some have."""
    problem = SplitChain(N=4, d=9, block=block)
    oracle = LaneOracle(problem, Setting.of(problem, K=20, T=1), seed=0, keys=[(0,)], observers=[])
    x = np.zeros((1, 1, 9))
    state = method.init(oracle, x)
    for t in range(1 + before, 5 + before):
        oracle.begin_round(state.x)
        state = method.round(oracle, state)
        assert not state.x[0, 0, t * block :].any()
        if t * block < 9:
            assert np.linalg.norm(problem.mean_gradient(state.x)) >= problem.height / problem.scale
    assert np.count_nonzero(state.x) > block


@pytest.mark.parametrize(
    ("N", "d", "block"), [case_of((2, 4, 1), slow=True), (3, 4, 2), case_of((5, 3, 1), slow=True), (2, 3, 3)]
)
def test_zeta_of_the_split_chain_by_random_search(N, d, block):
    """No random point near the steep parts has a larger variance than zeta^2; the point given attains it."""
    problem = SplitChain(N=N, d=d, block=block, L=3.0, scale=2.0)
    rng = np.random.default_rng(3)
    x = 2 * np.concatenate([rng.uniform(-2, 2, (100_000, d)), rng.uniform(0.6, 1.3, (50_000, d))])

    def spread(x):
        return problem.exact_gradient(np.broadcast_to(x[:, None], (len(x), N, d))).var(axis=1).sum(axis=1)

    zeta = problem.constants["zeta"]
    assert spread(x).max() <= zeta.value**2
    assert spread(x).max() >= 0.9 * zeta.value**2
    assert spread(zeta.at[None])[0] == pytest.approx(zeta.value**2)


def test_hidden_links_of_a_split_chain_are_those_of_its_owner():
    """At 0 the first client alone has noise, and a sample of it is odds times its gradient or nothing."""
    problem = SplitChain(N=3, d=5, noise="smooth-zero-chain", odds=4)
    shown = [problem.outcomes(np.zeros(5), i) for i in range(3)]
    assert np.count_nonzero(shown[0]) == 1
    assert not np.any(shown[1:])
    assert problem.noise.add(np.ones((1, 3, 5)), np.zeros((1, 3, 5)), problem.sample(Words(range(1)))).shape == (
        1,
        3,
        5,
    )
