"""The glossary that is shipped with the documentation, as data."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from boundcheck.files.display import shows
from boundcheck.files.resources import folder

GLOSSARY = "glossary.md"
"""The page of `docs`."""
_PLACE = re.compile(r" \(\[[^\]]+\]\([^)]*\)\)")
"""A link to a page in brackets of its own."""


@shows("term", "meaning", "code")
class GlossaryEntry(NamedTuple):
    """An entry of the glossary."""

    term: str
    meaning: str
    code: str


def page(name: str) -> str:
    """Return the Markdown of a shipped page."""
    return (folder("docs") / name).read_text(encoding="utf-8")


def plain(text: str) -> str:
    """Return Markdown without its marks: links as their words, no stars, no code marks."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text.replace("\\|", "|"))
    return re.sub(r"`([^`]*)`|\*([^*\s][^*]*)\*", lambda m: m[1] or m[2], text).strip()


def cells(row: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|"))]


@cache
def _rows() -> dict[str, tuple[str, str]]:
    """Return meaning and code of every term, as Markdown."""
    lines = page(GLOSSARY).splitlines()
    heads = {i - 1 for i, line in enumerate(lines) if line.startswith("|---")}
    rows = [cells(line) for i, line in enumerate(lines) if line.startswith("| ") and i not in heads]
    # Endings of names have a table of their own, without a column for code.
    return {plain(term): (meaning, " ".join(code)) for term, meaning, *code in rows}


@cache
def words() -> dict[str, GlossaryEntry]:
    """Return the glossary by term."""
    return {term: GlossaryEntry(term, plain(meaning), plain(code)) for term, (meaning, code) in _rows().items()}


def brief(term: str) -> str:
    """Return the first sentence of what a term means, without the pages that it names."""
    text = plain(_PLACE.sub("", _rows()[term][0]))
    return re.split(r"(?<=\w\w\w)[.;](?: |$)|: (?=[a-z])", text, maxsplit=1)[0].rstrip(".") + "."
