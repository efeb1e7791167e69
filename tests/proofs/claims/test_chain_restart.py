"""FedLALR with restarted momentum, Corollary 2 repaired: proved by coordinates; it holds along enumerated runs."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from adaptive_runs import RESTART_CASES, false_claims, false_leaves, near, restart_run, survivors

from boundcheck.bounds import BOUNDS
from boundcheck.conform.equations.recursion import GradientRecorder, failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, decide_shipped, load_shipped
from boundcheck.proofs.chain.whole.slack import bound_holds
from boundcheck.proofs.language.grammar import Node, read
from boundcheck.proofs.search.accepted import load_accepted

NAME = "fedlalr.corollary2R"
FILE = load_shipped(PROOFS[NAME])


@cache
def run_of(case):
    return restart_run(FILE, **RESTART_CASES[case])[0]


@pytest.mark.parametrize("case", RESTART_CASES)
def test_every_leaf_holds_on_an_enumerated_run(case):
    assert false_leaves(run_of(case), FILE.setting) == []


@pytest.mark.parametrize("case", RESTART_CASES)
def test_no_claim_is_false_on_an_enumerated_run(case):
    assert false_claims(run_of(case), claims_of(FILE)) == []


@pytest.mark.parametrize("case", RESTART_CASES)
def test_the_equations_are_those_of_the_method(case):
    assert failing(FILE, run_of(case), near) == []


@pytest.mark.parametrize("name", ["move", "momentum", "second", "server-point", "server-moment"])
def test_a_wrong_equation_is_caught(name):
    one = FILE.setting.definitions[name]
    right = Node("mul", parts=(Node("number", "9/10"), one.products or one.right))
    wrong = replace(FILE.setting, definitions=FILE.setting.definitions | {name: replace(one, products=right)})
    run = run_of("two clients, two rounds of two")
    found = failing(replace(FILE, setting=wrong), replace(run, setting=wrong), near)
    assert {text.partition(" at ")[0] for text in found} == {name}


@pytest.mark.parametrize("name", ["known-square", "noise-square", "turned", "error-square", "apart-sum", "one-round"])
def test_a_false_claim_is_caught(name):
    """A millionth of the right side is false on some run; so is a round that gains a million squares of gradients."""
    claim = next(one for one in claims_of(FILE) if one.id == name)
    left, right = claim.shows.parts
    if name == "one-round":
        right = Node("add", parts=(right, read("-1000000 grad2[t]")))
    else:
        right = Node("div", parts=(right, Node("number", "1000000")))
    false = Node("relation", claim.shows.name, (left, right))
    places = [(run_of(case), at) for case in RESTART_CASES for at in run_of(case).places(claim.over)]
    assert any(not run.holds(false, at) for run, at in places)


class Floats(GradientRecorder):
    """Gradients in floats."""


@pytest.mark.parametrize("case", ["two clients, two rounds of two", "two clients, three rounds of one"])
def test_the_straight_line_is_the_method(case):
    from boundcheck.methods import METHODS

    shape = RESTART_CASES[case]
    run, last = restart_run(FILE, **shape)
    N, K, T = run.letters["N"], shape["K"], shape["T"]
    signs = np.array(list(product((1, -1), repeat=N * K * T))).reshape(-1, K * T, N, 1)
    oracle = Floats(N, K, lambda y, number, _: run.gradient(y) + shape["noise"] * signs[:, number], float)
    kind = METHODS["fedlalr"](
        eta=run.letters["eta"], beta1=shape["beta1"], beta2=shape["beta2"], eps=run.letters["eps"], restart=True
    )
    state = kind.init(oracle, np.full((len(signs), 1, 1), 1.0))
    for _ in range(T):
        state = kind.round(oracle, state)
    assert np.allclose(np.broadcast_to(state.x, last.shape), last, rtol=1e-13, atol=1e-13)


def test_the_theorem_is_proved_from_its_assumptions():
    """Those of Theorem 1: no claim of the ledger is a leaf."""
    data = load_accepted(NAME).data()
    assert (data["proved"], data["apart_from"], data["trust"]) == (True, [], "kernel")
    assert data["leaves"]["assumption"] == [
        "gap", "gradient-over", "gradient-under", "lower", "sample-over", "sample-under", "smooth", "variance",
    ]  # fmt: skip
    assert data["leaves"]["noise"] == ["independent", "unbiased"]
    assert NAME not in BOUNDS[NAME].refuted_by


def test_a_changed_claim_by_coordinates_falls():
    assert survivors(NAME, 12) == []


@pytest.mark.slow
def test_every_changed_claim_by_coordinates_falls():
    assert survivors(NAME, 1) == []


@pytest.mark.parametrize("term", BOUNDS[NAME].terms)
def test_no_term_can_be_lowered(term):
    found = decide_shipped(PROOFS[NAME])[1].found
    assert bound_holds(FILE, NAME, {}, Fraction(1), found)
    assert not bound_holds(FILE, NAME, {term: Fraction(999, 1000)}, Fraction(1), found)
