"""Quantised federated averaging: FedPAQ, with momentum in the local steps, and with momentum at the server too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Oracle, Vector, Weight
from boundcheck.methods.composed import Composed, VelocityState, heavy_ball
from boundcheck.methods.local import local_heavy_ball, mean_model
from boundcheck.methods.quantise import Quantised


@dataclass(frozen=True, kw_only=True)
class FedAvgLocalM(Composed):
    """FedAvg with heavy-ball momentum in the local steps (FedAvg-m of the FedGLOMO paper; not FedAvg-M).

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``x <- mean_i y_i``.  The paper does not say whether m_i lives on; it restarts every round here.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, section 6; the step is that of PyTorch's SGD with momentum.

    Attributes
    ----------
    mu : Hyper
        Weight of the old local momentum; 0 is FedAvg.
    """

    mu: Weight = 0.9

    card = Card(
        "fedavg-local-m",
        "FedAvg-m (local heavy ball)",
        "fedglomo",
        "baseline of the experiments, named without a formula",
        rule="uncertain",
        distinguishes=("mu", "K > 1"),
        mixes=True,
        cost=1.3,
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K local momentum steps."""
        return local_heavy_ball(oracle, start, self.eta, self.mu)


@dataclass(frozen=True, kw_only=True)
class FedPAQ(Composed, Quantised):
    """FedAvg with quantised messages.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x <- x + mean_i Q(y_i - x)``.

    **Guarantee**: none in the papers under audit; with Q exact it is FedAvg.

    References: [1] Reisizadeh, Mokhtari, Hassani, Jadbabaie, Pedarsani, arXiv:1909.13014, Algorithm 1.
    """

    card = Card(
        "fedpaq",
        "FedPAQ",
        "fedglomo",
        "rule from the cited work (Reisizadeh et al. 2020, Algorithm 1)",
        rule="confirmed",
        up="1 compressed",
        distinguishes=("quantiser",),
        cost=1.6,
    )

    def average(self, oracle: Oracle, x: Vector, y: Vector) -> Vector:
        """Return ``x + mean_i Q(y_i - x)``."""
        return x + oracle.mean(self.Q(oracle, y - oracle.to_clients(x, free=True)))


@dataclass(frozen=True, kw_only=True)
class FedPAQM(FedAvgLocalM, FedPAQ):
    """FedPAQ with heavy-ball momentum in the local steps.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``x <- x + mean_i Q(y_i - x)``.  The paper does not say whether m_i lives on; it restarts every round here.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, section 6.

    Attributes
    ----------
    mu : Hyper
        Weight of the old local momentum; 0 is FedPAQ.
    """

    card = Card(
        "fedpaq-m",
        "FedPAQ-m (local heavy ball)",
        "fedglomo",
        "baseline of the experiments, named without a formula",
        rule="uncertain",
        up="1 compressed",
        distinguishes=("mu", "quantiser", "K > 1"),
        cost=1.8,
    )


@dataclass(frozen=True, kw_only=True)
class FedPAQSCM(FedAvgLocalM, Quantised):
    """FedPAQ with heavy-ball momentum at the clients and at the server.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``v <- server_mu v - mean_i Q(y_i - x)`` and ``x <- x - v``.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, appendix on further experiments.

    Attributes
    ----------
    mu : Hyper
        Weight of the old local momentum.
    server_mu : Hyper
        Weight of the old server momentum; 0 is FedPAQ-m.
    """

    server_mu: Weight = 0.9

    state_type = VelocityState

    card = Card(
        "fedpaq-scm",
        "FedPAQ-scm (server and local heavy ball)",
        "fedglomo",
        "baseline of the experiments, named without a formula",
        rule="uncertain",
        up="1 compressed",
        distinguishes=("mu", "server_mu", "quantiser", "K > 1", "T > 1"),
        cost=1.8,
        server="d",
    )

    def average(self, oracle: Oracle, x: Vector, y: Vector) -> Vector:
        """Return ``mean_i (x + Q(y_i - x))``."""
        start = oracle.to_clients(x, free=True)
        return mean_model(oracle, x, start + self.Q(oracle, y - start))

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Take the momentum step with the server's own weight."""
        return heavy_ball(state, y, self.server_mu, 1.0)
