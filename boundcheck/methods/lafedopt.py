"""LaFedOPT: adaptive client optimisers that restart every round, and a correction at the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.methods.base import Card, Hyper, Memoryless, Oracle, ServerState, Vector
from boundcheck.methods.local import ema, yogi


@dataclass(frozen=True, kw_only=True)
class LaFedOPT(Memoryless):
    """Local adaptivity with a correction of the bias that it brings.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): from ``(y_i, m, v, s, A_i) = (x, 0, v0, 0, 0)``, K times ``g = g_i(y_i)``, v by the rule
    of the client, ``P = 1 / (sqrt(v) + eps)`` (SGD: 1), ``m <- beta1 m + (1-beta1) g``, ``y_i <- y_i - eta P m``,
    ``s <- beta1 s + (1-beta1) P``, ``A_i <- A_i + s``; then ``x <- x + gamma D`` with D = mean_i (y_i - x), q =
    mean_i (y_i - x) / A_i (local) or q / mean_i (1 / A_i) (joint).  The server is SGD.

    **Communication**: d floats up (2d with correction 'joint') and d down a client and round; K gradients.

    **Guarantee**: none in the five papers.

    References: [1] Wang, Xu, Garrett, Charles, Liu, Joshi, arXiv:2106.02305.  The name is FedLALR's.

    Attributes
    ----------
    eta, gamma : Hyper
        Local and server step.
    eps : Hyper
        Added to the root.
    beta1, beta2 : Hyper
        Weights of the old first and second moment.
    v0 : Hyper
        Second moment at the start of a round.
    client : {'adam', 'yogi', 'adagrad', 'sgd'}
        Client optimiser.
    correction : {'joint', 'local', 'none'}
        How the displacements are corrected at the server.
    weights : {'filtered', 'exact'}
        A_i as in the authors' code, or the exact weight of the gradients in y_i - x, ``s <- beta1 s + 1 - beta1``,
        ``A_i <- A_i + s P``; the two agree at beta1 = 0 and for constant P.
    """

    eta: Hyper
    eps: Hyper
    gamma: Hyper = 1.0
    beta1: Hyper = 0.9
    beta2: Hyper = 0.99
    v0: Hyper = 0.0
    client: str = "adam"
    correction: str = "joint"
    weights: str = "filtered"

    card: ClassVar[Card] = Card(
        id="lafedopt",
        title="LaFedOPT",
        paper="fedlalr",
        where="rule from the cited work (Wang et al. 2021)",
        rule="confirmed",
        kind="minimise",
        gradients="K",
        up="1 (2 with joint)",
        down="1",
        partial=True,
        cost=3.5,
    )

    def __post_init__(self) -> None:
        """Check the choices that are not numbers."""
        require(
            self.client in {"sgd", "adagrad", "adam", "yogi"},
            "lafedopt: client",
            self.client,
            "sgd, adagrad, adam, yogi",
        )
        require(
            self.correction in {"none", "local", "joint"}, "lafedopt: correction", self.correction, "none, local, joint"
        )
        require(self.weights in {"filtered", "exact"}, "lafedopt: weights", self.weights, "filtered or exact")

    def second(self, v: Vector, square: Vector) -> Vector:
        """Return the second moment of the client optimiser after one more squared gradient."""
        if self.client == "adagrad":
            return v + square
        return (ema if self.client == "adam" else yogi)(self.beta2, v, square)

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K adaptive steps on every active client, then the corrected step of the server."""
        x = state.x
        y = start = oracle.to_clients(x)
        m, v, s, A = 0.0 * y, 0.0 * y + self.v0, 0.0 * y, 0.0 * y
        for _ in range(oracle.K):
            oracle.observe(y)
            g = oracle.grad(y, oracle.draw())
            if self.client == "sgd":
                P = 1.0
            else:
                v = self.second(v, g * g)
                P = 1.0 / (np.sqrt(v) + self.eps)
            m = ema(self.beta1, m, g)
            y = y - self.eta * P * m
            s = ema(self.beta1, s, P if self.weights == "filtered" else 1.0)
            A = A + (s if self.weights == "filtered" else s * P)
        if self.correction == "none":
            D = oracle.mean(y) - x
        else:
            D = oracle.mean((y - start) / A)
            D = D / oracle.mean(1.0 / A) if self.correction == "joint" else D
        return ServerState(x + self.gamma * D)
