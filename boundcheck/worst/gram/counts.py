"""A count of rounds or steps in a state of which nothing is known: only a least value is."""

from __future__ import annotations

from numbers import Rational
from typing import NoReturn

from boundcheck.worst.gram.vectors import NonlinearError

COUNTS = "a count of rounds that changes what a round does"


class SymbolicCount:
    """A count that is at least `least`; what does not follow from that is refused.

    Parameters
    ----------
    least : int
    """

    def __init__(self, least: int) -> None:
        self.least = least

    def __add__(self, more: object) -> SymbolicCount:
        """Return a later count."""
        if not isinstance(more, Rational) or more.denominator != 1:
            self._unknown()
        return SymbolicCount(self.least + int(more.numerator))

    __radd__ = __add__

    def __mul__(self, factor: object) -> object:
        """Return 0 where the factor is 0: then the count does not matter."""
        return factor if factor == 0 else self._unknown()

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Return False for what is below it."""
        return not (isinstance(other, int) and other < self.least) and self._unknown()

    def __lt__(self, other: int) -> bool:
        """Return False for what is not above its least value."""
        return other > self.least and self._unknown()

    def __gt__(self, other: int) -> bool:
        """Return True for what is below it."""
        return other < self.least or self._unknown()

    def __ge__(self, other: int) -> bool:
        """Return True for what is not above its least value."""
        return other <= self.least or self._unknown()

    def __le__(self, other: int) -> bool:
        """Return False for what is below it."""
        return other >= self.least and self._unknown()

    def __hash__(self) -> int:
        """Return the hash of its least value."""
        return hash(self.least)

    def __bool__(self) -> bool:
        """Return True where it is not 0."""
        return self.least > 0 or self._unknown()

    def _unknown(self, *_: object) -> NoReturn:
        raise NonlinearError(COUNTS)

    # Everything else would need its value: a power or a remainder of it changes from round to round.
    __array_ufunc__ = None
    __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _unknown
    __pow__ = __rpow__ = __neg__ = __abs__ = __index__ = __int__ = __float__ = __round__ = _unknown
