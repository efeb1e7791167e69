"""Faults of public codes: quantisers, places of top-k, two samples for one, laws of all rounds, half precision.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_bounds import with_counts
from faulty_codes import Fault, ef21, fedavg, fedopt, fedprox, mean, norm, scaffold, top
from faulty_rules import CLIP, LAST, cut, dp_fedavg, sgd

QSGD = {"quantiser": "qsgd-2"}


def half(v):
    return v.astype(np.float16).astype(float)


def quantised(length=norm, up=lambda coin, part: coin < part, over=2):
    """FedPAQ with QSGD of two levels, with hooks for the norm, the rounding and the divisor."""

    def send(v, coin):
        a = 2 * np.abs(v) / length(v)
        return length(v) * np.sign(v) * (np.floor(a) + up(coin, a - np.floor(a))) / over

    def code(clients, x0, *, K, T, active, eta, quantiser, coins):
        x, path = x0, [x0]
        for t in range(T):
            moves = [sgd(clients[i], x, eta, K, t) - x for i in active[t]]
            x = x + mean([send(v, coin) for v, coin in zip(moves, coins[t][0], strict=True)])
            path.append(x)
        return path

    return code


QUANTISED = [
    Fault("largest entry", "fedpaq", quantised(lambda v: np.abs(v).max()), ("their largest entry |z|_oo",), QSGD),
    Fault("nearest level", "fedpaq", quantised(up=lambda coin, part: part > 0.5), ("to the nearest level",), QSGD),
    Fault("rounded down", "fedpaq", quantised(up=lambda coin, part: 0.0), ("rounded down",), QSGD),
    Fault("coins from the other side", "fedpaq", quantised(up=lambda u, part: u >= 1 - part), ("same in law",), QSGD),
    Fault("levels are not divided by", "fedpaq", quantised(over=1), ("not divided by the number of levels",), QSGD),
]


def above_mean(v):
    return np.where(np.abs(v) > np.abs(v).mean(), v, 0.0)


def sent_back(clients, x0, *, K, T, active, eta, k):
    x, path, errors = x0, [x0], [0 * x0 for _ in clients]
    for t in range(T):
        wanted = [eta * client.grad(x, 0, t) + e for client, e in zip(clients, errors, strict=True)]
        sent = [top(w, k) for w in wanted]
        x, errors = x - top(mean(sent), k), [w - s for w, s in zip(wanted, sent, strict=True)]
        path.append(x)
    return path


LARGEST = [
    Fault(
        "places of what is believed",
        "ef21",
        ef21(lambda g, b, k: b + np.where(top(b, k) != 0, g - b, 0.0)),
        ("k, old_believed)",),
    ),
    Fault("above the mean size", "ef21", ef21(lambda g, b, k: b + above_mean(g - b)), ("above_mean_size(",)),
    Fault(
        "half precision",
        "ef21",
        ef21(lambda g, b, k: b + half(top(g - b, k))),
        ("messages are sent in half precision",),
    ),
    Fault("compressed on the way back", "ef-sgd", sent_back, ("compressed once more",)),
]


def reduced(sample=lambda k, K: k, averaged=False, every=1):
    """SVRG with hooks for the sample of the old gradient, the next snapshot, and how often the full one is taken."""

    def code(clients, x0, *, K, T, active, eta, output):
        x, full, path = x0, None, [x0]
        for t in range(T):
            full = mean([client.full(x) for client in clients]) if t % every == 0 else full
            y, total = x, 0 * x
            for k in range(K):
                total = total + y
                g, old = (mean([c.grad(at, n, t) for c in clients]) for at, n in ((y, k), (x, sample(k, K))))
                y = y - eta * (g - old + full)
            x = total / K if averaged else y
            path.append(x)
        return path

    return code


def without_full(clients, x0, *, K, T, active, eta, output):
    x, path = x0, [x0]
    for t in range(T):
        snapshot = x
        for k in range(K):
            x = x - eta * mean([c.grad(x, k, t) - c.grad(snapshot, k, t) for c in clients])
        path.append(x)
    return path


SNAPSHOTS = [
    Fault("nothing moves", "svrg", without_full, ("nothing moves", "a term that is left out"), LAST),
    Fault("another sample", "svrg", reduced(lambda k, K: (k + 1) % K), ("the second on that of the step after",), LAST),
    Fault("the average", "svrg", reduced(averaged=True), ("output = average",), LAST),
]


def over_all_rounds(clients, x0, *, K, T, active, eta):
    x, path = x0, [x0]
    for t in range(T):
        step = eta * (1 + np.cos(np.pi * (t + 1) / T)) / 2
        x = mean([sgd(clients[i], x, step, K, t) for i in active[t]])
        path.append(x)
    return path


def every_batch_twice(clients, x0, *, K, T, active, eta):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k // 2, t)
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def falling(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
    for t in range(T):
        D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
        m = beta1 * 0.9**t * m + (1 - beta1 * 0.9**t) * D
        v = beta2 * v + (1 - beta2) * D * D
        x = x + gamma * m / (np.sqrt(v) + tau)
        path.append(x)
    return path


def at_the_end(clients, x0, *, K, T, active, eta, gamma):
    N, x, c, own, path = len(clients), x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends, change = [], 0 * x0
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + c - own[i])
            fresh = clients[i].full(y)
            change, own[i] = change + fresh - own[i], fresh
            ends.append(y)
        x, c = x + gamma * (mean(ends) - x), c + change / N
        path.append(x)
    return path


LAWS = [
    Fault("cosine of all rounds", "fedavg", over_all_rounds, ("(1 + cos(pi (t+1)/T))/2",)),
    Fault("every batch twice", "fedavg", every_batch_twice, ("in the order k = 0, 0, 1",)),
    Fault("beta1 falls", "fedadam", falling, ("beta1 is multiplied by 0.9 every round",)),
    Fault(
        "the penalty itself",
        "fedprox",
        fedprox(lambda y, x, rho, path, k: rho / 2 * ((y - x) ** 2).sum() + 0 * y),
        ("and not its gradient",),
    ),
    Fault("gradient at the end", "scaffold", at_the_end, ("where the client ended",)),
    Fault(
        "variates in half precision",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: half(own[i] - c + (x - y) / (K * eta))),
        ("control variates in half precision",),
    ),
    Fault(
        "tau is the harmonic mean", "fednova", with_counts(lambda own, K: 1 / np.mean(1 / np.array(own))), ("harmonic",)
    ),
]


def weighted_steps(clients, x0, *, K, T, active, eta, K_i):
    x, path = x0, [x0]
    for t in range(T):
        moves = [(sgd(clients[i], x, eta, K_i[i], t) - x) / K_i[i] for i in active[t]]
        x = x + np.average([K_i[i] for i in active[t]], weights=[clients[i].size for i in active[t]]) * mean(moves)
        path.append(x)
    return path


UNEVEN = [Fault("tau by sizes", "fednova", weighted_steps, ("tau_eff is the mean of the K_i weighted by",))]


def by_the_model(clients, x0, *, K, T, active, eta, clip, gamma, z):
    x, path = x0, [x0]
    for t in range(T):
        ends = [sgd(clients[i], x, eta, K, t) for i in active[t]]
        x = x + gamma * mean([(y - x) * min(1.0, clip / norm(y)) for y in ends])
        path.append(x)
    return path


CLIPPED = [
    Fault(
        "one client too many",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: sum(cut(v, c) for v in D) / (len(D) + 1)),
        ("S/(S+1)",),
        CLIP,
    ),
    Fault("norm of the model", "dp-fedavg", by_the_model, ("that of the client's model",), CLIP),
]

FAULTS = [*QUANTISED, *LARGEST, *SNAPSHOTS, *LAWS, *UNEVEN, *CLIPPED]
RIGHT = [("svrg", reduced(), LAST), ("fedpaq", quantised(), QSGD), ("fedavg", fedavg(), {}), ("fedadam", fedopt(), {})]
"""The loops with no fault, and their numbers: right."""
