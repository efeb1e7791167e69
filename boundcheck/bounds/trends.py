"""Whether a bound rises or falls with a letter, decided by interval arithmetic on elasticities.

The elasticity of f in x is d log f / d log x: p for x^p, additive over products, and for sums, minima and maxima of
positive parts between the smallest and the largest of the parts'.  An interval of elasticities without a change of
sign proves the trend for every value of every letter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
import sympy as sp

from boundcheck.bounds.analysis import move_letter
from boundcheck.bounds.bound import SETTINGS, Bound
from boundcheck.bounds.orders import substitute_parameters
from boundcheck.errors import NotApplicableError
from boundcheck.notation import symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.bound import Values
    from boundcheck.bounds.rate import Rate

Direction = Literal["increasing", "decreasing", "constant", "neither", "open"]
End = Fraction | float
Interval = tuple[End, End]
"""Least and largest elasticity; infinite where no bound is known."""

ZERO: Interval = (Fraction(0), Fraction(0))
UP: Interval = (Fraction(0), math.inf)
DOWN: Interval = (-math.inf, Fraction(0))
ANY: Interval = (-math.inf, math.inf)
_TRIES = 60
_CLEAR = 1e-9
"""Relative change below which two values count as equal."""


@dataclass(frozen=True)
class Trend:
    """How the right-hand side moves with a letter, the others fixed and the parameters as prescribed."""

    letter: str
    direction: Direction
    """"increasing" and "decreasing" allow stretches where nothing moves."""
    reason: str


def trend(statement: Bound | Rate, letter: str, *, seed: int = 0) -> Trend:
    """Decide whether a bound or a row increases or decreases with a letter; free parameters keep their values.

    First by elasticities, for all values at once; if they leave both signs open, by looking for two pairs of values
    that meet the conditions, one where it rises and one where it falls.

    Parameters
    ----------
    statement : Bound or Rate
    letter : str
        A setting, a constant or a free parameter.
    seed : int
        Seed of the search.

    Raises
    ------
    UnknownNameError
        If the letter is not one of the notation.
    NotApplicableError
        If a row is stated in words only.
    """
    if not statement.terms:
        msg = f"{statement.id} is stated in words only: no trend follows"
        raise NotApplicableError(msg)
    return _decide_trend(statement, letter, substitute_parameters(statement, statement.total, regime=False), seed)


def trends(statement: Bound | Rate, *, seed: int = 0) -> list[Trend]:
    """Return the trend in every letter of `letters_of`."""
    total = substitute_parameters(statement, statement.total, regime=False)
    return [_decide_trend(statement, letter, total, seed) for letter in letters_of(statement)]


def _decide_trend(statement: Bound | Rate, letter: str, total: sp.Expr, seed: int) -> Trend:
    low, high = elasticity(total, letter, derived=tuple(getattr(statement, "derived", ())))
    if low == high == 0:
        return Trend(letter, "constant", "it does not occur, or cancels")
    if low >= 0 or high <= 0:
        return Trend(letter, "increasing" if low >= 0 else "decreasing", f"elasticity in [{_end(low)}, {_end(high)}]")
    seen = _observe_changes(statement, letter, seed)
    if seen == {"rises", "falls"}:
        return Trend(letter, "neither", "rises at some values and falls at others")
    return Trend(letter, "open", f"only {' '.join(seen)} seen" if seen else "no values that meet the conditions found")


def letters_of(statement: Bound | Rate) -> list[str]:
    """Return the letters whose trend can be asked: settings, constants and free parameters that occur."""
    used = {s.name for s in substitute_parameters(statement, statement.total, regime=False).free_symbols}
    free = [name for name in statement.parameters if name in used and name in statement.free]
    constants = sorted(used - set(SETTINGS) - set(statement.parameters) - set(getattr(statement, "derived", ())))
    return [*(name for name in SETTINGS if name in used), *constants, *free]


def elasticity(expression: sp.Expr, letter: str, *, derived: Sequence[str] = ()) -> Interval:
    """Return an interval that holds every elasticity of a positive expression in a letter.

    Parameters
    ----------
    expression : expression
        Positive where the letters mean what they mean: what is subtracted is smaller than what it is subtracted from.
    letter : str
    derived : sequence of str
        Letters that are computed from others in an unknown way.
    """
    return _Elasticity(symbol(letter), frozenset(symbol(name) for name in derived)).of(sp.sympify(expression))


@dataclass(frozen=True)
class _Elasticity:
    x: sp.Symbol
    unknown: frozenset[sp.Symbol]

    def of(self, e: sp.Expr) -> Interval:
        if not ({self.x} | self.unknown) & e.free_symbols:
            return ZERO
        if e == self.x:
            return Fraction(1), Fraction(1)
        if isinstance(e, sp.Mul):
            return self._product(e)
        if isinstance(e, sp.Add):
            return self._sum(e)
        if isinstance(e, (sp.Min, sp.Max)):
            return _hull([self.of(a) for a in e.args])
        if isinstance(e, sp.Pow):
            return self._power(e)
        if isinstance(e, (sp.ceiling, sp.floor, sp.log)):
            return _sign(self.of(e.args[0]))
        if isinstance(e, sp.Piecewise) and not any(self.x in branch.cond.free_symbols for branch in e.args):
            return _hull([self.of(branch.expr) for branch in e.args if branch.expr != 0])
        return ANY

    def _product(self, e: sp.Expr) -> Interval:
        """Return the sum over factors; a minimum that shares parts with another factor is opened first, by branches."""
        nested = [a for a in e.args if _choice(a) and a.has(self.x)]
        if len(nested) > 1:
            deepest = max(nested, key=lambda a: (a.count(sp.Min) + a.count(sp.Max), sp.count_ops(a)))
            base, power = deepest.as_base_exp()
            return _hull([self.of(e / deepest * branch**power) for branch in base.args])
        parts = [self.of(a) for a in e.args]
        return sum((p[0] for p in parts), Fraction(0)), sum((p[1] for p in parts), Fraction(0))

    def _sum(self, e: sp.Expr) -> Interval:
        """Return f - g with f > g > 0: (f e_f - g e_g)/(f - g) = e_f + g (e_f - e_g)/(f - g)."""
        added = [self.of(a) for a in e.args if a.as_coeff_Mul()[0] > 0]
        taken = [self.of(a) for a in e.args if a.as_coeff_Mul()[0] < 0]
        if not added:
            return ANY
        low, high = _hull(added)
        if not taken:
            return low, high
        least, most = _hull(taken)
        return (low if low >= most else -math.inf), (high if high <= least else math.inf)

    def _power(self, e: sp.Pow) -> Interval:
        base, exponent = e.as_base_exp()
        if exponent.is_Rational:
            low, high = self.of(base)
            p = Fraction(int(exponent.p), int(exponent.q))
            return (_times(p, low), _times(p, high)) if p > 0 else (_times(p, high), _times(p, low))
        if self.x not in exponent.free_symbols and not self.unknown & exponent.free_symbols:
            return _sign(self.of(base)) if exponent.is_positive else ANY
        # The weights of old moments lie in [0, 1): their powers fall as the exponent grows.
        if base in (symbol("beta1"), symbol("beta2")) and base != self.x:
            low, high = _sign(self.of(exponent))
            return _times(Fraction(-1), high), _times(Fraction(-1), low)
        return ANY


def _choice(factor: sp.Expr) -> bool:
    base, power = factor.as_base_exp()
    return isinstance(base, (sp.Min, sp.Max)) and bool(power.is_Rational)


def _times(p: Fraction, end: End) -> End:
    return p * end if isinstance(end, Fraction) else math.copysign(math.inf, float(p) * end)


def _hull(parts: Sequence[Interval]) -> Interval:
    return min(p[0] for p in parts), max(p[1] for p in parts)


def _sign(interval: Interval) -> Interval:
    """Return what is known of a monotone function of something with these elasticities."""
    low, high = interval
    if low == high == 0:
        return ZERO
    return UP if low >= 0 else DOWN if high <= 0 else ANY


def _end(end: End) -> str:
    return str(end) if isinstance(end, Fraction) else "oo" if end > 0 else "-oo"


def _observe_changes(statement: Bound | Rate, letter: str, seed: int) -> set[str]:
    rng = np.random.default_rng(seed)
    seen: set[str] = set()
    for _ in range(_TRIES):
        # Constants move down: an upper limit, such as c <= 1, is often prescribed at equality.
        step = 2.0 if letter in SETTINGS else 0.8
        try:
            values = _draw_values(statement, rng)
            pair = [_total(statement, v) for v in (values, move_letter(values, letter, values[letter] * step))]
        except (NotApplicableError, ZeroDivisionError):
            # A formula that divides by N - 1 says nothing about one client alone.
            continue
        largest = max(abs(pair[0]), abs(pair[1]))
        change = (pair[1] - pair[0]) / largest if largest else 0.0
        if abs(change) > _CLEAR:
            seen.add("rises" if (change > 0) is (step > 1) else "falls")
        if len(seen) == 2:
            break
    return seen


def _total(statement: Bound | Rate, values: Values) -> float:
    if isinstance(statement, Bound):
        overrides = {name: values[name] for name in statement.free if name in values}
        return statement.evaluate(statement.resolve(values, overrides)).rhs
    return sum(statement.evaluate(values).values())


def _draw_values(statement: Bound | Rate, rng: np.random.Generator) -> dict[str, float]:
    """Return log-uniform constants and settings, and the free parameters at their defaults."""
    used = {s.name for s in statement.total.free_symbols}
    used |= {*statement.needs, *statement.measured} if isinstance(statement, Bound) else set()
    longest = 3.5 if "sum_eta" in getattr(statement, "derived", ()) else 8
    values = {name: float(10 ** rng.uniform(-2, 2)) for name in sorted(used - set(statement.parameters))}
    N = int(10 ** rng.uniform(0, 2))
    K, T = (int(10 ** rng.uniform(low, high)) for low, high in ((0, 1.3), (1, longest)))
    values |= {"N": N, "S": N, "K": K, "T": T, "b": 1, "d": 8}
    if "mu" in values:
        values["L_block"] = values["mu"] * float(10 ** rng.uniform(0, 1))
    if isinstance(statement, Bound):
        resolved = statement.resolve(values)
        values |= {name: resolved[name] for name in statement.free}
    return values
