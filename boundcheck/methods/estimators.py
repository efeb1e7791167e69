"""Gradient estimators that several methods share: large batches and recursive paths, and the draw of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.methods.base import Hyper, Oracle, Vector


def starting_gradients(oracle: Oracle, points: list[Vector], batch: int) -> list[Vector]:
    """Return the gradients at `points` that recursions start from: exact, or on one minibatch of `batch` samples."""
    if not batch:
        return [oracle.full(y) for y in points]
    token = oracle.draw(batch)
    return [oracle.grad(y, token) for y in points]


def recursive_paths(
    oracle: Oracle, starts: list[Vector], v: list[Vector], eta: Hyper, damping: Hyper = 1.0
) -> list[Vector]:
    """Return the ends of local trajectories of K steps that see the same minibatches; the first one is shown.

    ``y <- y - eta v``, then ``v <- g_i(y) + damping (v - g_i(y_old))``, from the given v.
    """
    oracle.observe(starts[0])
    old, new = starts, [y - eta * d for y, d in zip(starts, v, strict=True)]
    for _ in range(oracle.K - 1):
        oracle.observe(new[0])
        batch = oracle.draw()
        v = [oracle.grad(y, batch) + damping * (d - oracle.grad(z, batch)) for y, d, z in zip(new, v, old, strict=True)]
        old, new = new, [y - eta * d for y, d in zip(new, v, strict=True)]
    return new


def random_rows(oracle: Oracle, v: Vector, count: int) -> Vector:
    """Return `count` rows of (lanes, rows, d), each uniform and independent of the others."""
    rows = np.floor(oracle.uniform(count) * v.shape[1]).astype(np.intp)
    return np.take_along_axis(v, rows[:, :, None], axis=1)


def large_batch(oracle: Oracle, points: list[Vector]) -> list[Vector]:
    """Return the mean gradients at server points of the same K minibatches of every active client."""
    totals = [0.0 * x for x in points]
    at = [oracle.to_clients(x) for x in points]
    for k in range(oracle.K):
        oracle.observe(at[0])
        batch = oracle.draw()
        # One message a client holds the weighted sum over all steps and points, of which the server needs the mean.
        free = [k > 0 or j > 0 for j in range(len(at))]
        grads = [oracle.grad(y, batch) for y in at]
        totals = [total + oracle.mean(g, free=old) for total, g, old in zip(totals, grads, free, strict=True)]
    return [(1.0 / oracle.K) * total for total in totals]
