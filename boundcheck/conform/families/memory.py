"""Identities of the methods with a memory: MIFA, MIFAM and GradMA."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import largest_deviation, law, relative_gap, same_iterates
from boundcheck.conform.families.momentum import ALL
from boundcheck.conform.identity import Deviation, MethodIdentity
from boundcheck.conform.runs.harness import SEED, over_clients, use
from boundcheck.conform.runs.small_problems import alike, calm, noisy
from boundcheck.methods import qp

if TYPE_CHECKING:
    from boundcheck.conform.runs.harness import SteppedRound


HEAVY: dict[str, Any] = {"eta": 0.1, "beta": 0.6, "gamma": 0.8}


def _memory(r: SteppedRound) -> list[Any]:
    return [
        (r.after.d, over_clients(r.after.G)),
        (r.oracle.active(r.after.G), 0.1 * r.oracle.K * r.own),
        (r.after.x, r.before.x - 0.8 * r.after.m),
    ]


_SERVER = {"eta": 1.0, "gamma": 0.8, "beta": 0.6, "beta_mem": 0.5}


def _not_climbed(r: SteppedRound) -> list[Any]:
    inner = (r.after.D * r.after.m).sum(axis=2)
    return [(np.minimum(inner, 0.0), 0.0 * inner)]


def _first_step(r: SteppedRound) -> list[Any]:
    stored, _, g = r.seen
    inner = np.minimum(0.0, (g * stored).sum(axis=2, keepdims=True))
    step = g - inner / (stored * stored).sum(axis=2, keepdims=True) * stored
    return [(r.after.x, r.before.x - 2.0 * over_clients(step))]


def _law_of_first_memory(r: SteppedRound) -> list[Any]:
    """Return the memory before the first round, K exact steps of every client from x0."""
    if r.t:
        return []
    y = start = np.repeat(r.before.x, r.oracle.N, axis=1)
    for _ in range(r.oracle.K):
        y = y - 0.1 * r.problem.exact_gradient(y)
    return [(r.before.G, start - y), (r.before.d, over_clients(start - y))]


def _law_of_eviction(r: SteppedRound) -> list[Any]:
    """Return how many rows there are, when fresh ones were made, and that the least used, then oldest, go first."""
    held, uses = r.after.uses > 0, r.before.uses
    fresh, gone = held & (uses == 0), ~held & (uses > 0)
    rank = 1000.0 * uses + r.before.entered
    last_gone = np.where(gone, rank, -np.inf).max(axis=1)
    first_kept = np.where((r.after.uses == uses) & (uses > 0), rank, np.inf).min(axis=1)
    return [
        (held.sum(axis=1), np.minimum(4, r.after.seen.sum(axis=1))),
        (np.where(fresh, r.after.entered - r.t, 0.0), 0.0 * uses),
        (last_gone <= first_kept, np.ones_like(last_gone)),
    ]


_PROJECTIONS: tuple[tuple[Any, Any, Any], ...] = (
    ((1, 0), ((-1, 1),), (1 / 2, 1 / 2)),
    ((1, 0), ((-1, 1), (-1, -1)), (0, 0)),
    ((1, 2, 3), ((-1, 0, 0), (0, -1, 0), (0, 0, 1)), (0, 0, 3)),
    ((1, 1), ((-1, 0), (1, 0)), (0, 1)),
    ((0, 1), ((1, -1), (-1, -1)), (0, 0)),
    ((3, 1, -2), ((1, -2, 0), (-1, 0, 1), (0, 1, 1)), (2 / 3, 1 / 3, 2 / 3)),
)
"""g, rows of G and argmin |v - g| subject to G v >= 0, solved by hand."""


def _golden() -> Deviation:
    found = [qp.project(np.array(g, dtype=float), np.array(rows, dtype=float)) for g, rows, _ in _PROJECTIONS]
    return largest_deviation(
        [relative_gap(v, expected, scale=1.0) for v, (_, _, expected) in zip(found, _PROJECTIONS, strict=True)]
    )


def _moreau() -> Deviation:
    rng = np.random.default_rng(SEED)
    g, rows = rng.standard_normal((200, 4)), rng.standard_normal((200, 3, 4))
    rows[:50, 2] = -rows[:50, 0]
    v, u = qp.projection(g, rows)
    inner = np.matmul(rows, v[:, :, None])[:, :, 0]
    return largest_deviation(
        [
            relative_gap(np.minimum(inner, 0.0), 0.0, scale=1.0),
            relative_gap(np.minimum(u, 0.0), 0.0, scale=1.0),
            relative_gap(u * inner, 0.0, scale=1.0),
            relative_gap(v, g + np.matmul(u[:, None, :], rows)[:, 0]),
            relative_gap(np.vecdot(g, v), np.vecdot(v, v)),
        ]
    )


MEMORY = (
    MethodIdentity(
        "mifa.everyone",
        "S = N: MIFA(eta, gamma) = FedAvg(eta, gamma)",
        same_iterates(use("mifa", eta=0.1, gamma=0.7), use("fedavg", eta=0.1, gamma=0.7), S=ALL),
        also=("fedavg",),
    ),
    MethodIdentity(
        "mifa.full-start",
        "no noise, start='full': before the first round G_i is the displacement of K steps of client i, d their mean",
        law(use("mifa", eta=0.1, start="full"), _law_of_first_memory, on=calm, T=1),
    ),
    MethodIdentity(
        "mifam.beta-0",
        "beta = 0: MIFAM(eta, gamma) = MIFA(eta, gamma)",
        same_iterates(use("mifam", eta=0.1, beta=0.0, gamma=0.8), use("mifa", eta=0.1, gamma=0.8)),
        also=("mifa",),
    ),
    MethodIdentity(
        "mifam.everyone",
        "S = N: MIFAM(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(use("mifam", **HEAVY), use("fedavg-server-m", **HEAVY), S=ALL),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "mifam.memory",
        "d = (1/N) sum_i G_i over all N clients, G_i = eta sum_k g_i(y_ik) on the active ones, x+ = x - gamma m+",
        law(use("mifam", **HEAVY), _memory),
    ),
    MethodIdentity(
        "mifa.start",
        "no noise, S = N: start='full' and 'zero' are the same run",
        same_iterates(use("mifa", eta=0.1, start="full"), use("mifa", eta=0.1), on=calm, S=ALL),
    ),
    MethodIdentity(
        "gradma-w.current-step",
        "K = 1 from the current point: GradMA-W(eta, gamma) = FedAvg(eta, gamma)",
        same_iterates(
            use("gradma-w", eta=0.1, gamma=0.7, previous="current"), use("fedavg", eta=0.1, gamma=0.7), K=(1,)
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "gradma-w.first-step",
        "K = 1: the step is g - min(0, <g, r>) / |r|^2 r with r the gradient at the last local model",
        law(use("gradma-w", eta=2.0), _first_step, K=(1,), T=12),
    ),
    MethodIdentity(
        "gradma-s.one-client",
        "S = 1, beta = beta_mem = 0: GradMA-S(eta, gamma) = FedAvg(eta, gamma)",
        same_iterates(
            use("gradma-s", eta=0.1, gamma=0.7, beta=0.0, beta_mem=0.0), use("fedavg", eta=0.1, gamma=0.7), S=(1,)
        ),
        also=("fedavg",),
    ),
    MethodIdentity(
        "gradma-s.alike",
        "equal clients, no noise: GradMA-S(eta, beta, gamma) = FedAvg with server momentum(beta), server step gamma",
        same_iterates(
            use("gradma-s", eta=0.05, gamma=0.8, beta=0.6, beta_mem=0.5),
            use("fedavg-server-m", eta=0.05, gamma=0.8, beta=0.6),
            on=alike,
            K=(2,),
        ),
        also=("fedavg-server-m",),
    ),
    MethodIdentity(
        "gradma-s.cone",
        "<D_i, m> >= 0 for every row of the memory, N = 7, four rows",
        law(use("gradma-s", **_SERVER, memory=4), _not_climbed, on=partial(noisy, N=7), S=(3,), K=(2,), T=10),
    ),
    MethodIdentity(
        "gradma.eviction",
        "N = 7, four rows: min(4, clients seen) rows are held; the least often used goes first, then the oldest",
        law(use("gradma", **_SERVER, memory=4), _law_of_eviction, on=partial(noisy, N=7), S=(2,), K=(2,), T=20),
    ),
    MethodIdentity(
        "gradma.projection-golden",
        "argmin |v - g| s.t. G v >= 0 for six small g, G solved by hand, rows antiparallel or dependent among them",
        _golden,
        also=("gradma-w", "gradma-s"),
    ),
    MethodIdentity(
        "gradma.projection-kkt",
        "200 random g, G: G v >= 0, u >= 0, u_k <G_k, v> = 0, v = g + G' u and <g, v> = |v|^2 (Moreau)",
        _moreau,
        also=("gradma-w", "gradma-s"),
    ),
    MethodIdentity(
        "gradma.worker",
        "S = 1, beta = beta_mem = 0: GradMA(eta, gamma) = GradMA-W(eta, gamma)",
        same_iterates(
            use("gradma", eta=0.1, gamma=0.7, beta=0.0, beta_mem=0.0), use("gradma-w", eta=0.1, gamma=0.7), S=(1,)
        ),
        also=("gradma-w",),
    ),
    MethodIdentity(
        "gradma.server",
        "K = 1 from the current point: GradMA(eta, gamma, beta, beta_mem) = GradMA-S of the same numbers",
        same_iterates(use("gradma", **_SERVER, previous="current"), use("gradma-s", **_SERVER), K=(1,), S=(None, 3)),
        also=("gradma-s",),
    ),
)
