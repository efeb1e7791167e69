"""Recursive gradient estimators between clients and server: STEM, BVR-L-SGD, MB-STORM and CE-LSGD.

They evaluate a minibatch at two consecutive points and carry the estimator along.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require
from boundcheck.methods.base import Card, Hyper, Method, Oracle, Real, ServerState, Step, Vector, Weight
from boundcheck.methods.estimators import large_batch, random_rows, recursive_paths, starting_gradients
from boundcheck.methods.local import mean_model
from boundcheck.methods.momentum_vr import FromDirection, PreviousState


class StemState(NamedTuple):
    """Synchronised iterate and direction, and the clients' own points before synchronisation."""

    x: Vector
    """Server iterate, the mean of the clients' points (lanes, 1, d)."""
    own: Vector
    """The clients' own points (lanes, N, d)."""
    d: Vector
    """Averaged direction (lanes, 1, d)."""
    s: int
    """Local steps taken so far."""


@dataclass(frozen=True, kw_only=True)
class STEM(Method[StemState]):
    """Stochastic two-sided momentum.

    Problem: minimise f = mean_i f_i, every sample gradient Lipschitz; all clients in every round.

    **Update**, s = 1, 2, ...: ``y_i <- y_i - eta_s d_i``, then on one fresh minibatch
    ``d_i <- g_i(y_i_new) + (1 - c eta_s^2) (d_i - g_i(y_i_old))``; after every K-th step ``x <- mean_i y_i`` and
    ``d_i <- mean_i d_i`` take the place of y_i and d_i.  ``eta_s = kappa / (w + growth s)^(1/3)``.  The old point
    after a synchronisation is the client's own one, which the source leaves open; the first d is the average of B
    gradients of every client.

    References: [1] Khanduri, Sharma, Yang, Hong, Liu, Rajawat, Varshney, arXiv:2106.10435.

    Attributes
    ----------
    kappa, w, growth : Hyper
        The step schedule; growth is the source's sigma^2, 0 a constant step.
    c : Hyper
        The weight of the fresh gradient is c eta_s^2.
    B : int
        Samples of the first direction.
    """

    kappa: Step
    w: Hyper
    growth: Hyper
    c: Real
    B: int = 1

    card = Card(
        "stem",
        "STEM",
        "momentum-fl",
        "rule from the cited work (Khanduri et al. 2021)",
        rule="uncertain",
        gradients="2K",
        up="2",
        down="2",
        partial=False,
        needs=("same sample",),
        note="K samples; B samples to start",
        distinguishes=("growth", "c", "K > 1", "T > 1", "noise"),
        mixes=True,
        cost=1.0,
        client="d",
        server="d",
    )

    def step(self, xp: Any, s: int) -> Hyper:
        """Return eta_s."""
        eta: Hyper = self.kappa / xp.cbrt(self.w + self.growth * s)
        return eta

    def init(self, oracle: Oracle, x0: Vector) -> StemState:
        """Start all clients at x0 with the average of their B-sample gradients."""
        return StemState(x0, oracle.to_clients(x0), oracle.mean(oracle.initial(x0, self.B)), 0)

    def round(self, oracle: Oracle, state: StemState) -> StemState:
        """K local steps from the averages, then the averages."""

        def step(k: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, d, old = carry
            eta = self.step(oracle.xp, state.s + 1 + k)
            oracle.observe(y)
            y = y - eta * d
            batch = oracle.draw()
            d = oracle.grad(y, batch) + (1.0 - self.c * eta * eta) * (d - oracle.grad(old, batch))
            return y, d, y

        y, d, _ = oracle.fori(step, (oracle.to_clients(state.x), oracle.to_clients(state.d), state.own))
        return StemState(oracle.mean(y), y, oracle.mean(d), state.s + oracle.K)


@dataclass(frozen=True, kw_only=True)
class BVRLSGD(Method[ServerState]):
    """Bias-variance reduced local SGD.

    Problem: minimise f = mean_i f_i with similar Hessians; all clients in every round.

    **Update**: ``v = mean_i grad f_i(x)``, then from ``y_i = x``, K times ``y_i <- y_i - eta v_i``,
    ``v_i <- v_i + g_i(y_i_new) - g_i(y_i_old)`` from v_i = v; x becomes the last y_p of one client p drawn uniformly.
    (The source leaves open whether the step is the last one or drawn too; it is the last here.)

    References: [1] Murata, Suzuki, arXiv:2102.03198.

    Attributes
    ----------
    eta : Hyper
        Local step.
    batch : int
        Samples of the gradients at x; 0 is exact.
    """

    eta: Step
    batch: int = 0

    card = Card(
        "bvr-l-sgd",
        "BVR-L-SGD",
        "momentum-fl",
        "rule from the cited work (Murata, Suzuki 2021)",
        rule="uncertain",
        gradients="2(K-1) + 1 full",
        down="2",
        partial=False,
        needs=("exact gradients", "same sample"),
        note="one client sends d floats more; `batch` samples may take the place of the exact gradient",
        distinguishes=("K > 1", "noise", "different clients"),
        cost=1.2,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Average the gradients, take K recursive local steps, and keep one client's point."""
        start = oracle.to_clients(state.x)
        (v,) = starting_gradients(oracle, (start,), self.batch)
        (y,) = recursive_paths(oracle, (start,), (oracle.to_clients(oracle.mean(v)),), self.eta)
        return ServerState(random_rows(oracle, y, 1))


@dataclass(frozen=True, kw_only=True)
class MBSTORM(FromDirection):
    """Minibatch STORM.

    Problem: minimise f = mean_i f_i, every sample gradient Lipschitz; S of N clients a round.

    **Update**: with G the mean gradient of K minibatches of every active client, the same at both points,
    ``g <- G(x) + (1-a) (g - G(x_prev))``, ``x_prev <- x``, ``x <- x - gamma g``.  At the start x_prev = x_0 and g
    is the mean of B gradients of every client.

    **Guarantee**: none in the papers under audit; the limit of FedAvg-M-VR as eta -> 0.

    References: [1] Patel, Wang, Woodworth, Bullins, Srebro, NeurIPS 2022, a baseline there.

    Attributes
    ----------
    gamma : Hyper
        Server step.
    a : Hyper
        Weight of the fresh gradient; 1 is minibatch SGD, 0 SARAH without restart.
    """

    gamma: Step
    a: Weight
    B: int = 1

    card = Card(
        "mb-storm",
        "MB-STORM",
        "momentum-fl",
        "rule from the cited work (Patel et al. 2022)",
        rule="cited",
        gradients="2K",
        down="2",
        needs=("same sample",),
        note="K samples; no local steps",
        distinguishes=("a", "T > 1", "noise"),
        mixes=True,
        cost=1.1,
        server="2 d",
    )

    def round(self, oracle: Oracle, state: PreviousState) -> PreviousState:
        """One server step along the recursive estimator."""
        x, previous, g = state
        now, before = large_batch(oracle, (x, previous))
        g = now + (1.0 - self.a) * (g - before)
        return PreviousState(x - self.gamma * g, x, g)


@dataclass(frozen=True, kw_only=True)
class CELSGD(FromDirection):
    """Communication-efficient local SGD: a STORM estimator at the server, recursive local steps from it.

    Problem: minimise f = mean_i f_i, every sample gradient Lipschitz; S of N clients a round.

    **Update**: with G the mean gradient of K minibatches of every active client,
    ``g <- G(x) + (1-a) (g - G(x_prev))``; then from ``y_i = x``, K times ``y_i <- y_i - eta v_i``,
    ``v_i <- v_i + g_i(y_i_new) - g_i(y_i_old)`` from v_i = g; x becomes the last y_p of one active client p drawn
    uniformly.  The batch K and the single client are the readings taken where the source is not settled.

    References: [1] Patel, Wang, Woodworth, Bullins, Srebro, NeurIPS 2022.

    Attributes
    ----------
    eta : Hyper
        Local step.
    a : Hyper
        Weight of the fresh gradient.
    server : {'client', 'mean'}
        Next server point: one client's, or the mean over the active clients.
    """

    eta: Step
    a: Weight
    B: int = 1
    server: str = "client"

    card = Card(
        "ce-lsgd",
        "CE-LSGD",
        "momentum-fl",
        "rule from the cited work (Patel et al. 2022)",
        rule="uncertain",
        gradients="2K + 2(K-1)",
        up="2",
        down="3",
        needs=("same sample",),
        note="two exchanges a round",
        distinguishes=("a", "K > 1", "T > 1", "noise"),
        cost=1.0,
        server="2 d",
    )

    def __post_init__(self) -> None:
        """Check the one choice that is not a number."""
        require(self.server in {"client", "mean"}, "ce-lsgd: server", self.server, "client or mean")

    def round(self, oracle: Oracle, state: PreviousState) -> PreviousState:
        """Refresh the server's estimator, then take K local steps from it."""
        x, previous, g = state
        now, before = large_batch(oracle, (x, previous))
        g = now + (1.0 - self.a) * (g - before)
        (y,) = recursive_paths(oracle, (oracle.to_clients(x, free=True),), (oracle.to_clients(g),), self.eta)
        return PreviousState(mean_model(oracle, x, y) if self.server == "mean" else random_rows(oracle, y, 1), x, g)
