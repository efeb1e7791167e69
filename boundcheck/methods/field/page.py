"""PAGE: a recursive gradient estimator that is made anew now and then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Method, Oracle, Probability, Step, Traffic, Vector


class PageState(NamedTuple):
    """Server iterate and gradient estimator."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    g: Vector
    """Estimate of grad f at x (lanes, 1, d)."""


@dataclass(frozen=True, kw_only=True)
class PAGE(Method[PageState]):
    """Probabilistic gradient estimator.

    Problem: minimise f = mean_i f_i; the minibatch of a step are those of all clients together.

    **Update**: ``x+ = x - eta g``; then ``g <- grad f(x+)`` with probability p, else
    ``g <- g + mean_i (g_i(x+) - g_i(x))`` on one fresh minibatch.  g starts as grad f(x_0).

    References: [1] Li, Bao, Zhang, Richtarik, arXiv:2008.10895, Algorithm 1.

    Attributes
    ----------
    eta : Hyper
        Step.
    p : Hyper
        Probability of an exact gradient.
    """

    eta: Step
    p: Probability

    state_type = PageState

    card = Card(
        "page",
        "PAGE",
        "field",
        "Algorithm 1 of arXiv:2008.10895",
        rule="cited",
        gradients="2 (1 full with probability p)",
        partial=False,
        needs=("exact gradients", "same sample"),
        server="d",
        distinguishes=("p", "T > 1", "noise"),
        cost=1.3,
        note="the coin decides between exact gradients and the change",
    )

    def traffic(self, d: int) -> Traffic:
        """Return that the coin decides between the change and exact gradients of all clients."""
        return super().traffic(d)._replace(up=1.0 - self.p, all_up=self.p)

    def init(self, oracle: Oracle, x0: Vector) -> PageState:
        """Start at x0 with the exact gradient."""
        return PageState(x0, oracle.mean_all(oracle.full_all(x0)))

    def round(self, oracle: Oracle, state: PageState) -> PageState:
        """One step, then the coin decides between the exact and the recursive estimator."""
        # Clients have the point of the round before.
        old = oracle.to_clients(state.x, free=True)
        oracle.observe(old)
        x = state.x - self.eta * state.g
        new, batch = oracle.to_clients(x), oracle.draw()
        change = oracle.mean(oracle.grad(new, batch) - oracle.grad(old, batch))
        exact = oracle.mean_all(oracle.full_all(x))
        return PageState(x, oracle.xp.where(oracle.uniform(1, 1) < self.p, exact, state.g + change))
