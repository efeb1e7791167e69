"""A ledger that would also prove nearby false statements is worth nothing: constants and signs are perturbed."""

from functools import partial

import pytest
import sympy as sp

from boundcheck.lemmas import (
    CLAIMS,
    AllOf,
    fedlalr,
    fedlalr_theorem,
    fmgda,
    fmgda_conditions,
    fmgda_dual,
    momentum_fl,
    momentum_fl_sampled,
)
from boundcheck.lemmas.provers import AllFrom, GramBound, Identity, OnBox, Real, frac, positive, square, vectors
from boundcheck.lemmas.provers.hilbert import names_of
from boundcheck.notation import symbols

TIMEOUT = 3.0
GRAIN = frac(1, 100)


def mutate(goal):
    """Return the goals inside `goal`, each turned into a false neighbour."""
    if isinstance(goal, AllOf):
        return [mutant for part in goal.goals for mutant in mutate(part)]
    if isinstance(goal, Identity):
        return [Identity(goal.lhs, goal.rhs * (1 + GRAIN) + GRAIN, goal.where, goal.mean)]
    if isinstance(goal, Real):
        return [Real(goal.rhs + GRAIN, goal.lhs, goal.given)]
    if isinstance(goal, GramBound):
        excess = sum(square(v) for v in vectors(" ".join(names_of(goal.lhs, goal.rhs))))
        return [GramBound(goal.lhs + 1000 * excess, goal.rhs, goal.domain, goal.given)]
    if isinstance(goal, AllFrom):
        return [AllFrom(goal.rhs, goal.lhs, goal.variable, goal.start)]
    if isinstance(goal, OnBox):
        return [OnBox(goal.rhs, goal.lhs, goal.box)]
    return []


@pytest.mark.parametrize("name", [claim.id for claim in CLAIMS.values() if claim.repaired_by is None])
def test_false_neighbours_are_not_proved(name):
    """Reversed inequalities and rescaled identities are never called proved."""
    for mutant in mutate(CLAIMS[name].goal()):
        assert mutant.decide(TIMEOUT).verdict != "proved"


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
