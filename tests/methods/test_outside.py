"""A method with a state that is not declared is refused by name, wherever it would be run or believed."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from hidden_states import HIDDEN, PLAIN, descent, theorem

import boundcheck as bc
from boundcheck.engine import simulate
from boundcheck.engine.exact import linear_moments
from boundcheck.evidence.search.refute import refute
from boundcheck.methods import METHODS
from boundcheck.methods.outside import OutsideStateError, is_own, variables
from boundcheck.problems import load_problem


@functools.cache
def _root(value):
    return value**0.5


_SCALES = np.array([1.0, 2.0])
_CALLS = []


def problem():
    return load_problem("stress-parabola", N=2)


@pytest.mark.parametrize("name", HIDDEN)
def test_no_run_and_no_verdict(name):
    """Forty rounds do not show the other step: it is the variable that is seen."""
    bound, (method, variable) = theorem(name), HIDDEN[name]
    for ask in (
        lambda: bc.check(bound, problem(), K=1, T=40),
        lambda: refute(bound, work=5_000, budget=60),
        lambda: simulate(problem(), method(eta=0.5), K=1, T=3, lanes=1),
    ):
        with pytest.raises(OutsideStateError, match=rf"method {name}: .*{variable}.*not in its state"):
            ask()


@pytest.mark.parametrize("name", HIDDEN)
def test_no_worst_case_and_no_theorem(name):
    method, variable = HIDDEN[name]
    for ask in (
        lambda: bc.sharpen(method(eta=0.5), K=1, T=3),
        lambda: bc.sharpen(method(eta=0.5), K=1, all_steps=True),
        lambda: bc.worst(method(eta=0.5), K=1, T=2, Delta=1.0),
        lambda: linear_moments(problem(), method(eta=0.5), K=1, T=3),
    ):
        with pytest.raises(OutsideStateError, match=rf"method {name}: .*{variable}.*not in its state"):
            ask()


def test_the_same_without_is_believed():
    """The control."""
    bound = replace(theorem("Plain"), method=theorem("Plain").method.replace(":Plain", ":PLAIN"))
    assert bc.check(bound, problem(), K=1, T=40).verdict == "holds"
    assert bc.sharpen(PLAIN(eta=0.5), K=1, T=3).descent > 0


@pytest.mark.parametrize(
    "factor",
    [
        lambda self: _root(0.25),
        lambda self: float(_SCALES[0]),
        lambda self: max([x**0.5 for x in (0.25, 0.04)]),
        lambda self: functools.reduce(min, (0.5, 1.0)),
    ],
)
def test_what_stays_the_same_may_be_anywhere(factor):
    """Tables, memories of a pure function, and helpers of a module."""
    assert bc.sharpen(descent("Helped", factor)(eta=0.5), K=1, T=3).descent > 0


def test_a_variable_that_no_round_reads_is_no_matter():
    method = descent("Unread", lambda self: 1.0)(eta=0.5)
    before = variables(method)
    _CALLS.append(1)
    assert variables(method) == before


def test_what_is_kept_in_circles_is_looked_at_once():
    ring = {}
    ring["own"] = [ring] * 50
    method = descent("Ring", lambda self: len(ring))(eta=0.5)
    before = variables(method)
    assert variables(method) == before
    ring["own"].append(1)
    assert variables(method) != before


def test_no_shipped_method_is_watched():
    """They are held to the contract by their own tests, and cost nothing."""
    assert not is_own(METHODS["scaffold"](eta=0.1))
    assert is_own(PLAIN(eta=0.5))
