"""The pages of experiments: verdicts, answers, tuned values and boards."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs
from scipy import stats

from boundcheck.errors import InputError
from boundcheck.report import write_report
from boundcheck.report.pages.contests.experiments import (
    agreement_of_seeds,
    experiments,
    overview,
    power_paragraph,
    question_words,
    shipped_assertions,
)
from boundcheck.report.pages.contests.scores import Score, leading, scores
from boundcheck.report.pages.front import front
from boundcheck.report.pages.reproduce import reproduce
from boundcheck.report.pages.studies.summary import method
from boundcheck.sweep import (
    Recipe,
    Store,
    contests,
    load_recipe,
    quick,
    run_sweep,
    shipped_verdicts,
    verdicts,
)
from boundcheck.sweep.run.first import first

TEXT = """
title = "small"
seed = 7
replicates = 4
points = 8
claims = []

[[experiment]]
id = "ridges"
title = "ridges"
problems = ["ridge-coercive"]
parameters = { d = 4 }
N = [4]
K = [3]
T = [24]
tuning = 2
widen = 0
epsilons = [2.0, 1.0, 1e-9]
table = ["server_gradient"]

[[experiment.entrant]]
method = "fedavg"
label = "plain"
hyper = { eta = [0.05, 0.1], gamma = 1.0 }

[[experiment.entrant]]
method = "scaffold"
label = "controlled"
hyper = { eta = [0.05, 0.1] }

[[assertion]]
id = "one"
paper = "momentum-fl"
lines = "1"
title = "control beats none"
says = "control is better."
ask = [{ kind = "better", experiment = "ridges", of = ["controlled"], than = ["plain"] }]

[[assertion]]
id = "two"
paper = "momentum-fl"
lines = "2"
title = "out of reach"
says = "nobody knows."
cannot = "it needs a large network"
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    (folder / "small.toml").write_text(TEXT)
    recipe, store = load_recipe(str(folder / "small.toml")), Store(folder / "store")
    run_sweep(recipe, store, workers=1)
    return recipe, store, contests(recipe, store)


def test_a_page_says_what_was_asked_tuned_and_found(held, tmp_path):
    """Verdict, question, interval's level, budget's curves, tuned values and the flag of an edge."""
    _, _, found = held
    text = experiments(found.answers, found.experiments, tmp_path)
    start = found.experiments[0].settings[0].entries["plain"]["rounds"].measured
    share = start.average["server_gradient"][:, 0].mean() / (24 * start.average["server_gradient"][:, -1].mean())
    assert f"{100 * share:.0f} " in text
    for word in (
        "Where it holds",
        "smallest effect that could have been seen",
        "a copy of controlled",
        "first round alone",
    ):
        assert word in text
    for word in ("control beats none", "controlled better plain", "it needs a large network", "0.9500", "eta = 0.1"):
        assert word in text
    assert len(list(tmp_path.glob("one-ridges-*.svg"))) == 1
    assert overview(verdicts(found)) in text
    assert all(not one.failed for one in found.answers)
    assert "*The runs could not have told*" not in text


def test_the_shipped_verdicts_say_of_how_many_seeds_they_are():
    """Titles of those that a seed changes stand beside the count; each word in the table is explained above it."""
    first = {name: {"title": f"{name} helps", "verdict": "reproduced"} for name in ("a", "b", "c")}
    same, other = {"2": {"verdict": "reproduced"}}, {"2": {"verdict": "undecided"}}
    all_same = dict.fromkeys(first, same)
    assert agreement_of_seeds(first, all_same).endswith("3 of 3 have the same verdict at 2 seeds.")
    # What was asked at fewer seeds than the others counts for neither.
    assert agreement_of_seeds(first, {**all_same, "b": {}}).endswith("2 of 2 have the same verdict at 2 seeds.")
    told = agreement_of_seeds(first, {**all_same, "b": other})
    assert "2 of 3" in told
    assert told.endswith('not so: _#"b helps";_ (reproduced, undecided).')
    text = shipped_assertions()
    above, table = text.split("#tight[")
    assert all(f'#badge("{row["verdict"]}");:' in above for row in shipped_verdicts().values())
    assert '#badge("contradicted")' not in above + table


def test_a_table_has_means_and_intervals_of_all_entrants(held, tmp_path):
    """Scipy's t interval of the averages over the run; the better one is bold, and who meets its interval."""
    _, _, found = held
    (result,) = found.experiments
    (column,) = scores(result, "server_gradient")
    text = experiments(found.answers, found.experiments, tmp_path)
    for label in ("plain", "controlled"):
        runs = result.settings[0].entries[label]["rounds"].measured.average["server_gradient"][:, -1]
        low, high = stats.t.interval(0.95, len(runs) - 1, loc=runs.mean(), scale=stats.sem(runs))
        assert tuple(column[label]) == pytest.approx((runs.mean(), low, high))
        assert f"{runs.mean():.3f}" in text
        assert f"{low:.3f}, {high:.3f}" in text
    best = min(column.values(), key=lambda score: score.mean)
    assert f"*{best.mean:.3f}*" in text


def test_large_values_of_a_metric_that_is_to_be_large_lead():
    """Of accuracies the largest is bold, and an interval that ends below its own is not."""
    column = {"a": Score(0.9, 0.88, 0.92), "b": Score(0.87, 0.85, 0.89), "c": Score(0.8, 0.79, 0.81)}
    assert leading(column, higher=True) == {"a", "b"}
    assert leading(column, higher=False) == {"c"}


def test_a_table_is_of_what_is_measured(tmp_path):
    """Another metric is refused with those that are."""
    (tmp_path / "other.toml").write_text(TEXT.replace('table = ["server_gradient"]', 'table = ["accuracy"]'))
    with pytest.raises(InputError, match=r"table = 'accuracy' is not legal: one of server_gradient"):
        load_recipe(str(tmp_path / "other.toml"))


def test_a_board_has_first_times(held, tmp_path):
    """The first checkpoint at which the mean of |grad f|^2 is at most eps^2, its cost, and what was never reached."""
    _, _, found = held
    entry = found.experiments[0].settings[0].entries["plain"]["rounds"]
    values = entry.measured.instant["server_gradient"].mean(axis=0)
    t = int(entry.measured.rounds[int((values <= 1.0).argmax())])
    assert first(entry, "server_gradient", 1.0, "rounds").spent == t
    assert first(entry, "server_gradient", 1.0, "samples").spent == 3 * t
    assert "not reached" in experiments(found.answers, found.experiments, tmp_path)


def test_a_question_up_to_an_equal_value_is_told_from_one_at_equal_rounds(held):
    """Forgetting is asked both ways: two rows of one page read the same."""
    _, _, found = held
    plain = found.answers[0].every[0].question
    asked = replace(plain, ask=structs.replace(plain.ask, metric="drift", level_with="server_gradient"))
    assert question_words(plain) == '#"controlled better plain";'
    assert question_words(asked) == '#"controlled better plain (drift) up to an equal server gradient";'


def test_what_could_not_have_been_seen_is_said(held):
    """Of answers whose interval has no end the sentence says how many there are; one number of runs stands once."""
    _, _, found = held
    one = found.answers[0]
    told = one.every
    ends = [reading for reading, answers in one.readings.items() if np.isfinite(answers[0].plan.sees)]

    def power_words(blind):
        sees = dict.fromkeys(ends[:blind], np.inf)
        readings = {
            reading: [replace(a, plan=a.plan._replace(sees=sees.get(reading, a.plan.sees))) for a in answers]
            for reading, answers in one.readings.items()
        }
        return power_paragraph(replace(one, readings=readings)).removeprefix("#strong[Power.] ")

    before = len(told) - len(ends)
    assert f"For {before + 1} of {len(told)} answers no effect could have been seen" in power_words(1)
    assert power_words(len(ends)).startswith(f"For {len(told)} of {len(told)} answers no effect")
    assert "With 4 runs the smallest effect" in power_words(0)
    assert ("no effect could have been seen" in power_words(0)) == (before > 0)


def test_the_short_form_says_what_it_is(held, tmp_path):
    """Its front page and the command that makes it again; of bounds, which it has none of, nothing is said."""
    made, _, _ = held
    for recipe, short in ((made, False), (quick(made), True)):
        first = front(recipe, [], None, tmp_path)
        assert ("This is the short form" in first) == short
        assert "cells measured" not in first
        again = reproduce(recipe, [], "")
        assert ("boundcheck report recipe.toml -o report.pdf --quick" in again) == short
        assert "measured cells" not in again
    words = method(made)
    assert "Answers on experiments" in words
    assert "right-hand side" not in words
    assert "Answers on experiments" not in method(Recipe(title="bounds"))


def test_the_report_is_one_pdf(held, tmp_path):
    """Pages of experiments are part of a report, and the same results give the same bytes."""
    recipe, store, _ = held
    one, two = (write_report(recipe, store, tmp_path / name) for name in ("a.pdf", "b.pdf"))
    assert one.read_bytes()[:5] == b"%PDF-"
    assert one.read_bytes() == two.read_bytes()
