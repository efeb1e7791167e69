"""The last gradient of gradient descent on convex functions (Taylor, Hendrickx, Glineur 2017, arXiv:1502.05666)."""

from dataclasses import replace

from sympy import Eq, Le, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, delta_x = symbols("N S K T L delta_x")
TRUE = Bound(
    id="last-gradient",
    paper="mine",
    title="the last gradient",
    where="Taylor et al. 2017, section 4.1.2",
    method="sgd",
    metric="final_gradient",
    needs=("L", "delta_x"),
    parameters={"eta": 1 / L},
    terms={"start": L**2 * delta_x / (T + 1) ** 2},
    trivial=L**2 * delta_x,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SPOILED = replace(TRUE, terms={"start": Rational(9, 10) * TRUE.terms["start"]})
