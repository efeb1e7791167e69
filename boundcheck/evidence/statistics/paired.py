"""Methods against each other over paired runs: how far apart their scores are, and whether that is more than noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from boundcheck.evidence.statistics.anytime import anytime_interval

if TYPE_CHECKING:
    from boundcheck.problems.base import Array

Answer = Literal["yes", "no", "same", "open"]
"""Same: no difference above the margin, which is shown; open: not decided."""
_SMALL, _LARGE = 1e-300, 1e300
"""What a score of 0 and one of a run that diverged count as, where logarithms are taken."""


class MeanTest(NamedTuple):
    """A question about a mean: its estimate, its interval and the answer."""

    mean: float
    low: float
    high: float
    answer: Answer


def gaps(a: Array, b: Array, *, relative: bool) -> Array:
    """Return how far `a` is above `b` run by run: log(a/b), or a - b; negative where `a` is the better score.

    Parameters
    ----------
    a, b : (replicates,) array
        Scores on the same seeds, small ones being good; infinite for a run that diverged.
    relative : bool
        Whether ratios are meant: scores are then positive.
    """
    if relative:
        a, b = (np.log(np.clip(v, _SMALL, _LARGE)) for v in (a, b))
    found: Array = np.where(a == b, 0.0, np.clip(a, -_LARGE, _LARGE) - np.clip(b, -_LARGE, _LARGE))
    return found


def below(y: Array, line: float, *, level: float) -> MeanTest:
    """Answer whether the mean of `y` is below -`line`: no if above +`line`, same if between, open if that is not clear.

    Parameters
    ----------
    y : (replicates,) array
    line : float
        Half the width of the range in which a difference is not called one.
    level : float
        Of the interval, which holds at all numbers of replicates at once.
    """
    mean, (low, high) = float(y.mean()), anytime_interval(y, level)
    within_line = line > 0 and -line <= low and high <= line
    return MeanTest(
        mean, low, high, "yes" if high < -line else "no" if low > line else "same" if within_line else "open"
    )


def within(y: Array, line: float, *, level: float) -> MeanTest:
    """Answer whether the mean of `y` is between -`line` and `line`: no if the interval lies wholly outside."""
    mean, (low, high) = float(y.mean()), anytime_interval(y, level)
    inside, outside = -line <= low and high <= line, low > line or high < -line
    return MeanTest(mean, low, high, "yes" if inside else "no" if outside else "open")
