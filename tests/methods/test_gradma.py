"""GradMA: closed forms and reductions of the worker's and the server's projection, eviction, and the known stall."""

import numpy as np
import pytest
import straightline_memory
from method_harness import Record, drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.gradma import GradMA, GradMAS, GradMAW
from boundcheck.methods.server_momentum import FedAvgServerM

BOTH = {"eta": 1.0, "gamma": 0.8, "beta": 0.6, "beta_mem": 0.5}


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 4, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def close(found, expected, atol=1e-11):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def displacement(problem, method, K, lanes=1):
    """Return x - x+ of the first round with server step 1, one client (d,)."""
    before, after = next(drive(problem, method, K=K, rounds=1, lanes=lanes))
    return (before.x - after.x)[0, 0]


@pytest.mark.parametrize("S", [1, 3, 5])
def test_projections_act(S):
    """With the steps of the tables both projections change the path, of the server and of the workers."""
    setting = {"K": 3, "rounds": 4, "S": S}
    plain = last(ridge(), FedAvgServerM(eta=1.0, beta=0.6, gamma=0.8), **setting)
    on_server, both = (last(ridge(), method(**BOTH), **setting) for method in (GradMAS, GradMA))
    on_worker = last(ridge(), GradMAW(eta=1.0), **setting)
    for found, expected in (
        (on_server, plain),
        (both, on_server),
        (on_worker, last(ridge(), FedAvg(eta=1.0), **setting)),
    ):
        assert np.abs(found - expected).max(axis=(0, 2)).min() > 1e-2


@pytest.mark.parametrize("K", [1, 3])
def test_one_client_without_memory_is_fedavg(K):
    """S = 1, beta = beta_mem = 0: the only row that is not zero is the step itself, so GradMA-S is FedAvg."""
    method = GradMAS(eta=0.1, gamma=0.7, beta=0.0, beta_mem=0.0)
    close(last(ridge(), method, K=K, rounds=6, S=1), last(ridge(), FedAvg(eta=0.1, gamma=0.7), K=K, rounds=6, S=1))


@pytest.mark.parametrize("S", [2, 5])
def test_clients_that_agree_leave_the_server_projection_inactive(S):
    """Without heterogeneity and noise all rows point along the momentum: GradMA-S is FedAvg with server momentum."""
    alike = {"zeta": 0.0, "sigma": 0.0}
    method = GradMAS(eta=0.05, gamma=0.8, beta=0.6, beta_mem=0.5)
    expected = last(ridge(**alike), FedAvgServerM(eta=0.05, gamma=0.8, beta=0.6), K=2, rounds=4, S=S)
    close(last(ridge(**alike), method, K=2, rounds=4, S=S), expected)


def test_one_local_step_from_the_current_point_is_not_projected():
    """With K = 1 and previous='current' the rows are the gradient itself and zero: GradMA-W is FedAvg."""
    method = GradMAW(eta=0.1, gamma=0.7, previous="current")
    close(last(ridge(), method, K=1, rounds=5, S=3), last(ridge(), FedAvg(eta=0.1, gamma=0.7), K=1, rounds=5, S=3))


def test_gradma_without_server_memory_is_gradma_w():
    """S = 1, beta = beta_mem = 0: the server's projection is void."""
    method = GradMA(eta=0.1, gamma=0.7, beta=0.0, beta_mem=0.0)
    close(last(ridge(), method, K=3, rounds=6, S=1), last(ridge(), GradMAW(eta=0.1, gamma=0.7), K=3, rounds=6, S=1))


def test_gradma_without_worker_projection_is_gradma_s():
    """K = 1 and previous='current': the workers' projections are void."""
    found = last(ridge(), GradMA(**BOTH, previous="current"), K=1, rounds=6, S=3)
    close(found, last(ridge(), GradMAS(**BOTH), K=1, rounds=6, S=3))


def test_readings_of_the_first_round_agree():
    """At t = 0 everyone's last local model is x0 = x: the readings differ only later."""
    readings = [{}, {"unseen": "current"}, {"previous": "current"}]
    paths = [last(ridge(d=2), GradMAW(eta=2.0, **reading), K=3, rounds=6, S=1, lanes=16) for reading in readings]
    for path in paths[1:]:
        np.testing.assert_array_equal(path[1], paths[0][1])
        assert np.abs(path[-1] - paths[0][-1]).max() > 1e-4


def test_first_local_step_has_the_closed_form():
    """W0: g~_0 = g_0 - min(0, <g_0, r>) / |r|^2 r with r the gradient at the stored model, on the same minibatch."""
    problem = ridge()
    record = Record(problem)
    removed = 0
    for before, after in drive(problem, GradMAW(eta=2.0), K=1, rounds=12, lanes=4):
        r, _, g = record.values[-3:]
        inner = np.minimum(0.0, (g * r).sum(axis=2, keepdims=True))
        step = g - inner / (r * r).sum(axis=2, keepdims=True) * r
        removed += (inner < 0).sum()
        close(before.x - after.x, 2.0 * step.mean(axis=1, keepdims=True))
    assert removed > 0


@pytest.mark.parametrize("K", [2, 3, 5, 8])
@pytest.mark.parametrize("eta", [0.02, 0.002])
def test_local_freeze(K, eta):
    """W2: with exact gradients a round of K local steps is one gradient step up to O(eta^2)."""
    problem = Quadratics(N=1, d=4)
    g0 = problem.client(0, problem.start)
    moved = displacement(problem, GradMAW(eta=eta, previous="current"), K)
    h = eta * problem.h.max()
    bound = eta * np.linalg.norm(g0) * h * ((2 + h) ** (K - 1) - 1) / (1 + h)
    assert np.linalg.norm(moved - eta * g0) <= bound
    assert np.linalg.norm(displacement(problem, FedAvg(eta=eta), K) - eta * g0) > 0.5 * (K - 1) * np.linalg.norm(
        eta * g0
    )


@pytest.mark.parametrize("method", [GradMAS, GradMA])
@pytest.mark.parametrize(("beta", "beta_mem"), [(0.0, 0.0), (0.9, 0.5)])
def test_opposite_clients_stall_where_fedavg_goes_on(method, beta, beta_mem):
    """f_1 = |x|^2/2 - x_1, f_2 = |x|^2/2 + 2 x_1: the rows leave v_1 = 0 alone, and x stays at 0, |grad f| = 1/2."""
    problem = Quadratics(N=2, d=2)
    problem.h, problem.b, problem.start = np.ones((2, 2)), np.array([[1.0, 0.0], [-2.0, 0.0]]), np.zeros(2)
    numbers = {"eta": 0.5, "beta": beta}
    stalled = last(problem, method(**numbers, beta_mem=beta_mem), K=2, rounds=30)
    close(stalled, 0.0, atol=1e-12)
    free = last(problem, FedAvgServerM(eta=0.1, beta=min(beta, 0.5)), K=1, rounds=300)
    close(free[-1], [[-0.5, 0.0]] * 2, atol=1e-6)


@pytest.mark.parametrize("method", [GradMAS(**BOTH, memory=4), GradMA(**BOTH, memory=4)])
def test_no_remembered_client_is_climbed_to_first_order(method):
    """S2, S3: <D_c, m> >= 0 for every row after the projection, and the momentum does not grow by it."""
    for before, after in drive(ridge(N=7), method, K=2, rounds=15, S=3, lanes=4):
        lengths = np.linalg.norm(after.D, axis=2) * np.linalg.norm(after.m, axis=2)
        assert ((after.D * after.m).sum(axis=2) >= -1e-12 * (1 + lengths)).all()
        rows = np.where(before.uses > 0, 0.5 * before.D, 0.0)
        fresh = np.where(after.uses > before.uses, after.D - rows, 0.0)
        unprojected = 0.6 * before.m + fresh.sum(axis=1, keepdims=True) / 3
        assert (np.linalg.norm(after.m, axis=2) <= np.linalg.norm(unprojected, axis=2) * (1 + 1e-12)).all()


@pytest.mark.parametrize(("S", "memory"), [(1, 1), (1, 3), (2, 3), (3, 3), (3, 5), (2, None)])
def test_memory_of_limited_size_is_that_of_the_pseudocode(S, memory):
    """Rows, counters and evictions are those of the straight-line reference, and so are the iterates."""
    problem = ridge(N=7)
    record = Record(problem)
    method = GradMAS(**BOTH, memory=memory)
    pairs = list(drive(problem, method, K=2, rounds=20, S=S, lanes=3))
    evictions = 0
    for lane in range(3):
        g, active = record.samples(lane, 2), record.active(lane, 2, 20)
        numbers = {"N": 7, "K": 2, "on_worker": False, "memory": memory, **BOTH}
        path, log = straightline_memory.gradma(problem.start, g, active=active, **numbers)
        for r, (before, after) in enumerate(pairs):
            close(after.x[lane, 0], path[r + 1], atol=1e-9)
            uses = after.uses[lane, :, 0]
            np.testing.assert_array_equal(uses, log[r]["counts"])
            assert set(np.flatnonzero(uses)) == set(log[r]["held"]) >= set(active[r])
            assert (uses > 0).sum() <= (memory or 7)
            assert not after.D[lane, uses == 0].any()
            evictions += ((before.uses > 0) & (after.uses == 0))[lane].sum()
    assert (evictions > 0) == (memory is not None)


@pytest.mark.parametrize("method", [GradMAS, GradMA])
def test_lanes_with_evictions_do_not_see_each_other(method):
    """A lane is bit-identical alone and in company, also when memories are full."""
    setting = {"K": 2, "T": 12, "S": 2}
    everyone = simulate(ridge(N=7), method(**BOTH, memory=3), lanes=5, **setting).final
    for chosen in ([3], [4, 1]):
        alone = simulate(ridge(N=7), method(**BOTH, memory=3), lanes=chosen, **setting).final
        np.testing.assert_array_equal(alone, everyone[chosen])


def test_a_diverging_lane_leaves_the_others_alone():
    """A step that blows one lane up changes no bit of its neighbours."""
    eta = np.array([0.1, 1e200, 0.1])
    setting = {"K": 2, "T": 30, "S": 2, "lanes": [0, 1, 2]}
    mixed = simulate(ridge(), GradMA(eta=eta, beta=0.6, beta_mem=0.5), **setting).final
    calm = simulate(ridge(), GradMA(eta=0.1, beta=0.6, beta_mem=0.5), **setting).final
    np.testing.assert_array_equal(mixed[[0, 2]], calm[[0, 2]])
    assert not np.isfinite(mixed[1]).all() or np.abs(mixed[1]).max() > 1e100


def test_illegal_choices_are_refused():
    """Messages name the choice, its value and what is legal."""
    with pytest.raises(InputError, match=r"gradma-w: previous = 'old'.*stored or current"):
        GradMAW(eta=0.1, previous="old")
    with pytest.raises(InputError, match=r"gradma: unseen = 'x'.*start or current"):
        GradMA(**BOTH, unseen="x")
    with pytest.raises(InputError, match=r"gradma-s: memory = 2.*at least S = 3 rows"):
        simulate(ridge(), GradMAS(**BOTH, memory=2), K=1, T=1, S=3)
