"""The witness that is shown: the simplest values that serve, letter by letter.

Which values serve is a matter of fact, so the witness does not depend on where a solver happens to look.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import sympy as sp

from boundcheck.notation import LETTERS
from boundcheck.proofs.provers.solver import SolverQuery, without_recording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from boundcheck.proofs.provers.solver import Point

COUNTED = frozenset({"N", "S", "K", "T", "d", "b", "B"})
WHOLE = (1, 2, 3, 4, 5, 10, 100, 10**4, 10**6)
EFFORT = 0.2
"""Work that one try may take, in seconds of an idle machine."""
HEIGHT = 7
DECADES = 15
DEPTH = 64
ROUND = (1, 2, 5, 3, 4, 6, 7, 8, 9)
RANK = {name: k for k, name in enumerate(LETTERS)}


def simplest(conditions: Iterable[sp.Basic], effort: float = EFFORT) -> Point | None:
    """Return the simplest point that satisfies all conditions, or None where no point is found.

    Letters are settled in the order of `boundcheck.notation`, others after them by name.  Each gets the fraction with
    the smallest numerator plus denominator that leaves the rest a solution (1, 1/2, 2, 1/3, 3, ..., then zero; of what
    is counted a whole number first); where none of those serves, the first decade that does and in it a round value,
    or else the simplest fraction.  A letter without such a value, an irrational root say, keeps what the solver gives.

    Parameters
    ----------
    conditions : iterable of relation
        What has to hold.
    effort : float
        Work that one try may take, in seconds of an idle machine.
    """
    with without_recording():
        return _WitnessSearch(SolverQuery(conditions), effort).run()


def in_order(symbols: Iterable[sp.Symbol]) -> list[sp.Symbol]:
    """Return symbols in the order of the notation, others after them by name."""
    return sorted(symbols, key=lambda s: (RANK.get(s.name, len(RANK)), s.name))


def fractions(height: int = HEIGHT) -> Iterator[sp.Rational]:
    """Yield the positive fractions by numerator plus denominator up to a height, the smaller first."""
    for total in range(2, height + 1):
        yield from (sp.Rational(p, total - p) for p in range(1, total) if gcd(p, total) == 1)


class _WitnessSearch:
    """Settles the letters of a question one after the other."""

    def __init__(self, question: SolverQuery, effort: float) -> None:
        self.question, self.effort = question, effort
        self.fixed: Point = {}
        self.point: Point | None = None

    def run(self) -> Point | None:
        self.point = self.question.ask(self.effort).point
        if self.point is None:
            return None
        for symbol in in_order(self.question.symbols):
            if not any(self._serves(symbol, x) for x in _small(symbol)):
                self._between(symbol)
        return self.point

    def _serves(self, symbol: sp.Symbol, value: sp.Expr) -> bool:
        """Settle a letter at a value if the other letters can follow."""
        known = self.point is not None and self.point[symbol] == value
        found = self.point if known else self.question.serves(self.effort, self.fixed | {symbol: value})
        if found is not None:
            self.point, self.fixed = found, self.fixed | {symbol: value}
        return found is not None

    def _between(self, symbol: sp.Symbol) -> bool:
        """Settle a letter at the simplest fraction of the first decade that has a value for it."""
        for sign in (1, -1):
            for power in sorted(range(-DECADES, DECADES), key=lambda k: (abs(k), -k)):
                unit = sign * sp.Integer(10) ** power
                if self._meets(symbol, unit, sp.Integer(1), sp.Integer(10)):
                    return self._descend(symbol, unit)
            if symbol.is_nonnegative:
                break
        return False

    def _descend(self, symbol: sp.Symbol, unit: sp.Expr) -> bool:
        """Try round values, then walk down the tree of all fractions, to the smaller ones where both sides serve."""
        if any(self._serves(symbol, digit * unit) for digit in ROUND):
            return True
        # Near one the fractions themselves are simple, further away multiples of the power of ten are.
        unit = sp.sign(unit) if abs(unit) == sp.Rational(1, 10) else unit
        low, high = (0, 1), (1, 0)
        for _ in range(DEPTH):
            middle = (low[0] + high[0], low[1] + high[1])
            ends = [sp.Rational(*end) for end in (low, middle)]
            if self._serves(symbol, unit * ends[1]):
                return True
            if self._meets(symbol, unit, *ends):
                high = middle
            else:
                low = middle
        return False

    def _meets(self, symbol: sp.Symbol, unit: sp.Expr, low: sp.Expr, high: sp.Expr) -> bool:
        """Whether the letter has a value between two multiples of a unit."""
        scaled = symbol / unit
        inside = [sp.Ge(scaled, low, evaluate=False), sp.Le(scaled, high, evaluate=False)]
        return self.question.meets(self.effort, self.fixed, inside)


def _small(symbol: sp.Symbol) -> Iterator[sp.Expr]:
    """Yield small values for a letter; zero last, so that nothing vanishes that need not."""
    if symbol.name in COUNTED:
        yield from map(sp.Integer, WHOLE)
    for x in fractions():
        yield x
        if not symbol.is_nonnegative:
            yield -x
    if not symbol.is_positive:
        yield sp.S.Zero
