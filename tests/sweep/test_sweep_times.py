"""Times to epsilon of a recipe: every method and accuracy, with what it costs."""

import pytest
from sweep_recipes import SMALL, small, written

from boundcheck.errors import InputError
from boundcheck.sweep import Store, collect, exponent_table, load_recipe, run_sweep, time_table
from boundcheck.sweep.cells.points import study_settings

pytestmark = pytest.mark.xdist_group("sweep times")

TIMED = (
    'fit = ["T"]\n\n[[study.compare]]\nmethod = "fedavg"\nhyper = { eta = 0.05 }',
    """fit = ["T"]
epsilons = [2.0, 1.5, 0.1]

[[study.compare]]
method = "storm"
label = "steps from T"
hyper = { eta = 0.1, a = 1.0, B = 2 }
powers = { eta = -0.5, B = 0.5 }
decays = [0.5]""",
)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return a small recipe with accuracies and its results."""
    folder = tmp_path_factory.mktemp("times")
    recipe, store = small(folder, change=TIMED), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, collect(recipe, store)


def test_steps_set_from_the_horizon(done):
    """Powers multiply by T^p; a count is rounded up; the rest stays."""
    for point in study_settings(done[0]):
        for _, cell in point.compared:
            method = cell.make_method()
            assert method.eta == pytest.approx(0.1 / cell.setting.T**0.5)
            assert (method.a, method.B) == (1.0, {3: 4, 8: 6, 14: 8, 20: 9}[cell.setting.T])


def test_every_method_slice_and_accuracy_has_a_row(done):
    """Two methods, two N, two sigma, three accuracies; costs are those of the horizon (K or 2K gradients)."""
    frame = time_table(done[1])
    assert len(frame) == 2 * 2 * 2 * 3
    assert set(frame.label) == {"momentum-fl.theorem11", "steps from T"}
    assert set(frame.relation) <= {"=", "<=", ">="}
    unreached = frame[frame.epsilon == 0.1]
    assert set(zip(unreached.relation, unreached.rounds, strict=True)) == {(">=", 20.0)}
    prescribed = frame[frame.label == "momentum-fl.theorem11"]
    assert (prescribed.samples == 2 * prescribed.rounds).all()
    unreached = unreached[unreached.label == "steps from T"]
    assert set(unreached.samples) == {2 * 2 * 20 + 9}


def test_a_study_without_accuracies_has_no_times(done):
    """The second study names none."""
    assert done[1][1].times == []


def test_exponent_table_has_a_row_a_local_order(done):
    """Four horizons give three local orders a fit, and the margin is stated."""
    frame = exponent_table(done[1])
    assert len(frame) == 3 * len(done[1][0].fits) == 12
    assert set(frame.margin) == {0.05}
    assert (frame.order_low <= frame.order).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("zip = true", "zip = true\nepsilons = [0.1]", "epsilons = .* unless T increases"),
        ('fit = ["T"]\n\n[[study.compare]]', "epsilons = [0.0]\n\n[[study.compare]]", "epsilons"),
        (
            "hyper = { eta = 0.05 }",
            "hyper = { eta = 0.05 }\npowers = { gamma = 1.0 }",
            "powers = .*gamma",
        ),
    ],
)
def test_mistakes_are_named(tmp_path, old, new, message):
    """Accuracies need an increasing T of their own runs, powers a hyperparameter."""
    assert old in SMALL
    with pytest.raises(InputError, match=message):
        load_recipe(written(tmp_path, SMALL.replace(old, new, 1)))
