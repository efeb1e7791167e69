"""Gradient estimators that several methods share: large batches and recursive paths, and the draw of clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from boundcheck.methods.base import Hyper, Oracle, Vector

Vectors: TypeAlias = "tuple[Vector, ...]"
"""One vector for each of several trajectories."""


def starting_gradients(oracle: Oracle, points: Vectors, batch: int) -> Vectors:
    """Return the gradients at `points` that recursions start from: exact, or on one minibatch of `batch` samples."""
    if not batch:
        return tuple(oracle.full(y) for y in points)
    token = oracle.draw(batch)
    return tuple(oracle.grad(y, token) for y in points)


def recursive_paths(oracle: Oracle, starts: Vectors, v: Vectors, eta: Hyper, damping: Hyper = 1.0) -> Vectors:
    """Return the ends of local trajectories of K steps that see the same minibatches; the first one is shown.

    ``y <- y - eta v``, then ``v <- g_i(y) + damping (v - g_i(y_old))``, from the given v.
    """

    def move(points: Vectors, v: Vectors) -> Vectors:
        return tuple(y - eta * d for y, d in zip(points, v, strict=True))

    def step(_: Any, carry: tuple[Vectors, Vectors, Vectors]) -> tuple[Vectors, Vectors, Vectors]:
        old, new, v = carry
        oracle.observe(new[0])
        batch = oracle.draw()
        paths = zip(new, v, old, strict=True)
        v = tuple(oracle.grad(y, batch) + damping * (d - oracle.grad(z, batch)) for y, d, z in paths)
        return new, move(new, v), v

    oracle.observe(starts[0])
    _, ends, _ = oracle.fori(step, (starts, move(starts, v), v), oracle.K - 1)
    return tuple(ends)


def random_rows(oracle: Oracle, v: Vector, count: int) -> Vector:
    """Return `count` rows of (lanes, rows, d), each uniform and independent of the others."""
    rows = oracle.xp.floor(oracle.uniform(count) * v.shape[1]).astype(int)
    return oracle.xp.take_along_axis(v, rows[:, :, None], axis=1)


def large_batch(oracle: Oracle, points: Vectors) -> Vectors:
    """Return the mean gradients at server points of the same K minibatches of every active client."""
    at = tuple(oracle.to_clients(x) for x in points)

    def add(totals: Vectors, sent: tuple[bool, ...]) -> Vectors:
        oracle.observe(at[0])
        batch = oracle.draw()
        grads = [oracle.grad(y, batch) for y in at]
        return tuple(total + oracle.mean(g, free=not s) for total, g, s in zip(totals, grads, sent, strict=True))

    # One message a client holds the weighted sum over all steps and points, of which the server needs the mean.
    none = (False,) * len(at)
    totals = add(tuple(0.0 * x for x in points), (True, *none[1:]))
    totals = oracle.fori(lambda _, totals: add(totals, none), totals, oracle.K - 1)
    return tuple((1.0 / oracle.K) * total for total in totals)
