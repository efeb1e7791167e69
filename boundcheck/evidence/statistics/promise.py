"""A measured exponent against the promised one: one tolerance, in the exponent of the grid's letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.verdicts.words import MARGIN

if TYPE_CHECKING:
    from boundcheck.verdicts.words import RateWord


def judge_decay(low: float, high: float, promised: float, margin: float = MARGIN) -> RateWord:
    """Return what the interval of a decay exponent says: an equivalence test at the interval's error rate.

    "as promised" if it lies within the band, "faster than printed" or "slower" if it lies wholly on one side of it.
    """
    if promised - margin <= low and high <= promised + margin:
        return "as promised"
    if low > promised + margin:
        return "faster than printed"
    return "slower" if high < promised - margin else "undecided"
