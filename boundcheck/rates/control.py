"""Controls: runs whose power is known to be another one, and that must come out at it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.fedlalr import FedLALR
from boundcheck.methods.minimax import LocalSGDA

if TYPE_CHECKING:
    from boundcheck.methods.base import Method
    from boundcheck.rates.plan import PlannedPoint


@dataclass(frozen=True)
class Control:
    """A method at every point of a grid whose power of the axis is known.

    *frozen* is the method itself with the rounds of the grid's first point: nothing may fall with N, S or K then.
    *plain* is gradient descent by ``size T^-falls`` a round, whose squared gradient falls like T^-(1 - falls) on the
    tail, as that of every descent falls with the sum of its steps.
    """

    kind: Literal["frozen", "plain"]
    words: str
    size: float = 1.0
    falls: float = 1.0

    @property
    def power(self) -> float:
        """The known power of the axis, signed."""
        return 0.0 if self.kind == "frozen" else self.falls - 1.0

    def method(self, first: PlannedPoint, here: PlannedPoint) -> Method:
        """Return the method at a point, from the plans of the grid's first point and of this one."""
        if self.kind == "plain":
            eta = self.size * here.setting.T**-self.falls / here.setting.K
            if here.problem.is_minimax:
                return LocalSGDA(eta_x=eta, eta_y=0.1)
            return FedAvg(eta=eta)
        if not isinstance(first.method, FedLALR):
            return first.method
        # Its local steps are added, not averaged: K of them go K times as far.
        return dataclasses.replace(first.method, eta=first.method.eta * first.setting.K / here.setting.K)


def frozen(words: str) -> Control:
    """Return the control without the letter in its schedule."""
    return Control("frozen", f"the rounds of the first point everywhere: {words}")


def plain(falls: float, words: str, size: float = 1.0) -> Control:
    """Return gradient descent of another known power."""
    return Control("plain", f"gradient descent by {size:g} T^-{falls:.3g} a round: {words}", size, falls)
