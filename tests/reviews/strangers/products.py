"""Gradient descent with any falling steps, a product over the rounds (Nesterov 2018, (2.1.37), step by step)."""

from dataclasses import replace

from sympy import Eq, Le, Product
from sympy import symbols as plain

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, mu, delta_x, eta = symbols("N S K T L mu delta_x eta")
t = plain("t", integer=True)
TRUE = Bound(
    id="products",
    paper="mine",
    title="gradient descent with steps eta/(t+1)",
    where="Nesterov 2018, section 2.1.5",
    method="sgd",
    metric="final_distance",
    needs=("L", "mu", "delta_x"),
    parameters={"eta": 1 / L},
    schedule={"eta": "(t+1)^-1"},
    terms={"start": Product((1 - eta * mu / (t + 1)) ** 2, (t, 0, T - 1)) * delta_x},
    trivial=delta_x,
    free=("eta",),
    convex=True,
    exact_gradients=True,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(eta * L, 1))),
)
HALF = replace(TRUE, terms={"start": TRUE.terms["start"] / 2})
CONSTANT = replace(TRUE, terms={"start": (1 - eta * mu) ** (2 * T) * delta_x})
