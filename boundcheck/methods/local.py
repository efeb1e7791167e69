"""What several methods share: local steps, and moving averages of gradients and of their squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Hyper, Oracle, Vector


def sample_gradients(oracle: Oracle, y: Vector) -> Vector:
    """Return the active clients' gradients at `y` on fresh minibatches, after showing `y` to the observers."""
    oracle.observe(y)
    return oracle.grad(y, oracle.draw())


def local_sgd(oracle: Oracle, y: Vector, eta: Hyper, pull: Callable[[Vector], Vector] | None = None) -> Vector:
    """Return the clients' points after K steps ``y <- y - eta (g_i(y) + pull(y))`` on fresh minibatches."""

    def step(_: Any, y: Vector) -> Vector:
        g = sample_gradients(oracle, y)
        return y - eta * (g if pull is None else g + pull(y))

    return oracle.fori(step, y)


def local_heavy_ball(oracle: Oracle, y: Vector, eta: Hyper, mu: Hyper) -> Vector:
    """Return the clients' points after K steps ``m <- mu m + g_i(y), y <- y - eta m`` from m = 0."""

    def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
        y, m = carry
        m = mu * m + sample_gradients(oracle, y)
        return y - eta * m, m

    return oracle.fori(step, (y, 0.0 * y))[0]


def mean_model(oracle: Oracle, x: Vector, y: Vector) -> Vector:
    """Return the average of the active clients' models y, or x and that of their steps from x.

    Both are the same where weights add up to 1.  Those of clients with weights of their own do not where some are idle,
    and a sum of models would be off by a multiple of x.
    """
    return oracle.mean(y) if oracle.weights_add_up else x + oracle.mean(y - oracle.to_clients(x, free=True))


def direction(oracle: Oracle, x: Vector, y: Vector, eta: Hyper) -> Vector:
    """Return ``(x - y) / (eta K)``, the mean direction of K steps from x to the average y."""
    return (1.0 / (eta * oracle.K)) * (x - y)


def mean_refreshed(oracle: Oracle, mean: Vector, change: Vector) -> Vector:
    """Return the mean over all N clients after the rows of the S active ones changed (1/N, not 1/S)."""
    return mean + (oracle.S / oracle.N) * oracle.mean(change)


def ema(weight: Hyper, old: Vector, new: Vector) -> Vector:
    """Return the moving average ``weight old + (1 - weight) new``."""
    return weight * old + (1.0 - weight) * new


def yogi(xp: Any, weight: Hyper, old: Vector, square: Vector) -> Vector:
    """Return Yogi's second moment: `old` moves towards `square` by ``(1 - weight) square``."""
    return old - (1.0 - weight) * square * xp.sign(old - square)
