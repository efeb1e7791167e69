"""DIANA: quantised differences from a shift that every client learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boundcheck.methods.base import Card, Oracle, Step, Vector, Weight
from boundcheck.methods.quantise import Quantised


class ShiftState(NamedTuple):
    """Server iterate and the clients' shifts."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    h: Vector
    """Shifts h_i, which the server knows too (lanes, N, d)."""


@dataclass(frozen=True, kw_only=True)
class DIANA(Quantised):
    """Compressed gradient differences.

    Problem: minimise f = mean_i f_i with exact client gradients; all clients in every round.

    **Update**: ``m_i = Q(grad f_i(x) - h_i)`` with independent quantisers; ``x <- x - eta mean_i (h_i + m_i)`` and
    ``h_i <- h_i + alpha m_i``.  h_i starts at 0.  With alpha = 0 it is compressed gradient descent.

    **Guarantee**: `field.diana`.

    References: [1] Mishchenko, Gorbunov, Takac, Richtarik, arXiv:1901.09269, Algorithm 1 without momentum and penalty.

    Attributes
    ----------
    eta : Hyper
        Step.
    alpha : Hyper
        How much of a difference a shift takes.
    """

    eta: Step
    alpha: Weight

    card = Card(
        "diana",
        "DIANA",
        "field",
        "Algorithm 1 of arXiv:1901.09269",
        rule="cited",
        gradients="1 full",
        up="1 compressed",
        partial=False,
        needs=("exact gradients",),
        client="d",
        server="d",
        note="no local steps, so K does not matter; the server keeps the mean of the shifts",
        distinguishes=("alpha", "quantiser", "T > 1", "different clients"),
    )

    def init(self, oracle: Oracle, x0: Vector) -> ShiftState:
        """Start at x0 with shifts of 0."""
        return ShiftState(x0, 0.0 * oracle.to_all(x0))

    def round(self, oracle: Oracle, state: ShiftState) -> ShiftState:
        """One step along shifts and quantised differences."""
        y = oracle.to_clients(state.x)
        oracle.observe(y)
        sent = self.Q(oracle, oracle.full(y) - state.h)
        x = state.x - self.eta * (oracle.mean(state.h, free=True) + oracle.mean(sent))
        return ShiftState(x, state.h + self.alpha * sent)
