"""Which questions are still open, and how many more runs decide them: the first runs are the pilot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from boundcheck.sweep.experiments.answers import contests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.evidence.statistics.anytime import ReplicatePlan
    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.experiments.answers import AssertionResult
    from boundcheck.sweep.experiments.questions import AssertionQuestion
    from boundcheck.sweep.recipes.recipe import Recipe

_HOPELESS = 4
"""A question that would need so many times the budget gets no more runs: it would stay open."""


def more_cells(recipe: Recipe, store: Store) -> list[Cell]:
    """Return the cells of open questions with as many replicates as are likely to decide them, within the budget.

    The interval of an answer holds at all numbers of replicates at once, so that one may stop at any.

    Parameters
    ----------
    recipe, store
        A recipe of which every experiment has its first results.
    """
    if not any((e.budget or 0) > (e.replicates or recipe.replicates) for e in recipe.experiment):
        return []
    wanted: dict[Cell, Cell] = {}
    for one in contests(recipe, store).answers:
        for question, plan in _open_questions(one):
            for entry in question.entries:
                goal = _goal(plan, [cell.replicates for cell in entry.place.stages(entry.cell)[1:]])
                known = wanted.get(entry.cell, entry.cell)
                if goal > known.replicates:
                    wanted[entry.cell] = replace(entry.cell, replicates=goal, after=entry.cell.replicates)
    return list(wanted.values())


def _open_questions(one: AssertionResult) -> Iterator[tuple[AssertionQuestion, ReplicatePlan]]:
    """Yield the questions of an assertion and of its controls that are open: a control without power holds always."""
    yield from ((told.question, told.plan) for told in one.every if told.answer.answer == "open")
    yield from ((told.control.question, told.plan) for told in one.controls if told.found == "open")


def _goal(plan: ReplicatePlan, ladder: list[int]) -> int:
    """Return the replicates that are likely to decide a question, or to show a difference of twice the margin."""
    if not ladder:
        return 0
    if plan.needed is not None and plan.needed <= _HOPELESS * ladder[-1]:
        return next((n for n in ladder if n >= (plan.needed or 0)), ladder[-1])
    if plan.enough is None or plan.enough < ladder[0]:
        return 0
    return next((n for n in ladder if n >= (plan.enough or 0)), ladder[-1])
