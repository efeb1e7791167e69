"""Frank-Wolfe on a ball around the start that holds a minimiser (Jaggi 2013, Theorem 1; the diameter is 2 R)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Method, Oracle, Real, Vector, Weight
from boundcheck.notation import symbols

N, S, K, T, L, delta_x = symbols("N S K T L delta_x")
reach = parameter("reach", (0, 1), meaning="radius of the ball")


class Ball(NamedTuple):
    """The iterate and the centre."""

    x: Vector
    centre: Vector


@dataclass(frozen=True)
class FrankWolfe(Method):
    """A step towards the lowest point of the ball for the linear model.

    **Update**: ``x <- (1 - share) x + share s`` with ``s = centre - reach grad f(x)/|grad f(x)|``.

    Attributes
    ----------
    share, reach : float
        Weight of the new point, and the radius.
    """

    card = Card(
        "frank-wolfe", "Frank-Wolfe", "Jaggi 2013", "Algorithm 1", gradients="1 full", server="d", partial=False
    )
    state_type = Ball
    share: Weight
    reach: Real

    def init(self, oracle: Oracle, x0: Vector) -> Ball:
        return Ball(x0, x0)

    def round(self, oracle: Oracle, state: Ball) -> Ball:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        norm = oracle.xp.sqrt((g * g).sum(axis=2, keepdims=True))
        s = state.centre - self.reach * g / oracle.xp.maximum(norm, 1e-300)
        return Ball(state.x + self.share * (s - state.x), state.centre)


TRUE = Bound(
    id="frank-wolfe",
    paper="mine",
    title="Frank-Wolfe with steps 2/(t + 2)",
    where="Jaggi 2013, Theorem 1",
    method="FrankWolfe",
    metric="final_suboptimality",
    needs=("L", "delta_x"),
    parameters={"share": 1, "reach": delta_x**0.5},
    schedule={"share": "(t/2+1)^-1"},
    free=("reach",),
    terms={"curvature": 8 * L * reach**2 / (T + 2)},
    trivial=L * delta_x / 2,
    conditions=(
        Condition("one step", Eq(K, 1)),
        Condition("all clients", Le(N, S)),
        Condition("inside", Le(delta_x, reach**2)),
    ),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={"curvature": L * reach**2 / (T + 2)})
FASTER = replace(TRUE, terms={"curvature": 8 * L * reach**2 / (T + 2) ** 2})
WIDER = replace(TRUE, conditions=TRUE.conditions[:2], parameters={"share": 1, "reach": delta_x**0.5 / 10})
