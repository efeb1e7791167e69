"""What a proof rests on it needs: steps that are deleted or weakened, and constants beyond what the chain gives."""

from dataclasses import replace
from fractions import Fraction

import pytest
from turns import case_of

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, decide_shipped, load_shipped
from boundcheck.proofs.chain.whole.slack import (
    PERCENT,
    bound_holds,
    felled_or_again,
    proved_again,
    prover_with,
    same_certificate,
    weaken_claim,
)

pytestmark = pytest.mark.xdist_group("proofs")

THEOREM = "momentum-fl.theorem11"
LATER = tuple(f"momentum-fl.theorem{number}" for number in (15, 19, 22))
FILES = {name: load_shipped(PROOFS[name]) for name in (THEOREM, *LATER, "example.sgd")}
CLAIMS = {name: claims_of(file) for name, file in FILES.items()}


def found_in(name):
    """Return the claims of a proof, decided."""
    return decide_shipped(PROOFS[name])[1].found


STEPS = [
    (name, claim, kind, number)
    for name in FILES
    for claim in CLAIMS[name]
    for kind in ("base", "steps")
    for number in range(len(getattr(claim, kind)))
]
"""Every step; every test run deletes one in four of Theorem 11, and those of the example."""


SPARE = {
    "momentum-fl.theorem15-rate": (2, 3, 4),
    "momentum-fl.theorem15-alt-rate": (2, 3, 4),
    "momentum-fl.theorem19-rate": (2,),
    "momentum-fl.theorem22-rate": (2, 3, 4),
    "momentum-fl.theorem22-alt-rate": (2, 3, 4),
}
"""What single terms of a rate cost, and a weight: the search for products finds each by itself, in minutes."""


def attempted(prover, claim):
    """Return the outcome about a claim; None if a rule cannot be applied any more."""
    try:
        return prover.decide(claim)
    except InputError:
        return None


def decide(name, claim):
    """Return whether a claim is proved from the others as they were found, with nothing more taken as given."""
    below = {key: one for key, one in found_in(name).items() if key != claim.id}
    outcome = attempted(prover_with(FILES[name], below), claim)
    known = {str(node) for node in found_in(name)[claim.id].inherited}
    return outcome is not None and outcome.proved and {str(node) for node in outcome.inherited} <= known


def test_every_claim_is_proved():
    assert all(one.proved for name in FILES for one in found_in(name).values())


@pytest.mark.parametrize(
    ("name", "claim", "kind", "number"),
    [case_of(step, slow=step[0] in LATER or (step[0] == THEOREM and k % 4 != 0)) for k, step in enumerate(STEPS)],
    ids=lambda x: getattr(x, "id", str(x)),
)
def test_a_deleted_step_fells_its_parent(name, claim, kind, number):
    """Without one step, or with `true` (0 <= 0) in its place, nothing is proved: every step is needed."""
    steps = getattr(claim, kind)
    found = decide(name, replace(claim, **{kind: steps[:number] + steps[number + 1 :]}))
    assert found == (kind == "steps" and number in SPARE.get(claim.id, ()))


WEAKER = {THEOREM: (27, 0), "example.sgd": (2, 0), LATER[0]: (48, 5), LATER[1]: (36, 8), LATER[2]: (56, 16)}
"""How many parents fall when a step is one percent weaker, and how many are proved again."""

RESTATED = {("noise-cost", "start-cost"), ("noise-cost", "direction-cost")}
"""Steps of the rates of 15 and 22 that say what their parent is given too: that is what proves it again."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_step_one_percent_weaker_fells_its_parent_or_is_proved_again(name):
    """A parent falls, or another certificate proves it: other factors of premises or squares, or of what shows a sign.

    Theorem 11 and the example have no step with room: all parents fall.
    """
    claims, found = CLAIMS[name], found_in(name)
    felled, again = felled_or_again(FILES[name], claims, found)
    assert (len(felled), len(again)) == WEAKER[name]
    for step, parent in again:
        weak = found | {step: replace(found[step], claim=weaken_claim(found[step].claim, PERCENT))}
        claim = found[parent].claim
        outcome = proved_again(FILES[name], claim, step, PERCENT, weak)
        same = same_certificate(prover_with(FILES[name], found), outcome, found[parent])
        assert same == ((step, parent) in RESTATED)


def test_a_proof_is_the_same_certificate_as_itself():
    """Decided again it is the same, with another factor of one square it is not."""
    found = dict(found_in("example.sgd"))
    one = found.pop("descent")
    prover = prover_with(FILES["example.sgd"], found)
    again = prover.decide(one.claim)
    assert again is not one
    assert same_certificate(prover, one, again)
    part = one.parts[0]
    parts = (replace(part, multipliers=tuple((key, 2 * factor) for key, factor in part.multipliers)),)
    assert not same_certificate(prover, one, replace(one, parts=parts))


def holds(scale, **factors):
    """Return whether Theorem 11 with scaled terms follows, the written multipliers of its last claim being scaled."""
    return bound_holds(FILES[THEOREM], THEOREM, factors, scale, found_in(THEOREM))


EDGE = Fraction(8, 17)
"""What is left of the constants: 56/17 in the place of 7 throughout.

7 stands for the share 1/7 that is left of the squared gradients in the first round, which is counted twice; with
g_0 = 0 it is counted once, and 11/24 - (13/24)(2/7) = 17/56 is left in every round.
"""
LESS = EDGE * Fraction(999, 1000)


def test_all_constants_can_be_lowered_to_the_edge_together():
    assert holds(EDGE, **dict.fromkeys(BOUNDS[THEOREM].terms, EDGE))
    for scale in (LESS, EDGE, Fraction(1)):
        assert not holds(scale, **dict.fromkeys(BOUNDS[THEOREM].terms, LESS))


@pytest.mark.slow
@pytest.mark.parametrize("term", ["descent", "drift", "noise"])
def test_a_constant_beyond_the_chain_falls(term):
    """Alone, each of the three can be lowered as far and no further; a half at the written multipliers falls."""
    assert holds(EDGE, **{term: EDGE})
    for scale in (LESS, EDGE, Fraction(1)):
        assert not holds(scale, **{term: LESS})
    assert not holds(Fraction(1), **{term: Fraction(1, 2)})


EDGES = {
    "momentum-fl.theorem15": Fraction(24, 25),
    "momentum-fl.theorem19": EDGE,
    "momentum-fl.theorem22": Fraction(24, 25),
}
"""Theorem 19 starts at g_0 = 0 as well; with g_0 from samples the first gradient counts twice: 25/168 of it is left."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EDGES)
def test_the_constants_of_the_later_theorems_have_an_edge_too(name):
    """All of them together at the edge, with multipliers scaled by it; none of the scales serves beyond."""
    edge, terms, file = EDGES[name], BOUNDS[name].terms, FILES[name]
    assert bound_holds(file, name, dict.fromkeys(terms, edge), edge, found_in(name))
    less = edge * Fraction(999, 1000)
    for scale in (less, edge, Fraction(1)):
        assert not bound_holds(file, name, dict.fromkeys(terms, less), scale, found_in(name))


def test_the_start_is_paid_by_the_slack_of_the_descent():
    """L Delta/beta <= Delta/(6 gamma): the room between 7 and 56/17 pays for the start, not at the edge."""
    assert holds(EDGE, start=Fraction(0))
    assert not holds(EDGE, start=LESS, descent=EDGE)
