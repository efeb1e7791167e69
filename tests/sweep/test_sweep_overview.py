"""Every cell of the recipe `overview` has, beside its neighbours, the numbers that it has alone."""

import dataclasses

import numpy as np
import pytest
from sweep_recipes import all_cells

from boundcheck.sweep import load_recipe
from boundcheck.sweep.cells.bundles import bundle_cells, problem_of, simulation

ROUNDS = 9
"""Rounds that are compared: lanes of shorter horizons leave before."""
REPLICATES = 3


@pytest.mark.slow
def test_every_cell_of_the_overview_has_the_numbers_that_it_has_alone():
    """Bit for bit, with fewer replicates and the first rounds only, horizons apart."""
    recipe = load_recipe("overview")
    cells = [dataclasses.replace(c, replicates=min(c.replicates, REPLICATES)) for c in all_cells(recipe)]
    horizons = sorted({cell.setting.T for cell in cells})
    cells = [dataclasses.replace(c, setting=c.setting.at(ROUNDS - horizons.index(c.setting.T) % 4)) for c in cells]
    cells = list(dict.fromkeys(cells))
    bundles = bundle_cells(cells)
    assert len(bundles) < len(cells) / 3
    for bundle in bundles:
        together = simulation(bundle, problem_of(bundle))()
        stops = np.cumsum([cell.replicates for cell in bundle])
        for cell, stop in zip(bundle, stops, strict=True):
            alone = simulation([cell], cell.make_problem())()
            rows = slice(stop - cell.replicates, stop)
            assert together.final[rows].tobytes() == alone.final.tobytes()
            for metric in cell.metrics:
                assert together.average(metric.name)[rows].tobytes() == alone.average(metric.name).tobytes()
