"""Nesterov's method with constant momentum (Nesterov 2018, Lectures on Convex Optimization, Theorem 2.2.3)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, Weight
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta, delta_x = symbols("N S K T L mu Delta delta_x")


class Two(NamedTuple):
    """The last two points."""

    x: Vector
    gone: Vector


@dataclass(frozen=True)
class Nesterov(Method):
    """A step from an extrapolated point.

    **Update**: ``y <- x + beta (x - x_prev)``; then ``x <- y - eta grad f(y)``.

    Attributes
    ----------
    eta, beta : float
        Step and momentum.
    """

    card = Card(
        "nesterov-constant", "Nesterov", "Nesterov 2018", "2.2.22", gradients="1 full", server="d", partial=False
    )
    state_type = Two
    eta: Step
    beta: Weight

    def init(self, oracle: Oracle, x0: Vector) -> Two:
        return Two(x0, x0)

    def round(self, oracle: Oracle, state: Two) -> Two:
        y = state.x + self.beta * (state.x - state.gone)
        return Two(y - self.eta * oracle.mean(oracle.full(oracle.to_clients(y))), state.x)


root = sqrt(mu / L)
TRUE = Bound(
    id="nesterov",
    paper="mine",
    title="constant momentum",
    where="Nesterov 2018, Theorem 2.2.3",
    method="Nesterov",
    metric="final_suboptimality",
    needs=("L", "mu", "Delta", "delta_x"),
    parameters={"eta": 1 / L, "beta": (1 - root) / (1 + root)},
    terms={"values": (1 - root) ** T * Delta, "distance": (1 - root) ** T * mu * delta_x / 2},
    trivial=L * delta_x / 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SPOILED = replace(TRUE, terms={name: term * (1 - root) ** T for name, term in TRUE.terms.items()})
