"""From readings to a word: slopes at the end of the grid, against the printed power and the control's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from boundcheck.verdicts.words import MARGIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.verdicts.words import AttainedWord

END = 3
"""Points at the end of the grid that a slope is fitted to."""
CONFIDENCE = 0.95
_NOTHING = 1e-300
"""A second half that is 0 up to rounding, which the difference of two averages may leave below 0."""


@dataclass(frozen=True)
class Slope:
    """A fitted power of the axis, with the interval that the lanes leave it; without noise a single number."""

    value: float
    low: float
    high: float

    def within(self, low: float, high: float) -> bool:
        """Return whether the whole interval lies in [low, high]."""
        return low <= self.low and self.high <= high


def fit_slope(axis: Sequence[float], values: Sequence[Sequence[float]]) -> Slope:
    """Fit a power to the last points of a grid, lane by lane.

    Parameters
    ----------
    axis : sequence
        Places (points,).
    values : sequence
        Numbers >= 0 (points, lanes), up to rounding.
    """
    read = np.maximum(np.asarray(values[-END:], dtype=float), _NOTHING)
    x, y = np.log(np.asarray(axis[-END:], dtype=float)), np.log(read)
    each = ((x - x.mean()) @ y) / ((x - x.mean()) ** 2).sum()
    middle = float(each.mean())
    if len(each) < 2:
        return Slope(middle, middle, middle)
    reach = float(stats.sem(each) * stats.t.ppf((1 + CONFIDENCE) / 2, len(each) - 1))
    return Slope(middle, middle - reach, middle + reach)


@dataclass(frozen=True)
class Slopes:
    """Everything that a word is decided from."""

    printed: float
    """The promised power, signed."""
    average: Slope
    late: Slope
    bound: float | None
    """The bound's own power on the same points."""
    control: Slope
    """The control's, over the second half."""
    control_known: float
    turns: float = 0.0
    """By how much the last local power of the second half is steeper (negative) than the one before."""


def local_turn(axis: Sequence[float], values: Sequence[Sequence[float]]) -> float:
    """Return the last local power less the one before, of the means over the lanes."""
    read = np.maximum(np.asarray(values[-END:], dtype=float).mean(axis=1), _NOTHING)
    local = np.diff(np.log(read)) / np.diff(np.log(np.asarray(axis[-END:], dtype=float)))
    return float(local[-1] - local[-2])


def judge_slopes(found: Slopes, margin: float = MARGIN) -> tuple[AttainedWord, str]:
    """Return the word for a measured rate, and what must be known to read it.

    The control is asked first: one that falls as fast as printed makes a transient, one that misses its own known
    power leaves everything open.  A second half whose local powers still change has no power yet, unless it is
    steeper than printed already.
    """
    printed, late = found.printed, found.late
    band = printed - margin, printed + margin
    if not found.control.within(found.control_known - margin, found.control_known + margin):
        if found.control.within(-np.inf, band[1]):
            return "transient", f"the control falls as fast, {found.control.value:+.2f}"
        missed = f"{found.control.value:+.2f} and not {found.control_known:+.2f}"
        return "undecided", f"could not have told: the control came out at {missed}; a longer grid"
    if late.high >= band[0] and abs(found.turns) > margin:
        way = "steepens" if found.turns < 0 else "flattens"
        return "undecided", f"the second half still {way}, by {abs(found.turns):.2f} at the last point: a longer grid"
    if late.within(*band):
        return "as promised", _bound_note(found, margin)
    if late.high < band[0]:
        if found.average.high < band[0]:
            return "faster than printed", ""
        return "transient", f"the second half falls like {late.value:+.2f}: what falls as printed is the start"
    if late.low > band[1]:
        if -found.turns > margin / 2:
            steeper = f"{late.value:+.2f}, by {-found.turns:.2f} more at the last point"
            return "undecided", f"the second half still steepens, {steeper}: a longer grid"
        if found.bound is not None and found.bound > band[1]:
            return "undecided", f"the bound itself goes like {found.bound:+.2f} on this grid; a longer one"
        if found.average.low > band[1]:
            return "slower", ""
        return "undecided", f"the second half falls like {late.value:+.2f}, the average as printed; a longer grid"
    return "undecided", f"between {late.low:+.2f} and {late.high:+.2f}; more lanes, or a longer grid"


def _bound_note(found: Slopes, margin: float) -> str:
    """Return what a reader must know where the bound itself goes another way on the grid."""
    if found.bound is None or abs(found.bound - found.printed) <= margin:
        return ""
    return f"the bound itself goes like {found.bound:+.2f} on this grid: other terms of it lead there"
