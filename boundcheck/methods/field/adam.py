"""Adam as its regret theorem has it: decreasing steps, and projection to an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Hyper, Method, Oracle, Step, Vector, Weight


class AdamState(NamedTuple):
    """Server iterate, the two moments and the count."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    m: Vector
    """First moment (lanes, 1, d)."""
    v: Vector
    """Second moment (lanes, 1, d)."""
    t: Vector
    """Rounds so far, in every coordinate (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class ProjectedAdam(Method[AdamState]):
    """Adam with steps eta/sqrt(t) on the box of side D_inf around the origin.

    Problem: online losses; the gradient is taken at the server's iterate, once a round.

    **Update** (round t = 1, 2, ...): ``m <- b m + (1-b) g`` with ``b = beta1 decay1^(t-1)``,
    ``v <- beta2 v + (1-beta2) g^2``, ``x <- clip(x - (eta/sqrt(t)) (m/(1-beta1^t)) / sqrt(v/(1-beta2^t)))``, each
    coordinate clipped to [-D_inf/2, D_inf/2]; no step where v = 0.

    References: [1] Kingma, Ba, arXiv:1412.6980, Algorithm 1 and section 4.  [2] Reddi, Kale, Kumar, arXiv:1904.09237,
    for the projection.

    Attributes
    ----------
    eta : Hyper
        Step, a length.
    beta1, beta2 : Hyper
        Shares of the old moments.
    decay1 : Hyper
        Decay of beta1.
    D_inf : Hyper
        Side of the box.
    """

    eta: Step
    beta1: Weight
    beta2: Weight
    decay1: Weight
    D_inf: Hyper

    state_type = AdamState

    card = Card(
        "adam-projected",
        "Adam with projection",
        "field",
        "Algorithm 1 of arXiv:1412.6980",
        rule="cited",
        gradients="1",
        up="0",
        down="0",
        partial=False,
        server="3 d",
        distinguishes=("beta1", "beta2", "decay1", "D_inf", "T > 1"),
        cost=2.5,
    )

    def round(self, oracle: Oracle, state: AdamState) -> AdamState:
        """One step."""
        xp, t = oracle.xp, state.t + 1.0
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        g = oracle.mean(oracle.grad(y, oracle.draw()))
        old = self.beta1 * self.decay1 ** (t - 1.0)
        m = old * state.m + (1.0 - old) * g
        v = self.beta2 * state.v + (1.0 - self.beta2) * g * g
        size = xp.sqrt(v / (1.0 - self.beta2**t))
        step = (self.eta / xp.sqrt(t)) * (m / (1.0 - self.beta1**t)) / xp.where(size > 0, size, 1.0)
        half = 0.5 * self.D_inf
        return AdamState(xp.minimum(xp.maximum(state.x - step, -half), half), m, v, t)
