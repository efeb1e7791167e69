"""FedAvg and FedAvg-M: local steps, plain or with the server's momentum mixed into every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from boundcheck.methods.base import Card, Hyper, Memoryless, Method, Oracle, ServerState, Vector
from boundcheck.methods.local import local_sgd


@dataclass(frozen=True, kw_only=True)
class FedAvg(Memoryless):
    """Local SGD with averaging; with gamma other than 1, FedAvg with two-sided learning rates.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x <- x + gamma (mean_i y_i - x)``.

    **Communication**: d floats up and d down a client and round; K gradients.

    **Guarantee**: covered by the bounds of FedAvg-M at beta = 1, gamma_there = gamma eta K.

    References: [1] McMahan et al., arXiv:1602.05629, Algorithm 1.  [2] Yang, Fang, Liu, arXiv:2101.11203.

    Attributes
    ----------
    eta : Hyper
        Local step.
    gamma : Hyper
        Server step on the averaged displacement; 1 is plain averaging.
    """

    eta: Hyper
    gamma: Hyper = 1.0

    card: ClassVar[Card] = Card(
        id="fedavg",
        title="FedAvg (local SGD)",
        paper="momentum-fl",
        where="Algorithm 1 with beta = 1",
        kind="minimise",
        gradients="K",
        up="1",
        down="1",
        partial=True,
        cost=1.0,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K local steps on every active client, then the server step."""
        y = local_sgd(oracle, oracle.to_clients(state.x), self.eta)
        return ServerState(state.x + self.gamma * (oracle.mean(y) - state.x))


class MomentumState(NamedTuple):
    """Server iterate and server direction."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    g: Vector
    """Direction estimated in the previous round (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class FedAvgM(Method):
    """FedAvg with momentum in every local step (the same method as FedCM).

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (beta g_i(y_i) + (1-beta) g)``;
    then ``g <- mean_i (x - y_i) / (eta K)`` and ``x <- x - gamma g``.

    **Communication**: d floats up, 2d down a client and round (d if clients keep the previous x); K gradients.

    **Guarantee**: momentum-fl Theorem 11, full participation.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Local step.
    gamma : Hyper
        Server step on the normalised direction; gamma = eta K is plain averaging.
    beta : Hyper
        Weight of the fresh gradient; 1 is FedAvg.
    """

    eta: Hyper
    gamma: Hyper
    beta: Hyper

    card: ClassVar[Card] = Card(
        id="fedavg-m",
        title="FedAvg-M (FedCM)",
        paper="momentum-fl",
        where="Algorithm 1",
        kind="minimise",
        gradients="K",
        up="1",
        down="2",
        partial=True,
        cost=1.2,
    )

    def init(self, oracle: Oracle, x0: Vector) -> MomentumState:
        """Start at x0 with g = 0."""
        return MomentumState(x0, 0.0 * x0)

    def round(self, oracle: Oracle, state: MomentumState) -> MomentumState:
        """K local steps with the frozen server direction, then the server step."""
        x, g = state
        y = oracle.to_clients(x)
        drift = (1.0 - self.beta) * oracle.to_clients(g)
        for _ in range(oracle.K):
            oracle.observe(y)
            y = y - self.eta * (self.beta * oracle.grad(y, oracle.draw()) + drift)
        g = (1.0 / (self.eta * oracle.K)) * (x - oracle.mean(y))
        return MomentumState(x - self.gamma * g, g)
