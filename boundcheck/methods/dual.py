"""Clients with a dual vector that learns their gradient: FedDyn and FedPD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Penalty, Probability, Step, Traffic, Vector
from boundcheck.methods.local import local_sgd, mean_model


class DynamicState(NamedTuple):
    """Server iterate and correction, and the clients' linear terms."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    l_i: Vector
    """Clients' linear terms (lanes, N, d)."""
    h: Vector
    """Server correction, the mean of all l_i (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class FedDyn(Method[DynamicState]):
    """Dynamic regularisation, the local problem solved by K gradient steps.

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) - l_i + alpha (y_i - x))``; on the active clients
    ``l_i <- l_i - alpha (y_i - x)``; then ``h <- h - (alpha/N) sum_i (y_i - x)`` over the active ones (note 1/N, not
    1/S) and ``x <- mean_i y_i - h / alpha``.

    References: [1] Acar et al., arXiv:2111.04263.

    Attributes
    ----------
    eta : Hyper
        Local step.
    alpha : Hyper
        Coefficient of the regulariser.
    """

    eta: Step
    alpha: Penalty

    card = Card(
        "feddyn",
        "FedDyn",
        "gradma",
        "rule from the cited work (Acar et al. 2021)",
        rule="confirmed",
        distinguishes=("alpha", "S < N", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.5,
        client="d",
        server="d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> DynamicState:
        """Start at x0 with all corrections zero."""
        return DynamicState(x0, oracle.to_all(0.0 * x0), 0.0 * x0)

    def round(self, oracle: Oracle, state: DynamicState) -> DynamicState:
        """K regularised steps on every active client, then all corrections and the server step."""
        x, l_all, h = state
        l_i = oracle.active(l_all)
        start = oracle.to_clients(x)
        y = local_sgd(oracle, start, self.eta, lambda y: self.alpha * (y - start) - l_i)
        moved = self.alpha * (y - start)
        h = h - (oracle.S / oracle.N) * oracle.mean(moved, free=True)
        return DynamicState(mean_model(oracle, x, y) - (1.0 / self.alpha) * h, oracle.remember(l_all, l_i - moved), h)


class PrimalDualState(NamedTuple):
    """Server iterate, and what the clients keep; `x` changes at communications only."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    y: Vector
    """Clients' last points (lanes, N, d)."""
    anchor: Vector
    """Clients' own copies of the server iterate (lanes, N, d)."""
    dual: Vector
    """Dual vectors (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class FedPD(Method[PrimalDualState]):
    """Federated primal-dual steps with oracle I: the local problem solved by K gradient steps.

    Problem: minimise f = mean_i f_i; all clients in every round.

    **Update**: from y_i where it ended last, K times ``y_i <- y_i - eta (g_i(y_i) + dual_i + (y_i - a_i) / eta_pd)``;
    then ``dual_i <- dual_i + (y_i - a_i) / eta_pd``, ``a_i <- y_i + eta_pd dual_i``, and with probability 1 - skip
    ``x <- mean_i a_i`` and all ``a_i <- x``.  a_i starts at x0, dual_i at 0.

    **Guarantee**: none in the five papers.  Clients that differ leave the minimiser again in a round without
    communication.

    References: [1] Zhang, Hong, Dhople, Yin, Liu, arXiv:2005.11418.

    Attributes
    ----------
    eta : Hyper
        Local step.
    eta_pd : Hyper
        Inverse of the augmented Lagrangian's coefficient.
    skip : Hyper
        Probability that a round ends without communication.
    warm : bool
        Start the local steps where the client ended last, as the paper does, and not at a_i, as FedDyn does.
    """

    eta: Step
    eta_pd: Step
    skip: Probability = 0.0
    warm: bool = True

    card = Card(
        "fedpd",
        "FedPD",
        "fedlalr",
        "rule from the cited work (Zhang et al. 2020, oracle I)",
        rule="confirmed",
        partial=False,
        note="nothing is sent in a round that ends without communication",
        distinguishes=("eta_pd", "skip", "K > 1", "T > 1", "different clients"),
        cost=1.5,
        client="3 d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> PrimalDualState:
        """Start everybody at x0 with dual vectors zero."""
        start = oracle.to_all(x0)
        return PrimalDualState(x0, start, start, 0.0 * start)

    def round(self, oracle: Oracle, state: PrimalDualState) -> PrimalDualState:
        """K primal steps and a dual step on every client, then communication or none."""
        x, y, anchor, dual = state
        stiffness = 1.0 / self.eta_pd
        y = local_sgd(oracle, y if self.warm else anchor, self.eta, lambda y: dual + stiffness * (y - anchor))
        fresh = dual + stiffness * (y - anchor)
        target = y + self.eta_pd * fresh
        alone = oracle.uniform(1, 1) < self.skip
        x = oracle.xp.where(alone, x, oracle.mean(target))
        return PrimalDualState(x, y, oracle.xp.where(alone, target, oracle.to_clients(x)), fresh)

    def traffic(self, d: int) -> Traffic:
        """Return that nothing is sent in a round without communication."""
        return super().traffic(d)._replace(up=1.0 - self.skip, down=1.0 - self.skip)
