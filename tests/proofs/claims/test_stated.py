"""Statements as text: what a line spells is what is decided, and what is not legal is named."""

import re

import pytest
from together import together

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.notation import symbols
from boundcheck.proofs import CLAIMS
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.stated import TextStatement, text_statement
from boundcheck.proofs.ledger.cache import content_of
from boundcheck.proofs.provers import (
    AllFrom,
    AllOf,
    Expected,
    Feasible,
    GramBound,
    Identity,
    Infeasible,
    OnBox,
    Pathwise,
    Real,
    Search,
    clients,
    expect,
    mean,
    noise,
    positive,
    sampled_mean,
    square,
    vectors,
    without_replacement,
)

N, S, L, eta, sigma = symbols("N S L eta sigma")
(x,) = positive("x")
u, v = vectors("u v")
(g,) = clients("g")
A = without_replacement(N, S)
E = noise("e", N)
(e,) = E.vectors

SPELT = [
    (text_statement("4*x^2 <= x", given=("x <= 1/4",), letters=("x > 0",)), Real(4 * x**2, x, (x <= 1 / (4 + 0 * x),))),
    (text_statement("(eta - 1)^2 = eta^2 - 2*eta + 1"), Identity((eta - 1) ** 2, eta**2 - 2 * eta + 1)),
    (
        text_statement("2*<u, v> <= x*|u|^2 + |v|^2/x", letters=("x > 0", "vectors u, v")),
        GramBound(square(u + v) - square(u) - square(v), x * square(u) + square(v) / x),
    ),
    (
        text_statement("|u|^2 <= eta^2 if 0 <= eta^2 - |u|^2 : 1", letters=("vectors u",)),
        GramBound(square(u), eta**2, (), ((1 + 0 * x, eta**2 - square(u)),)),
    ),
    (
        text_statement("E(|mean(e)|^2) = E(|e|^2)/N", letters=("noise e over N",)),
        Identity(expect(square(mean(e)), E), expect(square(e), E) / N, domain=E.domain),
    ),
    (
        text_statement(
            "E(|sampled(g, A) - mean(g)|^2) <= |g|^2/S if S <= N", letters=("families g", "draw A of S from N")
        ),
        GramBound(expect(square(sampled_mean(g, A) - mean(g)), A), square(g) / S, (S <= N,), laws=(S >= 1, N >= 1)),
    ),
    (text_statement("never x < 1, x > 2", letters=("x > 0",)), Infeasible((x < 1, x > 2))),
    (text_statement("possible x < 2, x > 1", letters=("x > 0",)), Feasible((x < 2, x > 1))),
    (text_statement("x <= x^2 for x >= 1", letters=("x > 0",)), AllFrom(x, x**2, x, 1 + 0 * x)),
    (
        text_statement("x^2 < 2*x for x in [1/2, 1]", letters=("x > 0",)),
        OnBox(x**2, 2 * x, {x: (x / (2 * x), 1 + 0 * x)}),
    ),
]


@pytest.mark.parametrize(("statement", "goal"), SPELT, ids=lambda one: getattr(one, "shows", ("",))[0])
def test_a_line_spells_the_goal_that_is_written_in_python(statement, goal):
    assert content_of(goal_of(statement)) == content_of(goal)


def test_a_chain_is_a_goal_for_each_relation_and_all_know_what_is_given():
    found = goal_of(text_statement("x*x = x^2 <= x if x <= 1", "x >= 0", given=("x <= 2",), letters=("x > 0",)))
    known = (x <= 2, x <= 1)
    assert found == AllOf((Identity(x**2, x**2, domain=known), Real(x**2, x, known), Real(0 * x, x, (x <= 2,))))


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        # Young's inequality holds with weights whose product is 1 and no smaller one.
        (text_statement("2*<u, v> <= x*|u|^2 + |v|^2/x", letters=("x > 0", "vectors u, v")), "proved"),
        (text_statement("2*<u, v> <= x*|u|^2 + |v|^2/(2*x)", letters=("x > 0", "vectors u, v")), "refuted"),
        # The mean over S of N is off by (N - S)/(S (N - 1)) of the spread.
        (
            text_statement(
                "E(|sampled(g, A) - mean(g)|^2) = (N - S)/(S*(N - 1))*|deviation(g)|^2",
                given=("N >= 2",),
                letters=("families g", "draw A of S from N"),
            ),
            "proved",
        ),
        # At N = 1 what stands there is 0/0.
        (
            text_statement(
                "E(|sampled(g, A) - mean(g)|^2) = (N - S)/(S*(N - 1))*|deviation(g)|^2",
                letters=("families g", "draw A of S from N"),
            ),
            "undecided",
        ),
        (
            text_statement(
                "E(|sampled(g, A) - mean(g)|^2) = |deviation(g)|^2/S",
                letters=("families g", "draw A of S from N"),
            ),
            "refuted",
        ),
        (
            text_statement(
                "E(|sampled(g, A) - mean(g)|^2) = |deviation(g)|^2/S",
                letters=("families g", "draw A of S from N with replacement"),
            ),
            "proved",
        ),
        # Independent noises average out; one noise does not.
        (text_statement("E(|mean(e)|^2) <= sigma^2/N", letters=("noise e over N of sigma^2",)), "proved"),
        (text_statement("E(|e|^2) <= sigma^2/N", letters=("noise e over N of sigma^2",)), "refuted"),
        # What is known of one noise, with the multiplier that its average wants.
        (
            text_statement("E(|mean(e)|^2) <= x/N if 0 <= x - E(|e|^2) : 1/N", letters=("x > 0", "noise e over N")),
            "proved",
        ),
        (
            text_statement("E(|mean(e)|^2) <= x/N if 0 <= 2*x - E(|e|^2) : 1/N", letters=("x > 0", "noise e over N")),
            "undecided",
        ),
        (text_statement("never x < 1, x > 1/2", letters=("x > 0",)), "refuted"),
        (text_statement("eta <= 1", given=("eta <= 2",)), "refuted"),
        (text_statement("eta <= 1", given=("eta <= 2", "eta >= 3")), "vacuous"),
        (text_statement("log(x) <= x - 1 for x >= 1", letters=("x > 0",)), "proved"),
        (text_statement("log(x) <= x - 2 for x >= 1", letters=("x > 0",)), "refuted"),
    ],
    ids=lambda one: getattr(one, "shows", ("",))[0],
)
def test_verdicts(statement, verdict):
    assert goal_of(statement).decide(10).verdict == verdict


@pytest.mark.parametrize(
    ("statement", "error", "says"),
    [
        (text_statement("eta < 1"), InputError, "line = 'eta < 1' is not legal"),
        (text_statement("eta"), InputError, "line = 'eta' is not legal"),
        (text_statement("eta <= nothing"), UnknownNameError, "nothing"),
        (
            text_statement("eta <= 1 +"),
            InputError,
            r"line = 'eta <= 1 \+' is not legal: a name was expected where the end",
        ),
        (text_statement("open(1) <= 1"), InputError, r"expression = 'open\(1\)' is not legal"),
        (text_statement("u <= 1", letters=("vectors u",)), InputError, "it is a vector"),
        (text_statement("<u, 2> <= 1", letters=("vectors u",)), InputError, "numbers and vectors are mixed up"),
        (
            text_statement("E(|e|^2, B) <= 1", letters=("noise e",)),
            InputError,
            "law = 'B' is not legal: declared are e",
        ),
        (text_statement("x <= 1", letters=("x < 0",)), InputError, "letters = 'x < 0' is not legal"),
        (text_statement("x <= 1", letters=("x > 0", "vectors x")), InputError, "it is declared twice"),
        (text_statement("eta <= 1", given=("eta",)), InputError, "line = 'eta' is not legal"),
    ],
    ids=lambda one: getattr(one, "shows", ("",))[0] if isinstance(one, TextStatement) else "",
)
def test_what_is_not_legal_is_named(statement, error, says):
    with pytest.raises(error, match=says):
        goal_of(statement)


def _leaves(goal):
    return [leaf for one in goal.goals for leaf in _leaves(one)] if isinstance(goal, AllOf) else [goal]


def test_the_ledger_is_stated_as_text_but_for_searches_and_enumerations():
    """No claim is a formula here and a Python goal there."""
    python = {name: claim for name, claim in CLAIMS.items() if not isinstance(claim.goal, TextStatement)}
    searched = {
        name
        for name, claim in python.items()
        if any(isinstance(leaf, (Search, Expected, Pathwise)) for leaf in _leaves(goal_of(claim.goal)))
    }
    assert set(python) == searched


@together([name for name, claim in CLAIMS.items() if isinstance(claim.goal, TextStatement)])
def test_every_letter_that_is_declared_is_used(name):
    statement = CLAIMS[name].goal
    lines = " ".join((*statement.shows, *statement.given))
    assert all(re.search(rf"\b{letter}\b", lines) for letter in statement.names)
