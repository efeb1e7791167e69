"""How much of a sweep's work is done, by what finished bundles have taken."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.sweep.bundles import cost

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.sweep.cells import Cell

_FIXED = 0.2
"""Most seconds that a bundle is taken to cost whatever its size."""


@dataclass
class _Tally:
    """Bundles of one kind: how many, and their predicted work."""

    bundles: int = 0
    cost: float = 0.0

    def add(self, bundle: list[Cell], sign: int = 1) -> None:
        self.bundles += sign
        self.cost += sign * cost(bundle)


@dataclass
class Forecast:
    """Seconds of the bundles that are left: a fixed part each, and the rate of `cost` that their method has."""

    left: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    """What is left of every method."""
    done: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """What the finished bundles of every method took."""
    fixed: float = _FIXED

    @classmethod
    def of(cls, bundles: Iterable[list[Cell]]) -> Forecast:
        """Return the forecast before anything has run."""
        found = cls()
        for bundle in bundles:
            found.left[bundle[0].method].add(bundle)
        return found

    def finished(self, bundle: list[Cell], seconds: float) -> float:
        """Learn from a finished bundle and return the share of all work that is done, in (0, 1]."""
        method = bundle[0].method
        self.left[method].add(bundle, -1)
        self.done[method].add(bundle)
        self.seconds[method] += seconds
        self.fixed = min(self.fixed, seconds)
        spent = sum(self.seconds.values())
        ahead = sum(self._seconds(name, tally) for name, tally in self.left.items() if tally.bundles)
        return spent / (spent + ahead) if ahead else 1.0

    def _seconds(self, method: str, tally: _Tally) -> float:
        known = [method] if self.done[method].bundles else list(self.done)
        done = [self.done[name] for name in known]
        beyond = sum(self.seconds[name] for name in known) - self.fixed * sum(t.bundles for t in done)
        rate = max(beyond, 0.0) / sum(t.cost for t in done)
        return self.fixed * tally.bundles + rate * tally.cost
