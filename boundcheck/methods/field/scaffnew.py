"""Scaffnew: local steps corrected by control variates, averaged when a coin says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Probability, Step, Traffic, Vector
from boundcheck.methods.encoding import WORD


class ScaffnewState(NamedTuple):
    """The mean of the local models, the local models, and the control variates."""

    x: Vector
    """Mean of the local models (lanes, 1, d)."""
    own: Vector
    """Local models x_i (lanes, N, d)."""
    h: Vector
    """Control variates h_i, which add up to 0 (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class Scaffnew(Method[ScaffnewState]):
    """ProxSkip on the consensus problem.

    Problem: minimise f = mean_i f_i with exact client gradients; all clients in every step.

    **Update**, a round is one local step: ``z_i = x_i - eta (grad f_i(x_i) - h_i)``; with probability p, one coin for
    all, ``x_i <- mean_j z_j`` and ``h_i <- h_i + (p/eta) (x_i - z_i)``, else ``x_i <- z_i``.  h_i starts at 0.

    References: [1] Mishchenko, Malinovsky, Stich, Richtarik, arXiv:2202.09357, Algorithm 2.

    Attributes
    ----------
    eta : Hyper
        Step.
    p : Hyper
        Probability of communication.
    """

    eta: Step
    p: Probability

    card = Card(
        "scaffnew",
        "Scaffnew (ProxSkip)",
        "field",
        "Algorithm 2 of arXiv:2202.09357",
        rule="cited",
        gradients="1 full",
        up="0 (1 with probability p)",
        down="0 (1 with probability p)",
        partial=False,
        needs=("exact gradients",),
        client="2 d",
        distinguishes=("p", "T > 1", "different clients"),
        cost=2.8,
    )

    def traffic(self, d: int) -> Traffic:
        """Return that models are exchanged where the coin says so."""
        return Traffic(float(WORD * d), float(WORD * d), self.p, self.p)

    def init(self, oracle: Oracle, x0: Vector) -> ScaffnewState:
        """Start everybody at x0 without corrections."""
        own = oracle.to_all(x0)
        return ScaffnewState(x0, own, 0.0 * own)

    def round(self, oracle: Oracle, state: ScaffnewState) -> ScaffnewState:
        """One local step of everybody, then the coin decides whether models are averaged."""
        oracle.observe(state.own)
        moved = state.own - self.eta * (oracle.full_all(state.own) - state.h)
        mean = oracle.mean(moved)
        own = oracle.xp.where(oracle.uniform(1, 1) < self.p, oracle.to_clients(mean), moved)
        return ScaffnewState(mean, own, state.h + (self.p / self.eta) * (own - moved))
