"""FedAvg and FedAvg-M: local steps, plain or with the server's momentum mixed into every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Factor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.composed import Composed
from boundcheck.methods.local import direction, mean_model, sample_gradients


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

    gamma: Factor = 1.0

    card = Card(
        "fedavg",
        "FedAvg (local SGD)",
        "momentum-fl",
        "Algorithm 1 with beta = 1",
        cost=1.0,
        distinguishes=("gamma", "K > 1"),
        mixes=True,
    )

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

    gamma: Step
    beta: Weight

    state_type = MomentumState

    card = Card(
        "fedavg-m",
        "FedAvg-M (FedCM)",
        "momentum-fl",
        "Algorithm 1",
        down="2",
        note="d floats down if clients keep the previous x",
        distinguishes=("beta", "K > 1", "T > 1"),
        mixes=True,
        cost=1.2,
        server="d",
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K local steps with the frozen server direction."""
        drift = oracle.to_clients((1.0 - self.beta) * state.g)

        def step(_: Any, y: Vector) -> Vector:
            return y - self.eta * (self.beta * sample_gradients(oracle, y) + drift)

        return oracle.fori(step, start)

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Refresh the direction, and take the server step along it."""
        g = direction(oracle, state.x, y, self.eta)
        return state._replace(x=state.x - self.gamma * g, g=g)


class KeptState(NamedTuple):
    """Server iterate, and the iterate that every client got last."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    last: Vector
    """Iterate that came down in the round before, x_0 at the start (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class FedAvgMKept(Method[KeptState]):
    """FedAvg-M with one vector down: clients keep the last iterate and recover the momentum from it.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: with ``g = (x_last - x) / gamma``, x_last being the x that came before, from ``y_i = x``, K times
    ``y_i <- y_i - eta (beta g_i(y_i) + (1-beta) g)``; then ``x <- x - gamma mean_i (x - y_i) / (eta K)``.  At the
    start x_last = x.

    **Guarantee**: momentum-fl Theorem 11: the same iterates as FedAvg-M, up to rounding.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, section 3.1.

    Attributes
    ----------
    eta, gamma : Hyper
        Local step; server step on the normalised direction.
    beta : Hyper
        Weight of the fresh gradient; 1 is FedAvg.
    """

    eta: Step
    gamma: Step
    beta: Weight

    card = Card(
        "fedavg-m-kept",
        "FedAvg-M, one vector down",
        "momentum-fl",
        "section 3.1, below equation (1)",
        partial=False,
        note="a client that missed a round would recover another momentum",
        distinguishes=("beta", "T > 1"),
        mixes=True,
        cost=1.3,
        client="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> KeptState:
        """Start at x0, which all clients have."""
        return KeptState(x0, oracle.to_all(x0))

    def round(self, oracle: Oracle, state: KeptState) -> KeptState:
        """K local steps with the recovered direction, then the server step."""
        start = oracle.to_clients(state.x)
        drift = (1.0 - self.beta) * (oracle.active(state.last) - start) / self.gamma

        def step(_: Any, y: Vector) -> Vector:
            return y - self.eta * (self.beta * sample_gradients(oracle, y) + drift)

        g = direction(oracle, state.x, mean_model(oracle, state.x, oracle.fori(step, start)), self.eta)
        return KeptState(state.x - self.gamma * g, oracle.remember(state.last, start))
