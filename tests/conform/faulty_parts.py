"""Faults in what is kept from round to round: a part of the state that is forgotten, refreshed seldom, or too old.

Servers restart, clients are made anew for every round that they take part in, and what is kept is written where nobody
reads it.  Written before the diagnosis knew of parts.
"""

from __future__ import annotations

from faulty_codes import Fault, feddyn, fedopt, scaffold, server_momentum


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
        scaffold(after=lambda t, c, own, active, old: (c, only(active, own))),
        ("the c_i of clients that sit out is forgotten",),
    ),
    Fault(
        "c every second round",
        "scaffold",
        scaffold(after=lambda t, c, own, active, old: (c if t % 2 == 0 else old, own)),
        ("c is refreshed in the first of every 2 rounds only",),
    ),
    Fault(
        "c once",
        "scaffold",
        scaffold(after=lambda t, c, own, active, old: (c if t == 0 else old, own)),
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
        fedopt(after=lambda t, m, v, old_m, old_v: (0 * m if t % 2 else m, v)),
        ("m is 0 again after every 2 rounds",),
    ),
    Fault(
        "a lazy second moment",
        "fedadam",
        fedopt(after=lambda t, m, v, old_m, old_v: (m, v if t % 2 == 0 else old_v)),
        ("v is refreshed in the first of every 2 rounds only",),
    ),
    Fault(
        "h restarts",
        "feddyn",
        feddyn(after=lambda t, h, own, active: (0 * h if t % 4 == 3 else h, own)),
        ("h is 0 again after every 4 rounds",),
    ),
    Fault(
        "clients are made anew, linear terms with them",
        "feddyn",
        feddyn(after=lambda t, h, own, active: (h, only(active, own))),
        ("the l_i of clients that sit out is forgotten",),
    ),
]
RIGHT = [("fedavg-server-m", velocity(lambda t, v, old: v), {})]
