"""Theorem 1 of FedGLOMO: its equations are the code's, its claims true on exact runs."""

from dataclasses import replace
from functools import cache

import pytest
from glomo_runs import GLOMO_CASES, exact_glomo, symbolic_glomo

from boundcheck.conform.equations.recursion import failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node, read

FILE = load_shipped(PROOFS["fedglomo.theorem1R"])
CLAIMS = claims_of(FILE)
RATES = ("fedglomo.", "rate", "sharp-rate")
VECTORIAL = [c for c in CLAIMS if "[" in str(c.shows) and not c.id.startswith(RATES)]
"""Claims about vectors; the last ones speak at parameters of their own."""


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_of_fedglomo_satisfies_the_equations(K):
    """Two clients, one of them heard in each of two rounds after an exact one, on symbols."""
    assert failing(FILE, symbolic_glomo(FILE, K)) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("old-start", "x[t]"),
        ("old-change", "grad(h[t, k + 1]) - grad(h[t, k]) + xi[t, k]"),
        ("old-step", "h[t, k] + eta vh[t, k]"),
        ("message", "w[t] + z[t, K - 1]/K"),
        ("difference", "w[t] + wh[t] + zd[t, K - 1]/(eta K)"),
        ("first-momentum", "mean(i) (mean(k) grad(s[0, k]))"),
        ("exact-step", "s[t, j] + eta grad(s[t, j])"),
        ("momentum", "beta mean(i) m[t + 1] + (1 - beta) (u[t] + N/S mean(i) taken(A[t + 1], dm[t + 1]))"),
        ("momentum", "beta (N/S mean(i) taken(A[t + 1], m[t + 1])) + (1 - beta) u[t]"),
        ("server-step", "x[t] - eta u[t]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    definitions = dict(FILE.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    wrong = replace(FILE, setting=replace(FILE.setting, definitions=definitions))
    assert failing(wrong, symbolic_glomo(wrong, 2)) != []


@cache
def run_of(case):
    return exact_glomo(FILE, **GLOMO_CASES[case])


@pytest.mark.parametrize("case", GLOMO_CASES)
def test_no_claim_and_no_leaf_is_false_on_an_exact_run(case):
    """Minibatches, bits and samples are all enumerated."""
    run = run_of(case)
    for claim in VECTORIAL:
        assert run.failures(claim) == [], claim.id
    for leaf in FILE.setting.leaves.values():
        if not leaf.points:
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


def test_what_the_explicit_form_takes_as_given_holds_on_some_run():
    (output,) = [claim for claim in CLAIMS if claim.id == "output"]
    assert any(all(run_of(case).holds(node, {}) for node in output.given) for case in GLOMO_CASES)


SIGNS = {"descent", "potential-step", "potential-first", "gaps", "three"}
"""Claims whose right side is a difference, or a sign."""


@pytest.mark.parametrize("claim", [c for c in VECTORIAL if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    """The right side divided by a million fails, or less by one where it is a difference."""
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    lower = Node("add", parts=(right, Node("neg", parts=(Node("number", "100"),))))
    shows = Node("relation", "<=", (left, lower if claim.id in SIGNS else small))
    assert any(run_of(case).failures(claim.restate(shows=shows, given=())) for case in GLOMO_CASES)
