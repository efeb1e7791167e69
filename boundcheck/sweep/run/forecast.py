"""How much of a sweep's work is done, by what finished bundles have taken."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from boundcheck.sweep.cells.bundles import cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from boundcheck.sweep.cells.cells import Cell

_RATE, _WEIGHT = 2e-8, 1e6
"""Seconds a unit of `cost` before any is known, and how many units that counts for: bundles that take a hundredth of a
second say little of large ones."""

Kind = tuple[str, ...]
"""What bundles have in common: problem and method, the method alone, or nothing."""


def in_order(bundles: Iterable[list[Cell]]) -> list[list[Cell]]:
    """Return bundles in the order in which they run: the least of every kind first, then the largest ones first.

    What a unit of `cost` takes differs tenfold between kinds, and is known after one bundle of each; large bundles
    that come late keep one core busy alone.
    """
    falling = sorted(bundles, key=cost, reverse=True)
    least = {_kinds(bundle)[0]: place for place, bundle in enumerate(falling)}
    scouts = set(least.values())
    rest = [bundle for place, bundle in enumerate(falling) if place not in scouts]
    return [falling[place] for place in sorted(scouts, reverse=True)] + rest


def _kinds(bundle: Sequence[Cell]) -> tuple[Kind, ...]:
    """Return the kinds of a bundle, the narrowest first."""
    first = bundle[0]
    return (first.problem, first.method), (first.method,), ()


@dataclass
class _BundleTally:
    """Bundles of one kind: how many, their predicted work, and what they took if they are done."""

    bundles: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    fixed: float = inf
    """What one of them costs whatever its size: what the least of them took."""

    def add(self, bundle: list[Cell], sign: int = 1) -> None:
        self.bundles += sign
        self.cost += sign * cost(bundle)


@dataclass
class Forecast:
    """Seconds of the bundles that are left: the fixed part and the rate of `cost` that their kind has."""

    left: dict[tuple[Kind, ...], _BundleTally] = field(default_factory=lambda: defaultdict(_BundleTally))
    """What is left of every problem and method."""
    done: dict[Kind, _BundleTally] = field(default_factory=lambda: defaultdict(_BundleTally))
    """What is done of every kind, narrow or wide."""

    @classmethod
    def of(cls, bundles: Iterable[list[Cell]]) -> Forecast:
        """Return the forecast before anything has run."""
        found = cls()
        for bundle in bundles:
            found.left[_kinds(bundle)].add(bundle)
        return found

    def learn(self, bundle: list[Cell], seconds: float) -> float:
        """Learn from a finished bundle and return the share of all work that is done, in (0, 1]."""
        kinds = _kinds(bundle)
        self.left[kinds].add(bundle, -1)
        for kind in kinds:
            self.done[kind].add(bundle)
            self.done[kind].seconds += seconds
            self.done[kind].fixed = min(self.done[kind].fixed, seconds)
        spent = self.done[()].seconds
        ahead = sum(self._seconds(kinds, tally) for kinds, tally in self.left.items() if tally.bundles)
        return spent / (spent + ahead) if ahead else 1.0

    def _seconds(self, kinds: tuple[Kind, ...], tally: _BundleTally) -> float:
        known = next(self.done[kind] for kind in kinds if self.done[kind].bundles)
        beyond = max(known.seconds - known.fixed * known.bundles, 0.0)
        rate = (_RATE * _WEIGHT + beyond) / (_WEIGHT + known.cost)
        return known.fixed * tally.bundles + rate * tally.cost
