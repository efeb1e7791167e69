"""What an identity is, and what comes out when it is checked."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.files.display import shows

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.verdicts.words import IdentityWord


TOLERANCE = 1e-9
"""How far an implementation in double precision may be from ours, relative to the largest iterate."""


class Deviation(NamedTuple):
    """How far the two sides of an identity are apart."""

    deviation: float
    """Largest difference relative to the size of the right-hand side; nan or inf if a side is not finite."""
    tolerance: float
    """What rounding may do, or a limit that has not been reached."""


@shows("id", "statement")
@dataclass(frozen=True)
class MethodIdentity:
    """A fact that follows from the pseudocode by algebra, so that every implementation has to obey it."""

    id: str
    """The registered method that it is about, a dot and a name."""
    statement: str
    check: Callable[[], Deviation]
    """Run small simulations and compare the two sides."""
    also: tuple[str, ...] = ()
    """Other registered methods that it speaks of."""

    @property
    def methods(self) -> tuple[str, ...]:
        """Return all registered methods that it speaks of, its own first."""
        return (self.id.partition(".")[0], *self.also)

    def measure_deviation(self) -> Deviation:
        """Return the deviation, without warnings: a wrong method may divide by zero, which makes it nan or inf."""
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            return self.check()


@dataclass(frozen=True)
class IdentityResult:
    """A checked identity."""

    id: str
    methods: tuple[str, ...]
    statement: str
    deviation: float
    tolerance: float
    ok: bool


class NotAskedError(Exception):
    """An identity cannot be asked of an implementation that shows its iterates alone; the message says why."""


@dataclass(frozen=True)
class Judgement:
    """An identity asked of somebody's implementation, which stood in the place of the registered method."""

    id: str
    statement: str
    verdict: IdentityWord
    deviation: float | None
    """None if it was not asked."""
    tolerance: float | None
    reason: str
    """Why it was not asked, or what was raised."""
