"""Faults of public codes in one line of a method's rule, and in what is sent and kept; restated.

Methods that have no listed mistakes of their own are here too: what is wrong is found by planting changes in the rule.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, fedavg, fedopt, fedprox, mean, norm, top


def sgd(client, x, eta, steps, t):
    y = x
    for k in range(steps):
        y = y - eta * client.grad(y, k, t)
    return y


def ring(N):
    W = np.zeros((N, N))
    for i in range(N):
        for j in {(i - 1) % N, i, (i + 1) % N}:
            W[i, j] = 1 / min(N, 3)
    return W


def ef_sgd(want=lambda e, g, eta: eta * g + e, keep=lambda w, s, e: w - s, late=False):
    """EF-SGD with a hook for what is wanted, and for what is kept."""

    def code(clients, x0, *, K, T, active, eta, k):
        x, e, path = x0, [0 * x0 for _ in clients], [x0]
        older = list(e)
        for t in range(T):
            sent = []
            for i, client in enumerate(clients):
                w = want(older[i] if late else e[i], client.grad(x, 0, t), eta)
                sent.append(top(w, k))
                older[i], e[i] = e[i], keep(w, sent[-1], e[i])
            x = x - mean(sent)
            path.append(x)
        return path

    return code


EF_SGD = [
    Fault("memory by eta again", "ef-sgd", ef_sgd(lambda e, g, eta: eta * (g + e)), ("eta * (g(y) + old_error)",)),
    Fault("memory decays", "ef-sgd", ef_sgd(keep=lambda w, s, e: 0.9 * (w - s)), ("0.9 * old_error",)),
    Fault("errors added up", "ef-sgd", ef_sgd(keep=lambda w, s, e: e + w - s), ("old_error + (wanted - sent)",)),
    Fault("sign of the error", "ef-sgd", ef_sgd(keep=lambda w, s, e: s - w), ("- old_error",)),
    Fault(
        "error a round late", "ef-sgd", ef_sgd(late=True), ("the error that a round uses is that of one round earlier",)
    ),
]


def mime(
    local=lambda g, at_x, c, s, beta: (1 - beta) * (g - at_x + c) + beta * s,
    statistic=lambda s, c, beta, move: (1 - beta) * c + beta * s,
):
    """Mime with a hook for the local direction, and for the momentum of the server."""

    def code(clients, x0, *, K, T, active, eta, beta, gamma):
        x, s, path = x0, 0 * x0, [x0]
        for t in range(T):
            c, ends = mean([clients[i].full(x) for i in active[t]]), []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * local(clients[i].grad(y, k, t), clients[i].grad(x, k, t), c, s, beta)
                ends.append(y)
            s = statistic(s, c, beta, (x - mean(ends)) / (eta * K))
            x = x + gamma * (mean(ends) - x)
            path.append(x)
        return path

    return code


MIME = [
    Fault("no correction", "mime", mime(lambda g, at_x, c, s, b: (1 - b) * g + b * s), ("another method", "mimelite")),
    Fault("c is missing", "mime", mime(lambda g, at_x, c, s, b: (1 - b) * (g - at_x) + b * s), ("is g - g(start),",)),
    Fault(
        "momentum of displacements",
        "mime",
        mime(statistic=lambda s, c, b, move: (1 - b) * move + b * s),
        ("new s", "(x - mean(y)) / (eta * K)"),
    ),
    Fault(
        "weights swapped",
        "mime",
        mime(statistic=lambda s, c, b, move: b * c + (1 - b) * s),
        ("new s is beta * c + (1 - beta) * s",),
    ),
]


def dp_fedavg(clipped):
    """FedAvg with clipped updates, without noise, with a hook for the mean of the clipped updates."""

    def code(clients, x0, *, K, T, active, eta, clip, gamma, z):
        x, path = x0, [x0]
        for t in range(T):
            x = x + gamma * clipped([sgd(clients[i], x, eta, K, t) - x for i in active[t]], clip, len(clients))
            path.append(x)
        return path

    return code


def cut(v, clip):
    return v * min(1.0, clip / norm(v))


CLIP = {"z": 0.0, "clip": 0.2}
DP_FEDAVG = [
    Fault("the mean is clipped", "dp-fedavg", dp_fedavg(lambda D, c, N: cut(mean(D), c)), ("is mean(",), CLIP),
    Fault(
        "entry by entry",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([np.clip(v, -c, c) for v in D])),
        ("moved * moved",),
        CLIP,
    ),
    Fault(
        "always scaled",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * c / norm(v) for v in D])),
        ("clip / sqrt(",),
        CLIP,
    ),
    Fault("over all clients", "dp-fedavg", dp_fedavg(lambda D, c, N: sum(cut(v, c) for v in D) / N), ("S/N",), CLIP),
    Fault(
        "the square of the norm",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * min(1, c / norm(v) ** 2) for v in D])),
        ("maximum(clip, square(moved))",),
        CLIP,
    ),
    Fault(
        "never shortened",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * max(1, c / norm(v)) for v in D])),
        ("minimum(clip",),
        CLIP,
    ),
    Fault(
        "a number beside the norm",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: mean([v * min(1, c / (norm(v) + 1e-3)) for v in D])),
        ("+ 0.001",),
        CLIP,
    ),
]


def svrg(direction):
    def code(clients, x0, *, K, T, active, eta, output):
        x, path = x0, [x0]
        for t in range(T):
            full, y = mean([client.full(x) for client in clients]), x
            for k in range(K):
                g, old = (mean([client.grad(at, k, t) for client in clients]) for at in (y, x))
                y = y - eta * direction(g, old, full)
            x = y
            path.append(x)
        return path

    return code


def mb_storm(rule):
    def code(clients, x0, *, K, T, active, gamma, a):
        x = before = x0
        g, path = mean([client.first(x0) for client in clients]), [x0]
        for t in range(T):
            new, old = (mean([clients[i].grad(at, k, t) for i in active[t] for k in range(K)]) for at in (x, before))
            g = rule(g, new, old, a)
            before, x = x, x - gamma * g
            path.append(x)
        return path

    return code


LAST = {"output": "last"}
REDUCED = [
    Fault("sign of the full gradient", "svrg", svrg(lambda g, old, full: g - old - full), ("- full",), LAST),
    Fault("half of the correction", "svrg", svrg(lambda g, old, full: g - 0.5 * (old - full)), ("0.5 * full",), LAST),
    Fault("parenthesis", "mb-storm", mb_storm(lambda g, n, o, a: n + (1 - a) * g - o), ("((1 - a) * g - before)",)),
    Fault("sign of the old", "mb-storm", mb_storm(lambda g, n, o, a: n + (1 - a) * (g + o)), ("(g + before)",)),
    Fault("plain momentum", "mb-storm", mb_storm(lambda g, n, o, a: a * n + (1 - a) * g), ("corrects nothing",)),
]


def tracking(
    move=lambda W, X, Y, eta: W @ X - eta * Y,
    track=lambda W, Y, g, last: W @ Y + g - last,
    start=lambda client, x: client.first(x),
):
    def code(clients, x0, *, K, T, active, eta):
        N, W = len(clients), ring(len(clients))
        X, Y = np.tile(x0, (N, 1)), np.array([start(client, x0) for client in clients])
        last, path = Y.copy(), [x0]
        for t in range(T):
            X = move(W, X, Y, eta)
            g = np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)])
            Y, last = track(W, Y, g, last), g
            path.append(X.mean(axis=0))
        return path

    return code


def diffusion(combine):
    def code(clients, x0, *, K, T, active, eta):
        N, W, path = len(clients), ring(len(clients)), [x0]
        X = before = np.tile(x0, (N, 1))
        for t in range(T):
            adapted = X - eta * np.array([client.grad(X[i], 0, t) for i, client in enumerate(clients)])
            X, before = combine(W, adapted, X, before), adapted
            path.append(X.mean(axis=0))
        return path

    return code


NETWORKS = [
    Fault(
        "nothing tracked is mixed",
        "gradient-tracking",
        tracking(track=lambda W, Y, g, o: Y + g - o),
        ("old_tracked + g",),
    ),
    Fault("starts at zero", "gradient-tracking", tracking(start=lambda client, x: 0 * x), ("0 * g(x0)",)),
    Fault(
        "adapt then combine", "gradient-tracking", tracking(lambda W, X, Y, e: W @ (X - e * Y)), ("mix(old_own - eta",)
    ),
    Fault("sign", "gradient-tracking", tracking(track=lambda W, Y, g, o: W @ Y + g + o), ("+ old_last",)),
    Fault(
        "all mixed", "gradient-tracking", tracking(track=lambda W, Y, g, o: W @ (Y + g - o)), ("mix(old_tracked + g",)
    ),
    Fault(
        "not corrected", "exact-diffusion", diffusion(lambda W, a, X, b: 0.5 * (a + W @ a)), ("corrected is adapted",)
    ),
    Fault("sign", "exact-diffusion", diffusion(lambda W, a, X, b: 0.5 * (a - X + b + W @ (a - X + b))), ("- old_own",)),
    Fault(
        "W and not its half",
        "exact-diffusion",
        diffusion(lambda W, a, X, b: W @ (a + X - b)),
        ("corrected + corrected",),
    ),
]


def voting(vote):
    def code(clients, x0, *, K, T, active, eta):
        x, path = x0, [x0]
        for t in range(T):
            x = x - eta * vote([clients[i].grad(x, 0, t) for i in active[t]])
            path.append(x)
        return path

    return code


MAJORITY = [
    Fault("votes are averaged", "signsgd-majority", voting(lambda G: mean(np.sign(G))), ("eta * mean(votes)",)),
    Fault("sign of the mean", "signsgd-majority", voting(lambda G: np.sign(mean(G))), ("votes is g(y)",)),
    Fault("ties go up", "signsgd-majority", voting(lambda G: np.where(mean(np.sign(G)) >= 0, 1.0, -1.0)), ("v >= 0",)),
]


def ef21(believe=lambda g, s: g + s, target=lambda full, g: full - g, ahead=True):
    def code(clients, x0, *, K, T, active, gamma, k):
        x, path = x0, [x0]
        G = [top(client.full(x0), k) for client in clients]
        for _ in range(T):
            after = x - gamma * mean(G)
            at = after if ahead else x
            G = [believe(g, top(target(client.full(at), g), k)) for g, client in zip(G, clients, strict=True)]
            x = after
            path.append(x)
        return path

    return code


def led(dual):
    def code(clients, x0, *, K, T, active, eta, beta):
        Z, x, path = np.zeros((len(clients), len(x0))), x0, [x0]
        for t in range(T):
            Y = []
            for i, client in enumerate(clients):
                y = x
                for k in range(K):
                    y = y - eta * client.grad(y, k, t) - beta * Z[i]
                Y.append(y)
            x = mean(Y)
            Z = dual(Z, np.array(Y), x)
            path.append(x)
        return path

    return code


MEMORIES = [
    Fault("gradient at the old point", "ef21", ef21(ahead=False), ("top(grad f_i(old_x)",)),
    Fault("target without the difference", "ef21", ef21(target=lambda full, g: full), ("top(grad f_i(x), k)",)),
    Fault("half is believed", "ef21", ef21(lambda g, s: g + 0.5 * s), ("0.5",)),
    Fault("the dual is replaced", "led", led(lambda Z, Y, x: Y - x), ("new z is y - x",)),
    Fault("sign of the dual", "led", led(lambda Z, Y, x: Z - (Y - x)), ("-beta",)),
]


def brain(v):
    bits = v.astype(np.float32).view(np.uint32).astype(np.uint64)
    kept = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return kept.astype(np.uint32).view(np.float32).astype(float)


def eight_bits(v):
    scale = np.abs(v).max() / 127 or 1.0
    return np.round(v / scale) * scale


def keeping(rule):
    """FedAvg whose server has a dictionary of results."""

    def code(clients, x0, *, K, T, active, eta):
        x, path, results = x0, [x0], {}
        for t in range(T):
            x = rule(x, {i: sgd(clients[i], x, eta, K, t) for i in active[t]}, results)
            path.append(x)
        return path

    return code


def never_emptied(x, new, results):
    results.update(new)
    return mean(list(results.values()))


def cached(x, new, results):
    for i, y in new.items():
        results.setdefault(i, y - x)
    return x + mean([results[i] for i in new])


def emptied_late(x, new, results):
    last = list(results.values())
    results.clear()
    results.update(new)
    return mean([*new.values(), *last])


def lasting(clients, x0, *, K, T, active, eta):
    x, path, u = x0, [x0], dict.fromkeys(range(len(clients)), 0 * x0)
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                u[i] = 0.9 * u[i] + clients[i].grad(y, k, t)
                y = y - eta * u[i]
            ends.append(y)
        x = mean(ends)
        path.append(x)
    return path


def by_participation(clients, x0, *, K, T, active, eta):
    x, path, times = x0, [x0], [0] * len(clients)
    for t in range(T):
        ends = []
        for i in active[t]:
            ends.append(sgd(clients[i], x, eta * 0.9 ** times[i], K, t))
            times[i] += 1
        x = mean(ends)
        path.append(x)
    return path


def smoothed(path):
    z = [path[0]]
    for x in path[1:]:
        z.append(0.9 * z[-1] + 0.1 * x)
    return z


def points(weights):
    """FedAvg whose clients send a sum of the points of their local steps, by the weights of K."""

    def code(clients, x0, *, K, T, active, eta):
        x, path = x0, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                ys = [x]
                for k in range(K):
                    ys.append(ys[-1] - eta * clients[i].grad(ys[-1], k, t))
                ends.append(np.average(ys, axis=0, weights=weights(K)))
            x = mean(ends)
            path.append(x)
        return path

    return code


def counted(steps, factor=lambda K, own: 1.0):
    """FedAvg with a hook for the number of steps of a client, and for its step."""

    def code(clients, x0, *, K, T, active, eta, K_i):
        x, path = x0, [x0]
        for t in range(T):
            ends = [sgd(clients[i], x, eta * factor(K, K_i[i]), steps(K_i, i, j), t) for j, i in enumerate(active[t])]
            x = mean(ends)
            path.append(x)
        return path

    return code


FEDAVG = [
    Fault("models in bfloat16", "fedavg", fedavg(server=lambda x, e, t, s: mean([brain(y) for y in e])), ("bfloat16",)),
    Fault(
        "updates of 8 bits",
        "fedavg",
        fedavg(server=lambda x, e, t, s: x + mean([eight_bits(y - x) for y in e])),
        ("updates) are sent quantised to integers of 8 bits: 127",),
    ),
    Fault("fixed point", "fedavg", fedavg(server=lambda x, e, t, s: mean(np.round(e, 3))), ("3 decimals",)),
    Fault(
        "sent down in float16",
        "fedavg",
        fedavg(begin=lambda x, i, t, s: x.astype(np.float16).astype(float)),
        ("the server sends", "float16"),
    ),
    Fault("results never emptied", "fedavg", keeping(never_emptied), ("never emptied",)),
    Fault("first updates again", "fedavg", keeping(cached), ("first updates", "cache")),
    Fault("emptied a round late", "fedavg", keeping(emptied_late), ("a round late",)),
    Fault("optimisers live on", "fedavg", lasting, ("heavy ball, mu = 0.9", "from round to round")),
    Fault("a scheduler of every client", "fedavg", by_participation, ("0.9 every time that a client takes part",)),
    Fault("smoothed iterates", "fedavg", fedavg(listed=smoothed), ("moving average of the iterates",)),
    Fault(
        "the mean of the points",
        "fedavg",
        points(lambda K: [0, *[1] * K]),
        ("x+ = 1/3 y_1 + 1/3 y_2 + 1/3 y_3",),
    ),
    Fault("a last batch of half the size", "fedavg", points(lambda K: [*[0] * (K - 1), 1, 1]), ("0.5 y_2 + 0.5 y_3",)),
    Fault(
        "weight decay, and a falling step",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, *r: y - eta * 0.97**t * (g + 1e-3 * y)),
        ("0.97 every round", "0.001 y"),
    ),
    Fault(
        "steps of 1, 1.01, 1.02",
        "fedavg",
        fedavg(lambda y, g, eta, x, t, k, i, u: y - eta * (1 + 0.01 * k) * g),
        ("it grows by 0.01 eta every local step",),
    ),
    Fault("K_i by place", "fedavg", counted(lambda own, i, j: own[j]), ("by its place",)),
    Fault("the smallest of all K_i", "fedavg", counted(lambda own, i, j: min(own)), ("the smallest of all K_i",)),
    Fault("step by K_i", "fedavg", counted(lambda own, i, j: own[i], lambda K, own: K / own), ("K/K_i",)),
]


def mixing_at_times(clients, x0, *, K, T, active, eta):
    W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
    for t in range(T):
        moved = np.array([sgd(client, X[i], eta, K, t) - X[i] for i, client in enumerate(clients)])
        X = (X if t % 2 else W @ X) + moved
        path.append(X.mean(axis=0))
    return path


OTHERS = [
    Fault("every second round is mixed", "dsgd", mixing_at_times, ("in every second round alone",)),
    Fault(
        "falls by round",
        "fedprox",
        fedprox(lambda y, x, r, path, k: r * 0.9 ** (len(path) - 1) * (y - x)),
        ("rho is multiplied by 0.9 every round",),
    ),
    Fault(
        "Yogi decays as Adam besides",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: b2 * v - (1 - b2) * D**2 * np.sign(v - D**2)),
        ("beta2 * old",),
    ),
]
FAULTS = [*EF_SGD, *MIME, *DP_FEDAVG, *REDUCED, *NETWORKS, *MAJORITY, *MEMORIES, *FEDAVG, *OTHERS]
"""In the order of their methods."""
RIGHT = [
    ("mime", mime()),
    ("mb-storm", mb_storm(lambda g, n, o, a: n + (1 - a) * (g - o))),
    ("gradient-tracking", tracking()),
    ("exact-diffusion", diffusion(lambda W, a, X, b: 0.5 * (a + X - b + W @ (a + X - b)))),
    ("signsgd-majority", voting(lambda G: np.sign(mean(np.sign(G))))),
    ("led", led(lambda Z, Y, x: Z + Y - x)),
]
"""The same loops without a fault."""
