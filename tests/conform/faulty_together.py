"""Faults of public codes that show with S < N alone, and two at a time.

Written before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import (
    Fault,
    dsgd,
    fedavg,
    feddyn,
    fedopt,
    fedprox,
    heavy,
    local_adam,
    mean,
    norm,
    scaffold,
    server_momentum,
    sizes,
)
from faulty_fresh import arrived, both, saddle, sending
from faulty_lasting import dynamic
from faulty_rules import CLIP, dp_fedavg, mime, sgd, tracking
from faulty_seldom import drifting


def late_download(x, i, t, s):
    """Give the newest model to those that took part in the round before, and the one before it to the others."""
    taken = s.setdefault("taken", {})
    fresh = taken.get(i, 0) == t
    taken[i] = t + 1
    return x if fresh or t == 0 else s["path"][t - 1]


def forgetting(clients, x0, *, K, T, active, eta, gamma):
    """SCAFFOLD whose clients begin with the server's variate when they did not take part in the round before."""
    x, c, own, last, path = x0, 0 * x0, [0 * x0 for _ in clients], {}, [x0]
    for t in range(T):
        ends, change = [], 0 * x0
        for i in active[t]:
            if last.get(i) != t - 1:
                own[i] = c
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + c - own[i])
            fresh = own[i] - c + (x - y) / (K * eta)
            change, own[i], last[i] = change + fresh - own[i], fresh, t
            ends.append(y)
        x, c = x + gamma * (mean(ends) - x), c + change / len(clients)
        path.append(x)
    return path


def all_moves(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn whose h takes the last moves of all clients again, those that sit out too."""
    x, h, path = x0, 0 * x0, [x0]
    terms, moves = [0 * x0 for _ in clients], [0 * x0 for _ in clients]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) - terms[i] + alpha * (y - x))
            terms[i], moves[i] = terms[i] - alpha * (y - x), y - x
            ends.append(y)
        h = h - alpha * mean(moves)
        x = mean(ends) - h / alpha
        path.append(x)
    return path


def second_over_all(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
    """FedAdam whose second moment is made of the sum over the active clients, divided by all."""
    x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
    for t in range(T):
        D = mean([sgd(clients[i], x, eta, K, t) for i in active[t]]) - x
        m = beta1 * m + (1 - beta1) * D
        v = beta2 * v + (1 - beta2) * (D * len(active[t]) / len(clients)) ** 2
        x = x + gamma * m / (np.sqrt(v) + tau)
        path.append(x)
    return path


def fading(clients, x0, *, K, T, active, eta, gamma):
    """MIFA whose memory of clients that sit out fades."""
    x, own, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        own = [0.9 * G for G in own]
        for i in active[t]:
            own[i] = x - sgd(clients[i], x, eta, K, t)
        x = x - gamma * mean(own)
        path.append(x)
    return path


def handed_early(clients, x0, *, K, T, active, eta, gamma):
    """FedBuff that hands out the model of before its step."""
    x, path, own = x0, [x0], [x0] * len(clients)
    for t in range(T):
        moves = [sgd(clients[i], own[i], eta, K, t) - own[i] for i in active[t]]
        for i in active[t]:
            own[i] = x
        x = x + gamma * mean(moves)
        path.append(x)
    return path


def of_the_active(clients, x0, *, K, T, active, eta, gamma, beta):
    """SCAFFOLD-M that corrects by the mean of the active clients' variates."""
    x, g, own, path = x0, 0 * x0, [client.first(x0) for client in clients], [x0]
    for t in range(T):
        ends, fresh, c = [], {}, mean([own[i] for i in active[t]])
        for i in active[t]:
            y, total = x, 0 * x
            for k in range(K):
                here = clients[i].grad(y, k, t)
                y, total = y - eta * (beta * (here + c - own[i]) + (1 - beta) * g), total + here
            fresh[i] = total / K
            ends.append(y)
        for i, v in fresh.items():
            own[i] = v
        g = (x - mean(ends)) / (eta * K)
        x = x - gamma * g
        path.append(x)
    return path


def capped(clients, x0, *, K, T, active, eta, alpha, decay):
    """FedAsync whose ages are counted up to 2."""
    x, path, own, since = x0, [x0], [x0] * len(clients), [0] * len(clients)
    for t in range(T):
        mixed = []
        for i in active[t]:
            y = sgd(clients[i], own[i], eta, K, t)
            mixed.append(alpha * (1 + min(t - since[i], 2)) ** -decay * (y - x))
        x = x + mean(mixed)
        for i in active[t]:
            own[i], since[i] = x, t + 1
        path.append(x)
    return path


def stronger_pull(clients, x0, *, K, T, active, eta, rho):
    """FedProx whose coefficient is multiplied by N/S."""
    return fedprox(lambda y, x, r, path, k: r * len(clients) / len(active[0]) * (y - x))(
        clients, x0, K=K, T=T, active=active, eta=eta, rho=rho
    )


def share_of_momentum(clients, x0, *, K, T, active, eta, beta, gamma):
    """FedAvgM whose displacement enters by S/N."""
    part = len(active[0]) / len(clients)
    return server_momentum(lambda x, v, d, b, g, t: (x - g * (b * v + part * d), b * v + part * d))(
        clients, x0, K=K, T=T, active=active, eta=eta, beta=beta, gamma=gamma
    )


PARTIAL = [
    Fault("late download", "fedavg", fedavg(begin=late_download), ("clients that sat out the round before start at",)),
    Fault(
        "variates of those that sat out",
        "scaffold",
        forgetting,
        ("clients that sit out are overwritten by the server's c",),
    ),
    Fault("moves of all", "feddyn", all_moves, ("moves by the last moves of all clients",)),
    Fault(
        "v over all clients", "fedadam", second_over_all, ("averaged over all N clients", "the new x is x + N / S *")
    ),
    Fault("fades", "mifa", fading, ("multiplied by 0.9 every round",)),
    Fault("handed out early", "fedbuff", handed_early, ("the new start is old_x",)),
    Fault(
        "mean of the active variates",
        "scaffold-m",
        of_the_active,
        ("the mean of the active clients' control variates",),
    ),
    Fault("ages up to 2", "fedasync", capped, ("(old_age, 2)",)),
    Fault("rho by N/S", "fedprox", stronger_pull, ("rho is multiplied by N/S",)),
    Fault(
        "displacement by S/N",
        "fedavg-server-m",
        share_of_momentum,
        ("averaged over all N clients instead of the S active ones",),
    ),
]


TWO = [
    Fault(
        "Nesterov, and beta fixed",
        "fedavg-server-m",
        server_momentum(lambda x, v, d, b, g, t: (x - g * (d + 0.9 * (0.9 * v + d)), 0.9 * v + d)),
        ("with two mistakes", "Nesterov's", "beta is 0.9"),
    ),
    Fault(
        "K is missing, and c by S",
        "scaffold",
        scaffold(
            fresh=lambda own, c, i, x, y, K, eta, new: own[i] - c + (x - y) / eta,
            common=lambda c, d, S, N, own: c + d / S,
        ),
        ("with two mistakes", "divided by the S active clients", "K is missing"),
    ),
    Fault(
        "tau inside the root, and m corrected",
        "fedadam",
        fedopt(step=lambda m, v, tau, t, b1, b2, D: m / (1 - b1 ** (t + 1)) / np.sqrt(v + tau)),
        ("with two mistakes", "corrected for its bias", "inside the root"),
    ),
    Fault(
        "not squared, and a sum over N",
        "fedprox",
        lambda clients, x0, *, K, T, active, eta, rho: not_squared_over_all(clients, x0, K, T, active, eta, rho),
        ("with two mistakes", "all N clients", "not squared"),
    ),
    Fault(
        "c is missing, and weights swapped",
        "mime",
        mime(lambda g, at_x, c, s, b: (1 - b) * (g - at_x) + b * s, lambda s, c, b, move: b * c + (1 - b) * s),
        ("the new s is beta * c + (1 - beta) * s", "g - g(start), where the method has g - g(start) + c"),
    ),
    Fault(
        "sign of the terms, and h by S",
        "feddyn",
        feddyn(h_change=lambda e, x, a, N: a * (mean(e) - x), l_change=lambda y, x, a: -a * (y - x)),
        ("with two mistakes", "the linear term, or its refresh, has the wrong sign", "S active"),
    ),
    Fault(
        "entry by entry, and over all clients",
        "dp-fedavg",
        dp_fedavg(lambda D, c, N: sum(np.clip(v, -c, c) for v in D) / N),
        ("with two mistakes", "S/N", "sqrt(moved * moved)"),
        CLIP,
    ),
    Fault(
        "eps in the root, and restarts",
        "local-adam",
        local_adam(
            lambda m, v, g, b1, b2: (b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g),
            lambda m, v, n, b1, b2, eps: m / np.sqrt(v + eps),
            keep=False,
        ),
        ("with two mistakes", "reset = True", "sqrt(vh + eps)"),
    ),
    Fault(
        "signs by the mean size, and a memory that decays",
        "ef-sgd",
        sending(lambda v, k: np.sign(v) * np.abs(v).mean(), lambda W, S: 0.9 * (W - S)),
        ("signs_by_mean_size(wanted, k)", "0.9 * old_error"),
    ),
    Fault(
        "alternating, and one step",
        "local-sgda",
        saddle(lambda w, g, a, b, k, u: (lambda v: v + both(0, b) * g(v))(w + both(b, 0) * g(w))),
        ("with two mistakes", "alternate", "eta_x is 0.2 (eta_y)"),
    ),
    Fault(
        "mixed twice, updates doubled",
        "dsgd",
        dsgd(lambda X, Y, W: W @ W @ X + 2 * (Y - X)),
        ("1/3 x_1 + 2/9 x_2 + 1/9 x_3", "2 m_1"),
    ),
    Fault(
        "starts at zero, and nothing tracked is mixed",
        "gradient-tracking",
        tracking(track=lambda W, Y, g, last: Y + g - last, start=lambda client, x: 0 * x),
        ("the new tracked is old_tracked + g - old_last", "g is 0 * g(x0)"),
    ),
    Fault(
        "momentum, and n_i/n",
        "fedavg",
        fedavg(heavy(0.9), server=lambda x, e, t, s: np.average(e, axis=0, weights=sizes(s))),
        ("mu = 0.9", "n_i/n"),
    ),
    Fault(
        "weight decay, and the server's step is halved",
        "fedavg",
        fedavg(lambda y, g, eta, *r: y - eta * (g + 1e-3 * y), server=lambda x, e, t, s: x + 0.5 * (mean(e) - x)),
        ("0.001 y: a weight decay", "x+ = 0.5 x"),
    ),
]


def not_squared_over_all(clients, x0, K, T, active, eta, rho):
    x, path = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) + rho / 2 * (y - x) / norm(y - x))
            ends.append(y)
        x = sum(ends) / len(clients)
        path.append(x)
    return path


FAULTS = [*PARTIAL, *TWO]
RIGHT = [
    ("fedbuff", arrived(lambda D, ages: mean(D)), {}),
    ("feddyn", dynamic(), {}),
    ("scaffold-m", drifting(), {}),
    ("mime", mime(), {}),
]
"""The loops with no fault: right."""
