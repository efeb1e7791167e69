"""What a worst case says of the values that its file claims: closed forms that are attained, and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boundcheck.worst.stated.answer import StatedCase

NEAR = 2e-6
"""Distance, relative where values are above 1/100, at which two of them are the same."""
_LEAST = 1e-2


class ClaimedValue(NamedTuple):
    """A claimed value, and a word about it.

    Attributes
    ----------
    kind : {'closed form', 'known bound'}
    value : float
    word : str
        Of a closed form 'met' or 'missed'; of a bound 'proved', 'met' (by a number that nobody proved), 'exceeded'
        (what is known is sufficient for a problem that is above), or 'not proved'.
    above : float
        By how much the worst case is above the value.
    """

    kind: str
    value: float
    word: str
    above: float

    @property
    def is_refuted(self) -> bool:
        """Return whether the worst case contradicts it."""
        return self.word in ("missed", "exceeded")

    def text(self) -> str:
        """Return the value and the word."""
        close = abs(self.above) <= NEAR * max(abs(self.value), _LEAST)
        by = f", to {abs(self.above):.0e}" if close and self.above else ""
        return f"{self.value:.9g}: {self.word}{by or ('' if close or self.above < 0 else f' by {self.above:.4g}')}"


def judge(case: StatedCase, *, expected: list[float], bounds: list[float]) -> list[ClaimedValue]:
    """Return what a worst case says of closed forms and of bounds."""
    found = [ClaimedValue("closed form", v, _of_form(case, v), case.upper - v) for v in expected]
    return found + [ClaimedValue("known bound", v, _of_bound(case, v), case.upper - v) for v in bounds]


def _of_form(case: StatedCase, value: float) -> str:
    return "met" if abs(case.upper - value) <= NEAR * max(abs(value), _LEAST) else "missed"


def _of_bound(case: StatedCase, value: float) -> str:
    rounding = NEAR * max(abs(value), _LEAST)
    if case.upper <= value + rounding:
        return "met" if case.proved is None else "proved"
    return "exceeded" if case.is_attained and case.lower > value + rounding else "not proved"
