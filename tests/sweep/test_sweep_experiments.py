"""Experiments: tuning by one rule on seeds of its own, equal budgets, resumed like everything else."""

import dataclasses

import numpy as np
import pytest
from experiment_recipes import NOISY, PARABOLA, recipe, written

from boundcheck.cli.app import run
from boundcheck.engine import simulate
from boundcheck.errors import InputError
from boundcheck.evidence.statistics.anytime import ReplicatePlan
from boundcheck.evidence.statistics.paired import MeanTest
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.report.pages.contests.experiments import experiments
from boundcheck.sweep import (
    Store,
    contests,
    load_recipe,
    quick,
    run_sweep,
    score_table,
    standings,
    verdicts,
    with_assertions,
    with_seed,
    with_values,
)
from boundcheck.sweep.experiments.answers import AnsweredQuestion
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.questions import AssertionQuestion
from boundcheck.sweep.experiments.setting import experiment_settings, tuning_seed
from boundcheck.sweep.recipes.assertion import AssertionAsk


def ran(folder, text, **changes):
    """Return a recipe and its store after a run in this process."""
    made, store = recipe(folder, text, **changes), Store(folder / "store")
    run_sweep(made, store, workers=1)
    return made, store


def test_the_tuned_point_is_the_argmin_of_runs_by_hand(tmp_path):
    """Straight simulations on the tuning seed give the scores; the verdict runs have the recipe's own seed."""
    made, store = ran(tmp_path, NOISY)
    (result,) = collect_experiments(made, store)
    assert tuning_seed(7) != 7
    for at in result.settings:
        problem = load_problem("ridge-coercive", N=4, d=4, zeta=at.setting["zeta"])
        scores = []
        for eta in (0.05, 0.1, 0.2):
            run = simulate(problem, METHODS["fedavg"](eta=eta), K=3, T=24, lanes=3, seed=tuning_seed(7))
            scores.append(run.average("server_gradient").mean())
        best = (0.05, 0.1, 0.2)[int(np.argmin(scores))]
        entry = at.entries["plain"]["rounds"]
        assert (entry.tuned.hyper["eta"], entry.tuned.tried) == (best, 3)
        assert entry.tuned.score == pytest.approx(min(scores), rel=1e-12)
        assert entry.tuned.edges == (("eta",) if best != 0.1 else ())
        final = simulate(problem, METHODS["fedavg"](eta=best), K=3, T=24, lanes=6, seed=7)
        np.testing.assert_array_equal(entry.score("server_gradient"), final.average("server_gradient"))


def test_a_step_on_the_edge_widens_its_grid(tmp_path):
    """On x^2/2 the step 1 ends at once, so 0.8 is the best of 0.05 2^k: two widenings from 0.2 and one to see it."""
    made, store = ran(tmp_path, PARABOLA)
    tuned = collect_experiments(made, store)[0].settings[0].entries["fedavg"]["rounds"].tuned
    assert tuned.hyper["eta"] == pytest.approx(0.8)
    assert (tuned.edges, tuned.tried) == ((), 6)


def test_an_edge_that_stays_is_flagged(tmp_path):
    """With one widening the best step is 0.4, the largest."""
    made, store = ran(tmp_path, PARABOLA, widen=("widen = 3", "widen = 1"))
    entries = collect_experiments(made, store)[0].settings[0].entries
    tuned = entries["fedavg"]["rounds"].tuned
    assert (tuned.hyper["eta"], tuned.edges, tuned.tried) == (pytest.approx(0.4), ("eta",), 4)


ASSERTED = """
[[assertion]]
id = "one"
paper = "momentum-fl"
lines = "1"
title = "FedAvg is faster"
says = "FedAvg is faster."
ask = [{ kind = "better", experiment = "parabola", of = ["fedavg"], than = ["mb-storm"] }]
"""


@pytest.mark.parametrize(("widen", "on_edges"), [("1", True), ("3", False)])
def test_an_assertion_says_which_optima_lie_on_an_edge(tmp_path, widen, on_edges):
    """In every answer the best step of FedAvg is the largest one of a grid that is widened once; the page says so."""
    made, store = ran(tmp_path, PARABOLA + ASSERTED, widen=("widen = 3", f"widen = {widen}"))
    held = contests(made, store)
    one, page = held.answers[0], experiments(held.answers, held.experiments, tmp_path)
    count = one.on_edges.get("fedavg: eta", 0)
    assert (count == len(one.every) > 0) == on_edges
    assert ("fedavg: eta" in verdicts(held)["one"]["edges"]) == on_edges
    assert (f"and in how many of {len(one.every)}" in page and f"fedavg: eta ({count})" in page) == on_edges


def test_a_weight_on_the_edge_widens_in_its_odds(tmp_path):
    """At a small step without noise momentum only delays: after 0.1 and 0.5, of odds 1/9 and 1, come 0.9 and 81/82."""
    momentum = 'method = "fedavg-m"\nhyper = { eta = 0.2, gamma = 0.2, beta = [0.1, 0.5] }'
    momentum += '\n\n[[experiment.entrant]]\nmethod = "mb-storm"'
    made, store = ran(tmp_path, PARABOLA, more=('method = "mb-storm"', momentum), widen=("widen = 3", "widen = 2"))
    tuned = collect_experiments(made, store)[0].settings[0].entries["fedavg-m"]["rounds"].tuned
    assert (tuned.hyper["beta"], tuned.edges, tuned.tried) == (pytest.approx(81 / 82, rel=1e-12), ("beta",), 4)


def test_a_number_that_does_not_matter_stays(tmp_path):
    """Without noise MB-STORM has the exact gradient at every weight: the first of several equal points is taken."""
    made, store = ran(tmp_path, PARABOLA)
    assert collect_experiments(made, store)[0].settings[0].entries["mb-storm"]["rounds"].tuned.hyper["a"] == 0.1


def test_budgets_are_what_the_cheapest_spends(tmp_path):
    """In 24 rounds FedAvg spends 72 samples and 48 * 64 d bits; MB-STORM, at 2 K samples a round, gets 12 rounds."""
    made, store = ran(tmp_path, NOISY)
    at = collect_experiments(made, store)[0].settings[0]
    assert at.budgets == {"rounds": 24, "samples": 72, "bits": 24 * 2 * 64 * 4}
    dear, plain = at.entries["dear"]["samples"], at.entries["plain"]["samples"]
    assert plain.measured.rounds[plain.last] == 24
    rounds = dear.measured.rounds
    # one sample more before the first round
    assert rounds[dear.last] == max(t for t in rounds if 1 + 6 * t <= 72)
    controlled = at.entries["controlled"]["bits"]
    assert controlled.measured.rounds[controlled.last] == max(t for t in rounds if 2 * t <= 24)


def test_a_method_that_sends_nothing_sets_no_budget(tmp_path):
    """SGD on one machine spends 0 bits: FedAvg's are the budget, and SGD is read at the horizon."""
    made, store = ran(
        tmp_path,
        NOISY,
        method=('method = "mb-storm"', 'method = "sgd"'),
        hyper=("{ gamma = 0.3, a = [0.1, 0.5] }", "{ eta = [0.05, 0.1] }"),
    )
    at = collect_experiments(made, store)[0].settings[0]
    assert at.budgets["bits"] == 24 * 2 * 64 * 4
    assert at.entries["dear"]["bits"].measured.rounds[at.entries["dear"]["bits"].last] == 24


def test_a_second_run_finds_everything_and_a_lost_file_is_run_again(tmp_path):
    """The count is right on the first run, on the second, and after one file is gone."""
    made, store = recipe(tmp_path, NOISY), Store(tmp_path / "store")
    first = run_sweep(made, store, workers=1)
    assert first.found == 0
    assert run_sweep(made, Store(tmp_path / "store"), workers=1) == dataclasses.replace(first, ran=0, found=first.ran)
    next((tmp_path / "store").glob("*.npz")).unlink()
    again = run_sweep(made, Store(tmp_path / "store"), workers=1)
    assert (again.ran, again.found) == (1, first.ran - 1)
    assert run_sweep(made, store, workers=1).ran == 0


def test_answers_and_tables(tmp_path):
    """Every question is answered at its setting; the ratio is that of the scores; what cannot be tested says so."""
    made, store = ran(tmp_path, NOISY)
    held = contests(made, store)
    one, two = held.answers
    assert two.outcome == "cannot be tested here"
    assert len(one.shown_answers) == 5
    assert one.level == 1 - 0.05 / 5
    first = one.shown_answers[0]
    at = held.experiments[0].settings[0]
    ratio = at.entries["controlled"]["rounds"].score("server_gradient") / at.entries["plain"]["rounds"].score(
        "server_gradient"
    )
    assert first.answer.mean == pytest.approx(np.log(ratio).mean(), rel=1e-12)
    last = one.shown_answers[-1]
    assert last.question.setting["zeta"] == "0.5 .. 4.0"
    assert len(score_table(held)) == 2 * 3 * 3


ORDERED = """
[[assertion]]
id = "three"
paper = "momentum-fl"
lines = "3"
title = "powers"
says = "the score falls with T."
ask = [
  { kind = "order", experiment = "ridges", of = ["plain"], along = "T", level = LEVEL, margin = 0.05 },
  { kind = "falls", experiment = "ridges", of = ["plain"], along = "T" },
  { kind = "rises", experiment = "ridges", of = ["plain"], along = "T" },
]
"""


@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("answer", ["yes", "no", "same", "open"])
def test_an_open_answer_supports_nothing(answer, against):
    """Yes supports; where a yes speaks against, no and equality do; open never."""
    ask = AssertionAsk(kind="better", experiment="x", of=["a"], than=["b"], against=against)
    question = AssertionQuestion(ask, {}, "rounds", "a", "b", np.zeros(2), relative=True, lost=False)
    told = AnsweredQuestion(question, MeanTest(0.0, 0.0, 0.0, answer), ReplicatePlan(0.0, None, None))
    assert told.speaks_for == (answer in ({"no", "same"} if against else {"yes"}))


def test_a_power_is_the_slope_between_the_ends(tmp_path):
    """log(score at T = 48 / score at T = 12) / log 4: promised to fall slower it is yes, much faster no."""
    longer = NOISY.replace("T = [24]", "T = [12, 48]").replace("[0.5, 4.0]", "[0.5]")
    for level, answer in ((0.01, "yes"), (5.0, "no")):
        made, store = ran(tmp_path, longer + ORDERED.replace("LEVEL", str(level)))
        held = contests(made, store)
        order, falls, rises = held.answers[-1].shown_answers
        ends = [at.entries["plain"]["rounds"].score("server_gradient") for at in held.experiments[0].settings]
        slope = np.log(ends[1] / ends[0]).mean() / np.log(4)
        assert slope < -0.2
        assert order.answer.mean == pytest.approx(level + slope, rel=1e-12)
        assert (order.answer.answer, falls.answer.answer, rises.answer.answer) == (answer, "yes", "no")
        rows = verdicts(held)
        power = rows["three"]["powers"][0]
        assert power["power"] == pytest.approx(-slope, abs=1e-3)
        assert (power["promised"], power["along"], power["answer"]) == (level, "T", answer)
        assert power["low"] < power["power"] < power["high"]
        # Of the time to a level no power in T is asked.
        assert [row["readout"] for row in rows["three"]["powers"]] == ["average", "apart", "late", "last"]
        assert not any("powers" in row for name, row in rows.items() if name != "three")


def test_quick_and_other_values(tmp_path):
    """A quarter of the rounds and few runs; a value from outside replaces that of every entrant which has the name."""
    made = recipe(tmp_path, NOISY)
    small = quick(made).experiment[0]
    assert (small.T, small.tuning, small.replicates, small.widen) == ([10], 2, 4, 0)
    changed = with_values(made, {"eta": [0.3]}).experiment[0]
    assert [e.hyper.get("eta") for e in changed.entrant] == [[0.3], [0.3], None]
    with pytest.raises(InputError, match=r"--set = 'etta' is not legal: .*eta"):
        with_values(made, {"etta": [0.3]})


def test_some_assertions_at_another_seed(capsys):
    """The experiments of what is asked run, at the seed that is given; names and seeds that are none are refused."""
    whole = load_recipe("experiments")
    some = with_seed(with_assertions(whole, ["gradma-33", "fmgda-16"]), 7)
    assert [one.id for one in some.assertion] == ["fmgda-16", "gradma-33"]
    assert [one.id for one in some.experiment] == ["minimax-clients", "minimax-silent", "pareto"]
    assert (some.seed, whole.seed) == (7, 1)
    with pytest.raises(InputError, match=r"--ask = 'fmgda-1' is not legal: .*fmgda-16"):
        with_assertions(whole, ["fmgda-1"])
    assert run(["sweep", "experiments", "--ask", "gradma-33", "--seed", "-2", "--dry-run"]) == 2
    assert "--seed = -2 is not legal" in capsys.readouterr().err
    assert run(["sweep", "experiments", "--ask", "gradma-33", "--seed", "2", "--quick", "--dry-run"]) == 0
    # Two noises, three steps of each of two methods and of the copy of one.
    assert f"{2 * 3 * (2 + 1)} would run now" in " ".join(capsys.readouterr().out.split())


def test_an_entrant_that_does_not_fit_says_why(tmp_path):
    """A method for all clients is refused at S < N; the others run."""
    made, store = ran(
        tmp_path,
        NOISY,
        S=("N = [4]", "N = [4]\nS = [2]"),
        method=('method = "mb-storm"', 'method = "stem"'),
        hyper=("{ gamma = 0.3, a = [0.1, 0.5] }", "{ kappa = 0.1, w = 8.0, growth = 1.0, c = [1.0, 2.0] }"),
    )
    at = collect_experiments(made, store)[0].settings[0]
    assert set(at.entries) == {"plain", "controlled"}
    assert "full participation" in at.refusals["dear"]


def test_a_budget_of_memory_refuses_what_keeps_more(tmp_path):
    """SCAFFOLD keeps a control variate on every client, FedAvg nothing."""
    made, store = ran(tmp_path, NOISY, memory=("tuning = 3", "tuning = 3\nmemory = 0.5"))
    at = collect_experiments(made, store)[0].settings[0]
    assert set(at.entries) == {"plain", "dear"}
    assert "scaffold keeps 1 d numbers on a client, but memory = 0.5" in at.refusals["controlled"]


MISTAKES = {
    "unknown key": ("tuning = 3", "tunning = 3", ["tunning", "legal keys: id, title, problems"]),
    "key of an entrant": ('label = "plain"', 'lable = "plain"', ["lable", "legal keys: method, hyper"]),
    "key of a question": ('than = ["plain"]', 'then = ["plain"]', ["then", "legal keys: kind, experiment"]),
    "hyperparameter": ("gamma = 1.0", "gama = 1.0", ["experiment ridges: plain: hyper = 'gama'", "eta, gamma"]),
    "step that is 0": ("eta = [0.05, 0.1, 0.2], g", "eta = [0.0, 0.1], g", ["plain: eta", "numbers > 0"]),
    "value twice": (
        "eta = [0.05, 0.1, 0.2], g",
        "eta = [0.1, 0.1], g",
        ["plain: eta = [0.1, 0.1]", "every value once"],
    ),
    "label twice": ('"controlled"\nhyper', '"plain"\nhyper', ["label", "every value once"]),
    "metric": ('metrics = ["drift"]', 'metrics = ["drit"]', ["unknown metric 'drit'"]),
    "problem": ('"ridge-coercive"', '"ridge-corcive"', ["unknown problem"]),
    "axis": ('axes = ["rounds", "bits"]', 'axes = ["floats"]', ["axes", "floats"]),
    "entrant of a question": (
        'of = ["controlled"], than = ["plain"], axes',
        'of = ["x"], than = ["plain"], axes',
        ["'x'"],
    ),
    "experiment of a question": (
        'kind = "better", experiment = "ridges"',
        'kind = "better", experiment = "x"',
        ["'x'"],
    ),
    "letter of a question": ('along = "zeta"', 'along = "sigma"', ["where, along = 'sigma'", "zeta"]),
    "question about one": (', than = ["plain"], axes', ", axes", ["than", "at least one entrant: better asks"]),
    "no question": ('cannot = "it', 'text = "it', ["assertion two", "or else the reason in cannot"]),
    "S above N": ("N = [4]", "N = [4]\nS = [5]", ["S = 5", "at most N = 4"]),
    "schedule": ('label = "plain"', 'label = "plain"\nschedule = { eta = "t^-1" }', ["schedule = 't^-1'", "0.99^t"]),
    "schedule of nothing": ('label = "plain"', 'label = "plain"\nschedule = { beta = "0.9^t" }', ["schedule = 'beta'"]),
    "weight decay": ('label = "plain"', 'label = "plain"\nweight_decay = -1.0', [">= 0", "weight_decay"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line(mistake, tmp_path):
    """File, experiment, key, value and what is legal."""
    old, new, words = MISTAKES[mistake]
    assert old in NOISY
    with pytest.raises(InputError) as caught:
        load_recipe(written(tmp_path, NOISY.replace(old, new, 1)))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("experiments.toml: ")
    for word in words:
        assert word in text


def test_schedule_and_decay_reach_the_runs(tmp_path):
    """A recipe's entrant with a law and a decay is `simulate` with them."""
    text = 'label = "plain"\nschedule = { eta = "0.9^t" }\nweight_decay = 0.1\n'
    made, store = ran(
        tmp_path, NOISY, law=('label = "plain"\n', text), eta=("eta = [0.05, 0.1, 0.2], g", "eta = 0.1, g")
    )
    entry = collect_experiments(made, store)[0].settings[0].entries["plain"]["rounds"]
    problem = load_problem("ridge-coercive", N=4, d=4, zeta=0.5)
    run = simulate(
        problem, METHODS["fedavg"](eta=0.1), K=3, T=24, lanes=6, seed=7, schedule={"eta": "0.9^t"}, weight_decay=0.1
    )
    np.testing.assert_array_equal(entry.score("server_gradient"), run.average("server_gradient"))


def test_every_method_is_tuned_by_a_shipped_recipe():
    """The leaderboard has every method of the list, each with something to choose from."""
    tuned = {
        entrant.method
        for experiment in load_recipe("leaderboard").experiment
        for entrant in experiment.entrant
        if any(len(values) > 1 for values in entrant.grid.values())
    }
    assert tuned == set(METHODS)


@pytest.mark.parametrize("name", ["experiments", "leaderboard"])
def test_shipped_entrants_are_legal(name):
    """Every point of every grid is a method, at the first setting of every experiment."""
    places = experiment_settings(load_recipe(name))
    for place in {place.grid.id: place for place in reversed(places)}.values():
        for entrant in place.grid.entrant:
            for values in [{k: v[i % len(v)] for k, v in entrant.grid.items()} for i in range(4)]:
                place.cell(entrant, values, tuning=True).make_method()


def test_shipped_assertions_are_all_there():
    """34 assertions, every one with questions or a reason."""
    asserted = load_recipe("experiments").assertion
    assert len(asserted) == 34
    assert all(a.ask or a.cannot for a in asserted)


def test_standings_say_what_was_spent(tmp_path):
    """The first round whose mean is at most eps^2, in the units of each axis; null where it never was."""
    made, store = ran(tmp_path, NOISY, eps=('metrics = ["drift"]', "epsilons = [1.0]"))
    held = contests(made, store)
    rows = standings(held)
    entry = held.experiments[0].settings[0].entries["plain"]["rounds"]
    below = entry.measured.instant["server_gradient"].mean(axis=0) <= 1.0
    row = rows["ridges/ridge-coercive/plain/zeta=0.5"]
    assert below.any()
    assert (row["rounds"][0], row["zeta"]) == (int(entry.measured.rounds[int(below.argmax())]), 0.5)
    assert row["guaranteed"] is None
    assert len(rows) == 6


def test_a_power_along_a_product_of_letters(tmp_path):
    """Along NK the ends are (2, 1) and (4, 3): the slope is log(score ratio) / log 6, one question in place of two."""
    wider = NOISY.replace("N = [4]", "N = [2, 4]").replace("K = [3]", "K = [1, 3]").replace("[0.5, 4.0]", "[0.5]")
    along = ORDERED.replace('"T"', '"NK"').replace("LEVEL", "0.01")
    made, store = ran(tmp_path, wider + along)
    held = contests(made, store)
    order, *_ = held.answers[-1].shown_answers
    by = {(at.setting["N"], at.setting["K"]): at.entries["plain"]["rounds"] for at in held.experiments[0].settings}
    ends = [by[place].score("server_gradient") for place in ((2, 1), (4, 3))]
    slope = np.log(ends[1] / ends[0]).mean() / np.log(6)
    assert order.answer.mean == pytest.approx(slope + 0.01, rel=1e-9)
    assert order.question.setting["NK"] == "2 .. 12"
    with pytest.raises(InputError, match="where, along = 'NX'"):
        ran(tmp_path, wider + along.replace('"NK"', '"NX"'))
