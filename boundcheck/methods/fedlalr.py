"""FedLALR: every client runs AMSGrad with its own learning-rate vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require, require_count
from boundcheck.methods.base import Card, Floor, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import ema, mean_model, sample_gradients


class MomentsState(NamedTuple):
    """What the server broadcasts: iterate, first moment, largest second moment, each (lanes, 1, d); and the time."""

    x: Vector
    """Server iterate."""
    m: Vector
    """First moment."""
    vh: Vector
    """Running maximum of the second moment."""
    t: int = 1
    """Number of the coming round."""


@dataclass(frozen=True, kw_only=True)
class FedLALR(Method[MomentsState]):
    """Federated local AMSGrad with synchronised moments.

    Problem: minimise f = mean_i f_i, stochastic gradients bounded by G_inf in every coordinate.

    **Update** (elementwise): from ``(X, M, V, Vh) = (x, m, vh, vh)``, K times ``g = g_i(X)``,
    ``M <- beta1 M + (1-beta1) g``, ``V <- beta2 V + (1-beta2) g^2``, ``Vh <- max(Vh, V)``,
    ``X <- X - eta M / sqrt(Vh)``; then x, m, vh become the means of X, M, Vh.  vh starts at eps^2.

    **Guarantee**: FedLALR Theorem 1 and Corollary 1, full participation; Theorem 2 for the adaptive interval.

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
    growth : int, optional
        Base K_alpha of the adaptive interval: round t = 1, 2, ... has K + floor(log_growth t) steps (the paper prints a
        ceiling; its own numbers need the floor).  By default every round has K.
    """

    eta: Step
    beta1: Weight = 0.9
    beta2: Weight = 0.99
    eps: Floor = 1.0
    sync: str = "average"
    restart: bool = False
    growth: int | None = None

    card = Card(
        "fedlalr",
        "FedLALR",
        "fedlalr",
        "Algorithms 1, 2, 3",
        gradients="K (more with growth)",
        up="3 (2 with restart)",
        down="3 (2 with restart)",
        needs=("bounded slopes",),
        distinguishes=("beta1", "beta2", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=2.9,
        server="2 d",
    )

    def __post_init__(self) -> None:
        """Check the choices that are not numbers."""
        require(self.sync in {"average", "max"}, "fedlalr: sync", self.sync, "average or max")
        if self.growth is not None:
            require_count(self.growth, "fedlalr: growth", least=2)

    def steps(self, K: int, t: int) -> int:
        """Return the local steps of round t, with integers: a floating logarithm is off by one at some powers."""
        if self.growth is not None:
            while t >= self.growth:
                t, K = t // self.growth, K + 1
        return K

    def init(self, oracle: Oracle, x0: Vector) -> MomentsState:
        """Start at x0 with m = 0 and vh = eps^2 in every coordinate."""
        return MomentsState(x0, 0.0 * x0, 0.0 * x0 + self.eps * self.eps)

    def round(self, oracle: Oracle, state: MomentsState) -> MomentsState:
        """K local AMSGrad steps from the broadcast moments, then their averages."""

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            X, M, V, VH = carry
            g = sample_gradients(oracle, X)
            M = ema(self.beta1, M, g)
            V = ema(self.beta2, V, g * g)
            VH = oracle.xp.maximum(VH, V)
            return X - self.eta * M / oracle.xp.sqrt(VH), M, V, VH

        X, V = oracle.to_clients(state.x), oracle.to_clients(state.vh)
        M = oracle.to_clients(0.0 * state.m if self.restart else state.m, free=self.restart)
        X, M, _, VH = oracle.fori(step, (X, M, V, V), self.steps(oracle.K, state.t))
        vh = mean_model(oracle, state.vh, VH) if self.sync == "average" else oracle.largest(VH)
        # After a restart nobody uses the average first moment, so that it need not be sent.
        return MomentsState(mean_model(oracle, state.x, X), oracle.mean(M, free=self.restart), vh, state.t + 1)
