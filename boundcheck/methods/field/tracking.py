"""Networks without a server whose limit is the minimiser of f: gradient tracking, and exact diffusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Oracle, Vector
from boundcheck.methods.field.dsgd import NetworkMethod
from boundcheck.methods.field.graphs import mixing


class NetworkTrackingState(NamedTuple):
    """Mean of the local models, the local models, what they track, and the gradients they had last."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""
    tracked: Vector
    """y_i, whose mean is that of the last gradients (lanes, N, d)."""
    last: Vector
    """Gradients of the clients at their models (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class GradientTracking(NetworkMethod[NetworkTrackingState]):
    """Gradient tracking (DIGing) on a network.

    Problem: minimise f = mean_i f_i; there is no server, every client talks to its neighbours in every round.

    **Update**: ``x_i <- sum_j W_ij x_j - eta y_i``, then ``y_i <- sum_j W_ij y_j + g_i(x_i+) - g_i(x_i)`` with the
    gradient of the round before as the last one; ``x = mean_i x_i`` is measured.  y_i starts as g_i(x_0).

    **Guarantee**: `field.gradient-tracking` for exact gradients.

    References: [1] Nedic, Olshevsky, Shi, arXiv:1607.03218, Algorithm 1.  [2] Di Lorenzo, Scutari, arXiv:1602.00591.

    Attributes
    ----------
    eta : Hyper
        Step.
    graph : str
        complete, ring, star, torus, or mix-P: who are neighbours, with Metropolis weights.
    """

    card = Card(
        "gradient-tracking",
        "Gradient tracking",
        "field",
        "Algorithm 1 of arXiv:1607.03218",
        rule="cited",
        gradients="1",
        up="2",
        down="4 (8 with graph=torus)",
        partial=False,
        client="3 d",
        note="what a client sends to all its neighbours goes up once; every client has a gradient at x_0 before the "
        "first round",
        distinguishes=("graph", "T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> NetworkTrackingState:
        """Start everybody at x0, tracking gradients there."""
        g = oracle.initial(x0, 1)
        return NetworkTrackingState(x0, oracle.to_all(x0), g, g)

    def round(self, oracle: Oracle, state: NetworkTrackingState) -> NetworkTrackingState:
        """Step and exchange, then refresh what is tracked."""
        W = mixing(self.graph, oracle.N)
        oracle.observe(state.own)
        own = oracle.mix(state.own, W) - self.eta * state.tracked
        g = oracle.grad(own, oracle.draw())
        return NetworkTrackingState(oracle.mean(own, free=True), own, oracle.mix(state.tracked, W) + g - state.last, g)


class DiffusionState(NamedTuple):
    """Mean of the local models, the local models, and where their last steps led."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""
    adapted: Vector
    """psi_i of the round before (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class ExactDiffusion(NetworkMethod[DiffusionState]):
    """Exact diffusion on a network.

    Problem: minimise f = mean_i f_i; there is no server, every client talks to its neighbours in every round.

    **Update**: ``psi_i+ = x_i - eta g_i(x_i)``, ``phi_i = psi_i+ + x_i - psi_i``, ``x_i <- sum_j V_ij phi_j`` with V =
    (I + W)/2; psi_i starts as x_0; ``x = mean_i x_i`` is measured.

    References: [1] Yuan, Ying, Zhao, Sayed, arXiv:1702.05122, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Step.
    graph : str
        complete, ring, star, torus, or mix-P: who are neighbours, with Metropolis weights.
    """

    card = Card(
        "exact-diffusion",
        "Exact diffusion",
        "field",
        "Algorithm 1 of arXiv:1702.05122",
        rule="cited",
        gradients="1",
        down="2 (4 with graph=torus)",
        partial=False,
        client="2 d",
        note="what a client sends to all its neighbours goes up once",
        distinguishes=("graph", "T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> DiffusionState:
        """Start everybody at x0."""
        return DiffusionState(x0, oracle.to_all(x0), oracle.to_all(x0))

    def round(self, oracle: Oracle, state: DiffusionState) -> DiffusionState:
        """Adapt, correct, combine."""
        oracle.observe(state.own)
        adapted = state.own - self.eta * oracle.grad(state.own, oracle.draw())
        corrected = adapted + state.own - state.adapted
        own = 0.5 * (corrected + oracle.mix(corrected, mixing(self.graph, oracle.N)))
        return DiffusionState(oracle.mean(own, free=True), own, adapted)
