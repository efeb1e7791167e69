"""CHOCO-SGD: decentralised SGD whose clients send compressed changes of what their neighbours know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Count, Factor, Method, Oracle, Step, Traffic, Vector, described_by
from boundcheck.methods.field.graphs import mixed_by, mixing, share
from boundcheck.methods.field.top import top, top_traffic


class ChocoState(NamedTuple):
    """The mean of the local models, the local models, and what the neighbours know of them."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""
    known: Vector
    """h_i, which client i and its neighbours have (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class Choco(Method[ChocoState]):
    """CHOCO-SGD with the top-k compressor C.

    Problem: minimise f = mean_i f_i; there is no server, and every client talks to its neighbours in every round.

    **Update**: ``x_i <- x_i + gamma sum_j W_ij (h_j - h_i) - eta g_i(x_i)``, then ``h_i <- h_i + C(x_i - h_i)``; h_i
    starts as x_0; ``x = mean_i x_i`` is measured.

    **Guarantee**: `field.choco` for convex clients with bounded second moments.

    References: [1] Koloskova, Stich, Jaggi, arXiv:1902.00340, Algorithm 2.

    Attributes
    ----------
    eta : Hyper
        Step.
    gamma : Hyper
        Share of the way to the neighbours.
    k : int
        Entries of a vector that are sent.
    graph : str
        complete, ring, star, torus, or mix-P: who are neighbours, with Metropolis weights.
    """

    eta: Step
    gamma: Factor
    k: Count = 1
    graph: str = described_by("gap_W", mixed_by, default="ring")

    card = Card(
        "choco",
        "CHOCO-SGD with top-k",
        "field",
        "Algorithm 2 of arXiv:1902.00340",
        rule="cited",
        gradients="1",
        up="1 compressed",
        down="2 (4 with graph=torus)",
        partial=False,
        client="4 d",
        note="a message is k numbers with their places; what a client sends to all its neighbours goes up once",
        distinguishes=("graph", "gamma", "k", "T > 1", "different clients"),
    )

    def __post_init__(self) -> None:
        """Check the name of the graph."""
        share(self.graph)

    def init(self, oracle: Oracle, x0: Vector) -> ChocoState:
        """Start everybody at x0, which all know."""
        own = oracle.to_all(x0)
        return ChocoState(x0, own, own)

    def traffic(self, d: int) -> Traffic:
        """Return k floats and their places for every vector that goes up."""
        return top_traffic(self.k, d)

    def round(self, oracle: Oracle, state: ChocoState) -> ChocoState:
        """Move towards what is known of the neighbours and along the gradient, then send what is new."""
        oracle.observe(state.own)
        towards = oracle.mix(state.known, mixing(self.graph, int(oracle.N))) - state.known
        own = state.own + self.gamma * towards - self.eta * oracle.grad(state.own, oracle.draw())
        return ChocoState(oracle.mean(own, free=True), own, state.known + top(oracle.xp, own - state.known, self.k))
