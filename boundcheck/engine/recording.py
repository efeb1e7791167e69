"""An oracle that keeps what a round asked for and was told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boundcheck.engine.oracle import LaneOracle

if TYPE_CHECKING:
    from collections.abc import Collection

    from boundcheck.methods.base import Hyper, Order
    from boundcheck.problems.base import Array, Token

KINDS = ("points", "means", "sent", "gradients", "minibatches")
"""What can be recorded."""


@dataclass(frozen=True)
class RoundRecord:
    """What was recorded in one round, in the order of the method's calls."""

    points: list[Array] = field(default_factory=list)
    """Local iterates that were shown to the observers, each (lanes, S, d)."""
    sent: list[Array] = field(default_factory=list)
    """What the active clients sent to be averaged, each (lanes, S, d)."""
    means: list[Array] = field(default_factory=list)
    """Averages over the active clients, each (lanes, 1, d)."""
    gradients: list[Array] = field(default_factory=list)
    """Stochastic gradients of the active clients, each (lanes, S, d)."""
    minibatches: list[Token] = field(default_factory=list)
    """Minibatches that were drawn."""


class RecordingOracle(LaneOracle):
    """A `LaneOracle` that keeps what the running round saw.

    Attributes
    ----------
    record : RoundRecord
        The running round's, or that of the time before the first; every round begins one of its own.
    """

    def __init__(self, *args: Any, kinds: Collection[str] = KINDS, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._kinds = frozenset(kinds)
        self.record = RoundRecord()

    def begin_round(self, x: Array) -> None:
        """Forget the round before."""
        self.record = RoundRecord()
        super().begin_round(x)

    def observe(self, y: Array, weight: Hyper = 1.0) -> None:
        """Record the local iterates."""
        if "points" in self._kinds:
            self.record.points.append(y)
        super().observe(y, weight)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Record the average."""
        mean = super().mean(v, free=free)
        if "sent" in self._kinds:
            self.record.sent.append(v)
        if "means" in self._kinds:
            self.record.means.append(mean)
        return mean

    def draw(self, b: int | None = None) -> Token:
        """Record the minibatch."""
        minibatch = super().draw(b)
        if "minibatches" in self._kinds:
            self.record.minibatches.append(minibatch)
        return minibatch

    def draw_in_turn(self, b: int | None = None, *, order: Order = "reshuffled") -> Token:
        """Record the minibatch."""
        minibatch = super().draw_in_turn(b, order=order)
        if "minibatches" in self._kinds:
            self.record.minibatches.append(minibatch)
        return minibatch

    def grad(self, y: Array, batch: Token) -> Array:
        """Record a copy of the gradients."""
        g = super().grad(y, batch)
        if "gradients" in self._kinds:
            # A copy, as a method may go on computing in the array that it was given.
            self.record.gradients.append(g.copy())
        return g
