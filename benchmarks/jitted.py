"""The loops of `fused.c` in Python, compiled by Numba where it is installed (extra ``bench``)."""

import importlib.util

import numpy as np

from benchmarks.plain import SIGNS_OF_BYTES, saddle_waves


def has_numba():
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


if has_numba():
    from numba import njit
else:

    def njit(**_):
        """Leave a function as it is: the same loops, uncompiled."""
        return lambda function: function


compiled = njit(fastmath=True)


@compiled
def _word(state):
    """Return the next state of a generator (xorshift) and its word."""
    x = state
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    return x, x * np.uint64(0x2545F4914F6CDD1D)


@compiled
def _ratio(z):
    w = 1.0 + z * z
    return 2.0 * z / (w * w)


@compiled
def _add_component(g, row, y, offset, m):
    """Add the gradient of one component over m to g."""
    product = -offset
    for c in range(len(y)):
        product += row[c] * y[c]
    slope = _ratio(product) / m
    for c in range(len(y)):
        g[c] += slope * row[c]


@compiled
def _ridge(start, tilts, heights, K, T, lanes):
    N, d = tilts.shape
    out = np.empty(lanes)
    x, y, mean = np.empty(d), np.empty(d), np.empty(d)
    signs, low = np.empty(64), np.uint64(255)
    for lane in range(lanes):
        state = np.uint64(0x9E3779B97F4A7C15) * np.uint64(lane + 1)
        x[:] = start
        total = 0.0
        for _ in range(T):
            for c in range(d):
                total += _ratio(x[c]) ** 2
            mean[:] = 0.0
            for i in range(N):
                y[:] = x
                for _ in range(K):
                    for at in range(0, d, 64):
                        state, bits = _word(state)
                        # Signs first, eight a byte: the loop over coordinates is one over whole vectors then.
                        for byte in range(8):
                            row = (bits >> np.uint64(8 * byte)) & low
                            for c in range(8):
                                signs[8 * byte + c] = heights[row, c]
                        part, tilt = y[at : at + 64], tilts[i, at : at + 64]
                        for c in range(len(part)):
                            part[c] -= 0.01 * (_ratio(part[c]) + tilt[c] + signs[c])
                for c in range(d):
                    mean[c] += y[c]
            for c in range(d):
                x[c] = mean[c] / N
        out[lane] = total / T
    return out


@compiled
def _finite_sum(start, tilts, rows, offsets, every, K, T, lanes):
    N, m, d = rows.shape
    out = np.empty(lanes)
    x, y, g, mean, whole = np.empty(d), np.empty(d), np.empty(d), np.empty(d), np.empty(d)
    for lane in range(lanes):
        state = np.uint64(0x9E3779B97F4A7C15) * np.uint64(lane + 1)
        x[:] = start
        total = 0.0
        for _ in range(T):
            whole[:] = 0.0
            for i in range(N):
                for j in range(m):
                    _add_component(whole, rows[i, j], x, offsets[i, j], m)
            for c in range(d):
                total += (whole[c] / N) ** 2
            mean[:] = 0.0
            for i in range(N):
                y[:] = x
                for _ in range(K):
                    g[:] = tilts[i]
                    if every:
                        for j in range(m):
                            _add_component(g, rows[i, j], y, offsets[i, j], m)
                    else:
                        state, bits = _word(state)
                        j = np.int64(bits % np.uint64(m))
                        _add_component(g, rows[i, j], y, offsets[i, j], 1)
                    for c in range(d):
                        y[c] -= 0.01 * g[c]
                for c in range(d):
                    mean[c] += y[c]
            for c in range(d):
                x[c] = mean[c] / N
        out[lane] = total / T
    return out


@compiled
def _saddle_gradient(g, z, couplings, d1, s, mu):
    """Write both blocks at z, without noise and tilts, into g."""
    total, back, rank = 0.0, 0.0, len(couplings)
    for c in range(d1):
        total += z[c]
    for c in range(rank):
        back += couplings[c] * z[d1 + c]
    for c in range(d1):
        g[c] = s * _ratio(z[c]) - 2.0 * back / d1
    for c in range(d1, len(z)):
        g[c] = -mu * z[c]
    for c in range(rank):
        g[c] += couplings[c] * z[d1 + c]
        g[d1 + c] += couplings[c] * (z[c] - 2.0 * total / d1)


@compiled
def _saddle(start, tilts, couplings, p, heights, step, d1, s, mu, K, T, lanes):
    N, d = tilts.shape
    out = np.empty(lanes)
    x, y, g, mean = np.empty(d), np.empty(d), np.empty(d), np.empty(d)
    angle, low, half = 2 * np.pi / 65536.0, np.uint64(65535), np.uint64(16)
    for lane in range(lanes):
        state = np.uint64(0x9E3779B97F4A7C15) * np.uint64(lane + 1)
        x[:] = start
        total = 0.0
        for _ in range(T):
            _saddle_gradient(g, x, couplings, d1, s, mu)
            for c in range(d):
                total += g[c] * g[c]
            mean[:] = 0.0
            for i in range(N):
                y[:] = x
                for _ in range(K):
                    state, bits = _word(state)
                    one, two = angle * np.float64(bits & low), angle * np.float64((bits >> half) & low)
                    for c in range(d1):
                        one += p[c] * y[c]
                    for c in range(d1, d):
                        two += p[c] * y[c]
                    one, two = np.sin(one), np.sin(two)
                    _saddle_gradient(g, y, couplings, d1, s, mu)
                    for c in range(d1):
                        y[c] -= step[c] * (g[c] + tilts[i, c] - heights[c] * one)
                    for c in range(d1, d):
                        y[c] -= step[c] * (g[c] + tilts[i, c] - heights[c] * two)
                for c in range(d):
                    mean[c] += y[c]
            for c in range(d):
                x[c] = mean[c] / N
        out[lane] = total / T
    return out


def ridge(problem, *, K, T, lanes):
    """Run FedAvg on a tilted ridge with random signs."""
    return _ridge(problem.start, problem.tilts, problem.noise.sup * SIGNS_OF_BYTES, K, T, lanes)


def finite_sum(problem, *, K, T, lanes, every=False):
    """Run FedAvg on a finite sum of ratio links, one component a step or every one."""
    return _finite_sum(problem.start, problem.tilts, problem.rows, problem.offsets, every, K, T, lanes)


def saddle(problem, *, K, T, lanes):
    """Run Local SGDA on a ridge saddle with random phases."""
    waves = saddle_waves(problem)
    numbers = problem.blocks[0], float(problem.s), float(problem.mu)
    return _saddle(problem.start, problem.tilts, problem.couplings, *waves, *numbers, K, T, lanes)
