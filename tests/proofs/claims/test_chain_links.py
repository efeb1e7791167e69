"""Chains ``a <= b <= c`` in claim files: a claim for each link, and false neighbours of each."""

import re

import pytest

from boundcheck.proofs.kernel.certificates import check
from boundcheck.proofs.search.outcomes import outcomes

HEAD = """[letters]
"> 0" = "a, b, c"

[claim.links]
shows = "{shows} if a <= b, b <= c"
"""


def decided(tmp_path, shows):
    """Return the outcomes of a file with one claim, by id."""
    path = tmp_path / "links.toml"
    path.write_text(HEAD.format(shows=shows), encoding="utf-8")
    return {one["id"]: one for one in outcomes(path)}


@pytest.mark.parametrize(
    ("shows", "whole", "count"),
    [
        ("2 a <= a + b <= 2 b", "2*a <= 2*b", 2),
        ("2 c >= b + c >= 2 a", "2*c >= 2*a", 2),
        ("a + b = b + a <= 2 b <= 2 c", "a + b <= 2*c", 3),
        ("a + b = b + a = a + b", "a + b = a + b", 2),
    ],
)
def test_a_chain_is_its_links_and_their_ends(tmp_path, shows, whole, count):
    """From a <= b <= c by hand; each link has a certificate that passes, and so has the whole."""
    found = decided(tmp_path, shows)
    assert list(found) == [*(f"links.{k}" for k in range(1, count + 1)), "links"]
    assert {one["verdict"] for one in found.values()} == {"proved"}
    assert found["links"]["shows"] == whole
    for one in found.values():
        for certificate in one["certificate"]:
            check(certificate, {})


@pytest.mark.parametrize(
    ("shows", "wrong"),
    [
        ("2 a <= a + c <= 2 b", "links.2"),
        ("2 b <= a + b <= 2 c", "links.1"),
        ("a = b <= c", "links.1"),
        ("2 a >= a + b >= b", "links.1"),
    ],
)
def test_a_false_link_fells_the_chain(tmp_path, shows, wrong):
    """Each is one letter or sign away from a true one, and false at a = 1, b = 2, c = 3."""
    found = decided(tmp_path, shows)
    assert found[wrong]["verdict"] in {"refuted", "undecided"}
    assert found["links"]["verdict"] != "proved"


def test_a_chain_goes_one_way(tmp_path):
    found = decided(tmp_path, "2 a <= 2 b >= a")["links"]
    assert found["verdict"] == "not legal"
    assert re.search(r"links\.toml:5: shows = '2 a <= 2 b >= a if .*' .* one way", found["why"])
