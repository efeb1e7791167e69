"""The best value of the subgradient method with steps eta/sqrt(t+1) (Boyd, Xiao, Mutapcic 2003, section 2)."""

from dataclasses import replace

from sympy import Eq, Le, Lt, log, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, G_rms, delta_x, eta = symbols("N S K T G_rms delta_x eta")


def gap(problem, y, x):
    """Return f(x) - f_star."""
    return problem.value(x) - problem.constant("f_star")


BEST = Metric("best_value", "least f(x_t) - f_star", gap, unit=(1, 0), over="least", rounds="values")
both = 4 * (sqrt(T + 1) - 1)
TRUE = Bound(
    id="best-value",
    paper="mine",
    title="the best value of the subgradient method",
    where="Boyd et al. 2003, section 2",
    method="sgd",
    metric="BEST",
    needs=("G_rms", "delta_x", "f_star"),
    parameters={"eta": sqrt(delta_x) / G_rms},
    schedule={"eta": "(t+1)^-0.5"},
    terms={"start": delta_x / (eta * both), "steps": eta * G_rms**2 * (1 + log(T)) / both},
    trivial=G_rms * sqrt(delta_x),
    free=("eta",),
    convex=True,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("a step", Lt(0, eta, evaluate=False)),
    ),
)
SMALL = replace(TRUE, terms={name: term / 8 for name, term in TRUE.terms.items()})
NO_START = replace(TRUE, terms={"steps": TRUE.terms["steps"]})
NO_STEPS = replace(TRUE, terms={"start": TRUE.terms["start"]})
