"""Theorem 3 and Lemma 13 of FedGLOMO: the equations are the code's, no claim is false on exact runs."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from chain_runs import quadratic_run

from boundcheck.conform.equations.recursion import unmet
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node, read

FILE = load_shipped(PROOFS["fedglomo.theorem3R"])
CLAIMS = [c for c in claims_of(FILE) if "[" in str(c.shows) and c.id != "fedglomo.theorem3R"]
LEMMA = "fedglomo.lemma13R"
HALF = Fraction(1, 2)


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_of_fedavg_satisfies_the_equations(K):
    assert unmet(FILE, K) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("local-step", "y[t, k] - eta grad(y[t, k])"),
        ("local-start", "x[0]"),
        ("message", "mean(k) grad(y[t, k])"),
        ("server-step", "x[t] - eta K mean(i) taken(A[t], m[t])"),
        ("server-step", "x[t] - eta K mean(i) m[t]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    definitions = dict(FILE.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    assert unmet(replace(FILE, setting=replace(FILE.setting, definitions=definitions)), 2) != []


RUNS = {
    "one of two": {
        "K": 2, "T": 1, "S": 1, "curvature": (1, HALF), "tilt": (1, -1), "noise": HALF, "eta": Fraction(1, 8),
    },
    "one of two, two rounds": {
        "K": 1, "T": 2, "S": 1, "curvature": (1, HALF), "tilt": (2, -2), "noise": 3, "eta": Fraction(1, 4),
    },
    "two of three": {
        "K": 2, "T": 2, "S": 2, "curvature": (1, 1, 2), "tilt": (5, -3, 0), "noise": 0, "eta": Fraction(1, 16),
    },
    "one client, large noise": {
        "K": 3, "T": 2, "S": None, "curvature": (1,), "tilt": (1,), "noise": 5, "eta": Fraction(1, 12),
    },
    "all of two, two rounds": {
        "K": 1, "T": 2, "S": None, "curvature": (1, 2), "tilt": (9, -8), "noise": 1, "eta": Fraction(1, 8),
    },
}  # fmt: skip
"""Runs with eta L K at most 1/4; alpha = N always serves."""


@cache
def run_of(case):
    """Return a run whose growth is the least that the claims allow; f_low is the mean of the infima."""
    values = dict(RUNS[case])
    a, c, eta = (tuple(map(Fraction, values["curvature"])), tuple(map(Fraction, values["tilt"])), values.pop("eta"))
    N, S = len(a), values["S"] or len(a)
    low = -sum(y * y / (2 * x) for x, y in zip(a, c, strict=True)) / N
    spread, path = Fraction(N - S, S * max(N - 1, 1)), eta * max(a) * values["K"]
    start = sum(a) / N / 2 + sum(c) / N
    hyper = {
        "eta": eta, "alpha": Fraction(N), "spread": spread, "f_low": low, "Delta_mean": start - low,
        "growth": 2 * path**2 * (Fraction(8, 3) * spread + Fraction(8, 9) * path),
    }  # fmt: skip
    assert 4 * path <= 1
    return quadratic_run(FILE, **{**values, "curvature": a, "tilt": c, "noise": Fraction(values["noise"])}, hyper=hyper)


def speaks(claim, case):
    return claim.id != LEMMA or RUNS[case]["T"] == 2


@pytest.mark.parametrize("case", RUNS)
def test_no_claim_and_no_leaf_is_false_on_an_exact_run(case):
    """All outcomes of noise and samples; Lemma 13 itself speaks of two rounds, of which one is run."""
    run = run_of(case)
    for claim in CLAIMS:
        if speaks(claim, case):
            assert all(run.holds(node, {}) for node in claim.given), claim.id
            assert run.failures(claim) == [], claim.id
    for leaf in FILE.setting.leaves.values():
        if not leaf.points:
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    """The right side divided by a million fails, or less by a hundred where it is a difference."""
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    lower = Node("add", parts=(right, Node("neg", parts=(Node("number", "100"),))))
    shows = Node("relation", "<=", (left, lower if claim.id in {"round", "grown", "gaps"} else small))
    assert any(run_of(case).failures(claim.restate(shows=shows)) for case in RUNS if speaks(claim, case))


def test_the_metric_of_the_lemma_is_the_mean_of_two_values():
    (lemma,) = [c for c in CLAIMS if c.id == LEMMA]
    assert str(lemma.shows.parts[0]) == "(f(x[0]) + f(x[1]))/2 - f_star"
