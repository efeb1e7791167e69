"""A problem of my own.

Try it: boundcheck certify "FILE:PROBLEM[zeta=0.5]" --N 4
"""

import numpy as np
from numpy.typing import NDArray

from boundcheck.problems.base import Problem
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions


def PROBLEM(N: int, zeta: float = 0.5, sigma: float = 0.0) -> Problem:
    """f_i(x) = sqrt(1 + |x|^2) + a_i x_1: bounded slopes, clients that differ by tilts a_i."""
    tilts = zeta * np.resize([1.0, -1.0], N)
    tilts -= tilts.mean()

    def value(client: int, x: NDArray[np.float64]) -> float:
        return float(np.sqrt(1 + x @ x) + tilts[client] * x[0])

    def gradient(client: int, x: NDArray[np.float64]) -> NDArray[np.float64]:
        g = x / np.sqrt(1 + x @ x)
        g[0] += tilts[client]
        return g

    origin = np.zeros(3)
    return from_functions(
        value,
        gradient,
        N=N,
        d=3,
        start=[1.0, 1.0, 1.0],
        sigma=sigma,
        # Each with the reason, and the point where it is attained; certify tries to refute them.
        constants={
            "L": exact(1.0, "the Hessian is the identity at 0 and smaller elsewhere", origin),
            "zeta": exact(float(np.sqrt(np.mean(tilts**2))), "clients differ by tilts of this size", origin),
            "f_star": exact(1.0, "sqrt(1 + |x|^2) >= 1 and the tilts cancel", origin),
        },
    )
