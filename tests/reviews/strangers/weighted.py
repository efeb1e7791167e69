"""SGD, strongly convex, f at an average with growing weights (Stich 2019, with a constant step), arXiv:1907.04232."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, Weight
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, b, L_exp, L, mu, sigma_star, delta_x, eta = symbols("N S K T b L_exp L mu sigma_star delta_x eta")


class Averaged(NamedTuple):
    """The iterate, the sum of weighted points, and the sum of weights."""

    x: Vector
    total: Vector
    weights: Vector


@dataclass(frozen=True)
class Growing(Method):
    """SGD; the t-th point has the weight keep^(-t).

    **Update**: ``x <- x - eta g(x)``.

    Attributes
    ----------
    eta, keep : float
        Step, and by how much older weights are smaller.
    """

    card = Card("growing", "SGD with a weighted average", "Stich 2019", "(10)", gradients="1", partial=False)
    eta: Step
    keep: Weight

    def init(self, oracle: Oracle, x0: Vector) -> Averaged:
        return Averaged(x0, 0.0 * x0, 0.0 * x0[..., :1])

    def round(self, oracle: Oracle, state: Averaged) -> Averaged:
        x = state.x - self.eta * oracle.mean(oracle.grad(oracle.to_clients(state.x), oracle.draw()))
        return Averaged(x, self.keep * state.total + state.x, self.keep * state.weights + 1.0)


def gap(problem, method, state):
    """Return f - f_star at the average."""
    return problem.value(state.total / state.weights) - problem.constant("f_star")


GAP = Metric("weighted_gap", "f - f_star at the average", None, unit=(1, 0), over="end", state=gap, rounds="values")
shrunk = (1 - eta * mu) ** T
TRUE = Bound(
    id="weighted", paper="mine", title="a weighted average", where="Stich 2019, (10)", method="Growing", metric="GAP",
    needs=("L_exp", "L", "mu", "sigma_star", "delta_x", "f_star"), free=("eta",), hyper={"keep": "beta"}, convex=True,
    parameters={"eta": 1 / (4 * L_exp), "beta": 1 - eta * mu}, trivial=L * delta_x / 2, definitions=("beta",),
    terms={"start": mu * shrunk / (1 - shrunk) * delta_x, "noise": 2 * eta * sigma_star**2 / (N * b)},
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Le(4 * L_exp * eta, 1))),
)  # fmt: skip
SMALL = replace(TRUE, terms={**TRUE.terms, "start": TRUE.terms["start"] / 16})
NO_NOISE = replace(TRUE, terms={"start": TRUE.terms["start"]})
FASTER = replace(TRUE, terms={**TRUE.terms, "start": mu * shrunk**4 / (1 - shrunk**4) * delta_x})
