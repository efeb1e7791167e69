"""What a worst case says of the values that its file claims: closed forms that are attained, and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from boundcheck.worst.stated.answer import StatedCase

NEAR = 2e-6
"""Distance, relative to their size, at which two values are the same."""
_LEAST = 1e-2
"""Least size of a value, in the unit of its question."""


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
    size : float
        Of the value, or a hundredth of the unit of the question where that is more.
    """

    kind: str
    value: float
    word: str
    above: float
    size: float

    @property
    def is_refuted(self) -> bool:
        """Return whether the worst case contradicts it."""
        return self.word in ("missed", "exceeded")

    def text(self) -> str:
        """Return the value and the word."""
        close = abs(self.above) <= NEAR * self.size
        by = f", to {abs(self.above) / self.size:.0e}" if close and self.above else ""
        return f"{self.value:.9g}: {self.word}{by or ('' if close or self.above < 0 else f' by {self.above:.4g}')}"


def judge(case: StatedCase, *, expected: list[float], bounds: list[float]) -> list[ClaimedValue]:
    """Return what a worst case says of closed forms and of bounds."""
    values = [("closed form", _judge_form, v) for v in expected] + [("known bound", _judge_bound, v) for v in bounds]
    found = []
    for kind, judged, value in values:
        size = max(abs(value), _LEAST * case.unit)
        found.append(ClaimedValue(kind, value, judged(case, value, NEAR * size), case.upper - value, size))
    return found


def _judge_form(case: StatedCase, value: float, rounding: float) -> str:
    return "met" if abs(case.upper - value) <= rounding else "missed"


def _judge_bound(case: StatedCase, value: float, rounding: float) -> str:
    if case.upper <= value + rounding:
        return "met" if case.proved is None else "proved"
    return "exceeded" if case.is_attained and case.lower > value + rounding else "not proved"
