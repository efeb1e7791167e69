"""Local gradient descent (Khaled, Mishchenko, Richtarik 2019, Theorem 1), arXiv:1909.04715."""

from dataclasses import replace

from sympy import Le

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, L, eta, delta_x, zeta_star = symbols("N S K T L eta delta_x zeta_star")


def gap(problem, y, x):
    """Return f - f_star at the mean of the clients' points."""
    return problem.value(y.mean(axis=1, keepdims=True)) - problem.constant("f_star")


GAP = Metric("gap", "average of f(ybar) - f_star over all local steps", gap, unit=(1, 0), local=True, rounds="values")
TRUE = Bound(
    id="local-gd",
    paper="mine",
    title="local gradient descent",
    where="Khaled et al. 2019, Theorem 1",
    method="fedavg",
    metric="GAP",
    needs=("L", "delta_x", "zeta_star", "f_star"),
    parameters={"gamma": 1, "eta": 1 / (4 * K * L)},
    free=("eta",),
    terms={"start": 2 * delta_x / (eta * K * T), "drift": 24 * eta**2 * zeta_star**2 * K**2 * L},
    trivial=L * delta_x / 2,
    conditions=(Condition("step", Le(4 * eta * K * L, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={"start": delta_x / (8 * eta * K * T), "drift": TRUE.terms["drift"]})
DROPPED = replace(TRUE, terms={"start": TRUE.terms["start"]})
WIDER = replace(TRUE, conditions=(Condition("step", Le(eta * L, 4)), TRUE.conditions[1]))
