"""Rules of proofs with cases: vectors of norm zero, one local step or more, hypotheses of leaves; false neighbours."""

import pytest
import sympy

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.proofs.chain.deciding.prover import Prover
from boundcheck.proofs.chain.whole.prescribed import Roots, cases, without_maxima
from boundcheck.proofs.chain.whole.proof import claims_of, decide_file, tree
from boundcheck.proofs.kernel.certificates import check
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.grammar import read_relation
from boundcheck.proofs.search.outcomes import outcomes

PAGE = """
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, c"

[vectors]
"x[t]" = "server, t = 0 .. T"
"z[t]" = "server, t = 0 .. T"
"u[t]" = "server"

[equations]
step = "x[t + 1] = x[t] - u[t]"
other = "z[t + 1] = z[t] - u[t]"

[leaf.start]
says = "|x[0] - z[0]|^2 = 0"

[leaf.small]
says = "|u[t]|^2 <= c for t if c <= 1"

[claim.same]
induction = "t"
base = "start"
steps = "self; step; other"
shows = "|x[t] - z[t]|^2 = 0 for t = 0 .. T"

[claim.used]
steps = "same"
shows = "f(x[t]) + <x[t], u[t]> = f(z[t]) + <z[t], u[t]> for t"

[claim.bounded]
steps = "small"
shows = "|u[t]|^2 <= 2 c for t"
"""


def verdicts(tmp_path, old="", new=""):
    assert old in PAGE
    path = tmp_path / "mine.toml"
    path.write_text(PAGE.replace(old, new), encoding="utf-8")
    return {one["id"]: (one["verdict"], one["inherited"]) for one in outcomes(path)}


def test_a_vector_of_norm_zero_is_zero(tmp_path):
    """What holds of x holds of z, inside of f as well; a leaf under a hypothesis hands it on."""
    assert verdicts(tmp_path) == {
        "same": ("proved", []),
        "used": ("proved", []),
        "bounded": ("conditional", ["c <= 1"]),
    }


def test_the_checker_takes_equalities_from_equalities(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(PAGE, encoding="utf-8")
    made = [certificate for one in outcomes(path) for certificate in one["certificate"]]
    assert [one["id"] for one in made] == ["same/1", "same/2", "used", "bounded"]
    for certificate in made:
        check(certificate, {})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('shows = "|x[t] - z[t]|^2 = 0', 'shows = "|x[t] - z[t]|^2 <= 0'),
        ('shows = "|x[t] - z[t]|^2 = 0', 'shows = "|x[t] - 2 z[t]|^2 = 0'),
        ('steps = "same"', 'steps = "same : 1"'),
        ('steps = "same"', 'steps = "same(t -> t + 1)"'),
        ('steps = "same"', ""),
        ("= f(z[t]) + <z[t], u[t]>", "= f(z[t]) + <z[t + 1], u[t]>"),
    ],
)
def test_its_false_neighbours_are_not_proved(tmp_path, old, new):
    """Nobody looks for a witness here: that takes most of the time of an answer that is not a proof."""
    assert old in PAGE
    path = tmp_path / "mine.toml"
    path.write_text(PAGE.replace(old, new), encoding="utf-8")
    assert not decide_file(load(path)).found["used"].proved


def test_a_given_hypothesis_is_not_inherited(tmp_path):
    found = verdicts(tmp_path, "|^2 <= 2 c for t", "|^2 <= 2 c for t if c <= 1/2")
    assert found["bounded"] == ("proved", [])


WHOLE = """
indices = "k = 0 .. K - 1"

[letters]
"> 0" = "K"
">= 0" = "c"

[claim.one]
shows = "0 <= c if K = 1"

[claim.more]
shows = "c <= c (K - 1) if K >= 2"
"""


def decided_in_cases(tmp_path, first="one", second="more", shows="c <= c (K - 1) + c", given=("K = 1", "K >= 2")):
    from dataclasses import replace

    from boundcheck.proofs.language.steps import Step

    path = tmp_path / "mine.toml"
    path.write_text(WHOLE, encoding="utf-8")
    file = load(path)
    prover = Prover(file.setting)
    claims = claims_of(file)
    prover.decide_all(claims)
    split = tuple((read_relation(text),) for text in given)
    base, steps = (Step(first),), (Step(second),)
    top = replace(
        claims[0].restate(shows=read_relation(shows), given=(), cases=split), id="top", base=base, steps=steps
    )
    return prover.decide(top)


def test_one_local_step_or_at_least_two(tmp_path):
    found = decided_in_cases(tmp_path)
    assert (found.proved, found.inherited, "whole" in found.rules) == (True, (), True)


def test_a_case_that_fails_fells_the_claim(tmp_path):
    assert not decided_in_cases(tmp_path, shows="c <= c (K - 1)").proved


def test_steps_of_the_other_case_hand_their_hypotheses_on(tmp_path):
    found = decided_in_cases(tmp_path, first="more")
    assert not found.proved or found.inherited


def test_a_maximum_goes_only_where_one_argument_is_the_largest():
    N, K = sympy.symbols("N K", positive=True)
    half = sympy.Rational(3, 2)
    assert without_maxima(sympy.Max(half, 8 * K * N**2)) == 8 * K * N**2
    rooted = 8 * K ** sympy.Rational(9, 2) * N**2
    assert without_maxima(sympy.Max(half, rooted)) == rooted
    assert without_maxima(sympy.Max(9, rooted)) == sympy.Max(9, rooted)
    for kept in (sympy.Max(half, K * N), sympy.Max(K, N), sympy.Max(half, 8 * K / N), sympy.Max(9, 8 * K)):
        assert without_maxima(kept) == kept


def test_pieces_other_than_one_step_and_the_rest_are_refused():
    from dataclasses import replace

    bound = BOUNDS["fmgda.corollary1R"]
    K = next(symbol for symbol in bound.parameters["rho"].free_symbols if symbol.name == "K")
    wrong = sympy.Piecewise((0, K < 3), (K, True))
    with pytest.raises(NotApplicableError, match="rho"):
        cases(replace(bound, parameters={**bound.parameters, "rho": wrong}), Roots(("C", "ratio")), lambda e: e)


@pytest.mark.xdist_group("proofs")
def test_the_shipped_cases_are_those_of_the_bound():
    top = tree("fmgda.corollary1R").top
    assert [str(case[0]) for case in top.claim.cases] == ["K = 1", "K >= 2"]
    assert {"whole", "zero", "instance"} <= set(tree("fmgda.corollary1R").rules)


def test_a_claim_at_values_needs_its_one_step(tmp_path):
    with pytest.raises(InputError):
        decided_in_cases(tmp_path, first="nothing")
