"""A theorem of one's own is made of formulas that real numbers make finite: others are refused where it is written."""

from dataclasses import replace

import pytest
from sympy import I, Integer, Piecewise, Rational, Sum, Symbol, nan, oo, zoo

from boundcheck.bounds import Bound
from boundcheck.errors import InputError
from boundcheck.notation import symbols

T, L, Delta, ETA, BETA = symbols("T L Delta eta beta")
k = Symbol("k", positive=True)
DESCENT = 2 * L * Delta / T
MINE = Bound(
    id="mine",
    paper="mine",
    title="mine",
    where="here",
    method="sgd",
    terms={"descent": DESCENT},
    needs=("L", "Delta"),
    metric="server_gradient",
    parameters={"eta": 1 / L},
    trivial=2 * L * Delta,
    conditions=(),
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"terms": {"d": oo * L}}, "terms, d = oo is not legal: a formula of finite real numbers"),
        ({"terms": {"d": -oo * L}}, "terms, d = -oo"),
        ({"terms": {"d": Integer(1) / 0 * L}}, "terms, d = zoo"),
        ({"terms": {"d": nan}}, "terms, d = nan"),
        ({"terms": {"d": I * DESCENT}}, "terms, d = 2\\*I"),
        ({"terms": {"d": DESCENT + (L - 2 * L) ** Rational(1, 2)}}, "terms, d = .*I"),
        ({"parameters": {"eta": zoo}}, "parameters, eta = zoo"),
        ({"trivial": oo}, "trivial = oo"),
        ({"terms": {}}, "terms = {} is not legal: at least one"),
        ({"terms": [DESCENT]}, "terms = .* is not legal: formulas by name"),
        ({"parameters": [("eta", 1 / L)]}, "parameters = .* is not legal: formulas by name"),
        ({"parameters": {"eta": ETA}}, "parameters, eta = eta is not legal: .* and free=\\('eta',\\)"),
        ({"parameters": {"eta": 1 / BETA, "beta": 1 / L}}, "parameters, eta = 1/beta .* earlier parameters"),
        ({"terms": {"d": Sum(DESCENT / k**2, (k, 1, 10**9))}}, "at most 1000000 summands"),
        ({"terms": {"d": Sum(DESCENT / k**2, (k, 1, oo))}}, "a formula of finite real numbers"),
    ],
)
def test_what_no_numbers_make_finite_is_refused(change, words):
    with pytest.raises(InputError, match=f"bound mine: .*{words}"):
        replace(MINE, **change)


@pytest.mark.parametrize(
    "formula",
    [Sum(DESCENT / k**2, (k, 1, 100)), Sum(DESCENT / k, (k, 1, T)), Piecewise((DESCENT, T > 3), (L, True)), 3],
)
def test_sums_with_ends_cases_and_numbers_are_formulas(formula):
    """The control."""
    assert replace(MINE, terms={"d": formula}).total is not None
