"""What the proofs of theorems with drawn clients or quantised messages rest on, they need."""

from dataclasses import replace
from fractions import Fraction

import pytest
from turns import case_of

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.proofs.chain.whole.proof import PROOFS, claims_of, decide_shipped, load_shipped
from boundcheck.proofs.chain.whole.slack import bound_holds, felled_or_again, prover_with
from boundcheck.proofs.language.coordinates import decided_by_coordinates, is_by_coordinate

pytestmark = pytest.mark.xdist_group("proofs")

NAMES = ("gradma.lemma6", "gradma.lemma6-fedproxm")
SHARP = ("gradma.lemma6S", "gradma.lemma6S-fedproxm")
"""Sharpened forms, which end in the same files."""
LONG = ("fmgda.corollary1R", "fedlalr.theorem1R", "fedglomo.theorem1R", "fedglomo.theorem2S", "fedglomo.theorem3R")
"""Proofs with many steps, whose deletions take minutes in all."""
FILES = {name: load_shipped(PROOFS[name]) for name in (*NAMES, *LONG)}
CLAIMS = {name: claims_of(file) for name, file in FILES.items()}


SPARE = {
    "growth-above": (0,),
    "growth-below": (0,),
    "sharp-rate": (0, 1, 2, 3, 4, 5, 6),
    "rate": (0, 1, 2, 3, 4, 5, 6),
    "fedglomo.theorem2R": (7, 8),
    "fedglomo.theorem3R": (3, 5, 6, 7, 8, 9),
}
"""Shares and growths of which the search for products of hypotheses finds each by itself."""


def found_in(name):
    """Return the claims of a proof, decided from what is stored alone: nothing is searched for."""
    prover = decide_shipped(PROOFS[name])[1]
    assert not prover.book.search
    return prover.found


def slow(name, claim, kind, number):
    """Return whether it takes long to see that nothing is proved: many vectors, none of them eliminated."""
    long = {"descent", "descent-sharp"}
    step = getattr(claim, kind)[number]
    return name in LONG or (claim.id in long and step.id in FILES[name].setting.definitions)


def searched(name):
    """Return the claims of a proof but for those by coordinates, which the kernel decides: test_chain_adaptive."""
    setting = FILES[name].setting
    said = {claim.id for claim in CLAIMS[name] if is_by_coordinate(claim.shows, setting.vectors)} | setting.coordinates
    return [claim for claim in CLAIMS[name] if not decided_by_coordinates(claim, setting, said)]


STEPS = [
    (name, claim, kind, number)
    for name in FILES
    for claim in searched(name)
    for kind in ("base", "steps")
    for number in range(len(getattr(claim, kind)))
]
QUICK = [place for place, step in enumerate(STEPS) if not slow(*step)][::7]
"""One in seven of the steps that do not take long: every test run deletes these."""


def proves(name, claim):
    """Return whether a claim is proved from the others as they were found, all that they take as given being shown."""
    below = {key: one for key, one in found_in(name).items() if key != claim.id and not one.claim.at}
    try:
        outcome = prover_with(FILES[name], below).decide(claim)
    except InputError:
        return False
    return outcome.proved and not outcome.inherited


@pytest.mark.parametrize("name", FILES)
def test_every_claim_is_proved_from_what_is_stored(name):
    assert [key for key, one in found_in(name).items() if not one.proved or one.inherited] == []


@pytest.fixture
def briefly(monkeypatch):
    """Search for signs with the least effort: what falls with less than the full search is not proved again."""
    from boundcheck.proofs.algebra import signs

    monkeypatch.setattr(signs, "_EFFORTS", ((1, 1), (1, 2)))


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(
    ("name", "claim", "kind", "number"),
    [pytest.param(*step, marks=[pytest.mark.slow] * (place not in QUICK)) for place, step in enumerate(STEPS)],
    ids=lambda x: getattr(x, "id", str(x)),
)
def test_a_deleted_step_fells_its_parent(name, claim, kind, number):
    """Nothing is proved without a step, but for those that the search for signs finds by itself."""
    steps = getattr(claim, kind)
    found = proves(name, replace(claim, **{kind: steps[:number] + steps[number + 1 :]}))
    assert found == (kind == "steps" and number in SPARE.get(claim.id, ()))


EDGE = dict(zip((*NAMES, *SHARP), (Fraction(1), Fraction(1, 3)) * 2, strict=True))
"""What is left of the constants: without projections 4 - W, at least 3, of the squared gradients are left for one."""


def holds(name, factors, scale):
    """Return whether a bound with scaled terms follows, the written multipliers of its last claim being scaled."""
    page = next(one for one in NAMES if PROOFS[one] == PROOFS[name])
    return bound_holds(FILES[page], name, factors, scale, found_in(page))


@pytest.mark.parametrize("name", EDGE)
def test_all_constants_can_be_lowered_to_the_edge_together(name):
    assert holds(name, dict.fromkeys(BOUNDS[name].terms, EDGE[name]), EDGE[name])


@pytest.mark.parametrize(
    "name", [NAMES[1], *(pytest.param(name, marks=pytest.mark.slow) for name in EDGE if name != NAMES[1])]
)
def test_a_constant_beyond_the_edge_falls(name):
    """A tenth further off any term alone: it does not follow, whatever factor all written multipliers have."""
    less = EDGE[name] * Fraction(9, 10)
    for term in BOUNDS[name].terms:
        for scale in {less, EDGE[name], Fraction(1)}:
            assert not holds(name, {term: less}, scale), term


SLACK = {
    "fmgda.corollary1R": {"heterogeneity": Fraction(9, 125), "first block": Fraction(24, 25)},
    "fedlalr.theorem1R": {},
    "fedglomo.theorem3R": {"gap": Fraction(8, 9)},
}
"""Terms of long proofs that can be lowered, and how far; all others are used up."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "term"), [(name, term) for name in LONG for term in BOUNDS[name].terms])
def test_a_term_can_be_lowered_to_its_edge_and_no_further(name, term):
    edge = SLACK.get(name, {}).get(term, Fraction(1))
    if edge < 1:
        assert bound_holds(FILES[name], name, {term: edge}, Fraction(1), found_in(name))
    assert not bound_holds(FILES[name], name, {term: edge * Fraction(9, 10)}, Fraction(1), found_in(name))


HAIR = Fraction(999, 1000)
EDGES = {
    **{("fedglomo.theorem2S", term): Fraction(1) for term in ("gap", "sampling", "drift")},
    ("fedglomo.theorem2-full", "gap"): Fraction(15, 16),
    ("fedglomo.theorem3R", "gap"): Fraction(8, 9),
    **{("fedglomo.lemma13R", term): Fraction(1) for term in ("start", "heterogeneity", "noise")},
    **{("fedglomo.theorem1S", term): Fraction(1) for term in ("gap", "local path")},
    ("gradma.lemma2", "drift"): Fraction(1),
}
"""Bounds, term by term, with what their chains leave of each."""
FIRST = {name: term for name, term in reversed(EDGES) if name in {"fedglomo.theorem2S", "fedglomo.lemma13R"}}
"""Terms that every test run lowers: the first of two bounds; the slow tests lower all."""


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(("name", "term"), [case_of(edge, slow=FIRST.get(edge[0]) != edge[1]) for edge in EDGES])
def test_a_constant_a_hair_beyond_the_edge_falls(name, term):
    """At the edge the bound follows; a thousandth below it, it does not, whatever scale the multipliers have."""
    file, prover = decide_shipped(PROOFS[name])
    edge = EDGES[name, term]
    assert bound_holds(file, name, {term: edge}, Fraction(1), prover.found)
    for scale in {Fraction(1), HAIR, edge}:
        assert not bound_holds(file, name, {term: edge * HAIR}, scale, prover.found)


WEAKER = {
    # What is proved again has room: (2 K + 1) eta^2 for K + 1, and without projections a quarter of the gradients.
    "gradma.lemma6": (26, {("local-direction", "path-growth")}),
    "gradma.lemma6-fedproxm": (
        20,
        {
            ("local-direction", "path-growth"),
            ("server-direction", "gradma.lemma6-fedproxm"),
            ("server-direction-sharp", "gradma.lemma6S-fedproxm"),
        },
    ),
}
"""How many parents fall when a step is one percent weaker, and which are proved again."""


@pytest.mark.slow
@pytest.mark.parametrize("name", WEAKER)
def test_a_step_one_percent_weaker_fells_its_parent_or_is_proved_again(name):
    felled, again = felled_or_again(FILES[name], CLAIMS[name], found_in(name))
    assert (len(felled), set(again)) == WEAKER[name]


PARENTS = {
    "fedglomo.theorem1R": (68, 28),
    "fedglomo.theorem2S": (24, 12),
    "fedglomo.theorem3R": (20, 9),
    "fmgda.corollary1R": (93, 18),
}
"""How many parents fall when a step is one percent weaker, and how many are proved again, of the longest proofs.

Those of FedGLOMO with the least search for signs, with which ten more parents of FMGDA fall.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", PARENTS)
def test_one_percent_fells_so_many_parents_of_a_long_proof(name, request):
    if name.startswith("fedglomo"):
        request.getfixturevalue("briefly")
    felled, again = felled_or_again(FILES[name], CLAIMS[name], found_in(name))
    assert (len(felled), len(again)) == PARENTS[name]
