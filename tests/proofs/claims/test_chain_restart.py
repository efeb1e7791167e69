"""FedLALR, Corollary 2 repaired: whole rounds of restarted momentum, proved apart from claims about coordinates."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from adaptive_runs import RESTART_CASES, equation_gap, false_claims, false_leaves, restart_run

from boundcheck.bounds import BOUNDS
from boundcheck.conform.recursion import Recorder
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, decide_shipped, load_shipped, tree
from boundcheck.proofs.chain.whole.slack import bound_holds, prover_with
from boundcheck.proofs.language.grammar import Node, read

NAME = "fedlalr.corollary2R"
FILE = load_shipped(PROOFS[NAME])
CLAIMS = claims_of(FILE)


@cache
def run_of(case):
    return restart_run(FILE, **RESTART_CASES[case])[0]


def test_it_is_proved_apart_from_named_claims():
    data = tree(NAME).data()
    assert (data["proved"], data["weakest"], data["steps"]) == (False, "claim of the ledger", 3)
    assert len(data["apart_from"]) == 7
    assert data["leaves"]["assumption"] == ["gap", "lower"]
    assert data["leaves"]["noise"] == ["independent", "unbiased"]
    assert NAME not in BOUNDS[NAME].refuted_by


@pytest.mark.parametrize("case", RESTART_CASES)
def test_every_leaf_holds_on_an_enumerated_run(case):
    assert false_leaves(run_of(case), FILE.setting) == []


@pytest.mark.parametrize("case", RESTART_CASES)
def test_no_claim_is_false_on_an_enumerated_run(case):
    assert false_claims(run_of(case), CLAIMS) == []


@pytest.mark.parametrize("case", RESTART_CASES)
def test_a_round_moves_the_server_as_its_equation_says(case):
    assert equation_gap(run_of(case), FILE.setting) < 1e-12


@pytest.mark.parametrize("leaf", [one for one in FILE.setting.leaves.values() if one.ledger], ids=lambda one: one.id)
def test_a_false_leaf_is_caught(leaf):
    """A millionth of the right side is false on some run; of an equality, one with another factor of a term."""
    left, right = leaf.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    if leaf.id == "polarised":
        small = Node("add", parts=(right, read("turned[t]")))
    false = Node("relation", leaf.shows.name, (left, small))
    places = [(run_of(case), at) for case in RESTART_CASES for at in run_of(case).places(leaf.over)]
    assert any(not run.holds(false, at) for run, at in places)


class Floats(Recorder):
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


@pytest.mark.parametrize(
    ("claim", "number"), [(claim, n) for claim in CLAIMS for n in range(len(claim.steps))], ids=lambda x: str(x)[:0]
)
def test_a_deleted_step_fells_its_parent(claim, number):
    found = decide_shipped(PROOFS[NAME])[1].found
    below = {key: one for key, one in found.items() if key != claim.id}
    shorter = replace(claim, steps=claim.steps[:number] + claim.steps[number + 1 :])
    assert not prover_with(FILE, below).decide(shorter).proved


@pytest.mark.parametrize("term", BOUNDS[NAME].terms)
def test_no_term_can_be_lowered(term):
    found = decide_shipped(PROOFS[NAME])[1].found
    assert bound_holds(FILE, NAME, {}, Fraction(1), found)
    assert not bound_holds(FILE, NAME, {term: Fraction(999, 1000)}, Fraction(1), found)
