"""Restarted accelerated gradient, strongly convex (O'Donoghue, Candes 2012, section 3.1; Nesterov 2013)."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from sympy import E, Eq, Le, ceiling, floor, sqrt

from boundcheck.bounds import Bound, Condition, parameter
from boundcheck.methods.base import Card, Count, Method, Oracle, Step, Vector
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta = symbols("N S K T L mu Delta")
period = parameter("period", whole=True, meaning="rounds after which the momentum begins anew")


class Momentum(NamedTuple):
    """The iterate, the last one, and rounds since the restart."""

    x: Vector
    last: Vector
    t: float


@dataclass(frozen=True)
class Restarted(Method):
    """Nesterov's method that forgets its momentum.

    **Update**: ``y = x + t/(t+3) (x - x_last)``, ``x <- y - eta grad f(y)``; t counts from the last restart.

    Attributes
    ----------
    eta : float
        1/L.
    period : int
        Rounds between restarts.
    """

    card = Card("restarted", "Restarts", "O'Donoghue, Candes 2012", "section 3.1", gradients="1 full", partial=False)
    eta: Step
    period: Count

    def init(self, oracle: Oracle, x0: Vector) -> Momentum:
        return Momentum(x0, x0, 0.0)

    def round(self, oracle: Oracle, state: Momentum) -> Momentum:
        t = state.t % self.period
        y = state.x + t / (t + 3) * (state.x - state.last)
        return Momentum(y - self.eta * oracle.mean(oracle.full(oracle.to_clients(y))), state.x, state.t + 1)


TRUE = Bound(
    id="restart", paper="mine", title="restarts", where="O'Donoghue, Candes 2012, section 3.1", method="Restarted",
    metric="final_suboptimality", needs=("L", "mu", "Delta"),
    parameters={"eta": 1 / L, "period": ceiling(sqrt(4 * E * L / mu))},
    terms={"rate": E ** -floor(T / period) * Delta}, trivial=Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all", Le(N, S)),
                Condition("long", Le(sqrt(4 * E * L / mu), period)),
                Condition("after a restart", Eq(floor(T / period) * period, T))),
    convex=True, exact_gradients=True,
)  # fmt: skip
HURRIED = TRUE.conditions[:2] + TRUE.conditions[3:]
SHORT = replace(TRUE, parameters={"eta": 1 / L, "period": ceiling(sqrt(L / mu) / 4)}, conditions=HURRIED)
FASTER = replace(TRUE, terms={"rate": E ** -(T / 2) * Delta})
