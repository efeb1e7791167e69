"""SGD on f = sum_i p_i f_i, strongly convex (Gower et al. 2019, with weights), arXiv:1901.09401."""

from dataclasses import replace

import numpy as np
from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols
from boundcheck.problems.constants import exact
from boundcheck.problems.own import from_functions

N, S, K, T, b, L, mu, sigma, delta_x, p_square, eta = symbols("N S K T b L mu sigma delta_x p_square eta")


def BOWLS(N: int, heavy: float = 0.9, sigma: float = 1.0, start: float = 1.0):
    """|x|^2/2 for every client; the first has the weight `heavy`, the others share the rest."""
    p = np.full(N, 1.0) if N == 1 else np.array([heavy, *np.full(N - 1, (1 - heavy) / (N - 1))])
    return from_functions(
        lambda client, x: float(x @ x) / 2,
        lambda client, x: x,
        N=N, d=1, start=[start], sigma=sigma, convex=True, x_star=[0.0], weights=p,
        constants={"L": exact(1.0, "f'' = 1"), "mu": exact(1.0, "f'' = 1"), "f_star": exact(0.0, "at 0")},
    )  # fmt: skip


TRUE = Bound(
    id="weights",
    paper="mine",
    title="SGD with weights",
    where="Gower et al. 2019, Theorem 3.1",
    method="sgd",
    metric="final_distance",
    needs=("L", "mu", "sigma", "delta_x", "p_square"),
    parameters={"eta": 1 / (2 * L)},
    terms={"start": (1 - eta * mu) ** T * delta_x, "noise": eta * sigma**2 * p_square / (b * mu)},
    trivial=delta_x,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("all clients", Le(N, S)),
        Condition("step", Le(eta, 1 / L)),
    ),
    free=("eta",),
    weighted=True,
)
NO_WEIGHTS = replace(TRUE, terms={**TRUE.terms, "noise": eta * sigma**2 / (N * b * mu)})
FASTER = replace(TRUE, terms={**TRUE.terms, "start": (1 - eta * mu) ** (4 * T) * delta_x})
WIDER = replace(TRUE, parameters={"eta": 3 / L}, conditions=TRUE.conditions[:2])
