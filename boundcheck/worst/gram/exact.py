"""Rational numbers that stay rational beside floats, and an oracle whose counts are such numbers.

A method's own code mixes its hyperparameters with the numbers 0.0, 1.0 and K.  On these it computes over Q.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any

from boundcheck.worst.gram.oracle import GramOracle
from boundcheck.worst.gram.partial import PartialOracle

if TYPE_CHECKING:
    from collections.abc import Callable

DIGITS = 4
"""Significant digits that are kept of a number that no short fraction equals, unless more are asked for."""
_SHORT = 1000
"""Largest denominator of a short fraction."""
_WRITTEN = 9
"""Digits up to which a decimal is one that somebody wrote, and not a number that was computed."""


def fraction(value: Any) -> Fraction:
    """Return a number as a fraction of Python's integers: those of numpy overflow."""
    if isinstance(value, Fraction):
        return Fraction(value.numerator, value.denominator)
    return Fraction(float(value)) if isinstance(value, float) else Fraction(int(value))


def _forward(op: Callable[[Any, Any], Any], neutral: int) -> Any:
    def method(self: ExactNumber, other: object) -> Any:
        if not isinstance(other, (float, Rational)):
            return NotImplemented
        # Most coefficients are 0 or 1.
        return self if other == neutral else ExactNumber(op(Fraction(self), fraction(other)))

    return method


def _backward(op: Callable[[Any, Any], Any]) -> Any:
    def method(self: ExactNumber, other: object) -> Any:
        return (
            ExactNumber(op(fraction(other), Fraction(self))) if isinstance(other, (float, Rational)) else NotImplemented
        )

    return method


class ExactNumber(Fraction):
    """A fraction whose sums, products and quotients with floats are exact fractions again."""

    __slots__ = ()

    __add__ = __radd__ = _forward(operator.add, 0)
    __sub__, __rsub__ = _forward(operator.sub, 0), _backward(operator.sub)
    __truediv__, __rtruediv__ = _forward(operator.truediv, 1), _backward(operator.truediv)

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (float, Rational)):
            return NotImplemented
        if not other or not self:
            return _ZERO
        return self if other == 1 else ExactNumber(Fraction(self) * fraction(other))

    __rmul__ = __mul__

    __repr__ = Fraction.__str__

    def __neg__(self) -> ExactNumber:
        return ExactNumber(-self.numerator, self.denominator)

    def __index__(self) -> int:
        if self.denominator != 1:
            msg = f"{self} is not an integer"
            raise TypeError(msg)
        return self.numerator


_ZERO = ExactNumber(0)


def approximate_fraction(value: float | Fraction, digits: int = DIGITS) -> ExactNumber:
    """Return the fraction that stands for a number: a short one or a decimal that equals it, else its first digits."""
    if isinstance(value, ExactNumber):
        return value
    number = float(value)
    short = Fraction(number).limit_denominator(_SHORT)
    if abs(float(short) - number) <= 1e-12 * abs(number):
        return ExactNumber(short)
    written = Fraction(f"{number:.{_WRITTEN - 1}e}")
    return ExactNumber(written if float(written) == number else Fraction(f"{number:.{digits - 1}e}"))


def fraction_as_written(value: float | Fraction) -> ExactNumber:
    """Return the fraction that was asked for: a short one that is the same float, else the decimal that is printed."""
    if isinstance(value, Fraction):
        return ExactNumber(value)
    number = float(value)
    short = Fraction(number).limit_denominator(_SHORT)
    return ExactNumber(short if float(short) == number else Fraction(repr(number)))


def exact_oracle(*, N: int, K: int, S: int | None = None, b: int = 1, noisy: bool = False) -> GramOracle:
    """Return an oracle on Gram coordinates under which a method computes over Q."""
    return made_oracle(N=N, K=K, S=S, b=b, noisy=noisy, exact=True)


def made_oracle(
    *,
    N: int,
    K: int,
    S: int | None = None,
    b: int = 1,
    noisy: bool,
    exact: bool,
    of_all: type[GramOracle] = GramOracle,
) -> GramOracle:
    """Return an oracle on Gram coordinates, S of N clients taking part (by default all), over floats or over Q."""
    if S is None or S == N:
        oracle = of_all(N=N, K=K, b=b, noisy=noisy)
    else:
        oracle = PartialOracle(N=N, K=K, b=b, noisy=noisy, active_clients=S)
    if exact:
        counts: Any = {"N": ExactNumber(N), "S": ExactNumber(oracle.S), "K": ExactNumber(K)}
        vars(oracle).update(counts)
    return oracle
