"""signSGD on one machine, and with a majority vote of the clients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step, Traffic, Vector
from boundcheck.methods.central import show_at_clients


def sign(xp: Any, v: Vector) -> Vector:
    """Return 1, -1 or 0 for every entry."""
    return xp.where(v > 0, 1.0, xp.where(v < 0, -1.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class SignSGD(Method[ServerState]):
    """SGD along the signs of the gradient.

    Problem: minimise f; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``x <- x - eta sign(g)`` in each coordinate, sign(0) = 0.

    **Guarantee**: `field.signsgd`.

    References: [1] Bernstein, Wang, Azizzadenesheli, Anandkumar, arXiv:1802.04434, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Length of a step in each coordinate.
    """

    eta: Step

    card = Card(
        "signsgd",
        "signSGD on one machine",
        "field",
        "Algorithm 1 of arXiv:1802.04434",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        distinguishes=("T > 1",),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K steps of one length in each coordinate."""

        def step(_: Any, x: Vector) -> Vector:
            g = oracle.mean(oracle.grad(show_at_clients(oracle, x), oracle.draw()))
            return x - self.eta * sign(oracle.xp, g)

        return ServerState(oracle.fori(step, state.x))


@dataclass(frozen=True, kw_only=True)
class MajorityVote(Method[ServerState]):
    """signSGD with a majority vote: every client sends signs, and gets the sign of their sum.

    Problem: minimise f = mean_i f_i.

    **Update**: ``x <- x - eta sign(mean_i sign(g_i(x)))`` in each coordinate, sign(0) = 0: a tie moves nothing.

    **Guarantee**: `field.signsgd-majority`.

    References: [1] Bernstein, Wang, Azizzadenesheli, Anandkumar, arXiv:1802.04434, Algorithm 3.

    Attributes
    ----------
    eta : Hyper
        Length of a step in each coordinate.
    """

    eta: Step

    card = Card(
        "signsgd-majority",
        "signSGD with majority vote",
        "field",
        "Algorithm 3 of arXiv:1802.04434",
        rule="cited",
        gradients="1",
        up="1 compressed",
        down="1",
        note="a message is one bit a coordinate, zeros apart; so is the answer, which is counted as a vector",
        distinguishes=("T > 1", "different clients"),
        mixes=True,
    )

    def traffic(self, d: int) -> Traffic:
        """Return a bit a coordinate for every vector that goes up."""
        return Traffic(float(d), float(d))

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Vote, then step."""
        y = show_at_clients(oracle, state.x)
        votes = sign(oracle.xp, oracle.grad(y, oracle.draw()))
        return ServerState(state.x - self.eta * sign(oracle.xp, oracle.mean(votes)))
