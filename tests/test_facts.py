"""Facts stand on their objects: a stranger's own method, problem or metric is treated as ours are."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine import Setting
from boundcheck.errors import UnknownNameError
from boundcheck.evidence.search import long_runs
from boundcheck.evidence.trials.trial import Trial
from boundcheck.methods import METHODS
from boundcheck.methods.base import described_by
from boundcheck.methods.fedavg import FedAvg
from boundcheck.methods.kinds import coins, descriptions, variances
from boundcheck.metrics import METRICS
from boundcheck.metrics.records import metric_of
from boundcheck.problems import FAMILIES, load_problem
from boundcheck.problems.data.logistic import Logistic
from boundcheck.problems.families import reads_data


class MyLogistic(Logistic):
    """A family of a user's own, on the rows of ours."""


@dataclass(frozen=True, kw_only=True)
class Coarse(FedAvg):
    """A method of a user's own, whose choice of a code has none of our names."""

    code: str = described_by("q_omega", lambda value: f"coarse at {value:g}", default="fine", is_variance=True)


def test_the_kind_of_a_problem_is_asked_of_it():
    """Every family has Phi exactly where it has two blocks; a problem that gets blocks later changes its kind."""
    ridge, saddle = load_problem("ridge-ratio", N=2), load_problem("ncsc-p1", N=2)
    assert (ridge.kind, ridge.is_minimax, ridge.usual_metric) == ("minimise", False, "server_gradient")
    assert (saddle.kind, saddle.is_minimax, saddle.usual_metric) == ("minimax", True, "envelope_gradient")
    ridge.blocks = (ridge.d, 0)
    assert ridge.kind == "minimax"


@pytest.mark.parametrize("name", ["server_gradient", "output_gradient", "local_gradient", "final_gradient"])
def test_a_metric_by_another_name_has_the_same_ceiling(name):
    """|grad f|^2 is what it measures, whatever it is called."""
    problem = load_problem("ridge-ratio", N=4)
    assert problem.ceiling(replace(METRICS[name], name="mine.py:MINE")).value == problem.ceiling(name).value


def test_what_is_no_squared_gradient_has_no_ceiling_though_it_has_the_name():
    """The name decides nothing."""
    problem = load_problem("ridge-ratio", N=4)
    for name in ("drift", "suboptimality", "envelope_gradient_sum"):
        assert problem.ceiling(replace(METRICS[name], name="server_gradient")) is None


def test_which_left_hand_sides_average_squared_gradients():
    """Five of ours: neither those after the last round, nor the least, nor weights of something else."""
    assert {metric.name for metric in METRICS.values() if metric.averages_gradients} == {
        "server_gradient",
        "output_gradient",
        "local_gradient",
        "envelope_gradient",
        "envelope_gradient_sum",
    }
    assert replace(METRICS["local_gradient"], name="mine").averages_gradients
    assert not replace(METRICS["local_gradient"], over="least").averages_gradients


def test_the_letter_of_growing_weights_is_the_metric_s():
    """A metric of the user's own takes the growth that a theorem prescribes, by the letter that it names."""
    bound = BOUNDS["fedglomo.theorem2"]
    problem, setting = load_problem("ridge-two-phase", N=2), Setting(N=2, S=2, K=2, T=10**6)
    trial = Trial.of(bound, problem, setting, {"alpha_div": 2.0, "q_omega": 1.0}, strict=False)
    grown = trial.metric.growth
    assert grown == trial.evaluation.values["growth"] > 0
    METRICS["mine"] = replace(METRICS["output_gradient"], name="mine", growth_letter="zz")
    try:
        mine = replace(bound, metric="mine", parameters={**bound.parameters, "zz": bound.parameters["growth"]})
        values = {**trial.evaluation.values, "zz": grown}
        moved = replace(trial, bound=mine, evaluation=replace(trial.evaluation, values=values))
        assert moved.metric.growth == grown
        assert replace(moved, bound=replace(mine, metric="server_gradient")).metric.growth == 0
    finally:
        del METRICS["mine"]


def test_weights_that_grow_are_read_for_every_metric_that_has_them():
    """A metric's label reads as itself; one whose weights do not grow has no number."""
    for name in ("output_gradient", "centre_suboptimality"):
        metric = replace(METRICS[name], growth=0.25)
        assert metric_of(metric.label) == metric
    with pytest.raises(UnknownNameError):
        metric_of("server_gradient(0.25)")
    with pytest.raises(UnknownNameError):
        metric_of("no_such(0.25)")


def test_a_family_on_rows_says_so_wherever_it_is_defined():
    """A subclass in another module stands on the same data set; a ridge stands on none."""
    assert MyLogistic.reads_data
    assert {name for name in FAMILIES if reads_data(name)} == {"auc", "mlp", "softmax", "logistic", "regression"}
    assert not FAMILIES["ridge"].reads_data


def test_a_choice_that_a_theorem_describes_by_a_number_is_made_by_it():
    """By the letter on the hyperparameter: a quantiser, a graph, and what a user calls otherwise."""
    assert descriptions(METHODS["dsgd"])["graph"].named(0.25) == "mix-0.25"
    assert descriptions(METHODS["fedpaq"])["quantiser"].named(0.5) == "flip-0.5"
    assert descriptions(METHODS["fedpaq"])["quantiser"].named(0.0) == "none"
    assert descriptions(Coarse)["code"].named(2.0) == "coarse at 2"
    assert variances(Coarse) == ["q_omega"]
    assert variances(METHODS["dsgd"]) == variances(METHODS["fedavg"]) == []


def test_long_runs_try_the_variance_of_a_stranger_s_code(monkeypatch):
    """Where its theorem leaves the letter free; a method without such a choice is tried without."""
    bound = replace(BOUNDS["field.marina"], metric="server_gradient")
    assert "q_omega" in bound.free
    for cls, tried in ((Coarse, {(), (("q_omega", 1.0),), (("q_omega", 100.0),)}), (FedAvg, {()})):
        monkeypatch.setattr(long_runs, "METHODS", {bound.method: cls})
        assert {made.overrides for made in long_runs.candidates(bound)} == tried


def test_coins_are_those_of_the_probabilities_and_of_the_quantiser():
    """A flip tosses fair coins, other quantisers ask for more; a probability is a coin of its own."""
    assert coins(METHODS["fedavg"](eta=0.1)) == "none"
    assert coins(METHODS["fedpaq"](eta=0.1)) == "none"
    assert coins(METHODS["fedpaq"](eta=0.1, quantiser="flip-2")) == "fair"
    assert coins(METHODS["fedpaq"](eta=0.1, quantiser="qsgd-2")) == "other"
    assert coins(METHODS["fedpd"](eta=0.1, eta_pd=1.0, skip=0.5)) == "other"
    assert np.isfinite(METHODS["fedpaq"](eta=0.1, quantiser="flip-2").traffic(3).bits)
