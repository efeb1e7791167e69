"""Judge the cells of a sweep, and look again with more replicates where a bound is undecided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.along import before_the_run
from boundcheck.evidence.check import judge
from boundcheck.evidence.pairing import pair
from boundcheck.evidence.verdict import Verdict, not_applicable
from boundcheck.sweep.cells import along_the_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.sweep.cells import Cell, Planned
    from boundcheck.sweep.recipe import Recipe
    from boundcheck.sweep.store import Measured, Store


def ladder(recipe: Recipe, cell: Cell) -> list[Cell]:
    """Return the cell at the replicates of every look: doubling, up to the recipe's budget; one look without noise."""
    rungs, budget = [cell], recipe.budget or 0
    while cell.replicates > 1 and rungs[-1].replicates < budget:
        rungs.append(replace(cell, replicates=min(2 * rungs[-1].replicates, budget)))
    return rungs


def unsettled(
    recipe: Recipe, planned: Sequence[Planned], store: Store, among: Sequence[Planned] | None = None
) -> list[tuple[Planned, Cell]]:
    """Return the undecided points of a plan, each with its cell at the next number of replicates, if there is one.

    Parameters
    ----------
    recipe, planned, store
        A plan of which every point has a result.
    among : sequence of Planned, optional
        The points to look at; by default all.
    """
    size = Counter(p.study.id for p in planned)
    return [
        (p, cell)
        for p in (planned if among is None else among)
        if p.cell is not None
        for cell in ladder(recipe, p.cell)[_looks(recipe, p.cell, store) :][:1]
        if _open(judged(recipe, p, p.cell, store, size[p.study.id])[1])
    ]


def judged(
    recipe: Recipe, planned: Planned, cell: Cell, store: Store, cells: int
) -> tuple[Measured, dict[str, Verdict]]:
    """Return the largest result of a planned point and the verdict of every bound on it, at alpha / cells."""
    looks = _looks(recipe, cell, store)
    measured = store.read(ladder(recipe, cell)[looks - 1])
    names = planned.study.bounds
    return measured, {name: _verdict(recipe, planned, measured, name, cells, looks) for name in names}


def _open(verdicts: Mapping[str, Verdict]) -> bool:
    return any(v.verdict == "undecided" and BOUNDS[name].kind == "explicit" for name, v in verdicts.items())


def _looks(recipe: Recipe, cell: Cell, store: Store) -> int:
    """Return how often the cell was looked at: the place of its largest result on the ladder."""
    return max((i for i, rung in enumerate(ladder(recipe, cell), 1) if store.has(rung)), default=1)


def _verdict(recipe: Recipe, planned: Planned, measured: Measured, name: str, cells: int, looks: int) -> Verdict:
    """Judge one bound at the parameters that the study's first bound prescribed."""
    first = planned.pairing
    if first is None:
        return not_applicable(name, planned.study.problem, planned.reason)
    bound = BOUNDS[name]
    used = {k: v for k, v in first.evaluation.values.items() if k in bound.parameters}
    found = {x: measured.worst[bound.measured[x]] for x in along_the_run(bound)}
    used |= before_the_run(bound, first.problem.N) | found
    try:
        pairing = (
            first
            if name == first.bound.id and not found
            else pair(bound, first.problem, K=first.K, T=first.T, S=first.S, b=first.b, overrides=used)
        )
    except NotApplicableError as error:
        return not_applicable(name, first.problem.name, str(error))
    return judge(pairing, measured.final(pairing.metric.name), alpha=recipe.alpha, cells=cells, looks=looks)
