"""FMGDA, Theorem 1 and Corollary 1 repaired: the equations are the code's, the claims true on exact runs."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from minimax_runs import MINIMAX_CASES, Saddle, minimax_run
from turns import case_of

from boundcheck.bounds import BOUNDS
from boundcheck.conform.equations.recursion import failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, load_shipped
from boundcheck.proofs.language.grammar import Node, read

NAME = "fmgda.corollary1R"
FILE = load_shipped(PROOFS[NAME])
CLAIMS = claims_of(FILE)
ENDS = {end.bound for end in FILE.theorems}
BELOW = [claim for claim in CLAIMS if claim.id not in ENDS]
ONE_STEP = {"inserted-one", "weighted-one", "cubed-one", "levelled-one", "average-one"}
MORE_STEPS = {"inserted", "weighted", "cubed", "levelled", "average", "apart-total"}
CONSTANT = {
    *("flat-cubes", "constant", "slope-flat", "levelled", "levelled-one", "average", "average-one"),
    "fmgda.corollary1R",
}
"""What is given to them excludes steps that vary."""
LONG = "two clients, steps that vary, with noise"
"""A run of many lanes: noise, and steps that vary, are also in runs of their own."""
RUNS = [case_of(case, slow=case == LONG) for case in MINIMAX_CASES]
THREE = Saddle(Fraction(1), Fraction(1, 2), Fraction(1), (1, -1, 3), (2, 0, -1))


def same(left, right):
    return np.array_equal(*np.broadcast_arrays(left, right))


@cache
def run_of(case):
    return minimax_run(FILE, **MINIMAX_CASES[case])


def of_code(K):
    """Return a run of the code with one outcome of the noise."""
    known = {"B": 2, "sigma": 9, "start": (1, 2), "zeta": 5, "lanes": 1, "fall": Fraction(1, 7)}
    return minimax_run(FILE, K=K, T=2, saddle=THREE, noise=Fraction(1), wobble=Fraction(1, 3), **known)


@pytest.mark.parametrize("K", [1, 2, 3])
def test_the_code_satisfies_the_equations(K):
    run = of_code(K)
    assert ("us", (2,)) in run.vectors
    assert ("y", (1, K - 1)) in run.vectors
    assert failing(FILE, run, same) == []


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("descent-step", "y[t, k] + chat eta[t, k + 1] u[t, k]"),
        ("ascent-step", "w[t, k] + c_dual eta[t, k] v[t, k]"),
        ("server-step", "z[t, K - 1]"),
        (
            "estimator-shared",
            "dus[t + 1] + c1 eta[t, K]^2 (gu[t, K - 1] + n[t, K - 1]) + (1 - c1 eta[t, K]^2) u[t, K - 1]",
        ),
        ("estimator", "du[t, k + 1] + c1 eta[t, k + 1]^2 gu[t, k] + (1 - c1 eta[t, k + 1]^2) u[t, k]"),
        ("change-shared-dual", "H[t + 1] - mean(i) gv[t, K - 1] + dm[t, K - 1]"),
        ("first-estimator", "A[0]"),
    ],
)
def test_a_wrong_equation_is_found(name, right):
    definitions = dict(FILE.setting.definitions)
    definitions[name] = replace(definitions[name], right=read(right))
    wrong = replace(FILE, setting=replace(FILE.setting, definitions=definitions))
    run = of_code(3)
    assert failing(wrong, replace(run, setting=wrong.setting, seen={}), same) != []


def met(run, claim):
    """Return whether what a claim takes as given holds in a run; the root of the last one has no fraction."""
    return all(run.holds(node, {}) for node in claim.given)


@pytest.mark.parametrize("case", RUNS)
def test_no_claim_is_false_on_an_exact_run(case):
    """Both sides from the recorded iterates in fractions; the last claims at a smaller rho than the registered one."""
    run, varies = run_of(case), "fall" in MINIMAX_CASES[case]
    decided = [claim for claim in BELOW if met(run, claim) and not (varies and claim.id in CONSTANT)]
    left_out = {claim.id for claim in BELOW} - {claim.id for claim in decided}
    assert left_out == (MORE_STEPS if run.letters["K"] == 1 else ONE_STEP) | (CONSTANT - ENDS if varies else set())
    for claim in decided:
        assert run.failures(claim) == [], claim.id
    for claim in CLAIMS:
        if claim.id in ENDS and not (varies and claim.id in CONSTANT):
            assert run.holds(claim.shows, {})


@pytest.mark.parametrize("case", RUNS)
def test_what_is_assumed_holds_on_an_exact_run(case):
    run, varies = run_of(case), "fall" in MINIMAX_CASES[case]
    for leaf in FILE.setting.leaves.values():
        if not leaf.points and not (varies and leaf.id == "span-flat"):
            assert all(run.holds(leaf.shows, at) for at in run.places(leaf.over)), leaf.id


@pytest.mark.parametrize("claim", [c for c in BELOW if c.shows.name == "<="], ids=lambda c: c.id)
def test_a_false_claim_is_seen_on_some_run(claim):
    """The right side divided by a million, or less a million times itself, fails: the evaluation is not vacuous."""
    left, right = claim.shows.parts
    small = Node("div", parts=(right, Node("number", "1000000")))
    false = claim.restate(shows=Node("relation", "<=", (left, small)), given=())
    assert any(run_of(case).failures(false) for case in sorted(MINIMAX_CASES, key=LONG.__eq__))


def test_the_steps_are_constant_where_the_bound_holds():
    """The schedule of the method, at the parameters of the bound, is 1/(20 L K) up to the last step that it allows."""
    from boundcheck.methods import METHODS

    bound = BOUNDS[NAME]
    for N, K, L in ((1, 1, 2.0), (4, 3, 7.5), (16, 2, 0.3)):
        flat = 8000 * K**3 * N**2
        method = METHODS["fmgda"](chat=0.1, c_dual=0.1, c1=1.0, h=N ** (2 / 3) / L, t_flat=flat)
        steps = [method.step(np, t) for t in (1, 2, flat // 2, flat - 2)]
        assert np.allclose(steps, 1 / (20 * L * K), rtol=1e-12)
    assert any(c.label == "constant steps" for c in bound.conditions)
