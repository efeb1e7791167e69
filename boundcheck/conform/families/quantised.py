"""Identities of FedGLOMO, FedPAQ and the methods with compressed messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import law, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.families.tracking import corrections_cancel
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import over_clients, use
from boundcheck.conform.runs.small_problems import calm, signs

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


_GLOMO = {"eta": 0.1, "beta": 0.3}


def _server_storm(r: SteppedRound) -> list[Any]:
    """Return, for K = 2 and no quantiser, the server's recursion from the gradients of the clients."""
    if r.t == 0:
        return []
    full_y, full_z = (r.problem.exact_gradient(np.repeat(p, 5, axis=1)) for p in (r.before.x, r.before.previous))
    new_y, old_y, new_z, old_z = r.seen
    D = over_clients(0.1 * full_y + 0.1 * (new_y + full_y - old_y))
    H = over_clients(0.1 * full_z + 0.1 * (new_z + full_z - old_z))
    return [(r.after.u, 0.3 * D + 0.7 * (r.before.u + D - H)), (r.after.x, r.before.x - r.after.u)]


def _heavy(r: SteppedRound) -> list[Any]:
    """Return the step: the clients' moments restart, so gradient k has the weight sum_{j <= K-1-k} mu^j."""
    K = r.oracle.K
    moved = sum((1 - 0.7 ** (K - k)) / 0.3 * over_clients(g) for k, g in enumerate(r.seen))
    return [(r.after.x, r.before.x - 0.1 * moved)]


_DESCENT = use("sgd", eta=0.1)


_MARINA = {"gamma": 0.1, "p": 0.3, "quantiser": "qsgd-1"}


QUANTISED = (
    MethodIdentity(
        "fedglomo.beta-1",
        "beta = 1, one message: FedGLOMO(eta, Q) = FedLOMO(eta, Q), coin for coin",
        same_iterates(
            use("fedglomo", eta=0.1, beta=1.0, quantiser="qsgd-2", message="one", exact_start=False),
            use("fedlomo", eta=0.1, quantiser="qsgd-2"),
        ),
        also=("fedlomo",),
    ),
    MethodIdentity(
        "fedglomo.two-messages",
        "beta = 1, two messages, Q exact: FedGLOMO(eta) = FedLOMO(eta)",
        same_iterates(use("fedglomo", eta=0.1, beta=1.0, exact_start=False), use("fedlomo", eta=0.1)),
        also=("fedlomo",),
    ),
    MethodIdentity(
        "fedglomo.messages",
        "Q exact: two messages Q(D), Q(D - H) = one message Q(D - (1-beta) H)",
        same_iterates(use("fedglomo", **_GLOMO, message="one"), use("fedglomo", **_GLOMO)),
    ),
    MethodIdentity(
        "fedglomo.naive",
        "Q exact: the rejected messages Q(D), Q(H) give the same iterates",
        same_iterates(use("fedglomo", **_GLOMO, message="naive"), use("fedglomo", **_GLOMO)),
    ),
    MethodIdentity(
        "fedglomo.recursion",
        "Q exact: u+ = beta mean_i D_i + (1-beta) (u + mean_i (D_i - H_i)), x+ = x - u+",
        law(use("fedglomo", **_GLOMO), _server_storm, K=(2,), S=ALL),
    ),
    MethodIdentity(
        "fedglomo.one-step",
        "K = 1, S = N, Q exact: FedGLOMO(eta, beta) = gradient descent(eta) for every beta",
        same_iterates(use("fedglomo", **_GLOMO), _DESCENT, against=calm, K=(1,), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "fedglomo.first-round",
        "the first round is FedAvg(eta) of all N clients with exact gradients, whatever S, Q and the noise",
        same_iterates(
            use("fedglomo", **_GLOMO, quantiser="dropout-0.1"), use("fedavg", eta=0.1), against=calm, T=1, full=True
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedglomo.damping",
        "no noise: the damping of the local corrections changes nothing",
        same_iterates(use("fedglomo", **_GLOMO, damping=0.8), use("fedglomo", **_GLOMO), on=calm),
    ),
    MethodIdentity(
        "fedlomo.common-noise",
        "noise that does not depend on x: FedLOMO sees none of it",
        same_iterates(use("fedlomo", eta=0.1), use("fedlomo", eta=0.1), on=signs, against=calm),
    ),
    MethodIdentity(
        "fedlomo.fedavg",
        "no noise, Q exact: FedLOMO(eta) = FedAvg(eta)",
        same_iterates(use("fedlomo", eta=0.1), use("fedavg", eta=0.1), on=calm),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedpaq.exact",
        "Q exact: FedPAQ(eta) = FedAvg(eta)",
        same_iterates(use("fedpaq", eta=0.1), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedpaq-m.mu-0",
        "mu = 0: FedPAQ-m(eta, Q) = FedPAQ(eta, Q), coin for coin",
        same_iterates(use("fedpaq-m", eta=0.1, mu=0.0, quantiser="qsgd-2"), use("fedpaq", eta=0.1, quantiser="qsgd-2")),
        also=("fedpaq",),
    ),
    MethodIdentity(
        "fedpaq-m.exact",
        "Q exact: FedPAQ-m(eta, mu) = FedAvg-m(eta, mu)",
        same_iterates(use("fedpaq-m", eta=0.1, mu=0.7), use("fedavg-local-m", eta=0.1, mu=0.7)),
        also=("fedavg-local-m",),
    ),
    MethodIdentity(
        "fedpaq-scm.server-0",
        "server_mu = 0: FedPAQ-scm(eta, mu, Q) = FedPAQ-m(eta, mu, Q)",
        same_iterates(
            use("fedpaq-scm", eta=0.1, mu=0.7, server_mu=0.0, quantiser="qsgd-2"),
            use("fedpaq-m", eta=0.1, mu=0.7, quantiser="qsgd-2"),
        ),
        also=("fedpaq-m",),
    ),
    MethodIdentity(
        "fedpaq-scm.server-m",
        "mu = 0, Q exact: FedPAQ-scm(eta, server_mu) = FedAvg with server momentum(server_mu)",
        same_iterates(use("fedpaq-scm", eta=0.1, mu=0.0, server_mu=0.7), use("fedavg-server-m", eta=0.1, beta=0.7)),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fedavg-local-m.pr-sgd-m",
        "FedAvg-m(eta, mu) = PR-SGD with momentum(eta, beta = mu) restarted every round",
        same_iterates(use("fedavg-local-m", eta=0.1, mu=0.7), use("pr-sgd-m", eta=0.1, beta=0.7, restart=True)),
        also=("pr-sgd-m",),
    ),
    MethodIdentity(
        "fedavg-local-m.weights",
        "x+ = x - eta sum_k (1 - mu^(K-k)) / (1 - mu) mean_i g_i(y_ik)",
        law(use("fedavg-local-m", eta=0.1, mu=0.7), _heavy),
    ),
    MethodIdentity(
        "fedcomgate.exact",
        "Q exact: FedCOMGATE(eta, gamma) = FedGATE(eta, gamma)",
        same_iterates(use("fedcomgate", eta=0.1, gamma=0.8), use("fedgate", eta=0.1, gamma=0.8)),
        also=("fedgate",),
    ),
    MethodIdentity(
        "fedcomgate.balance",
        "tracking of compressed messages: sum_i delta_i = 0",
        law(use("fedcomgate", eta=0.1, quantiser="qsgd-1"), corrections_cancel),
    ),
    MethodIdentity(
        "marina.exact",
        "Q exact: MARINA(gamma, p) = gradient descent(gamma) for every p and K",
        same_iterates(use("marina", gamma=0.1, p=0.3), _DESCENT, on=calm, K=(1,), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "marina.p-1",
        "p = 1: MARINA(gamma, Q) = gradient descent(gamma) for every Q",
        same_iterates(use("marina", gamma=0.1, p=1.0, quantiser="qsgd-1"), _DESCENT, on=calm, K=(1,), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "pp-marina.everyone",
        "S = N drawn without replacement: PP-MARINA(gamma, p, Q) = MARINA(gamma, p, Q), coin for coin",
        same_iterates(use("pp-marina", **_MARINA), use("marina", **_MARINA), K=(1,), S=ALL, T=6),
        also=("marina",),
    ),
    MethodIdentity(
        "pp-marina.tilt",
        "equal Hessians, Q exact, any S clients: PP-MARINA(gamma, p) = gradient descent(gamma)",
        same_iterates(
            use("pp-marina", gamma=0.1, p=0.3, replacement=True), _DESCENT, on=calm, K=(1,), S=(2,), T=6, full=True
        ),
        also=("sgd",),
    ),
)
