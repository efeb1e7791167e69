"""Exact relations of two-sided FedAvg and of the momentum, proximal, normalised and dual methods."""

import numpy as np
import pytest
from method_harness import Record, drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.errors import InputError
from boundcheck.methods.dual import DynamicState, FedDyn, FedPD
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.local_momentum import PRSGDM
from boundcheck.methods.normalised import FedNova
from boundcheck.methods.proximal import FedProx, FedProxM
from boundcheck.methods.server_momentum import FedAvgServerM, SlowMo

SAMPLED = pytest.mark.parametrize("S", [5, 2])
HEAVY = {"eta": 0.1, "beta": 0.6, "gamma": 0.8}


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def slopes(**changed):
    """Return a problem whose gradients do not depend on the point: f_i is linear, f is not constant."""
    problem = ridge(sigma=0.0, **changed)
    problem.weight = problem.lam = 0.0
    problem.tilts = problem.tilts + 0.3
    return problem


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def apart(found, expected, least=1e-4):
    assert np.abs(found - expected).max() > least


@SAMPLED
def test_two_sided_learning_rates(S):
    """The first step of FedAvg is linear in gamma; at K = 1 only gamma eta matters, at K = 3 both do."""
    one, two = (last(ridge(), FedAvg(eta=0.1, gamma=gamma), K=3, rounds=2, S=S) for gamma in (1.0, 1.7))
    close(two[1] - two[0], 1.7 * (one[1] - one[0]))
    for K, compare in ((1, close), (3, apart)):
        compare(
            last(ridge(), FedAvg(eta=0.1, gamma=1.7), K=K, rounds=4, S=S),
            last(ridge(), FedAvg(eta=0.17), K=K, rounds=4, S=S),
        )


@SAMPLED
def test_server_momentum_is_a_heavy_ball(S):
    """x_(t+1) = x_t + gamma D_t + beta (x_t - x_(t-1)), the velocity without a factor 1 - beta; beta = 0 is FedAvg."""
    record = Record(problem := ridge())
    path = last(problem, FedAvgServerM(**HEAVY), K=3, rounds=5, S=S)
    before = path[0]
    for r in range(5):
        D = -0.1 * sum(g.mean(axis=1) for g in record.values[3 * r : 3 * r + 3])
        close(path[r + 1], path[r] + 0.8 * D + 0.6 * (path[r] - before))
        before = path[r]
    plain = FedAvgServerM(eta=0.1, beta=0.0, gamma=0.8)
    close(last(ridge(), plain, K=3, rounds=5, S=S), last(ridge(), FedAvg(eta=0.1, gamma=0.8), K=3, rounds=5, S=S))


@SAMPLED
def test_slowmo_is_server_momentum_in_other_units(S):
    """At constant eta SlowMo is FedAvgM, its momentum being the velocity over eta; beta = 0, gamma = 1 is FedAvg."""
    pairs = [list(drive(ridge(), method(**HEAVY), K=3, rounds=5, S=S)) for method in (SlowMo, FedAvgServerM)]
    for (_, slow), (_, heavy) in zip(*pairs, strict=True):
        close(slow.x, heavy.x)
        close(slow.v, heavy.v / 0.1, atol=1e-11)
    plain = last(ridge(), SlowMo(eta=0.1, beta=0.0), K=3, rounds=5, S=S)
    close(plain, last(ridge(), FedAvg(eta=0.1), K=3, rounds=5, S=S))


def test_slowmo_of_one_client_without_momentum_is_lookahead():
    """N = 1, beta = 0: x moves the fraction gamma of the way to the fast iterate."""
    record = Record(problem := ridge(N=1, zeta=0.0))
    path = last(problem, SlowMo(eta=0.1, beta=0.0, gamma=0.3), K=4, rounds=3)
    for r in range(3):
        fast = path[r] - 0.1 * sum(g[:, 0] for g in record.values[4 * r : 4 * r + 4])
        close(path[r + 1], 0.7 * path[r] + 0.3 * fast)


@pytest.mark.parametrize("K", [1, 3])
@pytest.mark.parametrize("nesterov", [False, True])
def test_averages_of_pr_sgd_obey_the_recursion_of_one_machine(K, nesterov):
    """Averaging is linear: xbar and ubar follow heavy ball on the mean gradient at every local step of all rounds."""
    record = Record(problem := ridge())
    x, u = problem.start, 0.0
    for r, (_, after) in enumerate(drive(problem, PRSGDM(eta=0.1, beta=0.6, nesterov=nesterov), K=K, rounds=4)):
        for g in record.values[r * K : (r + 1) * K]:
            mean = g.mean(axis=1, keepdims=True)
            u = 0.6 * u + mean
            x = x - 0.1 * (0.6 * u + mean if nesterov else u)
        close(after.x, x)
        close(after.u, u)


@SAMPLED
def test_pr_sgd_reduces_to_fedavg_and_to_server_momentum(S):
    """At weight 0 it is FedAvg; at K = 1 averaged buffers are heavy ball on the server, restarted ones FedAvg."""
    fedavg = {K: last(ridge(), FedAvg(eta=0.1), K=K, rounds=5, S=S) for K in (1, 3)}
    close(last(ridge(), PRSGDM(eta=0.1, beta=0.0), K=3, rounds=5, S=S), fedavg[3])
    close(last(ridge(), PRSGDM(eta=0.1, beta=0.6, restart=True), K=1, rounds=5, S=S), fedavg[1])
    server = last(ridge(), FedAvgServerM(eta=0.1, beta=0.6), K=1, rounds=5, S=S)
    close(last(ridge(), PRSGDM(eta=0.1, beta=0.6), K=1, rounds=5, S=S), server)


@SAMPLED
def test_proximal_methods_without_coefficient(S):
    """At rho = 0 FedProx is FedAvg and FedProxM is FedAvgM; beta = 0, gamma = 1: FedProxM is FedProx."""
    setting = {"K": 3, "rounds": 5, "S": S}
    close(last(ridge(), FedProx(eta=0.1, rho=0.0), **setting), last(ridge(), FedAvg(eta=0.1), **setting))
    close(last(ridge(), FedProxM(**HEAVY, rho=0.0), **setting), last(ridge(), FedAvgServerM(**HEAVY), **setting))
    close(
        last(ridge(), FedProxM(eta=0.1, rho=0.9, beta=0.0), **setting),
        last(ridge(), FedProx(eta=0.1, rho=0.9), **setting),
    )


def test_the_proximal_coefficient_acts_from_the_second_step():
    """K = 1: rho has no effect; K = 4: y_K - x = -eta sum_k (1 - eta rho)^(K-1-k) g_k."""
    close(last(ridge(), FedProx(eta=0.1, rho=5.0), K=1, rounds=4), last(ridge(), FedAvg(eta=0.1), K=1, rounds=4))
    record = Record(problem := ridge())
    path = last(problem, FedProx(eta=0.1, rho=0.9), K=4, rounds=1)
    close(path[1] - path[0], -0.1 * sum(0.91 ** (3 - k) * g.mean(axis=1) for k, g in enumerate(record.values)))


@SAMPLED
def test_fednova_with_equal_steps_is_its_local_optimiser_averaged(S):
    """With equal K_i: FedAvg, PR-SGD with restarts (heavy ball), FedProx."""
    setting = {"K": 3, "rounds": 5, "S": S}
    for numbers, same in (
        ({}, FedAvg(eta=0.1)),
        ({"beta": 0.6}, PRSGDM(eta=0.1, beta=0.6, restart=True)),
        ({"rho": 0.9}, FedProx(eta=0.1, rho=0.9)),
    ):
        close(last(ridge(), FedNova(eta=0.1, **numbers), **setting), last(ridge(), same, **setting))
        apart(last(ridge(), FedNova(eta=0.1, **numbers, fewest=1), **setting), last(ridge(), same, **setting))


@pytest.mark.parametrize("fewest", [None, 1, 2])
def test_fednova_norms_are_the_printed_weights(fewest):
    """On linear f_i the step is -eta mean_i norm_i mean_i slope_i, with norm_i from the closed forms of the paper."""
    steps = [7] * 5 if fewest is None else [fewest + i * (7 - fewest) // 4 for i in range(5)]
    heavy = [(k - 0.8 * (1 - 0.8**k) / 0.2) / 0.2 for k in steps]
    held = [(1 - (1 - 0.035) ** k) / 0.035 for k in steps]
    both = [sum((1 - 0.035) ** (k - 1 - j) * (1 - 0.8 ** (j + 1)) / 0.2 for j in range(k)) for k in steps]
    if fewest is None:
        assert both[0] == pytest.approx(17.72, abs=5e-3)
    for numbers, norms in (
        ({}, steps),
        ({"beta": 0.8}, heavy),
        ({"rho": 0.7}, held),
        ({"beta": 0.8, "rho": 0.7}, both),
    ):
        path = last(slopes(), FedNova(eta=0.05, fewest=fewest, **numbers), K=7, rounds=2)
        close(path[1] - path[0], np.full((2, 3), -0.05 * np.mean(norms) * 0.3))


def test_fednova_removes_the_bias_of_unequal_steps():
    """K_i = 1, 3, 5, 7, no noise: the distance to the minimiser halves with eta, that of plain averages does not."""
    problem = Quadratics(N=4)
    steps = np.array([1, 3, 5, 7])[:, None]
    distance = {}
    for eta in (0.08, 0.04, 0.02):
        end = last(problem, FedNova(eta=eta, fewest=1), K=7, rounds=int(40 / eta), lanes=1)[-1, 0]
        pull = 1 - (1 - eta * problem.h) ** steps
        normal = pull / steps
        close(end, (normal * problem.b).sum(axis=0) / normal.sum(axis=0), atol=1e-10)
        plain = (pull * problem.b).sum(axis=0) / pull.sum(axis=0)
        distance[eta] = [np.linalg.norm(z - problem.minimiser) for z in (end, plain)]
    for coarse, fine in ((0.08, 0.04), (0.04, 0.02)):
        assert 1.8 < distance[coarse][0] / distance[fine][0] < 2.2
        assert 0.9 < distance[coarse][1] / distance[fine][1] < 1.1


@pytest.mark.parametrize("N", [1, 2, 5])
def test_fednova_spaces_the_steps_evenly(N):
    """The first client makes `fewest` steps, the last K, whatever is larger."""
    for fewest, K in ((1, 7), (3, 7), (7, 7), (9, 4)):
        before, _ = next(drive(ridge(N=N, zeta=0.0), FedNova(eta=0.1, fewest=fewest), K=K, rounds=1))
        steps = before.steps[0, :, 0]
        assert steps[0] == min(fewest, K)
        assert steps[-1] == (K if N > 1 else min(fewest, K))
        assert (np.diff(steps) >= 0).all()
        assert N <= 2 or np.ptp(np.diff(steps)) <= 1


def test_fednova_needs_a_step():
    """A client without steps has no direction to normalise."""
    with pytest.raises(InputError, match=r"fednova: fewest = 0 .* integer >= 1"):
        FedNova(eta=0.1, fewest=0)


@SAMPLED
def test_feddyn_server_correction_is_the_mean_of_the_clients(S):
    """After every round h = mean_N l_i (1/N, not 1/S), and only active clients have changed."""
    for before, after in drive(ridge(), FedDyn(eta=0.1, alpha=0.9), K=3, rounds=6, S=S):
        close(after.h, after.l_i.mean(axis=1, keepdims=True))
        assert ((after.l_i != before.l_i).any(axis=2).sum(axis=1) == S).all()


@SAMPLED
def test_feddyn_without_duals_is_fedprox(S):
    """With l_i and h put back to zero before every round the clients are FedProx's at rho = alpha, and so is mean y."""

    class Forgetful(FedDyn):
        def round(self, oracle, state):
            x, l_i, h = super().round(oracle, DynamicState(state.x, 0.0 * state.l_i, 0.0 * state.h))
            return DynamicState(x + h / self.alpha, l_i, h)

    found = last(ridge(), Forgetful(eta=0.1, alpha=0.9), K=3, rounds=4, S=S)
    close(found, last(ridge(), FedProx(eta=0.1, rho=0.9), K=3, rounds=4, S=S))


@pytest.mark.parametrize("S", [4, 2])
def test_feddyn_ends_at_the_minimiser(S):
    """Without noise it ends at x* with l_i = grad f_i(x*) and h = 0, with few inexact local steps; FedProx does not."""
    problem = Quadratics(N=4)
    *_, (_, end) = drive(problem, FedDyn(eta=0.2, alpha=1.0), K=5, rounds=1500, S=S, lanes=1)
    close(end.x[0, 0], problem.minimiser, atol=1e-11)
    close(end.l_i[0], problem.h * (problem.minimiser - problem.b), atol=1e-11)
    close(end.h, 0.0, atol=1e-11)
    held = last(problem, FedProx(eta=0.2, rho=1.0), K=5, rounds=300, lanes=1)
    apart(held[-1, 0], problem.minimiser, least=1e-3)


def test_fedpd_that_always_communicates_is_feddyn():
    """S = N, no skipping, the same start of the local steps: FedPD is FedDyn with alpha = 1/eta_pd, l_i = -dual_i."""
    pairs = zip(
        drive(ridge(), FedPD(eta=0.1, eta_pd=0.8, warm=False), K=3, rounds=6),
        drive(ridge(), FedDyn(eta=0.1, alpha=1.25), K=3, rounds=6),
        strict=True,
    )
    for (_, primal_dual), (_, dynamic) in pairs:
        close(primal_dual.x, dynamic.x)
        close(primal_dual.dual, -dynamic.l_i)


@pytest.mark.parametrize("warm", [False, True])
def test_fedpd_with_exact_local_solutions(warm):
    """Exact local minimisers: dual_i = -grad f_i(y_i), so a_i = y_i - eta_pd grad f_i(y_i)."""
    problem = Quadratics(N=4)
    method = FedPD(eta=0.3, eta_pd=0.8, warm=warm)
    for _, after in drive(problem, method, K=200, rounds=3, lanes=1):
        gradients = problem.exact_gradient(after.y)
        close(after.dual, -gradients)
        close(after.x, (after.y - 0.8 * gradients).mean(axis=1, keepdims=True))


@pytest.mark.parametrize("warm", [False, True])
def test_fedpd_ends_at_the_minimiser_if_it_always_communicates(warm):
    """Without noise x* with dual_i = -grad f_i(x*) is the limit; a round without communication leaves it again."""
    problem = Quadratics(N=4)
    *_, (_, end) = drive(problem, FedPD(eta=0.2, eta_pd=0.8, warm=warm), K=5, rounds=800, lanes=1)
    close(end.x[0, 0], problem.minimiser, atol=1e-11)
    close(end.dual[0], -problem.h * (problem.minimiser - problem.b), atol=1e-11)
    *_, (_, end) = drive(problem, FedPD(eta=0.2, eta_pd=0.8, skip=0.3, warm=warm), K=5, rounds=800, lanes=1)
    apart(end.x[0, 0], problem.minimiser, least=1e-3)


def test_fedpd_skips_with_the_given_probability():
    """Always skipping moves the clients and never x; skip = 0.3 leaves x in place in 30% of the rounds of a lane."""
    for before, after in drive(ridge(), FedPD(eta=0.1, eta_pd=0.8, skip=1.0), K=2, rounds=3):
        close(after.x, before.x, atol=0)
        assert (after.anchor != before.anchor).all()
    still = np.array(
        [
            (after.x == before.x).all(axis=(1, 2))
            for before, after in drive(ridge(), FedPD(eta=0.1, eta_pd=0.8, skip=0.3), K=1, rounds=200, lanes=8)
        ]
    )
    assert abs(still.mean() - 0.3) < 5 * np.sqrt(0.21 / still.size)
    assert (still.any(axis=1) & ~still.all(axis=1)).any()


def test_fedpd_anchor_after_a_skip_is_the_own_target():
    """A client that does not communicate goes on from a_i = y_i + eta_pd dual_i."""
    for _, after in drive(ridge(), FedPD(eta=0.1, eta_pd=0.8, skip=0.5), K=3, rounds=6):
        target = after.y + 0.8 * after.dual
        alone = (after.anchor == target).all(axis=(1, 2))
        together = (after.anchor == after.x).all(axis=(1, 2))
        assert (alone ^ together).all()
        close(np.where(together[:, None, None], target.mean(axis=1, keepdims=True), after.x), after.x)
