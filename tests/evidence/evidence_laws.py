"""Nonnegative laws with mean 1, and evaluations of a bound made by hand."""

import math

from boundcheck.bounds import Evaluation

LAWS = {
    "gamma 1/2": lambda rng, size: rng.gamma(0.5, 2.0, size),
    "gamma 2": lambda rng, size: rng.gamma(2.0, 0.5, size),
    "log-normal": lambda rng, size: math.exp(-(1.5**2) / 2) * rng.lognormal(0.0, 1.5, size),
}
"""Name to sampler; gamma(k) has mean k times scale, the log-normal with s = 1.5 has mean exp(s^2/2)."""


def evaluation(rhs, trivial=1e9):
    """Return a bound's value without conditions."""
    return Evaluation(rhs, {"all": rhs}, [], trivial, {})
