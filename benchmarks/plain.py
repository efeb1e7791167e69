"""FedAvg on a tilted ridge problem with random signs, as one would write it without lanes."""

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


SIGNS = (integers, bits, uniforms)
"""Ways to draw signs; the benchmark takes the fastest."""


def fedavg(problem, signs, *, eta, K, T, lanes):
    """Run FedAvg lane by lane, client by client, step by step; return mean_t |grad f(x_t)|^2 of every lane."""
    averages = []
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
                    y -= eta * g
                mean += y
            x = mean / problem.N
        averages.append(total / T)
    return np.array(averages)
