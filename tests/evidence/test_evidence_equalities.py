"""Two hundred theorems that are true with equality: none is called violated, and each is at 0.99 of its constant."""

from dataclasses import replace
from fractions import Fraction

import pytest
from equalities import FILE, at_share, equalities, factors, theorem
from sympy import Rational

from boundcheck.evidence.checks.check import check
from boundcheck.evidence.search.refute import refute
from boundcheck.problems import load_problem

ALL = equalities(200)
FEW = ALL[:6]
LESS = Rational(99, 100)
WORK = 6_000


def asked(one, bound):
    return check(bound, load_problem(one.problem, N=one.N), K=one.K, T=one.T)


def named(one):
    return one.bound.id


def test_factors_by_hand():
    """Half a step halves the distance; two local steps are two; with momentum 1/4 the second round goes further."""
    assert factors("sgd", Fraction(1, 2), 1, 2) == [1, Fraction(1, 2), Fraction(1, 4)]
    assert factors("fedavg", Fraction(1, 2), 2, 1) == [1, Fraction(1, 4)]
    assert factors("fedavg-server-m", Fraction(1, 2), 1, 2) == [1, Fraction(1, 2), Fraction(1, 8)]


def test_they_are_different_theorems():
    assert len({one.bound.id for one in ALL}) == 200
    assert len({one.bound.metric for one in ALL}) == 14


@pytest.mark.parametrize("one", ALL, ids=named)
def test_check_calls_none_violated_and_finds_a_hundredth(one):
    """The comparison is exact up to rounding, at any scale."""
    assert asked(one, one.bound).verdict in {"holds", "consistent"}
    assert asked(one, at_share(one, LESS)).verdict == "violated"


@pytest.mark.parametrize("one", [*FEW, *(pytest.param(one, marks=pytest.mark.slow) for one in ALL[6:])], ids=named)
def test_refute_calls_none_violated_and_finds_a_hundredth(one):
    """The search turns scale, distance, centre, floor and tilt; what it finds is confirmed."""
    assert refute(one.bound, problem=one.problem, work=WORK, budget=600).verdict == "not contradicted"
    assert refute(at_share(one, LESS), problem=one.problem, work=WORK, budget=600).verdict == "violated"


def test_a_larger_constant_is_not_found():
    """The control: at 1.01 nothing is violated, so that 0.99 is not found by a tolerance."""
    assert asked(FEW[0], replace(at_share(FEW[0], Rational(101, 100)), id="more")).verdict == "holds"


def test_a_search_that_reached_nothing_says_so():
    """`not applicable` without a reason is no answer: 180 steps are more work than 100."""
    found = refute(theorem("final_distance", "fedavg", Fraction(1, 1000), 3, 60), problem=f"{FILE}:PARABOLA", work=100)
    assert (found.verdict, found.tried, found.refused) == ("not applicable", 0, 0)
    assert "ended before an instance had run" in found.why
