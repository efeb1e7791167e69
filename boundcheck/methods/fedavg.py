"""FedAvg and FedAvg-M: local steps, plain or with the server's momentum mixed into every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Hyper, Oracle, Vector
from boundcheck.methods.composed import Composed
from boundcheck.methods.local import direction, sampled


@dataclass(frozen=True, kw_only=True)
class FedAvg(Composed):
    """Local SGD with averaging; with gamma other than 1, FedAvg with two-sided learning rates.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x <- x + gamma (mean_i y_i - x)``.

    **Guarantee**: covered by the bounds of FedAvg-M at beta = 1, gamma_there = gamma eta K.

    References: [1] McMahan et al., arXiv:1602.05629, Algorithm 1.  [2] Yang, Fang, Liu, arXiv:2101.11203.

    Attributes
    ----------
    gamma : Hyper
        Server step on the averaged displacement; 1 is plain averaging.
    """

    gamma: Hyper = 1.0

    card = Card("fedavg", "FedAvg (local SGD)", "momentum-fl", "Algorithm 1 with beta = 1", cost=1.0)

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Take the server step along the mean displacement."""
        return state._replace(x=state.x + self.gamma * (y - state.x))


class MomentumState(NamedTuple):
    """Server iterate and server direction."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    g: Vector
    """Direction estimated in the previous round (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class FedAvgM(Composed):
    """FedAvg with momentum in every local step (the same method as FedCM).

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (beta g_i(y_i) + (1-beta) g)``;
    then ``g <- mean_i (x - y_i) / (eta K)`` and ``x <- x - gamma g``.

    **Guarantee**: momentum-fl Theorem 11, full participation.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, Algorithm 1.

    Attributes
    ----------
    gamma : Hyper
        Server step on the normalised direction; gamma = eta K is plain averaging.
    beta : Hyper
        Weight of the fresh gradient; 1 is FedAvg.
    """

    gamma: Hyper
    beta: Hyper

    state_type = MomentumState

    card = Card(
        "fedavg-m",
        "FedAvg-M (FedCM)",
        "momentum-fl",
        "Algorithm 1",
        down="2",
        note="d floats down if clients keep the previous x",
        cost=1.2,
        server="d",
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K local steps with the frozen server direction."""
        drift = (1.0 - self.beta) * oracle.to_clients(state.g)

        def step(_: Any, y: Vector) -> Vector:
            return y - self.eta * (self.beta * sampled(oracle, y) + drift)

        return oracle.fori(step, start)

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Refresh the direction, and take the server step along it."""
        g = direction(oracle, state.x, y, self.eta)
        return state._replace(x=state.x - self.gamma * g, g=g)
