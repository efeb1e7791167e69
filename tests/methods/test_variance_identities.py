"""Exact identities of the variance-reduced methods: momentum-fl I1 to I9, F2 to F4, and those of the cited works."""

import numpy as np
import pytest
import straightline
from method_harness import Record, drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.methods.central import SARAH, SGD, SPIDER, STORM, AdaptiveSTORM
from boundcheck.methods.control_variates import LED, VRLSGD, FedGATE, Scaffold
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.mime import Mime, MimeLite, MimeLiteMVR, MimeMVR
from boundcheck.methods.momentum_vr import FedAvgMVR, ScaffoldMVR
from boundcheck.methods.recursive import BVRLSGD, CELSGD, MBSTORM, STEM
from boundcheck.methods.scaffold import ScaffoldM

STEP = {"eta": 0.1, "gamma": 0.4, "beta": 0.3}
SAMPLED = pytest.mark.parametrize("S", [5, 2])


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def exact(**changed):
    return ridge(sigma=0.0, noise="none", **changed)


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


class LateFedAvg(FedAvg):
    """FedAvg that spends one minibatch before the first round, so as to see the noise of methods that do."""

    def init(self, oracle, x0):
        """Draw, then start as FedAvg does."""
        oracle.initial(x0, 1)
        return super().init(oracle, x0)


def halves(record, r, K):
    """Return a round's gradients at the local and at the previous server points, each the mean over the K steps."""
    values = np.array(record.values[1 + 2 * K * r : 1 + 2 * K * (r + 1)])
    return values[0::2].mean(axis=0), values[1::2].mean(axis=0)


def over_clients(v):
    return v.mean(axis=1, keepdims=True)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i1_i4_direction_of_fedavg_m_vr(S, K):
    """I1: g+ = mean_ik [grad F(y) - (1-beta) grad F(x_prev)] + (1-beta) g, and I4: x - x+ = gamma g+."""
    problem = ridge()
    record = Record(problem)
    for r, (before, after) in enumerate(drive(problem, FedAvgMVR(**STEP), K=K, rounds=4, S=S)):
        fresh, old = halves(record, r, K)
        close(after.g, over_clients(fresh - 0.7 * old) + 0.7 * before.g)
        close(before.x - after.x, 0.4 * after.g)
        close(after.previous, before.x)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i1_i2_i4_direction_and_controls_of_scaffold_m_vr(S, K):
    """I1: g+ = mean_i [c_i+ - beta (c_i - c) + (1-beta)(g - mean_k grad F(x_prev))], I2: c = mean c_i, and I4."""
    problem = ridge()
    record = Record(problem)
    for r, (before, after) in enumerate(drive(problem, ScaffoldMVR(**STEP), K=K, rounds=4, S=S)):
        fresh, old = halves(record, r, K)
        sets = np.array([record.active(lane, K, r + 1)[r] for lane in range(2)])
        own = np.take_along_axis(before.c_i, sets[:, :, None], axis=1)
        close(np.take_along_axis(after.c_i, sets[:, :, None], axis=1), fresh)
        close(after.g, over_clients(fresh - 0.3 * (own - before.c) + 0.7 * (before.g - old)))
        close(after.c, over_clients(after.c_i))
        close(before.x - after.x, 0.4 * after.g)


@SAMPLED
@pytest.mark.parametrize("option", ["I", "II"])
def test_scaffold_server_variate_is_the_mean_of_all_clients(S, option):
    """I2: c = mean_N c_i at all times; only active clients move theirs."""
    for before, after in drive(ridge(), Scaffold(eta=0.1, option=option, B=1), K=3, rounds=5, S=S):
        close(after.c, over_clients(after.c_i))
        assert ((after.c_i != before.c_i).any(axis=2).sum(axis=1) == S).all()


@SAMPLED
def test_scaffold_option_ii_keeps_the_mean_local_gradient(S):
    """c_i - c + (x - y) / (K eta) is the mean of the K local gradients, whatever c is."""
    problem = ridge()
    record = Record(problem)
    for r, (_, after) in enumerate(drive(problem, Scaffold(eta=0.1, gamma=1.4), K=3, rounds=4, S=S)):
        seen = np.mean(record.values[3 * r : 3 * r + 3], axis=0)
        sets = np.array([record.active(lane, 3, r + 1)[r] for lane in range(2)])
        close(np.take_along_axis(after.c_i, sets[:, :, None], axis=1), seen)


@SAMPLED
@pytest.mark.parametrize("K", [1, 3])
def test_i6_without_momentum_nothing_but_scaffold_and_fedavg_is_left(S, K):
    """I6: at beta = 1 FedAvg-M-VR is FedAvg, and SCAFFOLD-M, SCAFFOLD-M-VR and SCAFFOLD with option II are one."""
    setting = {"K": K, "rounds": 5, "S": S}
    plain = {"eta": 0.1, "gamma": 0.4, "beta": 1.0}
    raw = 0.4 / (0.1 * K)
    close(last(ridge(), FedAvgMVR(**plain), **setting), last(ridge(), LateFedAvg(eta=0.1, gamma=raw), **setting))
    scaffold = last(ridge(), Scaffold(eta=0.1, gamma=raw, B=1), **setting)
    close(last(ridge(), ScaffoldM(**plain), **setting), scaffold)
    close(last(ridge(), ScaffoldMVR(**plain), **setting), scaffold)


@SAMPLED
@pytest.mark.parametrize("eta", [0.1, 0.7])
def test_i8_one_local_step_is_minibatch_storm(S, eta):
    """I8: at K = 1 FedAvg-M-VR is MB-STORM whatever eta is."""
    found = last(ridge(), FedAvgMVR(eta=eta, gamma=0.4, beta=0.3), K=1, rounds=5, S=S)
    close(found, last(ridge(), MBSTORM(gamma=0.4, a=0.3), K=1, rounds=5, S=S))


@pytest.mark.parametrize(("cls", "S"), [(FedAvgMVR, 5), (FedAvgMVR, 2), (ScaffoldMVR, 5)])
def test_i9_vanishing_local_steps_are_minibatch_storm(cls, S):
    """I9: as eta -> 0 the VR methods are MB-STORM (SCAFFOLD-M-VR at S = N, where the corrections cancel)."""
    found = last(ridge(), cls(eta=1e-7, gamma=0.4, beta=0.3), K=3, rounds=5, S=S)
    close(found, last(ridge(), MBSTORM(gamma=0.4, a=0.3), K=3, rounds=5, S=S), atol=1e-6)


@pytest.mark.parametrize("beta", [0.05, 0.2, 1.0])
def test_f2_fixed_points_of_fedavg_m_vr_are_those_of_fedavg(beta):
    """F2: on quadratics FedAvg-M-VR(eta, beta) ends at FedAvg(eta)'s root sum_i (1 - (1 - eta h_i)^K)(x - b_i) = 0."""
    problem, eta, K = Quadratics(N=4), 0.1, 5
    pull = 1 - (1 - eta * problem.h) ** K
    root = (pull * problem.b).sum(axis=0) / pull.sum(axis=0)
    assert np.abs(root - problem.minimiser).max() > 1e-3
    close(last(problem, FedAvgMVR(eta=eta, gamma=0.3, beta=beta), K=K, rounds=1500, lanes=1)[-1, 0], root)


EXACT = {
    "scaffold-I": Scaffold(eta=0.1, option="I"),
    "scaffold-II": Scaffold(eta=0.1),
    "scaffold-m-vr": ScaffoldMVR(eta=0.1, gamma=0.3, beta=0.5),
    "fedgate": FedGATE(eta=0.1, gamma=0.8),
    "vrl-sgd": VRLSGD(eta=0.1),
    "led": LED(eta=0.1, beta=0.3),
    "led-slow": LED(eta=0.1, beta=0.05),
    "mime": Mime(eta=0.1, beta=0.5),
}


@pytest.mark.parametrize("rounds", [200, pytest.param(800, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EXACT)
def test_f3_corrections_remove_the_floor(name, rounds):
    """F3: without noise |grad f|^2 < 1e-25 is reached on clients where FedAvg stalls; S < N too where it is defined."""
    problem = Quadratics(N=4)
    for S in (4, 2) if name.startswith("scaffold") else (4,):
        end = last(problem, EXACT[name], K=5, rounds=rounds, S=S, lanes=1)[-1]
        assert (problem.mean_gradient(end[None]) ** 2).sum() < 1e-25


def test_f4_the_direction_shrinks():
    """F4: on f = |x|^2/2, e = g+ - x obeys e = q (1-beta) e_before - (1-q) x with q = (1 - (1-eta)^K) / (K eta)."""
    problem, K = Quadratics(N=3, spread=0.0), 4
    problem.h, problem.b = np.ones_like(problem.h), np.zeros_like(problem.b)
    q = (1 - 0.9**K) / (K * 0.1)
    for before, after in drive(problem, FedAvgMVR(**STEP), K=K, rounds=6):
        close(after.g - before.x, q * 0.7 * (before.g - before.previous) - (1 - q) * before.x)


STAYS = {
    "mime-mvr": MimeMVR(eta=0.1, a=0.3),
    "mb-storm": MBSTORM(gamma=0.2, a=0.3),
    "bvr-l-sgd": BVRLSGD(eta=0.1),
    "ce-lsgd": CELSGD(eta=0.1, a=0.3),
    "mime": Mime(eta=0.1, beta=0.6),
}


@pytest.mark.parametrize("name", STAYS)
def test_the_minimiser_is_a_fixed_point(name):
    """Without noise and with all clients x* does not move, though the clients' gradients there are not zero."""
    problem = Quadratics(N=4)
    problem.start = problem.minimiser
    # BVR-L-SGD and CE-LSGD leave x* by rounding only: their local recursions start from v = 0
    close(last(problem, STAYS[name], K=4, rounds=10, lanes=1) - problem.minimiser, 0.0)


@pytest.mark.parametrize("method", [MimeLite(eta=0.1, beta=0.6), MimeLiteMVR(eta=0.1, a=0.3)])
def test_the_lite_forms_leave_the_minimiser(method):
    """MimeLite's local steps drift where the clients differ."""
    problem = Quadratics(N=4)
    problem.start = problem.minimiser
    assert np.abs(last(problem, method, K=4, rounds=10, lanes=1)[-1] - problem.minimiser).max() > 1e-3


def test_q1_four_forms_of_gradient_tracking():
    """Q1: SCAFFOLD II = FedGATE = VRL-SGD = LED(1/K), from zero with all clients, with delta = c_i - c = -z/(K eta)."""
    methods = [Scaffold(eta=0.1), FedGATE(eta=0.1), VRLSGD(eta=0.1), LED(eta=0.1, beta=1 / 3)]
    runs = [[after for _, after in drive(ridge(), method, K=3, rounds=5)] for method in methods]
    for scaffold, gate, vrl, led in zip(*runs, strict=True):
        for other in (gate, vrl, led):
            close(other.x, scaffold.x)
        for correction in (gate.delta, vrl.delta, -led.z / (3 * 0.1)):
            close(correction, scaffold.c_i - scaffold.c)


@pytest.mark.parametrize("method", [Scaffold(eta=0.1), FedGATE(eta=0.1), VRLSGD(eta=0.1), LED(eta=0.1, beta=0.4)])
def test_q13_identical_clients_need_no_correction(method):
    """Q13: with identical clients and no noise the corrected methods are FedAvg."""
    close(last(exact(zeta=0.0), method, K=3, rounds=4), last(exact(zeta=0.0), FedAvg(eta=0.1), K=3, rounds=4))


def test_scaffold_options_agree_at_one_exact_step():
    """With K = 1 and no noise option II is option I; with all clients both are gradient descent."""
    options = [last(exact(), Scaffold(eta=0.1, option=o), K=1, rounds=5, S=2) for o in ("I", "II")]
    close(*options)
    everyone = last(exact(), Scaffold(eta=0.1, option="I"), K=1, rounds=5)
    close(everyone, last(exact(), SGD(eta=0.1), K=1, rounds=5))


@pytest.mark.parametrize("method", [FedGATE(eta=0.1), FedGATE(eta=0.1, gamma=1.6)])
@SAMPLED
def test_corrections_sum_to_zero(method, S):
    """FedGATE's corrections sum to zero, the online clients' increments too."""
    for _, after in drive(ridge(), method, K=3, rounds=5, S=S):
        close(after.delta.sum(axis=1), 0.0)
    assert np.abs(after.delta).max() > 0.1


@pytest.mark.parametrize("method", [VRLSGD(eta=0.1), FedAvg(eta=0.1), FedGATE(eta=0.1)])
def test_one_client_makes_plain_sgd(method):
    """With N = 1 nothing is left of averages and corrections."""
    alone = {"N": 1, "zeta": 0.0}
    close(last(ridge(**alone), method, K=3, rounds=4), last(ridge(**alone), SGD(eta=0.1), K=3, rounds=4))


@SAMPLED
def test_mime_reductions(S):
    """MimeLite at beta = 0 and MimeLiteMVR at a = 1 are FedAvg; MimeMVR at a = 1 is Mime at beta = 0."""
    setting = {"K": 3, "rounds": 4, "S": S}
    fedavg = last(ridge(), FedAvg(eta=0.1), **setting)
    close(last(ridge(), MimeLite(eta=0.1, beta=0.0), **setting), fedavg)
    close(last(ridge(), MimeLiteMVR(eta=0.1, a=1.0), **setting), fedavg)
    mime = last(ridge(), Mime(eta=0.1, beta=0.0), **setting)
    close(last(ridge(), MimeMVR(eta=0.1, a=1.0), **setting), mime)
    assert np.abs(mime - fedavg).max() > 1e-3


def test_mime_equals_its_lite_form_for_identical_clients():
    """Q13: with identical clients and no noise the corrections vanish."""
    for cls, lite, number in ((Mime, MimeLite, {"beta": 0.6}), (MimeMVR, MimeLiteMVR, {"a": 0.3})):
        found = [last(exact(zeta=0.0), c(eta=0.1, **number), K=3, rounds=4) for c in (cls, lite)]
        close(*found)


@SAMPLED
def test_mime_with_one_exact_step_is_the_central_method(S):
    """With K = 1 and no noise every client steps along (1-beta) c + beta s, the central momentum step."""
    for before, after in drive(exact(), Mime(eta=0.1, beta=0.6), K=1, rounds=5, S=S):
        close(after.x, before.x - 0.1 * after.s)


def test_mvr_momentum_forgets_its_start_geometrically():
    """With all clients m - grad f(x_t) = -(1-a)^(t+1) grad f(x_0) after round t, since the increments are exact."""
    for cls in (MimeMVR, MimeLiteMVR):
        problem = ridge()
        for t, (before, after) in enumerate(drive(problem, cls(eta=0.1, a=0.3), K=3, rounds=5)):
            first = problem.mean_gradient(np.broadcast_to(problem.start, before.x.shape))
            close(after.g - problem.mean_gradient(before.x), -(0.7 ** (t + 1)) * first)


def test_q7_stem_at_one_step_or_one_client_is_storm():
    """Q7: with a constant step STEM is STORM for K = 1, and for N = 1 at every K."""
    a = 0.3
    stem = STEM(kappa=0.1, w=1.0, growth=0.0, c=a / 0.1**2)
    for K, changed in ((1, {}), (3, {"N": 1, "zeta": 0.0})):
        found = last(ridge(**changed), stem, K=K, rounds=5)
        close(found, last(ridge(**changed), STORM(eta=0.1, a=a), K=K, rounds=5))


def test_q7_stem_with_fresh_gradients_is_local_sgd():
    """Q7: at a = 1 the points x - eta d after every round are those of local SGD on the round's minibatches."""
    problem, eta, K = ridge(), 0.1, 3
    record = Record(problem)
    stem = STEM(kappa=eta, w=1.0, growth=0.0, c=eta**-2)
    states = [after for _, after in drive(problem, stem, K=K, rounds=4)]
    g = record.samples(0, K)
    start = problem.start - eta * sum(g(0, -1, i)(problem.start) for i in range(5)) / 5
    plain = straightline.fedavg(start, g, K=K, active=[list(range(5))] * 4, eta=eta, gamma=eta * K)[0]
    for state, expected in zip(states, plain[1:], strict=True):
        close((state.x - eta * state.d)[0, 0], expected)


def test_bvr_l_sgd_of_one_client_is_sarah():
    """With N = 1 BVR-L-SGD is SARAH with restart every round; with K = 1 and any N it is gradient descent."""
    alone = {"N": 1, "zeta": 0.0}
    close(last(ridge(**alone), BVRLSGD(eta=0.1), K=4, rounds=4), last(ridge(**alone), SARAH(eta=0.1), K=4, rounds=4))
    close(last(ridge(), BVRLSGD(eta=0.1), K=1, rounds=4), last(exact(), SGD(eta=0.1), K=1, rounds=4))


@pytest.mark.parametrize("server", ["client", "mean"])
def test_q8_ce_lsgd_at_one_step_is_minibatch_storm(server):
    """Q8: with K = 1 every client ends at x - eta g, so CE-LSGD is MB-STORM with gamma = eta."""
    found = last(ridge(), CELSGD(eta=0.2, a=0.3, server=server), K=1, rounds=5, S=2)
    close(found, last(ridge(), MBSTORM(gamma=0.2, a=0.3), K=1, rounds=5, S=2))


def test_q8_ce_lsgd_with_exact_fresh_gradients_is_bvr_l_sgd():
    """Q8: at a = 1 without noise CE-LSGD is BVR-L-SGD, with the same client drawn."""
    found = last(exact(heterogeneity="phase"), CELSGD(eta=0.1, a=1.0), K=4, rounds=4)
    close(found, last(exact(heterogeneity="phase"), BVRLSGD(eta=0.1), K=4, rounds=4))


@pytest.mark.parametrize("method", [BVRLSGD(eta=0.1), CELSGD(eta=0.1, a=0.3), CELSGD(eta=0.1, a=0.3, server="mean")])
def test_constant_tilts_leave_gradient_descent(method):
    """With equal Hessians and no noise a round is K steps of gradient descent on f, whatever the tilts."""
    close(last(exact(), method, K=4, rounds=4), last(exact(), SGD(eta=0.1), K=4, rounds=4))


def test_storm_with_fresh_gradients_is_sgd():
    """At a = 1 STORM takes SGD's steps, on the minibatches from the first estimate on."""
    problem = ridge()
    record = Record(problem)
    found = last(problem, STORM(eta=0.1, a=1.0), K=3, rounds=4)
    g = record.samples(0, 3)
    x = problem.start
    order = [(0, -1), *((r, k) for r in range(4) for k in range(3))]
    for step, (r, k) in enumerate(order[:-1], start=1):
        x = x - 0.1 * sum(g(r, k, i)(x) for i in range(5)) / 5
        if step % 3 == 0:
            close(found[step // 3, 0], x)


def test_storm_without_fresh_gradients_keeps_its_first_error():
    """At a = 0 STORM is SARAH without restart: on noise that is the same at all points v - grad f stays."""
    problem = ridge(noise="signs")
    errors = [
        after.v - problem.mean_gradient(after.x) for _, after in drive(problem, STORM(eta=0.1, a=0.0), K=3, rounds=4)
    ]
    for error in errors:
        close(error, errors[0])
    assert np.abs(errors[0]).max() > 0.01


def test_adaptive_storm_with_negligible_gradients_is_storm():
    """Where the squared gradients vanish beside w the step is k / w^(1/3) and the weight c eta^2."""
    adaptive = AdaptiveSTORM(k=1e5, w=1e18, c=0.3 / 0.1**2)
    close(last(ridge(), adaptive, K=3, rounds=5), last(ridge(), STORM(eta=0.1, a=0.3), K=3, rounds=5))


def test_recursion_is_exact_on_common_curvature():
    """Noise that does not depend on the point cancels in SARAH's differences: K steps of gradient descent."""
    close(last(ridge(noise="signs"), SARAH(eta=0.1), K=4, rounds=3), last(exact(), SGD(eta=0.1), K=4, rounds=3))


def test_spider_is_sarah_with_bounded_displacements():
    """With a large bound SPIDER is SARAH; with a small one every step has exactly that length."""
    free = last(ridge(), SPIDER(eta=0.1, length=1e6), K=4, rounds=3)
    close(free, last(ridge(), SARAH(eta=0.1), K=4, rounds=3))
    capped = last(ridge(), SPIDER(eta=10.0, length=0.01), K=1, rounds=3)
    close(np.linalg.norm(np.diff(capped, axis=0), axis=-1), 0.01)


def test_options_are_checked():
    """A choice that does not exist is refused with the legal ones."""
    with pytest.raises(ValueError, match="scaffold: option = 'III' is not legal: I or II"):
        Scaffold(eta=0.1, option="III")
    with pytest.raises(ValueError, match="ce-lsgd: server = 'all' is not legal: client or mean"):
        CELSGD(eta=0.1, a=0.3, server="all")
