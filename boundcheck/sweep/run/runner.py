"""Run the cells that are missing, on all cores; an interruption loses at most the bundles in flight."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.engine.backends import block_runner
from boundcheck.errors import require, require_count
from boundcheck.files.atomic import require_writable
from boundcheck.sweep.cells.arrays import SUFFIX
from boundcheck.sweep.cells.bundles import BACKENDS, bundle_cells, run_bundle
from boundcheck.sweep.cells.index import stamp
from boundcheck.sweep.cells.points import StudySetting, study_settings
from boundcheck.sweep.experiments.power import more_cells
from boundcheck.sweep.experiments.setting import ExperimentSetting, experiment_settings
from boundcheck.sweep.experiments.tuning import experiment_cells
from boundcheck.sweep.recipes.recipe import size
from boundcheck.sweep.results.results import StudyJudge
from boundcheck.sweep.results.stages import undecided_cells
from boundcheck.sweep.run.crew import Crew
from boundcheck.sweep.run.forecast import Forecast, in_order
from boundcheck.sweep.run.memory import require_memory
from boundcheck.workers.memory import keep_freed_memory
from boundcheck.workers.processes import retry_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Executor

    from boundcheck.sweep.cells.cells import Cell
    from boundcheck.sweep.cells.index import Stamp
    from boundcheck.sweep.cells.store import Store
    from boundcheck.sweep.recipes.recipe import Recipe
    from boundcheck.sweep.results.results import StudyResult
    from boundcheck.workers.progress import Progress

RecipePoint = StudySetting | ExperimentSetting
"""What a recipe is made of: a point of the grid of a study or an experiment."""
_MANY = 32
"""Grid points from which on processes are started before anything is known of their cells."""


@dataclass(frozen=True)
class SweepCount:
    """What a sweep did."""

    ran: int
    found: int


class ProgressCallbacks(NamedTuple):
    """Who is told of finished bundles."""

    progress: Progress | None
    """Called with (cells done, cells in all, share of the predicted work done); with a share of 0 where work begins."""
    beside: Callable[[list[Cell]], None] | None = None
    """Called with the cells; works beside the workers."""


def run_sweep(
    recipe: Recipe,
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    backend: str = "auto",
) -> SweepCount:
    """Run every cell of the recipe that has no result yet, and undecided ones again up to the recipe's budget.

    Parameters
    ----------
    recipe, store
        What to run and where results go.
    workers : int, optional
        Processes; by default one a core.  One worker runs in this process.
    executor : Executor, optional
        Any `concurrent.futures` executor in place of local processes (a distributed client's, for example).
    progress : callable, optional
        Called with (cells done, cells in all, share of the predicted work done), where work begins and after a bundle.
    backend : {'auto', 'numpy', 'jax'}
        What computes: JAX for all that can be compiled, or, by default, for what is long enough if it is installed.
        Both agree to rounding; numpy alone is the same bit for bit whatever runs together.

    Returns
    -------
    SweepCount
        How many cells ran, and how many had a result before.

    Raises
    ------
    InputError
        If workers is not a count, backend is no name or not installed, a hyperparameter of a compared method is not
        legal, a cell is missing in a store that cannot be written, or the machine has not the memory.
    LostWorkerError
        If a worker is lost twice, or a scheduler once; what is finished is kept.
    """
    with _crew(workers, executor, backend) as crew:
        points = _plan_beside(recipe, store, crew)
        return _sweep_points(recipe, points, store, crew, ProgressCallbacks(progress), backend)


def run_and_collect(
    recipe: Recipe,
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    backend: str = "auto",
    crew: Crew | None = None,
) -> list[StudyResult]:
    """Run what is missing of a recipe as `run_sweep` does, and judge it as `collect` does.

    What judging needs is read and worked out while the workers are busy.

    Parameters
    ----------
    recipe, store, workers, executor, progress, backend
        As for `run_sweep`.
    crew : Crew, optional
        Who does the work, in place of `workers` and `executor`; it stays when the work is done.

    Returns
    -------
    list of StudyResult

    Raises
    ------
    InputError
        As `run_sweep` and `collect`.
    LostWorkerError
        If a worker is lost twice, or a scheduler once; what is finished is kept.
    """
    with _crew(workers, executor, backend, crew) as crew:
        points = _plan_beside(recipe, store, crew)
        judging = StudyJudge(recipe, store, [point for point in points if isinstance(point, StudySetting)])

        def beside(bundle: list[Cell]) -> None:
            judging.go_on([cell for cell in bundle if store.has(cell)])

        _sweep_points(recipe, points, store, crew, ProgressCallbacks(progress, beside), backend)
        return judging.results()


def _crew(
    workers: int | None, executor: Executor | None, backend: str, given: Crew | None = None
) -> contextlib.AbstractContextManager[Crew]:
    """Return who does the work of a sweep; arguments that are not legal are refused before any is done."""
    if workers is not None:
        require_count(workers, "workers")
    require(backend in BACKENDS, "backend", backend, f"one of {', '.join(BACKENDS)}")
    if backend == "jax":
        block_runner(backend, "float64")
    return Crew(workers, executor) if given is None else contextlib.nullcontext(given)


def plan(recipe: Recipe) -> list[RecipePoint]:
    """Return the points of all grids of a recipe: those of its studies, then those of its experiments."""
    return [*study_settings(recipe), *experiment_settings(recipe)]


def _plan_beside(recipe: Recipe, store: Store, crew: Crew) -> list[RecipePoint]:
    """Plan a recipe while processes start, if it is sure that there is work for them."""
    if sum(map(size, recipe.study)) >= _MANY and not any(store.folder.glob(f"*{SUFFIX}")):
        crew.start()
    return plan(recipe)


def needed_cells(points: Iterable[RecipePoint], store: Store) -> list[Cell]:
    """Return every cell that points need, as far as the store tells; of experiments those of tuning come first."""
    found: dict[str, Cell] = {}
    for point in points:
        cells = point.cells() if isinstance(point, StudySetting) else experiment_cells(point, store)
        # By name, which a cell works out once; it has no hash of its own that lasts.
        found |= {cell.id: cell for cell in cells if cell.id not in found}
    return list(found.values())


def _sweep_points(
    recipe: Recipe, points: list[RecipePoint], store: Store, crew: Crew, told: ProgressCallbacks, backend: str
) -> SweepCount:
    """Run what points need until nothing is missing; then what is undecided, with more replicates, until that is so."""
    studies = [point for point in points if isinstance(point, StudySetting)]
    first = more = 0
    while True:
        cells = needed_cells(points, store)
        if missing := sum(not store.has(cell) for cell in cells):
            first += missing
        elif further := undecided_cells(studies, store) or more_cells(recipe, store):
            cells, more = further, more + len(further)
        else:
            store.index.save()
            return SweepCount(ran=first + more, found=len(cells) - first)
        retry_once(partial(_run_missing, cells, store, crew, told, backend))


def _run_missing(cells: list[Cell], store: Store, crew: Crew, told: ProgressCallbacks, backend: str) -> None:
    missing = [cell for cell in cells if not store.has(cell)]
    if missing:
        require_writable(store.folder, folder=True)
    bundles = in_order(bundle_cells(missing))
    require_memory(bundles, min(crew.processes_here, len(bundles)))
    forecast, done = Forecast.of(bundles), len(cells) - len(missing)
    if told.progress and bundles:
        told.progress(done, len(cells), 0.0)
    for bundle, stamps, seconds in crew.as_finished(_time_bundle, [(bundle, store, backend) for bundle in bundles]):
        for cell, written in zip(bundle, stamps, strict=True):
            if written is not None:
                store.index.add(cell, written)
        done += len(bundle)
        share = forecast.learn(bundle, seconds)
        if told.progress:
            told.progress(done, len(cells), share)
        if told.beside:
            told.beside(bundle)


def _time_bundle(bundle: list[Cell], store: Store, backend: str) -> tuple[list[Cell], list[Stamp | None], float]:
    """Run a bundle and return it with the stamps of its files and the seconds that it took."""
    keep_freed_memory()
    start = time.perf_counter()
    run_bundle(bundle, store, backend)
    return bundle, [stamp(store.path(cell)) for cell in bundle], time.perf_counter() - start
