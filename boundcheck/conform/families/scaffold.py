"""Identities of SCAFFOLD, SCAFFOLD-M and SCAFFOLD-M-VR (the letters I and F number those of momentum-fl)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import LIMIT, ends_at, law, same_iterates
from boundcheck.conform.families.momentum import ALL, STEP, large_batch, use_rescaled
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import method, over_clients, use
from boundcheck.conform.runs.small_problems import alike, calm, noisy

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


def _server_variate(r: SteppedRound) -> list[Any]:
    return [(r.after.c, over_clients(r.after.c_i))]


def _law_of_variates(r: SteppedRound) -> list[Any]:
    return [(r.oracle.active(r.after.c_i), r.own)]


def _scaffold_m(r: SteppedRound) -> list[Any]:
    S = r.oracle.S
    moved = (r.after.c_i - r.before.c_i).sum(axis=1, keepdims=True) / S
    direction = 0.3 * (moved + r.before.c) + 0.7 * r.before.g
    return [(r.after.g, direction), (r.after.x, r.before.x - 0.4 * r.after.g)]


def _from_directions(r: SteppedRound) -> list[Any]:
    share = r.oracle.S / r.oracle.N
    return [(r.after.c, (1 - share) * r.before.c + share * (r.after.g - 0.7 * r.before.g) / 0.3)]


def _scaffold_m_vr(r: SteppedRound) -> list[Any]:
    fresh, old = np.mean(r.seen[0::2], axis=0), np.mean(r.seen[1::2], axis=0)
    own = r.oracle.active(r.before.c_i)
    direction = over_clients(fresh - 0.3 * (own - r.before.c) + 0.7 * (r.before.g - old))
    return [
        (r.after.g, direction),
        (r.after.x, r.before.x - 0.4 * r.after.g),
        (r.oracle.active(r.after.c_i), fresh),
        *_server_variate(r),
    ]


def server_step(r: SteppedRound) -> list[Any]:
    """Return the step of the server where corrections cancel: eta = 0.1, gamma = 1.4."""
    return [(r.after.x, r.before.x - 1.4 * 0.1 * r.oracle.K * r.gradient)]


def _compare_under_tilts(name: str, **numbers: Any) -> Any:
    return same_iterates(
        use(name, **numbers), use(name, **numbers), on=partial(noisy, zeta=30.0), against=partial(noisy, zeta=0.0)
    )


SCAFFOLD = (
    MethodIdentity(
        "scaffold.I2",
        "c = (1/N) sum_i c_i over all N clients, also when S < N",
        law(use("scaffold", eta=0.1, B=1), _server_variate),
    ),
    MethodIdentity(
        "scaffold.option-II",
        "option II: c_i - c + (x - y_i) / (K eta) = mean_k g_i(y_ik)",
        law(use("scaffold", eta=0.1, gamma=1.4, B=1), _law_of_variates),
    ),
    MethodIdentity(
        "scaffold.tilt",
        "f_i(x) + <a_i, x> with sum_i a_i = 0: the iterates do not depend on the a_i (B = 1)",
        _compare_under_tilts("scaffold", eta=0.1, B=1),
    ),
    MethodIdentity(
        "scaffold.step",
        "S = N: x+ = x - gamma eta sum_k mean_i g_i(y_ik), as the corrections add up to 0",
        law(use("scaffold", eta=0.1, gamma=1.4), server_step, S=ALL),
    ),
    MethodIdentity(
        "scaffold.options",
        "K = 1, no noise: option I = option II",
        same_iterates(use("scaffold", eta=0.1, option="I"), use("scaffold", eta=0.1), on=calm, K=(1,)),
    ),
    MethodIdentity(
        "scaffold.descent",
        "K = 1, S = N, no noise: SCAFFOLD(eta, I) = gradient descent(eta)",
        same_iterates(use("scaffold", eta=0.1, option="I"), use("sgd", eta=0.1), on=calm, K=(1,), S=ALL),
        also=("sgd",),
    ),
    MethodIdentity(
        "scaffold.F3",
        "no noise: x_oo is the minimiser, where FedAvg stalls (S < N too)",
        ends_at(use("scaffold", eta=0.1), S=(None, 2), T=500),
    ),
    MethodIdentity(
        "scaffold.F3-I",
        "option I, no noise: x_oo is the minimiser",
        ends_at(use("scaffold", eta=0.1, option="I"), S=(None, 2), T=500),
    ),
    MethodIdentity(
        "scaffold.alike",
        "equal clients, no noise: SCAFFOLD(eta) = FedAvg(eta)",
        same_iterates(use("scaffold", eta=0.1), use("fedavg", eta=0.1), on=alike, S=ALL),
        also=("fedavg",),
    ),
    MethodIdentity(
        "scaffold-m.I1",
        "g+ = beta ((1/S) sum_i (c_i+ - c_i) + c) + (1-beta) g and x+ = x - gamma g+ (I1, I4)",
        law(use("scaffold-m", **STEP), _scaffold_m),
    ),
    MethodIdentity(
        "scaffold-m.I2",
        "c = (1/N) sum_i c_i and c_i+ = mean_k g_i(y_ik)",
        law(use("scaffold-m", **STEP), lambda r: [*_server_variate(r), *_law_of_variates(r)]),
    ),
    MethodIdentity(
        "scaffold-m.I3",
        "c+ = (1 - S/N) c + (S/N) (g+ - (1-beta) g) / beta",
        law(use("scaffold-m", **STEP), _from_directions),
    ),
    MethodIdentity(
        "scaffold-m.I5",
        "with g/beta, beta eta, beta gamma for g, eta, gamma the direction is g_i - c_i + c + (1-beta) g",
        same_iterates(use("scaffold-m", **STEP), use_rescaled(controlled=True)),
    ),
    MethodIdentity(
        "scaffold-m.I6",
        "beta = 1: SCAFFOLD-M(eta, gamma) = SCAFFOLD(eta, gamma / (eta K), option II), both from B samples",
        same_iterates(
            use("scaffold-m", eta=0.1, gamma=0.4, beta=1.0), lambda K: method("scaffold", eta=0.1, gamma=4.0 / K, B=1)
        ),
        also=("scaffold",),
    ),
    MethodIdentity(
        "scaffold-m.I9",
        "eta -> 0, S = N: g+ = beta mean_ik g_i(x) + (1-beta) g, all gradients at the server iterate",
        law(use("scaffold-m", eta=1e-7, gamma=0.4, beta=0.3), large_batch, K=(3,), S=ALL, tolerance=LIMIT),
    ),
    MethodIdentity(
        "scaffold-m.tilt",
        "f_i(x) + <a_i, x> with sum_i a_i = 0: the iterates do not depend on the a_i",
        _compare_under_tilts("scaffold-m", **STEP),
    ),
    MethodIdentity(
        "scaffold-m.F3",
        "no noise: x_oo is the minimiser (S < N too)",
        ends_at(use("scaffold-m", eta=0.1, gamma=0.3, beta=0.5), S=(None, 2), T=500),
    ),
    MethodIdentity(
        "scaffold-m-vr.I1",
        "g+ = mean_i (c_i+ - beta (c_i - c) + (1-beta) (g - mean_k g_i(x_prev))), c_i+ = mean_k g_i(y_ik)",
        law(use("scaffold-m-vr", **STEP), _scaffold_m_vr),
    ),
    MethodIdentity(
        "scaffold-m-vr.I6",
        "beta = 1: SCAFFOLD-M-VR(eta, gamma) = SCAFFOLD(eta, gamma / (eta K), option II)",
        same_iterates(
            use("scaffold-m-vr", eta=0.1, gamma=0.4, beta=1.0),
            lambda K: method("scaffold", eta=0.1, gamma=4.0 / K, B=1),
        ),
        also=("scaffold",),
    ),
    MethodIdentity(
        "scaffold-m-vr.I9",
        "eta -> 0, S = N: SCAFFOLD-M-VR(gamma, beta) -> minibatch STORM(gamma, a = beta)",
        same_iterates(
            use("scaffold-m-vr", eta=1e-7, gamma=0.4, beta=0.3),
            use("mb-storm", gamma=0.4, a=0.3),
            K=(3,),
            S=ALL,
            tolerance=LIMIT,
        ),
        also=("mb-storm",),
    ),
    MethodIdentity(
        "scaffold-m-vr.tilt",
        "f_i(x) + <a_i, x> with sum_i a_i = 0, S = N: the iterates do not depend on the a_i",
        same_iterates(
            use("scaffold-m-vr", **STEP),
            use("scaffold-m-vr", **STEP),
            on=partial(noisy, zeta=30.0),
            against=partial(noisy, zeta=0.0),
            S=ALL,
        ),
    ),
    MethodIdentity(
        "scaffold-m-vr.F3",
        "no noise: x_oo is the minimiser",
        ends_at(use("scaffold-m-vr", eta=0.1, gamma=0.3, beta=0.5), T=500),
    ),
)
