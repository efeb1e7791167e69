"""A ledger that would also prove nearby false statements is worth nothing: every constant is moved a little."""

import pytest
import sympy as sp
from ledger_parts import edited, part
from mutants import mutants

from boundcheck.proofs import CLAIMS, AllOf, AnyOf
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.provers import AllFrom, Expected, Pathwise, Search, frac, positive, signs

TIMEOUT = 1.0


DEAR = ("fedglomo.lemma1-34", "gradma.freeze-squeezed", "gradma.t11", "momentum-fl.lemma12-step")
"""Claims whose neighbours take much longer than those of all others of the part."""
CLOSE = {name: claim for name, claim in CLAIMS.items() if claim.repaired_by is None}
QUICK = [*(name for name in part(CLOSE, 40) if name not in DEAR), "gradma.cascade-smooth"]
"""Claims whose neighbours every test run decides: each has many."""


def check(name):
    """Every part of a claim that can be changed has a false neighbour, and none of these is proved."""
    found = mutants(goal_of(CLOSE[name].goal))
    assert found
    assert [mutant for mutant in found if mutant.decide(TIMEOUT).verdict == "proved"] == []


@pytest.mark.parametrize("name", QUICK)
def test_false_neighbours_are_not_proved(name):
    """A constant moved just past what sampling shows, or a term changed by a hundredth, is never called proved."""
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CLOSE if name not in QUICK])
def test_all_false_neighbours_are_not_proved(name):
    """The same for the rest of the ledger."""
    check(name)


def _line(x, slope=1.0):
    return x, slope * (1 + x) / 2


def _steps(rng, slope=1.0):
    for x in rng.random(20):
        yield x, slope * (1 + x) / 2


def _state(draw):
    return {"x": draw.part()}


def _signs(**_):
    return signs(1)


def _second(s, x, equal=False):
    return (x + s[0]) ** 2, x**2 + 1


SEARCHED = {
    "attack": Search(_line, {"x": (0.0, 1.0)}),
    "pathwise": Pathwise(_steps),
    "expectation": Expected(_state, _signs, _second),
    "expectation, equal": Expected(_state, _signs, _second, equal=True),
}


@pytest.mark.parametrize("name", SEARCHED)
def test_searches_refute_their_tightened_neighbours(name):
    """A hundredth below the largest lhs/rhs met, by another search of the same goal."""
    assert SEARCHED[name].decide(TIMEOUT).verdict == "supported"
    (mutant,) = mutants(SEARCHED[name])
    assert mutant.decide(TIMEOUT).verdict == "refuted"


def searches(goal):
    """Return the searches inside a goal."""
    if isinstance(goal, (AllOf, AnyOf)):
        return [search for part in goal.goals for search in searches(part)]
    return [goal] if isinstance(goal, Search) else []


@pytest.mark.slow
def test_a_slack_of_the_ledger_is_attained():
    """A right side one percent below the largest ratio of a supported claim is broken, and the replay shows it."""
    found = [
        search for claim in CLAIMS.values() if claim.repaired_by is None for search in searches(goal_of(claim.goal))
    ]
    assert found
    for search in found:
        broken = search.tighten(0.99 * search.decide(TIMEOUT).slack).decide(TIMEOUT)
        assert broken.verdict == "refuted"
        exec(broken.replay, {})


def _bernoulli(bound):
    (k,) = positive("k")
    return AllFrom((1 + 2 / k) ** (k - 1), bound, k, sp.S.One)


SHARP = {
    "step condition 3/20": ("fedlalr.term-b6", "3/20", "31/200"),
    "schedule constant 8000": ("fmgda.lemma8-42", "1/(20*", "1/(7999^(1/3)*"),
    "threshold 211/360": ("fmgda.conditions-clash", "211/360", "2931/5000"),
    "sum of two squares": ("fedlalr.term-217", "2*", "199/100*"),
    "beta/6": ("momentum-fl.lemma8-step", "beta/6", "10*beta/59"),
    "beta/12": ("momentum-fl.theorem19-gamma", "beta/12", "10*beta/119"),
    "dual decrease 3/4": ("fmgda.lemma5", "3*c_dual^2*eta/4", "9*c_dual^2*eta/4"),
}
"""A claim, a constant in its statement, and one just beyond the threshold that is computed by hand."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * n.startswith("dual")) for n in SHARP])
def test_sharp_constants_cannot_be_moved(name):
    """The constant of the paper is proved and the other is not."""
    claim, kept, moved = SHARP[name]
    assert edited(claim).decide(TIMEOUT).verdict == "proved"
    assert edited(claim, kept, moved).decide(TIMEOUT).verdict != "proved"


def test_the_budget_of_chat_cannot_be_moved():
    """30 * 17/14400 = 17/480; a step of the root of 18/14400 is too long."""
    assert edited("fmgda.chat-budget-appendix", "17/1440", "17/14400").decide(TIMEOUT).verdict == "proved"
    assert edited("fmgda.chat-budget-appendix", "17/1440", "18/14400").decide(TIMEOUT).verdict != "proved"


def test_the_limit_e_squared_cannot_be_moved():
    """(1 + 2/k)^(k - 1) stays below e^2 = 7.389, and comes above 7.38."""
    assert _bernoulli(sp.exp(2)).decide(TIMEOUT).verdict == "proved"
    assert _bernoulli(frac(738, 100)).decide(TIMEOUT).verdict != "proved"


@pytest.mark.parametrize(
    "name", ["momentum-fl.theorem22-gamma-printed", "momentum-fl.lemma21-printed", "fedlalr.lemma1-restart-printed"]
)
def test_dropping_a_condition_is_noticed(name):
    """Without the condition that the repair adds the step is refuted."""
    assert edited(name).decide(TIMEOUT).verdict == "refuted"
