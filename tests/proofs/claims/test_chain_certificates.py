"""Certificates of claims: what they hold, and what the checker that knows nothing of the package says of them."""

import copy
import re

import pytest

from boundcheck.proofs.chain.whole.certificate import certificates
from boundcheck.proofs.chain.whole.proof import PROOFS, decide_shipped

pytestmark = pytest.mark.xdist_group("proofs")


@pytest.fixture(scope="module")
def made():
    found = {page: certificates(decide_shipped(page)[1]) for page in dict.fromkeys(PROOFS.values())}
    return {name: found[page] for name, page in PROOFS.items()}


def test_every_claim_has_one_and_an_induction_two(made):
    assert [one["id"] for one in made["example.sgd"]] == ["fresh-noise", "descent", "example.sgd"]
    of_theorem = [one["id"] for one in made["momentum-fl.theorem11"]]
    assert {"noise-path/1", "noise-path/2", "mean-path/1", "mean-path/2", "split", "errors"} <= set(of_theorem)
    assert len(of_theorem) == len(set(of_theorem)) == 29
    assert all(one["kind"] == "linear" and one["shows"] for one in made["momentum-fl.theorem11"])


@pytest.mark.parametrize("share", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_the_checker_accepts_all(made, share):
    """Of every file one of so many, and all of them; none of them speaks of another."""
    verify = pytest.importorskip("boundcheck.proofs.kernel.certificates")
    for name in dict(zip(PROOFS.values(), PROOFS, strict=True)).values():  # one of each file
        past = {}
        for one in made[name][::share]:
            verify.check(one, past)


@pytest.mark.parametrize("share", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_the_checker_rejects_an_altered_number(made, share):
    """One numeral of a statement made one larger, wherever it stands: rejected unless the statement is weaker then."""
    verify = pytest.importorskip("boundcheck.proofs.kernel.certificates")
    accepted = 0
    altered = [
        (one, place)
        for one in made["momentum-fl.theorem11"]
        for place in range(len(re.findall(r"\(\d+\)\*", one["shows"])))
    ]
    for one, place in altered[:200:share]:
        other = copy.deepcopy(one)
        number = list(re.finditer(r"\((\d+)\)\*", one["shows"]))[place]
        other["shows"] = f"{one['shows'][: number.start(1)]}{int(number[1]) + 1}{one['shows'][number.end(1) :]}"
        try:
            verify.check(other, {})
        except verify.ERRORS:
            continue
        accepted += 1
    assert altered
    assert accepted == 0
