"""Where the origin lies decides nothing: clients with weights, some of them idle, average steps and not models."""

import numpy as np
import pytest
from method_table import CASES
from turns import first_of_each

from boundcheck.engine import simulate
from boundcheck.methods.fedavg import FedAvg
from boundcheck.problems.synthetic.ridge_weighted import WeightedRidge

BY = 10.0
LAYERED = {"moon", "moonm", "fedmlb", "fedmlbm"}
"""Methods for networks, which this problem is none of."""
MINE = [case for case in CASES if case.kind == "minimise" and case.name not in LAYERED]


class Moved(WeightedRidge):
    """Ridges whose clients have weights, all moved by a number."""

    family = "moved"
    by = 0.0

    def exact_gradient(self, x, clients=None):
        """Return the gradient of the ridge at the point that it had before."""
        return super().exact_gradient(x - self.by, clients)


def end(method, by, S):
    """Return where three rounds end on ridges that are moved, their start with them."""
    problem = Moved(N=5, d=3, zeta=0.7, sigma=0.3, skew=3.0)
    problem.by, problem.start = by, np.asarray(problem.start) + by
    return simulate(problem, method, T=3, K=2, S=S, lanes=[0], metrics=()).final


@pytest.mark.parametrize("case", first_of_each(lambda case: case.name, MINE), ids=str)
def test_a_run_on_a_moved_problem_is_the_moved_run(case):
    """Five methods averaged models whose weights did not add up to 1."""
    method = case.method(**{name: values[0] for name, values in case.lane_numbers(2).items()})
    S = 3 if case.partial else 5
    np.testing.assert_allclose(end(method, BY, S), end(method, 0.0, S) + BY, atol=1e-7)


def test_a_sum_of_models_is_seen(monkeypatch):
    """A control: averaged as they are, models of weights that do not add up are off by a multiple of the origin."""
    monkeypatch.setattr("boundcheck.methods.composed.mean_model", lambda oracle, _, y: oracle.mean(y))
    method = FedAvg(eta=0.1)
    assert np.abs(end(method, BY, 3) - end(method, 0.0, 3) - BY).max() > 1.0
