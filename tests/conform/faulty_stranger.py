"""Faults of public codes in local momenta, primal-dual methods, coins, snapshots, normalised steps and networks.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, dsgd, feddyn, fedopt, mean, norm, scaffold, server_momentum, top
from faulty_rules import CLIP, cut, ring, sgd
from faulty_seldom import QSGD


def averaged_buffers(step=lambda u, g, beta: u, keep=lambda own, mean_of: mean_of):
    """PR-SGD with momentum, with hooks for the local direction and for the buffer that a client goes on with."""

    def code(clients, x0, *, K, T, active, eta, beta):
        x, path, own, shared = x0, [x0], [0 * x0] * len(clients), 0 * x0
        for t in range(T):
            ends, buffers = [], []
            for i in active[t]:
                y, u = x, keep(own[i], shared)
                for k in range(K):
                    g = clients[i].grad(y, k, t)
                    u = beta * u + g
                    y = y - eta * step(u, g, beta)
                own[i] = u
                ends.append(y)
                buffers.append(u)
            x, shared = mean(ends), mean(buffers)
            path.append(x)
        return path

    return code


def slow(rule):
    return lambda clients, x0, *, K, T, active, eta, beta, gamma: server_momentum(
        lambda x, v, d, b, g, t: rule(x, v, d, b, g, eta)
    )(clients, x0, K=K, T=T, active=active, eta=eta, beta=beta, gamma=gamma)


def proximal_momentum(displacement=lambda d, beta: d, pull=lambda y, x, rho, v: rho * (y - x)):
    """FedProxM with hooks for the displacement that enters the velocity, and for the pull."""

    def code(clients, x0, *, K, T, active, eta, rho, beta, gamma):
        x, v, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + pull(y, x, rho, v))
                ends.append(y)
            v = beta * v + displacement(x - mean(ends), beta)
            x = x - gamma * v
            path.append(x)
        return path

    return code


LOCAL = [
    Fault(
        "buffers stay with the clients",
        "pr-sgd-m",
        averaged_buffers(keep=lambda own, shared: own),
        ("every client keeps its momentum buffer",),
    ),
    Fault(
        "Nesterov's step",
        "pr-sgd-m",
        averaged_buffers(lambda u, g, b: b * u + g),
        ("the local momentum is Nesterov's",),
    ),
    Fault(
        "by the learning rate once",
        "slowmo",
        slow(lambda x, v, d, b, g, eta: (x - g * (b * v + d / eta), b * v + d / eta)),
        ("not multiplied by eta",),
    ),
    Fault("damped", "fedprox-m", proximal_momentum(lambda d, beta: (1 - beta) * d), ("gamma (1-beta)",)),
    Fault(
        "pulls to where momentum leads",
        "fedprox-m",
        proximal_momentum(pull=lambda y, x, rho, v: rho * (y - (x - v))),
        ("rho * (y - (start - old_v))",),
    ),
]


def primal_dual(
    dual=lambda v, y, a, eta_pd: v + (y - a) / eta_pd, target=lambda y, v, eta_pd: y + eta_pd * v, warm=True
):
    """FedPD with hooks for the dual step, for what is sent, and for where clients start."""

    def code(clients, x0, *, K, T, active, eta, eta_pd):
        x, path = x0, [x0]
        Y, L = [x0] * len(clients), [0 * x0] * len(clients)
        for t in range(T):
            for i, client in enumerate(clients):
                y = Y[i] if warm else x
                for k in range(K):
                    y = y - eta * (client.grad(y, k, t) + L[i] + (y - x) / eta_pd)
                Y[i], L[i] = y, dual(L[i], y, x, eta_pd)
            x = mean([target(y, v, eta_pd) for y, v in zip(Y, L, strict=True)])
            path.append(x)
        return path

    return code


def reduced_drift(clients, x0, *, K, T, active, eta):
    """VRL-SGD whose corrections miss the K."""
    x, path, delta = x0, [x0], [0 * x0] * len(clients)
    for t in range(T):
        ends = []
        for i, client in enumerate(clients):
            y = x
            for k in range(K):
                y = y - eta * (client.grad(y, k, t) - delta[i])
            ends.append(y)
        x = mean(ends)
        delta = [d + (x - y) / eta for d, y in zip(delta, ends, strict=True)]
        path.append(x)
    return path


DUAL = [
    Fault(
        "models are sent",
        "fedpd",
        primal_dual(target=lambda y, v, eta_pd: y),
        ("target is y, where the method has y + eta_pd * fresh",),
    ),
    Fault(
        "duals against",
        "fedpd",
        primal_dual(lambda v, y, a, eta_pd: v - (y - a) / eta_pd),
        ("fresh is dual - stiffness * (y - anchor)",),
    ),
    Fault("clients start from the server", "fedpd", primal_dual(warm=False), ("warm = False",)),
    Fault("K is missing", "vrl-sgd", reduced_drift, ("K is missing in the denominator of the correction",)),
]


def shared_rate(
    largest=lambda old, v: np.maximum(old, mean(v)), when=lambda k, K: k == K - 1, root=lambda v, eps: np.sqrt(v)
):
    """Local AMSGrad with hooks for the shared rate, for the step at which it is refreshed, and for the divisor."""

    def code(clients, x0, *, K, T, active, eta, eps, beta1, beta2):
        N, x, path, rate = len(clients), x0, [x0], 0 * x0 + eps
        M, V = [0 * x0] * N, [0 * x0] * N
        for t in range(T):
            Y = [x] * N
            for k in range(K):
                G = [client.grad(y, k, t) for client, y in zip(clients, Y, strict=True)]
                M = [beta1 * m + (1 - beta1) * g for m, g in zip(M, G, strict=True)]
                V = [beta2 * v + (1 - beta2) * g * g for v, g in zip(V, G, strict=True)]
                if when(k, K):
                    rate = largest(rate, V)
                Y = [y - eta * m / root(rate, eps) for y, m in zip(Y, M, strict=True)]
            x = mean(Y)
            path.append(x)
        return path

    return code


def accumulators(join=mean, placeholder=lambda k, eps: (k + 1) * eps * eps):
    """Local AdaAlter with hooks for the average of the squares and for the placeholder."""

    def code(clients, x0, *, K, T, active, eta, eps, b0):
        x, path, B2 = x0, [x0], 0 * x0 + b0**2
        for t in range(T):
            ends, squares = [], []
            for i in active[t]:
                y, A2 = x, B2
                for k in range(K):
                    g = clients[i].grad(y, k, t)
                    y, A2 = y - eta * g / np.sqrt(B2 + placeholder(k, eps)), A2 + g * g
                ends.append(y)
                squares.append(A2)
            x, B2 = mean(ends), join(squares)
            path.append(x)
        return path

    return code


ADAPTIVE = [
    Fault(
        "no maximum over the past",
        "local-amsgrad",
        shared_rate(lambda old, v: mean(v)),
        ("vh is mean(v), where the method has maximum(vh, mean(v))",),
    ),
    Fault("eps beside the root", "local-amsgrad", shared_rate(root=lambda v, eps: np.sqrt(v) + eps), ()),
    Fault(
        "the placeholder does not grow",
        "local-adaalter",
        accumulators(placeholder=lambda k, eps: eps * eps),
        ("y - eta * g / sqrt(B2 + eps * eps), where",),
    ),
    Fault("no placeholder", "local-adaalter", accumulators(placeholder=lambda k, eps: 0.0), ("eps does nothing",)),
]


def imitated(
    local=lambda g, old, m, a: a * g + (1 - a) * (m + g - old), fresh=lambda c, b, m, a: a * c + (1 - a) * (m + c - b)
):
    """MimeLiteMVR with hooks for the local direction and for the momentum."""

    def code(clients, x0, *, K, T, active, eta, a, gamma):
        x = before = x0
        m, path = 0 * x0, [x0]
        for t in range(T):
            c, b = (mean([clients[i].full(at) for i in active[t]]) for at in (x, before))
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * local(clients[i].grad(y, k, t), clients[i].grad(before, k, t), m, a)
                ends.append(y)
            m = fresh(c, b, m, a)
            before, x = x, x + gamma * (mean(ends) - x)
            path.append(x)
        return path

    return code


MIME = [
    Fault(
        "plain momentum",
        "mimelite-mvr",
        imitated(lambda g, old, m, a: a * g + (1 - a) * m),
        ("y - eta * (a * h + old * momentum), where",),
    ),
    Fault(
        "the mean of two gradients",
        "mimelite-mvr",
        imitated(fresh=lambda c, b, m, a: a * c + (1 - a) * m),
        ("m is a * now + old * m, where",),
    ),
]


def qsgd(v, coin):
    a = 2 * np.abs(v) / norm(v)
    return norm(v) * np.sign(v) * (np.floor(a) + (coin < a - np.floor(a))) / 2


def shifted(learn=lambda h, sent, whole, alpha: h + alpha * sent, step=lambda h, sent: mean(h) + mean(sent)):
    """DIANA with hooks for the shifts and for the direction of the server."""

    def code(clients, x0, *, K, T, active, eta, alpha, quantiser, coins):
        x, path, H = x0, [x0], np.zeros((len(clients), len(x0)))
        for t in range(T):
            whole = np.array([client.full(x) for client in clients]) - H
            sent = np.array([qsgd(v, coin) for v, coin in zip(whole, coins[t][0], strict=True)])
            x, H = x - eta * step(H, sent), learn(H, sent, whole, alpha)
            path.append(x)
        return path

    return code


def skipping(scale=lambda p, eta: p / eta, heads=lambda coin, p: coin < p):
    """Scaffnew with hooks for the factor of the variates and for the coin."""

    def code(clients, x0, *, K, T, active, eta, p, coins):
        X, H, path = np.tile(x0, (len(clients), 1)), np.zeros((len(clients), len(x0))), [x0]
        for t in range(T):
            Z = X - eta * (np.array([client.full(x) for client, x in zip(clients, X, strict=True)]) - H)
            together = heads(coins[t][0].item(), p)
            X = np.tile(mean(Z), (len(Z), 1)) if together else Z
            H = H + scale(p, eta) * (X - Z)
            path.append(mean(Z))
        return path

    return code


def now_and_then(
    exact=lambda clients, x, t: mean([c.full(x) for c in clients]), change=lambda g, new, old: g + new - old
):
    """PAGE with hooks for the new start of the estimator, and for its change."""

    def code(clients, x0, *, K, T, active, eta, p, coins):
        x, path, g = x0, [x0], mean([client.full(x0) for client in clients])
        for t in range(T):
            before, x = x, x - eta * g
            new, old = (mean([client.grad(at, 0, t) for client in clients]) for at in (x, before))
            g = exact(clients, x, t) if coins[t][0].item() < p else change(g, new, old)
            path.append(x)
        return path

    return code


COINS = [
    Fault(
        "shifts learn what was not sent",
        "diana",
        shifted(lambda h, s, w, a: h + a * w),
        ("the new h is old_h + alpha * (grad f_i(y) - old_h), where the method has old_h + alpha * sent",),
        QSGD,
    ),
    Fault(
        "shifts are left out",
        "diana",
        shifted(step=lambda h, s: mean(s)),
        ("x is old_x - eta * mean(sent), where",),
        QSGD,
    ),
    Fault(
        "1/eta",
        "scaffnew",
        skipping(lambda p, eta: 1 / eta),
        ("1 / eta * (own - moved), where the method has old_h + p / eta",),
    ),
    Fault("the coin is reversed", "scaffnew", skipping(heads=lambda coin, p: coin >= p), ("uniform(1, 1) >= p",)),
    Fault(
        "a minibatch for the exact gradient",
        "page",
        now_and_then(lambda clients, x, t: mean([c.grad(x, 0, t) for c in clients])),
        ("exact is mean(g(x)), where the method has mean(grad f_i(x))",),
    ),
    Fault(
        "gradients of two points only",
        "page",
        now_and_then(change=lambda g, new, old: new),
        ("change is mean(g(new))",),
    ),
]


def one_machine(rule, start):
    """K steps a round of ``rule(x, gradient, memory, numbers)``, whose memory is ``start(clients, x0)``."""

    def run(clients, x0, K, T, numbers):
        x, path, s = x0, [x0], start(clients, x0)
        for t in range(T):
            for k in range(K):
                x = rule(x, lambda at, k=k, t=t: mean([c.grad(at, k, t) for c in clients]), s, numbers)
            path.append(x)
        return path

    return run


def total(add=lambda w, g: w + g @ g, divisor=lambda w, eps: np.sqrt(eps**2 + w)):
    def rule(x, g, s, numbers):
        eta, eps = numbers
        here = g(x)
        s["w"] = add(s["w"], here)
        return x - eta * here / divisor(s["w"], eps)

    run = one_machine(rule, lambda clients, x0: {"w": 0.0})
    return lambda clients, x0, *, K, T, active, eta, eps: run(clients, x0, K, T, (eta, eps))


def normalised(along=lambda m, g: m / norm(m), average=lambda m, g, b: (1 - b) * m + b * g):
    def rule(x, g, s, numbers):
        eta, beta = numbers
        x = x - eta * along(s["m"], g(x))
        s["m"] = average(s["m"], g(x), beta)
        return x

    run = one_machine(rule, lambda clients, x0: {"m": mean([c.first(x0) for c in clients])})
    return lambda clients, x0, *, K, T, active, eta, beta: run(clients, x0, K, T, (eta, beta))


def corrected_rms(length):
    def rule(x, g, s, numbers):
        eta, eps, beta2 = numbers
        here = g(x)
        s["v"], s["n"] = beta2 * s["v"] + here**2, s["n"] + 1
        return x - eta * length(beta2, s["n"]) * here / np.sqrt(eps**2 + s["v"])

    run = one_machine(rule, lambda clients, x0: {"v": 0 * x0, "n": 0})
    return lambda clients, x0, *, K, T, active, eta, eps, beta2: run(clients, x0, K, T, (eta, eps, beta2))


MACHINE = [
    Fault(
        "entries and not the norm",
        "adagrad-norm",
        total(lambda w, g: w + g**2),
        ("another method, Adagrad on one machine",),
    ),
    Fault(
        "norms and not their squares",
        "adagrad-norm",
        total(lambda w, g: w + norm(g)),
        ("total + norm(g), where the method has total + square(g)",),
    ),
    Fault(
        "weights swapped", "nsgdm", normalised(average=lambda m, g, b: b * m + (1 - b) * g), ("beta is 0.7 (1-beta)",)
    ),
    Fault(
        "the correction upside down",
        "rmsprop-corrected",
        corrected_rms(lambda b, n: np.sqrt((1 - b) / (1 - b**n))),
        ("sqrt((1 - beta2) / (1 - beta2 ** n))), where",),
    ),
    Fault("no correction", "rmsprop-corrected", corrected_rms(lambda b, n: 1.0), ("(beta2, eta), where",)),
]


def combined_first(clients, x0, *, K, T, active, eta):
    """Decentralised SGD whose clients mix first, and take the gradients where that leads."""
    W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
    for t in range(T):
        X = W @ X
        X = np.array([sgd(client, X[i], eta, K, t) for i, client in enumerate(clients)])
        path.append(mean(X))
    return path


def towards_itself(clients, x0, *, K, T, active, eta, gamma, k):
    """CHOCO-SGD that takes the difference to its own model, and not to what is known of it."""
    W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
    known = X.copy()
    for t in range(T):
        g = np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)])
        X = X + gamma * (W @ known - X) - eta * g
        known = known + np.array([top(v, k) for v in X - known])
        path.append(mean(X))
    return path


def clipped_steps(clients, x0, *, K, T, active, eta, clip, gamma, z):
    """FedAvg with privacy that clips every step, and not the update."""
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - cut(eta * clients[i].grad(y, k, t), clip)
            ends.append(y)
        x = x + gamma * (mean(ends) - x)
        path.append(x)
    return path


OTHERS = [
    Fault("mixes first", "dsgd", combined_first, ("combine then adapt, from the mixed models, has the same mean",)),
    Fault("from its own model", "choco", towards_itself, ("- old_own, where the method has",)),
    Fault("steps are clipped", "dp-fedavg", clipped_steps, ("its norm is clipped at 2",), CLIP),
    Fault(
        "h by S, and not by alpha",
        "feddyn",
        feddyn(h_change=lambda e, x, a, N: a * (mean(e) - x), server=lambda y, h, a: y - h),
        ("with two mistakes", "divided by the S active clients", "the division by alpha is missing"),
    ),
    Fault(
        "by place, and c by S",
        "scaffold",
        scaffold(place=lambda i, j: j, common=lambda c, d, S, N, own: c + d / S),
        ("with two mistakes", "by their place", "divided by the S active clients"),
    ),
    Fault(
        "v from 0, and the sum over N",
        "fedadam",
        fedopt(v0=lambda tau: 0.0, average=lambda ends, s: sum(ends) / len(s["clients"])),
        ("with two mistakes", "starts at 0", "D is S / N * y - x"),
    ),
]

FAULTS = [*LOCAL, *DUAL, *ADAPTIVE, *MIME, *COINS, *MACHINE, *OTHERS]
RIGHT = [
    ("pr-sgd-m", averaged_buffers(), {}),
    ("slowmo", slow(lambda x, v, d, b, g, eta: (x - g * eta * (b * v + d / eta), b * v + d / eta)), {}),
    ("fedprox-m", proximal_momentum(), {}),
    ("fedpd", primal_dual(), {}),
    ("local-amsgrad", shared_rate(), {}),
    ("local-adaalter", accumulators(), {}),
    ("mimelite-mvr", imitated(), {}),
    ("diana", shifted(), QSGD),
    ("scaffnew", skipping(), {}),
    ("page", now_and_then(), {}),
    ("adagrad-norm", total(), {}),
    ("nsgdm", normalised(), {}),
    ("rmsprop-corrected", corrected_rms(lambda b, n: np.sqrt((1 - b**n) / (1 - b))), {}),
    ("dsgd", dsgd(lambda X, Y, W: W @ X + Y - X), {}),
]
"""The loops with no fault, and their numbers: right."""
