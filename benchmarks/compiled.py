"""Runs beside the engine's that are written in JAX for one problem: tuned, and as a textbook has them.

Tuned ones compute with arrays of all lanes and clients and draw the bits of a step in one call; textbook ones have the
gradient of one client, by differentiation where it is more than a line, a key a client, and `vmap`.
"""

from __future__ import annotations

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.plain import saddle_waves


def ratio_slope(z):
    """Return the derivative of z^2/(1+z^2)."""
    w = 1.0 + z * z
    return 2.0 * z / (w * w)


def _run(noisy, exact, problem, *, step, K, T, lanes):
    """Return FedAvg on `noisy(key, y)` (lanes, N, d), all rounds in one scan; `exact` is the server's gradient."""
    start = jnp.broadcast_to(jnp.asarray(problem.start), (lanes, 1, problem.d))

    def round_(carry, key):
        x, total = carry
        total = total + (exact(x) ** 2).sum(axis=(1, 2))
        y = jnp.broadcast_to(x, (lanes, problem.N, problem.d))
        y, _ = jax.lax.scan(lambda y, k: (y - step * noisy(k, y), None), y, jax.random.split(key, K))
        return (y.mean(axis=1, keepdims=True), total), None

    @jax.jit
    def whole(seed):
        (_, total), _ = jax.lax.scan(round_, (start, jnp.zeros(lanes)), jax.random.split(jax.random.key(seed), T))
        return total / T

    return lambda: np.asarray(whole(0))


def _words(key, shape):
    """Return random 32-bit words."""
    return jax.random.bits(key, shape, dtype=jnp.uint32)


def _signs(key, shape, height):
    """Return random signs times `height`, 32 of them a word."""
    size = int(np.prod(shape))
    bits = (_words(key, (-(-size // 32), 1)) >> jnp.arange(32, dtype=jnp.uint32)) & 1
    return jnp.where(bits.reshape(-1)[:size].reshape(shape) == 1, height, -height)


def ridge_tuned(problem, **setting):
    """Return FedAvg on a tilted ridge with random signs."""
    tilts, sup = jnp.asarray(problem.tilts), problem.noise.sup

    def noisy(key, y):
        return ratio_slope(y) + tilts + _signs(key, y.shape, sup)

    return _run(noisy, ratio_slope, problem, step=0.01, **setting)


def finite_sum_tuned(problem, *, every, **setting):
    """Return FedAvg on a finite sum of ratio links, all components a step or one."""
    rows, offsets, tilts = map(jnp.asarray, (problem.rows, problem.offsets, problem.tilts))

    def all_components(y):
        slopes = ratio_slope(jnp.einsum("nmd,lnd->lnm", rows, y) - offsets)
        return jnp.einsum("lnm,nmd->lnd", slopes, rows) / problem.m + tilts

    def one(key, y):
        drawn = _words(key, y.shape[:2]) % problem.m
        owner = jnp.arange(problem.N)
        row = rows[owner, drawn]
        return ratio_slope((row * y).sum(axis=2) - offsets[owner, drawn])[..., None] * row + tilts

    def server(x):
        return all_components(jnp.broadcast_to(x, (len(x), problem.N, problem.d))).mean(axis=1, keepdims=True)

    noisy = (lambda _, y: all_components(y)) if every else one
    return _run(noisy, server, problem, step=0.01, **setting)


def saddle_tuned(problem, **setting):
    """Return Local SGDA on a ridge saddle with random phases."""
    d1, exact = problem.blocks[0], _saddle_gradient(problem)
    p, heights, step, tilts = map(jnp.asarray, (*saddle_waves(problem), problem.tilts))

    def noisy(key, z):
        angles = (_words(key, (*z.shape[:2], 2)) & 65535) * (2 * np.pi / 65536)
        one = jnp.sin((z[..., :d1] * p[:d1]).sum(axis=2) + angles[..., 0])
        two = jnp.sin((z[..., d1:] * p[d1:]).sum(axis=2) + angles[..., 1])
        waves = [one[..., None] * heights[:d1], two[..., None] * heights[d1:]]
        return exact(z) + tilts - jnp.concatenate(waves, axis=2)

    return _run(noisy, exact, problem, step=step, **setting)


def _saddle_gradient(problem):
    """Return both blocks of the average saddle's gradient, without a change of sign."""
    d1, d2 = problem.blocks
    couplings = jnp.asarray(problem.couplings)
    rank = len(couplings)

    def reflected(v):
        return v - 2.0 * v.mean(axis=-1, keepdims=True)

    def padded(v, d):
        return jnp.pad(v, [(0, 0)] * (v.ndim - 1) + [(0, d - rank)])

    def gradient(z):
        x, y = z[..., :d1], z[..., d1:]
        first = problem.s * ratio_slope(x) + reflected(padded(couplings * y[..., :rank], d1))
        second = padded(couplings * reflected(x)[..., :rank], d2) - problem.mu * y
        return jnp.concatenate([first, second], axis=-1)

    return gradient


def _by_client(client, problem, **setting):
    """Return a run on `client(key, y, i)`, the stochastic gradient of one client at one point."""

    def noisy(key, y):
        lanes, N, _ = y.shape
        keys = jax.random.split(key, (lanes, N))
        across = jax.vmap(client, in_axes=(0, 0, 0))
        return jax.vmap(across, in_axes=(0, 0, None))(keys, y, jnp.arange(N))

    return partial(_run, noisy, problem=problem, **setting)


def ridge_textbook(problem, **setting):
    """Return FedAvg on a tilted ridge with a Gaussian a coordinate."""
    tilts, sup = jnp.asarray(problem.tilts), problem.noise.sup

    def client(key, y, i):
        return ratio_slope(y) + tilts[i] + sup * jax.random.normal(key, y.shape)

    return _by_client(client, problem, step=0.01, **setting)(exact=ratio_slope)


def finite_sum_textbook(problem, *, every, **setting):
    """Return FedAvg on a finite sum whose gradients are found by differentiation."""
    rows, offsets, tilts = map(jnp.asarray, (problem.rows, problem.offsets, problem.tilts))

    def loss(y, row, offset):
        z = row @ y - offset
        return (z * z / (1.0 + z * z)).mean()

    def client(key, y, i):
        if every:
            return jax.grad(loss)(y, rows[i], offsets[i]) + tilts[i]
        j = jax.random.randint(key, (), 0, problem.m)
        return jax.grad(loss)(y, rows[i, j], offsets[i, j]) + tilts[i]

    def server(x):
        each = jax.vmap(jax.grad(lambda y: jax.vmap(partial(loss, y))(rows, offsets).mean()))
        return each(x[:, 0])[:, None]

    return _by_client(client, problem, step=0.01, **setting)(exact=server)


def saddle_textbook(problem, **setting):
    """Return Local SGDA on a ridge saddle with two uniform phases a sample."""
    d1, exact = problem.blocks[0], _saddle_gradient(problem)
    p, heights, step, tilts = map(jnp.asarray, (*saddle_waves(problem), problem.tilts))

    def client(key, z, i):
        one, two = jax.random.uniform(key, (2,), maxval=2 * np.pi)
        first = jnp.sin(p[:d1] @ z[:d1] + one) * heights[:d1]
        second = jnp.sin(p[d1:] @ z[d1:] + two) * heights[d1:]
        return exact(z) + tilts[i] - jnp.concatenate([first, second])

    return _by_client(client, problem, step=step, **setting)(exact=exact)


@cache
def _made(make, problem, setting):
    with jax.enable_x64(new_val=True):
        return make(problem, **dict(setting))


def at_once(make, problem, **setting):
    """Run what `make` returns in float64; it is made, and so compiled, once."""
    with jax.enable_x64(new_val=True):
        return _made(make, problem, tuple(setting.items()))()


def variants(problem, method, simulate, *, K, T, lanes):
    """Return what is timed on a ridge: the engine on both backends, and JAX by hand."""
    setting = {"K": K, "T": T, "lanes": lanes}
    run = partial(simulate, problem, method, points=1, **setting)
    hand = {
        "tuned JAX": partial(at_once, ridge_tuned, problem, **setting),
        "textbook JAX": partial(at_once, ridge_textbook, problem, **setting),
    }
    compiled = {"engine, jax": partial(run, backend="jax"), "float32": partial(run, backend="jax", dtype="float32")}
    return {"engine, numpy": run, **compiled, **hand}
