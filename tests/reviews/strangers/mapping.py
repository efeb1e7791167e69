"""Projected gradient descent, not convex: the least gradient mapping (Beck 2017, Theorem 10.15, part c)."""

from dataclasses import replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, L, Delta_F = symbols("N S K T L Delta_F")


def mapping(problem, y, x):
    """Return |G_L(x)|^2, G_L(x) = L (x - prox_{h/L}(x - grad f(x)/L))."""
    L = problem.constant("L")
    ahead = problem.h.prox(x - problem.mean_gradient(x) / L, 1 / L)
    return (L * L * (x - ahead) ** 2).sum(axis=(1, 2))


LEAST = Metric("least_mapping", "min_t |G_L(x_t)|^2", mapping, unit=(2, -2), over="least", rounds="lengths")
TRUE = Bound(
    id="mapping", paper="mine", title="projected gradient descent", where="Beck 2017, Theorem 10.15",
    method="proximal-sgd", metric="LEAST", needs=("L", "Delta_F"), parameters={"eta": 1 / L},
    terms={"gap": 2 * L * Delta_F / T},
    trivial=2 * L * Delta_F, conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True, rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"gap": TRUE.terms["gap"] / 8})
FASTER = replace(TRUE, terms={"gap": TRUE.terms["gap"] / T**2})
