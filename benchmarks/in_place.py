"""Runs beside the engine's that are written in numpy for one problem: all lanes in one array, written into again."""

import numpy as np

from benchmarks.plain import SIGNS_OF_BYTES, saddle_waves


def ratio_slope(z, w, out):
    """Write the derivative of z^2/(1+z^2) into `out`; `w` is room of the same shape, `out` may be `z`."""
    np.multiply(z, z, out=w)
    w += 1.0
    w *= w
    np.multiply(z, 2.0, out=out)
    out /= w


def _run(problem, noisy, exact, *, step, K, T, lanes):
    """Run FedAvg on `noisy(y, g)`, which writes stochastic gradients at y (lanes, N, d) into g."""
    x, total = np.tile(problem.start, (lanes, 1)), np.zeros(lanes)
    y, g = np.empty((2, lanes, problem.N, problem.d))
    for _ in range(T):
        slope = exact(x)
        total += np.vecdot(slope, slope)
        y[...] = x[:, None]
        for _ in range(K):
            noisy(y, g)
            g *= step
            y -= g
        np.mean(y, axis=1, out=x)
    return total / T


def ridge(problem, *, lanes, **setting):
    """Run FedAvg on a tilted ridge with random signs."""
    rng = np.random.default_rng(0)
    size, d = lanes * problem.N * problem.d, problem.d
    room, flat = np.empty((lanes, problem.N, d)), np.empty((-(-size // 8), 8))
    signs, heights = flat.reshape(-1)[:size].reshape(room.shape), problem.noise.sup * SIGNS_OF_BYTES

    def noisy(y, g):
        ratio_slope(y, room, g)
        g += problem.tilts
        if problem.noise.sup:
            drawn = np.frombuffer(rng.bytes(len(flat)), dtype=np.uint8)
            heights.take(drawn, axis=0, out=flat, mode="clip")
            g += signs

    def exact(x):
        slope = np.empty_like(x)
        ratio_slope(x, np.empty_like(x), slope)
        return slope

    return _run(problem, noisy, exact, step=0.01, lanes=lanes, **setting)


def finite_sum(problem, *, lanes, every=False, **setting):
    """Run FedAvg on a finite sum of ratio links, one component a step or every one."""
    N, m, d = problem.rows.shape
    rng, columns = np.random.default_rng(0), problem.rows.swapaxes(1, 2).copy()
    heights, room = np.empty((2, N, lanes, m))
    row, products = np.empty((lanes, N, d)), np.empty((lanes, N))
    flat, first = problem.rows.reshape(-1, d), np.arange(N) * m
    alone, offsets = np.empty_like(products), problem.offsets.reshape(-1)

    def everything(y, g):
        # A client's matrix times the points of all lanes at once.
        np.matmul(y.swapaxes(0, 1), columns, out=heights)
        np.subtract(heights, problem.offsets[:, None], out=heights)
        ratio_slope(heights, room, heights)
        np.matmul(heights, problem.rows, out=g.swapaxes(0, 1))
        g /= m
        g += problem.tilts

    def one(y, g):
        drawn = first + rng.integers(m, size=(lanes, N))
        flat.take(drawn, axis=0, out=row, mode="clip")
        np.vecdot(row, y, out=products)
        np.subtract(products, offsets[drawn], out=products)
        ratio_slope(products, alone, products)
        np.multiply(row, products[..., None], out=g)
        g += problem.tilts

    def exact(x):
        g = np.empty((lanes, N, d))
        everything(np.broadcast_to(x[:, None], g.shape), g)
        return g.mean(axis=1)

    return _run(problem, everything if every else one, exact, step=0.01, lanes=lanes, **setting)


def saddle(problem, *, lanes, **setting):
    """Run Local SGDA on a ridge saddle with random phases."""
    d1, rank = problem.blocks[0], len(problem.couplings)
    p, heights, step = saddle_waves(problem)
    rng, room = np.random.default_rng(0), np.empty((lanes, problem.N, problem.d))
    noisy_blocks = [(block, p[block], heights[block]) for block in (np.s_[:d1], np.s_[d1:])]

    def average(z, g, w):
        x, y = z[..., :d1], z[..., d1:]
        ratio_slope(z, w, g)
        first, second = g[..., :d1], g[..., d1:]
        first *= problem.s
        np.multiply(y, -problem.mu, out=second)
        back = problem.couplings * y[..., :rank]
        first[..., :rank] += back
        first -= back.sum(axis=-1, keepdims=True) * (2.0 / d1)
        second[..., :rank] += problem.couplings * (x[..., :rank] - x.mean(axis=-1, keepdims=True) * 2.0)

    def noisy(z, g):
        average(z, g, room)
        g += problem.tilts
        if problem.noise.sigma:
            angles = rng.random((2, lanes, problem.N)) * (2 * np.pi)
            for angle, (block, direction, height) in zip(angles, noisy_blocks, strict=True):
                angle += np.vecdot(z[..., block], direction)
                np.sin(angle, out=angle)
                np.multiply(angle[..., None], height, out=room[..., block])
            g -= room

    def exact(x):
        slope = np.empty_like(x)
        average(x, slope, np.empty_like(x))
        return slope

    return _run(problem, noisy, exact, step=step, lanes=lanes, **setting)
