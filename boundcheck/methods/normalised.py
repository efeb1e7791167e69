"""FedNova: clients that make different numbers of steps, averaged after normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require_count
from boundcheck.methods.base import Card, Method, Oracle, Penalty, Step, Vector, Weight
from boundcheck.methods.local import sample_gradients


class StepsState(NamedTuple):
    """Server iterate, and how many steps every client makes."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    steps: Vector
    """Steps a round (lanes, N, 1)."""


@dataclass(frozen=True, kw_only=True)
class FedNova(Method[StepsState]):
    """Normalised averaging, local optimiser heavy ball and proximal SGD.

    Problem: minimise f = mean_i f_i; client i makes K_i <= K steps a round.

    **Update**: from ``(y_i, u_i, c_i, n_i) = (x, 0, 0, 0)``, K_i times ``u_i <- beta u_i + g_i(y_i)``,
    ``y_i <- y_i - eta (u_i + rho (y_i - x))``, ``c_i <- beta c_i + 1``, ``n_i <- (1 - eta rho) n_i + c_i``; then
    ``x <- x + (mean_i n_i) mean_i ((y_i - x) / n_i)``.  n_i is the exact weight of the gradients in (x - y_i) / eta,
    also when beta and rho are both in use (the authors' code is not).

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

    eta: Step
    beta: Weight = 0.0
    rho: Penalty = 0.0
    fewest: int | None = None

    card = Card(
        "fednova",
        "FedNova",
        "fedlalr",
        "rule from the cited work (Wang et al. 2020)",
        rule="confirmed",
        note="one number more goes up; gradients after a client's K_i-th are not used",
        distinguishes=("beta", "rho", "fewest", "K > 1"),
        cost=1.9,
        client="1",
    )

    def __post_init__(self) -> None:
        """Check the number of steps."""
        if self.fewest is not None:
            require_count(self.fewest, "fednova: fewest")

    def init(self, oracle: Oracle, x0: Vector) -> StepsState:
        """Start at x0."""
        fewest = oracle.K if self.fewest is None else min(self.fewest, oracle.K)
        steps = fewest + oracle.xp.arange(oracle.N)[:, None] * (oracle.K - fewest) // max(oracle.N - 1, 1)
        return StepsState(x0, oracle.to_all(0.0 * x0[..., :1]) + steps)

    def round(self, oracle: Oracle, state: StepsState) -> StepsState:
        """K_i local steps on every active client, then the normalised average."""
        xp, steps, start = oracle.xp, oracle.active(state.steps), oracle.to_clients(state.x)

        def step(k: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            y, u, c, n = carry
            u = self.beta * u + sample_gradients(oracle, y)
            c = self.beta * c + 1.0
            going = k < steps
            y = xp.where(going, y - self.eta * (u + self.rho * (y - start)), y)
            return y, u, c, xp.where(going, (1.0 - self.eta * self.rho) * n + c, n)

        y, _, _, n = oracle.fori(step, (start, 0.0 * start, 0.0 * steps, 0.0 * steps))
        moved = oracle.mean(n, free=True) * oracle.mean((y - start) / n)
        return StepsState(state.x + moved, state.steps)
