"""Identities of the momentum, proximal, normalised and dual methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import ends_at, law, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import over_clients, use
from boundcheck.conform.runs.small_problems import alone
from boundcheck.problems.synthetic.constant import ConstantClients

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound
    from boundcheck.problems.base import Array


HEAVY: dict[str, Any] = {"eta": 0.1, "beta": 0.6, "gamma": 0.8}


_NESTEROV = {"eta": 0.1, "beta": 0.6, "nesterov": True}


def _heavy_ball(r: SteppedRound) -> list[Any]:
    D = -0.1 * r.oracle.K * r.gradient
    velocity = 0.6 * r.before.v - D
    return [(r.after.v, velocity), (r.after.x, r.before.x + 0.8 * D - 0.8 * 0.6 * r.before.v)]


def _lookahead(r: SteppedRound) -> list[Any]:
    fast = r.before.x - 0.1 * r.oracle.K * r.gradient
    return [(r.after.x, 0.7 * r.before.x + 0.3 * fast)]


def _averages(r: SteppedRound) -> list[Any]:
    x, u = r.before.x, r.before.u
    for g in r.seen:
        u = 0.6 * u + over_clients(g)
        x = x - 0.1 * (0.6 * u + over_clients(g))
    return [(r.after.x, x), (r.after.u, u)]


def _law_of_proximal_steps(r: SteppedRound) -> list[Any]:
    K = r.oracle.K
    moved = sum(0.91 ** (K - 1 - k) * over_clients(g) for k, g in enumerate(r.seen))
    return [(r.after.x, r.before.x - 0.1 * moved)]


def slopes() -> ConstantClients:
    """Return five linear clients."""
    return ConstantClients(N=5, d=3, majority=0.3, minority=-0.4, noise="none")


def _weights(r: SteppedRound) -> list[Any]:
    steps = [1 + i * (r.oracle.K - 1) // 4 for i in range(5)]
    norms = [sum((1 - 0.035) ** (k - 1 - j) * (1 - 0.8 ** (j + 1)) / 0.2 for j in range(k)) for k in steps]
    slope: Array = r.problem.pulls.mean()
    return [(r.after.x, r.before.x - 0.05 * np.mean(norms) * slope)]


def _dual_mean(r: SteppedRound) -> list[Any]:
    moved = (r.after.l_i - r.before.l_i) / -0.9
    active = r.oracle.active(moved)
    return [
        (r.after.h, over_clients(r.after.l_i)),
        (r.after.x, r.before.x + over_clients(active) - r.after.h / 0.9),
    ]


def _targets(r: SteppedRound) -> list[Any]:
    return [(r.after.x, over_clients(r.after.y + 0.8 * r.after.dual))]


PROXIMAL = (
    MethodIdentity(
        "fedavg-server-m.recursion",
        "v+ = beta v - (mean_i y_i - x), x+ = x - gamma v+: no factor 1-beta",
        law(use("fedavg-server-m", **HEAVY), _heavy_ball),
    ),
    MethodIdentity(
        "fedavg-server-m.beta-0",
        "beta = 0: FedAvg with server momentum = FedAvg(eta, gamma)",
        same_iterates(use("fedavg-server-m", eta=0.1, beta=0.0, gamma=0.8), use("fedavg", eta=0.1, gamma=0.8)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "slowmo.server-m",
        "constant eta: SlowMo(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(use("slowmo", **HEAVY), use("fedavg-server-m", **HEAVY)),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "slowmo.lookahead",
        "N = 1, beta = 0: x+ = (1-gamma) x + gamma y_K",
        law(use("slowmo", eta=0.1, beta=0.0, gamma=0.3), _lookahead, on=alone, S=ALL),
    ),
    MethodIdentity(
        "pr-sgd-m.averages",
        "averages of y_i, u_i follow u <- beta u + G, y <- y - eta (beta u + G) with the mean gradients G (Nesterov)",
        law(use("pr-sgd-m", **_NESTEROV), _averages),
    ),
    MethodIdentity(
        "pr-sgd-m.one-step",
        "K = 1: PR-SGD with momentum(eta, beta) = FedAvg with server momentum(beta), gamma = 1",
        same_iterates(use("pr-sgd-m", eta=0.1, beta=0.6), use("fedavg-server-m", eta=0.1, beta=0.6), K=(1,)),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "pr-sgd-m.beta-0",
        "beta = 0: PR-SGD with momentum = FedAvg(eta)",
        same_iterates(use("pr-sgd-m", eta=0.1, beta=0.0), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedprox.rho-0",
        "rho = 0: FedProx(eta) = FedAvg(eta)",
        same_iterates(use("fedprox", eta=0.1, rho=0.0), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedprox.weights",
        "x+ = x - eta sum_k (1 - eta rho)^(K-1-k) mean_i g_i(y_ik)",
        law(use("fedprox", eta=0.1, rho=0.9), _law_of_proximal_steps),
    ),
    MethodIdentity(
        "fedprox-m.beta-0",
        "beta = 0, gamma = 1: FedProxM(eta, rho) = FedProx(eta, rho)",
        same_iterates(use("fedprox-m", eta=0.1, rho=0.9, beta=0.0), use("fedprox", eta=0.1, rho=0.9)),
        also=("fedprox",),
    ),
    MethodIdentity(
        "fedprox-m.rho-0",
        "rho = 0: FedProxM(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(use("fedprox-m", **HEAVY, rho=0.0), use("fedavg-server-m", **HEAVY)),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "fednova.equal-K",
        "K_i = K: FedNova(eta) = FedAvg(eta)",
        same_iterates(use("fednova", eta=0.1), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fednova.equal-K-heavy",
        "K_i = K: FedNova(eta, beta) = PR-SGD with momentum(eta, beta) restarted every round",
        same_iterates(use("fednova", eta=0.1, beta=0.6), use("pr-sgd-m", eta=0.1, beta=0.6, restart=True)),
        also=("pr-sgd-m",),
    ),
    MethodIdentity(
        "fednova.equal-K-prox",
        "K_i = K: FedNova(eta, rho) = FedProx(eta, rho)",
        same_iterates(use("fednova", eta=0.1, rho=0.9), use("fedprox", eta=0.1, rho=0.9)),
        also=("fedprox",),
    ),
    MethodIdentity(
        "fednova.weights",
        "linear f_i: x+ = x - eta mean_i n_i mean_i a_i, n_i = sum_j (1-eta rho)^(K_i-1-j) (1-beta^(j+1)) / (1-beta)",
        law(use("fednova", eta=0.05, beta=0.8, rho=0.7, fewest=1), _weights, on=slopes, K=(7,), S=ALL),
    ),
    MethodIdentity(
        "feddyn.dual-mean",
        "h = (1/N) sum_i l_i over all N clients and x+ = mean_i y_i - h / alpha",
        law(use("feddyn", eta=0.1, alpha=0.9), _dual_mean),
    ),
    MethodIdentity(
        "feddyn.minimiser",
        "no noise: x_oo is the minimiser, also for few inexact local steps and S < N",
        ends_at(use("feddyn", eta=0.2, alpha=1.0), S=(None, 2), T=800),
    ),
    MethodIdentity(
        "fedpd.feddyn",
        "S = N, skip = 0, cold start: FedPD(eta, eta_pd) = FedDyn(eta, alpha = 1 / eta_pd)",
        same_iterates(use("fedpd", eta=0.1, eta_pd=0.8, warm=False), use("feddyn", eta=0.1, alpha=1.25), S=ALL),
        also=("feddyn",),
    ),
    MethodIdentity(
        "fedpd.target",
        "skip = 0: x+ = mean_i (y_i + eta_pd dual_i)",
        law(use("fedpd", eta=0.1, eta_pd=0.8), _targets, S=ALL),
    ),
    MethodIdentity(
        "fedpd.minimiser",
        "skip = 0, no noise: x_oo is the minimiser",
        ends_at(use("fedpd", eta=0.2, eta_pd=0.8), T=500),
    ),
)
