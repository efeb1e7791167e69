"""LaFedOPT: adaptive client optimisers that restart every round, and a correction at the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.errors import require
from boundcheck.methods.base import Card, Factor, Floor, Method, Oracle, ServerState, Step, Vector, Weight
from boundcheck.methods.local import ema, mean_model, sample_gradients, yogi


@dataclass(frozen=True, kw_only=True)
class LaFedOPT(Method[ServerState]):
    """Local adaptivity with a correction of the bias that it brings.

    Problem: minimise f = mean_i f_i.

    **Update** (elementwise): from ``(y_i, m, v, s, A_i) = (x, 0, v0, 0, 0)``, K times ``g = g_i(y_i)``, v by the rule
    of the client, ``P = 1 / (sqrt(v) + eps)`` (SGD: 1), ``m <- beta1 m + (1-beta1) g``, ``y_i <- y_i - eta P m``,
    ``s <- beta1 s + (1-beta1) P``, ``A_i <- A_i + s``; then ``x <- x + gamma D`` with D = mean_i (y_i - x), q =
    mean_i (y_i - x) / A_i (local) or q / mean_i (1 / A_i) (joint).  The server is SGD.

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

    eta: Step
    eps: Floor
    gamma: Factor = 1.0
    beta1: Weight = 0.9
    beta2: Weight = 0.99
    v0: Floor = 0.0
    client: str = "adam"
    correction: str = "joint"
    weights: str = "filtered"

    card = Card(
        "lafedopt",
        "LaFedOPT",
        "fedlalr",
        "rule from the cited work (Wang et al. 2021)",
        rule="confirmed",
        up="1 (2 with joint)",
        distinguishes=("gamma", "beta1", "beta2", "client", "correction", "K > 1", "different clients"),
        mixes=True,
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

    def precision(self, xp: Any, v: Vector, square: Vector) -> tuple[Vector, Vector]:
        """Return the second moment after one more squared gradient, and what multiplies the client's step."""
        if self.client == "sgd":
            return v, 1.0
        if self.client == "adagrad":
            v = v + square
        else:
            v = ema(self.beta2, v, square) if self.client == "adam" else yogi(xp, self.beta2, v, square)
        return v, 1.0 / (xp.sqrt(v) + self.eps)

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K adaptive steps on every active client, then the corrected step of the server."""
        x, start = state.x, oracle.to_clients(state.x)

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, m, v, s, A = carry
            g = sample_gradients(oracle, y)
            v, P = self.precision(oracle.xp, v, g * g)
            m = ema(self.beta1, m, g)
            y = y - self.eta * P * m
            if self.weights == "filtered":
                s = ema(self.beta1, s, P)
                return y, m, v, s, A + s
            s = ema(self.beta1, s, 1.0)
            return y, m, v, s, A + s * P

        zero = 0.0 * start
        y, *_, A = oracle.fori(step, (start, zero, zero + self.v0, zero, zero))
        if self.correction == "none":
            return ServerState(x + self.gamma * (mean_model(oracle, x, y) - x))
        D = oracle.mean((y - start) / A)
        D = D / oracle.mean(1.0 / A) if self.correction == "joint" else D
        return ServerState(x + self.gamma * D)
