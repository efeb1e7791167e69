"""Run the cells that are missing, on all cores; an interruption loses at most the bundles in flight."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from concurrent.futures import Executor, as_completed
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine import simulate
from boundcheck.errors import InputError, require_count
from boundcheck.processes import pool
from boundcheck.sweep.cells import Cell, Planned, plan
from boundcheck.sweep.stages import undecided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from boundcheck.sweep.recipe import Recipe
    from boundcheck.sweep.store import Store

_BUNDLE = 12_288
"""Numbers in one array up to which cells are stacked: beyond it stacking saves nothing."""


@dataclass(frozen=True)
class SweepCount:
    """What a sweep did."""

    ran: int
    found: int


def run_sweep(
    recipe: Recipe,
    store: Store,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int, float], None] | None = None,
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
        Called with (cells done, cells in all, share of the predicted work done).

    Returns
    -------
    SweepCount
        How many cells ran, and how many had a result before.

    Raises
    ------
    InputError
        If workers is not a count, or a hyperparameter of a compared method is not legal.
    """
    if workers is not None:
        require_count(workers, "workers")
    planned = plan(recipe)
    cells = list(dict.fromkeys(_cells_of(planned)))
    outcome = _run_missing(cells, store, workers or os.cpu_count() or 1, executor, progress)
    more = undecided(recipe, planned, store) if (recipe.budget or 0) > recipe.replicates else []
    while more:
        again = list(dict.fromkeys(cell for _, cell in more))
        added = _run_missing(again, store, workers or os.cpu_count() or 1, executor, progress)
        outcome = SweepCount(outcome.ran + added.ran, outcome.found)
        more = undecided(recipe, planned, store, [point for point, _ in more])
    return outcome


def _run_missing(
    cells: list[Cell],
    store: Store,
    workers: int,
    executor: Executor | None,
    progress: Callable[[int, int, float], None] | None,
) -> SweepCount:
    missing = [cell for cell in cells if not store.has(cell)]
    bundles = sorted(bundled(missing), key=cost, reverse=True)
    total, done, spent = sum(map(cost, bundles)), len(cells) - len(missing), 0.0
    for bundle in _finished(bundles, store, workers, executor):
        done, spent = done + len(bundle), spent + cost(bundle)
        if progress:
            progress(done, len(cells), spent / total)
    return SweepCount(ran=len(missing), found=len(cells) - len(missing))


def all_cells(recipe: Recipe) -> Iterator[Cell]:
    """Yield every cell of a recipe, those of compared methods included."""
    yield from _cells_of(plan(recipe))


def _cells_of(planned: Iterable[Planned]) -> Iterator[Cell]:
    for point in planned:
        if point.cell is not None:
            yield point.cell
        for _, cell in point.compared:
            yield cell


def bundled(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Group cells that can run as lanes of one array: same problem, N, S, K, b, method and non-numeric choices."""
    groups: dict[Any, list[list[Cell]]] = defaultdict(lambda: [[]])
    for cell in cells:
        bundles = groups[_stack_key(cell)]
        if bundles[-1] and sum(c.replicates for c in bundles[-1]) * cell.setting.S * cell.make_problem().d > _BUNDLE:
            bundles.append([])
        bundles[-1].append(cell)
    return [bundle for bundles in groups.values() for bundle in bundles if bundle]


def _stack_key(cell: Cell) -> Cell:
    fixed = tuple((k, v) for k, v in cell.hyper if not isinstance(v, float))
    return replace(cell, setting=cell.setting.at(1), hyper=fixed, replicates=0)


def cost(bundle: list[Cell]) -> float:
    """Return the predicted work of a bundle, in arbitrary units: array numbers touched plus a cost a step."""
    longest = max(cell.setting.T for cell in bundle)
    first = bundle[0]
    numbers = sum(cell.setting.T * cell.replicates for cell in bundle) * first.setting.S * first.make_problem().d
    return float(first.setting.K * (numbers + 4000 * longest))


def run_bundle(bundle: list[Cell], store: Store) -> list[Cell]:
    """Simulate the cells of a bundle as lanes of one array and write one file each."""
    first = bundle[0]
    counts = [cell.replicates for cell in bundle]
    method = first.make_method()
    stacked = {
        f.name: np.repeat([dict(cell.hyper)[f.name] for cell in bundle], counts)
        for f in fields(method)  # type: ignore[arg-type]
        if isinstance(dict(first.hyper).get(f.name), float) and len(bundle) > 1
    }
    run = simulate(
        first.make_problem(),
        replace(method, **stacked),  # type: ignore[type-var]
        K=first.setting.K,
        T=np.repeat([cell.setting.T for cell in bundle], counts),
        S=first.setting.S,
        b=first.setting.b,
        lanes=np.concatenate([np.arange(n) for n in counts]),
        seed=first.seed,
        metrics=first.metrics,
        quantities=first.quantities,
        points=first.points,
    )
    stops = np.cumsum(counts)
    for cell, stop in zip(bundle, stops, strict=True):
        store.write(cell, run, slice(stop - cell.replicates, stop))
    return bundle


def _finished(bundles: list[list[Cell]], store: Store, workers: int, executor: Executor | None) -> Iterator[list[Cell]]:
    if executor is None and (workers == 1 or len(bundles) < 2):
        for bundle in bundles:
            yield run_bundle(bundle, store)
        return
    with contextlib.ExitStack() as stack:
        if executor is None:
            executor = stack.enter_context(pool(workers))
        futures = [executor.submit(run_bundle, bundle, store) for bundle in bundles]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            raise


@contextlib.contextmanager
def distributed(address: str) -> Iterator[Executor]:
    """Yield the executor of a Dask scheduler; its workers must see the store's folder.

    Raises
    ------
    InputError
        If the extra is not installed or no scheduler answers at `address`.
    """
    try:
        from distributed import Client
    except ImportError:
        msg = "a Dask scheduler needs the package distributed: pip install 'boundcheck[dask]'"
        raise InputError(msg) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        msg = f"--dask = {address!r}: no scheduler answers there ({error})"
        raise InputError(msg) from None
    with client:
        yield client.get_executor(pure=False)
