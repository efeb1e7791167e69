"""V-FISTA: accelerated proximal gradient, strongly convex (Beck 2017, Theorem 10.42)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import Eq, Le, sqrt

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, Weight
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta_F, delta_F, eta, beta = symbols("N S K T L mu Delta_F delta_F eta beta")


class Pair(NamedTuple):
    """Iterate and the point ahead."""

    x: Vector
    y: Vector


@dataclass(frozen=True)
class VFista(Method):
    """**Update**: ``x+ = prox(y - eta grad f(y))``, ``y = x+ + beta (x+ - x)``.

    Attributes
    ----------
    eta, beta : float
        Step and momentum.
    """

    card = Card("v-fista", "V-FISTA", "Beck 2017", "10.7.7", gradients="1 full", server="d", partial=False)
    state_type = Pair
    eta: Step
    beta: Weight

    def init(self, oracle, x0):
        return Pair(x0, x0)

    def round(self, oracle: Oracle, state: Pair) -> Pair:
        x = oracle.prox(state.y - self.eta * oracle.mean(oracle.full(oracle.to_clients(state.y))), self.eta)
        return Pair(x, x + self.beta * (x - state.x))


root = sqrt(L / mu)
TRUE = Bound(
    id="vfista",
    paper="mine",
    title="V-FISTA",
    where="Beck 2017, Theorem 10.42",
    method="VFista",
    metric="final_composite",
    needs=("L", "mu", "Delta_F", "delta_F"),
    parameters={"eta": 1 / L, "beta": (root - 1) / (root + 1)},
    terms={"values": (1 - 1 / root) ** T * Delta_F, "distance": (1 - 1 / root) ** T * mu * delta_F / 2},
    trivial=Delta_F,
    conditions=(Condition("one", Eq(K, 1)), Condition("all", Le(N, S))),
    exact_gradients=True,
    convex=True,
    rigid=True,
)
SMALL = replace(TRUE, terms={n: t * (1 - 1 / root) ** (4 * T) for n, t in TRUE.terms.items()})
EIGHTH = replace(TRUE, terms={n: t / 8 for n, t in TRUE.terms.items()})
WIDER = replace(TRUE, parameters={**TRUE.parameters, "eta": 3 / L})
