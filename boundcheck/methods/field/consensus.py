"""Clients that minimise their own function plus a square in every round: consensus ADMM, and FedDyn as it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Penalty, Vector
from boundcheck.methods.local import mean_model


class ConsensusState(NamedTuple):
    """The common point and what the clients keep."""

    x: Vector
    """Common point (lanes, 1, d)."""
    u: Vector
    """Scaled multipliers u_i, whose mean is 0 (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class ConsensusADMM(Method[ConsensusState]):
    """The alternating direction method of multipliers, for clients that must agree.

    Problem: minimise f = mean_i f_i; all clients in every round, no local steps.

    **Update**: ``y_i <- argmin f_i(y) + rho |y - x + u_i|^2/2``, ``x <- mean_i (y_i + u_i)``, ``u_i <- u_i + y_i - x``;
    u_i starts at 0.

    **Guarantee**: `field.admm` for strongly convex clients.

    References: [1] Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed Optimization and Statistical Learning via the
    Alternating Direction Method of Multipliers", 2011, section 7.1, scaled.

    Attributes
    ----------
    rho : Hyper
        Coefficient of the augmented Lagrangian.
    """

    rho: Penalty

    card = Card(
        "admm",
        "Consensus ADMM",
        "field",
        "section 7.1 of Boyd et al. 2011",
        gradients="1 full",
        rule="cited",
        partial=False,
        needs=("proximal steps",),
        client="d",
        note="a client's problem is solved, which counts as one exact gradient",
        distinguishes=("T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> ConsensusState:
        """Start at x0 with multipliers 0."""
        return ConsensusState(x0, 0.0 * oracle.to_all(x0))

    def round(self, oracle: Oracle, state: ConsensusState) -> ConsensusState:
        """Every client's minimiser, their average, the multipliers."""
        y = oracle.client_prox(oracle.to_clients(state.x) - state.u, 1.0 / self.rho)
        x = oracle.mean(y + state.u)
        return ConsensusState(x, state.u + y - oracle.to_clients(x, free=True))


class DynamicConsensusState(NamedTuple):
    """The active clients' average, the server's correction, and the clients' gradients."""

    x: Vector
    """Mean of the points of the clients that took part (lanes, 1, d)."""
    h: Vector
    """Mean of all l_i (lanes, 1, d)."""
    l_i: Vector
    """Every client's gradient where it ended last, 0 before (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class ExactFedDyn(Method[DynamicConsensusState]):
    """FedDyn whose clients solve their problem, and the average point that its theorem is about.

    Problem: minimise f = mean_i f_i; S of N clients a round, no local steps.

    **Update**: the server sends ``z = x - h/alpha``; active clients find ``y_i = argmin f_i(y) - <l_i, y> + alpha
    |y - z|^2/2`` and set ``l_i <- l_i - alpha (y_i - z)``, the gradient at y_i; then ``h <- h - (alpha/N) sum_i (y_i -
    z)`` over the active ones, and ``x <- mean_i y_i``.

    **Guarantee**: `field.feddyn` for convex clients.

    References: [1] Acar et al., arXiv:2111.04263, Algorithm 1, where the server's point is called z here.

    Attributes
    ----------
    alpha : Hyper
        Coefficient of the regulariser.
    """

    alpha: Penalty

    card = Card(
        "feddyn-exact",
        "FedDyn with exact minimisers",
        "field",
        "Algorithm 1 of arXiv:2111.04263",
        gradients="1 full",
        rule="cited",
        needs=("proximal steps",),
        client="d",
        server="d",
        note="a client's problem is solved, which counts as one exact gradient",
        distinguishes=("S < N", "T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> DynamicConsensusState:
        """Start at x0 with all corrections 0."""
        return DynamicConsensusState(x0, 0.0 * x0, oracle.to_all(0.0 * x0))

    def round(self, oracle: Oracle, state: DynamicConsensusState) -> DynamicConsensusState:
        """Every active client's minimiser, all corrections, the average."""
        step = 1.0 / self.alpha
        start = oracle.to_clients(state.x - step * state.h)
        l_i = oracle.active(state.l_i)
        y = oracle.client_prox(start + step * l_i, step)
        moved = self.alpha * (y - start)
        h = state.h - (oracle.S / oracle.N) * oracle.mean(moved, free=True)
        return DynamicConsensusState(mean_model(oracle, state.x, y), h, oracle.remember(state.l_i, l_i - moved))
