"""SGD that returns a point drawn at random (Ghadimi, Lan 2013, Theorem 2.1 and Corollary 2.2), arXiv:1309.5549."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sympy import Eq, Le, Lt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.metrics import Metric
from boundcheck.notation import symbols

N, S, K, T, b, L, sigma, Delta, eta = symbols("N S K T b L sigma Delta eta")


class Chosen(NamedTuple):
    """The iterate, the one that is returned, and how many steps there were."""

    x: Vector
    out: Vector
    t: Any


@dataclass(frozen=True)
class Drawn(Method):
    """SGD; every new point takes the place of the output with probability 1/(t + 1).

    **Update**: ``x <- x - eta g(x)``.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("drawn", "SGD with a random output", "Ghadimi, Lan 2013", "RSG", gradients="1", partial=False)
    eta: Step

    def init(self, oracle: Oracle, x0: Vector) -> Chosen:
        return Chosen(x0, x0, 0)

    def round(self, oracle: Oracle, state: Chosen) -> Chosen:
        x, out, t = state
        out = oracle.xp.where(oracle.uniform(1, 1) * (t + 1) < 1, x, out)
        return Chosen(x - self.eta * oracle.mean(oracle.grad(oracle.to_clients(x), oracle.draw())), out, t + 1)


def slope(problem, method, state):
    """Return |grad f|^2 at the output."""
    return (problem.mean_gradient(state.out) ** 2).sum(axis=(1, 2))


SLOPE = Metric("slope", "|grad f|^2 at the output", None, unit=(2, -2), over="end", state=slope, rounds="lengths")
TRUE = Bound(
    id="random-output", paper="mine", title="a random output", where="Ghadimi, Lan 2013, Theorem 2.1", method="Drawn",
    metric="SLOPE", needs=("L", "sigma", "Delta"), parameters={"eta": 1 / L}, free=("eta",), trivial=2 * L * Delta,
    terms={"gap": 2 * Delta / (eta * T * (2 - L * eta)), "noise": L * eta * sigma**2 / (N * b * (2 - L * eta))},
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)), Condition("step", Lt(L * eta, 2))),
)  # fmt: skip
SMALL = replace(TRUE, terms={**TRUE.terms, "gap": TRUE.terms["gap"] / 2})
NO_NOISE = replace(TRUE, terms={"gap": TRUE.terms["gap"]})
FASTER = replace(TRUE, terms={**TRUE.terms, "gap": TRUE.terms["gap"] / T})
