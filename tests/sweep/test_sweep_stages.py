"""More replicates for undecided cells: a sweep with a budget decides like `check` does."""

from dataclasses import replace

import pytest
from sweep_recipes import small, written

from boundcheck import check, load_problem
from boundcheck.errors import InputError
from boundcheck.sweep import Store, collect, load_recipe, run_and_collect, run_sweep
from boundcheck.sweep.cells.arrays import read_arrays
from boundcheck.sweep.cells.bundles import run_bundle, size
from boundcheck.sweep.cells.points import study_settings
from boundcheck.sweep.results.stages import undecided_cells
from boundcheck.sweep.results.table import verdict_table

pytestmark = pytest.mark.xdist_group("sweep stages")

UNSURE = """
title = "unsure"
seed = 3
replicates = 2
budget = 12
points = 2

[[study]]
id = "noisy"
title = "where it begins to say something"
problem = "ridge-log"
parameters = { d = 4, sigma = 1.0, zeta = 0.5 }
bounds = ["fedlalr.corollary2R"]
N = [8, 16]
K = [2, 4]
T = [64, 128, 256]

[[study]]
id = "tilt"
title = "no noise"
problem = "quadratic-tilt"
parameters = { zeta = 10.0 }
bounds = ["momentum-fl.theorem19-printed"]
N = [2]
K = [1]
T = [10]
"""
POINTS = 12
"""Grid points of the first study."""


def first_stages(recipe):
    """Return the cell of the first point with the replicates of every stage."""
    point = study_settings(recipe)[0]
    return point.stages(point.cell)


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return a recipe with a budget, its finished store and what the sweep said."""
    folder = tmp_path_factory.mktemp("stages")
    recipe, store = load_recipe(written(folder, UNSURE)), Store(folder / "store")
    return recipe, store, run_sweep(recipe, store, workers=1)


def test_a_sweep_with_a_budget_decides_like_check(grown):
    """Every cell has verdict, reason, mean and size of `check`'s last look, at different numbers of replicates."""
    recipe, store, _ = grown
    points = collect(recipe, store)[0].points
    for point in points:
        v, at = point.verdicts["fedlalr.corollary2R"], point.setting
        problem = load_problem("ridge-log", N=at["N"], d=4, sigma=1.0, zeta=0.5)
        sizes = {"K": at["K"], "T": at["T"]}
        alone = check("fedlalr.corollary2R", problem, **sizes, alpha=0.05 / POINTS, replicates=2, budget=12, seed=3)
        assert (v.verdict, v.reason, v.measured) == (alone.verdict, alone.reason, alone.measured)
        assert v.replicates == alone.replicates
    assert {point.verdicts["fedlalr.corollary2R"].replicates for point in points} == {2, 4, 8, 12}


def test_judging_beside_a_sweep_waits_for_the_last_look(grown, tmp_path):
    """Verdicts of `run_and_collect` are those of all replicates, not those of the first look."""
    recipe, store, _ = grown
    beside = run_and_collect(recipe, Store(tmp_path), workers=1)
    assert verdict_table(beside).equals(verdict_table(collect(recipe, store)))


def test_stages_double_up_to_the_budget(grown):
    """Replicates go 2, 4, 8, 12; a cell without noise is looked at once."""
    recipe, store, outcome = grown
    found = {p.study.id: [c.replicates for c in p.stages(p.cell)] for p in study_settings(recipe)}
    assert found == {"noisy": [2, 4, 8, 12], "tilt": [1]}
    assert undecided_cells(study_settings(recipe), store) == []
    assert outcome.ran > len(study_settings(recipe))


def test_a_stage_runs_what_is_new_and_writes_what_is_all(grown, tmp_path):
    """A grown result has every number of a cell that ran all its replicates at once."""
    recipe, store, _ = grown
    run = {p.cell: p.stages(p.cell) for p in study_settings(recipe)}
    last = [[stage for stage in found if store.has(stage)][-1] for found in run.values()]
    longer = [cell for cell in last if cell.replicates > 2]
    assert {cell.replicates for cell in longer} == {4, 8, 12}
    afresh = Store(tmp_path / "afresh")
    for cell in longer:
        run_bundle([cell], afresh)
        for kind in ("average", "instant"):
            ours, all_at_once = getattr(store.read(cell), kind), getattr(afresh.read(cell), kind)
            for name, values in all_at_once.items():
                assert (ours[name] == values).all()


def test_a_stage_counts_its_new_replicates_alone(grown):
    """Four replicates after two are two lanes."""
    recipe, _, _ = grown
    cell = first_stages(recipe)[1]
    further = replace(cell, after=2)
    assert (cell.replicates, list(further.lanes), further.earlier.replicates) == (4, [2, 3], 2)
    assert size(further) == size(cell) // 2


def test_a_grown_result_names_every_backend(grown, tmp_path):
    """Two replicates of one backend and two of another are a result of both, in this order."""
    recipe, _, _ = grown
    first, second = first_stages(recipe)[:2]
    store = Store(tmp_path / "mixed")
    for cell, backend in ((first, "numpy"), (replace(second, after=2), "jax")):
        run_bundle([cell], store, backend)
    _, header = read_arrays(store.path(second).read_bytes())
    assert header["backend"].startswith("numpy, then jax")


def test_a_second_run_adds_nothing(grown):
    """What was decided stays decided: no cell runs again."""
    recipe, store, _ = grown
    assert run_sweep(recipe, store, workers=1).ran == 0


def test_budget_below_the_replicates_is_refused(tmp_path):
    """The message names the key and what is legal."""
    with pytest.raises(InputError, match="budget = 3 is not legal: at least replicates = 4"):
        small(tmp_path, change=("replicates = 4", "replicates = 4\nbudget = 3"))


def test_bounds_of_one_study_agree_on_the_methods_options(tmp_path):
    """Restarted and carried momentum are two methods: one run cannot serve both."""
    bounds = '["momentum-fl.theorem11", "momentum-fl.theorem11-rate"]'
    with pytest.raises(InputError, match="about the same options of their method"):
        small(tmp_path, change=(bounds, '["fedlalr.theorem1", "fedlalr.corollary2"]'))
