"""EF21: compressed gradients with error feedback in the form of a moving target; also with momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Count, Method, Oracle, Step, Traffic, Vector, Weight
from boundcheck.methods.encoding import WORD
from boundcheck.methods.field.top import top, top_traffic


class EF21State(NamedTuple):
    """Server iterate and what the server believes of every client's gradient."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    believed: Vector
    """g_i of all N clients (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class EF21(Method[EF21State]):
    """Error feedback of 2021 with the top-k compressor C.

    Problem: minimise f = mean_i f_i with exact client gradients; all clients in every round.

    **Update**: ``x+ = x - gamma mean_i g_i``, ``g_i <- g_i + C(grad f_i(x+) - g_i)``.  g_i starts as C(grad f_i(x_0)).

    References: [1] Richtarik, Sokolov, Fatkhullin, arXiv:2106.05203, Algorithm 2.

    Attributes
    ----------
    gamma : Hyper
        Step.
    k : int
        Entries of a vector that are sent.
    """

    gamma: Step
    k: int = 1

    card = Card(
        "ef21",
        "EF21 with top-k",
        "field",
        "Algorithm 2 of arXiv:2106.05203",
        rule="cited",
        gradients="1 full",
        up="1 compressed",
        partial=False,
        needs=("exact gradients",),
        client="d",
        server="d",
        distinguishes=("k", "T > 1"),
        cost=5.0,
        note="a message is k numbers with their places",
    )

    def __post_init__(self) -> None:
        """Check the count."""
        require_count(self.k, "ef21: k")

    def init(self, oracle: Oracle, x0: Vector) -> EF21State:
        """Start at x0 with compressed gradients."""
        believed = top(oracle.xp, oracle.full_all(x0), self.k)
        oracle.mean_all(believed)
        return EF21State(x0, believed)

    def traffic(self, d: int) -> Traffic:
        """Return k floats and their places for every vector that goes up."""
        return top_traffic(self.k, d)

    def round(self, oracle: Oracle, state: EF21State) -> EF21State:
        """One step, then every client moves its target by what it sends."""
        x = state.x - self.gamma * oracle.mean(state.believed, free=True)
        oracle.observe(oracle.to_clients(state.x, free=True))
        oracle.to_clients(x)
        sent = top(oracle.xp, oracle.full_all(x) - state.believed, self.k)
        oracle.mean(sent)
        return EF21State(x, state.believed + sent)


class BeliefMomentumState(NamedTuple):
    """Server iterate, what the server believes of every client's average, and those averages."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    believed: Vector
    """g_i of all N clients (lanes, N, d)."""
    average: Vector
    """v_i of all N clients (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class EF21SGDM(Method[BeliefMomentumState]):
    """EF21 with sampled gradients and momentum, with the top-k compressor C.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: ``x+ = x - gamma mean_i g_i``, ``v_i <- (1 - beta) v_i + beta g_i(x+)`` with a fresh sampled
    gradient, ``g_i <- g_i + C(v_i - g_i)``.  v_i and g_i start as a gradient at x_0 on B samples, sent as it is.

    **Guarantee**: `field.ef21-sgdm`.

    References: [1] Fatkhullin, Tyurin, Richtarik, arXiv:2305.15155, Algorithm 1.

    Attributes
    ----------
    gamma : Hyper
        Step.
    beta : Hyper
        Weight of the fresh gradient; 1 is no momentum.
    k : int
        Entries of a vector that are sent.
    B : int
        Samples of the first gradients.
    """

    gamma: Step
    beta: Weight
    k: Count = 1
    B: Count = 1

    card = Card(
        "ef21-sgdm",
        "EF21-SGDM with top-k",
        "field",
        "Algorithm 1 of arXiv:2305.15155",
        rule="cited",
        gradients="1",
        up="1 compressed",
        partial=False,
        client="2 d",
        server="d",
        distinguishes=("k", "beta", "T > 1", "noise"),
        note="a message is k numbers with their places; the first one is a whole vector",
    )

    def init(self, oracle: Oracle, x0: Vector) -> BeliefMomentumState:
        """Start at x0 with gradients there."""
        first = oracle.initial(x0, self.B)
        oracle.mean_all(first)
        return BeliefMomentumState(x0, first, first)

    def traffic(self, d: int) -> Traffic:
        """Return k floats and their places for every vector that goes up in a round, all d floats before."""
        sent = top_traffic(self.k, d)
        return Traffic(sent.bits, float(WORD * d))

    def round(self, oracle: Oracle, state: BeliefMomentumState) -> BeliefMomentumState:
        """One step, then every client averages, and moves its target by what it sends."""
        x = state.x - self.gamma * oracle.mean(state.believed, free=True)
        oracle.observe(oracle.to_clients(state.x, free=True))
        fresh = oracle.grad(oracle.to_clients(x), oracle.draw())
        average = (1.0 - self.beta) * state.average + self.beta * fresh
        sent = top(oracle.xp, average - state.believed, self.k)
        oracle.mean(sent)
        return BeliefMomentumState(x, state.believed + sent, average)
