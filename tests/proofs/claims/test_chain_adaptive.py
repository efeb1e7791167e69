"""FedLALR, repaired: proved by coordinates from its assumptions; all of it holds along enumerated runs."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from adaptive_runs import (
    ADAPTIVE_CASES,
    LARGEST_CASES,
    adaptive_run,
    false_claims,
    false_leaves,
    near,
    survivors,
)

from boundcheck.bounds import BOUNDS
from boundcheck.conform.equations.recursion import GradientRecorder, failing
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of
from boundcheck.proofs.language.files import HERE, load
from boundcheck.proofs.language.grammar import Node
from boundcheck.proofs.search.accepted import load_accepted

AVERAGE, LARGEST = ("fedlalr.theorem1R", "fedlalr.theorem2R"), ("fedlalr.corollary3R",)
CASES = ADAPTIVE_CASES | LARGEST_CASES
FILE = load(HERE / PROOFS[AVERAGE[0]])
EVEN = ("even-rounds", "equal-rounds", AVERAGE[0], LARGEST[0])
"""What is about rounds of one length."""


@cache
def run_of(case):
    return adaptive_run(FILE, **CASES[case])[0]


def about(case, name):
    """Return whether a claim is about a run: one in rounds of one length, from the mean or from the largest."""
    even = name not in EVEN or len(set(CASES[case]["rounds"])) == 1
    return even and name not in (AVERAGE if case in LARGEST_CASES else LARGEST)


@pytest.mark.parametrize("case", CASES)
def test_every_leaf_holds_on_an_enumerated_run(case):
    """Claims of the ledger as they are restated here, in the letters and numbers of the proof."""
    assert false_leaves(run_of(case), FILE.setting, partial(about, case)) == []


@pytest.mark.parametrize("case", CASES)
def test_no_claim_is_false_on_an_enumerated_run(case):
    assert false_claims(run_of(case), claims_of(FILE), partial(about, case)) == []


@pytest.mark.parametrize("case", CASES)
def test_the_equations_are_those_of_the_method(case):
    """Points, momenta and second moments, before and after a synchronisation, as the straight line computes them."""
    run = run_of(case)
    assert failing(FILE, run, near) == []
    recorded = {name for name, _ in run.vectors}
    assert {"Y", "X", "g", "M", "m", "old", "v", "base", "theta", "thetabar", "gap", "mx"} <= recorded


@pytest.mark.parametrize("name", ["move", "momentum", "kept-moment", "second"])
def test_a_wrong_equation_is_caught(name):
    one = FILE.setting.definitions[name]
    right = Node("mul", parts=(Node("number", "9/10"), one.products or one.right))
    wrong = replace(FILE.setting, definitions=FILE.setting.definitions | {name: replace(one, products=right)})
    run = run_of("two clients, two rounds of two")
    found = failing(replace(FILE, setting=wrong), replace(run, setting=wrong), near)
    assert {text.partition(" at ")[0] for text in found} == {name}


class Floats(GradientRecorder):
    """Gradients in floats."""

    def largest(self, v):
        """Return the largest entries of the clients."""
        return v.max(axis=1, keepdims=True)


@pytest.mark.parametrize(
    "case",
    ["two clients, two rounds of two", "one client, no momentum", "two clients, two rounds of two, the largest"],
)
def test_the_straight_line_is_the_method(case):
    """The server's iterate after all rounds is that of the method's own code on the same noise."""
    from itertools import product

    from boundcheck.methods import METHODS

    shape = CASES[case]
    run, last = adaptive_run(FILE, **shape)
    N, K, T = run.letters["N"], run.letters["longest"], len(shape["rounds"])
    signs = np.array(list(product((1, -1), repeat=N * K * T))).reshape(-1, K * T, N, 1)
    oracle = Floats(N, K, lambda y, number, _: run.gradient(y) + shape["noise"] * signs[:, number], float)
    kind = METHODS["fedlalr"](
        eta=run.letters["eta"], beta1=shape["beta1"], beta2=shape["beta2"], eps=run.letters["eps"],
        sync="max" if shape.get("largest") else "average",
    )  # fmt: skip
    state = kind.init(oracle, np.full((len(signs), 1, 1), 1.0))
    for _ in range(T):
        state = kind.round(oracle, state)
    assert np.allclose(np.broadcast_to(state.x, last.shape), last, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("name", AVERAGE + LARGEST)
def test_the_theorem_is_proved_from_its_assumptions(name):
    """Smooth functions, bounded gradients, noise: no claim of the ledger is a leaf."""
    data = load_accepted(name).data()
    assert (data["proved"], data["apart_from"], data["trust"]) == (True, [], "kernel")
    assert data["leaves"]["assumption"] == [
        "gap", "gradient-over", "gradient-under", "lower", "sample-over", "sample-under", "smooth", "variance",
    ]  # fmt: skip
    assert data["leaves"]["noise"] == ["independent", "unbiased"]
    assert ("even-rounds" in data["leaves"]["fact"]) == (name in EVEN)
    assert name not in BOUNDS[name].refuted_by


def test_a_changed_claim_by_coordinates_falls():
    assert survivors(AVERAGE[0], 12) == []


@pytest.mark.slow
def test_every_changed_claim_by_coordinates_falls():
    assert survivors(AVERAGE[0], 1) == []
