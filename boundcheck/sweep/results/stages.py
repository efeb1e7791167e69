"""Judge the cells of a sweep, and run the next stage, with more replicates, where that may say more."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.engine.exact import average_on_paths
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.statistics.stages import stages
from boundcheck.evidence.statistics.verdict import Verdict, not_applicable
from boundcheck.evidence.trials.examples import initial_values
from boundcheck.evidence.trials.trial import Trial
from boundcheck.sweep.cells.cells import along_the_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array
    from boundcheck.sweep.cells.cells import Cell, PlannedPoint
    from boundcheck.sweep.cells.store import CellResult, Store
    from boundcheck.sweep.recipes.recipe import Recipe

_WATCHED = 4
"""Runs without an end of which it is asked whether they diverged."""


def cell_stages(recipe: Recipe, cell: Cell) -> list[Cell]:
    """Return the cell at the replicates of every stage; a cell without noise has one."""
    budget = recipe.budget if recipe.budget and cell.replicates > 1 else cell.replicates
    return [replace(cell, replicates=stage.replicates) for stage in stages(cell.replicates, budget)]


def undecided_points(
    recipe: Recipe, planned: Sequence[PlannedPoint], store: Store, among: Sequence[PlannedPoint] | None = None
) -> list[tuple[PlannedPoint, Cell]]:
    """Return the undecided points of a plan, each with its cell at the next number of replicates, if there is one.

    The cell is to be run for the replicates alone that are new.

    Parameters
    ----------
    recipe, planned, store
        A plan of which every point has a result.
    among : sequence of Planned, optional
        The points to judge; by default all.
    """
    size = Counter(p.study.id for p in planned)
    return [
        (p, replace(cell, after=before.replicates))
        for p in (planned if among is None else among)
        if p.cell is not None
        for before, cell in list(pairwise(cell_stages(recipe, p.cell)))[_stage(recipe, p.cell, store) - 1 :][:1]
        if _open(judge_point(recipe, p, p.cell, store, size[p.study.id])[1], recipe.budget or 0)
    ]


def judge_point(
    recipe: Recipe, planned: PlannedPoint, cell: Cell, store: Store, cells: int
) -> tuple[CellResult, dict[str, Verdict]]:
    """Return the largest result of a planned point and the verdict of every bound on it, at alpha / cells."""
    stage = _stage(recipe, cell, store)
    measured = store.read(cell_stages(recipe, cell)[stage - 1])
    names = planned.study.bounds
    return measured, {name: _verdict(recipe, planned, measured, name, cells, stage) for name in names}


def _open(verdicts: Mapping[str, Verdict], budget: int) -> bool:
    return any(v.gains_from(budget) for v in verdicts.values())


def _stage(recipe: Recipe, cell: Cell, store: Store) -> int:
    """Return the number of the last stage that has a result."""
    return max((i for i, staged in enumerate(cell_stages(recipe, cell), 1) if store.has(staged)), default=1)


@lru_cache(maxsize=1024)
def _on_paths(cell: Cell, metric: Metric, most: int) -> Array | None:
    """Return the left-hand side on every path of a cell's run, None where they are too many or have no list."""
    try:
        return average_on_paths(cell.make_problem(), cell.make_method(), metric, cell.setting, most=most)
    except NotApplicableError:
        return None


def _verdict(recipe: Recipe, planned: PlannedPoint, measured: CellResult, name: str, cells: int, stage: int) -> Verdict:
    """Judge one bound at the parameters that the study's first bound prescribed."""
    first, cell = planned.trial, planned.cell
    if first is None or cell is None:
        return not_applicable(name, planned.study.problem, planned.reason)
    bound = BOUNDS[name]
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
