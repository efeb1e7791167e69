"""Steps like 1/t on strongly convex functions (Bottou, Curtis, Nocedal 2018, Theorem 4.7), arXiv:1606.04838."""

from dataclasses import replace

from sympy import Eq, Le, Max

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.notation import symbols

N, S, K, T, L, mu, sigma, Delta = symbols("N S K T L mu sigma Delta")
c = parameter("c_fall", meaning="rounds after which the step begins to fall")
TRUE = Bound(
    id="falling-steps",
    paper="mine",
    title="steps 2/(mu (c + t)), c = 2 L/mu",
    where="Bottou et al. 2018, Theorem 4.7",
    method="sgd",
    metric="final_suboptimality",
    needs=("L", "mu", "sigma", "Delta"),
    parameters={"c_fall": 2 * L / mu, "eta": 1 / L},
    schedule={"eta": "(t/c_fall+1)^-1"},
    terms={"all": Max(2 * L * sigma**2 / mu**2, c * Delta) / (c + T)},
    trivial=Delta + sigma**2 / mu,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    convex=True,
    rigid=True,
)
SPOILED = replace(TRUE, terms={"all": Max(L * sigma**2 / (8 * mu**2), c * Delta / 8) / (c + T)})
