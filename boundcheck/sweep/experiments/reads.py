"""From a measured curve to one number a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.store import CellResult


def value(measured: CellResult, metric: Metric, at: int, how: str) -> Array:
    """Return the metric of every run at a checkpoint, read in one of the ways of `READS` of an experiment.

    Parameters
    ----------
    measured : Measured
    metric : Metric
    at : int
        Index of the checkpoint.
    how : {'average', 'late', 'last'}

    Returns
    -------
    (replicates,) array
        Infinite (minus infinity where large values are good) for a run that diverged.
    """
    if how == "last":
        found = measured.instant[metric.name][:, at]
    else:
        start = 0.0 if how == "average" else measured.rounds[at] / 2
        found = between(measured, metric, start, at)
    return _worst_if_lost(found, metric)


def between(measured: CellResult, metric: Metric, start: float, at: int) -> Array:
    """Return the average over the rounds from the last checkpoint up to `start` to the checkpoint `at`."""
    rounds, averages = measured.rounds, measured.average[metric.name]
    first = int(np.searchsorted(rounds, start, side="right")) - 1
    if first < 0 or first >= at:
        return averages[:, at]
    n, m = float(rounds[at]), float(rounds[first])
    # A run that diverged has inf on both sides.
    with np.errstate(invalid="ignore"):
        found: Array = (n * averages[:, at] - m * averages[:, first]) / (n - m)
    return found


def score(measured: CellResult, metric: Metric, at: int, how: str) -> Array:
    """Return `value` with the sign that makes small numbers good."""
    found = value(measured, metric, at, how)
    return -found if metric.higher else found


def _worst_if_lost(found: Array, metric: Metric) -> Array:
    worst = -np.inf if metric.higher else np.inf
    kept: Array = np.where(np.isfinite(found), found, worst)
    return kept
