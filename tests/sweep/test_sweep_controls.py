"""Controls: nested methods share grid points and do not lose, copies tie, and what fails is said."""

from collections import Counter
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from experiment_recipes import NOISY, recipe
from msgspec import structs

from boundcheck.engine import simulate
from boundcheck.evidence.statistics.anytime import ReplicatePlan
from boundcheck.methods import METHODS
from boundcheck.problems import load_problem
from boundcheck.report.pages.contests.board import board
from boundcheck.report.pages.contests.experiments import experiments
from boundcheck.sweep import Store, contests, load_recipe, run_sweep, verdicts
from boundcheck.sweep.experiments import power
from boundcheck.sweep.experiments.contest import collect_experiments
from boundcheck.sweep.experiments.controls import ControlQuestion, ControlResult, nested_pairs
from boundcheck.sweep.experiments.nested import NESTED, contains, image_of, innermost_first
from boundcheck.sweep.experiments.tuning import _is_ahead, tune
from boundcheck.sweep.recipes.experiment import READS, Entrant

VALUES = {"eta": 0.1, "gamma": 0.7, "rho": 0.2, "beta": 0.4, "mu": 0.5, "beta_mem": 0.3, "B": 1}
NETWORKS = {"moon", "moonm", "fedmlb", "fedmlbm"}


@dataclass(frozen=True)
class Rung:
    """What a cell is to the ladder of replicates."""

    replicates: int
    after: int = 0


def hyper_of(method):
    """Return a value of every hyperparameter that the table of nestings speaks of."""
    names = METHODS[method].__dataclass_fields__
    return {name: value for name, value in VALUES.items() if name in names}


@pytest.mark.parametrize("nesting", NESTED, ids=lambda n: f"{n.inner} in {n.outer}")
def test_a_nested_method_is_the_other_one(nesting):
    """Runs of both on the same seeds are equal to rounding, or differ by their first estimate alone."""
    name, metric = ("ridge-coercive", "server_gradient")
    if {nesting.inner, nesting.outer} & NETWORKS:
        name, metric = "mlp-digits[data=digits-pooled,width=3]", "value"
    there = METHODS[nesting.outer].__dataclass_fields__
    # Where the outer method has no server step, it is 1.
    hyper = hyper_of(nesting.inner) | ({} if "gamma" in there or nesting.inner != "fedavg" else {"gamma": 1.0})
    problem, image = load_problem(name, N=4), hyper_of(nesting.outer) | nesting.image(hyper, 3)
    inner, outer = (
        simulate(problem, METHODS[m](**h), K=3, T=6, b=2, lanes=2, seed=3, metrics=[metric]).average(metric)
        for m, h in ((nesting.inner, hyper), (nesting.outer, {k: v for k, v in image.items() if k in there}))
    )
    np.testing.assert_allclose(inner, outer, rtol=1e-12 if nesting.exact else 0.05)


def test_gradma_without_momentum_is_not_its_workers_half():
    """Where clients pull in opposite directions the server's projection acts at beta = 0, too."""
    problem = load_problem("stiff-clients[zeta=50,start=10]", N=4)
    workers, whole = (
        simulate(problem, METHODS[m](**h), K=3, T=6, lanes=1, metrics=["value"]).average("value")[0]
        for m, h in (("gradma-w", {"eta": 0.1}), ("gradma", {"eta": 0.1, "beta": 0.0, "beta_mem": 0.5}))
    )
    assert abs(whole / workers - 1) > 0.1
    assert not [one for one in NESTED if "gradma" in one.outer]


def test_what_a_recipe_fixes_is_not_contained():
    """FedAvg-M with a tuned weight contains FedAvg, with a fixed one not; FedProxM contains what FedProx does."""
    fedavg = Entrant("fedavg", {"eta": [0.1, 0.2], "gamma": [1.0, 2.0]})
    free = Entrant("fedavg-m", {"eta": [0.1], "gamma": [0.2, 0.4], "beta": [0.1, 0.5]})
    wide = Entrant("fedavg-m", {"eta": [0.1, 0.2], "gamma": [0.2, 0.4], "beta": [0.1, 0.5]})
    fixed = Entrant("fedavg-m", {"eta": [0.1, 0.2], "gamma": [0.2, 0.4], "beta": 0.5})
    assert image_of(fedavg, wide, {"eta": 0.2, "gamma": 2.0}, 5) == {"eta": 0.2, "gamma": 2.0, "beta": 1.0}
    assert image_of(fedavg, free, {"eta": 0.2, "gamma": 2.0}, 5) is None
    assert not contains(fixed, fedavg)
    prox = Entrant("fedprox", {"eta": [0.1, 0.2], "rho": [0.1, 1.0]})
    proxm = Entrant("fedprox-m", {"eta": [0.1, 0.2], "rho": [0.1, 1.0], "beta": [0.5, 0.9]})
    plain = Entrant("fedavg", {"eta": [0.1, 0.2]})
    assert innermost_first([proxm, prox, plain]) == [plain, prox, proxm]


MOMENTUM = '\n\n[[experiment.entrant]]\nmethod = "fedavg-m"\nlabel = "heavy"\n'
MOMENTUM += "hyper = { eta = [0.05, 0.1, 0.2], gamma = [5.0, 8.0], beta = [0.1, 0.3] }\n"
ASKED = '{ kind = "better", experiment = "ridges", of = ["heavy"], than = ["plain"] },\n'


def test_a_method_that_contains_another_does_not_lose_to_it(tmp_path):
    """Server steps of 5 and 8 are too long; FedAvg-M takes FedAvg's point, beta = 1 and gamma = eta K."""
    made = recipe(
        tmp_path,
        NOISY,
        more=("\n[[assertion]]", MOMENTUM + "\n[[assertion]]"),
        ask=("ask = [\n", "ask = [\n" + ASKED),
        free=("gamma = 1.0 }", "gamma = [0.5, 1.0] }"),
    )
    store = Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    at = collect_experiments(made, store)[0].settings[0]
    plain, heavy = (at.entries[label]["rounds"] for label in ("plain", "heavy"))
    assert heavy.tuned.hyper["beta"] == 1.0
    assert heavy.tuned.hyper["gamma"] == pytest.approx(3 * plain.tuned.hyper["eta"] * plain.tuned.hyper["gamma"])
    np.testing.assert_allclose(heavy.score("server_gradient"), plain.score("server_gradient"), rtol=1e-12)
    one = contests(made, store).answers[0]
    found = [c for c in one.controls if "which contains plain" in c.control.what]
    assert all(c.holds for c in one.controls)
    assert {c.found for c in found if c.control.reading.readout == "average"} == {"same"}
    copies = [c for c in one.controls if "a copy of heavy" in c.control.what]
    # At both values of zeta, by every readout.
    for those in (found, copies):
        assert Counter(c.control.reading for c in those) == dict.fromkeys(one.readings, 2)


def test_the_point_of_another_method_stops_no_search(tmp_path):
    """FedAvg's point is better than server steps of 0.02 and 0.04; the grid is widened all the same."""
    heavy = MOMENTUM.replace("gamma = [5.0, 8.0]", "gamma = [0.02, 0.04]").replace("[0.1, 0.3]", "[0.5, 0.9]")
    changes = {
        "more": ("\n[[assertion]]", heavy + "\n[[assertion]]"),
        "widen": ("widen = 0", 'widen = 3\nreadouts = ["average"]'),
    }
    made, store = recipe(tmp_path, NOISY, **changes), Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    at = collect_experiments(made, store)[0].settings[0]
    assert at.entries["heavy"]["rounds"].tuned.tried > 3 * 2 * 2 + 3


FALSE = 'control = [{ kind = "better", experiment = "ridges", of = ["plain"], than = ["plain2"], expect = "yes" }]\n'


def test_a_control_that_fails_takes_the_verdict(tmp_path):
    """FedAvg under another name is no better than FedAvg: who expects that gets no verdict."""
    twin = '\n\n[[experiment.entrant]]\nmethod = "fedavg"\nlabel = "plain2"\n'
    twin += "hyper = { eta = [0.05, 0.1, 0.2], gamma = 1.0 }\n"
    made = recipe(
        tmp_path,
        NOISY,
        more=("\n[[assertion]]", twin + "\n[[assertion]]"),
        control=("ask = [\n", FALSE + "ask = [\n"),
    )
    store = Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    held = contests(made, store)
    assert held.answers[0].outcome == "could not have told"
    assert "plain better plain2 (by average)" in verdicts(held)["one"]["failed"]
    good = recipe(
        tmp_path,
        NOISY,
        more=("\n[[assertion]]", twin + "\n[[assertion]]"),
        control=("ask = [\n", FALSE.replace('expect = "yes"', 'expect = "same"') + "ask = [\n"),
    )
    assert contests(good, store).answers[0].outcome != "could not have told"


def tune_copies_elsewhere(monkeypatch, readouts=tuple(READS)):
    """Let copies be tuned on another grid: with steps that are far too short, and at no other method's point."""

    def tune_elsewhere(place, entrant, what, *args, images=(), copy=False):
        if copy and what.reading.readout in readouts:
            entrant, images = structs.replace(entrant, hyper=entrant.hyper | {"eta": [1e-4, 2e-4]}), ()
        return tune(place, entrant, what, *args, images=images, copy=copy)

    monkeypatch.setattr("boundcheck.sweep.experiments.tuning.tune", tune_elsewhere)


def tune_nested_methods_apart(monkeypatch):
    """Let no method be tried where it is another one."""
    monkeypatch.setattr("boundcheck.sweep.experiments.tuning.images_in", lambda *_: [])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (tune_copies_elsewhere, "a copy of heavy, tuned on other seeds, is neither better nor worse"),
        (tune_nested_methods_apart, "heavy, which contains plain, does not lose to it"),
    ],
)
def test_a_page_whose_control_fails_says_so(tmp_path, monkeypatch, spoil, told):
    """A copy that is tuned on another grid loses, as does FedAvg-M without FedAvg's point: answers there are open."""
    spoil(monkeypatch)
    made = recipe(
        tmp_path,
        NOISY,
        more=("\n[[assertion]]", MOMENTUM + "\n[[assertion]]"),
        ask=("ask = [\n", "ask = [\n" + ASKED),
        free=("gamma = 1.0 }", "gamma = [0.5, 1.0] }"),
        few=("widen = 0", 'widen = 0\nreadouts = ["average", "last"]'),
    )
    store = Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    held = contests(made, store)
    one, text = held.answers[0], experiments(held.answers[:1], held.experiments, tmp_path)
    page = text.split("== ")[1]
    assert {what.split(" (by ")[0] for what in one.failed} == {told}
    failing = {(c.control.reading, c.control.question.setting["zeta"]) for c in one.controls if not c.holds}
    for reading, answers in one.readings.items():
        for told_here in answers:
            zetas = [0.5, 4.0] if told_here.question.ask.along else [told_here.question.setting["zeta"]]
            spoiled = any((reading, zeta) in failing for zeta in zetas)
            assert told_here.controlled != spoiled
            assert told_here.word == "open" or not spoiled
    assert f'since a control failed: #"{told} (by ' in page
    assert page.count("*fails*") == sum(not c.holds for c in one.controls)


def test_a_control_that_fails_by_one_readout_takes_the_answers_of_that_one(tmp_path, monkeypatch):
    """The copy is spoilt for the last value alone: answers by it count as open, the others stand as they were."""
    made, answers = recipe(tmp_path, NOISY), []
    for readouts in ((), ("last",)):
        with monkeypatch.context() as patch:
            tune_copies_elsewhere(patch, readouts)
            store = Store(tmp_path / "store")
            run_sweep(made, store, workers=1)
            answers.append(contests(made, store).answers[0])
    sound, spoilt = answers
    assert sound.failed == []
    assert spoilt.failed == ["a copy of controlled, tuned on other seeds, is neither better nor worse (by last)"]
    for reading, told in spoilt.readings.items():
        words = [one.word for one in told]
        assert words == (
            ["open"] * len(told) if reading.readout == "last" else [t.word for t in sound.readings[reading]]
        )
    assert spoilt.outcome == "mixed"


def test_open_questions_get_runs_within_the_budget(tmp_path):
    """From 6 runs up to 48 where a question is open and they are likely to help; a decided one keeps its 6."""
    made = recipe(tmp_path, NOISY, budget=("tuning = 3", "tuning = 3\nbudget = 48"))
    store = Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    once = recipe(tmp_path, NOISY)
    few = {(r, i): t for r, ts in contests(once, store).answers[0].readings.items() for i, t in enumerate(ts)}
    many = {(r, i): t for r, ts in contests(made, store).answers[0].readings.items() for i, t in enumerate(ts)}
    sizes = {len(told.question.samples) for told in many.values()}
    assert sizes <= {6, 12, 24, 48}
    assert max(sizes) > 6
    count = [sum(told.word == "open" for told in found.values()) for found in (few, many)]
    assert count[1] < count[0]
    for key, told in many.items():
        # The first runs are the ones that were there.
        n = len(few[key].question.samples)
        np.testing.assert_array_equal(told.question.samples[:n], few[key].question.samples)
    assert run_sweep(made, Store(tmp_path / "store"), workers=1).ran == 0


@pytest.mark.parametrize("shared", [True, False])
def test_a_board_says_whether_a_nested_method_lost(tmp_path, monkeypatch, shared):
    """FedAvg-M at server steps that are too long loses, unless it is tried where it is FedAvg."""
    if not shared:
        monkeypatch.setattr("boundcheck.sweep.experiments.tuning.images_in", lambda *_: [])
    made = recipe(
        tmp_path,
        NOISY,
        more=("\n[[assertion]]", MOMENTUM + "\n[[assertion]]"),
        free=("gamma = 1.0 }", "gamma = [0.5, 1.0] }"),
        levels=("widen = 0", 'widen = 0\nepsilons = [1.0]\nreadouts = ["average"]'),
    )
    store = Store(tmp_path / "store")
    run_sweep(made, store, workers=1)
    result = collect_experiments(made, store)[0]
    assert nested_pairs(result.settings[0], 0.05) == [("heavy", "plain", "same" if shared else "no")]
    said = board(result)
    control = (
        "none of 1 pairs is a method shown to lose by more than 5 % to one that it contains; in 1 that is ruled out."
    )
    assert (control in said) == shared
    assert ('could not have told: methods that lose to one they contain: #"heavy"; to #"plain";' in said) != shared


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [("yes", {"yes"}, {"no", "same", "open"}), ("same or open", {"same", "open"}, {"yes", "no"})],
)
def test_a_control_holds_by_its_words(wanted, right, wrong):
    """A copy that loses says as much as one that wins: what tuning chose decides."""

    def holds(answer):
        return ControlResult(ControlQuestion("", wanted, None, None), answer, 0.0, 0.0, 0.0, None).holds

    assert all(map(holds, right))
    assert not any(map(holds, wrong))


@pytest.mark.parametrize("name", ["experiments", "speedup"])
def test_every_assertion_has_a_control(name):
    """A question of the recipe whose answer is known, or a copy of what is compared."""
    for one in load_recipe(name).assertion:
        assert one.control or any(one.copied_entrant(ask.experiment) for ask in one.ask), one.id


def test_an_open_control_gets_more_runs(monkeypatch):
    """Eight runs leave it open, thirty are likely to decide it: the next rung of the ladder is asked for."""
    ladder = [Rung(8), Rung(16), Rung(32)]
    entry = SimpleNamespace(cell=ladder[0], place=SimpleNamespace(stages=lambda _: ladder))
    question = SimpleNamespace(entries=(entry,))
    told = ControlResult(
        ControlQuestion("", "same or open", question, None), "open", 0.0, 0.0, 0.0, ReplicatePlan(0.1, 30, 8)
    )
    asked = SimpleNamespace(every=[], controls=[told])
    monkeypatch.setattr(power, "contests", lambda *_: SimpleNamespace(answers=[asked]))
    growing = SimpleNamespace(replicates=8, experiment=[SimpleNamespace(budget=32, replicates=8)])
    assert power.more_cells(growing, None) == [Rung(32, after=8)]
    monkeypatch.setattr(asked, "controls", [replace(told, found="same")])
    assert power.more_cells(growing, None) == []


def test_a_method_leaves_the_point_of_another_only_for_one_that_is_clearly_ahead():
    """Two standard errors of the difference, run by run; a point on which a run diverged is not ahead."""
    other = np.array([1.0, 2.0, 3.0, 4.0])
    luck = np.array([-0.5, 0.1, 0.1, 0.1])
    assert not _is_ahead(other + luck, other)
    assert _is_ahead(other - [0.3, 0.2, 0.2, 0.3], other)
    assert not _is_ahead(other, other)
    assert not _is_ahead(np.array([0.1, 0.1, 0.1, np.inf]), other)
    assert _is_ahead(other, np.full(4, np.inf))
