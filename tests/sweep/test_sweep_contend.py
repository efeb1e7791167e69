"""Guarantees side by side: who takes part, at which steps, and that every number is the one of its own source."""

from pathlib import Path

import numpy as np
import pytest
from compared import AT, compare_once

from boundcheck import check, load_problem, simulate, skeletons
from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.slack.class_ceiling import class_ceiling
from boundcheck.evidence.trials.costs import cost
from boundcheck.methods import METHODS
from boundcheck.sweep import Store
from boundcheck.sweep.compare.contend import ComparisonQuestion, tuned_steps
from boundcheck.sweep.compare.contenders import MOST, Contender, contenders, explicit_bounds, grid_of, small_grid
from boundcheck.sweep.compare.step_choices import StepChoice, _beaten_by
from boundcheck.sweep.recipes.experiment import grid_size

pytestmark = pytest.mark.xdist_group("contend")
SKELETON = Path(skeletons.__file__).parent / "method.py"
WITH_THEOREMS = {
    "fedavg",
    "fedavg-m",
    "scaffold-m",
    "fedlalr",
    "fedavg-server-m",
    "fedprox-m",
    "gradma-w",
    "gradma-s",
    "gradma",
    "fedavg-m-vr",
    "scaffold-m-vr",
    "fedglomo",
    "fedlomo",
    "marina",
    "page",
    "ef21",
    "scaffold",
    "sarah",
    "storm",
    "ef-sgd",
    "adagrad-norm",
    "dp-fedavg",
    "fedavg-drawn",
    "fedbuff",
    "fednova",
    "fedadam",
    "fedadagrad",
}
NOT_LISTED = {"fedbuff", "page", "ef21", "ef-sgd", "adagrad-norm", "dp-fedavg", "fedavg-drawn"}
WHY_NOT = {
    "fedlalr": "nonlinear",
    "gradma": "nonlinear",
    "gradma-s": "nonlinear",
    "gradma-w": "nonlinear",
    "ef21": "nonlinear",
    "ef-sgd": "nonlinear",
    "dp-fedavg": "nonlinear",
    "fedavg-drawn": "nonlinear",
    "fednova": "nonlinear",
    "fedadam": "nonlinear",
    "fedadagrad": "nonlinear",
    "sarah": "average",
    "storm": "average",
    "adagrad-norm": "average",
    "marina": "coins",
    "page": "coins",
    "fedlomo": "average",
}
"""Adaptive steps, projections, clipping, draws by weight, the largest entries and quantisers are not linear; FedLOMO's
theorems weigh points, others are about local ones."""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return the comparison on the common problem, by method, and the accuracy."""
    rows, eps = compare_once(ComparisonQuestion("common", **AT), Store(tmp_path_factory.mktemp("contend")), workers=1)
    return {row.method: row for row in rows}, eps


def test_theorems_speak_of_the_common_problem(found):
    """Every method with an explicit bound on squared gradients takes part; of the field's where they speak."""
    rows, _ = found
    minimise = {name for name in METHODS if METHODS[name].card.kind == "minimise"} & set(explicit_bounds())
    assert set(rows) == minimise | NOT_LISTED
    assert {name for name, row in rows.items() if row.bound} == WITH_THEOREMS
    assert all(row.why for row in rows.values() if not row.bound)


def test_all_columns_are_full(found):
    """Guaranteed, measured, tuned, rounds and floats are there for all; a ceiling, or the word why there is none."""
    rows = [row for row in found[0].values() if row.bound]
    for row in rows:
        assert None not in (row.guaranteed, row.measured, row.tuned, row.rounds, row.tuned_rounds, row.floats)
    assert {row.method: row.ceiling_word for row in rows if row.ceiling is None} == WHY_NOT
    assert all(row.ceiling_word == "" for row in rows if row.ceiling is not None)


def test_fedglomo_speaks_of_exact_messages_on_short_paths(found):
    """At q = 0 its sharpened theorem speaks, at eta L K^2 = 1/32; its guarantee is that of `check` there."""
    row, problem = found[0]["fedglomo"], load_problem("common", N=2)
    assert (row.bound, dict(row.letters)) == ("fedglomo.theorem1S", {})
    steps = BOUNDS[row.bound].resolve({"S": 2, "L_sample": 1.0, "Delta_mean": 1.0, "alpha_div": 2.0, **AT})
    assert (steps["q_omega"], steps["eta"] * AT["K"] ** 2) == (0, pytest.approx(1 / 32))
    ends = [9 / 2 * np.cbrt((7 / 4 * alpha + 5 / 2) / 2 / 40**2) + 96 * 2 / 40 for alpha in (0, 2)]
    verdict = check(row.bound, problem, K=2, T=40)  # alpha, between 0 and N, is measured on runs of its own.
    assert ends[0] / ends[1] <= row.guaranteed / verdict.rhs <= ends[1] / ends[0]


def test_what_no_grid_has_is_as_the_theorem_has_it():
    """Adagrad has no grid: its floor is the theorem's G_inf/100, its step and PAGE's coin are tuned."""
    problem, setting = load_problem("common", N=2), Setting(N=2, S=2, K=1, T=20)
    who = {one.method: one for one in contenders(problem, setting)}
    adagrad, page = (grid_of(who[name], problem, setting) for name in ("adagrad", "page"))
    assert adagrad["eps"] == [pytest.approx(problem.constant("G_inf") / 100)]
    assert len(adagrad["eta"]) > 1
    assert len(page["p"]) > 1


def test_guarantees_are_those_of_check(found):
    """The row of FedAvg-M is what `check` says of its theorem at the same setting."""
    row = found[0]["fedavg-m"]
    verdict = check(row.bound, load_problem("common", N=2), K=2, T=40)
    assert (row.guaranteed, row.measured, row.verdict) == (verdict.rhs, verdict.measured, verdict.verdict)
    assert row.looseness == verdict.rhs / verdict.measured


def test_the_theorem_promises_most_of_those_not_refuted(found):
    """FedLALR's printed theorems are false; among its others the smallest right-hand side is taken."""
    row, problem = found[0]["fedlalr"], load_problem("common", N=2)
    others = [n for n in explicit_bounds()["fedlalr"] if n.endswith(("R", "corollary1", "theorem2-rate"))]
    values = {n: check(n, problem, K=2, T=40).rhs for n in others}
    assert row.status == "proved"
    assert row.guaranteed == min(v for v in values.values() if v is not None)


def test_tuned_values_are_those_of_a_run(found):
    """The tuned number is the average of a run at the steps that are named; rounds and floats are those of that run."""
    rows, eps = found
    row, problem = rows["fedavg-m"], load_problem("common", N=2)
    run = simulate(problem, METHODS["fedavg-m"](**row.steps), K=2, T=40, lanes=2, metrics=["server_gradient"])
    assert row.tuned == pytest.approx(run.average("server_gradient").mean(), rel=1e-12)
    run = simulate(problem, METHODS["fedavg-m"](**row.time_steps), K=2, T=40, lanes=2, metrics=["server_gradient"])
    first = run.checkpoints[np.flatnonzero(run.instant["server_gradient"].mean(axis=0) <= eps**2)[0]]
    assert row.tuned_rounds == pytest.approx(first, abs=2)
    assert row.floats == cost(problem, METHODS["fedavg-m"](**row.time_steps), K=2, T=int(row.tuned_rounds), S=2).floats


def test_methods_are_tuned_for_what_is_read(tmp_path):
    """With noise the late average wants a smaller server step; each tuned point is the better one by its readout."""
    problem, who = load_problem("quadratic-spread", N=2), Contender("fedavg-m", "", "")
    late, whole = (
        tuned_steps(
            ComparisonQuestion("quadratic-spread", **AT, read=read), problem, who, Store(tmp_path), workers=1
        ).hyper
        for read in ("late", "average")
    )
    assert late["gamma"] < whole["gamma"]
    runs = [simulate(problem, METHODS["fedavg-m"](**h), K=2, T=40, lanes=32, points=100) for h in (late, whole)]
    ends = [run.instant["server_gradient"][:, run.checkpoints > 20].mean() for run in runs]
    averages = [run.average("server_gradient").mean() for run in runs]
    assert ends[0] < ends[1]
    assert averages[0] > averages[1]


def test_the_accuracy_is_a_tenth_of_the_gradient_at_the_start(found):
    """Clients +-1 around 0 and a start at 3: every coordinate of the mean gradient is (tanh 2 + tanh 4) / 2, d = 8."""
    slope = (np.tanh(2.0) + np.tanh(4.0)) / 2
    assert found[1] == pytest.approx(0.1 * slope * np.sqrt(8), rel=1e-12)


def test_ceilings_lie_between_the_measurement_and_nothing_else(found):
    """A run never exceeds the worst case over all problems with its constants."""
    rows = [row for row in found[0].values() if row.ceiling is not None]
    for row in rows:
        assert row.metric == "server_gradient"
        assert row.measured <= row.ceiling * (1 + 1e-9)


@pytest.mark.parametrize("T", [2, 50])
def test_ceilings_scale_with_the_function(T):
    """2 f at half the step makes the same points: every ceiling is four times as large."""
    one, two = (load_problem("common", N=2, weight=w) for w in (1.0, 2.0))
    setting = Setting(N=2, S=2, K=2, T=T)
    at = [class_ceiling(p, METHODS["fedavg"](eta=e), setting) for p, e in ((one, 0.1), (two, 0.05))]
    assert at[0].exact is at[1].exact is (T == 2)
    assert at[1].value == pytest.approx(4 * at[0].value, rel=1e-5)


def test_no_ceiling_where_a_method_is_not_linear():
    """An adaptive method has none; the reason is said."""
    problem = load_problem("common", N=2)
    adaptive = class_ceiling(problem, METHODS["fedlalr"](eta=0.1, eps=1.0), Setting(N=2, S=2, K=1, T=20))
    assert adaptive.value is None
    assert adaptive.why


def test_clients_with_weights_have_no_ceiling():
    """Noise of variance sigma^2 sum p_i^2 is more than sigma^2/N."""
    found = class_ceiling(load_problem("ridge-weighted", N=4), METHODS["sgd"](eta=0.1), Setting(N=4, S=4, K=1, T=20))
    assert found.value is None
    assert "have weights" in found.why


def test_some_of_the_clients_have_a_ceiling():
    """One of two clients a round: above that of both, and above the mean over runs on a problem of the class."""
    problem, method = load_problem("common", N=2), METHODS["fedavg"](eta=0.1)
    one, both = (class_ceiling(problem, method, Setting(N=2, S=S, K=2, T=40)).value for S in (1, 2))
    run = simulate(problem, method, K=2, T=40, S=1, lanes=64, metrics=["server_gradient"])
    assert run.average("server_gradient").mean() < one
    assert one > both


def test_grids_are_small():
    """At most nine points for every method, the local step in units of 1/L."""
    for name in METHODS:
        assert 1 <= grid_size(small_grid(name, 1.0)) <= MOST
    assert small_grid("fedavg", 2.0)["eta"] == [v / 2 for v in small_grid("fedavg", 1.0)["eta"]]


def test_a_method_of_ones_own_is_tuned_in_its_step():
    """What `new method` writes has a default for the step, but it is tuned; weights keep theirs."""
    grid = small_grid(f"{SKELETON}:MyMethod", 1.0)
    assert list(grid) == ["eta"]
    assert len(grid["eta"]) > 2


def test_a_tuned_choice_that_is_beaten_says_so():
    """Another choice has steps or weights that the small grid has not."""
    prescribed = StepChoice("prescribed", {}, 5.0, 2.0, "")
    allowed = StepChoice("best allowed by the bound", {}, 2.0, 0.5, "")
    none = StepChoice("best provable", {}, None, None, "not linear")
    tuned = StepChoice("best measured", {}, None, 1.0, "")
    assert (
        _beaten_by([prescribed, allowed, none], tuned) == "; the grid is small: best allowed by the bound measures less"
    )
    assert _beaten_by([prescribed, none], tuned) == ""
    assert _beaten_by([prescribed, allowed], allowed) == ""


def test_everyone_takes_part_when_asked():
    """Methods without a theorem come last in number, not in the default."""
    problem, setting = load_problem("common", N=2), Setting(N=2, S=2, K=1, T=5)
    some, every = (contenders(problem, setting, everyone=e) for e in (False, True))
    assert {one.method for one in some} < {one.method for one in every}
    assert all(METHODS[one.method].card.kind == "minimise" for one in every)
    assert all(BOUNDS[one.bound].method == one.method for one in every if one.bound)


def test_a_problem_without_delta_has_no_ceiling():
    """A saddle has no Delta: it was an internal error of `steps` for extragradient."""
    saddle = load_problem("monotone-saddle", N=2)
    method = METHODS["extragradient"](eta=0.1)
    found = class_ceiling(saddle, method, Setting.of(saddle, K=1, T=64))
    assert (found.value, found.word) == (None, "none")
    assert "no constant Delta" in found.why
