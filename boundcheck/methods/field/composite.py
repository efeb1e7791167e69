"""Proximal gradient steps, and FISTA: F = f + h, where h is met through its proximal map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, ServerState, Step, Vector
from boundcheck.methods.central import show_at_clients


@dataclass(frozen=True, kw_only=True)
class ProximalSGD(Method[ServerState]):
    """Proximal (stochastic) gradient descent; projected gradient descent where h is a box.

    Problem: minimise F = f + h; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``x <- prox(x - eta g)``, with ``prox(v) = argmin_x h(x) + |x - v|^2/(2 eta)``.

    **Guarantee**: `field.ista` for exact gradients and convex f, `field.proximal-gradient` for any smooth f.

    References: [1] Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear inverse problems",
    SIAM J. Imaging Sciences 2009, section 3.

    Attributes
    ----------
    eta : Hyper
        Step.
    """

    eta: Step

    card = Card(
        "proximal-sgd",
        "Proximal SGD on one machine",
        "field",
        "section 3 of Beck, Teboulle 2009",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        note="with h = 0 it is SGD",
        distinguishes=("K > 1", "noise"),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """Take K steps."""

        def step(_: Any, x: Vector) -> Vector:
            g = oracle.mean(oracle.grad(show_at_clients(oracle, x), oracle.draw()))
            return oracle.prox(x - self.eta * g, self.eta)

        return ServerState(oracle.fori(step, state.x))


class FastState(NamedTuple):
    """Iterate, the point ahead of it, and the weight of the momentum."""

    x: Vector
    """Iterate (lanes, 1, d)."""
    ahead: Vector
    """Point at which the next gradient is taken (lanes, 1, d)."""
    t: Vector
    """t_k, in every coordinate (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class FISTA(Method[FastState]):
    """Accelerated proximal gradient descent; Nesterov's method where h = 0.

    Problem: minimise F = f + h, f and h convex; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round: ``x+ = prox(y - eta g(y))``, ``t+ = (1 + sqrt(1 + 4 t^2))/2``,
    ``y = x+ + ((t - 1)/t+) (x+ - x)``; y starts at x_0, t at 1.

    **Guarantee**: `field.fista` for exact gradients.

    References: [1] Beck, Teboulle, SIAM J. Imaging Sciences 2009, section 4.

    Attributes
    ----------
    eta : Hyper
        Step.
    """

    eta: Step

    card = Card(
        "fista",
        "FISTA on one machine",
        "field",
        "section 4 of Beck, Teboulle 2009",
        rule="cited",
        up="0",
        down="0",
        partial=False,
        server="2 d",
        distinguishes=("T > 1",),
    )

    def init(self, oracle: Oracle, x0: Vector) -> FastState:
        """Start at x0 with t = 1."""
        return FastState(x0, x0, 0.0 * x0 + 1.0)

    def round(self, oracle: Oracle, state: FastState) -> FastState:
        """Take K steps."""

        def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
            x, y, t = carry
            new = oracle.prox(
                y - self.eta * oracle.mean(oracle.grad(show_at_clients(oracle, y), oracle.draw())), self.eta
            )
            later = (1.0 + oracle.xp.sqrt(1.0 + 4.0 * t * t)) / 2.0
            return new, new + ((t - 1.0) / later) * (new - x), later

        return FastState(*oracle.fori(step, tuple(state)))
