"""SGD under strong growth (Vaswani, Bach, Schmidt 2019, nonconvex case), arXiv:1810.07288."""

from dataclasses import replace

import numpy as np
from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions, own_letter

N, S, K, T, L, Delta = symbols("N S K T L Delta")


def growth(problem, points):
    """Return E|g|^2/|grad f|^2 at points (n, d), of one client."""
    samples = np.array([(problem.outcomes(x, 0) ** 2).sum(axis=1).mean() for x in points])
    return samples / np.maximum((problem.mean_gradient(points[:, None]) ** 2).sum(axis=(1, 2)), 1e-300)


rho_g = own_letter("rho_g", "strong growth: E|g|^2 <= rho_g |grad f|^2", unit=(0, 0), attack=growth)


def ODDS(N: int, odds: int = 4, start: float = 1.0):
    """x^2/2, whose gradient is seen once in `odds` samples, times `odds`: strong growth is `odds`."""
    return from_functions(
        lambda client, x: float(x @ x) / 2,
        lambda client, x: x,
        sample=lambda client, s, x: odds * x if s == 0 else 0 * x,
        samples=odds,
        N=N,
        d=1,
        start=[start],
        constants={"L": exact(1.0, "x^2/2"), "f_star": exact(0.0, "at 0"), "rho_g": exact(float(odds), "one in odds")},
    )


TRUE = Bound(
    id="strong-growth",
    paper="mine",
    title="SGD at step 1/(rho L)",
    where="Vaswani et al. 2019, Theorem 3",
    method="sgd",
    metric="best_gradient",
    needs=("L", "Delta", "rho_g"),
    parameters={"eta": 1 / (rho_g * L)},
    terms={"descent": 2 * rho_g * L * Delta / T},
    trivial=2 * L * Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("one client", Eq(N, 1))),
    rigid=True,
)
SPOILED = replace(TRUE, parameters={"eta": 1 / L}, terms={"descent": 2 * L * Delta / T})
