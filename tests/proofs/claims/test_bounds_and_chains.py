"""Bounds and proofs agree: what is called a proof or a repair has a chain that ends in it, or is listed as missing."""

import pytest
from together import together
from turns import first_of_each

from boundcheck.bounds import BOUNDS
from boundcheck.proofs.chain.whole.pending import PENDING
from boundcheck.proofs.chain.whole.proof import PROOFS, load_shipped, tree

FORMS = {"proof", "repaired", "sharpened"}
CLAIMED = sorted(name for name, b in BOUNDS.items() if b.kind == "explicit" and b.form in FORMS)


def test_there_are_bounds_to_prove():
    assert len(CLAIMED) > 40


@together(CLAIMED)
def test_a_repair_has_a_chain_or_is_listed(name):
    assert (name in PROOFS) != (name in PENDING)


def test_nothing_else_is_listed_and_nothing_proved_is():
    assert set(PENDING) <= {name for name, b in BOUNDS.items() if b.kind == "explicit"}
    assert not set(PENDING) & set(PROOFS)


@pytest.mark.xdist_group("proofs")
@pytest.mark.parametrize("name", first_of_each(lambda name: name.partition(".")[0], PROOFS))
def test_every_shipped_proof_is_one(name):
    """No claim below it is missing, and no hypothesis is left that its bound does not state."""
    found = tree(name)
    assert found.weakest in {"rule", "exact arithmetic"}
    assert found.top.inherited == ()
    assert found.apart_from == []


@together(sorted(name for name in PROOFS if name in BOUNDS))
def test_the_last_claim_is_made_from_the_bound(name):
    """The file names the bound and no statement: what is proved is the registered object."""
    file = load_shipped(PROOFS[name])
    assert [end.bound for end in file.theorems].count(name) == 1
    assert name not in {claim.id for claim in file.claims}
