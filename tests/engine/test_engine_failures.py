"""What happens when a lane diverges or an argument is not legal."""

import numpy as np
import pytest
from engine_probes import Bowls, Pair, Scripted

from boundcheck.engine import simulate
from boundcheck.errors import InputError, NotApplicableError, UnknownNameError
from boundcheck.methods.base import ServerState
from boundcheck.methods.fedavg import FedAvg, FedAvgM
from boundcheck.methods.minimax import LocalSGDA

METRICS = ("server_gradient", "local_gradient", "suboptimality", "drift")


def test_a_diverging_lane_is_inf_and_disturbs_nobody():
    """A lane that overflows reports inf from then on (never nan), without a warning, and the others keep their bits."""
    steps = np.array([0.1, 50.0, 0.2, 1e6])
    setting = {"K": 5, "T": [300, 300, 200, 250], "metrics": METRICS}
    together = simulate(Bowls(sigma=0.5), FedAvg(eta=steps), lanes=4, **setting)
    for metric in METRICS:
        for lane in (1, 3):
            within = together.checkpoints <= together.T[lane]
            curve = together.curves[metric][lane]
            assert np.isnan(curve[~within]).all()
            assert not np.isnan(curve[within]).any()
            assert np.isinf(together.average(metric)[lane])
            assert (np.diff(np.isinf(curve[within]).astype(int)) >= 0).all()
        assert np.isfinite(together.average(metric)[[0, 2]]).all()
    calm = {**setting, "T": [300, 200]}
    alone = simulate(Bowls(sigma=0.5), FedAvg(eta=steps[[0, 2]]), lanes=[0, 2], **calm)
    np.testing.assert_array_equal(alone.final, together.final[[0, 2]])
    for metric in METRICS:
        np.testing.assert_array_equal(alone.average(metric), together.average(metric)[[0, 2]])


def test_all_lanes_may_diverge():
    """A run in which every lane overflows returns inf averages of the full shape."""
    run = simulate(Bowls(), FedAvg(eta=1e9), K=5, T=100, lanes=3)
    assert np.isinf(run.average("server_gradient")).all()
    assert not np.isfinite(run.final).any()


class Silent(Scripted):
    """Shows none of its points."""

    def round(self, oracle, state):
        return ServerState(0.9 * state.x)


def test_a_method_that_shows_no_local_points_has_no_average_over_them():
    """It would be 0, and every theorem about it true; other left-hand sides are as they are."""
    with pytest.raises(NotApplicableError, match=r"shows no local points.*drift.*oracle\.observe"):
        simulate(Bowls(), Silent(), K=2, T=3, lanes=2, metrics=("server_gradient", "drift"))
    assert (simulate(Bowls(), Silent(), K=2, T=3, lanes=2).average("server_gradient") > 0).all()
    assert (simulate(Bowls(), Scripted(), K=2, T=3, lanes=2, metrics=("drift",)).average("drift") > 0).all()


GOOD = {"K": 2, "T": 3, "lanes": 4}
ILLEGAL = [
    ({"S": 4}, "S = 4 .* at most N = 3"),
    ({"S": 0}, "S = 0 .*integer >= 1"),
    ({"K": 0}, "K = 0 .*integer >= 1"),
    ({"K": 1.5}, r"K = 1\.5 .*integer >= 1"),
    ({"K": True}, "K = True .*integer >= 1"),
    ({"b": 0}, "b = 0 .*integer >= 1"),
    ({"T": 0}, "T = 0 .*integers >= 1"),
    ({"T": 2.5}, r"T = 2\.5 .*integers >= 1"),
    ({"T": [3, 3, 0, 3]}, r"T = \[3, 3, 0, 3\] .*integers >= 1"),
    ({"T": np.arange(4)}, r"T = \[0, 1, 2, 3\] .*integers >= 1"),
    ({"T": [3, 3]}, r"T = \[3\.0, 3\.0\] .*4 numbers"),
    ({"lanes": 0}, "lanes = 0 .*at least one lane"),
    ({"seed": -1}, "seed = -1 .*integer >= 0"),
    ({"metrics": "drift"}, r"metrics = 'drift' .*a list of names, \['drift'\]"),
    ({"quantities": "drift_correlation"}, "quantities = 'drift_correlation' .*a list of names"),
    ({"points": 0}, "points = 0 .*integer >= 1"),
    ({"block": 0}, "block = 0 .*integer >= 1"),
    ({"workers": 0}, "workers = 0 .*integer >= 1"),
]


@pytest.mark.parametrize(("change", "message"), ILLEGAL, ids=[str(sorted(change)) for change, _ in ILLEGAL])
def test_an_illegal_argument_is_named_with_its_value_and_range(change, message):
    """The error is one line: the argument, its value and what would be legal."""
    with pytest.raises(InputError, match=message) as caught:
        simulate(Bowls(), Scripted(), **{**GOOD, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.ones(3), [0.1, 0.2], np.ones((4, 1))], ids=["array", "list", "matrix"])
def test_a_hyperparameter_array_of_the_wrong_length_is_named(wrong):
    """The message names the method, the hyperparameter and the number of lanes."""
    with pytest.raises(InputError, match=r"fedavg-m: beta = .* 4 numbers \(one a lane\)") as caught:
        simulate(Bowls(), FedAvgM(eta=0.1, gamma=0.1, beta=wrong), **GOOD)
    assert "\n" not in str(caught.value)


def test_methods_metrics_and_problems_that_do_not_go_together():
    """A minimax method on a plain problem, the reverse, and Phi without a max block are refused by name."""
    with pytest.raises(NotApplicableError, match="local-sgda is for minimax problems, but bowls is a minimise"):
        simulate(Bowls(), LocalSGDA(eta_x=0.1, eta_y=0.1), **GOOD)
    with pytest.raises(NotApplicableError, match="fedavg is for minimise problems, but pair is a minimax"):
        simulate(Pair(), FedAvg(eta=0.1), **GOOD)
    with pytest.raises(NotApplicableError, match="envelope_gradient needs Phi, but problem bowls"):
        simulate(Bowls(), Scripted(), metrics=("envelope_gradient",), **GOOD)
    with pytest.raises(UnknownNameError, match="unknown metric 'drfit'; did you mean drift"):
        simulate(Bowls(), Scripted(), metrics=("drfit",), **GOOD)


def test_a_name_is_not_the_object():
    """The name of a problem or method, a class, and a metric that was not measured are refused by name."""
    with pytest.raises(InputError, match=r"problem = 'ridge-ratio' .*load_problem\('ridge-ratio', N=...\)"):
        simulate("ridge-ratio", Scripted(), **GOOD)
    with pytest.raises(InputError, match=r"method = 'fedavg' .*a method with its steps"):
        simulate(Bowls(), "fedavg", **GOOD)
    with pytest.raises(InputError, match=r"FedAvg.*a method with its steps"):
        simulate(Bowls(), FedAvg, **GOOD)
    with pytest.raises(UnknownNameError, match="unknown metric of this run 'drift'; known: server_gradient"):
        simulate(Bowls(), Scripted(), **GOOD).average("drift")


def test_replicate_numbers_name_lanes():
    """Lane numbers given as a list are replicate numbers: the same number is the same lane."""
    run = simulate(Bowls(sigma=1.0), FedAvg(eta=0.1), K=2, T=3, lanes=[7, 2, 7])
    np.testing.assert_array_equal(run.final[0], run.final[2])
    assert (run.final[0] != run.final[1]).all()
    counted = simulate(Bowls(sigma=1.0), FedAvg(eta=0.1), K=2, T=3, lanes=np.int64(3))
    np.testing.assert_array_equal(counted.final[2], run.final[1])
