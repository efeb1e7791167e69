"""What a cell has spent by each of its checkpoints, on every axis of a budget."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.run import checkpoints
from boundcheck.evidence.trials.costs import costs_along
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import kinds
from boundcheck.notation import PROBABILITY
from boundcheck.sweep.recipes.experiment import AXES, Axis

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.problems.base import Array, Problem
    from boundcheck.sweep.cells.cells import Cell

Spending = dict[Axis, "Array"]
"""Axis to what was spent by each checkpoint, (points,), by one active client."""


def spending(cell: Cell) -> Spending:
    """Return what a cell spends; neither its seed nor its steps and weights play a part, but its probabilities do."""
    known = kinds(METHODS[cell.method])
    fixed = tuple((k, 0.5 if isinstance(v, float) and known[k] is not PROBABILITY else v) for k, v in cell.hyper)
    return _spending(replace(cell, hyper=fixed, metrics=(), seed=0, replicates=1, schedule=(), weight_decay=0.0))


@cache
def _spending(cell: Cell) -> Spending:
    problem, marks = cell.make_problem(), checkpoints(np.array([cell.setting.T]), cell.points)
    costs = costs_along(problem, cell.make_method(), cell.setting, marks)
    rows = exact_price(problem, cell.setting.b)
    spent = {
        "rounds": marks.astype(float),
        "samples": np.array([cost.samples + rows * cost.exact for cost in costs]),
        "bits": np.array([cost.bits for cost in costs]),
    }
    return {axis: spent[axis] for axis in AXES}


def exact_price(problem: Problem, b: int) -> float:
    """Return how many samples an exact gradient counts as: all rows of a client, or one minibatch of additive noise."""
    sizes = getattr(problem, "sizes", None)
    return float(np.mean(sizes)) if sizes is not None else float(getattr(problem, "m", b))


def budgets(spent: Iterable[Spending]) -> dict[Axis, float]:
    """Return the budget of every axis: what the entrant that spends least there has spent at the horizon.

    Entrants that spend nothing (methods on one machine send nothing) set no budget.
    """
    each = list(spent)
    return {axis: min((end for one in each if (end := float(one[axis][-1])) > 0), default=0.0) for axis in AXES}


def last_within_budget(spent: Mapping[Axis, Array], axis: Axis, budget: float) -> int | None:
    """Return the index of the last checkpoint within a budget, None if the first one is beyond it."""
    within = np.flatnonzero(spent[axis] <= budget * (1 + 1e-9))
    return int(within[-1]) if len(within) else None
