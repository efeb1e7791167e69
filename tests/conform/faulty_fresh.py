"""Faults of public codes in the optimiser of the clients, in one layer or block, in what is clipped and in who counts.

Written in three lots before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, dsgd, fedavg, fedopt, mean, moved, scaffold, server_momentum, top
from faulty_rules import CLIP, cut, dp_fedavg, ring


def optimiser(rule):
    """Return FedAvg whose clients step along ``rule(memory, g, y)``, from a fresh memory in every round."""

    def step(y, g, eta, x, t, k, i, u):
        if k == 0:
            u["memory"] = {}
        return y - eta * rule(u["memory"], g, y)

    return fedavg(step)


def adam(s, g, y):
    s["n"] = s.get("n", 0) + 1
    s["m"] = 0.9 * s.get("m", 0.0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0.0) + 0.001 * g**2
    return s["m"] / (1 - 0.9 ** s["n"]) / (np.sqrt(s["v"] / (1 - 0.999 ** s["n"])) + 1e-8)


def rmsprop(s, g, y):
    s["v"] = 0.99 * s.get("v", 0.0) + 0.01 * g**2
    return g / (np.sqrt(s["v"]) + 1e-8)


def adagrad(s, g, y):
    s["v"] = s.get("v", 0.0) + g**2
    return g / (np.sqrt(s["v"]) + 1e-10)


def nesterov(s, g, y):
    s["u"] = 0.9 * s.get("u", 0.0) + g
    return g + 0.9 * s["u"]


def optimistic(s, g, y):
    before, s["before"] = s.get("before", g), g
    return 2 * g - before


def looking_ahead(besides):
    """FedAvg with a second gradient on every sample, where a step along the first one leads to."""

    def code(clients, x0, *, K, T, active, eta):
        x, path = x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    inner = y - eta * clients[i].grad(y, k, t)
                    y = (inner if besides else y) - eta * clients[i].grad(inner, k, t)
                ends.append(y)
            x = mean(ends)
            path.append(x)
        return path

    return code


def every_second(clients, x0, *, K, T, active, eta):
    """Add the gradients of two batches up for one step."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y, total = x, 0 * x
            for k in range(K):
                total = total + clients[i].grad(y, k, t)
                if k % 2 == 1 or k == K - 1:
                    y, total = y - eta * total, 0 * x
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def backwards(clients, x0, *, K, T, active, eta):
    """Pop the batches from the end of their list."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in reversed(range(K)):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def own_last_entry(clients, x0, *, K, T, active, eta):
    """Send the last entry, and never load it."""
    x, path, own = x0, [x0], {}
    for t in range(T):
        ends = []
        for i in active[t]:
            y = np.append(x[:-1], own.get(i, x[-1]))
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            own[i] = y[-1]
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def entries_of(t, d):
    return np.arange(d) % 2 == t % 2


def with_residual(x, ends, t, s):
    wanted = moved(x, ends) + s.get("residual", 0 * x)
    sent = top(wanted, 1)
    s["residual"] = wanted - sent
    return x + sent


FEDAVG = [
    Fault("Adam in the clients", "fedavg", optimiser(adam), ("Adam (0.9, 0.999",)),
    Fault("RMSprop in the clients", "fedavg", optimiser(rmsprop), ("RMSprop (0.99)",)),
    Fault("Adagrad in the clients", "fedavg", optimiser(adagrad), ("Adagrad",)),
    Fault("Nesterov in the clients", "fedavg", optimiser(nesterov), ("Nesterov's momentum of 0.9",)),
    Fault("optimistic gradients", "fedavg", optimiser(optimistic), ("optimistic gradient",)),
    Fault("centralised gradients", "fedavg", optimiser(lambda s, g, y: g - g.mean()), ("mean of its entries",)),
    Fault("an inner step of MAML", "fedavg", looking_ahead(besides=False), ("first-order MAML",)),
    Fault("inner and outer step", "fedavg", looking_ahead(besides=True), ("two steps are made on every sample",)),
    Fault("accumulated over two batches", "fedavg", every_second, ("accumulated: those of 2",)),
    Fault("batches backwards", "fedavg", backwards, ("in the order k = 2, 1, 0",)),
    Fault("the last batch is dropped", "fedavg", fedavg(last=lambda K, i, t: max(K - 1, 1)), ("2 local steps",)),
    Fault("buffers are not loaded", "fedavg", own_last_entry, ("the last entry", "goes on from its own")),
    Fault(
        "a bias with twice the step",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * np.append(g[:-1], 2 * g[-1])),
        ("the last entry", "2 eta"),
    ),
    Fault(
        "models are clipped", "fedavg", fedavg(server=lambda x, e, t, s: mean([cut(y, 1) for y in e])), ("models of",)
    ),
    Fault(
        "entries of models are clipped",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean(np.clip(e, -1, 1))),
        ("entries of the clients' models",),
    ),
    Fault(
        "a bound that grows",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + mean([cut(y - x, 0.2 * (t + 1)) for y in e])),
        ("clipped at norms 0.2, 0.4, 0.6",),
    ),
    Fault(
        "a mask by the round",
        "fedavg",
        fedavg(server=lambda x, e, t, s: np.where(entries_of(t, len(x)), mean(e), x)),
        ("a mask", "50%"),
    ),
    Fault(
        "a mask with a factor",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + 2 * entries_of(t, len(x)) * moved(x, e)),
        ("a mask", "multiplied by 2"),
    ),
    Fault(
        "noise of the server with a seed",
        "fedavg",
        fedavg(server=lambda x, e, t, s: mean(e) + 0.01 * np.random.default_rng(t).standard_normal(len(x))),
        ("the server adds one vector", "noise"),
    ),
    Fault("error feedback at the server", "fedavg", fedavg(server=with_residual), ("kept for the next round",)),
    Fault(
        "a model that is two rounds old",
        "fedavg",
        fedavg(begin=lambda x, i, t, s: s["path"][max(t - 2, 0)]),
        ("x_(t-2)",),
    ),
]


def held_at_own(clients, x0, *, K, T, active, eta, rho):
    x, path, own = x0, [x0], {}
    for t in range(T):
        ends = []
        for i in active[t]:
            y, held = x, own.get(i, x)
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + rho * (y - held))
            own[i] = y
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


PROX = [Fault("held at the client's own", "fedprox", held_at_own, ("the client's own last model",))]


def seen_gradient(last):
    """SCAFFOLD whose new variates are the gradient of one local step."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, c, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends, change = [], 0 * x0
            for i in active[t]:
                y, gradients = x, []
                for k in range(K):
                    gradients.append(clients[i].grad(y, k, t))
                    y = y - eta * (gradients[-1] + c - own[i])
                new = gradients[-1 if last else 0]
                change, own[i], ends = change + new - own[i], new, [*ends, y]
            x, c = x + gamma * (mean(ends) - x), c + change / len(clients)
            path.append(x)
        return path

    return code


def kept_of_the_round(clients, x0, *, K, T, active, eta, gamma):
    """Make the dictionary of variates anew in every round."""
    x, c, own, path = x0, 0 * x0, {}, [x0]
    for t in range(T):
        ends, new = [], {}
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + c - own.get(i, 0))
            ends.append(y)
            new[i] = own.get(i, 0) - c + (x - y) / (K * eta)
        own, c = new, sum(new.values()) / len(clients)
        x = x + gamma * (mean(ends) - x)
        path.append(x)
    return path


SCAFFOLD = [
    Fault("the last gradient", "scaffold", seen_gradient(last=True), ("gradient of the last local step",)),
    Fault("the first gradient", "scaffold", seen_gradient(last=False), ("gradient of the first local step",)),
    Fault("variates of the round alone", "scaffold", kept_of_the_round, ("set to 0",)),
    Fault(
        "one layer is not corrected",
        "scaffold",
        scaffold(correct=lambda own, c, i, K: np.append(0.0, (c - own[i])[1:])),
        ("all entries but the first",),
    ),
    Fault(
        "c decays",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: 0.9 * c + d / N),
        ("0.9 * mean",),
    ),
]
SERVERS = [
    Fault(
        "a velocity corrected for its bias",
        "fedavg-server-m",
        server_momentum(
            lambda x, v, d, b, g, t: (x - g * (b * v + (1 - b) * d) / (1 - b ** (t + 1)), b * v + (1 - b) * d)
        ),
        ("corrected for its bias",),
    ),
    Fault("v from 1e-6", "fedadam", fedopt(v0=lambda tau: 1e-6), ("starts at 1e-6",)),
    Fault(
        "Yogi's sign of m",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: v - (1 - b2) * D**2 * np.sign(v - m**2), v0=lambda tau: 1e-6),
        ("v - m^2", "1e-6"),
    ),
]


def saddle(rule, average=mean):
    """Local SGDA whose clients move by ``rule(z, gradient, a, b, k, u)``, u a memory of the round."""

    def code(clients, z0, *, K, T, active, eta_x, eta_y):
        z, path = z0, [z0]
        for t in range(T):
            ends = []
            for i in active[t]:
                w, u = z, {"start": z}
                for k in range(K):
                    w = rule(w, lambda at, i=i, k=k, t=t: clients[i].grad(at, k, t), eta_x, eta_y, k, u)
                ends.append(w)
            z = average(ends)
            path.append(z)
        return path

    return code


def both(a, b):
    return np.array([-a] * 3 + [b] * 2)


def on_y(v, change):
    return np.append(v[:3], change(v[3:]))


def seldom(w, g, a, b, k, u):
    return w + both(a if k % 2 else 0.0, b) * g(w)


MINIMAX = [
    Fault(
        "extragradient",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, b) * g(w + both(a, b) * g(w))),
        ("extragradient",),
    ),
    Fault("a generator that moves seldom", "local-sgda", saddle(seldom), ("minimiser moves in one of 2",)),
    Fault(
        "weights of a critic are clipped",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: on_y(w + both(a, b) * g(w), lambda y: np.clip(y, -0.01, 0.01))),
        ("maximiser is projected onto [-0.01, 0.01]",),
    ),
    Fault(
        "multipliers that are positive",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: on_y(w + both(a, b) * g(w), lambda y: np.maximum(y, 0))),
        ("numbers >= 0",),
    ),
    Fault(
        "weight decay of the model alone",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, b) * (g(w) + 0.01 * np.append(w[:3], [0, 0]))),
        ("weight decay of 0.01", "minimiser alone"),
    ),
    Fault(
        "the dual is added up",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, b) * g(w), lambda e: np.append(mean(e)[:3], sum(e)[3:])),
        ("maximiser is added up",),
    ),
    Fault(
        "two steps of the dual",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: (lambda v: v + both(a, b) * g(v))(w + both(0, b) * g(w))),
        ("maximiser moves once more",),
    ),
    Fault(
        "the step of the dual decays",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, b * 0.9**k) * g(w)),
        ("of the maximiser alone", "by the factors 1, 0.9"),
    ),
    Fault(
        "the adversary of the beginning of the round",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: w + both(a, 0) * g(np.append(w[:3], u["start"][3:])) + both(0, b) * g(w)),
        ("gradient of the minimiser", "beginning of the round"),
    ),
]


def unbalanced(N):
    """One more neighbour of client 0, and rows that add up to 1."""
    near = (ring(N) > 0).astype(float)
    near[0, 2 % N] = 1.0
    return near / near.sum(axis=1, keepdims=True)


def in_turn(X, Y, W):
    Z = X.copy()
    for i in range(len(Z)):
        Z[i] = W[i] @ Z + Y[i] - X[i]
    return Z


NETWORK = [
    Fault("rows that are not columns", "dsgd", dsgd(lambda X, Y, W: unbalanced(len(X)) @ X + Y - X), ("0.25 x_3",)),
    Fault("mixed in place", "dsgd", dsgd(in_turn), ("client 2 takes", "1/9 x_1")),
]


def sending(compress, keep=lambda W, S: W - S):
    def code(clients, x0, *, K, T, active, eta, k):
        x, E, path = x0, np.zeros((len(clients), len(x0))), [x0]
        for t in range(T):
            W = E + eta * np.array([client.grad(x, 0, t) for client in clients])
            S = np.array([compress(w, k) for w in W])
            x, E = x - mean(S), keep(W, S)
            path.append(x)
        return path

    return code


SENT = [
    Fault(
        "signs by the mean size",
        "ef-sgd",
        sending(lambda v, k: np.sign(v) * np.abs(v).mean()),
        ("signs_by_mean_size(wanted",),
    ),
    Fault(
        "the largest, not the absolute",
        "ef-sgd",
        sending(lambda v, k: np.where(np.arange(len(v)) == np.argmax(v), v, 0.0)),
        ("largest_not_absolute(wanted",),
    ),
    Fault("one memory for all", "ef-sgd", sending(top, lambda W, S: 0 * W + mean(W - S)), ("mean(wanted - sent)",)),
]


def clipped_models(clients, x0, *, K, T, active, eta, clip, gamma, z):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(cut(y, clip))
        x = x + gamma * (mean(ends) - x)
        path.append(x)
    return path


CLIPPED = [
    Fault("models", "dp-fedavg", clipped_models, ("the models of the clients are clipped",), CLIP),
    Fault(
        "tensor by tensor",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([np.append(cut(v[:1], c), cut(v[1:], c)) for v in D])),
        ("tensor by tensor (cut at entry 1)",),
        CLIP,
    ),
    Fault(
        "by the sum of absolute values",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * min(1, c / np.abs(v).sum()) for v in D])),
        ("|u|_1",),
        CLIP,
    ),
    Fault(
        "at clip over sqrt(S)",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([cut(v, c / len(D) ** 0.5) for v in D])),
        ("clip/sqrt(S)",),
        CLIP,
    ),
    Fault(
        "the sum", "dp-fedavg", dp_fedavg(lambda D, c, N: cut(sum(D), c) / len(D)), ("the sum of the updates",), CLIP
    ),
    Fault("at 1", "dp-fedavg", dp_fedavg(lambda D, c, N: mean([cut(v, 1.0) for v in D])), ("clip is 1 ",), CLIP),
]


def arrived(rule):
    """FedBuff whose server step is ``rule(x, updates, ages, gamma)``."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, path, own, since = x0, [x0], [x0] * len(clients), [0] * len(clients)
        for t in range(T):
            moves = []
            for i in active[t]:
                y = own[i]
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                moves.append(y - own[i])
            x = x + gamma * rule(moves, [t - since[i] for i in active[t]])
            for i in active[t]:
                own[i], since[i] = x, t + 1
            path.append(x)
        return path

    return code


def newest(D, ages):
    fresh = [d for d, a in zip(D, ages, strict=True) if a == 0]
    return mean(fresh) if fresh else 0 * D[0]


def by_version(D, ages):
    return sum(mean([d for d, b in zip(D, ages, strict=True) if a == b]) for a in set(ages))


BUFFERED = [
    Fault("stale updates are dropped", "fedbuff", arrived(newest), ("are dropped",)),
    Fault(
        "divided by the sum of weights",
        "fedbuff",
        arrived(lambda D, ages: np.average(D, axis=0, weights=[(1 + a) ** -0.5 for a in ages])),
        ("divided by the sum of their weights",),
    ),
    Fault("averaged by version", "fedbuff", arrived(by_version), ("averaged by themselves",)),
]

FAULTS = [*FEDAVG, *PROX, *SCAFFOLD, *SERVERS, *MINIMAX, *NETWORK, *SENT, *CLIPPED, *BUFFERED]
RIGHT = [
    ("local-sgda", saddle(lambda w, g, a, b, k, u: w + both(a, b) * g(w))),
    ("ef-sgd", sending(top)),
    ("fedbuff", arrived(lambda D, ages: mean(D))),
]
"""The loops with no fault: right."""
