"""Projected SGD with bounded samples, convex, with probability 1 - delta (Cesa-Bianchi et al. 2004; Zinkevich 2003)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, Lt, Rational, log, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Real, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, d, G_inf, delta_x, delta_fail, eta = symbols("N S K T d G_inf delta_x delta_fail eta")


class Points(NamedTuple):
    """The iterate, and the centre of the ball."""

    x: Vector
    centre: Vector


@dataclass(frozen=True)
class Projected(Method):
    """SGD in the ball around the start that reaches to the minimiser.

    **Update**: ``x <- P(x - eta g(x))``, P the nearest point with ``|x - x_0|^2 <= reach``.

    Attributes
    ----------
    eta, reach : float
        Step, and the squared radius.
    """

    card = Card("projected", "Projected SGD", "Zinkevich 2003", "(3)", gradients="1", partial=False)
    eta: Step
    reach: Real

    def init(self, oracle: Oracle, x0: Vector) -> Points:
        return Points(x0, x0)

    def round(self, oracle: Oracle, state: Points) -> Points:
        v = state.x - self.eta * oracle.mean(oracle.grad(oracle.to_clients(state.x), oracle.draw())) - state.centre
        far = (v * v).sum(axis=2, keepdims=True)
        share = oracle.xp.sqrt(self.reach / oracle.xp.maximum(far, self.reach))
        return Points(state.centre + share * v, state.centre)


G = sqrt(d) * G_inf
TRUE = Bound(
    id="confident", paper="mine", title="projected SGD in one run", where="Cesa-Bianchi et al. 2004, Corollary 2",
    method="Projected", metric="centre_suboptimality", needs=("G_inf", "delta_x"),
    parameters={"delta_fail": Rational(1, 10), "eta": sqrt(delta_x / T) / G}, hyper={"reach": "delta_x"},
    terms={"regret": delta_x / (2 * eta * T) + eta * G**2 / 2,
           "chance": 4 * G * sqrt(2 * delta_x * log(1 / delta_fail) / T)},
    trivial=G * sqrt(delta_x), free=("delta_fail", "eta"), failure="delta_fail", convex=True, independent_noise=False,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S)),
                Condition("a step", Lt(0, eta, evaluate=False)), Condition("a probability", Lt(delta_fail, 1))),
)  # fmt: skip
SMALL = replace(TRUE, terms={"regret": TRUE.terms["regret"] / 20})
FASTER = replace(TRUE, terms={"regret": delta_x / (2 * eta * T**2), "chance": TRUE.terms["chance"] / T})
NO_START = replace(TRUE, terms={"regret": eta * G**2 / 2})
