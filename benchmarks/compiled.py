"""Compiled runs beside numpy's, and beside JAX as one would write it: with keys and Gaussians, and tuned."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp


def _slope(y):
    w = 1.0 + y * y
    return 2.0 * y / (w * w)


def _run(noise, problem, *, eta, K, T, lanes):
    """Return FedAvg on a tilted ridge with signs or Gaussians, all rounds in one scan."""
    tilts = jnp.asarray(problem.tilts)
    start = jnp.broadcast_to(jnp.asarray(problem.start), (lanes, 1, problem.d))

    def local(y, drawn):
        return y - eta * (_slope(y) + tilts + drawn), None

    def round_(carry, key):
        x, total = carry
        total = total + (_slope(x) ** 2).sum(axis=(1, 2))
        y = jnp.broadcast_to(x, (lanes, problem.N, problem.d))
        keys = jax.random.split(key, K)
        y, _ = jax.lax.scan(lambda y, k: local(y, noise(k, y.shape)), y, keys)
        return (y.mean(axis=1, keepdims=True), total), None

    @jax.jit
    def whole(seed):
        (_, total), _ = jax.lax.scan(round_, (start, jnp.zeros(lanes)), jax.random.split(jax.random.key(seed), T))
        return total / T

    return lambda: whole(0).block_until_ready()


def textbook(problem, **setting):
    """Return FedAvg with a key a client and a Gaussian a coordinate."""

    def gaussians(key, shape):
        lanes, clients, d = shape
        keys = jax.random.split(key, lanes * clients)
        drawn = jax.vmap(lambda k: jax.random.normal(k, (d,)))(keys)
        return problem.noise.sup * drawn.reshape(shape)

    return _run(gaussians, problem, **setting)


def tuned(problem, **setting):
    """Return FedAvg with signs from the bits of one call of the hardware-friendly generator a step."""

    def signs(key, shape):
        count = -(-shape[0] * shape[1] * shape[2] // 32)
        words = jax.random.bits(key, (count, 1), dtype=jnp.uint32)
        bits = (words >> jnp.arange(32, dtype=jnp.uint32)) & 1
        flat = bits.reshape(-1)[: shape[0] * shape[1] * shape[2]].reshape(shape)
        return jnp.where(flat == 1, problem.noise.sup, -problem.noise.sup)

    return _run(signs, problem, **setting)


def in_double(run):
    """Return a run that computes in float64."""

    def wide():
        with jax.enable_x64(new_val=True):
            return run()

    return wide


def variants(problem, method, simulate, *, eta, K, T, lanes):
    """Return what is timed: the engine on both backends, and JAX by hand."""
    run = partial(simulate, problem, method, K=K, T=T, lanes=lanes, points=1)
    hand = {}
    with jax.enable_x64(new_val=True):
        for name, make in {"tuned JAX": tuned, "textbook JAX": textbook}.items():
            hand[name] = in_double(make(problem, eta=eta, K=K, T=T, lanes=lanes))
    compiled = {"engine, jax": partial(run, backend="jax"), "float32": partial(run, backend="jax", dtype="float32")}
    return {"engine, numpy": run, **compiled, **hand}
