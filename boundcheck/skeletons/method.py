"""A method of my own.

Try it: boundcheck run ridge-ratio FILE:MyMethod --N 4 --K 4 --T 100 --set eta=0.05
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector, Weight


class MyState(NamedTuple):
    """What the server keeps from round to round; it starts as x0 and zeros."""

    x: Vector
    """Server iterate, shape (lanes, 1, d)."""
    v: Vector
    """Heavy-ball velocity, likewise."""


@dataclass(frozen=True)
class MyMethod(Method):
    """FedAvg with a heavy ball at the server.

    **Update**: ``v <- beta v + mean_i (x - y_i)``, ``x <- x - gamma v``, where y_i is the end of K local steps.

    Attributes
    ----------
    eta, gamma : float
        Local and server step.
    beta : float
        Share of the old velocity.
    """

    card = Card("my-method", "FedAvg with a heavy ball", "mine", "Algorithm 1", gradients="K", up="1", down="1")
    state_type = MyState
    eta: Step = 0.05
    gamma: Factor = 1.0
    beta: Weight = 0.5

    def round(self, oracle: Oracle, state: Any) -> MyState:
        """Return the state after one more round: plain arithmetic and the oracle, no loop over clients."""

        def step(_: int, y: Vector) -> Vector:
            oracle.observe(y)
            return y - self.eta * oracle.grad(y, oracle.draw())

        y = oracle.fori(step, oracle.to_clients(state.x))
        v = self.beta * state.v + (state.x - oracle.mean(y))
        return MyState(state.x - self.gamma * v, v)
