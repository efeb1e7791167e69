"""What the findings page quotes stands word for word in the papers' texts, where a folder with them is at hand."""

import os
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
FOLDER = os.environ.get("BOUNDCHECK_PAPERS", "")
TEXTS = {name: name for name in ("fedlalr", "fedglomo", "momentum-fl", "fmgda")} | {"gradma": "gradma-appendix"}
OWN = {"Momentum benefits non-IID federated learning"}
"""Headings of ours that stand in the same signs."""


def plain(text):
    """Return text without the signs of markup and mathematics, in small letters."""
    return re.sub(r"\s+(?=[).,])|(?<=\()\s+", "", re.sub(r"\s+", " ", re.sub(r"[*$\\]", "", text))).lower()


def quotes():
    """Return every quotation of the page that is longer than a word or two, with the paper of its section."""
    found = []
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        paper = next((name for name in TEXTS if f"`{name}`" in section.splitlines()[0]), None)
        told = [q for q in re.findall(r'"([^"]+)"', section) if q not in OWN and len(q.split()) > 2]
        found += [(paper, " ".join(q.split())) for q in told if paper]
    return found


def test_the_page_quotes_the_papers():
    """There is something to compare, and it is known from which paper."""
    assert len(quotes()) >= 4
    assert {paper for paper, _ in quotes()} <= set(TEXTS)


@pytest.mark.skipif(not FOLDER, reason="BOUNDCHECK_PAPERS names no folder with the papers' texts")
@pytest.mark.parametrize(("paper", "quote"), quotes())
def test_a_quotation_is_verbatim(paper, quote):
    """Went wrong: two quotations were in other words."""
    text = plain((Path(FOLDER) / f"{TEXTS[paper]}.txt").read_text(encoding="utf-8"))
    assert plain(quote) in text
