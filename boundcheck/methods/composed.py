"""Methods that are the product of a local rule and a server rule.

The local rule says where the clients end that start at x, the server rule what follows from the average of these ends.
A method inherits one of each: ``class FedProxM(ServerMomentum, FedProx)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Factor, Hyper, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import local_sgd, mean_model


@dataclass(frozen=True, kw_only=True)
class Composed(Method):
    """A local rule, by default K steps of SGD, and a server rule, by default the average.

    Attributes
    ----------
    eta : Hyper
        Local step.
    """

    eta: Step

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """Return where the active clients end that start at the broadcast x."""
        return local_sgd(oracle, start, self.eta)

    def average(self, oracle: Oracle, x: Vector, y: Vector) -> Vector:
        """Return the average that the server makes of the ends y, as far as they are sent."""
        return mean_model(oracle, x, y)

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Return the state after the server rule, given the average y of the clients' ends."""
        return state._replace(x=y)

    def round(self, oracle: Oracle, state: Any) -> Any:
        """Take the local rule on every active client, the average, and the server rule."""
        y = self.local(oracle, state, oracle.to_clients(state.x))
        return self.server(oracle, state, self.average(oracle, state.x, y))


class VelocityState(NamedTuple):
    """Server iterate and velocity; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    v: Vector
    """Velocity."""


def heavy_ball(state: Any, y: Vector, beta: Hyper, gamma: Hyper) -> Any:
    """Return the state after ``v <- beta v - (y - x)``, ``x <- x - gamma v``: the velocity is not damped."""
    v = beta * state.v - (y - state.x)
    return state._replace(x=state.x - gamma * v, v=v)


@dataclass(frozen=True, kw_only=True)
class ServerMomentum(Composed):
    """The server rule with momentum along the clients' mean displacement.

    Attributes
    ----------
    beta : Hyper
        Weight of the old velocity.
    gamma : Hyper
        Server step; the stationary one is gamma / (1-beta).
    """

    beta: Weight
    gamma: Factor = 1.0

    state_type = VelocityState

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Take ``v <- beta v - (y - x)`` and ``x <- x - gamma v``."""
        return heavy_ball(state, y, self.beta, self.gamma)
