"""More replicates for undecided cells: a sweep with a budget decides like `check` does."""

import pytest
from sweep_recipes import small

from boundcheck import check, load_problem
from boundcheck.errors import InputError
from boundcheck.sweep import Store, collect, run_sweep
from boundcheck.sweep.cells import plan
from boundcheck.sweep.stages import cell_stages, undecided

pytestmark = pytest.mark.xdist_group("sweep stages")

BUDGET = ("replicates = 4", "replicates = 2\nbudget = 12")
POINTS = 16
"""Grid points of the study "ridges"."""


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """Return the small recipe with a budget, its finished store and what the sweep said."""
    folder = tmp_path_factory.mktemp("stages")
    recipe, store = small(folder, change=BUDGET), Store(folder / "store")
    return recipe, store, run_sweep(recipe, store, workers=1)


def test_a_sweep_with_a_budget_decides_like_check(grown):
    """Two replicates decide where none is needed; every cell has verdict, reason and size of `check`'s last look."""
    recipe, store, _ = grown
    points = collect(recipe, store)[0].points
    for point in points:
        v, at = point.verdicts["momentum-fl.theorem11"], point.setting
        problem = load_problem("ridge-ratio", N=at["N"], d=4, sigma=at["sigma"])
        alone = check(
            "momentum-fl.theorem11", problem, K=2, T=at["T"], alpha=0.05 / POINTS, replicates=2, budget=12, seed=3
        )
        assert (v.verdict, v.reason, v.measured) == (alone.verdict, alone.reason, alone.measured)
        assert v.replicates == alone.replicates
        assert v.replicates > 2 or v.how == "ceiling"


def test_stages_double_up_to_the_budget(grown):
    """Replicates go 2, 4, 8, 12; a cell without noise is looked at once."""
    recipe, store, outcome = grown
    found = {p.study.id: [c.replicates for c in cell_stages(recipe, p.cell)] for p in plan(recipe)}
    assert found == {"ridges": [2, 4, 8, 12], "tilt": [1]}
    assert undecided(recipe, plan(recipe), store) == []
    assert outcome.ran > len(plan(recipe))


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
