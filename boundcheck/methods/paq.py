"""Quantised federated averaging: FedPAQ, with momentum in the local steps, and with momentum at the server too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from boundcheck.methods.base import Card, Hyper, Memoryless, Oracle, ServerState, Vector
from boundcheck.methods.local import local_sgd
from boundcheck.methods.quantise import Quantised
from boundcheck.methods.server_momentum import AtRest, VelocityState, heavy_ball


def local_heavy_ball(oracle: Oracle, y: Vector, eta: Hyper, mu: Hyper) -> Vector:
    """Return the clients' points after K steps ``m <- mu m + g_i(y), y <- y - eta m`` from m = 0."""
    m = 0.0 * y
    for _ in range(oracle.K):
        oracle.observe(y)
        m = mu * m + oracle.grad(y, oracle.draw())
        y = y - eta * m
    return y


@dataclass(frozen=True, kw_only=True)
class FedAvgLocalM(Memoryless):
    """FedAvg with heavy-ball momentum in the local steps (FedAvg-m of the FedGLOMO paper; not FedAvg-M).

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``x <- mean_i y_i``.  The paper does not say whether m_i lives on; it restarts every round here.

    **Communication**: d floats up and d down a client and round; K gradients.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, section 6; the step is that of PyTorch's SGD with momentum.

    Attributes
    ----------
    eta : Hyper
        Local step.
    mu : Hyper
        Weight of the old momentum; 0 is FedAvg.
    """

    eta: Hyper
    mu: Hyper = 0.9

    card: ClassVar[Card] = Card(
        id="fedavg-local-m",
        title="FedAvg-m (local heavy ball)",
        paper="fedglomo",
        where="baseline of the experiments, named without a formula",
        rule="uncertain",
        kind="minimise",
        gradients="K",
        up="1",
        down="1",
        partial=True,
        cost=1.3,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K local momentum steps, then the average."""
        return ServerState(oracle.mean(local_heavy_ball(oracle, oracle.to_clients(state.x), self.eta, self.mu)))


@dataclass(frozen=True, kw_only=True)
class FedPAQ(Quantised, Memoryless):
    """FedAvg with quantised messages.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x <- x + mean_i Q(y_i - x)``.

    **Communication**: one compressed vector up, d floats down a client and round; K gradients.

    **Guarantee**: none in the papers under audit; with Q exact it is FedAvg.

    References: [1] Reisizadeh, Mokhtari, Hassani, Jadbabaie, Pedarsani, arXiv:1909.13014, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Local step.
    quantiser : str
        Q by name: 'none', 'qsgd-<levels>' or 'dropout-<probability>'.
    """

    eta: Hyper

    card: ClassVar[Card] = Card(
        id="fedpaq",
        title="FedPAQ",
        paper="fedglomo",
        where="rule from the cited work (Reisizadeh et al. 2020, Algorithm 1)",
        rule="confirmed",
        kind="minimise",
        gradients="K",
        up="1 compressed",
        down="1",
        partial=True,
        cost=1.6,
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K local steps, then the mean of the quantised displacements."""
        start = oracle.to_clients(state.x)
        y = self.local(oracle, start)
        return ServerState(state.x + oracle.mean(self.Q(oracle, y - start)))

    def local(self, oracle: Oracle, y: Vector) -> Vector:
        """Return the clients' points after their K steps."""
        return local_sgd(oracle, y, self.eta)


@dataclass(frozen=True, kw_only=True)
class FedPAQM(FedPAQ):
    """FedPAQ with heavy-ball momentum in the local steps.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``x <- x + mean_i Q(y_i - x)``.  The paper does not say whether m_i lives on; it restarts every round here.

    **Communication**: one compressed vector up, d floats down a client and round; K gradients.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, section 6.

    Attributes
    ----------
    eta : Hyper
        Local step.
    quantiser : str
        Q by name: 'none', 'qsgd-<levels>' or 'dropout-<probability>'.
    mu : Hyper
        Weight of the old momentum; 0 is FedPAQ.
    """

    mu: Hyper = 0.9

    card: ClassVar[Card] = Card(
        id="fedpaq-m",
        title="FedPAQ-m (local heavy ball)",
        paper="fedglomo",
        where="baseline of the experiments, named without a formula",
        rule="uncertain",
        kind="minimise",
        gradients="K",
        up="1 compressed",
        down="1",
        partial=True,
        cost=1.8,
    )

    def local(self, oracle: Oracle, y: Vector) -> Vector:
        """Return the clients' points after K momentum steps."""
        return local_heavy_ball(oracle, y, self.eta, self.mu)


@dataclass(frozen=True, kw_only=True)
class FedPAQSCM(Quantised, AtRest):
    """FedPAQ with heavy-ball momentum at the clients and at the server.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x`` and m_i = 0, K times ``m_i <- mu m_i + g_i(y_i)``, ``y_i <- y_i - eta m_i``; then
    ``v <- server_mu v - mean_i Q(y_i - x)`` and ``x <- x - v``.

    **Communication**: one compressed vector up, d floats down a client and round; K gradients.

    **Guarantee**: none; a baseline of FedGLOMO's experiments, without a formula there.

    References: [1] Das et al., arXiv:2012.04061, appendix on further experiments.

    Attributes
    ----------
    eta : Hyper
        Local step.
    mu : Hyper
        Weight of the old local momentum.
    server_mu : Hyper
        Weight of the old server momentum; 0 is FedPAQ-m.
    quantiser : str
        Q by name: 'none', 'qsgd-<levels>' or 'dropout-<probability>'.
    """

    eta: Hyper
    mu: Hyper = 0.9
    server_mu: Hyper = 0.9

    card: ClassVar[Card] = Card(
        id="fedpaq-scm",
        title="FedPAQ-scm (server and local heavy ball)",
        paper="fedglomo",
        where="baseline of the experiments, named without a formula",
        rule="uncertain",
        kind="minimise",
        gradients="K",
        up="1 compressed",
        down="1",
        partial=True,
        cost=1.8,
    )

    def round(self, oracle: Oracle, state: VelocityState) -> VelocityState:
        """K local momentum steps, then the server's momentum over the quantised displacements."""
        start = oracle.to_clients(state.x)
        y = local_heavy_ball(oracle, start, self.eta, self.mu)
        sent = self.Q(oracle, y - start)
        return heavy_ball(oracle, state, start + sent, self.server_mu, 1.0)
