"""Random reshuffling, convex (Mishchenko, Khaled, Richtarik 2020, arXiv:2006.05988, Theorem 3)."""

from dataclasses import replace

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, b, L_sample, n_samples, sigma_star, delta_x, eta = symbols(
    "N S K T b L_sample n_samples sigma_star delta_x eta"
)
TRUE = Bound(
    id="shuffled",
    paper="mine",
    title="random reshuffling, convex",
    where="Mishchenko et al. 2020, Theorem 3",
    method="reshuffled-sgd",
    metric="final_suboptimality",
    needs=("L_sample", "n_samples", "sigma_star", "delta_x"),
    parameters={"eta": 1 / (sqrt(2) * L_sample * n_samples)},
    terms={"start": delta_x / (2 * eta * n_samples), "order": eta**2 * L_sample * n_samples * sigma_star**2 / 4},
    trivial=L_sample * delta_x / 2,
    conditions=(
        Condition("a pass", Eq(K * b, n_samples)),
        Condition("one pass", Eq(T, 1)),
        Condition("one client", Eq(N, 1)),
        Condition("b", Eq(b, 1)),
        Condition("step", Le(eta, 1 / (sqrt(2) * L_sample * n_samples))),
    ),
    free=("eta",),
    convex=True,
)
SMALL = replace(TRUE, terms={**TRUE.terms, "start": TRUE.terms["start"] / 8})
NO_ORDER = replace(TRUE, terms={"start": TRUE.terms["start"]})
