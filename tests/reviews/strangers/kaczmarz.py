"""Randomised Kaczmarz (Strohmer, Vershynin 2009, Theorem 2, rows of length 1): SGD on a consistent system."""

from dataclasses import replace

import numpy as np
from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions

N, K, T, mu, L_sample, sigma_star, delta_x = symbols("N K T mu L_sample sigma_star delta_x")


def SYSTEM(N: int, angle: float = 0.5, rows: int = 3):
    """<a_s, x> = 0 for rows a_s of length 1 at angles 0, angle, 2 angle, ... of the plane."""
    a = np.array([[np.cos(s * angle), np.sin(s * angle)] for s in range(rows)])
    H = a.T @ a / rows
    low, high = np.linalg.eigvalsh(H)
    return from_functions(
        lambda client, x: float(x @ H @ x) / 2,
        lambda client, x: H @ x,
        sample=lambda client, s, x: a[s] * (a[s] @ x),
        samples=rows,
        N=N,
        d=2,
        start=[1.0, -0.5],
        x_star=[0.0, 0.0],
        convex=True,
        constants={
            "L": exact(float(high), "eigenvalue"),
            "mu": exact(float(low), "eigenvalue"),
            "L_sample": exact(1.0, "rows of length 1"),
            "sigma_star": exact(0.0, "consistent"),
            "f_star": exact(0.0, "at 0"),
        },
    )


TRUE = Bound(
    id="kaczmarz",
    paper="mine",
    title="randomised Kaczmarz",
    where="Strohmer, Vershynin 2009, Theorem 2",
    method="sgd",
    metric="final_distance",
    needs=("mu", "L_sample", "sigma_star", "delta_x"),
    parameters={"eta": 1 / L_sample},
    terms={"rate": (1 - mu / L_sample) ** T * delta_x},
    trivial=delta_x,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("one client", Eq(N, 1)),
        Condition("consistent", Eq(sigma_star, 0, evaluate=False)),
    ),
    convex=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={"rate": (1 - mu / L_sample) ** (2 * T) * delta_x})
DROPPED = replace(TRUE, conditions=TRUE.conditions[:2])
WIDER = replace(TRUE, parameters={"eta": 2 / L_sample})
