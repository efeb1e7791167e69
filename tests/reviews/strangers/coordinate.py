"""Random coordinate descent (Wright 2015, Coordinate descent algorithms, Theorem 1), arXiv:1502.04759."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, d, L, mu, Delta = symbols("N S K T d L mu Delta")


class Point(NamedTuple):
    """The iterate."""

    x: Vector


@dataclass(frozen=True)
class OneCoordinate(Method):
    """A step along one coordinate, drawn uniformly.

    **Update**: ``x_c <- x_c - eta (grad f(x))_c`` for a random c.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("one-coordinate", "Coordinate descent", "Wright 2015", "Algorithm 3", gradients="1 full", partial=False)
    state_type = Point
    eta: Step

    def round(self, oracle: Oracle, state: Point) -> Point:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        d = g.shape[-1]
        chosen = oracle.xp.floor(oracle.uniform(1, 1) * d) == oracle.xp.arange(d)
        return Point(state.x - self.eta * g * chosen)


TRUE = Bound(
    id="coordinate",
    paper="mine",
    title="a linear rate in expectation",
    where="Wright 2015, Theorem 1",
    method="OneCoordinate",
    metric="final_suboptimality",
    needs=("L", "mu", "Delta"),
    parameters={"eta": 1 / L},
    terms={"rate": (1 - mu / (d * L)) ** T * Delta},
    trivial=Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SPOILED = replace(TRUE, terms={"rate": (1 - mu / L) ** T * Delta})
