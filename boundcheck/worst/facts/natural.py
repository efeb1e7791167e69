"""Natural units: L = 1 and the class's own size 1, in which solvers are accurate; and the way back.

``f(x) = u s^2 g(x/s)`` turns a class of functions g with L = 1 into that of f with L = u: values are multiplied by
u s^2, squares of gradients, of zeta and of sigma by u^2 s^2, squares of distances by s^2.  What a method does to f it
does to g with its steps longer by u, whatever s is.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.errors import NotApplicableError
from boundcheck.worst.facts.measures import OF_DISTANCE, OF_VALUES
from boundcheck.worst.gram.exact import ExactNumber, fraction_as_written
from boundcheck.worst.gram.units import for_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.methods.base import Method
    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.worst.facts.classes import ProblemClass

_STARTS, _OTHERS = ("Delta", "Delta_mean", "distance"), ("zeta", "G_0", "sigma")
_POWERS = {"Delta": (1, 1), "Delta_mean": (1, 1), "distance": (0, 2), "zeta": (2, 2), "G_0": (2, 1), "sigma": (2, 2)}
"""Constant to the power of L by which it is divided in units of L = 1, and to which it is raised to be a square."""
_FAR = 1e3
"""Ratio of sizes beyond which another constant than the first one is tried as the unit."""


@dataclass(frozen=True)
class NaturalUnits:
    """A method and a class in natural units.

    Attributes
    ----------
    method : Method
        Its hyperparameters are the fractions that were asked for, in these units.
    given : ProblemClass
        The class, its constants as floats.
    curvature : Fraction
        u.
    size : Fraction
        s^2.
    mu : Fraction or None
        The least curvature, every digit of it.
    squares : dict
        The constants that the class has, of f/u, as squares of lengths, every digit of them.
    """

    method: Method
    given: ProblemClass
    curvature: Fraction
    size: Fraction
    mu: Fraction | None
    squares: dict[str, Fraction]
    pl: Fraction | None = None
    """The Polyak-Lojasiewicz constant, every digit of it."""

    @property
    def over_q(self) -> ProblemClass:
        """Return the class with a curvature that is a fraction."""
        mu: Any = self.mu
        pl: Any = self.pl
        return dataclasses.replace(self.given, mu=mu, pl=pl)

    @property
    def is_still(self) -> bool:
        """Whether all constants are 0."""
        return not any(self.squares.values())

    def with_ones(self) -> NaturalUnits:
        """Return the class whose constants are 1 in the place of 0: a bound that is a multiple of them is 0 here."""
        ones: dict[str, Any] = dict.fromkeys(self.squares, 1.0)
        squares = dict.fromkeys(self.squares, Fraction(1))
        return dataclasses.replace(self, given=dataclasses.replace(self.given, **ones), squares=squares)

    def right_hand_side(self, factors: Mapping[str, Fraction], measure: str) -> Fraction:
        """Return the constants times their factors in the units that were asked for, over Q."""
        total = sum((self.squares[name] * factor for name, factor in factors.items()), Fraction(0))
        return self.curvature ** power_of(measure) * total

    def unit(self, measure: str) -> Fraction:
        """Return what a left-hand side is multiplied by on the way back."""
        return self.curvature ** power_of(measure) * self.size

    def pieces(self, pieces: Pieces) -> Pieces:
        """Return a function of these units in those that were asked for."""
        if self.curvature == self.size == 1:
            return pieces
        return pieces.steeper(float(self.curvature)).rescale(math.sqrt(self.size))


def power_of(measure: str) -> int:
    """Return by which power of u a left-hand side is multiplied: squares of gradients, values, or distances."""
    return 1 if measure in OF_VALUES else 0 if measure in ("drift", *OF_DISTANCE) else 2


def natural(method: Method, given: ProblemClass) -> list[NaturalUnits]:
    """Return a method and a class in natural units, those first in which the start has size 1.

    Where heterogeneity or noise is far larger or smaller than the start, units in which that is 1 follow.  A class
    whose constants are all 0 keeps them.  A method whose hyperparameters have no units keeps its L.
    """
    curvature = Fraction(fraction_as_written(given.L))
    try:
        scaled = for_share(method, curvature)
    except NotApplicableError:
        scaled, curvature = method, Fraction(1)
    squares = lengths(given, curvature)
    starts = [squares[name] for name in _STARTS if squares.get(name)]
    others = [squares[name] for name in _OTHERS if squares.get(name)]
    first = max(starts, default=max(others, default=Fraction(1)))
    sizes = [first, *sorted((s for s in others if not 1 / _FAR < s / first < _FAR), reverse=True)]
    made = (_in_units(scaled, given, curvature, squares, size) for size in dict.fromkeys(sizes))
    return [units for units in made if units is not None]


def lengths(given: ProblemClass, curvature: Fraction) -> dict[str, Fraction]:
    """Return the constants that a class has, of f over a curvature, as squares of lengths over Q."""
    found = {}
    for name, (power, degree) in _POWERS.items():
        value = getattr(given, name)
        # Noise that a class does not have is 0.
        if value is not None and not (name == "sigma" and value == 0):
            found[name] = Fraction(fraction_as_written(value)) ** degree / curvature**power
    return found


def _in_units(
    method: Method, given: ProblemClass, curvature: Fraction, squares: dict[str, Fraction], size: Fraction
) -> NaturalUnits | None:
    """Return a class in units in which a constant has size 1, None where another one is then no number any more."""
    try:
        changed: dict[str, Any] = {
            name: math.sqrt(square / size) if _POWERS[name][1] == 2 else float(square / size)
            for name, square in squares.items()
        }
    except OverflowError:
        return None
    mu = None if given.mu is None else ExactNumber(Fraction(fraction_as_written(given.mu)) / curvature)
    L = float(Fraction(fraction_as_written(given.L)) / curvature)
    pl = None if given.pl is None else ExactNumber(Fraction(fraction_as_written(given.pl)) / curvature)
    changed |= {"L": L, "mu": None if mu is None else float(mu), "pl": None if pl is None else float(pl)}
    plain = dataclasses.replace(given, **changed)
    return NaturalUnits(method, plain, curvature, size, mu, squares, pl)
