"""Decentralised SGD: every client averages with its neighbours, which may change, and follows its own gradients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, StateT, Step, Vector, described_by
from boundcheck.methods.field.graphs import matrices, mixed_by, mixing, names, share


@dataclass(frozen=True, kw_only=True)
class NetworkMethod(Method[StateT]):
    """A method of clients that have no server: each talks to its neighbours on a graph."""

    eta: Step
    graph: str = described_by("gap_W", mixed_by, default="ring")

    def __post_init__(self) -> None:
        """Check the name of the graph."""
        share(self.graph)


class DSGDState(NamedTuple):
    """The mean of the local models, which nobody has, and the local models."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class DSGD(NetworkMethod[DSGDState]):
    """Decentralised (stochastic) gradient descent on a network.

    Problem: minimise f = mean_i f_i; there is no server, and every client talks to its neighbours in every round.

    **Update**: from ``y_i = x_i``, K times ``y_i <- y_i - eta g_i(y_i)``; then
    ``x_i <- sum_j W_ij x_j + (y_i - x_i)`` with the mixing matrix W of the graph; ``x = mean_i x_i`` is measured.

    **Guarantee**: `field.dgd` for convex clients with bounded second moments, at K = 1.

    References: [1] Nedic, Ozdaglar, "Distributed subgradient methods for multi-agent optimization", IEEE Trans. Autom.
    Control 2009. [2] Lian et al., arXiv:1705.09056, Algorithm 1 (K = 1).

    Attributes
    ----------
    eta : Hyper
        Local step.
    graph : str
        complete, ring, star, torus, or mix-P: who are neighbours, with Metropolis weights.
    """

    card = Card(
        "dsgd",
        "Decentralised SGD",
        "field",
        "Nedic, Ozdaglar 2009",
        rule="confirmed",
        down="2 (4 with graph=torus)",
        partial=False,
        client="d",
        note="what a client sends to all its neighbours goes up once; down are N-1 vectors on a complete graph, and "
        "2 (N-1)/N on average on a star",
        distinguishes=("graph", "T > 1", "different clients"),
        cost=0.9,
    )

    def init(self, oracle: Oracle, x0: Vector) -> DSGDState:
        """Start everybody at x0."""
        return DSGDState(x0, oracle.to_all(x0))

    def round(self, oracle: Oracle, state: DSGDState) -> DSGDState:
        """Local steps of everybody, then the exchange."""

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            return y - self.eta * oracle.grad(y, oracle.draw())

        moved = oracle.fori(step, state.own)
        own = oracle.mix(state.own, mixing(self.graph, int(oracle.N))) + (moved - state.own)
        return DSGDState(oracle.mean(own, free=True), own)


class VaryingState(NamedTuple):
    """The mean of the local models, the local models, and how many rounds there were."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""
    rounds: Vector
    """Rounds so far (lanes, 1, 1)."""


@dataclass(frozen=True, kw_only=True)
class VaryingDSGD(Method[VaryingState]):
    """Decentralised (stochastic) gradient descent on a network that changes from round to round.

    Problem: minimise f = mean_i f_i; there is no server, and every client talks to its neighbours of the round.

    **Update**: from ``y_i = x_i``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x_i <- sum_j W_ij x_j + (y_i -
    x_i)`` with the matrix W of the round, those of the sequence in turn; ``x = mean_i x_i`` is measured.

    **Guarantee**: `field.dgd-varying` for convex clients with bounded second moments, at K = 1.

    References: [1] Nedic, Ozdaglar, IEEE Trans. Autom. Control 2009, whose matrices change.

    Attributes
    ----------
    eta : Hyper
        Local step.
    graph : str
        A sequence A+B+... of complete, ring, star, torus, even, odd, mix-P and file.py:NAME.
    """

    eta: Step
    graph: str = "even+odd"

    card = Card(
        "dsgd-varying",
        "Decentralised SGD, changing neighbours",
        "field",
        "Nedic, Ozdaglar 2009",
        rule="confirmed",
        down="1 (more with another graph)",
        partial=False,
        client="d",
        note="what a client sends to all its neighbours goes up once; of even+odd it has one a round",
        distinguishes=("graph", "T > 1", "different clients"),
    )

    def __post_init__(self) -> None:
        """Check the names of the graphs."""
        names(self.graph)

    def init(self, oracle: Oracle, x0: Vector) -> VaryingState:
        """Start everybody at x0."""
        return VaryingState(x0, oracle.to_all(x0), 0.0 * x0[..., :1])

    def round(self, oracle: Oracle, state: VaryingState) -> VaryingState:
        """Local steps of everybody, then the exchange of the round."""
        every = matrices(self.graph, int(oracle.N))

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            return y - self.eta * oracle.grad(y, oracle.draw())

        moved = oracle.fori(step, state.own)
        W = every[(state.rounds[:, 0, 0] % len(every)).astype(int)]
        own = oracle.mix(state.own, W) + (moved - state.own)
        return VaryingState(oracle.mean(own, free=True), own, state.rounds + 1.0)
