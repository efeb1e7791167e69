"""SGD with a fixed delay, convex (Stich, Karimireddy 2019, arXiv:1909.05350, with other constants)."""

from dataclasses import replace

from sympy import Eq, Integer, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, delta_x, eta, delay = symbols("N S K T L delta_x eta delay")
TRUE = Bound(
    id="late",
    paper="mine",
    title="delayed gradient descent, convex",
    where="Stich, Karimireddy 2019, Theorem 16",
    method="delayed-sgd",
    metric="centre_suboptimality",
    needs=("L", "delta_x"),
    parameters={"delay": Integer(2), "eta": 1 / (10 * L * (delay + 1))},
    terms={"start": 2 * delta_x / (eta * T)},
    trivial=L * delta_x / 2,
    free=("delay", "eta"),
    conditions=(
        Condition("one", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("step", Le(eta, 1 / (10 * L * (delay + 1)))),
    ),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={"start": TRUE.terms["start"] / 64})
WIDER = replace(TRUE, parameters={"delay": Integer(2), "eta": 1 / L}, conditions=TRUE.conditions[:2])
