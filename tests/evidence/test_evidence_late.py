"""Runs at which a linear rate has left next to nothing: what a method leaves for ever shows there."""

from dataclasses import replace

import pytest
from sympy import Le

from boundcheck.bounds import BOUNDS, Bound, Condition
from boundcheck.evidence.search.instances import late_runs
from boundcheck.evidence.search.refute import refute, suitable
from boundcheck.notation import symbols

N, S, K, T, L, mu, Delta = symbols("N S K T L mu Delta")
BIASED = Bound(
    id="biased",
    paper="here",
    title="FedAvg as if clients with different minimisers did not pull it aside",
    where="nowhere",
    method="fedavg",
    metric="final_suboptimality",
    needs=("L", "mu", "Delta"),
    parameters={"eta": 1 / (6 * K * L)},
    terms={"rate": (1 - mu / (6 * L)) ** T * Delta},
    trivial=Delta,
    conditions=(Condition("all", Le(N, S)),),
    rigid=True,
    convex=True,
    exact_gradients=True,
)


def test_little_is_left_of_the_right_hand_side():
    """On at most twelve problems, each run within what any instance may cost."""
    runs = list(late_runs(BIASED, suitable(BIASED)))
    assert 5 <= len(runs) <= 12
    for at in runs:
        evaluation = at.trial(BIASED).evaluation
        assert evaluation.rhs < 0.05 * evaluation.trivial
        assert at.T * (at.K + 1) < 3000


@pytest.mark.parametrize("name", ["field.gd-convex", "field.sgd"])
def test_other_rates_have_none(name):
    assert list(late_runs(BOUNDS[name], suitable(BOUNDS[name]))) == []


def test_what_stays_is_found():
    """With local steps only: at K = 1 the theorem is gradient descent's, and true."""
    found = refute(BIASED, budget=60, work=100_000)
    assert found.verdict == "violated"
    assert found.instance.K > 1
    assert found.instance.T > 30
    plain = replace(BIASED, id="plain", conditions=(*BIASED.conditions, Condition("one step", Le(K, 1))))
    assert refute(plain, budget=60, work=20_000).verdict == "not contradicted"
