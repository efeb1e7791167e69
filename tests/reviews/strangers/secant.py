"""Gradient descent under the restricted secant inequality (Zhang, Yin 2013), arXiv:1303.4645."""

from dataclasses import replace

import numpy as np
from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.own import from_functions, own_letter

N, S, K, T, L, delta_x, eta = symbols("N S K T L delta_x eta")


def towards(problem, points):
    """Return <grad f(x), x - x_star>/|x - x_star|^2."""
    away = points - problem.x_star
    square = (away**2).sum(axis=1)
    slope = (problem.mean_gradient(points[:, None])[:, 0] * away).sum(axis=1)
    return np.where(square > 1e-12, slope / np.maximum(square, 1e-12), np.inf)


nu = own_letter("nu_rsi", "<grad f, x - x_star> >= nu_rsi |x - x_star|^2", unit=(1, -2), attack=towards, sense="inf")


def WAVES(N: int, share: float = 0.5, start: float = 3.0):
    """x^2/2 + share/2 sin^2 x for every client, one minimum and bent both ways: 1 - share <= f'' <= 1 + share."""
    return from_functions(
        lambda client, x: float((x**2 + share * np.sin(x) ** 2).sum()) / 2,
        lambda client, x: x + share * np.sin(2 * x) / 2,
        N=N,
        d=1,
        start=[start],
        x_star=[0.0],
        constants={"L": 1 + share, "nu_rsi": 1 - 0.2173 * share, "f_star": 0.0},
    )


TRUE = Bound(
    id="secant",
    paper="mine",
    title="secants",
    where="Zhang, Yin 2013, Theorem 1",
    method="sgd",
    metric="final_distance",
    needs=("L", "nu_rsi", "delta_x"),
    parameters={"eta": nu / L**2},
    free=("eta",),
    trivial=delta_x,
    exact_gradients=True,
    terms={"rate": (1 - 2 * eta * nu + eta**2 * L**2) ** T * delta_x},
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(eta, 2 * nu / L**2))),
)
FASTER = replace(TRUE, terms={"rate": (1 - 2 * eta * nu + eta**2 * L**2) ** (3 * T) * delta_x})
NO_SQUARE = replace(
    TRUE,
    terms={"rate": (1 - 2 * eta * nu) ** T * delta_x},
    conditions=(*TRUE.conditions, Condition("a rate", Le(2 * eta * nu, 1))),
)
LONG = replace(
    TRUE,
    parameters={"eta": 4 * nu / L**2},
    terms={"rate": (1 - nu**2 / L**2) ** T * delta_x},
    conditions=TRUE.conditions[:2],
    rigid=True,
    free=(),
)
