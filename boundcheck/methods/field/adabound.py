"""AdaBound as its regret theorem has it, without a first moment: bounded adaptive steps, and projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Hyper, Method, Oracle, Step, Vector, Weight


class BoundState(NamedTuple):
    """Server iterate, the second moment and the count."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    v: Vector
    """Second moment (lanes, 1, d)."""
    t: Vector
    """Rounds so far, in every coordinate (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class AdaBound(Method[BoundState]):
    """AdaBound without a first moment, on the box of side D_inf around the origin.

    Problem: online losses; the gradient is taken at the server's iterate, once a round.

    **Update** (round t = 1, 2, ...): ``v <- beta2 v + (1-beta2) g^2``, ``s = min(max(eta/sqrt(v), low), high)`` in each
    coordinate, with ``low = eta_end (1 - 1/(rise t + 1))`` and ``high = eta_end (1 + 1/(fall t))``,
    ``x <- clip(x - s g/sqrt(t))``, each coordinate clipped to [-D_inf/2, D_inf/2]; s is high where v = 0.

    References: [1] Luo, Xiong, Liu, Sun, arXiv:1902.09843, Algorithm 2 at beta1 = 0.

    Attributes
    ----------
    eta : Hyper
        Step before it is bounded, a length.
    beta2 : Hyper
        Share of the old second moment.
    eta_end : Hyper
        Step to which both bounds tend.
    rise, fall : Hyper
        Speeds of the lower and of the upper bound.
    D_inf : Hyper
        Side of the box.
    """

    eta: Step
    beta2: Weight
    eta_end: Step
    D_inf: Hyper
    rise: Hyper = 0.001
    fall: Hyper = 0.001

    state_type = BoundState

    card = Card(
        "adabound",
        "AdaBound with projection",
        "field",
        "Algorithm 2 of arXiv:1902.09843",
        rule="cited",
        gradients="1",
        up="0",
        down="0",
        partial=False,
        server="2 d",
        distinguishes=("beta2", "eta_end", "D_inf", "T > 1"),
        cost=3.0,
    )

    def round(self, oracle: Oracle, state: BoundState) -> BoundState:
        """One step."""
        xp, t = oracle.xp, state.t + 1.0
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        g = oracle.mean(oracle.grad(y, oracle.draw()))
        v = self.beta2 * state.v + (1.0 - self.beta2) * g * g
        low = self.eta_end * (1.0 - 1.0 / (self.rise * t + 1.0))
        high = self.eta_end * (1.0 + 1.0 / (self.fall * t))
        size = xp.where(v > 0, self.eta / xp.sqrt(xp.where(v > 0, v, 1.0)), high)
        step = xp.minimum(xp.maximum(size, low), high) * g / xp.sqrt(t)
        half = 0.5 * self.D_inf
        return BoundState(xp.minimum(xp.maximum(state.x - step, -half), half), v, t)
