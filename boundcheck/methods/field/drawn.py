"""FedAvg on clients that are drawn otherwise than uniformly without replacement, which is what S < N does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.methods.base import Card, Count, Method, Oracle, Step, Vector
from boundcheck.methods.local import local_sgd

SCHEMES = ("weights", "replacement", "order")


def drawn_counts(oracle: Oracle, drawn: int, scheme: str, turn: Vector) -> Vector:
    """Return how often every client is drawn in a round, (lanes, N, 1).

    Parameters
    ----------
    oracle : Oracle
    drawn : int
        Clients drawn.
    scheme : {'weights', 'replacement', 'order'}
        With replacement by the weights p_i; with replacement, all alike; or one after the other.
    turn : Vector
        Who is next in order (lanes, 1, 1).
    """
    N = int(oracle.N)
    if scheme == "order":
        place = (np.arange(N)[:, None] - turn) % N
        whole, rest = divmod(drawn, N)
        return whole + oracle.xp.where(place < rest, 1.0, 0.0)
    p = oracle.weights if scheme == "weights" else np.full((1, N, 1), 1.0 / N)
    ends = np.cumsum(p, axis=1)
    ends[:, -1] = 1.0
    coins = oracle.uniform(drawn)[:, None, :]
    return oracle.xp.where((coins >= ends - p) & (coins < ends), 1.0, 0.0).sum(axis=-1, keepdims=True)


class TurnState(NamedTuple):
    """Server iterate, and whose turn it is."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    turn: Vector
    """Number of the next client in order (lanes, 1, 1)."""


@dataclass(frozen=True, kw_only=True)
class DrawnFedAvg(Method[TurnState]):
    """FedAvg with clients drawn by their weights, with replacement, or in order.

    Problem: minimise f = sum_i p_i f_i.

    **Update**: clients are drawn; from ``y_i = x``, K times ``y_i <- y_i - eta g_i(y_i)``; then ``x <- mean y_i``
    over those that were drawn, one drawn twice counting twice.

    **Guarantee**: `field.fedavg-drawn` for the scheme ``weights``.

    References: [1] Li, Huang, Yang, Wang, Zhang, arXiv:1907.02189, scheme I.

    Attributes
    ----------
    eta : Hyper
        Local step.
    drawn : int
        Clients drawn in a round.
    scheme : {'weights', 'replacement', 'order'}
        With replacement by the weights p_i; with replacement, all alike; or one after the other, round after round.
    """

    eta: Step
    drawn: Count = 1
    scheme: str = "weights"

    card = Card(
        "fedavg-drawn",
        "FedAvg on clients drawn by weight",
        "field",
        "scheme I of arXiv:1907.02189",
        rule="cited",
        partial=False,
        note="the method draws, S = N: what the others compute and send is counted, and not used",
        distinguishes=("drawn", "scheme", "different clients"),
    )

    def __post_init__(self) -> None:
        """Check the scheme."""
        require(self.scheme in SCHEMES, "fedavg-drawn: scheme", self.scheme, ", ".join(SCHEMES))
        require_count(self.drawn, "fedavg-drawn: drawn")

    def init(self, oracle: Oracle, x0: Vector) -> TurnState:
        """Start at x0 with the first client."""
        return TurnState(x0, 0.0 * x0[..., :1])

    def round(self, oracle: Oracle, state: TurnState) -> TurnState:
        """Draw, take local steps, average."""
        counts: Any = drawn_counts(oracle, self.drawn, self.scheme, state.turn)
        start = oracle.to_clients(state.x)
        moved = local_sgd(oracle, start, self.eta) - start
        # The oracle's mean has the weights already.
        x = state.x + oracle.mean(counts / (self.drawn * oracle.weights) * moved)
        return TurnState(x, (state.turn + self.drawn) % oracle.N)
