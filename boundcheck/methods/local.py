"""What several methods share on the client: plain local steps, and moving averages of gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Hyper, Oracle, Vector


def local_sgd(oracle: Oracle, y: Vector, eta: Hyper, pull: Callable[[Vector], Vector] | None = None) -> Vector:
    """Return the clients' points after K steps ``y <- y - eta (g_i(y) + pull(y))`` on fresh minibatches."""
    for _ in range(oracle.K):
        oracle.observe(y)
        g = oracle.grad(y, oracle.draw())
        y = y - eta * (g if pull is None else g + pull(y))
    return y


def everywhere(oracle: Oracle, x: Vector) -> Vector:
    """Return a memory (lanes, N, d) that holds the server vector for each of the N clients."""
    return np.repeat(x, oracle.N, axis=1)


def ema(weight: Hyper, old: Vector, new: Vector) -> Vector:
    """Return the moving average ``weight old + (1 - weight) new``."""
    return weight * old + (1.0 - weight) * new


def yogi(weight: Hyper, old: Vector, square: Vector) -> Vector:
    """Return Yogi's second moment: `old` moves towards `square` by ``(1 - weight) square``."""
    return old - (1.0 - weight) * square * np.sign(old - square)
