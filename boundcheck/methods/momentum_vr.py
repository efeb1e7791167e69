"""Momentum with variance reduction: FedAvg-M-VR and SCAFFOLD-M-VR.

Both evaluate every minibatch at two points: the local iterate and the previous server iterate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Vector
from boundcheck.methods.fedavg import FedAvgM
from boundcheck.methods.scaffold import ScaffoldM


class PreviousState(NamedTuple):
    """Two server iterates and the direction between them."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    previous: Vector
    """Server iterate before, at the start x_0 itself (lanes, 1, d)."""
    g: Vector
    """Direction estimated in the previous round (lanes, 1, d)."""


class FromDirection(Method):
    """A method that starts at x0 with the mean gradient of `B` samples of every client as its direction.

    Attributes
    ----------
    B : int
        Samples a client spends on the first direction.
    """

    B: int

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start at x0 with the direction from B samples on every client."""
        return PreviousState(x0, x0, oracle.mean_all(oracle.initial(x0, self.B)))


@dataclass(frozen=True, kw_only=True)
class FedAvgMVR(FromDirection, FedAvgM):
    """FedAvg with variance-reduced momentum in every local step.

    Problem: minimise f = mean_i f_i, every sample gradient Lipschitz.

    **Update**: from ``y_i = x``, K times ``y_i <- y_i - eta (g_i(y_i) + (1-beta) (g - g_i(x_prev)))`` with one
    minibatch at both points; then ``g <- mean_i (x - y_i) / (eta K)``, ``x_prev <- x`` and ``x <- x - gamma g``.  At
    the start x_prev = x_0 and g is the mean of B gradients of every client.

    **Guarantee**: momentum-fl Theorem 15, full participation.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, Algorithm 3.
    """

    B: int = 1

    card = Card(
        "fedavg-m-vr",
        "FedAvg-M-VR",
        "momentum-fl",
        "Algorithm 3",
        gradients="2K",
        down="2",
        needs=("same sample",),
        note="K samples; d floats down if clients keep the previous x",
        distinguishes=("beta", "K > 1", "T > 1", "noise"),
        mixes=True,
        cost=0.9,
        server="2 d",
    )

    def local(self, oracle: Oracle, state: Any, start: Vector) -> Vector:
        """K local steps that correct the frozen direction."""
        at = oracle.to_clients(state.previous, free=True)  # x_prev = x + gamma g
        g = oracle.to_clients(state.g)

        def step(_: Any, y: Vector) -> Vector:
            oracle.observe(y)
            batch = oracle.draw()
            return y - self.eta * (oracle.grad(y, batch) + (1.0 - self.beta) * (g - oracle.grad(at, batch)))

        return oracle.fori(step, start)

    def server(self, oracle: Oracle, state: Any, y: Vector) -> Any:
        """Refresh the direction, take the server step along it, and keep the iterate before."""
        return super().server(oracle, state, y)._replace(previous=state.x)


class ScaffoldVRState(NamedTuple):
    """Two server iterates, the direction between them and the control variates of all N clients."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    previous: Vector
    """Server iterate before, at the start x_0 itself (lanes, 1, d)."""
    g: Vector
    """Direction estimated in the previous round (lanes, 1, d)."""
    c_i: Vector
    """Client control variates (lanes, N, d)."""
    c: Vector
    """Server control variate, the mean of the client ones (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class ScaffoldMVR(ScaffoldM):
    """SCAFFOLD with variance-reduced momentum.

    Problem: minimise f = mean_i f_i, every sample gradient Lipschitz; S of N clients a round.

    **Update**: from ``y_i = x``, K times
    ``y_i <- y_i - eta (g_i(y_i) - beta (c_i - c) + (1-beta) (g - g_i(x_prev)))`` with one minibatch at both points;
    then ``c_i+ = mean_k g_i(y_i)`` on the active clients, ``g <- mean_i (x - y_i) / (eta K)``, ``x_prev <- x``,
    ``x <- x - gamma g`` and ``c <- c + (1/N) sum_i (c_i+ - c_i)``.  At the start g = c = mean_i c_i and x_prev = x_0.

    **Guarantee**: momentum-fl Theorem 22.

    References: [1] Cheng, Huang, Wu, Yuan, arXiv:2306.16504, Algorithm 4.
    """

    card = Card(
        "scaffold-m-vr",
        "SCAFFOLD-M-VR",
        "momentum-fl",
        "Algorithm 4",
        gradients="2K",
        up="2",
        down="3",
        needs=("same sample",),
        note="K samples; before the first round every client sends the mean gradient of B samples",
        distinguishes=("beta", "S < N", "K > 1", "T > 1", "noise", "different clients"),
        mixes=True,
        cost=1.2,
        client="d",
        server="3 d",
    )

    def init(self, oracle: Oracle, x0: Vector) -> Any:
        """Start at x0 with control variates from B samples on every client, their mean being the direction too."""
        c_i = oracle.initial(x0, self.B)
        c = oracle.mean_all(c_i)
        return ScaffoldVRState(x0, x0, c, c_i, c)

    def local(self, oracle: Oracle, state: Any, start: Vector) -> tuple[Vector, Vector]:
        """Return where K corrected steps end, and the sums of the clients' gradients."""
        at = oracle.to_clients(state.previous, free=True)  # x_prev = x + gamma g
        drift = self.drift(oracle, state)

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            y, total = carry
            oracle.observe(y)
            batch = oracle.draw()
            g_i = oracle.grad(y, batch)
            return y - self.eta * (g_i + drift - (1.0 - self.beta) * oracle.grad(at, batch)), total + g_i

        y, total = oracle.fori(step, (start, 0.0 * start))
        return y, total

    def round(self, oracle: Oracle, state: Any) -> Any:
        """K corrected local steps on every active client, then both server updates."""
        return super().round(oracle, state)._replace(previous=state.x)
