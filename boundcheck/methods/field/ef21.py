"""EF21: compressed gradients with error feedback in the form of a moving target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Method, Oracle, Step, Traffic, Vector
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
