"""Identities of gradient tracking (FedGATE, VRL-SGD, LED) and of the Mime family."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import ends_at, law, same_iterates, stays_at_zero
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import method, use
from boundcheck.conform.runs.small_problems import alike, alone, calm, curved_clients

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


def corrections_cancel(r: SteppedRound) -> list[Any]:
    """Return that the corrections of all clients add up to 0."""
    total = r.after.delta.sum(axis=1)
    return [(total, 0.0 * total)]


_Q1 = {"eta": 0.1}


_ORIGIN = partial(curved_clients, start=0.0)


def _momentum_error(r: SteppedRound) -> list[Any]:
    first = r.problem.mean_gradient(np.broadcast_to(r.problem.start, r.before.x.shape))
    return [(r.after.g - r.problem.mean_gradient(r.before.x), -(0.7 ** (r.t + 1)) * first)]


TRACKING = (
    MethodIdentity(
        "fedgate.scaffold",
        "S = N: FedGATE(eta, gamma) = SCAFFOLD(eta, gamma, option II) from zero",
        same_iterates(use("fedgate", eta=0.1, gamma=1.4), use("scaffold", eta=0.1, gamma=1.4), S=ALL),
        also=("scaffold",),
    ),
    MethodIdentity(
        "fedgate.balance",
        "sum_i delta_i = 0 (S < N too)",
        law(use("fedgate", eta=0.1, gamma=1.6), corrections_cancel),
    ),
    MethodIdentity(
        "vrl-sgd.fedgate",
        "VRL-SGD(eta) = FedGATE(eta, gamma = 1)",
        same_iterates(use("vrl-sgd", **_Q1), use("fedgate", **_Q1), S=ALL),
        also=("fedgate",),
    ),
    MethodIdentity(
        "led.vrl-sgd",
        "LED(eta, beta = 1/K) = VRL-SGD(eta)",
        same_iterates(lambda K: method("led", eta=0.1, beta=1 / K), use("vrl-sgd", **_Q1), S=ALL),
        also=("vrl-sgd",),
    ),
    MethodIdentity(
        "vrl-sgd.one-client",
        "N = 1: VRL-SGD(eta) = SGD(eta)",
        same_iterates(use("vrl-sgd", **_Q1), use("sgd", **_Q1), on=alone, S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "led.F3",
        "no noise, any beta: x_oo is the minimiser",
        ends_at(use("led", eta=0.1, beta=0.3), T=500),
    ),
    MethodIdentity(
        "led.alike",
        "equal clients, no noise: LED(eta, beta) = FedAvg(eta)",
        same_iterates(use("led", eta=0.1, beta=0.4), use("fedavg", eta=0.1), on=alike, S=ALL),
        also=("fedavg",),
    ),
    MethodIdentity(
        "mimelite.beta-0",
        "beta = 0: MimeLite(eta) = FedAvg(eta)",
        same_iterates(use("mimelite", eta=0.1, beta=0.0), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "mimelite-mvr.a-1",
        "a = 1: MimeLiteMVR(eta) = FedAvg(eta)",
        same_iterates(use("mimelite-mvr", eta=0.1, a=1.0), use("fedavg", eta=0.1)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "mime-mvr.a-1",
        "a = 1: MimeMVR(eta) = Mime(eta, beta = 0)",
        same_iterates(use("mime-mvr", eta=0.1, a=1.0), use("mime", eta=0.1, beta=0.0)),
        also=("mime",),
    ),
    MethodIdentity(
        "mime.alike",
        "equal clients, no noise: Mime = MimeLite",
        same_iterates(use("mime", eta=0.1, beta=0.6), use("mimelite", eta=0.1, beta=0.6), on=alike, S=ALL),
        also=("mimelite",),
    ),
    MethodIdentity(
        "mime.one-step",
        "K = 1, no noise: x+ = x - eta s+ with s+ = (1-beta) mean_i grad f_i(x) + beta s",
        law(use("mime", eta=0.1, beta=0.6), lambda r: [(r.after.x, r.before.x - 0.1 * r.after.s)], on=calm, K=(1,)),
    ),
    MethodIdentity(
        "mime.rest",
        "no noise, S = N: the minimiser of f does not move",
        stays_at_zero(use("mime", eta=0.1, beta=0.6), on=_ORIGIN),
    ),
    MethodIdentity(
        "mime-mvr.rest",
        "no noise, S = N: the minimiser of f does not move",
        stays_at_zero(use("mime-mvr", eta=0.1, a=0.3), on=_ORIGIN),
    ),
    MethodIdentity(
        "mimelite-mvr.memory",
        "S = N: m - grad f(x_t) = -(1-a)^(t+1) grad f(x_0) after round t",
        law(use("mimelite-mvr", eta=0.1, a=0.3), _momentum_error, S=ALL),
    ),
    MethodIdentity(
        "mime-mvr.memory",
        "S = N: m - grad f(x_t) = -(1-a)^(t+1) grad f(x_0) after round t",
        law(use("mime-mvr", eta=0.1, a=0.3), _momentum_error, S=ALL),
    ),
)
