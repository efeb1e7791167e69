"""Exact identities of FedGLOMO (arXiv 2012.04061) and of the compressed methods."""

import itertools

import numpy as np
import pytest
from method_harness import drive, last
from method_problems import PlainRidge, Quadratics

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.setting import Setting
from boundcheck.methods.central import SGD
from boundcheck.methods.compressed import MARINA, PPMARINA, FedCOMGATE
from boundcheck.methods.control_variates import FedGATE
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.glomo import FedGLOMO, FedLOMO
from boundcheck.methods.local_momentum import PRSGDM
from boundcheck.methods.paq import FedAvgLocalM, FedPAQ, FedPAQM, FedPAQSCM
from boundcheck.methods.server_momentum import FedAvgServerM

SAMPLED = pytest.mark.parametrize("S", [5, 2])
STEP = {"eta": 0.1, "beta": 0.3}


def ridge(**changed):
    return PlainRidge(**{"N": 5, "d": 3, "zeta": 0.8, "sigma": 0.7, "noise": "phases", **changed})


def exact(**changed):
    return ridge(sigma=0.0, noise="none", **changed)


def close(found, expected, atol=1e-12):
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


@SAMPLED
@pytest.mark.parametrize("quantiser", ["none", "qsgd-2", "dropout-0.5"])
def test_without_momentum_fedglomo_is_fedlomo(S, quantiser):
    """At beta = 1 the one-message form sends Q(D) alone: FedLOMO, coin for coin (both quantisers are odd)."""
    lomo = last(ridge(), FedLOMO(eta=0.1, quantiser=quantiser), K=3, rounds=5, S=S)
    glomo = FedGLOMO(eta=0.1, beta=1.0, quantiser=quantiser, message="one", exact_start=False)
    close(last(ridge(), glomo, K=3, rounds=5, S=S), lomo)
    two = FedGLOMO(eta=0.1, beta=1.0, quantiser=quantiser, exact_start=False)
    rounds = 5 if quantiser == "none" else 2
    close(
        last(ridge(), two, K=3, rounds=rounds, S=S),
        last(ridge(), FedLOMO(eta=0.1, quantiser=quantiser), K=3, rounds=rounds, S=S),
    )


@SAMPLED
@pytest.mark.parametrize("message", ["one", "naive"])
def test_without_compression_all_messages_are_one(S, message):
    """With an exact quantiser the published, the one-message and the naive form have the same iterates."""
    found = last(ridge(), FedGLOMO(**STEP, message=message), K=3, rounds=5, S=S)
    close(found, last(ridge(), FedGLOMO(**STEP), K=3, rounds=5, S=S))


def test_compressed_messages_differ():
    """With a real quantiser the three forms are three methods."""
    runs = [
        last(ridge(), FedGLOMO(**STEP, message=m, quantiser="qsgd-1"), K=3, rounds=5) for m in ("two", "one", "naive")
    ]
    for a, b in itertools.combinations(runs, 2):
        assert np.abs(a - b).max() > 1e-3


@pytest.mark.parametrize("quantiser", ["none", "dropout-0.1"])
def test_the_first_round_is_exact(quantiser):
    """However few clients, however noisy and compressed, x_1 is the mean of K exact descent steps on all N clients."""
    problem = ridge()
    found = last(problem, FedGLOMO(**STEP, quantiser=quantiser), K=3, rounds=1, S=1)
    ends = []
    for i in range(5):
        y = problem.start
        for _ in range(3):
            y = y - 0.1 * problem.client(i, y)
        ends.append(y)
    close(found[1], np.broadcast_to(sum(ends) / 5, (2, 3)))


def test_the_printed_first_round_is_not():
    """The pseudocode as printed quantises the first round too."""
    found = last(ridge(), FedGLOMO(**STEP, quantiser="dropout-0.5", exact_start=False), K=3, rounds=1)
    assert np.abs(found[1] - last(ridge(), FedGLOMO(**STEP), K=3, rounds=1)[1]).max() > 1e-3


@SAMPLED
@pytest.mark.parametrize(("K", "noise"), [(1, "phases"), (4, "signs")])
def test_local_variance_reduction_can_be_perfect(S, K, noise):
    """With K = 1, or noise that is the same at all points, no noise is left in FedGLOMO and FedLOMO."""
    for method in (FedGLOMO(**STEP), FedLOMO(eta=0.1)):
        found = last(ridge(noise=noise), method, K=K, rounds=4, S=S)
        close(found, last(exact(), method, K=K, rounds=4, S=S))


def test_storm_at_the_server():
    """With K = 1, all clients and no compression u / eta is the exact gradient in every round, for every beta."""
    close(last(ridge(), FedGLOMO(**STEP), K=1, rounds=5), last(exact(), SGD(eta=0.1), K=1, rounds=5))


def test_damping_matters_only_where_there_is_noise_to_damp():
    """Without noise v is exact and stays so under damping; with noise the damped method is another one."""
    damped, plain = FedGLOMO(**STEP, damping=0.8), FedGLOMO(**STEP)
    close(last(exact(), damped, K=4, rounds=4), last(exact(), plain, K=4, rounds=4))
    assert np.abs(last(ridge(), damped, K=4, rounds=4) - last(ridge(), plain, K=4, rounds=4)).max() > 1e-3


@SAMPLED
def test_momentum_and_compression_off_is_fedavg(S):
    """FedPAQ with Q exact, FedAvg-m and FedPAQ-m at mu = 0, FedPAQ-scm at mu = server_mu = 0 are FedAvg."""
    expected = last(ridge(), FedAvg(eta=0.1), K=3, rounds=4, S=S)
    for method in (
        FedPAQ(eta=0.1),
        FedAvgLocalM(eta=0.1, mu=0.0),
        FedPAQM(eta=0.1, mu=0.0),
        FedPAQSCM(eta=0.1, mu=0.0, server_mu=0.0),
    ):
        close(last(ridge(), method, K=3, rounds=4, S=S), expected)


@SAMPLED
def test_the_ladder_of_fedpaq(S):
    """FedPAQ-scm without server momentum is FedPAQ-m, that is FedAvg-m without Q, and FedPAQ without local momentum."""
    setting = {"K": 3, "rounds": 4, "S": S}
    Q = {"eta": 0.1, "quantiser": "qsgd-2"}
    m = last(ridge(), FedPAQM(**Q, mu=0.7), **setting)
    close(last(ridge(), FedPAQSCM(**Q, mu=0.7, server_mu=0.0), **setting), m)
    close(last(ridge(), FedPAQM(**Q, mu=0.0), **setting), last(ridge(), FedPAQ(**Q), **setting))
    local = last(ridge(), FedAvgLocalM(eta=0.1, mu=0.7), **setting)
    close(last(ridge(), FedPAQM(eta=0.1, mu=0.7), **setting), local)
    server = last(ridge(), FedPAQSCM(eta=0.1, mu=0.0, server_mu=0.7), **setting)
    close(server, last(ridge(), FedAvgServerM(eta=0.1, beta=0.7), **setting))


def test_fedavg_with_local_momentum_is_restarted_pr_sgd():
    """FedAvg-m is PR-SGD with heavy-ball buffers that restart every round."""
    found = last(ridge(), FedAvgLocalM(eta=0.1, mu=0.7), K=3, rounds=4)
    close(found, last(ridge(), PRSGDM(eta=0.1, beta=0.7, restart=True), K=3, rounds=4))


@SAMPLED
@pytest.mark.parametrize("tracking", ["compressed", "raw"])
def test_without_compression_fedcomgate_is_fedgate(S, tracking):
    """With Q exact both readings are FedGATE."""
    found = last(ridge(), FedCOMGATE(eta=0.1, gamma=0.8, tracking=tracking), K=3, rounds=4, S=S)
    close(found, last(ridge(), FedGATE(eta=0.1, gamma=0.8), K=3, rounds=4, S=S))


@SAMPLED
def test_compressed_tracking_keeps_the_corrections_balanced(S):
    """The corrections sum to zero when the client uses its compressed message, and wander when it uses the raw one."""
    for _, after in drive(ridge(), FedCOMGATE(eta=0.1, quantiser="qsgd-1"), K=3, rounds=5, S=S):
        close(after.delta.sum(axis=1), 0.0, atol=1e-11)
    raw = FedCOMGATE(eta=0.1, quantiser="qsgd-1", tracking="raw")
    assert np.abs([a.delta.sum(axis=1) for _, a in drive(ridge(), raw, K=3, rounds=5, S=S)]).max() > 1e-2


@pytest.mark.parametrize("method", [MARINA(gamma=0.1, p=0.3), MARINA(gamma=0.1, p=1.0, quantiser="qsgd-1")])
def test_q11_marina_without_compression_is_gradient_descent(method):
    """Q11: with Q exact, or p = 1, MARINA is gradient descent at every K; so is PP-MARINA at p = 1."""
    descent = last(exact(), SGD(eta=0.1), K=1, rounds=6)
    close(last(ridge(), method, K=3, rounds=6), descent)
    close(last(ridge(), PPMARINA(gamma=0.1, p=1.0, quantiser="qsgd-1"), K=3, rounds=6, S=2), descent)


def test_q11_pp_marina_with_all_clients_is_marina():
    """Q11: with r = N drawn without replacement PP-MARINA is MARINA, coin for coin."""
    for quantiser in ("qsgd-1", "dropout-0.5"):
        numbers = {"gamma": 0.1, "p": 0.3, "quantiser": quantiser}
        close(last(ridge(), PPMARINA(**numbers), K=1, rounds=6), last(ridge(), MARINA(**numbers), K=1, rounds=6))


def test_pp_marina_recursion_is_exact_on_common_curvature():
    """Clients that differ by a tilt have equal gradient differences: any S of them give gradient descent."""
    descent = last(exact(), SGD(eta=0.1), K=1, rounds=6)
    for replacement in (False, True):
        close(last(ridge(), PPMARINA(gamma=0.1, p=0.3, replacement=replacement), K=1, rounds=6, S=2), descent)


class Scripted(LaneOracle):
    """An oracle whose coins are given: the first call's, then the second's."""

    script: list

    def uniform(self, *shape):
        """Return the next coins of the script in the shape asked for."""
        return np.reshape(self.script.pop(0), (1, *shape))


def test_marina_error_is_a_martingale_with_the_stated_variance():
    """Over all coins: E e+ = (1-p) e and E |e+|^2 = (1-p) (|e|^2 + (q/N) mean_i |grad f_i(x+) - grad f_i(x)|^2)."""
    problem, p, keep, N = Quadratics(N=3), 0.3, 0.6, 3
    method = MARINA(gamma=0.2, p=p, quantiser=f"dropout-{keep}")
    oracle = Scripted(problem, Setting.of(problem, K=1, T=1), seed=0, keys=[(0,)], observers=[])
    state = method.init(oracle, problem.start[None, None])
    state = state._replace(g=state.g + np.array([0.4, -0.3]))
    e = (state.g - problem.mean_gradient(state.x))[0, 0]
    mean, square = 0.0, 0.0
    for coins in itertools.product([0.0, 0.99], repeat=1 + N):
        oracle.script = [[coins[0]], list(coins[1:])]
        after = method.round(oracle, state)
        weight = (p if coins[0] < p else 1 - p) * np.prod([keep if c < keep else 1 - keep for c in coins[1:]])
        error = (after.g - problem.mean_gradient(after.x))[0, 0]
        mean, square = mean + weight * error, square + weight * (error @ error)
    change = ((after.grads - state.grads) ** 2).sum(axis=2).mean()
    close(mean, (1 - p) * e)
    close(square, (1 - p) * (e @ e + (1 / keep - 1) / N * change))


def test_options_are_checked():
    """A choice that does not exist is refused with the legal ones."""
    with pytest.raises(ValueError, match="fedglomo: message = 'three' is not legal: two, one or naive"):
        FedGLOMO(**STEP, message="three")
    with pytest.raises(ValueError, match="fedcomgate: tracking = 'none' is not legal: compressed or raw"):
        FedCOMGATE(eta=0.1, tracking="none")
    for make in (FedGLOMO, FedLOMO, FedPAQ, FedPAQM, FedPAQSCM, FedCOMGATE, MARINA, PPMARINA):
        numbers = {"gamma": 0.1, "p": 0.5} if issubclass(make, MARINA) else {"eta": 0.1}
        numbers |= {"beta": 0.5} if make is FedGLOMO else {}
        with pytest.raises(ValueError, match="quantiser = 'topk' is not legal"):
            make(**numbers, quantiser="topk")
