"""Exact reductions of FMGDA and Local SGDA, and the left-hand side that FMGDA's theorem bounds."""

import numpy as np
import pytest
import straightline
from method_harness import Record, last
from method_problems import Saddle

from boundcheck.engine import simulate
from boundcheck.methods.minimax import FMGDA, LocalSGDA

FLAT = {"chat": 0.2, "c_dual": 0.4, "h": 1.0, "t_flat": 1000.0}
"""eta_t = 1000^(-1/3) = 1/10 as long as t <= 998."""


def split(path):
    return np.array([np.concatenate(pair) for pair in path])


@pytest.mark.parametrize("noise", ["signs", "phases"])
@pytest.mark.parametrize("K", [1, 2, 4])
def test_recursion_weight_one_is_local_sgda_with_the_batch_shifted(K, noise):
    """At c1 eta^2 = 1 FMGDA is Local SGDA with steps chat eta, c eta; the batch drawn at step t is used at t + 1."""
    problem = Saddle(N=3, sigma=0.7, kind=noise)
    record = Record(problem)
    found = last(problem, FMGDA(**FLAT, c1=100.0), K=K, rounds=4)
    for lane in range(2):
        shifted = record.samples(lane, K, 0)
        steps = {"eta_x": 0.02, "eta_y": 0.04}
        path, _ = straightline.local_sgda(problem.start[:3], problem.start[3:], shifted, N=3, K=K, R=4, **steps)
        np.testing.assert_allclose(found[:, lane], split(path), rtol=0, atol=1e-12)


def test_recursion_weight_one_is_the_packaged_local_sgda_without_noise():
    """Without noise the shift does not matter: FMGDA at weight 1 and Local SGDA have the same trajectory."""
    found = last(Saddle(N=3), FMGDA(**FLAT, c1=100.0), K=3, rounds=5)
    expected = last(Saddle(N=3), LocalSGDA(eta_x=0.02, eta_y=0.04), K=3, rounds=5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("K", [1, 2, 5])
def test_one_client_is_single_machine_storm(K):
    """With N = 1 FMGDA is STORM-GDA (arXiv 2008.08170) for every communication period."""
    problem = Saddle(N=1, sigma=0.7)
    record = Record(problem)
    found = last(problem, FMGDA(**FLAT, c1=30.0), K=K, rounds=3)
    g = record.samples(0, K, 1)
    batches = [g(t // K, t % K, 0) for t in range(3 * K)]
    rest = {"eta_x": 0.02, "eta_y": 0.04, "alpha": 0.3, "beta": 0.3}
    path = straightline.storm_gda(problem.start[:3], problem.start[3:], batches, g(0, -1, 0), **rest)
    np.testing.assert_allclose(found[:, 0], split(path)[::K], rtol=0, atol=1e-12)


def test_communicating_every_step_is_storm_on_the_averaged_gradient():
    """With K = 1 all clients agree and FMGDA is STORM-GDA on the mean of the clients' batches."""
    problem = Saddle(N=4, sigma=0.7)
    record = Record(problem)
    found = last(problem, FMGDA(**FLAT, c1=30.0), K=1, rounds=6)
    g = record.samples(0, 1, 1)

    def mean(r, k):
        return lambda *z: sum(np.concatenate(g(r, k, i)(*z)) for i in range(4)) / 4

    def blocks(at):
        return lambda *z: np.split(at(*z), [3])

    rest = {"eta_x": 0.02, "eta_y": 0.04, "alpha": 0.3, "beta": 0.3}
    batches = [blocks(mean(t, 0)) for t in range(6)]
    path = straightline.storm_gda(problem.start[:3], problem.start[3:], batches, blocks(mean(0, -1)), **rest)
    np.testing.assert_allclose(found[:, 0], split(path), rtol=0, atol=1e-12)


def test_synchronised_start_changes_the_first_round_only_through_the_dispersion():
    """Averaging u_1 leaves a run with K = 1 unchanged and changes one with K = 3."""
    runs = {
        (K, both): last(tilted(), FMGDA(**FLAT, c1=30.0, synchronised_start=both), K=K, rounds=3)
        for K in (1, 3)
        for both in (False, True)
    }
    np.testing.assert_allclose(runs[1, True], runs[1, False], rtol=0, atol=1e-13)
    assert np.abs(runs[3, True] - runs[3, False]).max() > 1e-5


def tilted():
    return Saddle(N=3, sigma=0.7, tilt=1.0)


@pytest.mark.parametrize("t_flat", [4.0, 1000.0])
def test_schedule_is_that_of_the_theorem(t_flat):
    """eta_t = h / (e_t + t)^(1/3) with e_t = max(3/2, flat - t): flat until t = flat - 3/2, decreasing after."""
    method = FMGDA(**{**FLAT, "t_flat": t_flat}, c1=1.0)
    for t in range(1, 12):
        assert method.step(np, t) == pytest.approx((max(1.5, t_flat - t) + t) ** (-1 / 3), rel=1e-14)


@pytest.mark.parametrize("synchronised", [False, True])
def test_weighted_left_hand_side_of_the_theorem(synchronised):
    """envelope_gradient_sum is sum_t (chat eta_t / 2) |grad Phi(mean_i th_(t-1,i))|^2 over all local steps."""
    problem = Saddle(N=3, sigma=0.7)
    record = Record(problem)
    numbers = {"chat": 0.2, "c_dual": 0.4, "c1": 0.9, "h": 1.1, "t_flat": 4.0}
    metrics = ("envelope_gradient_sum", "envelope_gradient", "server_gradient")
    method = FMGDA(**numbers, synchronised_start=synchronised)
    run = simulate(problem, method, K=3, T=4, lanes=2, block=2, metrics=metrics)

    def eta(t):
        return 1.1 / (max(1.5, 4.0 - t) + t) ** (1 / 3)

    for lane in range(2):
        _, seen = straightline.fmgda(
            problem.start[:3],
            problem.start[3:],
            record.samples(lane, 3, 1),
            N=3,
            K=3,
            R=4,
            chat=0.2,
            c=0.4,
            eta=eta,
            alpha=lambda t: 0.9 * eta(t) ** 2,
            beta=lambda t: 0.9 * eta(t) ** 2,
            synchronised=synchronised,
        )
        means = [problem.start[:3], *(th for th, _ in seen["steps"][:-1])]
        gradient = [2 * th / (1 + th**2) + problem.B.T @ (problem.B @ th) / problem.mu for th in means]
        squares = [float(v @ v) for v in gradient]
        total = sum(0.1 * eta(t) * s for t, s in enumerate(squares, start=1))
        assert run.average("envelope_gradient_sum")[lane] == pytest.approx(total, rel=1e-12)
        assert run.average("envelope_gradient")[lane] == pytest.approx(sum(squares) / 12, rel=1e-12)
