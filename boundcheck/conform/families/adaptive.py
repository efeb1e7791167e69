"""Identities of the methods with adaptive steps, at the server and at the clients."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import largest_deviation, law, relative_gap, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.families.proximal import slopes
from boundcheck.conform.identity import Deviation, MethodIdentity
from boundcheck.conform.runs.harness import over_clients, server_iterates, use
from boundcheck.conform.runs.small_problems import alone

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.runs.harness import SteppedRound


_SERVER = {"eta": 0.1, "gamma": 0.2, "tau": 0.3}


_LOCAL = {"eta": 0.05, "beta1": 0.6, "beta2": 0.7, "eps": 0.3}


_LARGE = 25.0
"""Above the square of every gradient of the harness."""


def _accumulates(r: SteppedRound) -> list[Any]:
    return [
        (r.after.m, -0.1 * r.oracle.K * r.gradient),
        (r.after.v, r.before.v + r.after.m**2),
        (r.after.x, r.before.x + 0.2 * r.after.m / (np.sqrt(r.after.v) + 0.3)),
    ]


def _moves(r: SteppedRound, *, yogi: bool) -> list[Any]:
    square = (0.1 * r.oracle.K * r.gradient) ** 2  # of D and not of m, which is another vector at beta1 > 0
    towards = square * np.sign(square - r.before.v) if yogi else square - r.before.v
    return [(r.after.v - r.before.v, 0.3 * towards)]


def _ams(r: SteppedRound) -> list[Any]:
    top = np.maximum(r.before.vh, r.after.v)
    D = -0.05 * r.oracle.K * r.gradient
    return [
        (r.after.v, 0.7 * r.before.v + 0.3 * D * D),
        (r.after.vh, top),
        (r.after.x, r.before.x + 0.2 * r.after.m / (np.sqrt(top) + 0.3)),
    ]


def _one_round(numbers: dict[str, Any], **more: Any) -> Callable[[], Deviation]:
    """Return the check that a round on linear clients is a step of length eta K along the mean slope."""

    def check() -> Deviation:
        problem = slopes()
        moved = server_iterates(problem, use("lafedopt", **numbers, **more), K=4, T=2)
        steps = np.diff(moved, axis=0)
        return largest_deviation([relative_gap(steps, np.full_like(steps, -0.05 * problem.pulls.mean()))])

    return check


def _alter(r: SteppedRound) -> list[Any]:
    roots = [np.sqrt(r.before.B2 + (k + 1) * 0.16) for k in range(r.oracle.K)]
    moved = sum(over_clients(g) / root for g, root in zip(r.seen, roots, strict=True))
    return [
        (r.after.x, r.before.x - 0.1 * moved),
        (r.after.B2, r.before.B2 + sum(over_clients(g * g) for g in r.seen)),
    ]


def _law_of_shared_rate(r: SteppedRound) -> list[Any]:
    g = r.seen[0]
    m = 0.6 * over_clients(r.before.m) + 0.4 * over_clients(g)
    top = np.maximum(r.before.vh, 0.7 * over_clients(r.before.v) + 0.3 * over_clients(g * g))
    return [(r.after.vh, top), (r.after.x, r.before.x - 0.05 * m / np.sqrt(top))]


def _signs(r: SteppedRound) -> list[Any]:
    return [(r.after.x, r.before.x - 0.05 * sum(over_clients(np.sign(g)) for g in r.seen))]


def _own_rates(r: SteppedRound) -> list[Any]:
    m, v, top = (r.oracle.active(memory) for memory in (r.before.m, r.before.v, r.before.vh))
    m, v = 0.6 * m + 0.4 * r.seen[0], 0.7 * v + 0.3 * r.seen[0] ** 2
    top = np.maximum(top, v)
    return [(r.after.x, r.before.x - 0.05 * over_clients(m / (np.sqrt(top) + 0.3))), (r.oracle.active(r.after.v), v)]


def _own_moments(r: SteppedRound) -> list[Any]:
    m, v = (r.oracle.active(memory) for memory in (r.before.m, r.before.v))
    pairs = [(r.oracle.active(r.after.m), 0.6 * m + 0.4 * r.seen[0])]
    return [*pairs, (r.oracle.active(r.after.v), 0.7 * v + 0.3 * r.seen[0] ** 2)]


ADAPTIVE = (
    MethodIdentity(
        "fedadam.frozen",
        "beta2 = 1: FedAdam(eta, gamma, tau, beta1) = server momentum(beta1), server step (1-beta1) gamma / (2 tau)",
        same_iterates(
            use("fedadam", **_SERVER, beta1=0.7, beta2=1.0),
            use("fedavg-server-m", eta=0.1, beta=0.7, gamma=0.3 * 0.2 / 0.6),
        ),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fedyogi.frozen",
        "beta1 = 0, beta2 = 1: FedYogi(eta, gamma, tau) = FedAvg(eta, gamma / (2 tau))",
        same_iterates(use("fedyogi", **_SERVER, beta1=0.0, beta2=1.0), use("fedavg", eta=0.1, gamma=0.2 / 0.6)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedadam.moment",
        "v+ - v = (1-beta2) (D^2 - v)",
        law(use("fedadam", **_SERVER, beta1=0.6, beta2=0.7), partial(_moves, yogi=False)),
    ),
    MethodIdentity(
        "fedyogi.moment",
        "v+ - v = (1-beta2) D^2 sign(D^2 - v)",
        law(use("fedyogi", **_SERVER, beta1=0.6, beta2=0.7), partial(_moves, yogi=True)),
    ),
    MethodIdentity(
        "fedadagrad.moment",
        "v+ = v + D^2 with D = -eta sum_k mean_i g_i, x+ = x + gamma D / (sqrt(v+) + tau)",
        law(use("fedadagrad", **_SERVER), _accumulates),
    ),
    MethodIdentity(
        "fedadagrad.scale",
        "K = 1: FedAdagrad(s eta, gamma, s tau) does not depend on s",
        same_iterates(use("fedadagrad", eta=0.2, gamma=0.2, tau=0.6), use("fedadagrad", **_SERVER), K=(1,)),
    ),
    MethodIdentity(
        "fedams.floor",
        "V1, eps >= sup D^2: FedAMS(gamma) = server momentum(beta1), server step (1-beta1) gamma / sqrt(eps)",
        same_iterates(
            use("fedams", eta=0.1, gamma=3.0, eps=_LARGE, beta1=0.7),
            use("fedavg-server-m", eta=0.1, beta=0.7, gamma=0.3 * 3.0 / 5.0),
        ),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fedams.maximum",
        "V2: v+ = beta2 v + (1-beta2) D^2, vh+ = max(vh, v+), x+ = x + gamma m+ / (sqrt(vh+) + eps)",
        law(use("fedams", **_LOCAL, gamma=0.2, version=2), _ams),
    ),
    MethodIdentity(
        "fedams.fedadam",
        "beta2 = 0, first round, from v = vh = 0 against v = 0: V2(eps = tau) = FedAdam(tau)",
        same_iterates(
            use("fedams", eta=0.1, gamma=0.2, eps=0.3, beta1=0.6, beta2=0.0, version=2),
            use("fedadam", **_SERVER, beta1=0.6, beta2=0.0),
            T=1,
        ),
        also=("fedadam",),
    ),
    MethodIdentity(
        "lafedopt.sgd",
        "SGD clients, beta1 = 0, correction 'joint': LaFedOPT(eta, gamma) = FedAvg(eta, gamma)",
        same_iterates(
            use("lafedopt", eta=0.1, eps=1.0, gamma=1.3, beta1=0.0, client="sgd"), use("fedavg", eta=0.1, gamma=1.3)
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "lafedopt.one-step",
        "K = 1, beta1 = 0, correction 'local', Adam clients: LaFedOPT(eta) = FedAvg(eta)",
        same_iterates(use("lafedopt", **{**_LOCAL, "beta1": 0.0}, correction="local"), use("fedavg", eta=0.05), K=(1,)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "lafedopt.one-client",
        "N = 1: the correction 'joint' is none",
        same_iterates(
            use("lafedopt", **_LOCAL, client="yogi"),
            use("lafedopt", **_LOCAL, client="yogi", correction="none"),
            on=alone,
            S=ALL,
        ),
    ),
    MethodIdentity(
        "lafedopt.exact-weights",
        "linear f_i, exact weights, correction 'local': x+ = x - eta mean_i a_i for every client optimiser",
        _one_round(_LOCAL, client="adagrad", correction="local", weights="exact"),
    ),
    MethodIdentity(
        "lafedopt.filtered-weights",
        "linear f_i, beta1 = 0, filtered weights, correction 'local': x+ = x - eta mean_i a_i",
        _one_round({**_LOCAL, "beta1": 0.0}, client="adam", correction="local"),
    ),
    MethodIdentity(
        "local-adaalter.step",
        "x+ = x - eta sum_k mean_i g_i / sqrt(B2 + (k+1) eps^2), B2+ = B2 + sum_k mean_i g_i^2",
        law(use("local-adaalter", eta=0.1, eps=0.4, b0=0.5), _alter),
    ),
    MethodIdentity(
        "local-adaalter.first-round",
        "eps = 0, first round: local AdaAlter(eta, b0) = FedAvg(eta / b0)",
        same_iterates(use("local-adaalter", eta=0.1, eps=0.0, b0=0.5), use("fedavg", eta=0.2), T=1),
        also=("fedavg",),
    ),
    MethodIdentity(
        "local-amsgrad.floor",
        "eps >= sup g^2, beta1 = 0: local AMSGrad(eta) = FedAvg(eta / sqrt(eps))",
        same_iterates(use("local-amsgrad", eta=0.1, eps=_LARGE, beta1=0.0), use("fedavg", eta=0.02), S=ALL),
        also=("fedavg",),
    ),
    MethodIdentity(
        "local-amsgrad.one-step",
        "K = 1: x+ = x - eta m+ / sqrt(vh+), vh+ = max(vh, v+) with the moments m+, v+ of mean_i g_i and mean_i g_i^2",
        law(use("local-amsgrad", **_LOCAL), _law_of_shared_rate, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "local-adam.signs",
        "beta1 = beta2 = eps = 0: every local step is eta sign(g)",
        law(use("local-adam", eta=0.05, beta1=0.0, beta2=0.0, eps=0.0), _signs),
    ),
    MethodIdentity(
        "local-adam.one-step",
        "K = 1, AMSGrad: x+ = x - eta mean_i m_i / (sqrt(max(vh_i, v_i)) + eps) with moments of the client's own",
        law(use("local-adam", **_LOCAL, amsgrad=True), _own_rates, K=(1,)),
    ),
    MethodIdentity(
        "local-adam.moments",
        "K = 1: m_i+ = beta1 m_i + (1-beta1) g_i, v_i+ = beta2 v_i + (1-beta2) g_i^2 of the active clients",
        law(use("local-adam", **_LOCAL), _own_moments, K=(1,)),
    ),
    MethodIdentity(
        "local-adam.first-round",
        "first round: forgetting the moments changes nothing",
        same_iterates(use("local-adam", **_LOCAL, reset=True), use("local-adam", **_LOCAL), T=1),
    ),
)
