"""Print what a dry run says three recipes take, and what they took: `python -m benchmarks.forecast`."""

import tempfile
import time

import msgspec
from rich.console import Console
from rich.table import Table

from boundcheck.sweep import Store, load_recipe, run_sweep
from boundcheck.sweep.run.estimate import estimate

RECIPES = {"overview": (1, 6), "findings": (0, 4), "audit": (3, 30)}
"""First study of a recipe that runs, and every which one after it."""


def thinned(name, first, step):
    """Return a recipe with some of its studies, without a budget for further replicates."""
    recipe = load_recipe(name)
    return msgspec.structs.replace(recipe, study=recipe.study[first::step], experiment=[], budget=None)


def main():
    """Print the table."""
    table = Table(title="Processor seconds of some studies on one core, without those of planning")
    for heading in ("recipe", "cells", "dry run itself", "said", "took", "said / took"):
        table.add_column(heading, justify="right")
    for name, (first, step) in RECIPES.items():
        recipe = thinned(name, first, step)
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            said = estimate(recipe, Store(folder), 1)
            between = time.process_time()
            run_sweep(recipe, Store(folder), workers=1, backend="numpy")
            took, itself = time.process_time() - between, between - start
        row = (said.cells, itself, said.seconds, took, said.seconds / took)
        table.add_row(name, *(f"{value:.3g}" for value in row))
    Console().print(table)


if __name__ == "__main__":
    main()
