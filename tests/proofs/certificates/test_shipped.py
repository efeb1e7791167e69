"""The certificates that come with the package: all pass, each belongs to its claim, and altered ones do not."""

import random
from collections import Counter
from functools import cache
from zlib import crc32

import pytest
from altered import KINDS, altered
from together import together

from boundcheck.proofs import CLAIMS, prove_claim
from boundcheck.proofs.certificates import hash_of
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.kernel.certificates import ERRORS, check
from boundcheck.proofs.ledger.certify import (
    belongs,
    check_parts,
    names,
    parts,
    relations,
    shipped_certificates,
)
from boundcheck.proofs.ledger.expectations import untaken_goals
from boundcheck.proofs.provers import AllFrom, Feasible, GramBound, Identity, Infeasible, OnBox, Real

SHARE = 25
KNOWN = list(shipped_certificates())


@together(KNOWN, parts=3)
def test_every_certificate_passes(name):
    """The checker takes each one, on its own: in every test run one in three."""
    check(shipped_certificates()[name], {})


@pytest.mark.parametrize("number", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_altered_certificates_are_not_those_of_the_ledger(number):
    """What still passes states, and prints, something else, or is another proof of the same, as with a factor of 2."""
    rng = random.Random(1)
    made, passed, others = Counter(), 0, 0
    while made.total() < number:
        certificate = shipped_certificates()[rng.choice(KNOWN)]
        other, kind = altered(certificate, rng)
        if other is None:
            continue
        made[kind] += 1
        try:
            printed = check(other, {})
        except ERRORS:
            continue
        passed += 1
        same = hash_of(other) == hash_of(certificate)
        assert (printed == check(certificate, {})) == same, other
        others += same
    assert set(made) == set(KINDS)
    assert passed < number / 4
    assert others <= number / 100


def owners(share):
    """Return claims that have certificates, one in `share`."""
    return list(dict.fromkeys(name.partition("/")[0] for name in KNOWN))[::share]


def check_owner(name):
    goals = list(parts(goal_of(CLAIMS[name].goal)))
    found = [shipped_certificates().get(part) for part in names(name, len(goals))]
    assert any(found)
    for certificate, goal, said in zip(found, goals, untaken_goals(CLAIMS[name].goal, len(goals)), strict=True):
        if certificate is not None:
            assert belongs(certificate, goal, said)
            others = [other for other in goals if (relations(other), type(other)) != (relations(goal), type(goal))]
            assert not any(belongs(certificate, other) for other in others)


@pytest.mark.parametrize("name", owners(SHARE))
def test_a_certificate_states_its_goal(name):
    """The statement is made anew from the goal; it is not that of another part of the claim."""
    check_owner(name)


def test_a_certificate_with_a_hypothesis_of_its_own_states_no_goal():
    """But for letters that divide, nothing may be assumed beyond what the claim is given."""
    name = "fmgda.lemma3-split"
    first, *_ = parts(goal_of(CLAIMS[name].goal))
    certificate = shipped_certificates()[f"{name}/1"]
    assert belongs(certificate, first)
    assert not belongs({**certificate, "given": [*certificate.get("given", []), "1 <= 0"]}, first)


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
    goal = goal_of(CLAIMS[name].goal)
    assert all(check_parts(name, goal, CLAIMS[name].goal))

    def refuse(*_):
        raise AssertionError

    for part in parts(goal):
        monkeypatch.setattr(type(part), "decide", refuse)
    proof = prove_claim(CLAIMS[name], kept=True)
    assert (proof.verdict, proof.trust) == ("proved", "certificate checked")
    with pytest.raises(AssertionError):
        prove_claim(CLAIMS[name], kept=False)


@pytest.mark.parametrize("kept", [True, False])
def test_a_certificate_is_checked_once(monkeypatch, kept):
    """Whether it is the answer or only backs what the prover found, the checker reads it a single time."""
    read = []
    monkeypatch.setattr(
        "boundcheck.proofs.ledger.certify.check", lambda one, known: read.append(one["id"]) or check(one, known)
    )
    assert prove_claim(CLAIMS["fmgda.lemma3-split"], kept=kept).trust == "certificate checked"
    assert read
    assert len(read) == len(set(read))


@cache
def open_parts(share):
    """Return (claim, name, goal) of the parts without a certificate, if not refuted.

    Of one in so many claims, chosen by their names so that another claim leaves the choice alone.
    """
    found = []
    for claim in CLAIMS.values():
        if crc32(claim.id.encode()) % share:
            continue
        goals = list(parts(goal_of(claim.goal)))
        named = zip(names(claim.id, len(goals)), goals, strict=True)
        found += [(claim, *part) for part in named if not claim.repaired_by and part[0] not in shipped_certificates()]
    return found


PART = pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
"""One claim in four, and all."""


@PART
def test_every_identity_form_function_and_bound_has_one(share):
    kinds = (Identity, GramBound, Feasible, Infeasible, AllFrom, OnBox, Real)
    assert [name for _, name, goal in open_parts(share) if isinstance(goal, kinds)] == []
