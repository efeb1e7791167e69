"""Faults of public codes: what is not reset or too late, who counts how often, floors, clipping, shared buffers.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, fedavg, feddyn, fedopt, mean, norm, scaffold, top, yogi
from faulty_fresh import both
from faulty_rules import CLIP, cut, dp_fedavg, sgd


def not_cleared(y, g, eta, x, t, k, i, u):
    total = g + u.get("last", 0.0) if k == 0 else g
    u["last"] = g
    return y - eta * total


def never_cleared(y, g, eta, x, t, k, i, u):
    u["all"] = u.get("all", 0.0) + g
    return y - eta * u["all"]


def last_twice(clients, x0, *, K, T, active, eta):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                g = clients[i].grad(y, k, t)
                y = y - eta * g
            ends.append(y - eta * g)
        x = mean(ends)
        path.append(x)
    return path


def by_turns(x, ends, t, s):
    turns = s.setdefault("turns", {})
    for i in s["active"]:
        turns[i] = turns.get(i, 0) + 1
    return np.average(ends, axis=0, weights=[turns[i] for i in s["active"]])


FEDAVG = [
    Fault("not cleared between rounds", "fedavg", fedavg(not_cleared), ("not reset between rounds",)),
    Fault("never cleared", "fedavg", fedavg(never_cleared), ("never reset",)),
    Fault("the last gradient twice", "fedavg", last_twice, ("last gradient of a round is used twice",)),
    Fault("weights by participation", "fedavg", fedavg(server=by_turns), ("how often they have taken part",)),
    Fault(
        "local models are never replaced",
        "fedavg",
        fedavg(begin=lambda x, i, t, s: s["own"].get(i, {}).get("end", x)),
        ("start their local steps where they ended last",),
    ),
]


def corrected(corrects=lambda k, K: True, counts=lambda turns, t: 1, in_turn=False):
    """SCAFFOLD with hooks for the steps that are corrected and for the divisor, and a c that moves in the round."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        N, x, c, path = len(clients), x0, 0 * x0, [x0]
        own, turns = [0 * x0 for _ in clients], [0] * len(clients)
        for t in range(T):
            ends, now = [], c
            for i in active[t]:
                y, turns[i] = x, turns[i] + 1
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + corrects(k, K) * ((now if in_turn else c) - own[i]))
                fresh = own[i] - (now if in_turn == "too" else c) + (x - y) / (counts(turns[i], t) * K * eta)
                now, own[i] = now + (fresh - own[i]) / N, fresh
                ends.append(y)
            x, c = x + gamma * (mean(ends) - x), now
            path.append(x)
        return path

    return code


SCAFFOLD = [
    Fault(
        "the last step is not corrected",
        "scaffold",
        corrected(lambda k, K: k < K - 1),
        ("missing in the last local step",),
    ),
    Fault("c moves at once", "scaffold", corrected(in_turn=True), ("as soon as a client reports",)),
    Fault("c moves at once for all", "scaffold", corrected(in_turn="too"), ("and refresh their own variates",)),
    Fault("steps of all rounds", "scaffold", corrected(counts=lambda turns, t: turns), ("never reset",)),
    Fault("steps of the run", "scaffold", corrected(counts=lambda turns, t: t + 1), ("K (t+1)",)),
    Fault("c against the changes", "scaffold", scaffold(common=lambda c, d, S, N, own: c - d / N), ("moves against",)),
]


def dynamic(early=False, own_start=False):
    """FedDyn whose linear terms are refreshed at the next start, or whose clients start from where they ended."""

    def code(clients, x0, *, K, T, active, eta, alpha):
        N, x, h, path = len(clients), x0, 0 * x0, [x0]
        terms, last = [0 * x0 for _ in clients], {}
        for t in range(T):
            ends = []
            for i in active[t]:
                if early and i in last:
                    terms[i] = terms[i] - alpha * (last[i] - x)
                y = last.get(i, x) if own_start else x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - terms[i] + alpha * (y - x))
                if not early:
                    terms[i] = terms[i] - alpha * (y - x)
                last[i] = y
                ends.append(y)
            h = h - alpha / N * sum(y - x for y in ends)
            x = mean(ends) - h / alpha
            path.append(x)
        return path

    return code


def copied_late(clients, x0, *, K, T, active, eta, rho):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = anchor = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + rho * (y - anchor))
                anchor = y if k == 0 else anchor
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def in_turn(clients, x0, *, K, T, active, eta, alpha, decay, rho):
    x, path, own, since = x0, [x0], [x0] * len(clients), [0] * len(clients)
    for t in range(T):
        for i, y in [(i, pulled(clients[i], own[i], eta, rho, K, t)) for i in active[t]]:
            w = alpha * (1 + t - since[i]) ** -decay
            x = (1 - w) * x + w * y
        for i in active[t]:
            own[i], since[i] = x, t + 1
        path.append(x)
    return path


def pulled(client, start, eta, rho, K, t):
    y = start
    for k in range(K):
        y = y - eta * (client.grad(y, k, t) + rho * (y - start))
    return y


LATE = [
    Fault("terms at the next start", "feddyn", dynamic(early=True), ("refreshed when the client takes part next",)),
    Fault("own start", "feddyn", dynamic(own_start=True), ("start their local steps where they ended last",)),
    Fault("x copied a step late", "fedprox", copied_late, ("held at y_1",)),
    Fault("mixed in one by one", "fedasync", in_turn, ("one after the other",)),
]


def ams(largest, divisor=lambda v, eps: np.sqrt(v)):
    """FedAMS with hooks for what is kept of v, which sees D, beta2 and the round, and for the divisor."""

    def code(clients, x0, *, K, T, active, eta, gamma, eps, beta1, beta2):
        x, m, v, most, path = x0, 0 * x0, 0 * x0, 0 * x0, [x0]
        for t in range(T):
            D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
            m, v = beta1 * m + (1 - beta1) * D, beta2 * v + (1 - beta2) * D * D
            most = largest(most, v, eps, D, beta2, t + 1)
            x = x + gamma * m / divisor(most, eps)
            path.append(x)
        return path

    return code


def floored(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    """FedAdam that adds tau to the second moment and not to its root."""
    numbers = {"eta": eta, "gamma": gamma, "tau": tau, "beta1": beta1, "beta2": beta2}
    server = fedopt(lambda v, D, m, b2: b2 * v + (1 - b2) * D**2 + tau)
    return server(clients, x0, K=K, T=T, active=active, **numbers)


SERVERS = [
    Fault(
        "look-ahead of NAdam",
        "fedyogi",
        fedopt(yogi, step=lambda m, v, tau, t, b1, b2, D: (b1 * m + (1 - b1) * D) / (np.sqrt(v) + tau)),
        ("Nesterov's look-ahead",),
    ),
    Fault(
        "tau added to v",
        "fedadam",
        floored,
        ("tau is added to v in every round",),
    ),
    Fault("no maximum", "fedams", ams(lambda q, v, eps, *_: np.maximum(v, eps)), ("vh is v,",)),
    Fault("no floor", "fedams", ams(lambda q, v, eps, *_: np.maximum(q, v)), ("eps does nothing",)),
]


def estimated(by):
    """EF21 whose server keeps an estimate of its own."""

    def code(clients, x0, *, K, T, active, gamma, k):
        x, path, own = x0, [x0], [top(client.full(x0), k) for client in clients]
        estimate = mean(own)
        for _ in range(T):
            x = x - gamma * estimate
            sent = [top(client.full(x) - g, k) for client, g in zip(clients, own, strict=True)]
            own = [g + s for g, s in zip(own, sent, strict=True)]
            estimate = estimate + by(sent, gamma)
            path.append(x)
        return path

    return code


def sending(choose, keep):
    """EF-SGD with hooks for what is sent and kept of the step eta g and the error."""

    def code(clients, x0, *, K, T, active, eta, k):
        x, path, errors = x0, [x0], [0 * x0 for _ in clients]
        for t in range(T):
            steps = [eta * client.grad(x, 0, t) for client in clients]
            sent = [choose(s, e, k) for s, e in zip(steps, errors, strict=True)]
            errors = [keep(s, e, q) for s, e, q in zip(steps, errors, sent, strict=True)]
            x = x - mean(sent)
            path.append(x)
        return path

    return code


def at_places(step, error, k):
    return np.where(top(step, k) != 0, step + error, 0.0)


MESSAGES = [
    Fault("estimate by gamma", "ef21", estimated(lambda sent, gamma: gamma * mean(sent)), ("moves by gamma times",)),
    Fault("estimate by the sum", "ef21", estimated(lambda sent, gamma: sum(sent)), ("by the sum of what is sent",)),
    Fault("places of the step", "ef-sgd", sending(at_places, lambda s, e, q: s + e - q), ("wanted - old_error)",)),
    Fault(
        "error of the step alone",
        "ef-sgd",
        sending(lambda s, e, k: top(s + e, k), lambda s, e, q: s - q),
        ("wanted - old_error - sent",),
    ),
    Fault(
        "clipped at the median",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([cut(v, np.median([norm(d) for d in D])) for v in D])),
        ("the median of the norms",),
        CLIP,
    ),
    Fault(
        "ratio upside down",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * min(1.0, norm(v) / c) for v in D])),
        ("upside down",),
        CLIP,
    ),
]


def one_buffer(clients, x0, *, K, T, active, eta, mu):
    x, path = x0, [x0]
    for t in range(T):
        ends, m = [], 0 * x
        for i in active[t]:
            y = x
            for k in range(K):
                m = mu * m + clients[i].grad(y, k, t)
                y = y - eta * m
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def heavy_nova(keep):
    """FedNova with momentum, which is kept from round to round or not."""

    def code(clients, x0, *, K, T, active, eta, beta, K_i):
        x, path, kept = x0, [x0], {}
        for t in range(T):
            moves, weights = [], []
            for i in active[t]:
                y, u, c, n = x, kept.get(i, 0 * x) if keep else 0 * x, 0.0, 0.0
                for k in range(K_i[i]):
                    u, c = beta * u + clients[i].grad(y, k, t), beta * c + 1
                    y, n = y - eta * u, n + c
                kept[i] = u
                moves.append((y - x) / n)
                weights.append(n)
            x = x + mean(weights) * mean(moves)
            path.append(x)
        return path

    return code


def restarted(clients, z0, *, K, T, active, eta_x, eta_y):
    z, path = z0, [z0]
    for t in range(T):
        ends = []
        for i in active[t]:
            w = np.append(z[:3], z0[3:])
            for k in range(K):
                w = w + both(eta_x, eta_y) * clients[i].grad(w, k, t)
            ends.append(w)
        z = mean(ends)
        path.append(z)
    return path


BUFFERS = [
    Fault("one buffer a round", "fedavg-local-m", one_buffer, ("within a round, and restarts",)),
    Fault("momentum is kept", "fednova", heavy_nova(keep=True), ("momentum of the local steps is not reset",)),
    Fault("the dual restarts", "local-sgda", restarted, ("the maximiser starts every round at its first point",)),
]

FAULTS = [*FEDAVG, *SCAFFOLD, *LATE, *SERVERS, *MESSAGES, *BUFFERS]
RIGHT = [
    ("scaffold", corrected()),
    ("feddyn", dynamic()),
    ("feddyn", feddyn()),
    ("fedams", ams(lambda q, v, eps, *_: np.maximum(np.maximum(q, v), eps))),
    ("ef21", estimated(lambda sent, gamma: mean(sent))),
    ("ef-sgd", sending(lambda s, e, k: top(s + e, k), lambda s, e, q: s + e - q)),
    ("fednova", heavy_nova(keep=False)),
]
"""The loops with no fault: right."""
