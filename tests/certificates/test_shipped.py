"""The certificates that come with the package: all pass, each belongs to its claim, and altered ones do not."""

import random
from collections import Counter

import pytest
from altered import KINDS, altered

from boundcheck.certificates import hash_of
from boundcheck.lemmas import CLAIMS, prove_claim
from boundcheck.lemmas.certify import belongs, checked, names, parts, relations, shipped
from boundcheck.verify import ERRORS, check

ALTERATIONS = 1000
SHARE = 25
KNOWN = list(shipped())


def test_every_certificate_passes():
    """The checker takes each one, on its own."""
    for certificate in shipped().values():
        check(certificate, {})


def test_altered_certificates_are_not_those_of_the_ledger():
    """Of 1,000 none passes as a proof of the claim: what still passes states, and prints, something else."""
    rng = random.Random(1)
    made, passed = Counter(), 0
    while made.total() < ALTERATIONS:
        certificate = shipped()[rng.choice(KNOWN)]
        other, kind = altered(certificate, rng)
        if other is None:
            continue
        made[kind] += 1
        try:
            printed = check(other, {})
        except ERRORS:
            continue
        passed += 1
        assert hash_of(other) != hash_of(certificate), other
        assert printed != check(certificate, {})
    assert set(made) == set(KINDS)
    assert passed < ALTERATIONS / 4


def owners(share):
    """Return claims that have certificates, one in `share`."""
    return list(dict.fromkeys(name.partition("/")[0] for name in KNOWN))[::share]


def check_owner(name):
    goals = list(parts(CLAIMS[name].goal()))
    found = [shipped().get(part) for part in names(name, len(goals))]
    assert any(found)
    for certificate, goal in zip(found, goals, strict=True):
        if certificate is not None:
            assert belongs(certificate, goal)
            others = [other for other in goals if relations(other) != relations(goal)]
            assert not any(belongs(certificate, other) for other in others)


@pytest.mark.parametrize("name", owners(SHARE))
def test_a_certificate_states_its_goal(name):
    """The statement is made anew from the goal; it is not that of another part of the claim."""
    check_owner(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", owners(1))
def test_every_certificate_states_its_goal(name):
    """The same for all."""
    check_owner(name)


def test_no_refuted_claim_has_a_certificate():
    """What is false as printed has a repair, and no certificate."""
    printed = {claim.id for claim in CLAIMS.values() if claim.repaired_by}
    assert printed.isdisjoint(owners(1))


def test_a_claim_with_certificates_asks_no_solver(monkeypatch):
    """The shipped certificates are the answer, once they are checked; without them the solver is asked."""
    name = "momentum-fl.lemma20-weights"
    goal = CLAIMS[name].goal()
    assert all(checked(name, goal))

    def refuse(*_):
        raise AssertionError

    for part in parts(goal):
        monkeypatch.setattr(type(part), "decide", refuse)
    proof = prove_claim(CLAIMS[name], kept=True)
    assert (proof.verdict, proof.trust) == ("proved", "certificate")
    with pytest.raises(AssertionError):
        prove_claim(CLAIMS[name], kept=False)
