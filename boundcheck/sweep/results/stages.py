"""Judge the cells of a sweep, and run the next stage, with more replicates, where that may say more."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.engine.exact import average_on_paths
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.statistics.verdict import Verdict, not_applicable
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial
from boundcheck.sweep.cells.points import along_the_run
from boundcheck.sweep.recipes.recipe import size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.points import StudySetting
    from boundcheck.sweep.cells.store import CellResult, Store

_WATCHED = 4
"""Runs without an end of which it is asked whether they diverged."""


def undecided_cells(points: Iterable[StudySetting], store: Store) -> list[Cell]:
    """Return the cells of undecided points at the next number of replicates, if there is one.

    Each is to be run for the replicates alone that are new.

    Parameters
    ----------
    points, store
        Points of studies, every one with a result or without a cell.
    """
    again: dict[Cell, None] = {}
    for point in points:
        if point.cell is None or point.budget <= point.cell.replicates:
            continue
        stage, before = point.last_stage(point.cell, store)
        further = point.stages(point.cell)[stage : stage + 1]
        if further and any(v.gains_from(point.budget) for v in judge_point(point, store)[1].values()):
            again[replace(further[0], after=before.replicates)] = None
    return list(again)


def judge_point(point: StudySetting, store: Store) -> tuple[CellResult, dict[str, Verdict]]:
    """Return the largest result of a point and the verdict of every bound on it, at alpha / (points of the study)."""
    assert point.cell is not None
    stage, cell = point.last_stage(point.cell, store)
    measured = store.read(cell)
    if stage not in point.verdicts:
        point.verdicts[stage] = {name: _verdict(point, measured, name, stage) for name in point.study.bounds}
    return measured, point.verdicts[stage]


@lru_cache(maxsize=1024)
def _on_paths(cell: Cell, metric: Metric, most: int) -> Array | None:
    """Return the left-hand side on every path of a cell's run, None where they are too many or have no list."""
    try:
        return average_on_paths(cell.make_problem(), cell.make_method(), metric, cell.setting, most=most)
    except NotApplicableError:
        return None


def _verdict(point: StudySetting, measured: CellResult, name: str, stage: int) -> Verdict:
    """Judge one bound at the parameters that the study's first bound prescribed."""
    first, cell, recipe = point.trial, point.cell, point.recipe
    assert first is not None
    assert cell is not None
    bound, cells = BOUNDS[name], size(point.study)
    used = {k: v for k, v in first.evaluation.values.items() if k in bound.parameters}
    found = {x: measured.worst[bound.measured[x]] for x in along_the_run(bound)}
    used |= initial_values(bound, first.problem.N) | found
    try:
        same = name == first.bound.id and not found
        trial = first if same else Trial.of(bound, first.problem, first.setting, used)
    except NotApplicableError as error:
        return not_applicable(name, first.problem.name, str(error))
    y = measured.final(trial.metric.name)
    if (broken := np.flatnonzero(~np.isfinite(y))).size:
        try:
            # A method's own 0/0 is no divergence; where one run has diverged, most have.
            trial.require_divergence(broken[:_WATCHED], cell.seed)
        except BoundcheckError as error:
            return not_applicable(name, first.problem.name, str(error))
    if not found and trial.is_random and (every := _on_paths(cell, trial.metric, recipe.paths)) is not None:
        return trial.judge(every, alpha=recipe.alpha, cells=cells, exact=True)
    # A store has the worst of a letter over all replicates: it moves from look to look, and every look may err.
    alpha = recipe.alpha / 2**stage if found else recipe.alpha
    return trial.judge(y, alpha=alpha, cells=cells, stage=stage)
