"""Exact relations of the minimax baselines with each other, with FMGDA and with SCAFFOLD, and their fixed points."""

import numpy as np
import pytest
import straightline
from method_harness import Record, drive, last
from method_problems import PlainRidge, Saddle

from boundcheck.errors import InputError
from boundcheck.methods.coda import CODA, CODASCA
from boundcheck.methods.minimax import FMGDA, LocalSGDA
from boundcheck.methods.minimax_baselines import SGDA, MomentumLocalSGDA, StormGDA

STEPS = {"eta_x": 0.1, "eta_y": 0.2}
STAGES = {**STEPS, "lam": 0.7, "rounds": 2, "growth": 2, "decay": 1.5}
RECURSION = {"c1": 0.9, "h": 1.1}


def saddle(N=3, **changed):
    return Saddle(N=N, **{"sigma": 0.7, "tilt": 1.0, **changed})


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


class Bilinear(Saddle):
    """F(x, y) = x'y in two and two coordinates."""

    blocks = (2, 2)

    def __init__(self):
        super().__init__(N=1)
        self.d, self.start = 4, np.array([1.0, -0.5, 0.3, 0.8])

    def exact_gradient(self, x, clients=None):
        """Return (y, x)."""
        return np.concatenate([x[..., 2:], x[..., :2]], axis=-1)


def test_momentum_means_follow_the_recursion_of_one_machine():
    """The means of points and directions follow the one-machine recursion on the mean gradients, at every sync."""
    problem = saddle()
    record = Record(problem)
    numbers = {"eta_x": 0.2, "eta_y": 0.4, "alpha": 0.6, "bx": 1.1, "by": 0.8}
    signed, weight = 0.6 * np.array([0.2] * 3 + [-0.4] * 2), 0.6 * np.array([1.1] * 3 + [0.8] * 2)
    pairs = list(drive(problem, MomentumLocalSGDA(**numbers), K=3, rounds=4))
    z, u = problem.start, record.values[0].mean(axis=1)
    gradients = iter(v.mean(axis=1) for v in record.values[1:] if v.shape[1] == 3)
    for _, after in pairs:
        for _ in range(3):
            z = z - signed * u
            u = (1 - weight) * u + weight * next(gradients)
        close(after.x[:, 0], z)
        close(after.u.mean(axis=1), u)


@pytest.mark.parametrize("K", [1, 3])
def test_momentum_of_weight_one_and_one_client_is_local_sgda_with_the_batch_shifted(K):
    """With b alpha = 1 and N = 1 it is Local SGDA with steps alpha eta, each minibatch used a step later."""
    problem = saddle(1)
    record = Record(problem)
    method = MomentumLocalSGDA(eta_x=0.2, eta_y=0.4, alpha=0.5, bx=2.0, by=2.0)
    found = last(problem, method, K=K, rounds=4)
    for lane in range(2):
        g = record.samples(lane, K, 0)
        path, _ = straightline.local_sgda(problem.start[:3], problem.start[3:], g, N=1, K=K, R=4, **STEPS)
        close(found[:, lane], [np.concatenate(pair) for pair in path])


@pytest.mark.parametrize("K", [1, 3])
def test_momentum_of_weight_one_is_not_local_sgda_for_several_clients(K):
    """After a sync the direction is the mean of gradients at the points before averaging."""
    method = MomentumLocalSGDA(eta_x=0.2, eta_y=0.4, alpha=0.5, bx=2.0, by=2.0)
    found = last(saddle(sigma=0.0), method, K=K, rounds=4)
    other = last(saddle(sigma=0.0), LocalSGDA(**STEPS), K=K, rounds=4)
    close(found[1], other[1])
    assert np.abs(found[2] - other[2]).max() > 1e-4


def test_coda_without_centre_and_in_one_stage_is_local_sgda():
    """Take lam = 0 and a first stage longer than the run."""
    found = last(saddle(), CODA(**{**STAGES, "lam": 0.0, "rounds": 9}), K=3, rounds=5)
    close(found, last(saddle(), LocalSGDA(**STEPS), K=3, rounds=5))


def test_coda_shrinks_the_steps_and_lengthens_the_stages():
    """Without centre, from last pairs, stages of 1 and 2 rounds: Local SGDA with the steps of the stage."""
    staged = CODA(**{**STAGES, "lam": 0.0, "rounds": 1}, output="last")
    pairs = list(drive(saddle(sigma=0.0), staged, K=2, rounds=3))
    for r, stage in enumerate([0, 1, 1]):
        problem = saddle(sigma=0.0)
        problem.start = pairs[r][0].x[0, 0]
        shrunk = LocalSGDA(eta_x=0.1 / 1.5**stage, eta_y=0.2 / 1.5**stage)
        close(pairs[r][1].x[:, 0], last(problem, shrunk, K=2, rounds=1)[1])


@pytest.mark.parametrize("lam", [0.0, 0.7])
def test_codasca_with_zero_control_variates_is_coda(lam):
    """The control variates are zero in the first round."""
    codasca = CODASCA(**{**STAGES, "lam": lam})
    coda = CODA(**{**STAGES, "lam": lam}, output="last")
    found, expected = (last(saddle(), method, K=4, rounds=2) for method in (codasca, coda))
    close(found[1], expected[1])
    assert np.abs(found[2] - expected[2]).max() > 1e-3


def test_codasca_of_one_client_is_coda():
    """N = 1: the corrections c - c_i vanish in every round and stage."""
    found = last(saddle(1), CODASCA(**STAGES), K=3, rounds=8)
    close(found, last(saddle(1), CODA(**STAGES, output="last"), K=3, rounds=8))


def test_codasca_without_dual_and_centre_is_scaffold():
    """With the max block empty and lam = 0: SCAFFOLD, option II, zero start."""
    problem = PlainRidge(N=4, d=3, zeta=0.8, sigma=0.7, noise="phases")
    problem.blocks = (3, 0)
    record = Record(problem)
    method = CODASCA(**{**STAGES, "lam": 0.0, "rounds": 9}, gamma=1.3)
    found = last(problem, method, K=3, rounds=5)
    for lane in range(2):
        g, active = record.samples(lane, 3), record.active(lane, 3, 5)
        numbers = {"eta": 0.1, "gamma": 1.3 * 0.1 * 3, "beta": 1.0, "controls": [np.zeros(3)] * 4}
        close(found[:, lane], straightline.scaffold_m(problem.start, g, N=4, K=3, active=active, **numbers)[0])


@pytest.mark.parametrize("inside", [False, True])
def test_codasca_rests_at_the_saddle_point(inside):
    """At the saddle point with c_i = grad F_i and the centre there a round moves nothing; CODA moves."""
    problem = saddle(sigma=0.0)
    problem.start = np.zeros(5)
    method = CODASCA(**STAGES, prox_inside=inside)
    before, _ = next(drive(problem, method, K=3, rounds=1))
    exact = before._replace(c_i=np.broadcast_to(problem.tilts, (2, 3, 5)))
    moved = step(problem, method, exact, K=3)
    close(moved.x, 0.0, atol=1e-15)
    close(moved.c_i, exact.c_i, atol=1e-15)
    assert np.abs(step(problem, CODA(**STAGES), before, K=3).x).max() > 1e-4


def step(problem, method, state, K):
    """Return the state after one round from a given state."""

    class Started(type(method)):
        def init(self, oracle, x0):
            return state

    return next(drive(problem, Started(**vars(method)), K=K, rounds=1))[1]


def test_codasca_corrections_cancel():
    """sum_i (c_i - c) = 0, and c_i is the mean of the raw gradients of the round, without the proximal term."""
    problem = saddle()
    record = Record(problem)
    for r, (_, after) in enumerate(drive(problem, CODASCA(**STAGES), K=3, rounds=4)):
        seen = [v for v in record.values if v.shape[1] == 3][3 * r : 3 * r + 3]
        close(after.c_i, np.mean(seen, axis=0))


@pytest.mark.parametrize(("N", "K"), [(1, 4), (3, 1)])
def test_local_sgda_of_one_client_or_one_step_is_sgda(N, K):
    """One client, or averages after every step."""
    close(last(saddle(N), LocalSGDA(**STEPS), K=K, rounds=4), last(saddle(N), SGDA(**STEPS), K=K, rounds=4))


def test_sgda_spirals_out_on_a_bilinear_problem_and_alternating_does_not():
    """|z|^2 grows by the factor 1 + eta^2 in every simultaneous step; alternating steps stay bounded."""
    equal = {"eta_x": 0.3, "eta_y": 0.3}
    found = (last(Bilinear(), SGDA(**equal), K=1, rounds=40, lanes=1)[:, 0] ** 2).sum(axis=1)
    np.testing.assert_allclose(found, found[0] * 1.09 ** np.arange(41), rtol=1e-12)
    bounded = (last(Bilinear(), SGDA(**equal, alternating=True), K=1, rounds=400, lanes=1)[:, 0] ** 2).sum(axis=1)
    assert bounded.max() < 2 * bounded[0]


@pytest.mark.parametrize(("N", "K"), [(1, 1), (1, 3), (3, 1)])
def test_storm_gda_is_fmgda_of_one_client_or_one_step(N, K):
    """FMGDA with t_flat <= 5/2 has eta_t = h / (t + 3/2)^(1/3): STORM-GDA with m = 3/2 and c2 = c1."""
    expected = last(saddle(N), FMGDA(chat=0.2, c_dual=0.4, t_flat=1.0, **RECURSION), K=K, rounds=4)
    close(last(saddle(N), StormGDA(c_x=0.2, c_y=0.4, c2=0.9, m=1.5, **RECURSION), K=K, rounds=4), expected)


def test_storm_gda_without_forgetting_has_the_exact_gradient():
    """c1 = c2 = 0 and no noise: u telescopes to the gradient at the current pair."""
    problem = saddle(sigma=0.0)
    for _, after in drive(problem, StormGDA(c_x=0.2, c_y=0.4, c1=0.0, c2=0.0, h=1.0, m=2.0), K=3, rounds=4):
        close(after.u, problem.exact_gradient(after.x.repeat(3, axis=1)).mean(axis=1, keepdims=True))


@pytest.mark.parametrize(("N", "K", "same"), [(3, 1, True), (1, 3, True), (3, 3, False)])
def test_fmgda_with_the_old_gradient_at_the_average(N, K, same):
    """averaged_old changes nothing for one client or K = 1, and something else from the second round on."""
    numbers = {"chat": 0.2, "c_dual": 0.4, "t_flat": 1.0, **RECURSION}
    found, plain = (last(saddle(N), FMGDA(**numbers, averaged_old=old), K=K, rounds=3) for old in (True, False))
    close(found[1], plain[1])
    if same:
        close(found, plain)
    else:
        assert np.abs(found[2] - plain[2]).max() > 1e-4


def test_illegal_stages_are_refused():
    """Messages name the choice, its value and what is legal."""
    with pytest.raises(InputError, match=r"coda: output = 'best'.*mean or last"):
        CODA(**STAGES, output="best")
    with pytest.raises(InputError, match=r"codasca: rounds = 0.*integer >= 1"):
        CODASCA(**{**STAGES, "rounds": 0})
