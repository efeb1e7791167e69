"""Theorem 2 of FedGLOMO: its equations are the code's, its claims true on exact runs, its steps needed."""

from dataclasses import replace
from functools import cache

import pytest
from lomo_runs import LOMO_CASES, exact_lomo, symbolic_lomo

from boundcheck.conform.equations.recursion import failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node, read

FILE = load_shipped(PROOFS["fedglomo.theorem2R"])
CLAIMS = claims_of(FILE)
VECTORIAL = [c for c in CLAIMS if "[" in str(c.shows)]


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_of_fedlomo_satisfies_the_equations(K):
    """Two clients, one of them heard in each of two rounds, on symbols."""
    assert failing(FILE, symbolic_lomo(FILE, K)) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("change", "grad(y[t, k + 1]) - grad(y[t, k]) + 2 xi[t, k]"),
        ("next-direction", "4/5 v[t, k] + ch[t, k + 1]"),
        ("local-step", "y[t, k] + eta v[t, k]"),
        ("local-start", "x[0]"),
        ("message", "mean(k) v[t, k] + z[t, K - 1]/K"),
        ("message", "mean(k) v[t, k]"),
        ("server-step", "x[t] - eta K mean(i) taken(A[t], m[t])"),
        ("server-step", "x[t] - eta K mean(i) m[t]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    definitions = dict(FILE.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    wrong = replace(FILE, setting=replace(FILE.setting, definitions=definitions))
    assert failing(wrong, symbolic_lomo(wrong, 2)) != []


@cache
def run_of(case):
    """Return a run whose growth is the least that the claims allow, so that the last ones speak of it."""
    run = exact_lomo(FILE, **LOMO_CASES[case])
    (enough,) = [node for node in claim_of("round").given if "growth" in str(node)]
    run.letters["growth"] = run.number(enough.parts[0], {})
    assert all(run.holds(node, {}) for node in claim_of("round").given)
    return run


def claim_of(name):
    (found,) = [claim for claim in CLAIMS if claim.id == name]
    return found


@pytest.mark.parametrize("case", LOMO_CASES)
def test_no_claim_and_no_leaf_is_false_on_an_exact_run(case):
    """Minibatches, bits and samples are all enumerated; the theorems speak at parameters of their own."""
    run = run_of(case)
    for claim in VECTORIAL:
        if claim.id.startswith("fedglomo"):
            continue
        assert run.failures(claim) == [], claim.id
    for leaf in FILE.setting.leaves.values():
        if not leaf.points:
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


@pytest.mark.parametrize("claim", [c for c in VECTORIAL if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    """The right side divided by a million fails, or less by one where it is a difference."""
    if claim.id.startswith("fedglomo"):
        pytest.skip("at its own parameters only")
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    lower = Node("add", parts=(right, Node("neg", parts=(Node("number", "100"),))))
    shows = Node("relation", "<=", (left, lower if claim.id in {"descent", "round", "gaps"} else small))
    assert any(run_of(case).failures(claim.restate(shows=shows)) for case in LOMO_CASES)
