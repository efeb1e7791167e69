"""Local steps held back towards the server iterate: FedProx, and FedProxM with server momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Oracle, Penalty, Vector
from boundcheck.methods.composed import Composed, ServerMomentum
from boundcheck.methods.local import local_sgd


@dataclass(frozen=True, kw_only=True)
class FedProx(Composed):
    """Federated proximal steps, the local problem solved by K gradient steps.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) + rho (y_i - x))``; then ``x <- mean_i y_i``.

    References: [1] Li et al., arXiv:1812.06127, Algorithm 2.  [2] GradMA, arXiv:2302.14307, Algorithm 5.

    Attributes
    ----------
    rho : Hyper
        Proximal coefficient (printed mu); 0 is FedAvg.
    """

    rho: Penalty

    card = Card(
        "fedprox",
        "FedProx",
        "gradma",
        "Algorithm 5 with beta_1 = 0",
        cost=1.1,
        distinguishes=("rho", "K > 1"),
        mixes=True,
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K proximal steps."""
        return local_sgd(oracle, start, self.eta, lambda y: self.rho * (y - start))


@dataclass(frozen=True, kw_only=True)
class FedProxM(ServerMomentum, FedProx):
    """FedProx with server momentum.

    Problem: minimise f = mean_i f_i.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) + rho (y_i - x))``; then
    ``v <- beta v - (mean_i y_i - x)`` and ``x <- x - gamma v``.

    References: [1] GradMA, arXiv:2302.14307, Algorithm 5.

    Attributes
    ----------
    rho : Hyper
        Proximal coefficient (printed mu); 0 is FedAvg with server momentum.
    beta : Hyper
        Weight of the old velocity; 0 with gamma = 1 is FedProx.
    """

    card = Card(
        "fedprox-m",
        "FedProxM",
        "gradma",
        "Algorithm 5",
        cost=1.3,
        server="d",
        distinguishes=("rho", "beta", "gamma", "K > 1", "T > 1"),
        mixes=True,
    )
