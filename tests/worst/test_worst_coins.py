"""Coins of the method's own: every path of them in one programme, and the engine on the function, toss by toss."""

import itertools

import numpy as np
import pytest
from worst_methods import method

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.worst import worst
from boundcheck.worst.gram.trace import trace_method

P = 0.3
TOSSING = {
    "scaffnew": METHODS["scaffnew"](eta=0.6, p=P),
    "fedpd": METHODS["fedpd"](eta=0.1, eta_pd=0.4, skip=1 - P),
    "page": METHODS["page"](eta=0.6, p=P),
}


class Told(LaneOracle):
    """The engine's oracle with coins whose outcomes are given."""

    outcomes: tuple[bool, ...]

    def uniform(self, *shape):
        first, *self.outcomes = self.outcomes
        return np.full((1, *shape), 0.0 if first else 1 - 2**-53)


def expected(made, problem, K, T, heads):
    """Return the expected average of |grad f|^2 over x_0, ..., x_(T-1)."""
    total = 0.0
    for outcomes in itertools.product((True, False), repeat=T - 1):
        oracle = Told(problem, Setting.of(problem, K=K, T=T), seed=0, keys=[(0,)], observers=[])
        oracle.outcomes = outcomes
        states = [initial_state(made, oracle, 1)]
        states += [step.after for step in rounds(made, oracle, states[0], T - 1)]
        squares = [float((problem.mean_gradient(state.x) ** 2).sum()) for state in states]
        total += np.mean(squares) * np.prod([heads if outcome else 1 - heads for outcome in outcomes])
    return total


@pytest.mark.parametrize("name", TOSSING)
def test_the_engine_agrees_toss_by_toss(name):
    """On the function of the worst case, in expectation over all paths."""
    made = TOSSING[name]
    found = worst(made, K=2, T=3, zeta=1.0)
    assert found.exact
    heads = 1 - P if name == "fedpd" else P
    assert expected(made, found.problem, 2, 3, heads) == pytest.approx(found.upper, rel=1e-6)


def test_without_noise_page_is_gradient_descent():
    """Both estimators are the gradient, whatever the coin says."""
    assert worst(TOSSING["page"], K=1, T=3, zeta=1.0).upper == pytest.approx(
        worst(method("sgd", eta=0.6), K=1, T=3, N=1).upper, rel=1e-7
    )


def test_scaffnew_that_always_communicates_is_gradient_descent():
    """With p = 1 there is one path; with p < 1 clients drift, and more of it is worse."""
    values = [worst(METHODS["scaffnew"](eta=0.6, p=p), K=1, T=3, zeta=1.0).upper for p in (1.0, 0.7, 0.2)]
    assert values[0] == pytest.approx(worst(method("sgd", eta=0.6), K=1, T=3, N=1).upper, rel=1e-7)
    assert values[0] < values[1] < values[2]


def test_paths_have_probabilities():
    """Two rounds, four paths; what they have in common is met once."""
    trace = trace_method(TOSSING["scaffnew"], N=2, K=1, T=2)
    assert [float(p) for p, _ in trace.paths] == pytest.approx([P * P, P * (1 - P), (1 - P) * P, (1 - P) ** 2])
    assert len(trace.oracle.points) == 3


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"T": 3, "measure": "best"}, InputError, "measure = 'best' is not legal: an average or of x_T"),
        ({"T": 3, "sigma": 1.0}, NotApplicableError, "coins of the method's own"),
        ({"T": 9}, NotApplicableError, "its coins have more than 64 paths in 8 rounds"),
    ],
)
def test_what_is_not_enumerated_is_refused(options, error, words):
    """The message names the left-hand side, the coins or their number."""
    with pytest.raises(error, match=words):
        worst(TOSSING["scaffnew"], K=1, zeta=1.0, **options)
