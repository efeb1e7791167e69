"""What the proofs of theorems with drawn clients or quantised messages rest on, they need."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.lemmas.chain.book import Book
from boundcheck.lemmas.chain.files import HERE, load
from boundcheck.lemmas.chain.proof import PROOFS, claims_of, stored
from boundcheck.lemmas.chain.prover import Prover
from boundcheck.lemmas.chain.slack import bound_holds, parents_of, proved_again, prover_with, weakened

NAMES = ("gradma.lemma6", "gradma.lemma6-fedproxm")
FILES = {name: load(HERE / PROOFS[name]) for name in NAMES}
CLAIMS = {name: claims_of(file) for name, file in FILES.items()}


@cache
def found_in(name):
    """Return the claims of a proof, decided from what is stored alone: nothing is searched for."""
    file = FILES[name]
    return Prover(file.setting, book=Book(stored(file.path), search=False)).decide_all(CLAIMS[name])


def slow(name, claim, step):
    """Return whether it takes long to see that nothing is proved: many vectors, none of them eliminated."""
    return claim.id == "descent" and step.id in FILES[name].setting.definitions


STEPS = [
    pytest.param(name, claim, kind, number, marks=[pytest.mark.slow] if slow(name, claim, step) else [])
    for name in NAMES
    for claim in CLAIMS[name]
    for kind in ("base", "steps")
    for number, step in enumerate(getattr(claim, kind))
]


def proves(name, claim):
    """Return whether a claim is proved from the others as they were found."""
    below = {key: one for key, one in found_in(name).items() if key != claim.id and not one.claim.at}
    try:
        return prover_with(FILES[name], below).decide(claim).proved
    except InputError:
        return False


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_is_proved_from_what_is_stored(name):
    assert [key for key, one in found_in(name).items() if not one.proved or one.inherited] == []


@pytest.fixture
def briefly(monkeypatch):
    """Search for signs with the least effort: what falls with less than the full search is not proved again."""
    from boundcheck.lemmas.chain import signs

    monkeypatch.setattr(signs, "_EFFORTS", ((1, 1), (1, 2)))


@pytest.mark.usefixtures("briefly")
@pytest.mark.parametrize(("name", "claim", "kind", "number"), STEPS, ids=lambda x: getattr(x, "id", str(x)))
def test_a_deleted_step_fells_its_parent(name, claim, kind, number):
    steps = getattr(claim, kind)
    assert not proves(name, replace(claim, **{kind: steps[:number] + steps[number + 1 :]}))


FACTOR = Fraction(101, 100)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "counted"), [("gradma.lemma6", (0, 0))])
def test_a_step_one_percent_weaker_fells_its_parent_or_is_proved_again(name, counted):
    felled, again, found = [], [], found_in(name)
    for claim in CLAIMS[name]:
        if claim.shows.name != "<=" or claim.at:
            continue
        weak = found | {claim.id: replace(found[claim.id], claim=weakened(claim, FACTOR))}
        for parent in parents_of(CLAIMS[name], claim.id):
            if not parent.at:
                outcome = proved_again(FILES[name], parent, claim.id, FACTOR, weak)
                (felled if outcome is None else again).append((parent.id, claim.id))
    print(felled, again)
    assert (len(felled), len(again)) == counted


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_beyond_the_chain_falls(name):
    """A tenth off any term of the bound: it does not follow, with the written multipliers nor with smaller ones."""
    for term in BOUNDS[name].terms:
        for scale in (Fraction(1), Fraction(9, 10)):
            assert not bound_holds(FILES[name], name, {term: Fraction(9, 10)}, scale, found_in(name)), term
