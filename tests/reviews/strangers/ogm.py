"""The optimised gradient method, its primary sequence (Kim, Fessler 2016), arXiv:1406.5468."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, delta_x = symbols("N S K T L delta_x")


class Points(NamedTuple):
    """The primary point, the secondary one, and the weight theta."""

    x: Vector
    ahead: Vector
    theta: Vector


@dataclass(frozen=True)
class OGM(Method):
    """Nesterov's method with a second momentum.

    **Update**: ``x+ = z - eta grad f(z)``, ``t+ = (1 + sqrt(1 + 4 t^2))/2``, ``z <- x+ + (t - 1)/t+ (x+ - x) + push
    t/t+ (x+ - z)``.

    Attributes
    ----------
    eta, push : float
        Step, and the weight of the second momentum.
    """

    card = Card("ogm", "Optimised gradient method", "Kim, Fessler 2016", "OGM1", gradients="1 full", partial=False)
    eta: Step
    push: Factor = 1.0

    def init(self, oracle: Oracle, x0: Vector) -> Points:
        return Points(x0, x0, 0.0 * x0 + 1.0)

    def round(self, oracle: Oracle, state: Points) -> Points:
        x, z, t = state
        new = z - self.eta * oracle.mean(oracle.full(oracle.to_clients(z)))
        later = (1.0 + oracle.xp.sqrt(1.0 + 4.0 * t * t)) / 2.0
        return Points(new, new + (t - 1.0) / later * (new - x) + self.push * t / later * (new - z), later)


TRUE = Bound(
    id="ogm",
    paper="mine",
    title="the optimised gradient method",
    where="Kim, Fessler 2016, Theorem 2",
    method="OGM",
    metric="final_suboptimality",
    needs=("L", "delta_x"),
    parameters={"eta": 1 / L, "push": 1},
    terms={"distance": L * delta_x / (T + 1) ** 2},
    trivial=L * delta_x / 2,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
    convex=True,
)
SMALL = replace(TRUE, terms={"distance": L * delta_x / (4 * (T + 1) ** 2)})
FASTER = replace(TRUE, terms={"distance": L * delta_x / (T + 1) ** 4})
WIDER = replace(TRUE, parameters={"eta": 2 / L, "push": 1})
