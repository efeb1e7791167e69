"""Faults of public codes of methods that are seldom asked about: recursive momentum, memories, trackers, normalisers.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, feddyn, mean, norm, top
from faulty_fresh import both
from faulty_rules import CLIP, cut, diffusion, dp_fedavg, mb_storm, ring, sgd, tracking

QSGD = {"quantiser": "qsgd-2"}


def normalising(own=lambda whole, steps, plain, pulled: whole, effective=lambda weights, steps: mean(weights)):
    """FedNova with momentum and a proximal term, with hooks for the normaliser and for tau_eff.

    The normaliser is made of that of the method, of the number of steps, and of what each of the two terms alone gives.
    """

    def code(clients, x0, *, K, T, active, eta, beta, rho, K_i):
        x, path = x0, [x0]
        for t in range(T):
            moves, weights = [], []
            for i in active[t]:
                y, u, c, whole, pulled, plain = x, 0 * x, 0.0, 0.0, 0.0, 0.0
                for k in range(K_i[i]):
                    u, c = beta * u + clients[i].grad(y, k, t), beta * c + 1
                    y = y - eta * (u + rho * (y - x))
                    whole, pulled, plain = (1 - eta * rho) * whole + c, (1 - eta * rho) * pulled + 1, plain + c
                weights.append(own(whole, K_i[i], plain, pulled))
                moves.append((y - x) / weights[-1])
            x = x + effective(weights, [K_i[i] for i in active[t]]) * mean(moves)
            path.append(x)
        return path

    return code


NORMALISED = [
    Fault(
        "momentum is not counted",
        "fednova",
        normalising(lambda whole, steps, plain, pulled: pulled),
        ("where they make K_i of their own, c is 1, where the method has beta * c + 1",),
    ),
    Fault(
        "the pull is not counted",
        "fednova",
        normalising(lambda whole, steps, plain, pulled: plain),
        ("where(going, n + c, n)", "(1 - eta * rho) * n + c"),
    ),
    Fault(
        "tau_eff of plain steps",
        "fednova",
        normalising(effective=lambda weights, steps: mean(steps)),
        ("moved is mean(steps) *",),
    ),
]


def remembering(direction=lambda G, last, S, N: mean(G), place=lambda i, j: i):
    """MIFA with hooks for the direction of the server, and for whose memory it is."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, path, G, d = x0, [x0], [0 * x0 for _ in clients], 0 * x0
        for t in range(T):
            change = 0 * x
            for j, i in enumerate(active[t]):
                fresh = x - sgd(clients[i], x, eta, K, t)
                change, G[place(i, j)] = change + fresh - G[place(i, j)], fresh
            d = direction(G, (d, change), len(active[t]), len(clients))
            x = x - gamma * d
            path.append(x)
        return path

    return code


def models_in_memory(clients, x0, *, K, T, active, eta, gamma):
    """MIFA whose server keeps the clients' models and not their updates."""
    x, path, models = x0, [x0], [x0] * len(clients)
    for t in range(T):
        for i in active[t]:
            models[i] = sgd(clients[i], x, eta, K, t)
        x = x + gamma * (mean(models) - x)
        path.append(x)
    return path


MEMORIES = [
    Fault(
        "models in the memory",
        "mifa",
        models_in_memory,
        ("the memory has the clients' last models and not their displacements",),
    ),
    Fault("memory by place", "mifa", remembering(place=lambda i, j: j), ("indexed by their place",)),
    Fault(
        "change by S",
        "mifa",
        remembering(direction=lambda G, d, S, N: d[0] + d[1] / S),
        ("gamma is multiplied by N/S",),
    ),
]


def at_the_new_model(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn whose server moves h after the average."""
    x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) - own[i] + alpha * (y - x))
            own[i] = own[i] - alpha * (y - x)
            ends.append(y)
        new = mean(ends) - h / alpha
        h = h - alpha * sum(y - x for y in ends) / len(clients)
        x = new
        path.append(x)
    return path


def last_gradient(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn whose linear term is the last gradient of the client, as it is at an exact minimiser."""
    x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                g = clients[i].grad(y, k, t)
                y = y - eta * (g - own[i] + alpha * (y - x))
            own[i] = g
            ends.append(y)
        h = h - alpha * sum(y - x for y in ends) / len(clients)
        x = mean(ends) - h / alpha
        path.append(x)
    return path


def drifting(
    drift=lambda c, own, g, beta: beta * (c - own) + (1 - beta) * g,
    common=lambda c, change, S, N: c + change / N,
):
    """SCAFFOLD-M with hooks for what is added to a gradient and for the server's variate."""

    def code(clients, x0, *, K, T, active, eta, gamma, beta):
        x, g, own, path = x0, 0 * x0, [client.first(x0) for client in clients], [x0]
        c = mean(own)
        for t in range(T):
            ends, change = [], 0 * x
            for i in active[t]:
                y, total, add = x, 0 * x, drift(c, own[i], g, beta)
                for k in range(K):
                    here = clients[i].grad(y, k, t)
                    y, total = y - eta * (beta * here + add), total + here
                change, own[i] = change + total / K - own[i], total / K
                ends.append(y)
            g, c = (x - mean(ends)) / (eta * K), common(c, change, len(ends), len(clients))
            x = x - gamma * g
            path.append(x)
        return path

    return code


DUALS = [
    Fault("h moves after the average", "feddyn", at_the_new_model, ("subtracts the correction h of the round before",)),
    Fault(
        "the last gradient", "feddyn", last_gradient, ("the new linear term is the gradient of the last local step",)
    ),
    Fault("c by S", "scaffold-m", drifting(common=lambda c, d, S, N: c + d / S), ("divided by the S active clients",)),
    Fault(
        "correction without beta, c by S",
        "scaffold-m",
        drifting(lambda c, own, g, b: (c - own) + (1 - b) * g, lambda c, d, S, N: c + d / S),
        ("with two mistakes", "divided by the S active clients", "the correction is not multiplied by beta"),
    ),
]


def on_the_first_sample(clients, x0, *, K, T, active, gamma, a):
    """Minibatch STORM whose old gradients are all of the first batch."""
    x = before = x0
    g, path = mean([client.first(x0) for client in clients]), [x0]
    for t in range(T):
        new = mean([clients[i].grad(x, k, t) for i in active[t] for k in range(K)])
        old = mean([clients[i].grad(before, 0, t) for i in active[t]])
        g = new + (1 - a) * (g - old)
        before, x = x, x - gamma * g
        path.append(x)
    return path


def recursive(rule=lambda g, old, v, a: g + (1 - a) * (v - old), ahead=True):
    """STORM on one machine with a hook for the estimator, and whether the old model was copied."""

    def code(clients, x0, *, K, T, active, eta, a):
        x, path, v = x0, [x0], mean([client.first(x0) for client in clients])
        for t in range(T):
            for k in range(K):
                new = x - eta * v
                g, old = (mean([c.grad(at, k, t) for c in clients]) for at in (new, x if ahead else new))
                x, v = new, rule(g, old, v, a)
            path.append(x)
        return path

    return code


def adaptive(root=np.cbrt, weight=lambda c, eta: c * eta * eta, early=False):
    """STORM with its adaptive step, with hooks for the root, for the weight, and for when squares are added up."""

    def code(clients, x0, *, K, T, active, k, w, c):
        v = mean([client.first(x0) for client in clients])
        x, path, total = x0, [x0], 0.0 if early else v @ v
        for t in range(T):
            for j in range(K):
                eta = k / root(w + total)
                new = x - eta * v
                g, old = (mean([client.grad(at, j, t) for client in clients]) for at in (new, x))
                x, v, total = new, g + (1 - weight(c, eta)) * (v - old), total + g @ g
            path.append(x)
        return path

    return code


RECURSIVE = [
    Fault(
        "old gradients of the first batch",
        "mb-storm",
        on_the_first_sample,
        ("the second on that of the first step of the round",),
    ),
    Fault("a for 1 - a", "mb-storm", mb_storm(lambda g, n, o, a: n + a * (g - o)), ("a is 0.7 (1-a)",)),
    Fault(
        "the old model is not copied",
        "storm",
        recursive(ahead=False),
        ("mean_grad(new, batch)), where the method has fresh + (1 - a) * (v - mean_grad(x, batch))",),
    ),
    Fault(
        "square root",
        "storm-adaptive",
        adaptive(root=np.sqrt),
        ("eta is k / sqrt(w + total), where the method has k / cbrt(",),
    ),
    Fault("weight c eta", "storm-adaptive", adaptive(weight=lambda c, eta: c * eta), ("(eta, c * eta), where",)),
    Fault("the first gradient is not counted", "storm-adaptive", adaptive(early=True), ("the new total is 0 * v",)),
]


def two_trajectories(
    rule=lambda u, D, H, b: b * D + (1 - b) * (u + D - H), damp=lambda d: d, old=lambda x, previous: previous
):
    """FedGLOMO without a quantiser, with hooks for the server's rule, the damping, and the second start."""

    def code(clients, x0, *, K, T, active, eta, beta, damping):
        def path_of(client, start, t):
            y, v = start, client.full(start)
            for k in range(K):
                last, y = y, y - eta * v
                if k < K - 1:
                    v = client.grad(y, k, t) + damp(damping) * (v - client.grad(last, k, t))
            return start - y

        x = previous = x0
        u, path = 0 * x0, [x0]
        for t in range(T):
            if t == 0:
                ends = []
                for client in clients:
                    y = x
                    for _ in range(K):
                        y = y - eta * client.full(y)
                    ends.append(y)
                u = x - mean(ends)
            else:
                D = mean([path_of(clients[i], x, t) for i in active[t]])
                H = mean([path_of(clients[i], old(x, previous), t) for i in active[t]])
                u = rule(u, D, H, beta)
            previous, x = x, x - u
            path.append(x)
        return path

    return code


GLOMO = [
    Fault(
        "weights swapped",
        "fedglomo",
        two_trajectories(lambda u, D, H, b: (1 - b) * D + b * (u + D - H)),
        ("beta is 0.7 (1-beta)",),
    ),
    Fault(
        "no difference, no damping",
        "fedglomo",
        two_trajectories(lambda u, D, H, b: b * D + (1 - b) * u, lambda d: 1.0),
        ("with two mistakes", "damping does nothing", "beta * mean(Q(D)) + old * u,"),
    ),
]


def momentum_gda(weight=lambda c1, eta: c1 * eta * eta, averaged=True):
    """FMGDA with hooks for the weight of the recursion and for the averaged estimators."""

    def code(clients, z0, *, K, T, active, chat, c_dual, c1, h, t_flat):
        z, path, n = z0, [z0], 0
        u = [client.first(z0) for client in clients]
        for t in range(T):
            points = [z] * len(clients)
            for k in range(K):
                n += 1
                eta = h / np.cbrt(max(n + 1.5, t_flat))
                old = points
                if k == K - 1:
                    base = mean(points)
                    shared = mean(u)
                    z = base + eta * both(chat, c_dual) * shared
                    points, carried = [z] * len(clients), [shared] * len(clients) if averaged else u
                else:
                    points = [p + eta * both(chat, c_dual) * v for p, v in zip(points, u, strict=True)]
                    carried = u
                u = [
                    c.grad(p, k, t) + (1 - weight(c1, eta)) * (v - c.grad(o, k, t))
                    for c, p, v, o in zip(clients, points, carried, old, strict=True)
                ]
            path.append(z)
        return path

    return code


def averaging_gda(
    step=lambda alpha, a, b: both(alpha * a, alpha * b),
    weight=lambda alpha, bx, by: np.array([alpha * bx] * 3 + [alpha * by] * 2),
    shared=True,
):
    """Momentum local SGDA with hooks for the step, for the weights and for the averaged directions."""

    def code(clients, z0, *, K, T, active, eta_x, eta_y, alpha, bx, by):
        z, path, u = z0, [z0], [client.first(z0) for client in clients]
        w, along = weight(alpha, bx, by), step(alpha, eta_x, eta_y)
        for t in range(T):
            ends = []
            for i, client in enumerate(clients):
                y = z
                for k in range(K):
                    y = y + along * u[i]
                    u[i] = (1 - w) * u[i] + w * client.grad(y, k, t)
                ends.append(y)
            z, u = mean(ends), [mean(u)] * len(u) if shared else u
            path.append(z)
        return path

    return code


MINIMAX = [
    Fault("weight c1 eta", "fmgda", momentum_gda(lambda c1, eta: c1 * eta), ("(1 - c1 * eta) * (u",)),
    Fault(
        "estimators stay with the clients",
        "fmgda",
        momentum_gda(averaged=False),
        ("u is estimator(eta, u, old, x), where the method has estimator(eta, ub, old, x)",),
    ),
    Fault(
        "directions stay with the clients",
        "momentum-local-sgda",
        averaging_gda(shared=False),
        ("not averaged: every client goes on with the one of its last round",),
    ),
    Fault(
        "alpha twice left out",
        "momentum-local-sgda",
        averaging_gda(lambda alpha, a, b: both(a, b), lambda alpha, bx, by: np.array([bx] * 3 + [by] * 2)),
        ("alpha is 1 and not",),
    ),
]


def belief(target=lambda v, fresh: v):
    """EF21-SGDM with a hook for what is sent."""

    def code(clients, x0, *, K, T, active, gamma, beta, k):
        x, path, G = x0, [x0], [client.first(x0) for client in clients]
        V = list(G)
        for t in range(T):
            x = x - gamma * mean(G)
            fresh = [client.grad(x, 0, t) for client in clients]
            V = [(1 - beta) * v + beta * g for v, g in zip(V, fresh, strict=True)]
            G = [g + top(target(v, f) - g, k) for g, v, f in zip(G, V, fresh, strict=True)]
            path.append(x)
        return path

    return code


def error_of_the_average(clients, x0, *, K, T, active, eta, k):
    """Error feedback that subtracts what everybody sent on average, as after an all-reduce in place."""
    x, path, E = x0, [x0], [0 * x0] * len(clients)
    for t in range(T):
        W = [eta * client.grad(x, 0, t) + e for client, e in zip(clients, E, strict=True)]
        sent = mean([top(w, k) for w in W])
        x, E = x - sent, [w - sent for w in W]
        path.append(x)
    return path


SENT = [
    Fault("the fresh gradient is sent", "ef21-sgdm", belief(lambda v, fresh: fresh), ("beta is 1 and not",)),
    Fault("error of the average", "ef-sgd", error_of_the_average, ("wanted - mean(sent)",)),
]


def with_old_models(clients, x0, *, K, T, active, eta):
    """Exact diffusion that corrects by the model of the round before, and not by where its step led."""
    W, X = ring(len(clients)), np.tile(x0, (len(clients), 1))
    before = X
    path = [x0]
    for t in range(T):
        adapted = X - eta * np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)])
        corrected = adapted + X - before
        before, X = X, 0.5 * (corrected + W @ corrected)
        path.append(mean(X))
    return path


def first_gradient_kept(clients, x0, *, K, T, active, eta):
    """Gradient tracking whose last gradients are never refreshed."""
    W, X = ring(len(clients)), np.tile(x0, (len(clients), 1))
    Y = np.array([client.first(x0) for client in clients])
    first, path = Y.copy(), [x0]
    for t in range(T):
        X = W @ X - eta * Y
        Y = W @ Y + np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)]) - first
        path.append(mean(X))
    return path


NETWORKS = [
    Fault("corrected by the old model", "exact-diffusion", with_old_models, ("the new adapted is old_own",)),
    Fault("the last gradients stay the first", "gradient-tracking", first_gradient_kept, ("the new last is old_last",)),
]


def fair(weight=lambda f, q: f**q, bend=lambda f, q, square, eta: q * f ** (q - 1) * square + f**q / eta):
    """q-FedAvg with hooks for the weight of a client and for its denominator."""

    def code(clients, x0, *, K, T, active, eta, q):
        x, path = x0, [x0]
        for t in range(T):
            slopes = [(x - sgd(clients[i], x, eta, K, t)) / eta for i in active[t]]
            losses = [clients[i].value(x) for i in active[t]]
            above = sum(weight(f, q) * s for f, s in zip(losses, slopes, strict=True))
            x = x - above / sum(bend(f, q, s @ s, eta) for f, s in zip(losses, slopes, strict=True))
            path.append(x)
        return path

    return code


FAIR = [
    Fault("no term of the norm", "q-fedavg", fair(bend=lambda f, q, s, eta: f**q / eta), ("bend is weight / eta",)),
    Fault("losses by q + 1", "q-fedavg", fair(lambda f, q: f ** (q + 1)), ("mean(weight * loss * slope)",)),
]


def late(rule, scale=lambda S, N: 1.0):
    """FedBuff with a rule for the staleness weight, and a factor of the server step."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, path, own, since = x0, [x0], [x0] * len(clients), [0] * len(clients)
        for t in range(T):
            moves = [rule(t - since[i]) * (sgd(clients[i], own[i], eta, K, t) - own[i]) for i in active[t]]
            x = x + gamma * scale(len(moves), len(clients)) * mean(moves)
            for i in active[t]:
                own[i], since[i] = x, t + 1
            path.append(x)
        return path

    return code


def differences(believe=lambda g, old, sent: g + sent):
    """MARINA with QSGD of two levels, with a hook for the estimator in a compressed round."""

    def send(v, coin):
        a = 2 * np.abs(v) / norm(v)
        return norm(v) * np.sign(v) * (np.floor(a) + (coin < a - np.floor(a))) / 2

    def code(clients, x0, *, K, T, active, gamma, p, quantiser, coins):
        x, path = x0, [x0]
        grads = [client.full(x0) for client in clients]
        g = mean(grads)
        for t in range(T):
            x = x - gamma * g
            new = [client.full(x) for client in clients]
            sent = [send(a - b, c) for a, b, c in zip(new, grads, coins[t][1], strict=True)]
            g = mean(new) if coins[t][0] < p else believe(g, mean(grads), mean(sent))
            grads = new
            path.append(x)
        return path

    return code


OTHERS = [
    Fault(
        "over all clients, gamma not used",
        "dp-fedavg",
        lambda clients, x0, *, K, T, active, eta, clip, gamma, z: dp_fedavg(
            lambda D, c, N: sum(cut(v, c) for v in D) / N
        )(clients, x0, K=K, T=T, active=active, eta=eta, clip=clip, gamma=1.0, z=z),
        ("1 / gamma * (S / N) * (moved * (clip",),
        CLIP,
    ),
    Fault(
        "1/(1 + age), over all clients",
        "fedbuff",
        late(lambda a: 1 / (1 + a), lambda S, N: S / N),
        ("divided by all N clients and not by the S that arrived", "are 0.4, 0.2, 2/15"),
    ),
    Fault(
        "gradients of before",
        "marina",
        differences(lambda g, old, sent: old + sent),
        ("mean(old_grads) + mean(sent)",),
        QSGD,
    ),
    Fault(
        "no memory", "marina", differences(lambda g, old, sent: sent), ("where(exact, mean(grads), mean(sent))",), QSGD
    ),
]

FAULTS = [*NORMALISED, *MEMORIES, *DUALS, *RECURSIVE, *GLOMO, *MINIMAX, *SENT, *NETWORKS, *FAIR, *OTHERS]
RIGHT = [
    ("fednova", normalising(), {}),
    ("mifa", remembering(), {}),
    ("feddyn", feddyn(), {}),
    ("scaffold-m", drifting(), {}),
    ("mb-storm", mb_storm(lambda g, n, o, a: n + (1 - a) * (g - o)), {}),
    ("storm", recursive(), {}),
    ("storm-adaptive", adaptive(), {}),
    ("fedglomo", two_trajectories(), {}),
    ("fmgda", momentum_gda(), {}),
    ("momentum-local-sgda", averaging_gda(), {}),
    ("ef21-sgdm", belief(), {}),
    ("exact-diffusion", diffusion(lambda W, a, X, b: 0.5 * (a + X - b + W @ (a + X - b))), {}),
    ("gradient-tracking", tracking(), {}),
    ("q-fedavg", fair(), {}),
    ("fedbuff", late(lambda a: 1.0), {}),
    ("marina", differences(), QSGD),
]
"""The loops with no fault, and their numbers: right."""
