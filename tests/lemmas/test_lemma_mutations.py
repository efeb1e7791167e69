"""A ledger that would also prove nearby false statements is worth nothing: every constant is moved a little."""

from functools import partial

import pytest
import sympy as sp
from ledger_parts import part
from mutants import mutants

from boundcheck.lemmas import CLAIMS, AllOf, AnyOf
from boundcheck.lemmas.fedlalr import basics as fedlalr
from boundcheck.lemmas.fedlalr import theorem as fedlalr_theorem
from boundcheck.lemmas.fmgda import basics as fmgda
from boundcheck.lemmas.fmgda import conditions as fmgda_conditions
from boundcheck.lemmas.fmgda import dual as fmgda_dual
from boundcheck.lemmas.momentum_fl import basics as momentum_fl
from boundcheck.lemmas.momentum_fl import sampled as momentum_fl_sampled
from boundcheck.lemmas.provers import AllFrom, Expected, Pathwise, Search, frac, positive, signs
from boundcheck.notation import symbols

TIMEOUT = 1.0


CLOSE = {name: claim for name, claim in CLAIMS.items() if claim.repaired_by is None}
QUICK = part(CLOSE, 20)
"""Claims whose neighbours every test run decides: each has many."""


def check(name):
    """Every part of a claim that can be changed has a false neighbour, and none of these is proved."""
    found = mutants(CLOSE[name].goal())
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
    found = [search for claim in CLAIMS.values() if claim.repaired_by is None for search in searches(claim.goal())]
    assert found
    for search in found:
        broken = search.tightened(0.99 * search.decide(TIMEOUT).slack).decide(TIMEOUT)
        assert broken.verdict == "refuted"
        exec(broken.replay, {})


def _lemma5(drop, *, scale=1):
    c, eta = symbols("c_dual eta")
    return fmgda_dual._final(scale * c * eta, drop * c**2 * eta, c, fmgda_dual._step_domain())


def _bernoulli(bound):
    (k,) = positive("k")
    return AllFrom((1 + 2 / k) ** (k - 1), bound, k, sp.S.One)


beta, N, K = symbols("beta N K")
SHARP = {
    "step condition 3/20": (fedlalr_theorem._discard, ("3/20",), ("31/200",)),
    "schedule constant 8000": (fmgda._block_growth, (8000,), (7999,)),
    "threshold 211/360": (fmgda_conditions._clash, ("211/360",), ("0.5862",)),
    "chat budget 17/480": (fmgda_conditions._chat_budget, (17, 14400, 17), (18, 14400, 17)),
    "sum of two squares": (lambda n: fedlalr._sum_of_squares(count=n), (2,), (frac(199, 100),)),
    "beta/6": (momentum_fl.absorb, (4, beta / 6), (4, beta / frac(59, 10))),
    "beta/12": (momentum_fl.absorb, (16, beta / 12), (16, beta / frac(119, 10))),
    "limit e^2": (_bernoulli, (sp.exp(2),), (frac(738, 100),)),
    "dual decrease 3/4": (_lemma5, (frac(3, 4),), (frac(9, 4),)),
}


@pytest.mark.parametrize("name", SHARP)
def test_sharp_constants_cannot_be_moved(name):
    """The constant of the paper is proved and one just beyond the threshold computed by hand is not."""
    build, kept, moved = SHARP[name]
    assert build(*kept).decide(TIMEOUT).verdict == "proved"
    assert build(*moved).decide(TIMEOUT).verdict != "proved"


@pytest.mark.parametrize(
    "goal",
    [
        partial(momentum_fl_sampled._absorb_sampled, printed=True),
        partial(momentum_fl_sampled._stale_vr, stated=False),
        partial(fedlalr._restarted, corrected=False),
    ],
)
def test_dropping_a_condition_is_noticed(goal):
    """Without the condition that the repair adds the step is refuted."""
    assert goal().decide(TIMEOUT).verdict == "refuted"
