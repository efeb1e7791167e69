"""Stochastic three points along coordinates (Bergou, Gorbunov, Richtarik 2020, section 4), arXiv:1902.03591."""

from dataclasses import dataclass, replace

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Method, Oracle, Real, ServerState
from boundcheck.notation import symbols

N, S, K, T, L, d, Delta = symbols("N S K T L d Delta")
span = parameter("span", (0, 1), meaning="how far away the other two points are")


@dataclass(frozen=True)
class ThreePoints(Method):
    """**Update**: ``x <- the lowest of x, x + far e, x - far e``, e a random coordinate.

    Attributes
    ----------
    far : float
        How far the others are.
    """

    card = Card("stp", "Three points", "Bergou 2020", "Algorithm 1", gradients="0", partial=False)
    far: Real

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        xp, x = oracle.xp, state.x
        oracle.observe(x)
        size = x.shape[-1]
        chosen = xp.floor(oracle.uniform(1, 1) * size) == xp.arange(size)
        up, down = x + self.far * chosen, x - self.far * chosen
        here, above, below = oracle.value(x), oracle.value(up), oracle.value(down)
        best = xp.where(above < below, up, down)
        return ServerState(xp.where(xp.minimum(above, below) < here, best, x))


TRUE = Bound(
    id="stp",
    paper="mine",
    title="three points",
    where="Bergou et al. 2020, section 4",
    method="ThreePoints",
    metric="gradient_size",
    needs=("L", "Delta"),
    parameters={"span": sqrt(2 * Delta / (L * T))},
    free=("span",),
    hyper={"far": "span"},
    terms={"gap": d * Delta / (span * T), "reach": d * L * span / 2},
    trivial=sqrt(2 * d * L * Delta),
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
)
ONE_COORDINATE = replace(TRUE, terms={name: term / d for name, term in TRUE.terms.items()})
NO_GAP = replace(TRUE, terms={"reach": TRUE.terms["reach"]})
NO_REACH = replace(TRUE, terms={"gap": TRUE.terms["gap"]})
