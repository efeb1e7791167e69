"""Every claim of the shipped proofs is true along exact runs, all outcomes of noise and samples enumerated."""

from fractions import Fraction
from functools import cache

import pytest
from chain_runs import CASES, SAMPLED_CASES, VR_CASES, quadratic_run
from turns import case_of

from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node

EVERYONE = {name: {**case, "S": None} for name, case in VR_CASES.items()}
THEOREMS = {
    "momentum-fl.theorem11": CASES,
    "momentum-fl.theorem15": EVERYONE,
    "momentum-fl.theorem19": SAMPLED_CASES,
    "momentum-fl.theorem22": VR_CASES,
}
"""Each proof with the runs on which its claims are evaluated."""
RATES = ("momentum-fl.theorem11-rate",)
"""Claims at the prescribed parameters."""
LONG = {("momentum-fl.theorem11", "no momentum, large noise"), ("momentum-fl.theorem15", "both ways")}
"""Runs of as many lanes as others that every test run takes."""
RUNS = [case_of((name, case), slow=(name, case) in LONG) for name, cases in THEOREMS.items() for case in cases]


@cache
def file_of(name):
    return load_shipped(PROOFS[name])


@cache
def run_of(name, case):
    return quadratic_run(file_of(name), **THEOREMS[name][case])


def explicit(name):
    """Return the claims below a theorem's explicit form; of Theorem 11 those of its rate as well, which have a run."""
    claims = {claim.id: claim for claim in claims_of(file_of(name))}
    ends = [end for end in (name, f"{name}-alt", *RATES) if end in claims]
    found, left = {}, list(ends)
    while left:
        one = left.pop()
        if one in claims and one not in found:
            found[one] = claims[one]
            left += [step.id for step in (*claims[one].base, *claims[one].steps)]
    return [claim for claim in claims.values() if claim.id in found]


@pytest.mark.parametrize(("name", "case"), RUNS)
def test_no_claim_of_a_theorem_is_false_on_an_exact_run(name, case):
    """Both sides are computed from the recorded iterates in fractions; what is given holds at these parameters."""
    run = run_of(name, case)
    for claim in explicit(name):
        if claim.id not in RATES or case == "prescribed parameters":
            assert all(run.holds(node, {}) for node in claim.given), claim.id
        assert run.failures(claim) == [], claim.id


@pytest.mark.parametrize(("name", "case"), RUNS)
def test_what_is_assumed_at_every_index_holds_on_an_exact_run(name, case):
    """Leaves about points are properties of the problem; those about the noise are checked along the run."""
    run = run_of(name, case)
    for leaf in file_of(name).setting.leaves.values():
        if not leaf.points:
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


def test_no_claim_of_the_example_is_false_on_an_exact_run():
    sgd, hyper = file_of("example.sgd"), {"eta": Fraction(1, 2)}
    run = quadratic_run(
        sgd, K=1, T=3, curvature=(Fraction(1), Fraction(0)), tilt=(Fraction(1), Fraction(-1)), noise=Fraction(1),
        hyper=hyper, b=Fraction(4),
    )  # fmt: skip
    for claim in sgd.claims:
        assert run.failures(claim) == [], claim.id


@pytest.mark.parametrize(
    ("name", "claim"),
    [(name, c) for name in THEOREMS for c in explicit(name) if c.shows.name == "<=" and "[" in str(c.shows)],
    ids=lambda x: getattr(x, "id", x),
)
def test_a_false_claim_is_seen_on_some_run(name, claim):
    """The right side divided by a million fails on some run: the evaluation is not vacuous."""
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    false = claim.restate(shows=Node("relation", "<=", (left, small)))
    assert any(run_of(name, case).failures(false) for case in sorted(THEOREMS[name], key=lambda c: (name, c) in LONG))
