"""The certificates that come with the package: all pass, each belongs to its claim, and altered ones do not."""

import json
import random
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from zlib import crc32

import pytest
from altered import KINDS, altered
from together import together

import boundcheck.proofs.papers
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
    solvers_agree,
)
from boundcheck.proofs.provers import AllFrom, Feasible, GramBound, Identity, Infeasible, OnBox, Real
from boundcheck.proofs.provers.solver import questions

sys.path.append(str(Path(__file__).parents[1] / "claims"))
from second_solver import cvc5_answer, expected_answer

SECOND = Path(boundcheck.proofs.papers.__file__).with_name("second_solver.json")
"""Goals that a second solver has decided, too."""
SHARE = 25
KNOWN = list(shipped_certificates())


@together(KNOWN, parts=3)
def test_every_certificate_passes(name):
    """The checker takes each one, on its own: in every test run one in three."""
    check(shipped_certificates()[name], {})


@pytest.mark.parametrize("number", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_altered_certificates_are_not_those_of_the_ledger(number):
    """Of 1,000 none passes as a proof of the claim: what still passes states, and prints, something else."""
    rng = random.Random(1)
    made, passed = Counter(), 0
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
        assert hash_of(other) != hash_of(certificate), other
        assert printed != check(certificate, {})
    assert set(made) == set(KINDS)
    assert passed < number / 4


def owners(share):
    """Return claims that have certificates, one in `share`."""
    return list(dict.fromkeys(name.partition("/")[0] for name in KNOWN))[::share]


def check_owner(name):
    goals = list(parts(goal_of(CLAIMS[name].goal)))
    found = [shipped_certificates().get(part) for part in names(name, len(goals))]
    assert any(found)
    for certificate, goal in zip(found, goals, strict=True):
        if certificate is not None:
            assert belongs(certificate, goal)
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
    assert all(check_parts(name, goal))

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

    Of one in so many claims, chosen by their names so that another claim leaves the choice alone, and of those that a
    second solver has answered.
    """
    found = []
    second = {name.partition("/")[0] for name in json.loads(SECOND.read_text(encoding="utf-8"))}
    for claim in CLAIMS.values():
        if crc32(claim.id.encode()) % share and claim.id not in second:
            continue
        goals = list(parts(goal_of(claim.goal)))
        named = zip(names(claim.id, len(goals)), goals, strict=True)
        found += [(claim, *part) for part in named if not claim.repaired_by and part[0] not in shipped_certificates()]
    return found


def uncertified(kinds, share=1):
    """Return those of these kinds."""
    return [(claim, name, goal) for claim, name, goal in open_parts(share) if isinstance(goal, kinds)]


PART = pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.slow)])
"""One claim in four, with every bound that has no certificate, and all."""


@pytest.mark.xdist_group("open parts")
@PART
def test_every_identity_and_form_and_nearly_every_bound_has_one(share):
    """All identities, forms and functions; of the bounds between numbers two have none, and a second solver's word."""
    assert [name for _, name, _ in uncertified((Identity, GramBound, Feasible, AllFrom, OnBox), share)] == []
    rest = uncertified((Real, Infeasible), share)
    assert 0 < len(rest) <= 2
    for claim, name, goal in rest:
        assert solvers_agree(claim.id, goal_of(claim.goal))[list(parts(goal_of(claim.goal))).index(goal)], name
        assert prove_claim(claim).trust == "two solvers agree"


@pytest.mark.xdist_group("open parts")
@PART
def test_a_changed_goal_has_no_second_word(share):
    """The same question with another right-hand side is not what the second solver answered."""
    found = uncertified((Real,), share)
    assert found
    for claim, _, goal in found:
        assert solvers_agree(claim.id, goal) == [True]
        assert solvers_agree(claim.id, Real(goal.lhs, goal.rhs + 1, goal.given)) == [False]


@pytest.mark.slow
def test_the_second_solver_says_the_same_today(tmp_path):
    """Every question behind a part without a certificate is put to cvc5 again."""
    pytest.importorskip("cvc5")
    for _, name, goal in uncertified((Real, Infeasible)):
        with questions() as asked:
            assert goal.decide(20).verdict == "proved"
        for text in asked:
            (tmp_path / "some.smt2").write_text(text)
            assert cvc5_answer(tmp_path / "some.smt2", 60) == expected_answer(tmp_path / "some.smt2"), name
