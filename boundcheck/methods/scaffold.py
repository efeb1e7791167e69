"""SCAFFOLD-M: control variates with the server's momentum mixed into every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Step, Vector, Weight
from boundcheck.methods.local import direction, mean_model, mean_refreshed, sample_gradients


class ScaffoldState(NamedTuple):
    """Server iterate and direction, and the control variates of all N clients."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    g: Vector
    """Direction estimated in the previous round (lanes, 1, d)."""
    c_i: Vector
    """Client control variates (lanes, N, d)."""
    c: Vector
    """Server control variate, the mean of the client ones (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class ScaffoldM(Method):
    """SCAFFOLD with momentum; beta = 1 is SCAFFOLD (option II).

    Problem: minimise f = mean_i f_i; S of N clients a round.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (beta (g_i(y_i) - c_i + c) + (1-beta) g)``; then
    ``c_i+ = mean_k g_i`` on the active clients, ``g <- mean_i (x - y_i) / (eta K)``, ``x <- x - gamma g`` and
    ``c <- c + (1/N) sum_i (c_i+ - c_i)`` (note 1/N, not 1/S).

    **Guarantee**: momentum-fl Theorem 19.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, Algorithm 2.

    Attributes
    ----------
    eta, gamma, beta : Hyper
        Local step, server step on the normalised direction, weight of the fresh gradient (1 is SCAFFOLD).
    B : int
        Samples a client spends on its first control variate.
    """

    eta: Step
    gamma: Step
    beta: Weight
    B: int = 1

    card = Card(
        "scaffold-m",
        "SCAFFOLD-M",
        "momentum-fl",
        "Algorithm 2",
        up="2",
        down="3",
        note="before the first round every client sends the mean gradient of B samples",
        distinguishes=("beta", "S < N", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.4,
        client="d",
        server="2 d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start at x0 with g = 0 and control variates from B samples on every client."""
        c_i = oracle.initial(x0, self.B)
        return ScaffoldState(x0, 0.0 * x0, c_i, oracle.mean_all(c_i))

    def drift(self, oracle: Oracle, state: Any) -> Vector:
        """Return what is added to every gradient, or to beta times it."""
        own = oracle.active(state.c_i)
        return self.beta * (oracle.to_clients(state.c) - own) + oracle.to_clients((1.0 - self.beta) * state.g)

    def local(self, oracle: Oracle, state: Any, start: Vector) -> tuple[Vector, Vector]:
        """Return where K corrected steps end, and the sums of the clients' gradients."""
        drift = self.drift(oracle, state)

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            y, total = carry
            g_i = sample_gradients(oracle, y)
            return y - self.eta * (self.beta * g_i + drift), total + g_i

        y, total = oracle.fori(step, (start, 0.0 * start))
        return y, total

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K corrected local steps on every active client, then both server updates."""
        y, total = self.local(oracle, state, oracle.to_clients(state.x))
        fresh = (1.0 / oracle.K) * total
        g = direction(oracle, state.x, mean_model(oracle, state.x, y), self.eta)
        c = mean_refreshed(oracle, state.c, fresh - oracle.active(state.c_i))
        return state._replace(x=state.x - self.gamma * g, g=g, c_i=oracle.remember(state.c_i, fresh), c=c)
