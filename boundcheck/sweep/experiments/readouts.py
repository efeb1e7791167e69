"""From a measured curve to one number a run: the readouts of experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Problem
    from boundcheck.sweep.cells.store import CellResult
    from boundcheck.sweep.recipes.experiment import Experiment, Reading, Readout

_SMALL_START = 0.1
"""What is left of a squared gradient at the start, where a recipe names no level that is to be reached."""
NEVER = 2.0
"""A run that did not reach a level counts as one that reached it at so many times the budget."""


def value(measured: CellResult, metric: Metric, at: int, readout: Readout) -> Array:
    """Return the metric of every run at a checkpoint, by a readout of `READS` other than ``time``.

    Parameters
    ----------
    measured : CellResult
    metric : Metric
    at : int
        Index of the checkpoint.
    readout : {'average', 'apart', 'late', 'last'}

    Returns
    -------
    (replicates,) array
        Infinite (minus infinity where large values are good) for a run that diverged.
    """
    if readout == "last":
        found = measured.instant[metric.name][:, at]
    else:
        n = float(measured.rounds[at])
        start = {"average": 0.0, "apart": min(1.0, n / 2), "late": n / 2}[readout]
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


def score(measured: CellResult, metric: Metric, at: int, readout: Readout) -> Array:
    """Return `value` with the sign that makes small numbers good."""
    found = value(measured, metric, at, readout)
    return -found if metric.higher else found


def start_share(measured: CellResult, metric: Metric, at: int) -> float:
    """Return the share of the start in the average up to a checkpoint: its value over rounds times average."""
    start, average = (float(measured.average[metric.name][:, i].mean()) for i in (0, at))
    n = float(measured.rounds[at])
    return start / (n * average) if np.isfinite(average) and average > 0 else 0.0


def time_to(measured: CellResult, metric: Metric, at: int, spent: Array, level: float) -> Array:
    """Return what every run had spent when its metric was first at a level: `NEVER` times the budget if it never was.

    Between two checkpoints the metric is taken to change by a constant factor (where it is positive, else evenly).

    Parameters
    ----------
    measured : CellResult
    metric : Metric
    at : int
        Index of the last checkpoint within the budget.
    spent : (points,) array
        What is spent by each checkpoint.
    level : float
        Of the value itself, not of its running average.

    Returns
    -------
    (replicates,) array
    """
    values = measured.instant[metric.name][:, : at + 1]
    there = values >= level if metric.higher else values <= level
    first = there.argmax(axis=1)
    rows, before = np.arange(len(values)), np.maximum(first - 1, 0)
    early, late = values[rows, before], values[rows, first]
    if level > 0 and bool((late > 0).all()):
        early, late, level = np.log(early), np.log(late), float(np.log(level))
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(first > 0, (early - level) / (early - late), 1.0)
    reached = spent[before] + np.clip(np.nan_to_num(part, nan=1.0), 0.0, 1.0) * (spent[first] - spent[before])
    found: Array = np.where(there.any(axis=1), reached, NEVER * spent[at])
    return found


def level_to_reach(about: Experiment, metric: Metric, problem: Problem) -> float | None:
    """Return the level that the readout `time` looks for, None where there is none to speak of.

    Parameters
    ----------
    about : Experiment
        Its `reach`, or the square of the last of its `epsilons`, else a tenth of what a squared gradient is at the
        start.
    metric : Metric
        The metric that the experiment is decided by.
    problem : Problem
        The problem at the setting.  A curve does not tell the start: of a metric over local steps its first value is
        that after a round, at the method's own steps.
    """
    if about.reach is not None:
        return float(about.reach)
    if not metric.gradient_of:
        return None
    if about.epsilons:
        return float(about.epsilons[-1]) ** 2
    x = problem.start[None, None]
    start = float(metric.measure(problem, problem.everyone_at(x), x)[0])
    return _SMALL_START * start if start > 0 else None


def are_read(about: Experiment, metric: Metric) -> list[Reading]:
    """Return the readings of an experiment that its metric allows: ``time`` wants a level to reach."""
    timed = about.reach is not None or bool(metric.gradient_of)
    return [reading for reading in about.readings if timed or reading.readout != "time"]


def _worst_if_lost(found: Array, metric: Metric) -> Array:
    worst = -np.inf if metric.higher else np.inf
    kept: Array = np.where(np.isfinite(found), found, worst)
    return kept
