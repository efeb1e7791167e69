"""What a sweep will take, before it runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.sweep.cells.bundles import bundle_cells, cost
from boundcheck.sweep.run.memory import megabytes_of
from boundcheck.sweep.run.pricing import price_bundles
from boundcheck.sweep.run.runner import needed_cells, plan

if TYPE_CHECKING:
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.recipes.recipe import Recipe

_LONG = 2e8
"""Work, in units of `cost`, of some seconds: the clock that tells how many runs for some itself."""


class Estimate(NamedTuple):
    """Cells and what they take; seconds are from short runs here, megabytes right within a factor of a few."""

    cells: int
    missing: int
    seconds: float
    megabytes: float
    """Of the process that needs most."""


def estimate(recipe: Recipe, store: Store, workers: int) -> Estimate:
    """Return what running the missing cells of a recipe will take; the clock is that of short runs on this machine.

    Of experiments the next cells count: while some are being tuned, those that decide are not known yet.
    """
    cells = needed_cells(plan(recipe), store)
    missing = [cell for cell in cells if not store.has(cell)]
    bundles = bundle_cells(missing)
    each = price_bundles(bundles)
    seconds = max(max(each, default=0.0), sum(each) / workers)
    return Estimate(len(cells), len(missing), seconds, megabytes_of(bundles))


def estimate_if_long(recipe: Recipe, store: Store, workers: int | None) -> Estimate | None:
    """Return what running the missing cells will take, None where that is little by their counts alone."""
    missing = [cell for cell in needed_cells(plan(recipe), store) if not store.has(cell)]
    if sum(map(cost, bundle_cells(missing))) < _LONG:
        return None
    return estimate(recipe, store, workers or os.cpu_count() or 1)
