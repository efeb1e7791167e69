"""How far rounding alone may lift a left-hand side above a right-hand side, in the unit of the metric.

A length (a gradient, a point, a difference of points) is computed up to some eps times the largest length of its
kind in the run, a value of f up to some eps times the largest value.  So |grad f| = 0 is computed as eps g,
|grad f|^2 as (eps g)^2, f - f_star as eps (|f(x_0)| + |f_star|), or more where clients cancel.  The constants are
rounded as well (Delta is a difference of values), and carry that through the right-hand side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from boundcheck.engine.longer import DOUBLES
from boundcheck.notation import FACTOR, letter_named

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.engine.setting import Setting
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem

_OPERATIONS = 8
"""Roundings that one step and one gradient are taken to commit, each of a relative size of 2^-53."""
_SURE = 2.0**10
"""How many times what rounding was seen to do no rounding does."""
_GAPS = ("Delta", "Delta_Phi", "Delta_mean", "Delta_F")
"""Letters that are differences of values of f."""
_COUNTS = frozenset({"N", "S", "K", "T", "b", "d"})
"""Letters that are whole numbers, which are not rounded."""


@dataclass(frozen=True)
class Sizes:
    """The largest gradient, point and value that the constants of a problem make plausible in a run."""

    gradient: float
    """g, with g^2 = max(G_0, 2 L Delta, sigma^2, zeta^2, L^2 (|x_0|^2 + |x_star|^2))."""
    start: float
    """The root of |x_0|^2 + |x_star|^2."""
    point: float
    """The root of |x_0|^2 + |x_star|^2 + (eta K g)^2: steps along gradients lead so far."""
    value: float
    """|f_star|, and the larger of |f(x_0)| and of what clients' values are made of: their slopes at x_0 times |x|."""
    floor: float
    """|f_star| where it was computed; 0 where it was given."""
    smooth: float
    """L; 0 where it is not known."""

    @classmethod
    def of(cls, problem: Problem, setting: Setting, eta: float | None) -> Sizes:
        """Return the sizes on a problem, where steps are `eta` long (None: not known)."""
        known = {letter: constant.value for letter, constant in problem.constants.items()}
        smooth = known.get("L", 0.0)
        # Clients' parts that cancel in the mean, or vanish at the start, are computed up to their size elsewhere.
        parts = max(known.get("sigma", 0.0), known.get("zeta", 0.0))
        gap = max(known.get("Delta", 0.0), known.get("Delta_Phi", 0.0))
        at = float(problem.start @ problem.start)
        at += 0.0 if problem.x_star is None else float(problem.x_star @ problem.x_star)
        gradient = math.sqrt(max(known.get("G_0", 0.0), 2 * smooth * gap, parts**2, smooth**2 * at))
        step = eta if eta is not None else (1 / smooth if smooth else 1.0)
        floors = [problem.constants[letter] for letter in ("f_star", "Phi_star") if letter in known]
        largest = max((abs(floor.value) for floor in floors), default=0.0)
        # Tilts of the clients cancel in f, not in the rounding of its parts; and a rounded x moves f along its slope.
        slope = max(math.sqrt(known.get("G_0", 0.0)), known.get("zeta", 0.0))
        value = max(abs(problem.initial_value), gap, slope * math.sqrt(at)) + largest
        computed = max((abs(floor.value) for floor in floors if not floor.vouched), default=0.0)
        start = math.sqrt(at)
        return cls(gradient, start, math.hypot(start, step * setting.K * gradient), value, computed, smooth)

    def smooth_power(self, power: int) -> float:
        """Return a power of L; 0 where L is not known and that is no number."""
        return self.smooth**power if self.smooth or not power else 0.0


@dataclass(frozen=True)
class Rounding:
    """What rounding may do to one comparison."""

    bound: Bound
    problem: Problem
    metric: Metric
    setting: Setting
    values: Values
    """Every letter of the bound."""
    rhs: float

    @cached_property
    def sizes(self) -> Sizes:
        """Return the sizes of what is measured."""
        return Sizes.of(self.problem, self.setting, self.values.get("eta"))

    @cached_property
    def of_letters(self) -> float:
        """How much larger the right-hand side may be, its letters being rounded: the sum over them."""
        used = {symbol.name for symbol in self.bound.total.free_symbols} - _COUNTS
        return sum(self._rise_by(letter) for letter in sorted(used & set(self.values)))

    def _rise_by(self, letter: str) -> float:
        """Return by how much the right-hand side rises where one letter moves by its rounding."""
        value, error = float(self.values[letter]), self._error_of(letter)
        moved = [max(value - error, 0.0) if value >= 0 else value - error, value + error]
        sides = [float(self.bound.right_side({**self.values, letter: number})) for number in moved]
        return max([0.0, *(side - self.rhs for side in sides if math.isfinite(side))])

    def _error_of(self, letter: str) -> float:
        """Return how wrong a letter may be."""
        own = _OPERATIONS * DOUBLES * abs(float(self.values[letter]))
        sizes = self.sizes
        if letter not in self.problem.letters:
            return own
        if letter in _GAPS:
            return own + _OPERATIONS * DOUBLES * sizes.value
        if letter in {"zeta_star", "sigma_star"}:
            return own + _OPERATIONS * DOUBLES * sizes.gradient
        if letter in {"delta_x", "delta_F"}:
            return own + _OPERATIONS * DOUBLES * math.sqrt(abs(float(self.values[letter]))) * sizes.start
        return own

    def limit(self, factor: float = 1.0) -> float:
        """Return the largest left-hand side that rounding, or `factor` times as much, makes of the right-hand side."""
        error = factor * self._error
        values = error if self.metric.over == "regret" else factor * _OPERATIONS * DOUBLES
        return self._lift_side(self.rhs + self.of_letters, error, values * self.sizes.value)

    def limit_in_longer_numbers(self, rhs: float, epsilon: float, *, of_letters: bool) -> float:
        """Return the same of a run in longer numbers, relative rounding `epsilon`, and its right-hand side.

        What stays rounded to doubles is what went into the run: tables, f_star where it was computed, and the
        constants on the right (`of_letters`).
        """
        lifted = rhs + (self.of_letters if of_letters else 0.0)
        return self._lift_side(lifted, self._error, self._values_in_longer_numbers(epsilon))

    def limit_of_moved(self, rhs: float, epsilon: float, moved: float) -> float:
        """Return the same, where rounding is known to move the left-hand side by no more than about `moved`."""
        return self._lift_side(rhs + self.of_letters, 0.0, self._values_in_longer_numbers(epsilon)) + _SURE * moved

    def _values_in_longer_numbers(self, epsilon: float) -> float:
        return _OPERATIONS * (epsilon * self.sizes.value + DOUBLES * self.sizes.floor)

    @property
    def _error(self) -> float:
        # A mean over clients whose parts cancel is wrong by about sqrt(N) roundings of one part, in a table too.
        operations = _OPERATIONS + math.sqrt(self.setting.N)
        return self.amplification * operations * DOUBLES * (1 + self.setting.K * self.setting.T)

    @property
    def amplification(self) -> float:
        """By how much a server step enlarges what rounding makes of a difference of points: by itself, from 1 on."""
        factors = (float(self.values[name]) for name in self.bound.parameters if letter_named(name).kind is FACTOR)
        return max(1.0, *factors, 1.0)

    def _lift_side(self, rhs: float, error: float, values: float) -> float:
        """Return what becomes of `rhs` where lengths are wrong by `error` of their size and values of f by `values`."""
        gradients, points = self.metric.factors
        degree, sizes = gradients + points, self.sizes
        if degree <= 0 or min(gradients, points) < 0:
            # No unit of a power of lengths: wrong by so much of itself, or of its own unit, 1 or a power of L.
            return rhs + error * max(abs(rhs), 0.0 if degree else sizes.smooth_power(gradients))
        whole = sizes.gradient**gradients * sizes.point**points
        found = [rhs, _raise_power(rhs, degree, error**degree * whole)]
        if not self.metric.rounds and gradients and points:
            # A product of a gradient and a point is 0 where one of them is.
            found.append(rhs + error * whole)
        if self.metric.rounds != "lengths" and (sizes.smooth or gradients == points):
            turned = sizes.smooth ** ((gradients - points) / 2) if gradients != points else 1.0
            found.append(_raise_power(rhs, degree / 2, turned * values ** (degree / 2)))
        return max(found)


def _raise_power(rhs: float, degree: float, alone: float) -> float:
    """Return a power whose root is wrong by as much as makes `alone` of 0."""
    if rhs <= 0:
        return rhs + alone
    return float((rhs ** (1 / degree) + alone ** (1 / degree)) ** degree)
