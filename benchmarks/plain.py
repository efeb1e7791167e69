"""FedAvg and Local SGDA as one would write them without lanes: a loop over clients and steps."""

import timeit
from functools import cache, partial

import numpy as np


def integers(rng, d):
    """Return random signs by integers."""
    return rng.integers(0, 2, d) * 2 - 1


def bits(rng, d):
    """Return random signs by the bits of random bytes."""
    return np.unpackbits(np.frombuffer(rng.bytes(-(-d // 8)), dtype=np.uint8), count=d) * 2.0 - 1.0


def uniforms(rng, d):
    """Return random signs by comparing uniform numbers with one half."""
    return np.copysign(1.0, rng.random(d) - 0.5)


@cache
def fastest_signs(d):
    """Return the way to draw signs that is the fastest on this machine."""
    rng = np.random.default_rng(0)
    return min((integers, bits, uniforms), key=lambda draw: min(timeit.repeat(partial(draw, rng, d), number=500)))


SIGNS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1.0
"""Eight signs a byte."""


def ridge(problem, *, K, T, lanes):
    """Run FedAvg on a tilted ridge with random signs; return mean_t |grad f(x_t)|^2 of every lane."""
    averages, signs = [], fastest_signs(problem.d)
    for lane in range(lanes):
        rng = np.random.default_rng([0, lane])
        x, total = problem.start.copy(), 0.0
        for _ in range(T):
            slope = 2.0 * x / (1.0 + x * x) ** 2
            total += slope @ slope
            mean = np.zeros(problem.d)
            for i in range(problem.N):
                y = x.copy()
                tilt = problem.tilts[i]
                for _ in range(K):
                    w = 1.0 + y * y
                    g = 2.0 * y / (w * w) + tilt + problem.noise.sup * signs(rng, problem.d)
                    y -= 0.01 * g
                mean += y
            x = mean / problem.N
        averages.append(total / T)
    return np.array(averages)


def _local_steps(problem, sampled, step, *, K, T, lanes):
    """Run local steps ``y -= step g`` lane by lane, client by client, with g from ``sampled(rng, client, y)``."""
    averages = []
    for lane in range(lanes):
        rng = np.random.default_rng([0, lane])
        x, total = problem.start.copy(), 0.0
        for _ in range(T):
            slope = problem.mean_gradient(x[None, None])[0, 0]
            total += slope @ slope
            ends = np.zeros(problem.d)
            for i in range(problem.N):
                y = x.copy()
                for _ in range(K):
                    y -= step * sampled(rng, i, y)
                ends += y
            x = ends / problem.N
        averages.append(total / T)
    return np.array(averages)


def finite_sum(problem, **setting):
    """Run FedAvg on a finite sum of ratio links, one component a step."""

    def sampled(rng, i, y):
        j = rng.integers(problem.m)
        a = problem.rows[i, j]
        z = a @ y - problem.offsets[i, j]
        return 2.0 * z / (1.0 + z * z) ** 2 * a + problem.tilts[i]

    return _local_steps(problem, sampled, 0.01, **setting)


def finite_sum_full(problem, **setting):
    """Run FedAvg on a finite sum of ratio links, all components a step."""

    def exact(rng, i, y):
        z = problem.rows[i] @ y - problem.offsets[i]
        return (2.0 * z / (1.0 + z * z) ** 2) @ problem.rows[i] / problem.m + problem.tilts[i]

    return _local_steps(problem, exact, 0.01, **setting)


def logistic(problem, **setting):
    """Run FedAvg on logistic regression, one row a step."""

    def sampled(rng, i, y):
        row = problem.rows[i, rng.integers(problem.sizes[i])]
        return -row / (1.0 + np.exp(row @ y)) + problem.rho * 2.0 * y / (1.0 + y * y) ** 2

    return _local_steps(problem, sampled, 0.01, **setting)


def saddle_waves(problem):
    """Return the directions and heights of a saddle's waves and its steps, down in x and up in y, (d,) each."""
    noise, steps = problem.noise, np.repeat([0.01, -0.02], problem.blocks)
    p = np.concatenate([np.where(np.arange(d) % 2 == 0, 1.0, -1.0) / np.sqrt(d) for d in problem.blocks]) * noise.omega
    return p, p * np.repeat([noise.tau, noise.tau_y], problem.blocks), steps


def saddle(problem, **setting):
    """Run Local SGDA on a ridge saddle with random phases."""
    d1, d2 = problem.blocks
    rank, (p, heights, step) = len(problem.couplings), saddle_waves(problem)

    def reflected(v):
        return v - 2 * v.mean()

    def sampled(rng, i, z):
        x, y = z[:d1], z[d1:]
        back = np.zeros(d1)
        back[:rank] = problem.couplings * y[:rank]
        forth = np.zeros(d2)
        forth[:rank] = problem.couplings * reflected(x)[:rank]
        one, two = rng.uniform(0, 2 * np.pi, 2)
        g_x = 2.0 * problem.s * x / (1.0 + x * x) ** 2 + reflected(back) - np.sin(p[:d1] @ x + one) * heights[:d1]
        g_y = forth - problem.mu * y - np.sin(p[d1:] @ y + two) * heights[d1:]
        return np.concatenate([g_x, g_y]) + problem.tilts[i]

    return _local_steps(problem, sampled, step, **setting)
