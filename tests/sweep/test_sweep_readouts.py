"""Readouts: what each reads off a curve, and that methods are tuned for the one that is shown."""

import numpy as np
import pytest
from experiment_recipes import NOISY, recipe, written

from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.methods import METHODS
from boundcheck.metrics import metric_of
from boundcheck.problems import load_problem
from boundcheck.sweep import Store, contests, load_recipe, run_sweep
from boundcheck.sweep.cells.store import CellResult
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.readouts import level_to_reach, start_share, time_to, value
from boundcheck.sweep.experiments.where import split_answers
from boundcheck.sweep.recipes.experiment import READS, Reading

METRIC = metric_of("server_gradient")


def curve(*values):
    """Return a result with these values in rounds 0, 1, ..., one run, a checkpoint after every round."""
    y = np.array([values], dtype=float)
    rounds = np.arange(1, len(values) + 1)
    return CellResult(rounds, {METRIC.name: METRIC}, {METRIC.name: y.cumsum(axis=1) / rounds}, {METRIC.name: y})


@pytest.mark.parametrize(
    ("readout", "wanted"), [("average", 15.0), ("apart", 29 / 3), ("late", 4.5), ("last", 1.0)], ids=lambda v: str(v)
)
def test_each_reads_what_it_says(readout, wanted):
    """By hand, of 31, 20, 8, 1: the mean, that of the last three, of the last two, the last."""
    assert value(curve(31, 20, 8, 1), METRIC, 3, readout)[0] == pytest.approx(wanted, rel=1e-12)


def test_the_share_of_the_start_is_apart():
    """31 of 31 + 20 + 8 + 1 = 60."""
    assert start_share(curve(31, 20, 8, 1), METRIC, 3) == pytest.approx(31 / 60)


def test_times_are_between_checkpoints():
    """From 16 to 4 the level 8 is half way in the logarithm; what is never reached counts as twice the budget."""
    found, spent = curve(32, 16, 4, 4), np.array([10.0, 20.0, 30.0, 40.0])
    assert time_to(found, METRIC, 3, spent, 8.0)[0] == pytest.approx(25.0)
    assert time_to(found, METRIC, 3, spent, 32.0)[0] == 10.0
    assert time_to(found, METRIC, 1, spent, 8.0)[0] == 40.0
    assert time_to(found, METRIC, 3, spent, 1.0)[0] == 80.0


def test_the_level_is_that_of_the_recipe_or_a_tenth_of_the_start(tmp_path):
    """reach, else the square of the last of epsilons, else a tenth of the squared gradient at the start."""
    about, problem = recipe(tmp_path, NOISY).experiment[0], load_problem("ridge-coercive", N=4)
    g = problem.exact_gradient(np.tile(problem.start, (1, 4, 1))).mean(axis=1)[0]
    assert level_to_reach(about, METRIC, problem) == pytest.approx(0.1 * g @ g, rel=1e-12)
    more = recipe(tmp_path, NOISY, eps=("tuning = 3", "tuning = 3\nepsilons = [2.0, 0.5]")).experiment[0]
    assert level_to_reach(more, METRIC, problem) == 0.25
    said = recipe(tmp_path, NOISY, eps=("tuning = 3", "tuning = 3\nreach = 7.0")).experiment[0]
    assert level_to_reach(said, METRIC, problem) == 7.0
    assert level_to_reach(about, metric_of("accuracy"), problem) is None


def test_the_level_is_the_same_for_all_steps_and_all_numbers_of_them(tmp_path):
    """Over local steps the first value of a curve is that after a round: a tenth of it would be another level each."""
    about, problem = recipe(tmp_path, NOISY).experiment[0], load_problem("ncsc-p1[sigma=0]", N=2)
    metric = metric_of("envelope_gradient")
    level = level_to_reach(about, metric, problem)
    still = METHODS["local-sgda"](eta_x=1e-9, eta_y=1e-9)
    first, moved = (
        simulate(problem, method, K=20, T=2, lanes=1, metrics=[metric], points=4).instant[metric.name][0, 0]
        for method in (still, METHODS["local-sgda"](eta_x=0.3, eta_y=0.3))
    )
    assert level == pytest.approx(0.1 * first, rel=1e-6)
    assert moved < 0.5 * first


def test_methods_are_tuned_for_every_readout(tmp_path):
    """Late, the best step is the argmin of averages over rounds 12 to 23 of runs by hand; all readouts are asked."""
    made, store = recipe(tmp_path, NOISY), Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    (result,) = collect_experiments(made, store)
    at = result.settings[1]
    assert {reading.readout for reading in at.readings} == set(READS)
    problem = load_problem("ridge-coercive", N=4, d=4, zeta=4.0)
    seed = at.place.cell(made.experiment[0].entrant[0], {"eta": 0.1}, tuning=True).seed
    scores = {}
    for eta in (0.05, 0.1, 0.2):
        run = simulate(problem, METHODS["fedavg"](eta=eta), K=3, T=24, lanes=3, seed=seed, points=1000)
        late = run.instant["server_gradient"][:, run.checkpoints > run.checkpoints[-1] / 2]
        scores[eta] = late.mean()
    entry = at.readings[Reading("late", 1.0)]["plain"]["rounds"]
    first = int(np.searchsorted(entry.measured.rounds, 12, side="right")) - 1
    if entry.measured.rounds[first] == 12:
        assert entry.tuned.hyper["eta"] == min(scores, key=scores.get)


def test_a_word_without_a_qualifier_is_that_of_all_readings(tmp_path):
    """The verdict is mixed or open unless every readout says the same; where it holds names the readouts."""
    made, store = recipe(tmp_path, NOISY), Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    one = contests(made, store).answers[0]
    assert len(one.readings) == len(READS)
    words = set(one.words.values())
    assert (one.outcome in words) or one.outcome in {"mixed", "undecided", "could not have told"}
    assert bool(one.where) == (len({told.word for told in one.every}) > 1)
    if one.outcome in {"reproduced", "contradicted"}:
        assert words == {one.outcome}


MISTAKES = {
    "readout": ("tuning = 3", 'tuning = 3\nreadouts = ["first"]', ["readouts", "first"]),
    "share": ("tuning = 3", "tuning = 3\nshares = [1.5]", ["shares", "<= 1"]),
    "time without a level": (
        'metrics = ["drift"]',
        'metric = "drift"\nread = "time"',
        ["read = 'time'", "the key reach"],
    ),
    "budget": ("tuning = 3", "tuning = 3\nreplicates = 8\nbudget = 4", ["budget = 4", "at least replicates = 8"]),
    "control without an answer": (
        'cannot = "it',
        'control = [{ kind = "better", experiment = "ridges", of = ["plain"], than = ["controlled"] }]\ncannot = "it',
        ["control: expect", "known beforehand"],
    ),
    "expectation of a question": (
        'than = ["plain"], axes = ["rounds", "bits"]',
        'than = ["plain"], expect = "yes", axes = ["rounds", "bits"]',
        ["expect = 'yes'", "control alone"],
    ),
    "level_with of nothing": (
        'than = ["plain"], axes = ["rounds", "bits"]',
        'than = ["plain"], level_with = "accuracy"',
        ["level_with = 'accuracy'", "server_gradient, drift"],
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line(mistake, tmp_path):
    """File, place, key, value and what is legal."""
    old, new, words = MISTAKES[mistake]
    assert old in NOISY
    with pytest.raises(InputError) as caught:
        load_recipe(written(tmp_path, NOISY.replace(old, new, 1)))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("experiments.toml: ")
    for word in words:
        assert word in text


def test_where_it_holds_is_what_says_most_about_the_answers():
    """Budgets decide all, readouts nothing: the line is about budgets. With one answer alone there is no line."""
    found = [
        ({"readout": r, "budget": b, "zeta": z}, "yes" if b == "rounds" else "no")
        for r in ("average", "late")
        for b in ("rounds", "bits")
        for z in ("1", "8")
    ]
    assert split_answers(found) == "by budget: rounds: 4 yes; bits: 4 no"
    mixed = [({**factors, "budget": "rounds"}, word) for factors, word in found]
    assert split_answers([*mixed, ({"readout": "late", "budget": "rounds", "zeta": "8"}, "open")]).startswith("by ")
    assert split_answers([(factors, "yes") for factors, _ in found]) == ""
