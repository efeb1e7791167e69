"""Nonnegative laws with mean 1, and evaluations of a bound made by hand."""

import math

from boundcheck.bounds import Evaluation

LAWS = {
    "gamma 1/2": lambda rng, size: rng.gamma(0.5, 2.0, size),
    "gamma 2": lambda rng, size: rng.gamma(2.0, 0.5, size),
    "log-normal": lambda rng, size: math.exp(-(1.5**2) / 2) * rng.lognormal(0.0, 1.5, size),
}
"""Name to sampler; gamma(k) has mean k times scale, the log-normal with s = 1.5 has mean exp(s^2/2)."""

WILD = LAWS | {
    "Pareto 1.5": lambda rng, size: (1.0 + rng.pareto(1.5, size)) / 3.0,
    "spikes": lambda rng, size: 100.0 * (rng.random(size) < 0.01),
}
"""Two more without a useful standard error: Pareto(a) from 1 on has mean a/(a - 1), and one value in 100 is 100."""


def spread(rng, size, cv):
    """Draw a gamma law with mean 1 and the given coefficient of variation."""
    return rng.gamma(cv**-2, cv**2, size)


def evaluation(rhs, trivial=1e9):
    """Return a bound's value without conditions."""
    return Evaluation(rhs, {"all": rhs}, [], trivial, {})
