"""Proximal steps of single clients: closed forms, the residual of those that are solved, and what is refused."""

import numpy as np
import pytest

from boundcheck import load_problem
from boundcheck.engine import simulate
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.methods import METHODS
from boundcheck.problems.base import Problem

CLOSED = ("quadratic[spread=0.7,zeta=1]", "quadratic-tilt", "stiff-clients[zeta=1,d=2]", "parabolas[split=1]")
SOLVED = ("stress-huber", "ridge-log[link=log-cosh]")


def rows(problem, lanes=3):
    """Points of two clients in three lanes, and the clients' numbers, not in order."""
    v = np.random.default_rng(0).normal(size=(lanes, 2, problem.d)) * 3
    return v, np.array([[2, 0], [1, 2], [0, 1]])[:lanes]


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("step", [0.3, 20.0, np.array([[[0.1]], [[1.0]], [[50.0]]])], ids=["short", "long", "own"])
def test_closed_forms_are_what_descent_finds(name, step):
    """And at both the gradient of f_i(y) + |y - v|^2/(2 step) vanishes."""
    problem = load_problem(name, N=3)
    v, clients = rows(problem)
    y = problem.client_prox(v, step, clients)
    residual = problem.exact_gradient(y, clients) + (y - v) / step
    assert np.abs(residual).max() < 1e-12 * (1 + np.abs(v / step).max())
    np.testing.assert_allclose(y, Problem.client_prox(problem, v, step, clients), rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("step", [0.1, 100.0])
def test_smooth_functions_are_solved_to_a_residual(name, step):
    """Row by row: a row is the same alone."""
    problem = load_problem(name, N=3)
    v, clients = rows(problem)
    y = problem.client_prox(v, step, clients)
    residual = problem.exact_gradient(y, clients) + (y - v) / step
    assert np.abs(residual).max() < 1e-12 * (np.abs(v / step).max() + np.abs(problem.exact_gradient(v, clients)).max())
    np.testing.assert_array_equal(problem.client_prox(v[1:2], step, clients[1:2]), y[1:2])


def test_a_step_with_several_minimisers_is_refused():
    """Where a client is not convex, from 1/L on; a shorter one has one minimiser."""
    ridge = load_problem("ridge-ratio", N=3)
    v, clients = rows(ridge)
    assert np.isfinite(ridge.client_prox(v, 0.9 / ridge.constant("L"), clients)).all()
    with pytest.raises(NotApplicableError, match="shorter than 1/L"):
        ridge.client_prox(v, 1.0 / ridge.constant("L"), clients)
    saddle = load_problem("quadratic[mu=-0.1,spread=1]", N=8)
    with pytest.raises(BoundcheckError, match="proximal step"):
        saddle.client_prox(np.zeros((1, 8, saddle.d)), 11.0)


def test_weight_decay_is_part_of_a_clients_function():
    """ADMM under it ends at the minimiser of f + decay |x|^2/2."""
    problem = load_problem("quadratic-tilt[zeta=1,start=3]", N=2)
    run = simulate(problem, METHODS["admm"](rho=1.0), K=1, T=200, lanes=1, weight_decay=0.5)
    own = np.stack([problem.exact_gradient(np.full((1, 2, problem.d), z))[0] for z in (0.0, 1.0)])
    expected = -own[0].mean(axis=0) / ((own[1] - own[0]).mean(axis=0) + 0.5)
    np.testing.assert_allclose(run.final[0], expected, atol=1e-12)
