"""Faults that come in where a code is ported from one library to another: defaults, loops, what is kept and loaded.

Written before the diagnosis was asked, and asked once.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import (
    Fault,
    dsgd,
    fedavg,
    feddyn,
    fednova,
    fedopt,
    fedprox,
    mean,
    norm,
    scaffold,
    server_momentum,
    sizes,
    yogi,
)
from faulty_more import arriving, buffered
from faulty_rules import CLIP, cut, diffusion, dp_fedavg, ef_sgd, mime, sgd, tracking
from faulty_seldom import fair
from faulty_stranger import slow


def damped_later(mu):
    """Return a local step with torch's dampening, which leaves the first step of a client undamped."""

    def step(y, g, eta, x, t, k, i, u):
        u["moved"] = g if k == 0 else mu * u["moved"] + (1 - mu) * g
        return y - eta * u["moved"]

    return step


def own_schedule(y, g, eta, x, t, k, i, u):
    """Return the local step of a scheduler that steps when its client takes part."""
    if k == 0:
        u["rounds"] = u.get("rounds", -1) + 1
    return y - eta * 0.8 ** u["rounds"] * g


def leftover(clients, x0, *, K, T, active, eta):
    """FedAvg that accumulates two batches a step; what is left over at a client's end goes into the next one's."""
    x, path, held = x0, [x0], 0 * x0
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                held = held + clients[i].grad(y, k, t) / 2
                if k % 2:
                    y, held = y - eta * held, 0 * held
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def evaluated(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn that reports the mean of the clients' models, and sends the corrected one."""
    x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) - own[i] + alpha * (y - x))
            own[i] = own[i] - alpha * (y - x)
            ends.append(y)
        h = h - alpha * (sum(ends) - len(ends) * x) / len(clients)
        x = mean(ends) - h / alpha
        path.append(mean(ends))
    return path


def adaptive_clip(clients, x0, *, K, T, active, eta, clip, gamma, z):
    """DP-FedAvg whose bound follows the share of updates that are shorter, aimed at one half."""
    x, path, bound = x0, [x0], clip
    for t in range(T):
        moves = [sgd(clients[i], x, eta, K, t) - x for i in active[t]]
        x = x + gamma * mean([cut(move, bound) for move in moves])
        bound = bound * np.exp(-0.2 * (mean([norm(move) <= bound for move in moves]) - 0.5))
        path.append(x)
    return path


def voted_momentum(clients, x0, *, K, T, active, eta):
    """Majority vote of clients that send the sign of a momentum of 0.9."""
    x, U, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            U[i] = 0.9 * U[i] + 0.1 * clients[i].grad(x, 0, t)
        x = x - eta * np.sign(mean([np.sign(U[i]) for i in active[t]]))
        path.append(x)
    return path


def shared_error(clients, x0, *, K, T, active, eta, k):
    """EF-SGD whose clients take the mean of what was sent off what they keep."""
    x, E, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        wanted = [eta * client.grad(x, 0, t) + e for client, e in zip(clients, E, strict=True)]
        at = [np.argsort(-np.abs(w), kind="stable")[:k] for w in wanted]
        sent = [np.where(np.isin(np.arange(len(w)), a), w, 0.0) for w, a in zip(wanted, at, strict=True)]
        x, E = x - mean(sent), [w - mean(sent) for w in wanted]
        path.append(x)
    return path


def ported_cm(clients, x0, *, K, T, active, eta, gamma, beta):
    """FedCM whose direction is refreshed with the mean over all K steps and one more."""
    x, g, path = x0, 0 * x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (beta * clients[i].grad(y, k, t) + (1 - beta) * g)
            ends.append(y)
        g = (x - mean(ends)) / (eta * (K + 1))
        x = x - gamma * g
        path.append(x)
    return path


def by_root_of_size(x, ends, t, s):
    return np.average(ends, axis=0, weights=np.sqrt(sizes(s)))


def without_self(X, Y, W):
    """Mix with the neighbours alone; who has none keeps its own."""
    others = W * (1 - np.eye(len(W)))
    rows = others.sum(axis=1, keepdims=True)
    return np.where(rows > 0, others / np.where(rows > 0, rows, 1.0), np.eye(len(W))) @ Y


FAULTS = [
    Fault(
        "the correction over K",
        "scaffold",
        scaffold(correct=lambda own, c, i, K: (c - own[i]) / K),
        ("correction is divided by K",),
    ),
    Fault(
        "dampening from the second step on",
        "fedavg",
        fedavg(damped_later(0.9)),
        ("0.9 times the last move", "from the second local step on: a dampening"),
    ),
    Fault(
        "a scheduler of the client's own rounds",
        "fedavg",
        fedavg(own_schedule),
        ("multiplied by 0.8 every time that a client takes part",),
    ),
    Fault("gradients left over", "fedavg", leftover, ()),
    Fault(
        "weights by the root of the size",
        "fedavg",
        fedavg(server=by_root_of_size),
        ("0.268077 y_1 + 0.337323 y_2", "different sizes"),
    ),
    Fault(
        "a rate that falls as a cosine",
        "fedadam",
        fedopt(gamma_of=lambda gamma, t: gamma * (1 + np.cos(np.pi * t / 20)) / 2),
        ("gamma changes from round to round", "0.993844, 0.975528"),
    ),
    Fault("the old reference", "fedprox", fedprox(lambda y, x, r, p, k: r * (y - p[max(len(p) - 3, 0)])), ()),
    Fault(
        "in the second step alone",
        "fedprox",
        fedprox(lambda y, x, r, p, k: 2 * r * (y - x) if k == 1 else 0 * y),
        ("a proximal term; c_k is any, 1.8, 0 in the steps k = 0, 1, 2",),
    ),
    Fault(
        "one step too many in the denominator",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / ((K + 1) * eta)),
        ("divided by K + 1 steps",),
    ),
    Fault(
        "the server's step in the variates",
        "scaffold",
        scaffold(common=lambda c, change, S, N, own: c + 0.4 * change / N),
        ("mean + 0.4 * (S / N * mean(change))",),
    ),
    Fault(
        "tau_eff is a sum",
        "fednova",
        fednova(lambda moves, own, K, counts: sum(own) * mean([m / n for m, n in zip(moves, own, strict=True)])),
        ("tau_eff is the sum of the K_i",),
        {"fewest": 1},
    ),
    Fault(
        "tau_eff is the largest",
        "fednova",
        fednova(lambda moves, own, K, counts: max(own) * mean([m / n for m, n in zip(moves, own, strict=True)])),
        ("tau_eff is the largest K_i",),
        {"fewest": 1},
    ),
    Fault(
        "moves by the root of K_i",
        "fednova",
        fednova(
            lambda moves, own, K, counts: (
                mean(np.sqrt(own)) * mean([m / np.sqrt(n) for m, n in zip(moves, own, strict=True)])
            )
        ),
        (),
        {"fewest": 1},
    ),
    Fault(
        "the linear term by alpha",
        "feddyn",
        feddyn(l_change=lambda y, x, a: a * a * (y - x)),
        ("alpha * (y - start - l_i)",),
    ),
    Fault("reports the mean", "feddyn", evaluated, ("what you return is another one", "mean of the clients' models")),
    Fault(
        "the largest second moment",
        "fedadam",
        fedopt(
            second=lambda v, D, m, b2: np.maximum(v, b2 * v + (1 - b2) * D**2),
        ),
        ("maximum(old_v, second(v, D * D))",),
    ),
    Fault("accumulators of 1e-3", "fedyogi", fedopt(second=yogi, v0=lambda tau: 1e-3), ("v starts at 0.001",)),
    Fault(
        "the root of tau",
        "fedadam",
        fedopt(step=lambda m, v, tau, *r: m / np.sqrt(v + tau**2)),
        ("tau^2 is added inside the root",),
    ),
    Fault(
        "no first moment",
        "fedadam",
        fedopt(step=lambda m, v, tau, t, b1, b2, D: D / (np.sqrt(v) + tau)),
        ("first moment is never used",),
    ),
    Fault(
        "from the second round on",
        "slowmo",
        slow(lambda x, v, d, b, g, eta: (x - g * eta * (b * v + d / eta) if np.any(v) else x - d, b * v + d / eta)),
        ("server step changes from round to round by factors 2.5, 1,",),
    ),
    Fault(
        "velocity by the rate",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - (b * v + g * d) * g, b * v + g * d)),
        ("gamma is 0.16 (gamma^2)",),
    ),
    Fault("clip follows the updates", "dp-fedavg", adaptive_clip, (), CLIP),
    Fault(
        "clips the mean move",
        "dp-fedavg",
        dp_fedavg(lambda moves, clip, N: cut(mean(moves), clip)),
        ("returns is mean(fori(step, y))",),
        CLIP,
    ),
    Fault(
        "norm not squared",
        "q-fedavg",
        fair(bend=lambda f, q, square, eta: q * f ** (q - 1) * np.sqrt(square) + f**q / eta),
        (),
    ),
    Fault("no neighbour is oneself", "dsgd", dsgd(without_self), ("x_1+ = 0.5 x_2 + 0.5 x_5",)),
    Fault(
        "signs of a momentum", "signsgd-majority", voted_momentum, ("local heavy ball, mu = 0.9 (damped by 1 - mu)",)
    ),
    Fault("the mean of what was sent is taken off", "ef-sgd", shared_error, ("the new error is wanted - mean(sent)",)),
    Fault("one step more in the direction", "fedavg-m", ported_cm, ("1 / (eta * (K + 1))",)),
    Fault(
        "W for its half",
        "exact-diffusion",
        diffusion(lambda W, a, X, b: W @ (a + X - b)),
        ("0.5 * mix(corrected + corrected",),
    ),
    Fault(
        "mixes the gradients",
        "gradient-tracking",
        tracking(move=lambda W, X, Y, eta: W @ (X - eta * Y)),
        ("mix(old_own - eta * old_tracked, W)",),
    ),
    Fault(
        "older updates weigh more",
        "fedasync",
        arriving(weight=lambda a, age, b: a * (1 + age) ** b),
        ("decay is -0.5 (-decay)",),
    ),
    Fault("linear in the age", "fedbuff", buffered(weight=lambda age: 1 / (1 + age)), ("0.4, 0.2, 2/15, 0.1",)),
    Fault(
        "statistics of the ends",
        "mime",
        mime(statistic=lambda s, c, beta, move: beta * s + (1 - beta) * move),
        ("(1 - beta) * ((x - mean(y)) / (eta * K))",),
    ),
    Fault("error grows", "ef-sgd", ef_sgd(keep=lambda w, s, e: w - s + 0.1 * e), ("wanted - sent + 0.1 * old_error",)),
]
