"""Plain local steps and heavy-ball momentum on the server: FedAvg with server momentum (FedAvgM), SlowMo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Oracle, Vector
from boundcheck.methods.composed import ServerMomentum


@dataclass(frozen=True, kw_only=True)
class FedAvgServerM(ServerMomentum):
    """FedAvg with server momentum (FedAvgM of Hsu et al.; FedAvg-M of momentum-fl is another method).

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``v <- beta v - (mean_i y_i - x)`` and
    ``x <- x - gamma v``.  The velocity is not damped: codes with ``v <- beta v - (1-beta) (mean_i y_i - x)`` run this
    method at gamma (1-beta).

    References: [1] Hsu, Qi, Brown, arXiv:1909.06335.  [2] GradMA, arXiv:2302.14307, Algorithm 5 with mu = 0.

    Attributes
    ----------
    beta : Hyper
        Weight of the old velocity; 0 is FedAvg.
    """

    card = Card(
        "fedavg-server-m",
        "FedAvg with server momentum (FedAvgM)",
        "gradma",
        "Algorithm 5 with mu = 0",
        distinguishes=("beta", "gamma", "T > 1"),
        mixes=True,
        cost=1.0,
        server="d",
    )


@dataclass(frozen=True, kw_only=True)
class SlowMo(ServerMomentum):
    """Slow momentum over K plain local steps.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``u <- beta u + (x - mean_i y_i) / eta``
    and ``x <- x - gamma eta u``.  The base optimiser is SGD, which has no buffers.

    **Guarantee**: none in the five papers; at constant eta it is FedAvg with server momentum.

    References: [1] Wang, Tantia, Ballas, Rabbat, arXiv:1910.00643.

    Attributes
    ----------
    beta : Hyper
        Weight of the old slow momentum.
    gamma : Hyper
        Slow step (printed alpha).
    """

    card = Card(
        "slowmo",
        "SlowMo",
        "fedlalr",
        "rule from the cited work (Wang et al. 2019)",
        rule="confirmed",
        distinguishes=("beta", "gamma", "T > 1"),
        mixes=True,
        cost=1.1,
        server="d",
    )

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Take the slow step, the momentum being in units of gradients."""
        u = self.beta * state.v + (1.0 / self.eta) * (state.x - y)
        return state._replace(x=state.x - self.gamma * self.eta * u, v=u)
