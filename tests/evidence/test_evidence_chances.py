"""Theorems that hold with probability 1 - delta: the share of runs above the right-hand side decides."""

from dataclasses import replace

import numpy as np
import pytest
from sympy import Rational

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.bounds.bound import Evaluation
from boundcheck.errors import InputError
from boundcheck.evidence.search.refute import refute
from boundcheck.evidence.trials.chances import decide_chance, quantile

AT = Evaluation(1.0, {"all": 1.0}, [], 10.0, {})
RARE = "stress-parabola[start=0,sigma=1,noise=skewed,odds=64]"
"""From the minimum a sample in 64 moves by sqrt(63), the others by 1/sqrt(63)."""


def judged(y, failure, *, noisy=True, at=AT):
    return decide_chance(np.array(y), at, failure, bound="b", problem="p", alpha=0.05, noisy=noisy)


@pytest.mark.parametrize(("above", "word"), [(0, "holds"), (10, "holds"), (11, "violated")])
def test_paths_are_counted(above, word):
    """Ten of a hundred equally likely paths may be above where a share of 0.1 may; eleven are too many."""
    assert judged([2.0] * above + [0.5] * (100 - above), 0.1, noisy=False).verdict == word


@pytest.mark.parametrize(("above", "word"), [(0, "holds"), (10, "undecided"), (100, "violated")])
def test_draws_are_bet_on(above, word):
    """Of 100 draws; a mean far above the right-hand side is no matter as long as few draws are."""
    y = np.full(100, 0.5)
    y[np.linspace(0, 99, above).astype(int)] = 1e9
    assert judged(y, 0.1).verdict == word


def test_both_answers_err_rarely():
    """Laws whose share above is 0.1, or far from it: 150 samples of 200 each, at the error rate 0.05."""
    rng = np.random.default_rng(0)

    def share(true, word):
        found = [judged(np.where(rng.random(200) < true, 2.0, 0.5), 0.1).verdict for _ in range(150)]
        return np.mean([one == word for one in found])

    # Three standard errors of a share of 0.05 are 0.053.
    assert share(0.1, "violated") <= 0.103
    assert share(0.101, "holds") <= 0.103
    assert share(0.25, "violated") >= 0.9
    assert share(0.02, "holds") >= 0.9


def test_what_is_measured_is_a_quantile():
    """The smallest number that a share of 0.2 exceeds at most; with its order statistics around it."""
    y = np.arange(1.0, 101.0)
    assert quantile(y, 0.2) == 80.0
    assert quantile(y, 0.0) == 100.0
    found = judged(y, 0.2)
    assert found.measured == 80.0
    # Binomial(100, 0.8): P(X <= 71) = 0.02, P(X <= 87) = 0.97 or so.
    assert 70 <= found.low <= 74
    assert 86 <= found.high <= 90


def test_beyond_the_trivial_bound_it_says_nothing():
    """As for expectations."""
    loose = replace(AT, trivial=1.0)
    assert judged([0.5] * 10, 0.1, noisy=False, at=loose).verdict == "vacuous"
    assert judged([2.0] * 10, 0.1, noisy=False, at=loose).verdict == "violated"


def test_a_rare_run_may_be_far_above():
    """In expectation the same right-hand side is false, with probability 1 - 1/64 it is true, with 1 - 1/100 false.

    One step from the minimum: |grad f(x_1)|^2 = 63 once in 64 paths and 1/63 else, whose mean is 1.
    """
    theorem = BOUNDS["field.sgd-chance"]
    small = replace(theorem, id="small", terms={"all": Rational(1, 50)})
    given = {"K": 1, "T": 2}
    problem = load_problem(RARE, N=1)
    mean = check(replace(small, failure=""), problem, **given, overrides={"eta": 1.0})
    assert (mean.verdict, mean.measured) == ("violated", pytest.approx(0.5))
    few = check(small, problem, **given, overrides={"eta": 1.0, "delta_fail": 1 / 60})
    assert (few.verdict, few.how, few.measured) == ("holds", "enumerated", pytest.approx(1 / 126))
    assert check(small, problem, **given, overrides={"eta": 1.0, "delta_fail": 1 / 70}).verdict == "violated"


def test_a_search_finds_too_large_a_confidence():
    """Without the term of the confidence; the script of the instance prints a share."""
    theorem = BOUNDS["field.sgd-chance"]
    bold = replace(theorem, id="bold", terms={"gap": theorem.terms["gap"], "noise": theorem.terms["noise"] / 100})
    found = refute(bold, work=20_000, budget=60)
    assert found.verdict == "violated"
    assert refute(theorem, work=4_000, budget=60).verdict == "not contradicted"


def test_the_letter_is_a_parameter():
    """Else nobody knows its value."""
    with pytest.raises(InputError, match="failure"):
        replace(BOUNDS["field.sgd"], failure="delta_fail")
