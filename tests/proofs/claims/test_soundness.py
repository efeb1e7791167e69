"""Goals that must not be called proved, or refuted: each was, before what it breaks was looked at."""

import pytest
import sympy as sp

from boundcheck.errors import InputError
from boundcheck.proofs.provers import (
    AllFrom,
    AllOf,
    AnyOf,
    GramBound,
    OnBox,
    Real,
    independent,
    inner,
    positive,
    square,
    vectors,
    with_replacement,
    without_replacement,
)

x, y, k, N = positive("x y k N")
z, r = sp.symbols("z r", real=True)
a, b = vectors("a b")
TIMEOUT = 5.0
NOTHING = (sp.Ge(x, 2), sp.Le(x, 1))

VACUOUS = {
    "hypotheses that exclude each other": Real(x, y, NOTHING),
    "a hypothesis that is false": Real(x, y, (sp.false,)),
    "a left side that is never defined": Real(sp.sqrt(-1 - z**2) + 5, sp.S.Zero),
    "a domain without a point": GramBound(2 * inner(a, b), square(a) + square(b), NOTHING),
    "a premise that nothing meets": GramBound(sp.Integer(5), square(a), given=((sp.Integer(5), -1 - square(a)),)),
    "a part that is vacuous": AllOf((Real(x, x + 1), Real(x, y, NOTHING))),
}


@pytest.mark.parametrize("name", VACUOUS)
def test_what_has_no_instance_is_vacuous(name):
    """No values meet x >= 2 and x <= 1, -1 - z^2 >= 0, or -1 - |a|^2 >= 0."""
    assert VACUOUS[name].decide(TIMEOUT).verdict == "vacuous"


MET = {
    "a domain with one point": Real(x, sp.Integer(1), (sp.Ge(x, 1), sp.Le(x, 1))),
    "a side defined at one point": Real(sp.sqrt(1 - z**2), sp.S.Zero, (sp.Ge(z, 1),)),
    "a premise between two vectors": GramBound(
        square(a) / 2, square(b), given=((sp.Integer(1), square(b) - square(a)),)
    ),
    "a premise met off the origin": GramBound(sp.Integer(1), square(a), given=((sp.Integer(1), square(a) - 1),)),
}


@pytest.mark.parametrize("name", MET)
def test_what_has_an_instance_stays_proved(name):
    """True statements whose hypotheses have solutions: x = 1; z = 1; a = b; |a| = 1."""
    assert MET[name].decide(TIMEOUT).verdict == "proved"


def test_a_negative_letter_is_negative():
    """With w < 0 declared, w <= 0 holds and -w <= 0 does not; of w != 0 both signs are possible."""
    w = sp.Symbol("w", negative=True)
    assert Real(w, sp.S.Zero).decide(TIMEOUT).verdict == "proved"
    assert Real(-w, sp.S.Zero).decide(TIMEOUT).verdict == "refuted"
    v = sp.Symbol("v", nonpositive=True)
    assert Real(v, sp.S.Zero).decide(TIMEOUT).verdict == "proved"
    u = sp.Symbol("u", real=True, nonzero=True)
    assert Real(sp.S.Zero, u).decide(TIMEOUT).verdict == "refuted"


def test_one_name_has_one_sign():
    """X > 0 and another x without a sign are not the same letter; mixing them is refused by name."""
    other = sp.Symbol("x", real=True)
    with pytest.raises(InputError, match="letter = 'x' is not legal"):
        Real(-other, x).decide(TIMEOUT)


@pytest.mark.parametrize("kind", [AllOf, AnyOf])
def test_no_goals_show_nothing(kind):
    """An empty conjunction or choice is an error, not a proof."""
    with pytest.raises(InputError, match="at least one goal"):
        kind(())


def test_an_index_starts_within_its_sign():
    """At k = -1/2, sqrt(k^2) = 1/2 exceeds k + 1/2 = 0; simplified for k > 0 it would not."""
    with pytest.raises(InputError, match="start = -1/2 is not legal"):
        AllFrom(sp.sqrt(k**2), k + sp.Rational(1, 2), k, sp.Rational(-1, 2))
    assert AllFrom(k, k + 1, k, sp.S.One).decide(TIMEOUT).verdict == "proved"


def test_a_logarithm_of_a_negative_number_settles_nothing():
    """The logarithm is not defined on all of [-1, 1]; on [1/2, 1] it is at most 0."""
    assert OnBox(sp.log(r), sp.Integer(5), {r: (-sp.S.One, sp.S.One)}).decide(TIMEOUT).verdict == "undecided"
    assert OnBox(sp.sqrt(r), sp.Integer(5), {r: (-sp.S.One, sp.S.One)}).decide(TIMEOUT).verdict == "undecided"
    assert OnBox(sp.log(r), sp.Integer(5), {r: (sp.Rational(1, 2), sp.S.One)}).decide(TIMEOUT).verdict == "proved"


def test_draws_have_their_domain():
    """Without replacement 1 <= S <= N; with replacement S may exceed N; a share is in (0, 1]."""
    with pytest.raises(InputError, match="1 <= S <= N"):
        without_replacement(sp.Integer(2), sp.Integer(3))
    with pytest.raises(InputError, match="draw"):
        with_replacement(sp.Integer(2), sp.S.Zero)
    with pytest.raises(InputError, match="draw"):
        independent(sp.Integer(2), sp.Integer(2))
    assert with_replacement(sp.Integer(2), sp.Integer(3)).domain == (sp.true,)
    assert without_replacement(N, x).domain == (sp.Ge(x, 1), sp.Le(x, N))
    assert without_replacement(sp.Integer(1), sp.Integer(1)).cross == 0
