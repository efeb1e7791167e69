"""Faults of public threads: late clients, entries in another order, refreshes at every step, tau_eff, Yogi's sign.

Written in two lots before the diagnosis was asked; what was missing was added by its kind afterwards.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import (
    Fault,
    fedavg,
    fednova,
    fedopt,
    fedprox,
    local_adam,
    mean,
    scaffold,
    server_momentum,
)


def late_client(x, ends, t, s):
    """Take of the first client what it had the time before."""
    ends = list(ends)
    if s["active"][0] == 0:
        ends[0], s["late"] = s.get("late", x), ends[0]
    return mean(ends)


def nearest(x, ends, t, s):
    return min(ends, key=lambda a: sum(np.linalg.norm(a - b) for b in ends))


AVERAGES = [
    Fault("a client a round late", "fedavg", fedavg(server=late_client), ("the first client is a round late",)),
    Fault(
        "entries of the last model reversed",
        "fedavg",
        fedavg(server=lambda x, ends, t, s: mean([*ends[:-1], ends[-1][::-1]])),
        ("the last client's model comes with its entries in another order",),
    ),
    Fault(
        "small entries are not sent",
        "fedavg",
        fedavg(server=lambda x, ends, t, s: x + mean([np.where(np.abs(y - x) > 0.05, y - x, 0.0) for y in ends])),
        ("not larger than 0.05 are not sent",),
    ),
    Fault("Krum", "fedavg", fedavg(server=nearest), ("nearest to all others", "Krum")),
    Fault(
        "S/N of each, added up",
        "fedavg",
        fedavg(server=lambda x, ends, t, s: sum(ends) * len(ends) / len(s["clients"])),
        ("all N clients instead of the S active ones; and the clients' models are added up",),
    ),
    Fault(
        "less of the new model where some sit out",
        "fedavg",
        fedavg(
            server=lambda x, ends, t, s: mean(ends) if len(ends) == len(s["clients"]) else 0.1 * x + 0.9 * mean(ends)
        ),
        ("x+ = 0.1 x", "not all clients are active"),
    ),
]
PROXIMAL = [
    Fault(
        "a sum that grows by layer",
        "fedprox",
        fedprox(lambda y, x, rho, path, k: rho * np.arange(len(x), 0, -1) * (y - x)),
        ("the first one counts d times",),
    ),
    Fault(
        "a decay beside the pull",
        "fedprox",
        fedprox(lambda y, x, rho, path, k: rho * (y - x) + rho * y),
        ("has a weight decay rho y beside it",),
    ),
]


def refreshed_every_step(displacement):
    """SCAFFOLD whose variates are renewed after every local step, by a displacement over eta."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, c, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends, change = [], 0 * x0
            for i in active[t]:
                y, old = x, own[i]
                for k in range(K):
                    before, y = y, y - eta * (clients[i].grad(y, k, t) + c - own[i])
                    own[i] = own[i] - c + displacement(x, before, y, k + 1, K) / eta
                change = change + own[i] - old
                ends.append(y)
            x, c = x + gamma * (mean(ends) - x), c + change / len(clients)
            path.append(x)
        return path

    return code


VARIATES = [
    *(
        Fault(f"refreshed every step, {words}", "scaffold", refreshed_every_step(rule), (words,))
        for words, rule in {
            "(x - y)/(eta K)": lambda x, before, y, k, K: (x - y) / K,
            "(x - y)/(eta k)": lambda x, before, y, k, K: (x - y) / k,
            "(y_k - y_(k+1))/eta": lambda x, before, y, k, K: before - y,
        }.items()
    ),
    Fault(
        "c and the displacement alone",
        "scaffold",
        scaffold(fresh=lambda own, c, i, x, y, K, eta, new: c + (x - y) / (K * eta)),
        ("is added to the new control variate", "the old control variate c_i is missing"),
    ),
]


def by_weight(clients, x0, *, K, T, active, eta, alpha):
    """FedDyn whose clients divide alpha by their weights."""
    x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
    sizes = np.array([client.size for client in clients])
    for t in range(T):
        ends = []
        for i in active[t]:
            a, y = alpha * sizes.mean() / sizes[i], x
            for k in range(K):
                y = y - eta * (clients[i].grad(y, k, t) - own[i] + a * (y - x))
            own[i] = own[i] - a * (y - x)
            ends.append(y)
        h = h - alpha * sum(y - x for y in ends) / len(clients)
        x = mean(ends) - h / alpha
        path.append(x)
    return path


def yogi(sign):
    return fedopt(second=lambda v, D, m, b2: v - (1 - b2) * D**2 * sign(v, D))


SERVERS = [
    Fault("alpha by weight", "feddyn", by_weight, ("the clients' alpha is divided by their weights",)),
    Fault("D not squared in the sign", "fedyogi", yogi(lambda v, D: np.sign(v - np.abs(D))), ("sign(v - |D|)",)),
    Fault("tanh", "fedyogi", yogi(lambda v, D: np.tanh(v - D**2)), ("tanh((v - D^2))",)),
    Fault("tanh, steeper", "fedyogi", yogi(lambda v, D: np.tanh(100 * (v - D**2))), ("tanh(100 (v - D^2))",)),
    Fault(
        "from the average",
        "slowmo",
        lambda clients, x0, *, K, T, active, eta, beta, gamma: server_momentum(
            lambda x, v, d, b, g, t: (x - d - g * (b * v + d), b * v + d)
        )(clients, x0, K=K, T=T, active=active, eta=eta, beta=beta, gamma=gamma),
        ("starts at the average of the clients",),
    ),
]


def square(of):
    return lambda m, v, g, b1, b2: (b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * of(b1 * m + (1 - b1) * g, g))


ADAM = [
    Fault(
        "as AdaBelief",
        "local-adam",
        local_adam(square(lambda m, g: (g - m) ** 2), lambda m, v, n, b1, b2, eps: m / (np.sqrt(v) + eps)),
        ("as in AdaBelief",),
    ),
]
STEPS = [
    Fault(f"tau_eff {words}", "fednova", fednova(rule), (words,), {"fewest": 1})
    for words, rule in {
        "is the median K_i": lambda moves, own, K, counts: (
            np.median(own) * mean([m / n for m, n in zip(moves, own, strict=True)])
        ),
        "is rounded down": lambda moves, own, K, counts: (
            int(mean(own)) * mean([m / n for m, n in zip(moves, own, strict=True)])
        ),
    }.items()
]


def squared_steps(clients, x0, *, K, T, active, eta, K_i):
    """FedNova that divides by K_i twice: where all K_i are K it is FedNova without tau_eff."""
    x, path = x0, [x0]
    for t in range(T):
        moves = []
        for i in active[t]:
            y = x
            for k in range(K_i[i]):
                y = y - eta * clients[i].grad(y, k, t)
            moves.append((y - x) / K_i[i] ** 2)
        x = x + mean([K_i[i] for i in active[t]]) * mean(moves)
        path.append(x)
    return path


STEPS.append(Fault("K_i squared", "fednova", squared_steps, ("divided by K_i twice",)))


def moving_memory(clients, x0, *, K, T, active, eta, gamma):
    """MIFA whose memory is a moving average."""
    x, own, path = x0, [0 * x0 for _ in clients], [x0]
    for t in range(T):
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            own[i] = 0.5 * own[i] + 0.5 * (x - y)
        x = x - gamma * mean(own)
        path.append(x)
    return path


MEMORY = [Fault("a moving average", "mifa", moving_memory, ("0.5 * (start", "0.5 * old_G"))]
FAULTS = [*AVERAGES, *PROXIMAL, *VARIATES, *SERVERS, *ADAM, *STEPS, *MEMORY]
