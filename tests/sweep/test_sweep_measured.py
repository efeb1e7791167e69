"""Letters that belong to a run: a sweep measures them with the run and judges as `check` does."""

import pytest
from sweep_recipes import written

from boundcheck import check, load_problem
from boundcheck.report.plots.curves import trajectories
from boundcheck.sweep import Store, collect, curve_table, load_recipe, run_sweep
from boundcheck.sweep.cells.points import study_settings

pytestmark = pytest.mark.xdist_group("sweep measured")

RECIPE = """
title = "measured"
seed = 3
replicates = 4

[[study]]
id = "corrections"
title = "corrections"
problem = "ridge-split"
parameters = { d = 2, sigma = 0.0 }
bounds = ["gradma.lemma6-s", "gradma.lemma6S-s"]
N = [4]
S = [2]
K = [2]
T = [5, 9]

[[study]]
id = "alpha"
title = "alpha"
problem = "ridge-waves"
parameters = { d = 2 }
bounds = ["fedglomo.theorem3R"]
N = [4]
S = [2]
K = [2]
T = [40]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return the recipe and its results."""
    folder = tmp_path_factory.mktemp("measured")
    recipe, store = load_recipe(written(folder, RECIPE)), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, collect(recipe, store)


def test_the_growth_of_weights_is_no_part_of_a_name(results):
    """A study on a random output finds its curves by the bound's metric; a table of curves says the growth."""
    study = results[1][1]
    point = study.points[0]
    growth = point.verdicts["fedglomo.theorem3R"].setting["growth"]
    assert set(point.measured.average) == set(point.measured.instant) == {"output_gradient"}
    assert set(curve_table([study])["metric"]) == {f"output_gradient({growth!r})"}
    assert [len(t.mean) for t in trajectories(study)] == [len(point.measured.rounds)]


def test_corrections_are_measured_along_the_run(results):
    """A sweep takes the largest correction of all replicates; `check` that of half of them, and judges the rest."""
    for point in results[1][0].points:
        problem = load_problem("ridge-split", N=4, d=2, sigma=0.0)
        alone = check(
            "gradma.lemma6-s", problem, K=2, T=point.setting["T"], S=2, replicates=4, budget=4, seed=3, paths=0
        )
        found = point.verdicts["gradma.lemma6-s"]
        assert found.rhs == pytest.approx(alone.rhs, rel=1e-12)
        y = point.measured.final("server_gradient")
        assert (found.measured, alone.measured) == pytest.approx((y.mean(), y[2:].mean()), rel=1e-12)
        assert found.setting["eps_g"] == point.measured.worst["server_correction"] > 0


def test_alpha_is_the_value_that_always_serves(results):
    """A letter that the steps depend on is fixed before the run: alpha = N, and nothing is measured."""
    verdict = results[1][1].points[0].verdicts["fedglomo.theorem3R"]
    assert verdict.setting["alpha_div"] == 4
    assert [p.cell.quantities for p in study_settings(results[0])] == [("server_correction",)] * 2 + [()]
