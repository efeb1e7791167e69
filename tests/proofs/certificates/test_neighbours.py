"""False neighbours of the ledger's goals get no certificate."""

import sys
from pathlib import Path

import pytest

from boundcheck.proofs import CLAIMS
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.ledger.certify import certificate_of, parts, shipped_certificates

sys.path.append(str(Path(__file__).parents[1] / "claims"))
from mutants import mutants

OWNERS = list(dict.fromkeys(name.partition("/")[0] for name in shipped_certificates()))


def check(name):
    """None of the false neighbours of a claim with certificates has any for all its parts."""
    found = mutants(goal_of(CLAIMS[name].goal))
    assert found
    for mutant in found:
        assert not all(certificate_of(part) is not None for part in parts(mutant))


@pytest.mark.parametrize("name", OWNERS[9::400])
def test_false_neighbours_have_no_certificate(name):
    """A constant moved just past what sampling shows."""
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", OWNERS)
def test_all_false_neighbours_have_no_certificate(name):
    """The same for every claim."""
    check(name)
