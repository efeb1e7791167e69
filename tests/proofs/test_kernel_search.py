"""What is searched for is decided by the kernel: a stranger's file, what it lacks, and what is false in it."""

import re
from pathlib import Path

import pytest

import boundcheck
from boundcheck.proofs.search.__main__ import main
from boundcheck.proofs.search.finder import find

DOCS = Path(boundcheck.__file__).parents[1] / "docs" / "proofs.md"
PAGE = re.search(r"```toml\n(title = .*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)[1]


def _found(tmp_path, text):
    page = tmp_path / "mine.toml"
    page.write_text(text, encoding="utf-8")
    return find(page, tmp_path / "found")


def _proved(found):
    return [id_ for id_, verdict in found.kernel.verdicts.items() if verdict.proved]


def test_the_page_of_the_docs_is_proved_from_its_leaves(tmp_path):
    found = _found(tmp_path, PAGE)
    assert _proved(found) == ["fresh-noise", "descent", "example.sgd"]
    assert found.added == {}


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("eta/2 grad2[t]", "eta grad2[t]", ["fresh-noise"]),
        ("if eta L <= 1", "if eta L <= 2", ["fresh-noise"]),
        ("fresh-noise : eta^2 L/2; ", "", ["fresh-noise"]),
        ("sigma^2/N for t", "sigma^2/(2 N) for t", []),
    ],
)
def test_what_is_false_is_not_proved(tmp_path, old, new, left):
    assert old in PAGE
    assert _proved(_found(tmp_path, PAGE.replace(old, new))) == left


def test_a_hypothesis_that_is_missing_is_written_out_and_named(tmp_path, capsys):
    """The last claim does not say what its step needs: what is proved is another statement, and is said to be."""
    head, _, last = PAGE.rpartition(" if eta L <= 1")
    found = _found(tmp_path, head + last)
    assert found.added == {"example.sgd": ["eta*L <= 1"]}
    assert "eta*L <= 1" in found.kernel.file.claims["example.sgd"].statement.text
    assert main([str(tmp_path / "mine.toml"), str(tmp_path / "found")]) == 1
    assert "hypotheses that its text does not have" in capsys.readouterr().out


PRODUCT = """
title = "a product"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "a, b, N, T"

[claim.product]
shows = "a b <= 2 if a <= 1, b <= 2"
"""


@pytest.mark.parametrize("new", ["2 a <= 2", "a <= 1/2"])
def test_what_was_found_before_is_taken_over_only_where_it_still_fits(tmp_path, new):
    """The certificate of the first object uses the hypothesis 1 - a, which the second page does not have."""
    first = _found(tmp_path, PRODUCT).choices.read_text(encoding="utf-8")
    again = _found(tmp_path, PRODUCT.replace("a <= 1", new))
    assert _proved(again) == ["product"]
    assert again.choices.read_text(encoding="utf-8") != first


def test_what_was_found_before_is_no_proof_of_what_is_false(tmp_path):
    """At a = 2, b = 2 the product is 4."""
    _found(tmp_path, PRODUCT)
    assert _proved(_found(tmp_path, PRODUCT.replace("a <= 1", "a <= 2"))) == []
