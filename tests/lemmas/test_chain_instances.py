"""Every claim of the shipped proofs is true along exact runs of the method, all outcomes of the noise enumerated."""

from dataclasses import replace
from fractions import Fraction

import pytest
from chain_runs import CASES, quadratic_run

from boundcheck.lemmas.chain.files import HERE, load
from boundcheck.lemmas.chain.grammar import Node
from boundcheck.lemmas.chain.proof import PROOFS, claims_of

FILE = load(HERE / PROOFS["momentum-fl.theorem11"])
RATE = "momentum-fl.theorem11-rate"
"""The claim at the prescribed parameters."""
SGD = load(HERE / PROOFS["example.sgd"])


@pytest.mark.parametrize("case", CASES)
def test_no_claim_of_theorem11_is_false_on_an_exact_run(case):
    """Both sides are computed from the recorded iterates in fractions; what is given holds at these parameters."""
    run = quadratic_run(FILE, **CASES[case])
    for claim in claims_of(FILE):
        if claim.id != RATE or case == "prescribed parameters":
            assert all(run.holds(node, {}) for node in claim.given), claim.id
        assert run.failures(claim) == [], claim.id


def test_no_claim_of_the_example_is_false_on_an_exact_run():
    hyper = {"eta": Fraction(1, 2)}
    run = quadratic_run(
        SGD, K=1, T=3, curvature=(Fraction(1), Fraction(0)), tilt=(Fraction(1), Fraction(-1)), noise=Fraction(1),
        hyper=hyper, b=Fraction(4),
    )  # fmt: skip
    for claim in SGD.claims:
        assert run.failures(claim) == [], claim.id


@pytest.mark.parametrize("claim", [c for c in FILE.claims if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    """The right side divided by a million fails on some run: the evaluation is not vacuous."""
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    false = replace(claim, shows=Node("relation", "<=", (left, small)))
    for case in CASES:
        if quadratic_run(FILE, **CASES[case]).failures(false):
            return
    pytest.fail("no run sees it")
