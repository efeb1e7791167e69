"""FedLALR: every client runs AMSGrad with its own learning-rate vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.methods.base import Card, Hyper, Method, Oracle, Vector


class MomentsState(NamedTuple):
    """What the server broadcasts: iterate, first moment, largest second moment; each (lanes, 1, d)."""

    x: Vector
    """Server iterate."""
    m: Vector
    """First moment."""
    vh: Vector
    """Running maximum of the second moment."""


@dataclass(frozen=True, kw_only=True)
class FedLALR(Method):
    """Federated local AMSGrad with synchronised moments.

    Problem: minimise f = mean_i f_i, stochastic gradients bounded by G_inf in every coordinate.

    **Update** (elementwise): from (X, M, V, Vh) = (x, m, vh, vh), K times ``g = g_i(X)``,
    ``M <- beta1 M + (1-beta1) g``, ``V <- beta2 V + (1-beta2) g^2``, ``Vh <- max(Vh, V)``,
    ``X <- X - eta M / sqrt(Vh)``; then x, m, vh become the means of X, M, Vh.  vh starts at eps^2.

    **Communication**: 3d floats up and down a client and round; K gradients.

    **Guarantee**: FedLALR Theorem 1 and Corollary 1, full participation.

    References: [1] Sun et al., arXiv:2309.09719, Algorithm 1 (sync='average'), 2 (restart=True), 3 (sync='max').

    Attributes
    ----------
    eta : Hyper
        Local step (printed alpha).
    beta1, beta2 : Hyper
        Weights of the old first and second moment.
    eps : Hyper
        Square root of the initial second moment; never added to a denominator.
    sync : {'average', 'max'}
        How vh is combined at the server.
    restart : bool
        Start every round with M = 0 (m is then not sent: 2d floats each way).
    """

    eta: Hyper
    beta1: Hyper = 0.9
    beta2: Hyper = 0.99
    eps: Hyper = 1.0
    sync: str = "average"
    restart: bool = False

    card: ClassVar[Card] = Card(
        id="fedlalr",
        title="FedLALR",
        paper="fedlalr",
        where="Algorithms 1, 2, 3",
        kind="minimise",
        gradients="K",
        up="3 (2 with restart)",
        down="3 (2 with restart)",
        partial=True,
    )

    def __post_init__(self) -> None:
        """Check the one choice that is not a number."""
        require(self.sync in {"average", "max"}, "fedlalr: sync", self.sync, "average or max")

    def init(self, oracle: Oracle, x0: Vector) -> MomentsState:
        """Start at x0 with m = 0 and vh = eps^2 in every coordinate."""
        return MomentsState(x0, 0.0 * x0, 0.0 * x0 + self.eps * self.eps)

    def round(self, oracle: Oracle, state: MomentsState) -> MomentsState:
        """K local AMSGrad steps from the broadcast moments, then their averages."""
        X, VH = oracle.to_clients(state.x), oracle.to_clients(state.vh)
        M = oracle.to_clients(0.0 * state.m if self.restart else state.m)
        V = VH
        for _ in range(oracle.K):
            oracle.visit(X)
            g = oracle.grad(X, oracle.draw())
            M = self.beta1 * M + (1.0 - self.beta1) * g
            V = self.beta2 * V + (1.0 - self.beta2) * (g * g)
            VH = np.maximum(VH, V)
            X = X - self.eta * M / np.sqrt(VH)
        vh = oracle.mean(VH) if self.sync == "average" else VH.max(axis=1, keepdims=True)
        return MomentsState(oracle.mean(X), oracle.mean(M), vh)
