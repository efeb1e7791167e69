"""Descent along random directions, smooth (Nesterov, Spokoiny 2017, with exact directional derivatives and signs)."""

from dataclasses import dataclass, replace

from sympy import Eq, Le, Rational

from boundcheck.bounds import Bound, Condition
from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step
from boundcheck.notation import symbols

N, S, K, T, d, L, Delta = symbols("N S K T d L Delta")


@dataclass(frozen=True)
class RandomDirections(Method):
    """A step along a vector of random signs, as long as the slope in its direction.

    **Update**: ``x <- x - eta <grad f(x), u> u``, u a fresh vector of fair signs.

    Attributes
    ----------
    eta : float
        Step.
    """

    card = Card("directions", "Random directions", "Nesterov, Spokoiny 2017", "(40)", gradients="1 full", partial=False)
    eta: Step
    message_coins = "fair"

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        g = oracle.mean(oracle.full(oracle.to_clients(state.x)))
        u = oracle.xp.where(oracle.uniform(1, g.shape[-1]) < 0.5, 1.0, -1.0)
        return ServerState(state.x - self.eta * (g * u).sum(axis=2, keepdims=True) * u)


TRUE = Bound(
    id="directions",
    paper="mine",
    title="random directions",
    where="Nesterov, Spokoiny 2017, section 7",
    method="RandomDirections",
    metric="server_gradient",
    needs=("L", "Delta"),
    parameters={"eta": 1 / (d * L)},
    terms={"gap": 2 * d * L * Delta / T},
    trivial=2 * L * Delta,
    conditions=(Condition("one step", Eq(K, 1)), Condition("all clients", Le(N, S))),
    exact_gradients=True,
)
SMALL = replace(TRUE, terms={"gap": Rational(1, 4) * d * L * Delta / T})
FASTER = replace(TRUE, terms={"gap": L * Delta / T})
WIDER = replace(TRUE, parameters={"eta": 3 / L})
