"""SGD under E|g|^2 <= 2 A (f - f_star) + |grad f|^2 + C (Khaled, Richtarik 2020, Theorem 2), arXiv:2002.03329."""

from dataclasses import replace

import numpy as np
from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.own import own_letter

N, K, T, L, Delta, eta = symbols("N K T L Delta eta")


def growing(problem, points):
    """E|g - grad f|^2 <= 2 A (f - f_star) + sigma^2: with sigma the noise at the minimiser, A is this supremum."""
    rest = problem.value(points[:, None]) - problem.constant("f_star")
    slopes = problem.mean_gradient(points[:, None])[:, 0]
    second = np.array([((problem.outcomes(x, 0) - g) ** 2).sum(-1).mean() for x, g in zip(points, slopes, strict=True)])
    at = (problem.outcomes(problem.x_star, 0) ** 2).sum(-1).mean()
    return np.maximum(second - at, 0) / np.maximum(2 * rest, 1e-300)


A = own_letter("A_es", "E|g - grad f|^2 <= 2 A_es (f - f_star) + sigma_star^2", unit=(1, -2), attack=growing)
A_es, sigma_star = symbols("A_es sigma_star")
TRUE = Bound(
    id="abc", paper="mine", title="SGD, expected smoothness", where="Khaled, Richtarik 2020, Theorem 2", method="sgd",
    metric="best_gradient", needs=("L", "Delta", "A_es", "sigma_star"),
    parameters={"eta": 1 / (L * sqrt(T + 1))}, free=("eta",),
    terms={"gap": 2 * (1 + L * eta**2 * A_es) ** T * Delta / (eta * T), "noise": L * eta * sigma_star**2},
    trivial=2 * L * Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("one client", Eq(N, 1)), Condition("step", Le(eta * L, 1))),
)  # fmt: skip
SMALL = replace(TRUE, terms={"gap": TRUE.terms["gap"] / 8, "noise": TRUE.terms["noise"]})
