"""Faults of methods that are seldom asked about, a third of them two slips at a time or such as show with S < N alone.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, feddyn, fedopt, mean, norm, scaffold, top
from faulty_fresh import both
from faulty_public import gossip, sparse
from faulty_rules import cut, sgd, tracking


def lalr(first=lambda b, m, g: b * m + (1 - b) * g, largest=np.maximum, share=mean, start=lambda eps: eps**2):
    """FedLALR with hooks for the first moment, the maximum, what is shared of the maxima, and their start."""

    def code(clients, x0, *, K, T, active, eta, beta1, beta2, eps):
        x, m, vh, path = x0, 0 * x0, 0 * x0 + start(eps), [x0]
        for t in range(T):
            X, M, VH = [], [], []
            for i in active[t]:
                y, a, v, top_ = x, m, vh, vh
                for k in range(K):
                    g = clients[i].grad(y, k, t)
                    a, v = first(beta1, a, g), beta2 * v + (1 - beta2) * g * g
                    top_ = largest(top_, v)
                    y = y - eta * a / np.sqrt(top_)
                X.append(y)
                M.append(a)
                VH.append(top_)
            x, m, vh = mean(X), mean(M), share(VH)
            path.append(x)
        return path

    return code


def diffused(shift=lambda beta, z: beta * z, dual=lambda z, y, x: z + y - x):
    """LED with hooks for what is added to a step, and for the dual."""

    def code(clients, x0, *, K, T, active, eta, beta):
        x, Z, path = x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends = []
            for i, c in enumerate(clients):
                y = x
                for k in range(K):
                    y = y - eta * c.grad(y, k, t) - shift(beta, Z[i])
                ends.append(y)
            x = mean(ends)
            Z = [dual(z, y, x) for z, y in zip(Z, ends, strict=True)]
            path.append(x)
        return path

    return code


def memory_momentum(mix=lambda b, m, d: b * m + d, over=lambda active, N: range(N)):
    """MIFAM with hooks for the momentum, and for the mean of the memory."""

    def code(clients, x0, *, K, T, active, eta, beta, gamma):
        x, G, m, path = x0, [0 * x0 for _ in clients], 0 * x0, [x0]
        for t in range(T):
            for i in active[t]:
                G[i] = x - sgd(clients[i], x, eta, K, t)
            m = mix(beta, m, mean([G[i] for i in over(active[t], len(clients))]))
            x = x - gamma * m
            path.append(x)
        return path

    return code


def fast(t0=1.0, coef=lambda t, later: (t - 1) / later):
    """FISTA without a penalty, with hooks for the counter and for the weight of the momentum."""

    def code(clients, x0, *, K, T, active, eta):
        x = y = x0
        t_, path = t0, [x0]
        for t in range(T):
            for k in range(K):
                new = y - eta * mean([c.grad(y, k, t) for c in clients])
                later = (1 + np.sqrt(1 + 4 * t_ * t_)) / 2
                y = new + coef(t_, later) * (new - x)
                x, t_ = new, later
            path.append(x)
        return path

    return code


def skipping(refresh=lambda h, own, moved, p, eta: h + p / eta * (own - moved), local=lambda g, h: g - h):
    """Scaffnew with hooks for the control variate and for the local step."""

    def code(clients, x0, *, K, T, active, coins, eta, p):
        N = len(clients)
        X, H, path = [x0] * N, [0 * x0] * N, [x0]
        for t in range(T):
            Z = [x - eta * local(c.full(x), h) for c, x, h in zip(clients, X, H, strict=True)]
            X = [mean(Z)] * N if np.ravel(coins[t][0])[0] < p else Z
            H = [refresh(h, x, z, p, eta) for h, x, z in zip(H, X, Z, strict=True)]
            path.append(mean(Z))
        return path

    return code


def recursion(weight=lambda b, g, old: (1 - b) * (g - old), previous=lambda x, new, g, gamma: x):
    """FedAvg-M-VR with hooks for the weight of the recursion, and for the old model."""

    def code(clients, x0, *, K, T, active, eta, gamma, beta):
        x, prev, g, path = x0, x0, mean([c.first(x0) for c in clients]), [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + weight(beta, g, clients[i].grad(prev, k, t)))
                ends.append(y)
            g = (x - mean(ends)) / (eta * K)
            new = x - gamma * g
            prev, x = previous(x, new, g, gamma), new
            path.append(x)
        return path

    return code


def boxed(project=lambda z, r: np.concatenate([z[:3], np.clip(z[3:], -r, r)])):
    """SGDA whose pair is projected by a hook."""

    def code(clients, z0, *, K, T, active, eta_x, eta_y, reach):
        z, path = z0, [z0]
        for t in range(T):
            for k in range(K):
                z = project(z + both(eta_x, eta_y) * mean([c.grad(z, k, t) for c in clients]), reach)
            path.append(z)
        return path

    return code


def adam_box(decay=lambda b, d, t: b * d ** (t - 1), schedule=np.sqrt, hats=(True, True)):
    """Adam with projection, with hooks for beta1, the step, and which moments are corrected."""

    def code(clients, x0, *, K, T, active, eta, beta1, beta2, decay1, D_inf):
        x, m, v, path = x0, 0 * x0, 0 * x0, [x0]
        for t in range(1, T + 1):
            g = mean([c.grad(x, 0, t - 1) for c in clients])
            b = decay(beta1, decay1, t)
            m, v = b * m + (1 - b) * g, beta2 * v + (1 - beta2) * g * g
            size = np.sqrt(v / (1 - beta2**t) if hats[1] else v)
            x = np.clip(x - eta / schedule(t) * (m / (1 - beta1**t) if hats[0] else m) / size, -D_inf / 2, D_inf / 2)
            path.append(x)
        return path

    return code


def prox_m(rule):
    """FedProxM whose server is ``rule(x, v, y, beta, gamma, S / N)``."""

    def code(clients, x0, *, K, T, active, eta, rho, beta, gamma):
        x, v, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + rho * (y - x))
                ends.append(y)
            x, v = rule(x, v, mean(ends), beta, gamma, len(active[t]) / len(clients))
            path.append(x)
        return path

    return code


def lite(
    local=lambda g, s, b: (1 - b) * g + b * s,
    statistic=lambda s, c, b: (1 - b) * c + b * s,
    over=lambda active, N: active,
):
    """MimeLite with hooks for the local direction, for the statistic, and over whom it is taken."""

    def code(clients, x0, *, K, T, active, eta, beta, gamma):
        x, s, path = x0, 0 * x0, [x0]
        for t in range(T):
            ends = []
            c = mean([clients[i].full(x) for i in over(active[t], len(clients))])
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * local(clients[i].grad(y, k, t), s, beta)
                ends.append(y)
            s = statistic(s, c, beta)
            x = x + gamma * (mean(ends) - x)
            path.append(x)
        return path

    return code


def delayed(old):
    """SGD whose gradients are ``old(delay, t)`` rounds old."""

    def code(clients, x0, *, K, T, active, eta, delay):
        xs = [x0]
        for t in range(T):
            at = xs[max(0, t - old(delay, t))]
            xs.append(xs[-1] - eta * mean([c.grad(at, 0, t) for c in clients]))
        return xs

    return code


def short_steps(rule):
    """SGD whose steps are along ``rule(gradients, clip)``."""

    def code(clients, x0, *, K, T, active, eta, clip):
        x, path = x0, [x0]
        for t in range(T):
            for k in range(K):
                x = x - eta * rule([c.grad(x, k, t) for c in clients], clip)
            path.append(x)
        return path

    return code


NUMBERS = {"box": {"reach": 0.3}, "delay": {"delay": 2}}
FAULTS = [
    Fault("maxima of the first client", "fedlalr", lalr(share=lambda V: V[0]), ("vh is VH[:, :1], where",)),
    Fault("vh starts at eps", "fedlalr", lalr(start=lambda e: e), ("eps is 0.547723 (sqrt(eps))",)),
    Fault("no maximum", "fedlalr", lalr(largest=lambda a, v: v), ("VH is V, where the method has maximum(VH, V)",)),
    Fault("undamped, and no maximum", "fedlalr", lalr(lambda b, m, g: b * m + g, lambda a, v: v), ()),
    Fault("the dual without beta", "led", diffused(shift=lambda b, z: z), ("beta is 1 and not 0.3",)),
    Fault("half of the dual, against", "led", diffused(dual=lambda z, y, x: z - (y - x) / 2), ("(-0.5 beta)",)),
    Fault("mean over the active", "mifam", memory_momentum(over=lambda a, N: a), ("FedAvg with server momentum",)),
    Fault(
        "damped, over the active",
        "mifam",
        memory_momentum(lambda b, m, d: b * m + (1 - b) * d, lambda a, N: a),
        ("(1 - beta) * (N / S) * fresh",),
    ),
    Fault("t/(t + 3)", "fista", fast(coef=lambda t, later: t / (t + 3)), ()),
    Fault("t starts at 0", "fista", fast(t0=0.0), ("the new t is 0 * x0,",)),
    Fault("1/p", "scaffnew", skipping(refresh=lambda h, x, z, p, eta: h + (x - z) / (p * eta)), ()),
    Fault("plus h", "scaffnew", skipping(local=lambda g, h: g + h), ("(grad f_i(old_own) + old_h), where",)),
    Fault("beta for 1 - beta", "fedavg-m-vr", recursion(lambda b, g, old: b * (g - old)), ("beta is 0.7 (1-beta)",)),
    Fault(
        "the new model for the old one",
        "fedavg-m-vr",
        recursion(previous=lambda x, new, g, gamma: new),
        ("at is old_x, where the method has old_previous",),
    ),
    Fault(
        "x in the box",
        "sgda-projected",
        boxed(lambda z, r: np.clip(z, -r, r)),
        ("clip_entries(z", "0.3"),
        NUMBERS["box"],
    ),
    Fault(
        "a box from 0",
        "sgda-projected",
        boxed(lambda z, r: np.concatenate([z[:3], np.clip(z[3:], 0, r)])),
        ("at_least_of_y(", ", 0)"),
        NUMBERS["box"],
    ),
    Fault(
        "m is not corrected",
        "adam-projected",
        adam_box(hats=(False, True)),
        ("eta / sqrt(t) * m / where", "1 - beta1 ** t"),
    ),
    Fault("1/t", "adam-projected", adam_box(schedule=lambda t: t), ("multiplied by 1/sqrt(t) in round t",)),
    Fault("beta1 does not fall", "adam-projected", adam_box(decay=lambda b, d, t: b), ("decay1 is 1",)),
    Fault(
        "damped, gamma not used",
        "fedprox-m",
        prox_m(lambda x, v, y, b, g, s: (x - (b * v + (1 - b) * (x - y)), b * v + (1 - b) * (x - y))),
        ("gamma is 0.7 (1-beta)",),
    ),
    Fault(
        "displacement by S/N",
        "fedprox-m",
        prox_m(lambda x, v, y, b, g, s: (x - g * (b * v + s * (x - y)), b * v + s * (x - y))),
        ("gamma is multiplied by S/N",),
    ),
    Fault("over all clients", "mimelite", lite(over=lambda a, N: range(N)), ("c is mean_gradient_of_all(start)",)),
    Fault("the gradient undamped", "mimelite", lite(local=lambda g, s, b: g + b * s), ("1 / (1 - beta)",)),
    Fault(
        "an undamped statistic, over all clients",
        "mimelite",
        lite(statistic=lambda s, c, b: c + b * s, over=lambda a, N: range(N)),
        ("c is mean_gradient_of_all(start)", "1 / (1 - beta) * mean_gradient_of_all(start)"),
    ),
    Fault("one round more", "delayed-sgd", delayed(lambda d, t: d + 1), ("delay = 3 and not 2",), NUMBERS["delay"]),
    Fault("fresh every second round", "delayed-sgd", delayed(lambda d, t: d if t % 2 else 0), (), NUMBERS["delay"]),
    Fault(
        "before the mean",
        "clipped-sgd",
        short_steps(lambda G, c: mean([cut(g, c) for g in G])),
        ("clipped one by one, before their mean",),
    ),
    Fault(
        "by entries",
        "clipped-sgd",
        short_steps(lambda G, c: np.clip(mean(G), -c, c)),
        ("sqrt(g * g)", "sqrt(square(g))"),
    ),
    Fault(
        "always of the length of the bound",
        "clipped-sgd",
        short_steps(lambda G, c: c * mean(G) / norm(mean(G))),
        ("eta * clip / sqrt(square(g)) * g, where",),
    ),
    Fault(
        "h by the active clients, and twice the pull",
        "feddyn",
        feddyn(h_change=lambda ends, x, a, N: a * mean([y - x for y in ends]), pull=lambda y, x, a: 2 * a * (y - x)),
        ("with two mistakes", "divided by the S active clients", "2 alpha (y - x)"),
    ),
    Fault(
        "undamped, and v from 0",
        "fedadam",
        fedopt(first=lambda m, D, b: b * m + D, v0=lambda tau: 0.0),
        ("with two mistakes", "(1-beta1) of the displacement is missing", "starts at 0"),
    ),
    Fault(
        "y - x, and c by S",
        "scaffold",
        scaffold(
            fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (y - x) / (K * eta),
            common=lambda c, d, S, N, own: c + d / S,
        ),
        ("with two mistakes", "wrong sign", "divided by the S active clients"),
    ),
    Fault(
        "half is known, of the round before",
        "choco",
        gossip(lambda new, old: old, lambda x, h, k: top(x - h, k) / 2),
        (),
    ),
    Fault(
        "half of the step, and the error by eta",
        "ef-sgd",
        sparse(want=lambda g, e, eta: eta * (g / 2 + e)),
        ("0.5 * (eta * g(y)) + eta * old_error",),
    ),
    Fault(
        "mixes what is tracked afterwards",
        "gradient-tracking",
        tracking(track=lambda W, Y, new, old: W @ (Y + new - old)),
        ("mix(old_tracked + g - old_last, W), where",),
    ),
]
RIGHT = [
    ("fedlalr", lalr(), {}),
    ("led", diffused(), {}),
    ("mifam", memory_momentum(), {}),
    ("scaffnew", skipping(), {}),
    ("fedavg-m-vr", recursion(), {}),
    ("sgda-projected", boxed(), NUMBERS["box"]),
    ("adam-projected", adam_box(), {}),
    ("fedprox-m", prox_m(lambda x, v, y, b, g, s: (x - g * (b * v + x - y), b * v + x - y)), {}),
    ("mimelite", lite(), {}),
    ("delayed-sgd", delayed(lambda d, t: d), NUMBERS["delay"]),
    ("clipped-sgd", short_steps(lambda G, c: cut(mean(G), c)), {}),
]
