"""Partial participation: every row holds on runs draw by draw, and programmes of all draws are never above."""

import itertools

import numpy as np
import pytest
from drawn_clients import Clients, Draws, K, N, unknowns_of_kinds
from enumerated import ETA, GAMMA, worst_by_enumeration
from turns import in_turn
from worst_methods import LINEAR, method

from boundcheck.engine.exact import average_on_paths
from boundcheck.engine.setting import Setting
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.metrics import METRICS
from boundcheck.problems.synthetic.quadratic import Quadratic
from boundcheck.worst import ProblemClass, worst
from boundcheck.worst.gram.trace import trace_method
from boundcheck.worst.sides.split import ActiveSplitConstraints, upper_side
from boundcheck.worst.sides.whole import ClassConstraints

PARTIAL = [name for name in LINEAR if METHODS[name].card.partial]
GIVEN = ProblemClass(N=N, L=1.6, zeta=30.0, Delta=100.0)


def drawn(name, S):
    """Return two rounds of a method, the gradient after them asked for, on explicit clients draw by draw."""
    trace = trace_method(method(name), N=N, K=K, T=2, S=S)
    trace.oracle.point(trace.iterates[-1])
    return trace, Draws(trace, Clients(), S)


def assert_met(programme, unknowns):
    for key, (row, value) in programme.equalities.items():
        assert row @ unknowns == pytest.approx(value, abs=1e-9), key
    for key, (row, limit) in programme.limits.items():
        assert row @ unknowns <= limit + 1e-9, key


@pytest.mark.parametrize(("name", "S"), in_turn(PARTIAL, 1, 2))
def test_every_row_holds_on_runs(name, S):
    """The Gram matrices of all draws of two rounds meet every constraint of both programmes."""
    trace, runs = drawn(name, S)
    whole = ClassConstraints(trace, GIVEN)
    assert_met(whole.programme, runs.unknowns(whole))
    split = ActiveSplitConstraints(trace, GIVEN)
    assert_met(split.programme, unknowns_of_kinds(runs, split))


@pytest.mark.parametrize("S", [1, 2])
@pytest.mark.parametrize("name", PARTIAL)
def test_the_draws_are_the_engines(name, S):
    """The expected average of |grad f|^2 at x_0, x_1, x_2 is the mean over the engine's paths."""
    problem = Quadratic(N=N, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="none", start=1.3)
    trace = trace_method(method(name), N=N, K=K, T=2, S=S)
    runs = Draws(trace, Explicit(problem), S)
    squares = [(problem.mean_gradient(runs.at(x)[:, :1])[:, 0] ** 2).sum(axis=1).mean() for x in trace.iterates]
    setting = Setting.of(problem, K=K, T=3, S=S)
    found = average_on_paths(problem, method(name), METRICS["server_gradient"], setting).mean()
    assert np.mean(squares) == pytest.approx(found, rel=1e-12)


class Explicit:
    """A problem as `Draws` reads clients."""

    def __init__(self, problem):
        self.start, self.gradient = problem.start, problem.exact_gradient


@pytest.mark.parametrize(("N", "S"), [(2, 1), (4, 2), (5, 4)])
def test_one_step_of_some_clients(N, S):
    """A step of S of N adds L eta^2 zeta^2 (N-S)/(S (N-1))/2, attained by tilts along the largest curvature."""
    found = worst(method("fedavg", eta=0.7, gamma=1.0), K=1, T=1, N=N, S=S, mu=0.1, zeta=0.8, measure="value")
    known = 0.93**2 + 0.7**2 * 0.8**2 * (N - S) / (S * (N - 1)) / 2
    assert (found.upper, found.lower) == pytest.approx((known, known), rel=1e-6)


def test_more_active_clients_do_better():
    """Between one of six and all of them; all of them is the worst case without draws."""
    made = method("fedavg", eta=0.3)
    values = [worst(made, K=2, T=2, N=6, S=S, zeta=1.0).upper for S in (1, 2, 4, 5, 6)]
    assert sorted(values, reverse=True) == values
    assert values[-1] == worst(made, K=2, T=2, N=6, zeta=1.0).upper


@pytest.mark.parametrize("S", [1, 2])
def test_no_run_of_the_engine_is_above(S):
    """Quadratics of the class, of every linear method for partial participation with steps that do not diverge."""
    problem = Quadratic(N=N, d=2, mu=0.4, L=1.6, spread=1.0, zeta=1.0, noise="none", start=1.3)
    constants = {"L": 1.6, "Delta": problem.constant("Delta"), "G_0": problem.constant("G_0"), "N": N}
    for name in ("fedavg", "scaffold", "mifa", "feddyn", "fedgate"):
        found = average_on_paths(
            problem, method(name), METRICS["server_gradient"], Setting.of(problem, K=K, T=3, S=S)
        ).mean()
        assert found <= worst(method(name), K=K, T=3, S=S, **constants).upper * (1 + 1e-8), name


def test_the_programme_of_all_draws_agrees():
    """One draw is told exactly: the same value without conditions between points of different draws."""
    case = {"N": 3, "S": 1, "K": 1, "T": 2, "zeta": 1.0}
    ours = worst(method("fedavg", eta=ETA, gamma=GAMMA), **case)
    assert ours.upper == pytest.approx(worst_by_enumeration("fedavg", across=False, **case), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "S", "constants"),
    [*itertools.product(("fedavg", "scaffold"), (1, 2), ({"zeta": 1.0}, {"G_0": 3.0}))],
)
def test_two_local_steps_and_all_draws(name, S, constants):
    """Equal without conditions between different draws; with them at most 1e-3 below here."""
    ours = worst(method(name, eta=ETA, gamma=GAMMA), K=2, T=2, N=3, S=S, **constants).upper
    within, across = (
        worst_by_enumeration(name, N=3, S=S, K=2, T=2, across=kind, **constants) for kind in (False, True)
    )
    assert ours == pytest.approx(within, rel=1e-6)
    assert across * (1 - 1e-6) <= ours <= across * (1 + 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("S", [1, 2])
def test_two_draws_are_an_upper_bound(S):
    """Over several rounds what is computed is never below the programme of all draws."""
    ours = worst(method("fedavg", eta=ETA, gamma=GAMMA), K=1, T=3, N=3, S=S, zeta=1.0).upper
    assert ours >= worst_by_enumeration("fedavg", N=3, S=S, K=1, T=3, zeta=1.0) * (1 - 1e-7)


def test_the_last_draw_is_told_where_it_decides_a_point():
    """Before any draw there is nothing to tell; after one the clients are of two kinds."""
    made = method("fedavg")
    trace = trace_method(made, N=3, K=1, T=0, S=1)
    trace.oracle.point(trace.iterates[0])
    assert not isinstance(upper_side(trace, GIVEN), ActiveSplitConstraints)
    trace = trace_method(made, N=3, K=1, T=1, S=1)
    trace.oracle.point(trace.iterates[-1])
    assert isinstance(upper_side(trace, GIVEN), ActiveSplitConstraints)


@pytest.mark.parametrize(
    ("name", "options", "error", "words"),
    [
        ("fedavg", {"S": 3}, InputError, "S = 3 is not legal: at most N = 2"),
        ("fedavg", {"S": 0}, InputError, "S = 0 is not legal: an integer >= 1"),
        ("fedavg", {"S": 1, "measure": "local"}, InputError, "measure = 'local' is not legal: about server points"),
        ("fedpd", {"S": 1}, NotApplicableError, "method fedpd is about all clients in every round, not S = 1 of N = 2"),
    ],
)
def test_what_is_not_defined_is_refused(name, options, error, words):
    """The message names the argument, or the method."""
    with pytest.raises(error, match=words):
        worst(method(name), K=1, T=2, zeta=1.0, **options)
