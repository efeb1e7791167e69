"""The loops of `fused.c` in Python, compiled by Numba where it is installed (extra ``benchmarks``)."""

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


def _local_steps(noisy, exact):
    """Return the run of local steps, down along what `noisy` writes into g; `exact` writes the server's gradient.

    Both take (g, y, own), `noisy` client and state of the generator as well, and gives the state back.
    """

    @compiled
    def run(start, step, own, N, K, T, lanes):
        d, out = len(start), np.empty(lanes)
        x, y, g, mean = np.empty(d), np.empty(d), np.empty(d), np.empty(d)
        for lane in range(lanes):
            state = np.uint64(0x9E3779B97F4A7C15) * np.uint64(lane + 1)
            x[:] = start
            total = 0.0
            for _ in range(T):
                exact(g, x, own)
                for c in range(d):
                    total += g[c] * g[c]
                mean[:] = 0.0
                for i in range(N):
                    y[:] = x
                    for _ in range(K):
                        state = noisy(g, y, own, i, state)
                        for c in range(d):
                            y[c] -= step[c] * g[c]
                    for c in range(d):
                        mean[c] += y[c]
                for c in range(d):
                    x[c] = mean[c] / N
            out[lane] = total / T
        return out

    return run


@compiled
def _ridge_exact(g, y, own):
    for c in range(len(y)):
        g[c] = _ratio(y[c])


@compiled
def _ridge_noisy(g, y, own, i, state):
    tilts, heights, signs = own
    low = np.uint64(255)
    for at in range(0, len(y), 64):
        state, bits = _word(state)
        # Signs first, eight a byte: the loop over coordinates is one over whole vectors then.
        for byte in range(8):
            row = (bits >> np.uint64(8 * byte)) & low
            for c in range(8):
                signs[8 * byte + c] = heights[row, c]
        out, part, tilt = g[at : at + 64], y[at : at + 64], tilts[i, at : at + 64]
        for c in range(len(part)):
            out[c] = _ratio(part[c]) + tilt[c] + signs[c]
    return state


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
def _sum_exact(g, y, own):
    _, rows, offsets = own
    N, m = offsets.shape
    g[:] = 0.0
    for i in range(N):
        for j in range(m):
            _add_component(g, rows[i, j], y, offsets[i, j], m * N)


@compiled
def _sum_one(g, y, own, i, state):
    tilts, rows, offsets = own
    state, bits = _word(state)
    j = np.int64(bits % np.uint64(rows.shape[1]))
    g[:] = tilts[i]
    _add_component(g, rows[i, j], y, offsets[i, j], 1)
    return state


@compiled
def _sum_all(g, y, own, i, state):
    tilts, rows, offsets = own
    g[:] = tilts[i]
    for j in range(rows.shape[1]):
        _add_component(g, rows[i, j], y, offsets[i, j], rows.shape[1])
    return state


@compiled
def _saddle_exact(g, z, own):
    """Write both blocks at z, without noise and tilts, into g."""
    _, couplings, _, _, d1, s, mu = own
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
def _saddle_noisy(g, z, own, i, state):
    tilts, _, p, heights, d1, _, _ = own
    state, bits = _word(state)
    angle, low = 2 * np.pi / 65536.0, np.uint64(65535)
    one, two = angle * np.float64(bits & low), angle * np.float64((bits >> np.uint64(16)) & low)
    for c in range(d1):
        one += p[c] * z[c]
    for c in range(d1, len(z)):
        two += p[c] * z[c]
    one, two = np.sin(one), np.sin(two)
    _saddle_exact(g, z, own)
    for c in range(d1):
        g[c] += tilts[i, c] - heights[c] * one
    for c in range(d1, len(z)):
        g[c] += tilts[i, c] - heights[c] * two
    return state


_RIDGE = _local_steps(_ridge_noisy, _ridge_exact)
_ONE, _ALL = _local_steps(_sum_one, _sum_exact), _local_steps(_sum_all, _sum_exact)
_SADDLE = _local_steps(_saddle_noisy, _saddle_exact)


def ridge(problem, *, K, T, lanes):
    """Run FedAvg on a tilted ridge with random signs."""
    own = problem.tilts, problem.noise.sup * SIGNS_OF_BYTES, np.empty(64)
    return _RIDGE(problem.start, np.full(problem.d, 0.01), own, problem.N, K, T, lanes)


def finite_sum(problem, *, K, T, lanes, every=False):
    """Run FedAvg on a finite sum of ratio links, one component a step or every one."""
    own = problem.tilts, problem.rows, problem.offsets
    return (_ALL if every else _ONE)(problem.start, np.full(problem.d, 0.01), own, problem.N, K, T, lanes)


def saddle(problem, *, K, T, lanes):
    """Run Local SGDA on a ridge saddle with random phases."""
    p, heights, step = saddle_waves(problem)
    own = problem.tilts, problem.couplings, p, heights, problem.blocks[0], float(problem.s), float(problem.mu)
    return _SADDLE(problem.start, step, own, problem.N, K, T, lanes)
