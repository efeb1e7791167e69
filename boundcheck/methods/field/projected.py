"""Gradient descent ascent with y in a box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boundcheck.methods.base import Card, Method, Oracle, Real, ServerState, Step, Vector
from boundcheck.methods.central import show_at_clients


@dataclass(frozen=True, kw_only=True)
class ProjectedSGDA(Method[ServerState]):
    """Two-time-scale (stochastic) gradient descent ascent, projected on a box in y.

    Problem: min_x max_y f(x, y) over |y_c| <= reach; g is the mean of the clients' minibatch gradients.

    **Update**, K times a round, both at the old pair: ``x <- x - eta_x g^x``, ``y <- P(y + eta_y g^y)``, P the
    nearest point of the box.

    **Guarantee**: `field.gda-concave` for exact gradients and f concave in y.

    References: [1] Lin, Jin, Jordan, arXiv:1906.00331, Algorithm 1.

    Attributes
    ----------
    eta_x, eta_y : Hyper
        Descent and ascent step.
    reach : Hyper
        Half the width of the box.
    """

    eta_x: Step
    eta_y: Step
    reach: Real

    card = Card(
        "sgda-projected",
        "SGDA on one machine, y in a box",
        "field",
        "Algorithm 1 of arXiv:1906.00331",
        rule="cited",
        kind="minimax",
        up="0",
        down="0",
        partial=False,
        needs=("max block",),
        distinguishes=("eta_x", "eta_y", "reach"),
    )

    def round(self, oracle: Oracle, state: ServerState) -> ServerState:
        """K steps along the mean gradient."""
        along = oracle.blockwise(self.eta_x, -self.eta_y)
        far = oracle.blockwise(float("inf"), self.reach)

        def step(_: Any, z: Vector) -> Vector:
            z = z - along * oracle.mean(oracle.grad(show_at_clients(oracle, z), oracle.draw()))
            return oracle.xp.minimum(oracle.xp.maximum(z, -far), far)

        return ServerState(oracle.fori(step, state.x))
