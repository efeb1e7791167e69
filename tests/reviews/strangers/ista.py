"""Proximal gradient descent, strongly convex (Beck 2017, First-Order Methods in Optimization, Theorem 10.29)."""

from dataclasses import replace

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.notation import symbols

N, S, K, T, L, mu, delta_F, Delta_F = symbols("N S K T L mu delta_F Delta_F")
TRUE = Bound(
    id="ista", paper="mine", title="proximal gradient, strongly convex", where="Beck 2017, Theorem 10.29",
    method="proximal-sgd", metric="final_composite", needs=("L", "mu", "delta_F", "Delta_F"), parameters={"eta": 1 / L},
    terms={"rate": L / 2 * (1 - mu / L) ** T * delta_F}, trivial=Delta_F,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S))),
    convex=True, exact_gradients=True, rigid=True,
)  # fmt: skip
SMALL = replace(TRUE, terms={"rate": TRUE.terms["rate"] / 8})
FASTER = replace(TRUE, terms={"rate": L / 2 * (1 - mu / L) ** (3 * T) * delta_F})
WIDER = replace(TRUE, parameters={"eta": 2.5 / L})
