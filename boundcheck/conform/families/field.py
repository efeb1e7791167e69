"""Identities of the field's methods: what each is where nothing is clipped, compressed, delayed or composite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.conform.checks import law, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import MethodIdentity
from boundcheck.conform.runs.harness import over_clients, use
from boundcheck.conform.runs.small_problems import alone, calm, nonnegative

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound
    from boundcheck.problems.base import Array

_DESCENT, _AVERAGE = use("sgd", eta=0.1), use("fedavg", eta=0.1)
_HUGE = 1e6


def _one_length(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return the length of a step of one, in each lane."""
    length = np.sqrt(((r.after.x - r.before.x) ** 2).sum(axis=(1, 2)))
    return [(length, np.full_like(length, 0.1))]


def _tracks_the_mean(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return the mean of what is tracked, which is that of the last gradients, and the step of the mean point."""
    return [
        (r.after.tracked.mean(axis=1), r.after.last.mean(axis=1)),
        (r.after.x, r.before.x - 0.1 * r.before.tracked.mean(axis=1, keepdims=True)),
    ]


def _keeps_what_it_owes(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return x less the mean error, which goes along the mean gradient whatever was left out."""
    owed, left = (s.x - s.error.mean(axis=1, keepdims=True) for s in (r.before, r.after))
    return [(left, owed - 0.1 * over_clients(r.seen[0]))]


def _consents(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return the mean multiplier, which is 0."""
    mean = r.after.u.mean(axis=1)
    return [(mean, np.zeros_like(mean))]


def _learns_what_was_sent(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return the step along shifts and messages, the messages being what the shifts have learnt at alpha = 0.3."""
    sent = (r.after.h - r.before.h) / 0.3
    start = [(r.before.h, np.zeros_like(r.before.h))] if r.t == 0 else []
    return [*start, (r.after.x, r.before.x - 0.1 * over_clients(r.before.h + sent))]


def _weighs_by_losses(r: SteppedRound) -> list[tuple[Array, Array]]:
    """Return, for K = 1 and q = 0.6, sum_i f_i^q g_i over sum_i h_i."""
    (g,), q = r.seen, 0.6
    f = r.problem.client_values(r.problem.everyone_at(r.before.x))[..., None]
    bend = q * f ** (q - 1) * (g**2).sum(axis=-1, keepdims=True) + f**q / 0.1
    return [(r.after.x, r.before.x - (f**q * g).sum(axis=1, keepdims=True) / bend.sum(axis=1, keepdims=True))]


FIELD = (
    MethodIdentity(
        "diana.exact",
        "no quantiser, no noise: gradient descent(eta), whatever alpha",
        same_iterates(use("diana", eta=0.1, alpha=0.3), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "diana.messages",
        "h_i starts at 0, x+ = x - eta mean_i (h_i + m_i), m_i = (h_i+ - h_i)/alpha, whatever the quantiser",
        law(use("diana", eta=0.1, alpha=0.3, quantiser="qsgd-2"), _learns_what_was_sent, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "q-fedavg.q-0",
        "q = 0: FedAvg(eta)",
        same_iterates(use("q-fedavg", eta=0.1, q=0.0), _AVERAGE, on=nonnegative),
    ),
    MethodIdentity(
        "q-fedavg.step",
        "K = 1, S = N: x+ = x - sum_i f_i^q g_i / sum_i (q f_i^(q-1) |g_i|^2 + f_i^q/eta)",
        law(use("q-fedavg", eta=0.1, q=0.6), _weighs_by_losses, on=nonnegative, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "nsgdm.length",
        "K = 1: every step has the length eta",
        law(use("nsgdm", eta=0.1, beta=0.6), _one_length, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "clipped-sgd.unclipped",
        "a threshold that nothing reaches: SGD(eta)",
        same_iterates(use("clipped-sgd", eta=0.1, clip=_HUGE), _DESCENT, S=ALL),
    ),
    MethodIdentity(
        "signsgd.one-voter",
        "N = 1, K = 1: a majority of one is signSGD(eta)",
        same_iterates(use("signsgd-majority", eta=0.1), use("signsgd", eta=0.1), on=alone, K=(1,), S=ALL),
        also=("signsgd-majority",),
    ),
    MethodIdentity(
        "ef-sgd.owed",
        "x - mean_i e_i goes along the mean gradient, whatever is left out",
        law(use("ef-sgd", eta=0.1, k=1), _keeps_what_it_owes, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "ef-sgd.all-entries",
        "k >= d, K = 1: SGD(eta)",
        same_iterates(use("ef-sgd", eta=0.1, k=99), _DESCENT, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "delayed-sgd.no-delay",
        "delay = 0, K = 1: SGD(eta)",
        same_iterates(use("delayed-sgd", eta=0.1, delay=0), _DESCENT, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "fedbuff.all-arrive",
        "S = N: FedAvg(eta)",
        same_iterates(use("fedbuff", eta=0.1), _AVERAGE, S=ALL),
    ),
    MethodIdentity(
        "fedasync.all-arrive",
        "S = N, alpha = 1, rho = 0: FedAvg(eta), whatever the decay",
        same_iterates(use("fedasync", eta=0.1, alpha=1.0, decay=0.7), _AVERAGE, S=ALL),
    ),
    MethodIdentity(
        "dp-fedavg.neither",
        "z = 0 and a threshold that nothing reaches: FedAvg(eta)",
        same_iterates(use("dp-fedavg", eta=0.1, clip=_HUGE, z=0.0), _AVERAGE),
    ),
    MethodIdentity(
        "gradient-tracking.mean",
        "the mean of y_i is that of the last gradients, and x+ = x - eta mean_i y_i on every graph",
        law(use("gradient-tracking", eta=0.1, graph="star"), _tracks_the_mean, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "proximal-sgd.no-penalty",
        "h = 0: SGD(eta)",
        same_iterates(use("proximal-sgd", eta=0.1), _DESCENT, S=ALL),
    ),
    MethodIdentity(
        "svrg.no-noise",
        "exact gradients, the last point: gradient descent(eta)",
        same_iterates(use("svrg", eta=0.1, output="last"), _DESCENT, on=calm, S=ALL),
    ),
    MethodIdentity(
        "page.always-full",
        "p = 1, K = 1, no noise: gradient descent(eta)",
        same_iterates(use("page", eta=0.1, p=1.0), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "ef21.all-entries",
        "k >= d, K = 1, no noise: gradient descent(gamma)",
        same_iterates(use("ef21", gamma=0.1, k=99), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "ef21-sgdm.all-entries",
        "k >= d, beta = 1, K = 1, no noise: gradient descent(gamma)",
        same_iterates(use("ef21-sgdm", gamma=0.1, beta=1.0, k=99, B=1), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "dsgd-varying.one-graph",
        "one graph in every round: DSGD(eta) on it",
        same_iterates(use("dsgd-varying", eta=0.1, graph="star"), use("dsgd", eta=0.1, graph="star"), K=(1,), S=ALL),
        also=("dsgd",),
    ),
    MethodIdentity(
        "choco.all-entries",
        "k >= d, gamma = 1, on the complete graph, K = 1: DSGD(eta)",
        same_iterates(
            use("choco", eta=0.1, gamma=1.0, k=99, graph="complete"),
            use("dsgd", eta=0.1, graph="complete"),
            K=(1,),
            S=ALL,
        ),
        also=("dsgd",),
    ),
    MethodIdentity(
        "scaffnew.always-together",
        "p = 1, K = 1, no noise: gradient descent(eta)",
        same_iterates(use("scaffnew", eta=0.1, p=1.0), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "l-svrg.always-full",
        "p = 1, K = 1, no noise: gradient descent(eta)",
        same_iterates(use("l-svrg", eta=0.1, p=1.0), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "exact-diffusion.alone",
        "N = 1, K = 1: SGD(eta)",
        same_iterates(use("exact-diffusion", eta=0.1, graph="complete"), _DESCENT, on=alone, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "fedavg-drawn.everyone",
        "as many as there are, in order: FedAvg(eta)",
        same_iterates(use("fedavg-drawn", eta=0.1, drawn=5, scheme="order"), _AVERAGE, S=ALL),
    ),
    MethodIdentity(
        "armijo.short",
        "a step that is short enough at once, K = 1, no noise: gradient descent(eta)",
        same_iterates(use("armijo", eta=0.1, share=0.1), _DESCENT, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "fista.one-step",
        "T = 1, K = 1, h = 0: SGD(eta)",
        same_iterates(use("fista", eta=0.1), _DESCENT, K=(1,), S=ALL, T=1),
    ),
    MethodIdentity(
        "admm.multipliers",
        "the multipliers have the mean 0",
        law(use("admm", rho=8.0), _consents, on=calm, K=(1,), S=ALL),
    ),
    MethodIdentity(
        "feddyn-exact.everyone",
        "S = N: ADMM(rho) at rho = alpha",
        same_iterates(use("feddyn-exact", alpha=8.0), use("admm", rho=8.0), on=calm, K=(1,), S=ALL),
        also=("admm",),
    ),
)
