"""Faults of public codes over thirty methods: restated from threads and code that the other lots do not name.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import (
    Fault,
    dsgd,
    fedcm,
    feddyn,
    fednova,
    fedopt,
    fedprox,
    mean,
    norm,
    scaffold,
    server_momentum,
    top,
)
from faulty_fresh import both, saddle
from faulty_lasting import ams
from faulty_messages import reduced
from faulty_more import arriving, buffered
from faulty_rules import CLIP, cut, dp_fedavg, ring, sgd, tracking
from faulty_seldom import fair
from faulty_stranger import normalised, slow


def corrected_once(clients, x0, *, K, T, active, eta, gamma):
    """SCAFFOLD whose correction is made once, after the local steps: in the loop over epochs, not over batches."""
    x, c, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        ends, change = [], 0 * x
        for i in active[t]:
            y = sgd(clients[i], x, eta, K, t) - eta * (c - own[i])
            fresh = own[i] - c + (x - y) / (K * eta)
            change, own[i] = change + fresh - own[i], fresh
            ends.append(y)
        x, c = x + gamma * (mean(ends) - x), c + change / len(clients)
        path.append(x)
    return path


def sparse(want=lambda g, e, eta: eta * g + e, send=lambda w, k, t: top(w, k), keep=lambda w, s, t: w - s):
    """EF-SGD with hooks for what is wanted, sent and kept, which see the round."""

    def code(clients, x0, *, K, T, active, eta, k):
        x, e, path = x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            wanted = [want(client.grad(x, 0, t), own, eta) for client, own in zip(clients, e, strict=True)]
            sent = [send(w, k, t) for w in wanted]
            e = [keep(w, s, t) for w, s in zip(wanted, sent, strict=True)]
            x = x - mean(sent)
            path.append(x)
        return path

    return code


def believing(send):
    """EF21 whose clients send the largest entries of ``send(gradient, own, mean of all, gamma)``."""

    def code(clients, x0, *, K, T, active, gamma, k):
        x, path = x0, [x0]
        own = [top(client.full(x), k) for client in clients]
        for _ in range(T):
            x, everybody = x - gamma * mean(own), mean(own)
            own = [
                g + top(send(client.full(x), g, everybody, gamma), k) for client, g in zip(clients, own, strict=True)
            ]
            path.append(x)
        return path

    return code


def gossip(shown=lambda fresh, old: old, sent=lambda own, known, k: top(own - known, k), own_step=True):
    """CHOCO-SGD on a ring with hooks for the copies that are mixed, and for what is sent."""

    def code(clients, x0, *, K, T, active, eta, gamma, k):
        W = ring(len(clients))
        X, H, before, path = *(np.tile(x0, (len(clients), 1)) for _ in range(3)), [x0]
        for t in range(T):
            G = np.array([client.grad(x, 0, t) for client, x in zip(clients, X, strict=True)])
            C = shown(H, before)
            X = X + gamma * (W @ C - C) - eta * G
            before, H = H, H + np.array([sent(x, h, k) for x, h in zip(X, H, strict=True)])
            path.append(mean(X))
        return path

    return code


def momentum_not_mixed(clients, x0, *, K, T, active, eta):
    """Decentralised SGD with torch's momentum = 0.9 left on, whose buffers are not mixed."""
    W, X, path = ring(len(clients)), np.tile(x0, (len(clients), 1)), [x0]
    U = 0 * X
    for t in range(T):
        moved = []
        for i, client in enumerate(clients):
            y = X[i]
            for k in range(K):
                U[i] = 0.9 * U[i] + client.grad(y, k, t)
                y = y - eta * U[i]
            moved.append(y - X[i])
        X = W @ X + np.array(moved)
        path.append(mean(X))
    return path


def ahead(trial=1.0, back=True):
    """Extragradient with hooks for the length of the trial step, and for where the second step starts."""

    def code(clients, z0, *, K, T, active, eta):
        z, path, along = z0, [z0], both(eta, eta)
        for t in range(T):
            for k in range(K):
                w = z + trial * along * mean([client.grad(z, 2 * k, t) for client in clients])
                z = (z if back else w) + along * mean([client.grad(w, 2 * k + 1, t) for client in clients])
            path.append(z)
        return path

    return code


def maximiser_first(w, g, a, b, k, u):
    """Return the pair after the maximiser has moved, and the minimiser from the new point."""
    up = w + both(0, b) * g(w)
    return up + both(a, 0) * g(up)


def fair_at(point):
    """q-FedAvg whose losses are those at ``point(x, y)`` for a client that went from x to y."""

    def code(clients, x0, *, K, T, active, eta, q):
        x, path = x0, [x0]
        for t in range(T):
            ends = [sgd(clients[i], x, eta, K, t) for i in active[t]]
            slopes = [(x - y) / eta for y in ends]
            losses = [clients[i].value(point(x, y)) for i, y in zip(active[t], ends, strict=True)]
            bend = [q * f ** (q - 1) * (s @ s) + f**q / eta for f, s in zip(losses, slopes, strict=True)]
            x = x - sum(f**q * s for f, s in zip(losses, slopes, strict=True)) / sum(bend)
            path.append(x)
        return path

    return code


def share_of_the_model(clients, x0, *, K, T, active, eta, clip, gamma, z):
    """DP-FedAvg that clips at a share of the norm of the model."""
    x, path = x0, [x0]
    for t in range(T):
        moves = [sgd(clients[i], x, eta, K, t) - x for i in active[t]]
        x = x + gamma * mean([cut(move, clip * norm(x)) for move in moves])
        path.append(x)
    return path


def directions(reset=False, weight=lambda c, eta: c * eta * eta, averaged=True):
    """STEM with hooks for the direction that clients start a round with, and for the weight."""

    def code(clients, x0, *, K, T, active, kappa, w, growth, c):
        x, path, own = x0, [x0], [x0] * len(clients)
        D, s = [mean([client.first(x0) for client in clients])] * len(clients), 0
        for t in range(T):
            new = []
            for i, client in enumerate(clients):
                y, d, old = x, D[i], own[i]
                for k in range(K):
                    eta = kappa / np.cbrt(w + growth * (s + 1 + k))
                    y = y - eta * d
                    d = client.grad(y, k, t) + (1 - weight(c, eta)) * (d - client.grad(old, k, t))
                    old = y
                own[i] = y
                new.append(d)
            s = 0 if reset else s + K
            x, D = mean(own), [mean(new)] * len(clients) if averaged else new
            path.append(x)
        return path

    return code


def staged(centre=lambda ref, x: ref, decayed=(True, True)):
    """CODA with hooks for the centre of the proximal term and for which steps fall from stage to stage."""

    def code(clients, z0, *, K, T, active, eta_x, eta_y, lam, rounds, growth, decay):
        z = ref = z0
        path, total, stage, done = [z0], 0 * z0, 0, 0
        for t in range(T):
            a, b = (eta / decay ** (stage if falls else 0) for eta, falls in zip((eta_x, eta_y), decayed, strict=True))
            ends = []
            for client in clients:
                w = z
                for k in range(K):
                    held = np.concatenate([lam * (w - centre(ref, z))[:3], 0 * w[3:]])
                    w = w + both(a, b) * client.grad(w, k, t) - np.concatenate([a * held[:3], 0 * w[3:]])
                    total = total + w / len(clients)
                ends.append(w)
            z, done = mean(ends), done + 1
            if done >= rounds * growth**stage:
                z = ref = total / (K * done)
                total, stage, done = 0 * z, stage + 1, 0
            path.append(z)
        return path

    return code


def shifted(server=True):
    """DIANA without a quantiser, whose server may not move its own shift."""

    def code(clients, x0, *, K, T, active, eta, alpha):
        x, h, common, path = x0, [0 * x0 for _ in clients], 0 * x0, [x0]
        for _ in range(T):
            sent = [client.full(x) - own for client, own in zip(clients, h, strict=True)]
            x = x - eta * (common + mean(sent))
            h = [own + alpha * m for own, m in zip(h, sent, strict=True)]
            common = mean(h) if server else common
            path.append(x)
        return path

    return code


def at_the_last_model(clients, x0, *, K, T, active, eta, beta, gamma):
    """Mime whose full gradient is that of the model before."""
    x = before = x0
    s, path = 0 * x0, [x0]
    for t in range(T):
        c, ends = mean([clients[i].full(before) for i in active[t]]), []
        for i in active[t]:
            y = x
            for k in range(K):
                g, at_x = clients[i].grad(y, k, t), clients[i].grad(x, k, t)
                y = y - eta * ((1 - beta) * (g - at_x + c) + beta * s)
            ends.append(y)
        s = (1 - beta) * c + beta * s
        before, x = x, x + gamma * (mean(ends) - x)
        path.append(x)
    return path


def double_correction(m, v, tau, t, b1, b2, D):
    """Return Adam's step with moments that are corrected and a step that is corrected besides."""
    one, two = 1 - b1 ** (t + 1), 1 - b2 ** (t + 1)
    return np.sqrt(two) / one * (m / one) / (np.sqrt(v / two) + tau)


def with_nesterov(x, u, d, beta, gamma, eta):
    u = beta * u + d / eta
    return x - gamma * eta * (beta * u + d / eta), u


NOISELESS = {"clip": CLIP["clip"], "z": 0.0}
FAULTS = [
    Fault(
        "the quadratic part is overwritten",
        "fedprox",
        fedprox(lambda y, x, rho, *r: -rho * x),
        ("rho * -start), where the method has",),
    ),
    Fault(
        "neither K nor the step in the variates",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y)),
        ("moved is start - y, where the method has (start - y) * (1 / (eta * K))",),
    ),
    Fault(
        "c moves half as far",
        "scaffold",
        scaffold(common=lambda c, d, S, N, own: c + 0.5 * d / N),
        ("mean + 0.5 * (S / N * mean(change)), where the method has",),
    ),
    Fault(
        "corrected once, after the local steps", "scaffold", corrected_once, ("is added in the last local step only",)
    ),
    Fault(
        "h by N twice",
        "feddyn",
        feddyn(h_change=lambda ends, x, a, N: a * (sum(ends) - len(ends) * x) / N**2),
        ("h - S / N * (mean(moved) / N), where",),
    ),
    Fault("pulls to the origin", "feddyn", feddyn(pull=lambda y, x, a: a * y), ("alpha y in place of alpha (y - x)",)),
    Fault(
        "tau_eff is the sum of all K_i",
        "fednova",
        fednova(lambda moves, own, K, counts: sum(own) * mean([m / k for m, k in zip(moves, own, strict=True)])),
        ("tau_eff is the sum of the K_i",),
    ),
    Fault("corrected for bias twice", "fedadam", fedopt(step=double_correction), ("the correction is made twice",)),
    Fault(
        "a power outside of the parenthesis",
        "fedadam",
        fedopt(
            step=lambda m, v, tau, t, b1, b2, D: (
                np.sqrt(1 - b2) ** (t + 1) / (1 - b1) ** (t + 1) * m / (np.sqrt(v) + tau)
            )
        ),
        ("differ at beta1", "powers stand outside of their parentheses"),
    ),
    Fault(
        "Yogi's sign is that of absolute values",
        "fedyogi",
        fedopt(second=lambda v, D, m, b2: v - (1 - b2) * D**2 * np.sign(v - np.abs(D))),
        ("sign(v - |D|)",),
    ),
    Fault(
        "maximum of squares",
        "fedams",
        ams(lambda vh, v, eps, D, b2, n: np.maximum(np.maximum(vh, D**2), eps)),
        ("beta2 is 0 and not 0.99",),
    ),
    Fault(
        "maximum of the corrected",
        "fedams",
        ams(lambda vh, v, eps, D, b2, n: np.maximum(np.maximum(vh, v / (1 - b2**n)), eps)),
        ("bias_corrected(v, beta2)",),
    ),
    Fault(
        "velocity of the tensors in another order",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, beta, gamma, t: (x - gamma * (beta * v[::-1] + d), beta * v[::-1] + d)),
        ("beta * reversed_entries(old_v)",),
    ),
    Fault(
        "the step is missing in the direction",
        "fedavg-m",
        fedcm(fresh=lambda x, ends, eta, K, S, N: (x - mean(ends)) / K),
        ("1 / K * (old_x - y), where the method has 1 / (eta * K)",),
    ),
    Fault(
        "full gradients of the model before",
        "mime",
        at_the_last_model,
        ("c is mean(grad f_i(start (that of the time before)))",),
    ),
    Fault(
        "the first round is sent whole",
        "ef-sgd",
        sparse(send=lambda w, k, t: w if t == 0 else top(w, k)),
        ("top(wanted, k) (from the second round on alone)",),
    ),
    Fault(
        "errors are cleared every third round",
        "ef-sgd",
        sparse(keep=lambda w, s, t: (w - s) * (t % 3 != 2)),
        ("forgotten after every 3 rounds",),
    ),
    Fault(
        "differences from what is believed of all",
        "ef21",
        believing(lambda f, g, c, gamma: f - c),
        ("top(grad f_i(x) - mean(old_believed), k)",),
    ),
    Fault(
        "the step of the server is sent",
        "ef21",
        believing(lambda f, g, c, gamma: gamma * f - g),
        ("top(gamma * grad f_i(x) - old_believed, k)",),
    ),
    Fault(
        "copies of the round before are mixed",
        "choco",
        gossip(lambda new, old: old),
        ("top(old_own - old_known, k), where",),
    ),
    Fault(
        "models and not differences are sent",
        "choco",
        gossip(lambda new, old: new, lambda x, h, k: top(x, k) - h),
        ("top(own - old_known + old_known, k), where",),
    ),
    Fault(
        "mixes in a lazy way",
        "dsgd",
        dsgd(lambda X, Y, W: (X + W @ X) / 2 + Y - X),
        ("the mixing matrix is (I + W)/2",),
    ),
    Fault(
        "momentum is left on and not mixed",
        "dsgd",
        momentum_not_mixed,
        ("local heavy ball, mu = 0.9", "keeps the memory from round to round"),
    ),
    Fault(
        "tracks the sum of gradients",
        "gradient-tracking",
        tracking(track=lambda W, Y, new, old: W @ Y + new),
        ("mix(old_tracked, W) + g, where the method has mix(old_tracked, W) + g - old_last",),
    ),
    Fault(
        "steps by the mixed trackers",
        "gradient-tracking",
        tracking(lambda W, X, Y, eta: W @ X - eta * W @ Y),
        ("mix(old_own - eta * old_tracked, W), where",),
    ),
    Fault("half of the trial step", "extragradient", ahead(0.5), ("trial is z - 0.5 * (along * mean(g(z)))",)),
    Fault(
        "goes on from the trial point",
        "extragradient",
        ahead(back=False),
        ("the end of a local step is trial - along * mean(g(trial))",),
    ),
    Fault(
        "the maximiser moves first", "local-sgda", saddle(maximiser_first), ("the minimiser moves after the maximiser",)
    ),
    Fault(
        "updates by the age squared",
        "fedbuff",
        buffered(weight=lambda age: 1.0 / (1 + age) ** 2),
        ("weights of updates of the ages 0, 1, 2", "0.4, 0.1, 2/45"),
    ),
    Fault(
        "alpha is the weight of the old model",
        "fedasync",
        arriving(weight=lambda alpha, age, decay: 1 - alpha * (1 + age) ** -decay),
        ("weights of updates of the ages 0, 1, 2", "0.5, 0.646447"),
    ),
    Fault(
        "losses where the clients end",
        "q-fedavg",
        fair_at(lambda x, y: y),
        ("loss is values(end), where the method has values(start)",),
    ),
    Fault(
        "no 1/eta in the denominator",
        "q-fedavg",
        fair(bend=lambda f, q, square, eta: q * f ** (q - 1) * square + f**q),
        ("+ weight, where the method has", "+ weight / eta"),
    ),
    Fault(
        "a bound by the model's norm",
        "dp-fedavg",
        share_of_the_model,
        ("clip |x|, a share of the norm of the model",),
        NOISELESS,
    ),
    Fault(
        "the sum over the active, by all",
        "dp-fedavg",
        dp_fedavg(lambda moves, clip, N: sum(cut(m, clip / len(moves)) for m in moves)),
        ("(local_sgd(start, eta) - start) * S",),
        NOISELESS,
    ),
    Fault(
        "the counter restarts every round",
        "stem",
        directions(reset=True),
        ("the new s is old_s, where the method has old_s + K",),
    ),
    Fault(
        "directions stay with the clients",
        "stem",
        directions(averaged=False),
        ("not averaged: every client goes on with the one of its last round",),
    ),
    Fault(
        "the weight by eta once", "stem", directions(weight=lambda c, eta: c * eta), ("(1 - c * eta) * (d - g(old))",)
    ),
    Fault(
        "held where the round starts",
        "coda",
        staged(lambda ref, x: x),
        ("(old_x, old_x), where the method has (old_x, old_ref)",),
    ),
    Fault("the dual step stays", "coda", staged(decayed=(True, False)), ("(eta_x * shrink, -eta_y), where",)),
    Fault(
        "the fresh gradient is normalised",
        "nsgdm",
        normalised(average=lambda m, g, b: (1 - b) * m + b * g / norm(g)),
        ("mean(g(x)) / norm(mean(g(x)))",),
    ),
    Fault("Nesterov's look-ahead", "slowmo", slow(with_nesterov), ("- beta * (gamma * eta * u) + gamma * y",)),
    Fault("the server's shift stays", "diana", shifted(server=False), ("old_x - eta * mean(sent), where",)),
    Fault(
        "the full gradient of two rounds",
        "svrg",
        reduced(every=2),
        ("(that of every second time)",),
        {"output": "last"},
    ),
]
"""Each was asked before anything was mended."""
RIGHT = [
    ("ef-sgd", sparse(), {}),
    ("choco", gossip(lambda new, old: new), {}),
    ("extragradient", ahead(), {}),
    ("q-fedavg", fair_at(lambda x, y: x), {}),
    ("stem", directions(), {}),
    ("coda", staged(), {}),
]
