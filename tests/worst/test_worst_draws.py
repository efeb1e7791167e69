"""Lower sides where some clients are idle: the expectation over all draws, by runs written out by hand."""

import json
from itertools import combinations, product

import numpy as np
import pytest
from worst_methods import method

from boundcheck.cli.app import run
from boundcheck.worst import worst

ETA = 0.3


def fedavg_over_draws(problem, *, S, K, T, zeta=None):
    """Return the mean over all draws of the average |grad f(x_t)|^2, and the largest heterogeneity at server points."""
    subsets = list(combinations(range(problem.N), S))
    found, spread = [], 0.0
    for chosen in product(subsets, repeat=T - 1):
        x, squares = problem.start, []
        for active in (*chosen, ()):
            at_server = problem.exact_gradient(np.tile(x, (1, problem.N, 1)))[0]
            squares.append(float((at_server.mean(axis=0) ** 2).sum()))
            spread = max(spread, float(at_server.var(axis=0).sum()))
            if active:
                y = np.tile(x, (1, problem.N, 1))
                for _ in range(K):
                    y = y - ETA * problem.exact_gradient(y)
                x = y[0, list(active)].mean(axis=0)
        found.append(np.mean(squares))
    return float(np.mean(found)), spread


@pytest.mark.parametrize(("N", "S", "K", "T"), [(3, 1, 1, 2), (4, 2, 2, 2), (3, 2, 2, 3), (4, 1, 1, 3)])
def test_the_lower_side_is_what_the_draws_have_on_average(N, S, K, T):
    """On the problem that is made, by enumeration; it is of the class, and not above the upper side."""
    case = worst(method("fedavg", eta=ETA, gamma=1.0), K=K, T=T, N=N, S=S, zeta=1.0)
    value, spread = fedavg_over_draws(case.problem, S=S, K=K, T=T)
    assert value == pytest.approx(case.lower, rel=1e-7)
    assert spread <= 1 + 1e-9
    assert case.problem.N == N
    assert case.problem.constant("L") <= 1 + 1e-12
    start = float(case.problem.value(case.problem.start[None, None])[0])
    assert start - case.problem.constant("f_star") <= 1 + 1e-9
    assert 0.7 * case.upper < case.lower <= case.upper


def test_more_idle_clients_do_more_harm_on_it():
    """The control: with all clients the same problem has less, so that the draws are what is measured."""
    case = worst(method("fedavg", eta=ETA, gamma=1.0), K=1, T=3, N=4, S=1, zeta=1.0)
    assert fedavg_over_draws(case.problem, S=4, K=1, T=3)[0] < case.lower - 1e-3


@pytest.mark.parametrize(("N", "S"), [(4, 1), (30, 7)])
def test_without_zeta_it_is_infinite_and_a_function_shows_it(N, S):
    """It was nan: the function starts at its minimum, and draws lead away from it."""
    case = worst(method("fedavg", eta=ETA, gamma=1.0), K=1, T=2, N=N, S=S)
    assert case.verdict == "infinite"
    assert "no worst case is finite" in case.why
    start = case.problem.start
    assert case.problem.exact_gradient(np.tile(start, (1, case.problem.N, 1)))[0].mean(axis=0) == pytest.approx(0.0)
    if N == 4:
        assert fedavg_over_draws(case.problem, S=S, K=1, T=2)[0] > 1e-3


def test_too_many_draws_are_told():
    """C(10, 5)^2 sequences are not followed: there is an upper side, and the reason why no lower one."""
    case = worst(method("fedavg", eta=ETA, gamma=1.0), K=1, T=3, N=10, S=5, zeta=1.0)
    assert case.lower is None
    assert "63504" in case.why


def test_the_command_measures_with_the_draws(capsys):
    """The engine's mean over runs is the lower side to five standard errors; with all clients it would be less."""
    command = "worst fedavg --K 1 --T 3 --N 3 --S 1 --zeta 1 --set eta=0.3 --set gamma=1 --json"
    assert run(command.split()) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert abs(row["attained"] - row["lower"]) <= 5 * row["standard_error"] + 1e-9
    assert row["S"] == 1
