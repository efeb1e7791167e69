"""Two hundred theorems that are true with equality: none is called violated, and each is at 0.99 of its constant."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from attacks import ATTACKED, leave_out_attacks
from equalities import FILE, at_share, equalities, factors, theorem
from sympy import Rational
from turns import case_of

from boundcheck.evidence.checks.check import check
from boundcheck.evidence.search.refute import refute
from boundcheck.problems import load_problem

COUNT, FEW = 200, 6
LESS = Rational(99, 100)
WORK = 6_000


@cache
def theorems():
    return equalities(COUNT)


def asked(one, bound):
    return check(bound, load_problem(one.problem, N=one.N), K=one.K, T=one.T)


def test_factors_by_hand():
    """Half a step halves the distance; two local steps are two; with momentum 1/4 the second round goes further."""
    assert factors("sgd", Fraction(1, 2), 1, 2) == [1, Fraction(1, 2), Fraction(1, 4)]
    assert factors("fedavg", Fraction(1, 2), 2, 1) == [1, Fraction(1, 4)]
    assert factors("fedavg-server-m", Fraction(1, 2), 1, 2) == [1, Fraction(1, 2), Fraction(1, 8)]


def test_they_are_different_theorems():
    assert len({one.bound.id for one in theorems()}) == COUNT
    assert len({one.bound.metric for one in theorems()}) == 14


@pytest.mark.parametrize("number", range(COUNT))
def test_check_calls_none_violated_and_finds_a_hundredth(number, monkeypatch):
    """The comparison is exact up to rounding, at any scale."""
    one = theorems()[number]
    if number % ATTACKED:
        leave_out_attacks(monkeypatch)
    assert asked(one, one.bound).verdict in {"holds", "consistent"}, one.bound.id
    assert asked(one, at_share(one, LESS)).verdict == "violated", one.bound.id


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number in range(COUNT) if number % ATTACKED])
def test_an_attack_on_the_constants_takes_no_violation_back(number):
    one = theorems()[number]
    assert asked(one, at_share(one, LESS)).verdict == "violated", one.bound.id


@pytest.mark.parametrize("number", [case_of(number, slow=number >= FEW) for number in range(COUNT)])
def test_refute_calls_none_violated_and_finds_a_hundredth(number):
    """The search turns scale, distance, centre, floor and tilt; what it finds is confirmed."""
    one = theorems()[number]
    true, false = (refute(b, problem=one.problem, work=WORK, budget=600) for b in (one.bound, at_share(one, LESS)))
    assert true.verdict == "not contradicted", one.bound.id
    assert false.verdict == "violated", one.bound.id


def test_a_larger_constant_is_not_found():
    """The control: at 1.01 nothing is violated, so that 0.99 is not found by a tolerance."""
    first = theorems()[0]
    assert asked(first, replace(at_share(first, Rational(101, 100)), id="more")).verdict == "holds"


def test_a_search_that_reached_nothing_says_so():
    """`not applicable` without a reason is no answer: 180 steps are more work than 100."""
    found = refute(theorem("final_distance", "fedavg", Fraction(1, 1000), 3, 60), problem=f"{FILE}:PARABOLA", work=100)
    assert (found.verdict, found.tried, found.refused) == ("not applicable", 0, 0)
    assert "ended before an instance had run" in found.why
