"""SCAFFOLD and SCAFFOLD-M as plain loops, with switches for the mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.plain import averaged, moved

if TYPE_CHECKING:
    from boundcheck.problems.base import Array


def _refreshed(
    own: Array, common: Array, x: Array, y: Array, gradient: Array, *, K: int, eta: float, refresh: str, wrong: str
) -> Array:
    """Return c_i+: the mean local gradient, or what option II makes of the displacement."""
    if wrong == "frozen":
        return own
    if refresh == "gradient" and wrong != "option-II":
        return gradient * K if wrong == "no-K" else gradient
    length = {"no-K": eta, "no-eta": K}.get(wrong, K * eta)
    fresh: Array = own - (0.0 if wrong == "no-c" else 1.0) * common + (x - y) / length
    return fresh


def scaffold(
    clients: Any,
    x0: Array,
    *,
    K: int,
    T: int,
    active: Any,
    eta: float,
    gamma: float = 1.0,
    beta: float = 1.0,
    B: int = 0,
    refresh: str = "displacement",
    wrong: str = "",
) -> Array:
    """SCAFFOLD with option II; momentum is mixed in for beta below 1, the server step being on the displacement."""
    N = len(clients)
    own = [c.first(x0) if B else (x0 if wrong == "start-at-x0" else 0.0 * x0) for c in clients]
    x, g, common = x0, 0.0 * x0, np.sum(own, axis=0) / N
    fresh_weight, old_weight = (1 - beta, beta) if wrong == "swapped" else (beta, 1 - beta)
    old_weight = {"extra-factor": (1 - beta) ** 2, "momentum-sign": beta - 1}.get(wrong, old_weight)
    correct = {"sign": -1.0, "undamped-correction": 1 / beta}.get(wrong, 1.0)
    before, path = g, [x]
    for t in range(T):
        ends, fresh, mixed = [], {}, before if wrong == "old-momentum" else g
        for i in active[t]:
            known = 0.0 * common if wrong == "one-sided" else common
            shift = fresh_weight * correct * (known - own[i]) + old_weight * mixed

            def direction(h: Array, y: Array, shift: Array = shift) -> Array:
                return fresh_weight * h + shift

            y, mean = moved(clients[i], x, t, K=K, eta=eta, wrong=wrong, direction=direction)
            ends.append(y)
            fresh[i] = _refreshed(own[i], common, x, y, mean, K=K, eta=eta, refresh=refresh, wrong=wrong)
        change = [c if wrong == "whole-variate" else c - own[i] for i, c in fresh.items()]
        before, g = g, averaged([x - y for y in ends], N, wrong) / (eta * K)
        x = x - gamma * eta * K * g
        common = common + np.sum(change, axis=0) / (len(change) if wrong == "c-over-S" else N)
        if wrong != "forgotten":
            own = [fresh.get(i, c) for i, c in enumerate(own)]
        path.append(x)
    return np.stack(path)
