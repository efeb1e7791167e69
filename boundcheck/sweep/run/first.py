"""When an entrant of an experiment first reaches a level, and what it has spent by then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.evidence.statistics.intervals import t_interval
from boundcheck.metrics import metric_of

if TYPE_CHECKING:
    from boundcheck.sweep.experiments.contest import ContestEntry
    from boundcheck.sweep.recipes.experiment import Axis


class FirstCrossing(NamedTuple):
    """What was spent at the first checkpoint at which the mean of the runs is at the level; infinite if never."""

    spent: float
    low: float
    """The same for the lower ends of the 95 % intervals of the mean."""
    high: float
    """The same for the upper ends."""


def first(entry: ContestEntry, metric: str, level: float, axis: Axis) -> FirstCrossing:
    """Return when the values of a metric (not their running average) are first at or below a level.

    Parameters
    ----------
    entry : Entry
    metric : str
        A metric of the experiment; of one with the power 2 of |grad f| the level is a square.
    level : float
    axis : Axis
        What is counted.
    """
    values = entry.measured.instant[metric_of(metric).name]
    ends = np.array([(column.mean(), *t_interval(column)) for column in values.T]).T
    return FirstCrossing(*(_crossing(curve, level, entry.spent[axis]) for curve in ends))


def _crossing(curve: np.ndarray[tuple[int], np.dtype[np.float64]], level: float, spent: object) -> float:
    below = np.flatnonzero(curve <= level)
    return float(np.asarray(spent)[below[0]]) if len(below) else float("inf")
