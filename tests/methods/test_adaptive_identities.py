"""Exact relations of the server-adaptive and client-adaptive methods, and FedLALR's adaptive interval."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest
from method_harness import Record, drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.fedlalr import FedLALR
from boundcheck.methods.lafedopt import LaFedOPT
from boundcheck.methods.local_adaptive import LocalAdaAlter, LocalAdam, LocalAMSGrad
from boundcheck.methods.server_adaptive import FedAdagrad, FedAdam, FedAMS, FedYogi
from boundcheck.methods.server_momentum import FedAvgServerM

SAMPLED = pytest.mark.parametrize("S", [5, 2])
SERVER = {"eta": 0.1, "gamma": 0.2, "tau": 0.3}
LOCAL = {"eta": 0.05, "beta1": 0.6, "beta2": 0.7, "eps": 0.3}


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def slopes():
    """Return a problem whose gradients do not depend on the point: f_i is linear."""
    problem = ridge(sigma=0.0)
    problem.weight = problem.lam = 0.0
    return problem


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def apart(found, expected, least=1e-4):
    assert np.abs(found - expected).max() > least


@SAMPLED
@pytest.mark.parametrize("method", [FedAdam, FedYogi])
def test_a_frozen_second_moment_is_two_sided_fedavg_with_server_momentum(method, S):
    """At beta2 = 1 v stays tau^2: server step gamma / (2 tau), and (1 - beta1) of it with undamped momentum beta1."""
    flat = last(ridge(), method(**SERVER, beta1=0.0, beta2=1.0), K=3, rounds=4, S=S)
    close(flat, last(ridge(), FedAvg(eta=0.1, gamma=0.2 / 0.6), K=3, rounds=4, S=S))
    heavy = last(ridge(), method(**SERVER, beta1=0.7, beta2=1.0), K=3, rounds=4, S=S)
    close(heavy, last(ridge(), FedAvgServerM(eta=0.1, beta=0.7, gamma=0.3 * 0.2 / 0.6), K=3, rounds=4, S=S))


@pytest.mark.parametrize("method", [FedAdagrad, FedAdam, FedYogi])
def test_server_adaptivity_forgets_the_local_step_when_there_is_one(method):
    """At K = 1 scaling eta and tau together changes nothing; with drift (K = 3) it does."""
    for K, compare in ((1, close), (3, apart)):
        runs = [last(ridge(), method(eta=s * 0.1, gamma=0.2, tau=s * 0.3), K=K, rounds=5) for s in (1.0, 2.0)]
        compare(runs[1], runs[0])


@SAMPLED
def test_second_moments_of_the_server(S):
    """The moment is tau^2 + sum D^2 (Adagrad), an average (Adam), or moves by (1 - beta2) D^2 towards D^2 (Yogi)."""
    total = 0.09
    for _, after in drive(ridge(), FedAdagrad(**SERVER), K=3, rounds=5, S=S):
        total = total + after.m**2
        close(after.v, total)
    for method in (FedAdam, FedYogi):
        for before, after in drive(ridge(), method(**SERVER, beta1=0.0, beta2=0.7), K=3, rounds=5, S=S):
            square = after.m**2
            moved = after.v - before.v
            close(moved, 0.3 * (square - before.v) if method is FedAdam else 0.3 * square * np.sign(square - before.v))
            assert (after.v >= 0).all()


def started(method, **values):
    """Return the method with some parts of its initial state replaced by constants."""

    class Started(type(method)):
        def init(self, oracle, x0):
            return super().init(oracle, x0)._replace(**{name: 0.0 * x0 + value for name, value in values.items()})

    return Started(**{entry.name: getattr(method, entry.name) for entry in dataclasses.fields(method)})


def test_fedams_may_as_well_start_at_its_floor():
    """V1 with vh started at eps is V1."""
    method = FedAMS(eta=0.1, gamma=0.2, eps=0.01)
    close(last(ridge(), started(method, vh=0.01), K=3, rounds=5), last(ridge(), method, K=3, rounds=5), atol=0)


def test_fedams_below_its_floor_is_server_momentum():
    """V1 with eps >= sup D^2 keeps vh = eps: server EMA momentum with step gamma / sqrt(eps)."""
    method = FedAMS(eta=0.1, gamma=3.0, eps=25.0, beta1=0.7)
    for _, after in drive(ridge(), method, K=3, rounds=5):
        close(after.vh, 25.0, atol=0)
    expected = FedAvgServerM(eta=0.1, beta=0.7, gamma=0.3 * 3.0 / 5.0)
    close(last(ridge(), method, K=3, rounds=5), last(ridge(), expected, K=3, rounds=5))


def test_fedams_is_fedadam_while_the_second_moment_grows():
    """V2 from v = vh = tau^2 is FedAdam as long as v never falls, and differs from the round after it did."""
    numbers = {"eta": 0.1, "gamma": 0.05, "beta1": 0.6, "beta2": 0.7}
    adam = list(drive(ridge(), FedAdam(**numbers, tau=0.01), K=3, rounds=40, lanes=1))
    falls = next(r for r, (before, after) in enumerate(adam) if (after.v < before.v).any())
    assert 1 <= falls < 39
    ams = list(
        drive(ridge(), started(FedAMS(**numbers, eps=0.01, version=2), v=1e-4, vh=1e-4), K=3, rounds=40, lanes=1)
    )
    for r in range(falls):
        close(ams[r][1].x, adam[r][1].x)
    apart(ams[falls][1].x, adam[falls][1].x, least=1e-8)


@pytest.mark.parametrize("version", [1, 2])
def test_fedams_keeps_the_maximum(version):
    """Vh never falls although v does."""
    states = [after for _, after in drive(ridge(), FedAMS(**LOCAL, gamma=0.1, version=version), K=3, rounds=30)]
    assert all((b.vh >= a.vh).all() for a, b in pairwise(states))
    assert any((b.v < a.v).any() for a, b in pairwise(states))


@SAMPLED
@pytest.mark.parametrize("weights", ["filtered", "exact"])
def test_lafedopt_with_sgd_clients_is_fedavg(S, weights):
    """SGD clients: 'joint' and 'none' are FedAvg, 'local' is FedAvg with gamma / K."""
    for correction, gamma in (("joint", 1.3), ("none", 1.3), ("local", 1.3 / 3)):
        method = LaFedOPT(eta=0.1, eps=1.0, gamma=1.3, beta1=0.0, client="sgd", correction=correction, weights=weights)
        close(
            last(ridge(), method, K=3, rounds=4, S=S), last(ridge(), FedAvg(eta=0.1, gamma=gamma), K=3, rounds=4, S=S)
        )


@pytest.mark.parametrize("client", ["adam", "yogi", "adagrad"])
def test_lafedopt_with_one_client_needs_no_joint_correction(client):
    """With equal A_i the joint correction is none."""
    runs = [
        last(ridge(N=1, zeta=0.0), LaFedOPT(**LOCAL, client=client, correction=c), K=3, rounds=4)
        for c in ("joint", "none")
    ]
    close(*runs)


@pytest.mark.parametrize("client", ["adam", "yogi", "adagrad"])
def test_lafedopt_with_one_step_undoes_the_preconditioner(client):
    """K = 1, beta1 = 0: 'local' is minibatch SGD whatever the client, 'joint' is scaled by the harmonic mean of P."""
    numbers = {**LOCAL, "beta1": 0.0, "client": client}
    sgd = last(ridge(), FedAvg(eta=0.05), K=1, rounds=4)
    close(last(ridge(), LaFedOPT(**numbers, correction="local"), K=1, rounds=4), sgd)
    record = Record(problem := ridge())
    found = last(problem, LaFedOPT(**numbers, correction="joint"), K=1, rounds=1)
    g = record.values[0]
    root = np.abs(g) * (math.sqrt(0.3) if client == "adam" else math.sqrt(0.3) if client == "yogi" else 1.0)
    close(found[1] - found[0], -0.05 * g.mean(axis=1) / (root + 0.3).mean(axis=1))


@pytest.mark.parametrize("client", ["adam", "yogi", "adagrad"])
def test_lafedopt_exact_weights_are_those_of_the_gradients(client):
    """On linear f_i the exact A_i turn every client into plain SGD; the filtered ones do so only at beta1 = 0."""
    plain = slopes().start - 0.05 * slopes().tilts.mean(axis=0)
    for beta1, weights, compare in ((0.6, "exact", close), (0.0, "filtered", close), (0.6, "filtered", apart)):
        method = LaFedOPT(**{**LOCAL, "beta1": beta1}, client=client, correction="local", weights=weights)
        problem = slopes()
        problem.tilts = problem.tilts + 0.3
        compare(last(problem, method, K=4, rounds=1)[1, 0], plain - 0.05 * 0.3)


def test_adaalter_starts_as_fedavg():
    """In the first round with eps = 0 the denominator is b0: FedAvg with step eta / b0; then it grows."""
    method = LocalAdaAlter(eta=0.1, eps=0.0, b0=0.5)
    record = Record(problem := ridge())
    (before, after), (_, later) = drive(problem, method, K=3, rounds=2)
    close(after.x[:, 0], last(ridge(), FedAvg(eta=0.2), K=3, rounds=2)[1])
    close(after.B2 - before.B2, sum(g**2 for g in record.values[:3]).mean(axis=1, keepdims=True))
    assert (later.B2 > after.B2).all()


def test_adaalter_at_one_local_step_adds_the_square_after_the_step():
    """K = 1: x - eta mean g / sqrt(B2 + eps^2), then B2 + mean g_i^2."""
    record = Record(problem := ridge())
    for r, (before, after) in enumerate(drive(problem, LocalAdaAlter(eta=0.1, eps=0.4), K=1, rounds=4)):
        g = record.values[r]
        close(after.x, before.x - 0.1 * g.mean(axis=1, keepdims=True) / np.sqrt(before.B2 + 0.16))
        close(after.B2, before.B2 + (g * g).mean(axis=1, keepdims=True))


def test_adaalter_counts_the_squares_that_are_not_averaged_yet():
    """One client, one round: y_K = y_0 - eta sum_k g_k / sqrt(b0^2 + (k+1) eps^2)."""
    record = Record(problem := ridge(N=1, zeta=0.0))
    path = last(problem, LocalAdaAlter(eta=0.1, eps=0.4, b0=0.5), K=4, rounds=1)
    moved = sum(g[:, 0] / math.sqrt(0.25 + (k + 1) * 0.16) for k, g in enumerate(record.values))
    close(path[1], path[0] - 0.1 * moved)


def test_local_amsgrad_under_a_large_rate_is_fedavg():
    """With eps >= sup g^2 and beta1 = 0 it is FedAvg with step eta / sqrt(eps), as FedLALR is from the same vh."""
    expected = last(ridge(), FedAvg(eta=0.1 / 5.0), K=3, rounds=4)
    close(last(ridge(), LocalAMSGrad(eta=0.1, eps=25.0, beta1=0.0), K=3, rounds=4), expected)
    close(last(ridge(), FedLALR(eta=0.1, eps=5.0, beta1=0.0), K=3, rounds=4), expected)


def test_local_amsgrad_at_one_local_step_averages_the_squares():
    """K = 1: AMSGrad on the mean gradient with the mean of the squares, which is not the square of the mean."""
    record = Record(problem := ridge())
    m, v, top = 0.0, 0.0, 0.3
    for r, (before, after) in enumerate(drive(problem, LocalAMSGrad(**LOCAL), K=1, rounds=5)):
        g = record.values[r]
        m = 0.6 * m + 0.4 * g.mean(axis=1, keepdims=True)
        v = 0.7 * v + 0.3 * (g * g).mean(axis=1, keepdims=True)
        top = np.maximum(top, v)
        close(after.x, before.x - 0.05 * m / np.sqrt(top))
        close(after.vh, top)


@pytest.mark.parametrize(("moment", "compare"), [("v", close), ("m", apart)])
def test_local_amsgrad_sees_the_second_moments_only_through_their_mean(moment, compare):
    """Clients may as well restart v_i from the mean after every round; restarting m_i from theirs is another method."""

    class Restarted(LocalAMSGrad):
        def round(self, oracle, state):
            after = super().round(oracle, state)
            return after._replace(**{moment: oracle.to_clients(oracle.mean(getattr(after, moment)))})

    compare(last(ridge(), Restarted(**LOCAL), K=3, rounds=6), last(ridge(), LocalAMSGrad(**LOCAL), K=3, rounds=6))


def test_local_amsgrad_and_fedlalr_are_one_method_on_one_machine_without_memory_of_squares():
    """N = K = 1, beta2 = 0: both divide by max(eps, |g_1|, ..., |g_t|), so FedLALR's reset of V does not matter."""
    numbers = {"eta": 0.05, "beta1": 0.6, "beta2": 0.0}
    shared = last(ridge(N=1, zeta=0.0), LocalAMSGrad(**numbers, eps=0.09), K=1, rounds=8)
    close(last(ridge(N=1, zeta=0.0), FedLALR(**numbers, eps=0.3), K=1, rounds=8), shared)
    own = [last(ridge(), m, K=1, rounds=8) for m in (LocalAMSGrad(**numbers, eps=0.09), FedLALR(**numbers, eps=0.3))]
    apart(*own)


def test_naive_local_amsgrad_stalls_where_the_scaled_gradients_cancel():
    """Without noise it ends at sum_i grad f_i / sqrt(vh_i) = 0, away from the minimiser by far more than FedAvg."""
    problem = Quadratics(N=2)
    method = LocalAdam(eta=0.002, beta1=0.0, beta2=0.5, eps=1e-9, amsgrad=True)
    *_, (_, end) = drive(problem, method, K=2, rounds=6000, lanes=1)
    gradients = problem.exact_gradient(np.repeat(end.x, 2, axis=1))
    close((gradients / np.sqrt(end.vh)).mean(axis=1), 0.0, atol=2e-3)
    assert np.abs(gradients.mean(axis=1)).max() > 0.05


def test_naive_local_adam_with_resets_has_no_memory():
    """With resets, beta1 = beta2 = 0 and no eps every local step is a sign step, and so it is without resets."""
    signs = {"eta": 0.05, "beta1": 0.0, "beta2": 0.0, "eps": 0.0}
    record = Record(problem := ridge())
    path = last(problem, LocalAdam(**signs, reset=True), K=3, rounds=1)
    close(path[1] - path[0], -0.05 * sum(np.sign(g) for g in record.values).mean(axis=1))
    close(
        last(ridge(), LocalAdam(**signs), K=3, rounds=4), last(ridge(), LocalAdam(**signs, reset=True), K=3, rounds=4)
    )
    both = [last(ridge(), LocalAdam(**LOCAL, reset=reset), K=3, rounds=4) for reset in (False, True)]
    close(both[0][1], both[1][1])
    apart(*both)


def test_adaptive_interval_has_the_printed_lengths():
    """(K_init, K_alpha) = (4, 2) has 10 steps in rounds 64 to 100; (3, 4) has 519 in rounds 1 to 100 and 6 at most."""
    doubling, slow = (FedLALR(eta=0.1, growth=growth) for growth in (2, 4))
    assert {doubling.steps(4, t) for t in range(64, 101)} == {10}
    assert doubling.steps(4, 63) == 9
    lengths = [slow.steps(3, t) for t in range(1, 101)]
    assert (sum(lengths), lengths[0], lengths[-1], max(lengths)) == (519, 3, 6, 6)
    for growth in (2, 3, 5, 10):
        method = FedLALR(eta=0.1, growth=growth)
        for power in range(1, 20):
            assert method.steps(1, growth**power) == 1 + power
            assert method.steps(1, growth**power - 1) == power


def test_adaptive_interval_is_spent_and_measured():
    """A run spends N sum_t K_t gradients; the average over local steps is over all of them; slow growth is none."""
    problem, method = ridge(), FedLALR(eta=0.1, growth=2)
    run = simulate(problem, method, K=2, T=9, lanes=2, metrics=("local_gradient",))
    assert run.gradients == 5 * (2 + 2 * 3 + 4 * 4 + 2 * 5)
    record = Record(watched := ridge(sigma=0.0))
    run = simulate(watched, method, K=2, T=4, lanes=1, metrics=("local_gradient",))
    points = record.points
    squares = [
        float(problem.mean_gradient(p[:, None]).ravel() @ problem.mean_gradient(p[:, None]).ravel()) for p in points
    ]
    assert len(points) == 2 + 3 + 3 + 4
    assert run.average("local_gradient")[0] == pytest.approx(np.mean(squares), rel=1e-12)
    close(last(ridge(), FedLALR(eta=0.1, growth=7), K=2, rounds=6), last(ridge(), FedLALR(eta=0.1), K=2, rounds=6), 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FedLALR(eta=0.1, growth=1), "fedlalr: growth = 1 .* integer >= 2"),
        (lambda: FedAMS(eta=0.1, gamma=1.0, eps=1.0, version=3), "fedams: version = 3 .* 1 or 2"),
        (lambda: LaFedOPT(eta=0.1, eps=1.0, client="sgdm"), "lafedopt: client = 'sgdm' .* adagrad"),
        (lambda: LaFedOPT(eta=0.1, eps=1.0, correction="global"), "lafedopt: correction = 'global' .* joint"),
        (lambda: LaFedOPT(eta=0.1, eps=1.0, weights="code"), "lafedopt: weights = 'code' .* filtered or exact"),
    ],
)
def test_options_that_are_not_legal_are_named(make, message):
    """A wrong option is refused with its name, its value and what would be legal."""
    with pytest.raises(InputError, match=message):
        make()
