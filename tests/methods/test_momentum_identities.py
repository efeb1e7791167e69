"""Exact identities of FedAvg-M and SCAFFOLD-M (arXiv 2306.16504): I1 to I9 and the fixed points F1 and F3.

The identities follow from the pseudocode by algebra alone, so they hold on noisy runs to rounding.
"""

import numpy as np
import pytest
from method_harness import Record, drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.methods.fedavg import FedAvg, FedAvgM, MomentumState
from boundcheck.methods.scaffold import ScaffoldM

STEP = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}
SAMPLED = pytest.mark.parametrize("S", [5, 2])


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i1_i4_direction_is_the_average_of_fresh_gradients_and_momentum(S, K):
    """I1: g+ = beta mean_ik grad F + (1-beta) g, and I4: x - x+ = gamma g+, for FedAvg-M."""
    problem = ridge()
    record = Record(problem)
    for r, (before, after) in enumerate(drive(problem, FedAvgM(**STEP), K=K, rounds=4, S=S)):
        fresh = np.mean(record.values[r * K : (r + 1) * K], axis=0).mean(axis=1, keepdims=True)
        close(after.g, 0.3 * fresh + 0.7 * before.g)
        close(before.x - after.x, 0.4 * after.g)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i1_i2_i3_control_variates(S, K):
    """I1, I2, I3 for SCAFFOLD-M: the direction from the c_i, c = mean c_i, and c from the directions alone."""
    for before, after in drive(ridge(), ScaffoldM(**STEP, B=2), K=K, rounds=5, S=S):
        moved = (after.c_i - before.c_i).sum(axis=1, keepdims=True) / S
        close(after.g, 0.3 * (moved + before.c) + 0.7 * before.g)
        close(after.c, after.c_i.mean(axis=1, keepdims=True))
        close(after.c, (1 - S / 5) * before.c + (S / 5) * (after.g - 0.7 * before.g) / 0.3)
        assert ((after.c_i != before.c_i).any(axis=2).sum(axis=1) == S).all()


@SAMPLED
@pytest.mark.parametrize("scaffold", [False, True], ids=["fedavg-m", "scaffold-m"])
def test_i5_reparametrisation_gives_the_same_trajectory(S, scaffold):
    """I5: with g/beta, beta eta and beta gamma for g, eta and gamma the direction is grad F + (1-beta) g."""
    problem = ridge()
    record = Record(problem)
    found = last(problem, ScaffoldM(**STEP) if scaffold else FedAvgM(**STEP), K=3, rounds=4, S=S)
    g = record.samples(0, 3, int(scaffold))
    x, direction = problem.start, np.zeros(3)
    controls = [g(0, -1, i)(x) if scaffold else np.zeros(3) for i in range(5)]
    for r, chosen in enumerate(record.active(0, 3, 4, int(scaffold))):
        common = sum(controls) / 5
        ends, fresh = [], list(controls)
        for i in chosen:
            y, seen = x, []
            for k in range(3):
                seen.append(g(r, k, i)(y))
                y = y - 0.03 * (seen[-1] - controls[i] + common + 0.7 * direction)
            ends.append(y)
            fresh[i] = sum(seen) / 3 if scaffold else controls[i]
        direction = sum(x - y for y in ends) / (0.03 * S * 3)
        x, controls = x - 0.12 * direction, fresh
        close(found[r + 1, 0], x)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i6_without_momentum_fedavg_m_is_fedavg(S, K):
    """I6: at beta = 1 FedAvg-M with server step gamma is FedAvg with server step gamma / (eta K)."""
    with_beta = last(ridge(), FedAvgM(eta=0.1, gamma=0.4, beta=1.0), K=K, rounds=5, S=S)
    without = last(ridge(), FedAvg(eta=0.1, gamma=0.4 / (0.1 * K)), K=K, rounds=5, S=S)
    close(with_beta, without)


@SAMPLED
def test_i6_without_momentum_scaffold_m_is_scaffold(S):
    """I6: at beta = 1 SCAFFOLD-M is SCAFFOLD (arXiv 1910.06378) with option II, c_i+ = c_i - c + (x - y)/(K eta)."""
    problem, eta, K = ridge(), 0.1, 3
    record = Record(problem)
    found = last(problem, ScaffoldM(eta=eta, gamma=0.4, beta=1.0), K=K, rounds=4, S=S)
    g = record.samples(0, K, 1)
    x = problem.start
    controls = [g(0, -1, i)(x) for i in range(5)]
    common = sum(controls) / 5
    for r, chosen in enumerate(record.active(0, K, 4, 1)):
        moves, changes = [], []
        for i in chosen:
            y = x
            for k in range(K):
                y = y - eta * (g(r, k, i)(y) - controls[i] + common)
            fresh = controls[i] - common + (x - y) / (K * eta)
            moves.append(y - x)
            changes.append(fresh - controls[i])
            controls[i] = fresh
        x = x + 0.4 / (eta * K) * sum(moves) / S
        common = common + sum(changes) / 5
        close(found[r + 1, 0], x)


def test_i7_pure_momentum_never_changes_direction():
    """I7: at beta = 0 FedAvg-M keeps g for ever, whatever g is, and all clients stay together."""
    method = FedAvgM(eta=0.1, gamma=0.4, beta=0.0)
    g = np.array([[[0.3, -1.0, 2.0]]])
    for _, after in drive(ridge(), method, K=3, rounds=2, lanes=1):
        assert not after.g.any()

    class Synchronised(FedAvgM):
        def init(self, oracle, x0):
            return MomentumState(x0, g)

        def round(self, oracle, state):
            mean = oracle.mean

            def together(y):
                assert np.ptp(y, axis=1).max() == 0
                return mean(y)

            oracle.mean = together
            return super().round(oracle, state)

    for before, after in drive(ridge(), Synchronised(eta=0.1, gamma=0.4, beta=0.0), K=3, rounds=3, lanes=1):
        close(after.g, g)
        close(after.x, before.x - 0.4 * g)


@SAMPLED
def test_i8_one_local_step_is_minibatch_momentum_sgd(S):
    """I8: at K = 1 FedAvg-M is minibatch SGD with exponential-average momentum."""
    problem = ridge()
    record = Record(problem)
    found = last(problem, FedAvgM(**STEP), K=1, rounds=5, S=S)
    g = record.samples(1, 1, 0)
    x, m = problem.start, np.zeros(3)
    for r, chosen in enumerate(record.active(1, 1, 5, 0)):
        m = 0.7 * m + 0.3 * sum(g(r, 0, i)(x) for i in chosen) / S
        x = x - 0.4 * m
        close(found[r + 1, 1], x)


@pytest.mark.parametrize("method", [FedAvgM(eta=1e-7, gamma=0.4, beta=0.3), ScaffoldM(eta=1e-7, gamma=0.4, beta=0.3)])
def test_i9_vanishing_local_steps_give_the_large_minibatch_method(method):
    """I9: as eta -> 0 the direction is momentum over the mean of N K gradients at the server iterate."""
    problem = ridge()
    record = Record(problem)
    start = int(isinstance(method, ScaffoldM))
    found = last(problem, method, K=3, rounds=4)
    g = record.samples(0, 3, start)
    x, m = problem.start, np.zeros(3)
    for r in range(4):
        m = 0.7 * m + 0.3 * sum(g(r, k, i)(x) for k in range(3) for i in range(5)) / 15
        x = x - 0.4 * m
        close(found[r + 1, 0], x, atol=1e-6)


@pytest.mark.parametrize(("eta", "beta"), [(0.1, 0.2), (0.3, 0.5)])
def test_f1_fixed_points_of_momentum_are_those_of_a_smaller_local_step(eta, beta):
    """F1: FedAvg-M(eta, beta) and FedAvg(beta eta) end at the root of sum_i (1 - (1 - beta eta h_i)^K)(x - b_i)."""
    problem, K = Quadratics(N=4), 5
    pull = 1 - (1 - beta * eta * problem.h) ** K
    root = (pull * problem.b).sum(axis=0) / pull.sum(axis=0)
    assert np.abs(root - problem.minimiser).max() > 1e-3
    momentum = last(problem, FedAvgM(eta=eta, gamma=0.3, beta=beta), K=K, rounds=400, lanes=1)
    plain = last(problem, FedAvg(eta=beta * eta), K=K, rounds=400, lanes=1)
    close(momentum[-1, 0], root)
    close(plain[-1, 0], root)


def test_f3_control_variates_remove_the_floor():
    """F3: without noise SCAFFOLD-M reaches |grad f|^2 < 1e-25 on clients where FedAvg stalls, and x* is fixed."""
    problem = Quadratics(N=4)
    for S in (4, 2):
        end = last(problem, ScaffoldM(eta=0.1, gamma=0.3, beta=0.5), K=5, rounds=800, S=S, lanes=1)[-1]
        assert (problem.mean_gradient(end[None]) ** 2).sum() < 1e-25
    stalled = last(problem, FedAvg(eta=0.1), K=5, rounds=800, lanes=1)[-1]
    assert (problem.mean_gradient(stalled[None]) ** 2).sum() > 1e-4
    problem.start = problem.minimiser
    stays = last(problem, ScaffoldM(**STEP), K=5, rounds=20, lanes=1)
    close(stays, np.broadcast_to(problem.minimiser, stays.shape))


@SAMPLED
@pytest.mark.parametrize("noise", ["signs", "phases"])
def test_a_constant_tilt_does_not_move_scaffold_m(S, noise):
    """SCAFFOLD-M has the same trajectory at every zeta of a constant tilt, since c_i carries it exactly."""
    tilted = [last(ridge(zeta=z, noise=noise), ScaffoldM(**STEP), K=3, rounds=5, S=S) for z in (0.0, 0.8, 30.0)]
    close(tilted[1], tilted[0])
    close(tilted[2], tilted[0], atol=1e-11)
    plain = [last(ridge(zeta=z, noise=noise), FedAvgM(**STEP), K=3, rounds=5, S=S) for z in (0.0, 5.0)]
    assert np.abs(plain[1] - plain[0]).max() > 1e-3
