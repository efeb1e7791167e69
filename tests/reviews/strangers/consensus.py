"""How far clients are apart in decentralised subgradient descent (Nedic, Ozdaglar 2009, Proposition 1)."""

from dataclasses import replace

from sympy import Eq, Le, Lt, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, L, G_rms, eta, gap_W = symbols("N S K T L G_rms eta gap_W")


def spread(problem, method, state):
    """Return mean_i |x_i - x|^2."""
    return ((state.own - state.own.mean(axis=1, keepdims=True)) ** 2).sum(axis=2).mean(axis=1)


APART = Metric("apart", "mean_i |x_i - x|^2 at the end", None, unit=(0, 2), over="end", state=spread, rounds="lengths")
TRUE = Bound(
    id="consensus",
    paper="mine",
    title="clients stay together",
    where="Nedic, Ozdaglar 2009, Proposition 1",
    method="dsgd",
    metric="APART",
    needs=("G_rms", "L"),
    parameters={"gap_W": Rational(1, 2), "eta": 1 / L},
    terms={"all": (eta * G_rms * (1 - (1 - gap_W) ** T) / gap_W) ** 2},
    trivial=(eta * G_rms * T) ** 2,
    free=("gap_W", "eta"),
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("all", Le(N, S)),
        Condition("a gap", Le(gap_W, 1)),
        Condition("a step", Lt(0, eta, evaluate=False)),
    ),
)
SMALL = replace(TRUE, terms={"all": TRUE.terms["all"] / 4})
NO_GAP = replace(TRUE, terms={"all": (eta * G_rms) ** 2})
