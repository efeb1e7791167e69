"""The docstrings of methods, taken apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.cli.method_facts import described

if TYPE_CHECKING:
    from boundcheck.methods import Method


class Parts(NamedTuple):
    """A class docstring, taken apart."""

    summary: str
    sections: dict[str, str]
    """Problem, Update, Communication and Guarantee, each on one line."""
    references: list[str]
    attributes: list[tuple[str, str, str]]
    """Names, type and meaning."""


def parts(method: type[Method]) -> Parts:
    """Take the description of a method apart."""
    text, _, listed = described(method).partition("\nAttributes\n----------\n")
    summary, *paragraphs = [" ".join(block.split()) for block in text.strip().split("\n\n")]
    sections = dict(_section(paragraph) for paragraph in paragraphs)
    cited = re.split(r" (?=\[\d+\] )", sections.pop("References", ""))
    entries = re.findall(r"^(\S[^:\n]*) : (.*)\n((?:[ \t]+.*\n?|\n)*)", listed, flags=re.MULTILINE)
    attributes = [(names, kind, " ".join(meaning.split())) for names, kind, meaning in entries]
    return Parts(summary, sections, cited, attributes)


def _section(paragraph: str) -> tuple[str, str]:
    """Return the label of a paragraph and its text; what stands between label and colon belongs to the text."""
    found = re.match(r"(?:\*\*(\w+)\*\*|(\w+))\s*(\(.*?\))?(?:,\s*(.*?))?: (.*)", paragraph)
    assert found is not None, paragraph
    label = found[1] or found[2]
    before = found[3] or found[4]
    return label, f"{before.strip('()')}: {found[5]}" if before else found[5]
