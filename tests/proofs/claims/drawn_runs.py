"""Exact runs with drawn clients: quadratic clients of one curvature, corrections as one likes, every draw a lane."""

import itertools
from fractions import Fraction

import numpy as np

from boundcheck.conform.equations.statements import StatementRun

HALF = Fraction(1, 2)


def mean(v):
    """Return the average over the clients, for each of them."""
    return np.repeat(v.sum(axis=1, keepdims=True) * Fraction(1, v.shape[1]), v.shape[1], axis=1)


def gradma_run(file, *, N, S, K, T, tilt, eta, gamma, inertia, local=0, server=0, start=1, zeta=None, mu=0):
    """Return a run of GradMA on f_i(x) = x^2/2 + b_i x, straight down the pseudocode, with corrections of given size.

    A local gradient is moved against its sign by `local`, the momentum by `server`, however the draw came out.
    """
    draws = list(itertools.product(itertools.combinations(range(N), S), repeat=T))
    b = np.array([Fraction(v) for v in tilt], dtype=object).reshape(1, N, 1) + np.zeros((len(draws), 1, 1), dtype=int)
    beta = Fraction(inertia, 1 + inertia)
    x = np.full((len(draws), N, 1), Fraction(start), dtype=object)
    m = x * 0
    found = {("x", (0,)): x, ("m", (0,)): m}
    for t in range(T):
        heard = np.array([[[int(i in draw[t])] for i in range(N)] for draw in draws], dtype=object)
        y, total = x, x * 0
        for k in range(K):
            gradient = y + b
            c = np.where(gradient > 0, -1, 1) * Fraction(local) + mu * (y - x)
            found |= {("y", (t, k)): y, ("c", (t, k)): c, ("d", (t, k)): gradient + c}
            y, total = y - eta * (gradient + c), total + gradient + c
        found["y", (t, K)] = y
        found["e", (t,)] = (heard * Fraction(N, S) - 1) * total * Fraction(1, K)
        moved = mean((x - y) * heard * Fraction(N, S))
        raw = beta * m + moved
        w = np.where(raw > 0, -1, 1) * Fraction(server)
        m, found["w", (t,)] = raw + w, w
        x = x - gamma / (eta * K) * m
        found |= {("x", (t + 1,)): x, ("m", (t + 1,)): m}
    tilts = [Fraction(v) for v in tilt]
    average = sum(tilts) / N
    variance = sum((v - average) ** 2 for v in tilts) / N
    zeta = Fraction(zeta) if zeta is not None else Fraction(variance)
    assert zeta**2 >= variance
    f_star = -(average**2) / 2
    letters = {
        "N": N, "S": S, "K": K, "T": T, "L": Fraction(1), "sigma": Fraction(0), "eta": eta, "gamma": gamma,
        "inertia": Fraction(inertia), "age": Fraction(1), "zeta": zeta, "eps_l": Fraction(local),
        "eps_g": Fraction(server), "spread": Fraction(N - S, S * max(N - 1, 1)), "f_star": f_star,
        "mu_prox": Fraction(mu), "swell": sum(Fraction(K, K - 1) ** j for j in range(K - 1)) if K > 1 else Fraction(0),
        "Delta": Fraction(start) ** 2 / 2 + average * start - f_star, "euler": Fraction(2718281828, 10**9),
    }  # fmt: skip
    return StatementRun(file.setting, letters, found, lambda y: y + b, lambda z: z * z / 2 + average * z)


GRADMA_CASES = {
    "half of four, corrected": {
        "N": 4, "S": 2, "K": 2, "T": 2, "tilt": (1, -1, 2, -2), "zeta": 2, "eta": Fraction(1, 80),
        "gamma": Fraction(1, 400), "inertia": 1, "local": Fraction(1, 3), "server": Fraction(1, 50),
    },
    "one of two, three rounds": {
        "N": 2, "S": 1, "K": 2, "T": 3, "tilt": (1, -1), "eta": Fraction(1, 200), "gamma": Fraction(1, 800),
        "inertia": 2, "local": Fraction(1, 10), "server": Fraction(1, 10), "start": 0,
    },
    "all of two, long steps": {
        "N": 2, "S": 2, "K": 1, "T": 3, "tilt": (3, -3), "zeta": 3, "eta": Fraction(1, 18), "gamma": Fraction(1, 20),
        "inertia": 1, "local": 0, "server": 0, "start": 5,
    },
    "no momentum, no corrections": {
        "N": 3, "S": 2, "K": 2, "T": 2, "tilt": (2, -1, -1), "zeta": 2, "eta": Fraction(1, 60),
        "gamma": Fraction(1, 300), "inertia": 0,
    },
    "one client": {
        "N": 1, "S": 1, "K": 3, "T": 2, "tilt": (0,), "eta": Fraction(1, 60), "gamma": Fraction(1, 10), "inertia": 0,
        "local": Fraction(1, 5),
    },
    "one round": {
        "N": 2, "S": 1, "K": 2, "T": 1, "tilt": (1, -1), "eta": Fraction(1, 80), "gamma": Fraction(1, 800),
        "inertia": 1,
    },
}  # fmt: skip
"""Runs whose parameters meet the conditions of Lemma .6."""
