"""Where an expression stands: which index letters are free, in which ranges, and what has to hold for its sense."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError
from boundcheck.proofs.language.affine import Affine, Ranges
from boundcheck.proofs.language.forms import CLIENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.forms import Coefficient
    from boundcheck.proofs.language.setting import ProofSetting


@lru_cache(maxsize=4096)
def _number(field: Any, value: Fraction) -> Coefficient:
    made: Coefficient = field.one * value.numerator / value.denominator
    return made


@dataclass(frozen=True)
class Need:
    """What an expression needs to mean what it is read as: a divisor that is not 0, or a range that is long enough."""

    value: Coefficient
    """The divisor, or how many indices a range has more than it needs."""
    divides: bool
    over: Mapping[str, Range]
    """Index letters that are free where it stands, those of means and sums around it included."""
    bound: tuple[str, ...]
    """Those that a mean, a sum or a rule binds there."""


@dataclass
class Scope:
    """Where an expression stands: which index letters are free, and in which ranges."""

    setting: ProofSetting
    over: Mapping[str, Range]
    """Free index letters with their ranges."""
    needs: list[Need] = field(default_factory=list)
    """What has been divided by, and how long ranges of sums and means must be."""
    bound: tuple[str, ...] = ()
    """Index letters bound by a mean or a sum around the expression."""
    least: Mapping[str, int] = field(default_factory=dict)
    """Least values of horizons, where they are given to be above 1."""

    @property
    def ranges(self) -> Ranges:
        """Return what is known of the free index letters."""
        whole = {"*" + name: self.setting.indices[name] for name in self.setting.indices if name != CLIENT}
        return Ranges((*self.over.items(), *whole.items()), self.least)

    def number(self, value: Fraction | int) -> Coefficient:
        """Return a number as an element of the field."""
        return _number(self.setting.field, Fraction(value))

    def at_one_value(self, index: Affine) -> Affine:
        """Return an index with the value of each letter that has one only."""
        single = {name: low for name, (low, high) in self.over.items() if low == high and name in index.letters}
        return index.substitute(single) if single else index

    def divide(self, by: Coefficient) -> None:
        """Note a divisor: it must differ from 0 wherever the expression stands."""
        if not (by.numer.is_ground and by.denom.is_ground):
            self.needs.append(Need(by, divides=True, over=self.over, bound=self.bound))

    def require_length(self, length: Affine, least: int) -> None:
        """Note that a range must have at least so many indices: none for a sum, one for a mean."""
        if not Ranges(tuple(self.over.items()), self.least).surely_at_least(length, Affine.number(least)):
            excess, generators = self.number(-least), self.setting.generators
            for name, value in length.parts:
                excess += value * (generators[name] if name else self.number(1))
            self.needs.append(Need(excess, divides=False, over=self.over, bound=self.bound))

    def around(self, letter: str) -> Scope:
        """Return the scope around a mean or a sum that binds a letter."""
        free = {name: ends for name, ends in self.over.items() if name != letter}
        return replace(self, over=free, bound=tuple(name for name in self.bound if name != letter))

    def inside(self, letter: str, low: Affine, high: Affine) -> Scope:
        """Return the scope of the body of a mean or a sum."""
        self.setting.require_index(letter)
        if letter in self.over or letter in self.bound:
            msg = f"index {letter!r} is shadowed: it is free outside of this mean or sum; use it once"
            raise InputError(msg)
        over = {**self.over, letter: (low, high)}
        return replace(self, over=over, bound=(*self.bound, letter))
