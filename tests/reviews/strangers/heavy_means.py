"""Means of heavy-tailed samples (von Bahr, Esseen 1965, in one dimension): one step of SGD with b samples."""

from dataclasses import replace

from sympy import Eq

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, b, d, eta, sigma_p, p_tail, L = symbols("N S K T b d eta sigma_p p_tail L")


def missed(problem, method, state):
    """Return |x_1 - (x_0 - eta grad f(x_0))|, of one step."""
    start = problem.start[None, None, :]
    return abs(state.x - start + method.eta * problem.mean_gradient(start)).sum(axis=(1, 2))


MISSED = Metric("missed", "|x_1 - (x_0 - eta grad f(x_0))|", None, unit=(0, 1), over="end", state=missed)
TRUE = Bound(
    id="heavy",
    paper="mine",
    title="means of heavy tails",
    where="von Bahr, Esseen 1965",
    method="sgd",
    metric="MISSED",
    needs=("L", "sigma_p", "p_tail"),
    parameters={"eta": 1 / L},
    terms={"noise": eta * (2 * sigma_p**p_tail / b ** (p_tail - 1)) ** (1 / p_tail)},
    trivial=eta * sigma_p * 2,
    conditions=(
        Condition("one", Eq(K, 1)),
        Condition("a round", Eq(T, 1)),
        Condition("one client", Eq(N, 1)),
        Condition("d", Eq(d, 1)),
    ),
    free=("eta",),
)
SMALL = replace(TRUE, terms={"noise": TRUE.terms["noise"] / 8})
FAST = replace(TRUE, terms={"noise": eta * sigma_p / b})
