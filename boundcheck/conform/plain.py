"""Plain loops over clients and steps for the methods that are most often got wrong, with switches for the mistakes.

Every function has the signature of an implementation under test; `wrong` names the mistake to make, '' none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boundcheck.problems.base import Array

    Direction = Callable[[Array, Array], Array]


def moved(
    client: Any, x: Array, t: int, *, K: int, eta: float, direction: Direction, wrong: str
) -> tuple[Array, Array]:
    """Return the local point after K steps, and the mean of the gradients on the way."""
    y, seen = x, []
    for k in range(K):
        seen.append(client.grad(y, 0 if wrong == "one-sample" else k, t))
        y = y - eta * direction(seen[-1], y)
    return y, np.mean(seen, axis=0)


def averaged(rows: Sequence[Array], N: int, wrong: str) -> Array:
    """Return the mean over the active clients."""
    divisor = {"over-N": N, "sum": 1}.get(wrong, len(rows))
    total: Array = np.sum(rows, axis=0) / divisor
    return total


def fedavg(
    clients: Any,
    x0: Array,
    *,
    K: int,
    T: int,
    active: Any,
    eta: float,
    gamma: float = 1.0,
    rho: float = 0.0,
    wrong: str = "",
) -> Array:
    """FedAvg, or FedProx with a proximal coefficient."""
    x, path = x0, [x0]
    pull = {"prox-sign": -rho, "prox-double": 2 * rho, "prox-none": 0.0}.get(wrong, rho)
    for t in range(T):
        ends = [
            moved(
                clients[i],
                x,
                t,
                K=K,
                eta=eta,
                wrong=wrong,
                direction=lambda g, y, x=x: g + pull * (y - x),  # type: ignore[misc]
            )[0]
            for i in active[t]
        ]
        x = x + (1.0 if wrong == "no-server-step" else gamma) * averaged([y - x for y in ends], len(clients), wrong)
        path.append(x)
    return np.stack(path)


def server_momentum(
    clients: Any,
    x0: Array,
    *,
    K: int,
    T: int,
    active: Any,
    eta: float,
    beta: float,
    gamma: float = 1.0,
    wrong: str = "",
) -> Array:
    """FedAvg with server momentum: v <- beta v - D, x <- x - gamma v."""
    x, v, path = x0, 0.0 * x0, [x0]
    for t in range(T):
        ends = [moved(clients[i], x, t, K=K, eta=eta, wrong=wrong, direction=lambda g, y: g)[0] for i in active[t]]
        D = averaged([y - x for y in ends], len(clients), wrong)
        old, v = v, beta * v - (1 - beta if wrong == "damped" else 1.0) * D
        if wrong == "momentum-sign":
            v = -beta * old - D
        along = {"old-momentum": old, "nesterov": beta * v - D}.get(wrong, v)
        x = x - gamma * along
        path.append(x)
    return np.stack(path)


def fedavg_m(
    clients: Any,
    x0: Array,
    *,
    K: int,
    T: int,
    active: Any,
    eta: float,
    gamma: float,
    beta: float,
    wrong: str = "",
) -> Array:
    """FedAvg-M: direction beta g_i + (1-beta) g, g the mean displacement over eta K."""
    fresh, old = {
        "swapped": (1 - beta, beta),
        "undamped-gradient": (1.0, 1 - beta),
        "undamped-momentum": (beta, 1.0),
    }.get(wrong, (beta, 1 - beta))
    old = {"extra-factor": (1 - beta) ** 2, "momentum-sign": beta - 1, "momentum-none": 0.0}.get(wrong, old)
    x, g, before, path = x0, 0.0 * x0, 0.0 * x0, [x0]
    for t in range(T):
        mixed = before if wrong == "old-momentum" else g
        ends = [
            moved(
                clients[i],
                x,
                t,
                K=K,
                eta=eta,
                wrong=wrong,
                direction=lambda h, y, m=mixed: fresh * h + old * m,  # type: ignore[misc]
            )[0]
            for i in active[t]
        ]
        before, g = g, averaged([x - y for y in ends], len(clients), wrong) / (eta * (1 if wrong == "no-K" else K))
        x = x - gamma * g
        path.append(x)
    return np.stack(path)
