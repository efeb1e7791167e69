"""Faults of public codes: bounds on anything, two things done to a gradient, old neighbours, networks, one machine.

Written in two lots before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, dsgd, fedavg, fedopt, fedprox, mean, scaffold, server_momentum, top, yogi
from faulty_fresh import arrived, both, on_y, saddle, sending
from faulty_rules import cut, ring


def momentum_of_clipped(y, g, eta, x, t, k, i, u):
    u["m"] = (0.9 * u["m"] if k else 0.0) + np.clip(g, -0.5, 0.5)
    return y - eta * u["m"]


def everybody(x, ends, t, s):
    s.setdefault("models", [s["path"][0]] * len(s["clients"]))
    for i, y in zip(s["active"], ends, strict=True):
        s["models"][i] = y
    return mean(s["models"])


def clipped_variate(own, c, i, x, y, K, eta, new):
    return cut(own[i] - c + (x - y) / (K * eta), 1.0)


FEDAVG = [
    Fault(
        "weight decay, then clipping",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * cut(g + 0.01 * y, 1.0)),
        ("0.01 y is added (weight decay); then its norm is clipped at 1",),
    ),
    Fault(
        "clipped entries, then momentum",
        "fedavg",
        fedavg(momentum_of_clipped),
        ("its entries are clipped at 0.5; then a momentum of the round",),
    ),
    Fault("models of all clients", "fedavg", fedavg(server=everybody), ("models of all clients are averaged",)),
]
BOUNDS = [
    Fault("variates are clipped", "scaffold", scaffold(fresh=clipped_variate), ("clip_norm(c_i - common + moved, 1)",)),
    Fault(
        "the proximal term is clipped",
        "fedprox",
        fedprox(lambda y, x, rho, path, k: cut(rho * (y - x), 0.05)),
        ("clip_norm(rho * (y - start), 0.05)",),
    ),
    Fault(
        "the velocity is clipped",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * cut(b * v + d, 0.1), cut(b * v + d, 0.1))),
        ("clip_norm(beta * old_v - (y - old_x), 0.1)",),
    ),
    Fault(
        "v has a cap",
        "fedyogi",
        fedopt(lambda v, D, m, b2: np.minimum(yogi(v, D, m, b2), 0.01)),
        ("(yogi(beta2, v, square), 0.01)",),
    ),
    Fault(
        "v has a floor, its largest so far",
        "fedadam",
        fedopt(lambda v, D, m, b2: np.maximum(v, b2 * v + (1 - b2) * D**2)),
        ("maximum(old_v, second(v, D * D))",),
    ),
    Fault(
        "the average is put on a ball",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, b) * g(w), lambda ends: on_y(mean(ends), lambda v: cut(v, 0.5))),
        ("clip_norm_of_y(mean(",),
    ),
]
COUNTS = [
    Fault(
        "K - 1 in the variates",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / (max(K - 1, 1) * eta)),
        ("max(K - 1, 1)",),
    ),
    Fault(
        "K - 1 in the variates and S for N",
        "scaffold",
        scaffold(
            fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / (max(K - 1, 1) * eta),
            common=lambda c, change, S, N, own: c + change / S,
        ),
        ("with two mistakes", "divided by the S active clients", "max(K - 1, 1)"),
    ),
]


def memories(rule):
    """MIFA with a rule for the average of the updates (N, d) that are kept, None where there is none yet."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, path, kept = x0, [x0], [None] * len(clients)
        for t in range(T):
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                kept[i] = x - y
            x = x - gamma * rule([v for v in kept if v is not None], len(clients))
            path.append(x)
        return path

    return code


def old_neighbours(clients, x0, *, K, T, active, eta):
    """Decentralised SGD whose clients mix their own model with what the others had a round earlier."""
    W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
    own, before = np.diag(W)[:, None], X
    for t in range(T):
        Y = X.copy()
        for i, client in enumerate(clients):
            for k in range(K):
                Y[i] = Y[i] - eta * client.grad(Y[i], k, t)
        X, before = own * X + (W - np.diag(np.diag(W))) @ before + Y - X, X
        path.append(mean(X))
    return path


def left_and_right(clients, x0, *, K, T, active, eta):
    """Decentralised SGD that averages with the next client and with the one before in turn."""
    X, path = np.tile(x0, (len(clients), 1)), [x0]
    for t in range(T):
        Y = X.copy()
        for i, client in enumerate(clients):
            for k in range(K):
                Y[i] = Y[i] - eta * client.grad(Y[i], k, t)
        X = 0.5 * (X + np.roll(X, (1, -1)[t % 2], axis=0)) + Y - X
        path.append(mean(X))
    return path


def after_compression(clients, x0, *, K, T, active, eta, k):
    """Error feedback that adds the error to what is sent, after the compressor."""
    x, E, path = x0, [0 * x0] * len(clients), [x0]
    for t in range(T):
        G = [eta * client.grad(x, 0, t) for client in clients]
        x = x - mean([top(g, k) + e for g, e in zip(G, E, strict=True)])
        E = [g - top(g, k) for g in G]
        path.append(x)
    return path


def known_by_neighbours(scale):
    """CHOCO-SGD with a factor of what is sent."""

    def code(clients, x0, *, K, T, active, eta, gamma, k):
        W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
        known = X.copy()
        for t in range(T):
            g = np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)])
            X = X + gamma * (W @ known - known) - eta * g
            known = known + scale(len(x0), k) * np.array([top(v, k) for v in X - known])
            path.append(mean(X))
        return path

    return code


def with_last(clients, x0, *, K, T, active, eta, gamma):
    """FedBuff whose buffer has the updates of the server step before as well."""
    x, path, own, last = x0, [x0], [x0] * len(clients), []
    for t in range(T):
        moves = []
        for i in active[t]:
            y = own[i]
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            moves.append(y - own[i])
        x = x + gamma * mean([*last, *moves])
        last = moves
        for i in active[t]:
            own[i] = x
        path.append(x)
    return path


KEPT = [
    Fault("over those seen", "mifa", memories(lambda kept, N: mean(kept)), ("have taken part so far",)),
    Fault("neighbours of the round before", "dsgd", old_neighbours, ("mix_with_neighbours_of_the_round_before(",)),
    Fault("neighbours in turn", "dsgd", left_and_right, ("in round 2 and", "in round 3")),
    Fault("error after the compressor", "ef-sgd", after_compression, ("top(wanted - old_error, k) + old_error",)),
    Fault(
        "d/k in what is known", "choco", known_by_neighbours(lambda d, k: d / k), ("dimension(own - old_known) / k",)
    ),
    Fault("buffer emptied late", "fedbuff", with_last, ("mean_with_last(",)),
]


def machine(rule, *names):
    """K steps of a method on one machine: ``rule(x, gradient at a point, numbers, memory)``."""

    def run(clients, x0, K, T, numbers):
        x, path, memory = x0, [x0], {}
        for t in range(T):
            for k in range(K):
                x = rule(x, lambda at, j=0, k=k, t=t: mean([c.grad(at, k + j, t) for c in clients]), numbers, memory)
            path.append(x)
        return path

    if names == ("eta", "eps"):
        return lambda clients, x0, *, K, T, active, eta, eps: run(clients, x0, K, T, (eta, eps))
    if names == ("eta_x", "eta_y"):
        return lambda clients, x0, *, K, T, active, eta_x, eta_y: run(clients, x0, K, T, (eta_x, eta_y))
    return lambda clients, x0, *, K, T, active, eta: run(clients, x0, K, T, (eta,))


def adagrad(divisor):
    def rule(x, g, numbers, memory):
        eta, eps = numbers
        here = g(x)
        memory["v"], memory["n"] = memory.get("v", 0.0) + here**2, memory.get("n", 0) + 1
        return x - eta * here / divisor(memory["v"], eps, memory["n"])

    return machine(rule, "eta", "eps")


def two_samples(second):
    """Extragradient, where ``second(k)`` is the sample of the second gradient of step k."""

    def code(clients, x0, *, K, T, active, eta):
        z, path, along = x0, [x0], both(eta, eta)
        for t in range(T):
            for k in range(K):
                trial = z + along * mean([c.grad(z, 2 * k, t) for c in clients])
                z = z + along * mean([c.grad(trial, second(k), t) for c in clients])
            path.append(z)
        return path

    return code


def slower_dual(z, g, numbers, memory):
    memory["n"] = memory.get("n", 0) + 1
    return z + both(numbers[0], numbers[1] / memory["n"] ** 0.5) * g(z)


MACHINE = [
    Fault("eps beside the root", "adagrad", adagrad(lambda v, eps, n: np.sqrt(v) + eps), ("(sqrt(v) + eps)",)),
    Fault("mean of squares", "adagrad", adagrad(lambda v, eps, n: np.sqrt(eps**2 + v / n)), ("eps ** 2 + v / n",)),
    Fault(
        "signs by the mean size",
        "signsgd",
        machine(lambda x, g, numbers, memory: x - numbers[0] * np.abs(g(x)).mean() * np.sign(g(x))),
        ("mean_abs(g) * sign(g)",),
    ),
    Fault(
        "a slower dual step", "sgda", machine(slower_dual, "eta_x", "eta_y"), ("of the maximiser alone", "1/sqrt(n)")
    ),
    Fault("one sample for two", "extragradient", two_samples(lambda k: 2 * k), ("taken on one sample",)),
]


def with_counts(effective):
    """FedNova whose clients make their own K_i, with a rule for tau_eff of those that are active."""

    def code(clients, x0, *, K, T, active, eta, K_i):
        x, path = x0, [x0]
        for t in range(T):
            D = []
            for i in active[t]:
                y = x
                for k in range(K_i[i]):
                    y = y - eta * clients[i].grad(y, k, t)
                D.append((x - y) / K_i[i])
            x = x - effective([K_i[i] for i in active[t]], K) * mean(D)
            path.append(x)
        return path

    return code


UNEVEN = [
    Fault("tau is K", "fednova", with_counts(lambda own, K: K), ("tau_eff is K",)),
    Fault("tau is the largest", "fednova", with_counts(lambda own, K: max(own)), ("the largest K_i",)),
]

FAULTS = [*FEDAVG, *BOUNDS, *COUNTS, *KEPT, *MACHINE, *UNEVEN]
RIGHT = [
    ("mifa", memories(lambda kept, N: sum(kept) / N)),
    ("choco", known_by_neighbours(lambda d, k: 1.0)),
    ("adagrad", adagrad(lambda v, eps, n: np.sqrt(eps**2 + v))),
    ("signsgd", machine(lambda x, g, numbers, memory: x - numbers[0] * np.sign(g(x)))),
    ("sgda", machine(lambda z, g, numbers, memory: z + both(*numbers) * g(z), "eta_x", "eta_y")),
    ("extragradient", two_samples(lambda k: 2 * k + 1)),
    ("fednova", with_counts(lambda own, K: mean(own))),
    ("fedbuff", arrived(lambda D, ages: mean(D))),
    ("ef-sgd", sending(top)),
    ("dsgd", dsgd(lambda X, Y, W: W @ X + Y - X)),
]
"""The loops with no fault: right."""
