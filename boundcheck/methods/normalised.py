"""FedNova: clients that make different numbers of steps, averaged after normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Hyper, Method, Oracle, Vector
from boundcheck.methods.local import everywhere


class StepsState(NamedTuple):
    """Server iterate, and how many steps every client makes."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    steps: Vector
    """Steps a round (lanes, N, 1)."""


@dataclass(frozen=True, kw_only=True)
class FedNova(Method):
    """Normalised averaging, local optimiser heavy ball and proximal SGD.

    Problem: minimise f = mean_i f_i; client i makes K_i <= K steps a round.

    **Update**: from ``(y_i, u_i, c_i, n_i) = (x, 0, 0, 0)``, K_i times ``u_i <- beta u_i + g_i(y_i)``,
    ``y_i <- y_i - eta (u_i + rho (y_i - x))``, ``c_i <- beta c_i + 1``, ``n_i <- (1 - eta rho) n_i + c_i``; then
    ``x <- x + (mean_i n_i) mean_i ((y_i - x) / n_i)``.  n_i is the exact weight of the gradients in (x - y_i) / eta,
    also when beta and rho are both in use (the authors' code is not).

    **Communication**: d floats and one number up, d floats down a client and round; K gradients, of which those after a
    client's K_i-th are not used.

    **Guarantee**: none in the five papers.

    References: [1] Wang, Liu, Liang, Joshi, Poor, arXiv:2007.07481.

    Attributes
    ----------
    eta : Hyper
        Local step.
    beta : Hyper
        Weight of the old local momentum, which starts at zero every round.
    rho : Hyper
        Proximal coefficient.
    fewest : int, optional
        Steps of the first client; the last makes K, the others are evenly spaced between.  By default all make K.
    """

    eta: Hyper
    beta: Hyper = 0.0
    rho: Hyper = 0.0
    fewest: int | None = None

    card: ClassVar[Card] = Card(
        id="fednova",
        title="FedNova",
        paper="fedlalr",
        where="rule from the cited work (Wang et al. 2020)",
        rule="confirmed",
        kind="minimise",
        gradients="K",
        up="1",
        down="1",
        partial=True,
        cost=1.9,
    )

    def __post_init__(self) -> None:
        """Check the number of steps."""
        if self.fewest is not None:
            require_count(self.fewest, "fednova: fewest")

    def init(self, oracle: Oracle, x0: Vector) -> StepsState:
        """Start at x0."""
        fewest = oracle.K if self.fewest is None else min(self.fewest, oracle.K)
        steps = fewest + np.arange(oracle.N)[:, None] * (oracle.K - fewest) // max(oracle.N - 1, 1)
        return StepsState(x0, everywhere(oracle, 0.0 * x0[..., :1]) + steps)

    def round(self, oracle: Oracle, state: StepsState) -> StepsState:
        """K_i local steps on every active client, then the normalised average."""
        x, steps = state.x, oracle.active(state.steps)
        y = start = oracle.to_clients(x)
        u, c, n = 0.0 * y, 0.0 * steps, 0.0 * steps
        for k in range(oracle.K):
            oracle.observe(y)
            u = self.beta * u + oracle.grad(y, oracle.draw())
            c = self.beta * c + 1.0
            going = k < steps
            y = np.where(going, y - self.eta * (u + self.rho * (y - start)), y)
            n = np.where(going, (1.0 - self.eta * self.rho) * n + c, n)
        return StepsState(x + oracle.mean(n, free=True) * oracle.mean((y - start) / n), state.steps)
