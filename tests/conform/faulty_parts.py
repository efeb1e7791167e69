"""Faults in what is kept from round to round: a part of the state that is forgotten, refreshed seldom, or too old.

Servers restart, clients are made anew for every round that they take part in, and what is kept is written where nobody
reads it.  Written before the diagnosis knew of parts.
"""

from __future__ import annotations

import numpy as np
from faulty_codes import Fault, mean, server_momentum


def variates(after=lambda t, c, own, active, old: (c, own)):
    """SCAFFOLD with a hook for what is kept after a round."""

    def code(clients, x0, *, K, T, active, eta, gamma):
        x, c, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends, fresh = [], list(own)
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) + c - own[i])
                fresh[i] = own[i] - c + (x - y) / (K * eta)
                ends.append(y)
            moved = sum(new - before for new, before in zip(fresh, own, strict=True)) / len(clients)
            x = x + gamma * (mean(ends) - x)
            c, own = after(t, c + moved, fresh, active[t], c)
            path.append(x)
        return path

    return code


def moments(after=lambda t, m, v, old_m, old_v: (m, v)):
    """FedAdam with a hook for the moments that are kept."""

    def code(clients, x0, *, K, T, active, eta, gamma, tau, beta1, beta2):
        x, m, v, path = x0, 0 * x0, 0 * x0 + tau**2, [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * clients[i].grad(y, k, t)
                ends.append(y)
            D, old_m, old_v = mean(ends) - x, m, v
            m, v = beta1 * m + (1 - beta1) * D, beta2 * v + (1 - beta2) * D**2
            x = x + gamma * m / (np.sqrt(v) + tau)
            m, v = after(t, m, v, old_m, old_v)
            path.append(x)
        return path

    return code


def terms(after):
    """FedDyn with a hook for h and the linear terms that are kept."""

    def code(clients, x0, *, K, T, active, eta, alpha):
        x, h, own, path = x0, 0 * x0, [0 * x0 for _ in clients], [x0]
        for t in range(T):
            ends = []
            for i in active[t]:
                y = x
                for k in range(K):
                    y = y - eta * (clients[i].grad(y, k, t) - own[i] + alpha * (y - x))
                own[i] = own[i] - alpha * (y - x)
                ends.append(y)
            h = h - alpha * (sum(ends) - len(ends) * x) / len(clients)
            x = mean(ends) - h / alpha
            h, own = after(t, h, own, active[t])
            path.append(x)
        return path

    return code


def velocity(after):
    """FedAvg with server momentum and a hook for the velocity that is kept."""

    def rule(x, v, d, beta, gamma, t):
        new = beta * v + d
        return x - gamma * new, after(t, new, v)

    return server_momentum(rule)


def only(active, own):
    """Return the rows of the active clients, and zeros for the others."""
    return [row if i in active else 0 * row for i, row in enumerate(own)]


FAULTS = [
    Fault(
        "clients are made anew, variates with them",
        "scaffold",
        variates(lambda t, c, own, active, old: (c, only(active, own))),
        ("the c_i of clients that sit out is forgotten",),
    ),
    Fault(
        "c every second round",
        "scaffold",
        variates(lambda t, c, own, active, old: (c if t % 2 == 0 else old, own)),
        ("c is refreshed in the first of every 2 rounds only",),
    ),
    Fault(
        "c once",
        "scaffold",
        variates(lambda t, c, own, active, old: (c if t == 0 else old, own)),
        ("from round 2 on, the server variate c is never refreshed",),
    ),
    Fault(
        "the server restarts",
        "fedavg-server-m",
        velocity(lambda t, v, old: 0 * v if t % 3 == 2 else v),
        ("is forgotten after every 3 rounds",),
    ),
    Fault(
        "the first moment restarts",
        "fedadam",
        moments(lambda t, m, v, old_m, old_v: (0 * m if t % 2 else m, v)),
        ("m is 0 again after every 2 rounds",),
    ),
    Fault(
        "a lazy second moment",
        "fedadam",
        moments(lambda t, m, v, old_m, old_v: (m, v if t % 2 == 0 else old_v)),
        ("v is refreshed in the first of every 2 rounds only",),
    ),
    Fault(
        "h restarts",
        "feddyn",
        terms(lambda t, h, own, active: (0 * h if t % 4 == 3 else h, own)),
        ("h is 0 again after every 4 rounds",),
    ),
    Fault(
        "clients are made anew, linear terms with them",
        "feddyn",
        terms(lambda t, h, own, active: (h, only(active, own))),
        ("the l_i of clients that sit out is forgotten",),
    ),
]
RIGHT = [
    ("scaffold", variates(), {}),
    ("fedadam", moments(), {}),
    ("feddyn", terms(lambda t, h, own, active: (h, own)), {}),
    ("fedavg-server-m", velocity(lambda t, v, old: v), {}),
]
