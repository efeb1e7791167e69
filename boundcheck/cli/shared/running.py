"""What `sweep` and `report` share: checks before work, a prediction of it, and the work itself."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.cli.terminal.output import note, note_of_run, number, print_card, print_json
from boundcheck.errors import require, require_count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from boundcheck.sweep import Recipe, StudyResult
    from boundcheck.sweep.run.crew import Crew
    from boundcheck.workers.progress import Progress

ASKED = 10_000
"""Cells of a recipe above which --yes is needed."""
_MANY = 100
"""Missing cells from which on a recipe says, before they run, how many there are and what stopping costs."""


@dataclass(frozen=True)
class RunPlan:
    """Where a recipe runs."""

    store: Path
    workers: int | None = None
    dask: str | None = None
    yes: bool = False
    backend: str = "numpy"
    """What computes; reports stay on numpy, whose bits do not depend on what is installed."""


def require_output(path: Path | None, option: str, *endings: str) -> None:
    """Refuse, before hours of work, a file that could not be written after them."""
    from boundcheck.files.atomic import require_writable

    if path is None:
        return
    legal = f"a file ending in {' or '.join(endings)}"
    require(not endings or path.suffix in endings, option, str(path), legal)
    require_writable(path)


def recipe_of(
    name: str,
    *,
    quick: bool,
    trust_code: bool,
    values: list[str] | None = None,
    asked: list[str] | None = None,
    seed: int | None = None,
) -> Recipe:
    """Return a recipe by name or path: some of its assertions, at another seed, with other values, its smaller form."""
    from boundcheck.api.outputs import loaded_recipe
    from boundcheck.cli.terminal.settings import choices

    return loaded_recipe(name, trust_code=trust_code, set_=choices(values), quick=quick, ask=asked, seed=seed)


def sweep_recipe(recipe: Recipe, name: str, plan: RunPlan, crew: Crew | None = None) -> list[StudyResult]:
    """Run what is missing of a recipe, with progress shown, and return what the store then says; a crew stays.

    Work of a minute and more says how long it took.
    """
    from boundcheck.cli.terminal.progress import work
    from boundcheck.sweep import Store, run_and_collect

    results, began = Store(require_runnable(recipe, name, plan)), time.monotonic()
    dask = plan.dask if crew is None else None
    with executor(dask, results.folder) as given, work(name) as progress:
        told = _tell_first(name, plan.store, progress)
        found = run_and_collect(
            recipe, results, workers=plan.workers, executor=given, progress=told, backend=plan.backend, crew=crew
        )
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    if minutes:
        note(f"{name}: ran for {minutes} min {seconds} s")
    return found


def _tell_first(name: str, store: Path, progress: Progress | None) -> Progress:
    """Return what shows progress after a word, before the first cell runs, on how many there are and where they go."""
    told = False

    def show(done: int, total: int, share: float) -> None:
        nonlocal told
        if not told and total - done >= _MANY:
            note_of_run(
                f"{name}: {total - done} cells to run; each is kept in {store} when it is done, so that the same "
                "command goes on from there if it is stopped"
            )
        told = True
        if progress is not None:
            progress(done, total, share)

    return show


@contextlib.contextmanager
def executor(dask: str | None, folder: Path | None = None) -> Iterator[Executor | None]:
    """Yield the executor of a Dask scheduler whose workers see the folder, or None for local processes."""
    from boundcheck.workers.scheduler import dask_executor

    with dask_executor(dask, folder) if dask else contextlib.nullcontext() as given:
        yield given


def predict(recipe: Recipe, name: str, plan: RunPlan, *, json: bool = False) -> None:
    """Say how many cells would run, and about how long and in what memory; run none."""
    from boundcheck.sweep import Store
    from boundcheck.sweep.run.estimate import estimate

    workers = plan.workers or os.cpu_count() or 1
    found = estimate(recipe, Store(require_runnable(recipe, name, plan)), workers)
    if json:
        print_json(found._asdict())
        return
    entries = {
        "cells": f"{found.cells}, of which {found.missing} would run now",
        "time": f"about {number(found.seconds)} s in {workers} processes, more where a budget asks for more replicates",
        "memory": f"about {number(found.megabytes)} MB in each process",
    }
    print_card(f"{name}: dry run", entries)


def require_runnable(recipe: Recipe, name: str, plan: RunPlan) -> Path:
    """Return the folder of the results, after everything that can be seen before work."""
    from boundcheck.files.atomic import require_writable
    from boundcheck.sweep.recipes.experiment import grid_size
    from boundcheck.sweep.recipes.recipe import size

    if plan.workers is not None:
        require_count(plan.workers, "workers")
    folder = plan.store.absolute()
    # A store that is there may hold every cell: whether anything is to be written is known when they are planned.
    if not folder.is_dir():
        require_writable(folder, folder=True)
    cells = sum(size(study) * (1 + len(study.compare)) for study in recipe.study)
    cells += sum(size(e) * sum(grid_size(entrant.grid) for entrant in e.entrant) for e in recipe.experiment)
    legal = f"at most {ASKED} cells without --yes; --dry-run says how long they take"
    require(cells <= ASKED or plan.yes, f"{name}: cells", cells, legal)
    return folder
