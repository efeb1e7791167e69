"""FMGDA, the rate of Corollary 1 repaired: averaged estimators at the start, steps shorter by the root of K."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from minimax_runs import MINIMAX_CASES, RATE_CASES, minimax_run
from turns import case_of

from boundcheck.bounds import BOUNDS
from boundcheck.conform.equations.recursion import failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, decide_shipped, load_shipped, tree
from boundcheck.proofs.chain.whole.slack import bound_holds, prover_with
from boundcheck.proofs.language.grammar import Node

pytestmark = pytest.mark.xdist_group("proofs")

NAME = "fmgda.corollary1R-rate"
FILE = load_shipped(PROOFS[NAME])
SHARED = {claim.id for claim in load_shipped(PROOFS["fmgda.theorem1R"]).claims} - {"opened-first"}
CLAIMS = [claim for claim in claims_of(FILE) if claim.id not in SHARED]
"""The claims that Theorem 1 does not have."""
ONE, MORE = {"rate-one"}, {"rate"}
LONG = "two clients, four steps"
"""A run of a thousand lanes: what it joins, noise and clients that differ, the others have one by one."""
RUNS = [case_of(case, slow=case == LONG) for case in RATE_CASES]


def same(left, right):
    return np.array_equal(*np.broadcast_arrays(left, right))


@cache
def run_of(case):
    return minimax_run(FILE, **RATE_CASES[case])


def test_it_is_proved_from_assumptions():
    data = tree(NAME).data()
    assert (data["proved"], data["weakest"], data["steps"]) == (True, "rule", 78)
    assert set(data["leaves"]["start"]) >= {"first-estimator", "first-estimator-dual"}
    assert "heterogeneity-start" not in {one for names in data["leaves"].values() for one in names}


@pytest.mark.parametrize("case", RUNS)
def test_the_code_satisfies_the_equations(case):
    assert failing(FILE, run_of(case), same) == []


def test_a_start_without_averaging_is_found():
    case = MINIMAX_CASES["two clients, two steps"]
    assert "first-estimator" in str(failing(FILE, minimax_run(FILE, **case), same))


@pytest.mark.parametrize("case", RUNS)
def test_no_claim_is_false_on_an_exact_run(case):
    """Where what is given holds, what is inherited included; the last claim at the least rho that its proof needs."""
    run, found = run_of(case), decide_shipped(PROOFS[NAME])[1].found
    decided = [
        claim for claim in CLAIMS if claim.id != NAME and all(run.holds(node, {}) for node in found[claim.id].given)
    ]
    left_out = {claim.id for claim in CLAIMS} - {claim.id for claim in decided}
    assert left_out == {NAME} | (MORE if run.letters["K"] == 1 else ONE)
    for claim in decided:
        assert run.failures(claim) == [], claim.id
    assert run.holds(next(claim.shows for claim in CLAIMS if claim.id == NAME), {})


@pytest.mark.parametrize("claim", [c for c in CLAIMS if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    left, right = claim.shows.parts
    small = Node("relation", "<=", (left, Node("div", parts=(right, Node("number", "1000000")))))
    false = claim.restate(shows=small, given=())
    assert any(run_of(case).failures(false) for case in sorted(RATE_CASES, key=LONG.__eq__))


@pytest.mark.parametrize(("N", "K"), [(1, 1), (4, 3), (16, 2)])
def test_the_bound_speaks_of_the_runs_of_the_proof(N, K):
    """Its conditions can be met, and its schedule is 1/(20 L K^(3/2)) throughout; B is b K^(3/2), rounded up."""
    from boundcheck.methods import METHODS

    problem = {"L_block": 2.0, "mu": 1.0, "sigma": 1.0, "zeta_pair": 1.0, "Delta_Phi": 1.0, "delta_y": 1.0}
    bound = BOUNDS[NAME]
    evaluation = bound.evaluate(bound.resolve({**problem, "N": N, "S": N, "K": K, "T": 20, "b": 2, "d": 1}))
    values = evaluation.values
    assert evaluation.unmet == []
    assert values["B"] == np.ceil(2 * K**1.5)
    method = METHODS["fmgda"](
        chat=values["chat"], c_dual=values["c_dual"], c1=values["c1"], h=values["h"], t_flat=values["t_flat"]
    )
    steps = [method.step(np, t) for t in (1, 10 * K, 20 * K)]
    assert np.allclose(steps, 1 / (20 * values["L_env"] * K**1.5), rtol=1e-12)
    assert bound.choices == {"synchronised_start": True}


@pytest.fixture
def briefly(monkeypatch):
    """Search for signs with the least effort: what falls with less than the full search is not proved again."""
    from boundcheck.proofs.algebra import signs

    monkeypatch.setattr(signs, "_EFFORTS", ((1, 1), (1, 2)))


STEPS = [
    case_of((claim, kind, number), slow=claim.id in {"rate", "rate-one"} or (claim.id, kind) == (NAME, "steps"))
    for claim in CLAIMS
    for kind in ("base", "steps")
    for number in range(len(getattr(claim, kind)))
]


FOUND_ALONE = {("root-one", "steps", 0), ("shorter", "steps", 0)}
"""Steps about the signs of letters that the search has found by itself since it compares squares."""


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(("claim", "kind", "number"), STEPS, ids=lambda x: getattr(x, "id", str(x)))
def test_a_deleted_step_fells_its_parent(claim, kind, number):
    """Without one step a claim is not proved, or takes more as given than it did."""
    found, steps = decide_shipped(PROOFS[NAME])[1].found, getattr(claim, kind)
    below = {key: one for key, one in found.items() if key != claim.id}
    shorter = replace(claim, **{kind: steps[:number] + steps[number + 1 :]})
    outcome = prover_with(FILE, below).decide(shorter)
    more = {str(node) for node in outcome.inherited} - {str(node) for node in found[claim.id].inherited}
    if (claim.id, kind, number) in FOUND_ALONE:
        assert outcome.proved
        return
    assert more or not outcome.proved


EDGES = dict.fromkeys(BOUNDS[NAME].terms, Fraction(1)) | {"heterogeneity": Fraction(9, 125)}


@pytest.mark.slow
@pytest.mark.parametrize("term", EDGES)
def test_a_term_can_be_lowered_to_its_edge_and_no_further(term):
    found, edge = decide_shipped(PROOFS[NAME])[1].found, EDGES[term]
    assert bound_holds(FILE, NAME, {term: edge}, Fraction(1), found)
    assert not bound_holds(FILE, NAME, {term: edge * Fraction(9, 10)}, Fraction(1), found)


def test_the_first_block_leaves_nothing():
    assert "first block" not in BOUNDS[NAME].terms
    run = run_of("one client, four steps")
    assert run.number(FILE.setting.definitions["begun"].left, {"t": Fraction(0)}) == 0
