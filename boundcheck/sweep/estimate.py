"""What a sweep will take, before it runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.engine import simulate
from boundcheck.sweep.bundles import bundled, cost, numbers
from boundcheck.sweep.cells import all_cells
from boundcheck.sweep.contest import wanted

if TYPE_CHECKING:
    from boundcheck.sweep.cells import Cell
    from boundcheck.sweep.recipe import Recipe
    from boundcheck.sweep.store import Store

_PROCESS = 150.0
"""Megabytes of a process before it has any data."""


class Estimate(NamedTuple):
    """Cells and what they take; seconds and megabytes are right within a factor of a few."""

    cells: int
    missing: int
    seconds: float
    megabytes: float
    """Of the process that needs most."""


def estimate(recipe: Recipe, store: Store, workers: int) -> Estimate:
    """Return what running the missing cells of a recipe will take; the clock is that of one cell on this machine.

    Of experiments the next cells count: while some are being tuned, those that decide are not known yet.
    """
    needed: set[Cell] = set()
    wanted(recipe, store, needed)
    cells = list(dict.fromkeys([*all_cells(recipe), *sorted(needed, key=lambda cell: cell.id)]))
    missing = [cell for cell in cells if not store.has(cell)]
    bundles = bundled(missing)
    longest, total = max(map(cost, bundles), default=0.0), sum(map(cost, bundles))
    seconds = max(longest, total / workers) * (_unit() if bundles else 0.0)
    return Estimate(len(cells), len(missing), seconds, _PROCESS + 8e-6 * max(map(numbers, bundles), default=0))


def _unit() -> float:
    """Return the seconds of one unit of `cost`, measured on a run of a tenth of a second."""
    from boundcheck.methods import METHODS
    from boundcheck.problems import load_problem

    problem, method = load_problem("ridge-ratio", N=4), METHODS["fedavg"](eta=0.1)  # type: ignore[call-arg]
    start = time.perf_counter()
    simulate(problem, method, K=2, T=1000, lanes=16)
    return (time.perf_counter() - start) / (2 * (1000 * 16 * 4 * problem.d + 4000 * 1000))
