"""Identities of FedLALR; P numbers those of its paper's specification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import largest_deviation, law, relative_gap, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import Deviation, MethodIdentity
from boundcheck.conform.runs.harness import harness_rounds, over_clients, use
from boundcheck.conform.runs.small_problems import alone
from boundcheck.problems.synthetic.ridge_shift import ShiftRidge

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.runs.harness import SteppedRound


_STEP = {"eta": 0.1, "beta1": 0.5, "beta2": 0.5, "eps": 0.1}


_LARGE = 25.0
"""Above the square of every gradient of the harness."""


_GOLDEN = {
    "average": (1.666429512151, (0.438925200496 + 0.313524237854) / 2, (0.208987620386 + 0.130503061116) / 2),
    "restart": (1.723528145551, (0.366432139139 + 0.236426034878) / 2, (0.211663495744 + 0.130503061116) / 2),
    "max": (1.685927481257, (0.439482253512 + 0.312883886831) / 2, 0.224237299089),
}
"""x, m, vh after two rounds of two steps from x = 2, step .1, weights .5, eps .1, worked out by scalar code."""


_VARIANTS: dict[str, dict[str, Any]] = {"average": {}, "restart": {"restart": True}, "max": {"sync": "max"}}


def _golden(variant: str) -> Callable[[], Deviation]:
    def check() -> Deviation:
        problem = ShiftRidge(N=2, d=1, link="log", weight=0.5, shift=1.0, start=2.0, noise="none")
        *_, last = harness_rounds(problem, use("fedlalr", **_STEP, **_VARIANTS[variant]), K=2, T=2, lanes=1)
        end = last.after
        return largest_deviation([relative_gap([end.x.item(), end.m.item(), end.vh.item()], _GOLDEN[variant])], 2e-12)

    return check


def _large_only(r: SteppedRound) -> list[Any]:
    highest = np.maximum(r.before.vh, np.max([g * g for g in r.seen], axis=(0, 2))[:, None])
    floor = np.maximum(r.before.vh, r.after.vh)
    return [(np.minimum(r.after.vh, highest), r.after.vh), (floor, r.after.vh)]


def _grows(r: SteppedRound) -> list[Any]:
    """Return the law of one step on one client: Vh is max(vh, beta2 vh + (1-beta2) g^2), never below the old one."""
    square = r.seen[0] ** 2
    return [(r.after.vh, np.maximum(r.before.vh, 0.5 * r.before.vh + 0.5 * square))]


def _amsgrad(r: SteppedRound) -> list[Any]:
    """Return AMSGrad's steps with v restarted from vh at the start of a round."""
    x, m, v, top = r.before.x, r.before.m, r.before.vh, r.before.vh
    for g in r.seen:
        m, v = 0.5 * m + 0.5 * g, 0.5 * v + 0.5 * g * g
        top = np.maximum(top, v)
        x = x - 0.1 * m / np.sqrt(top)
    return [(r.after.x, x), (r.after.vh, top), (r.after.m, m)]


def _law_of_synchronisation(sync: str) -> Callable[[SteppedRound], list[Any]]:
    """Return the second moments of a round from its gradients, averaged or maximised over clients."""

    def equations(r: SteppedRound) -> list[Any]:
        v = top = np.broadcast_to(r.before.vh, r.seen[0].shape)
        for g in r.seen:
            v = 0.5 * v + 0.5 * g * g
            top = np.maximum(top, v)
        vh = over_clients(top) if sync == "average" else top.max(axis=1, keepdims=True)
        return [(r.after.vh, vh), (np.maximum(r.before.vh, vh), vh)]

    return equations


def _frozen(r: SteppedRound) -> list[Any]:
    return [(r.after.vh, np.full_like(r.after.vh, _LARGE))]


FEDLALR = (
    MethodIdentity(
        "fedlalr.P1",
        "vh+ <= max(vh, max_ik g_i(y_ik)^2), and vh+ >= vh",
        law(use("fedlalr", **_STEP), _large_only),
    ),
    MethodIdentity(
        "fedlalr.P1-step",
        "N = K = 1: vh grows exactly where g^2 > vh, to beta2 vh + (1-beta2) g^2",
        law(use("fedlalr", **_STEP), _grows, on=alone, K=(1,), S=ALL, T=8),
    ),
    MethodIdentity(
        "fedlalr.P2",
        "eps >= sup |g|, beta1 = 0: FedLALR(eta, eps) = FedAvg(eta / eps)",
        same_iterates(use("fedlalr", eta=0.1, eps=5.0, beta1=0.0), use("fedavg", eta=0.02)),
        also=("fedavg",),
    ),
    MethodIdentity(
        "fedlalr.P2-frozen",
        "eps >= sup |g|: vh = eps^2 for ever, in both synchronisations",
        law(use("fedlalr", eta=0.1, eps=5.0, sync="max"), _frozen),
    ),
    MethodIdentity(
        "fedlalr.P3",
        "N = 1: AMSGrad with v restarted from vh at every synchronisation, vh_0 = eps^2",
        law(use("fedlalr", **_STEP), _amsgrad, on=alone, K=(1, 4), S=ALL),
    ),
    MethodIdentity(
        "fedlalr.P4",
        "sync='average': vh+ = mean_i Vh_i >= vh",
        law(use("fedlalr", **_STEP), _law_of_synchronisation("average")),
    ),
    MethodIdentity(
        "fedlalr.P4-max",
        "sync='max': vh+ = max_i Vh_i >= vh",
        law(use("fedlalr", **_STEP, sync="max"), _law_of_synchronisation("max")),
    ),
    *(
        MethodIdentity(
            f"fedlalr.golden-{variant}",
            f"log(1 + (x -+ 1)^2)/2, K = T = 2, {variant}: x, m, vh = {x:.12f}, {m:.12f}, {vh:.12f}",
            _golden(variant),
        )
        for variant, (x, m, vh) in _GOLDEN.items()
    ),
    MethodIdentity(
        "fedlalr.growth",
        "a base of the adaptive interval above T changes nothing",
        same_iterates(use("fedlalr", **_STEP, growth=7), use("fedlalr", **_STEP)),
    ),
    MethodIdentity(
        "fedlalr.local-amsgrad",
        "N = K = 1, beta2 = 0: FedLALR(eps) = local AMSGrad(eps^2)",
        same_iterates(
            use("fedlalr", eta=0.05, beta1=0.6, beta2=0.0, eps=0.3),
            use("local-amsgrad", eta=0.05, beta1=0.6, beta2=0.0, eps=0.09),
            on=alone,
            K=(1,),
            S=ALL,
            T=8,
        ),
        also=("local-amsgrad",),
    ),
)
