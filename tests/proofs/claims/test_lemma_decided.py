"""What an earlier run decided is its answer for as long as the source is the same, and only for the ledger's claims."""

from dataclasses import replace

import pytest

import boundcheck.files.sources
from boundcheck.proofs import prove
from boundcheck.proofs.ledger.decided import decided_before, keep_decided

SOME = ["momentum-fl.theorem19-gamma-printed", "momentum-fl.theorem19-gamma"]


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    """Keep what is decided in a folder of this test's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_proofs_come_back_as_they_were_until_the_source_changes(monkeypatch):
    """Witnesses, trust and times with them; of other claims or another order nothing is known."""
    proofs = prove(SOME)
    assert decided_before(SOME) is None
    keep_decided(SOME, proofs)
    assert decided_before(SOME) == proofs
    assert any(proof.witness for proof in proofs)
    assert decided_before(SOME[::-1]) is None
    monkeypatch.setattr(boundcheck.files.sources, "package_hash", lambda: "edited")
    assert decided_before(SOME) is None


def test_an_open_claim_and_one_of_a_user_are_not_kept():
    """What a solver left open may be closed on another day, and a user's file may change."""
    proofs = prove(SOME)
    keep_decided(SOME, [proofs[0], replace(proofs[1], verdict="undecided")])
    assert decided_before(SOME) is None
    keep_decided(["mine.py:CLAIM"], proofs[:1])
    assert decided_before(["mine.py:CLAIM"]) is None
