"""The docstrings of methods, completed and taken apart."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.cli.cards.method_facts import communication

if TYPE_CHECKING:
    from boundcheck.methods import Method

_WIDTH = 116
"""Of a line of a class docstring."""
_LISTED = "\n\nAttributes\n----------\n"


def full_docstring(method: type[Method]) -> str:
    """Return the docstring of a method with what it leaves to the card and to the classes it inherits from.

    That is the paragraph on communication, the one on guarantees where there is none, and inherited hyperparameters.
    """
    text = (inspect.getdoc(method) or "").partition(_LISTED)[0]
    card, _, references = text.partition("\n\nReferences: ")
    body, _, guarantee = card.partition("\n\n**Guarantee**")
    sent = textwrap.fill(f"**Communication**: {communication(method.card)}", _WIDTH, break_on_hyphens=False)
    promised = f"**Guarantee**{guarantee or ': none in the papers under audit.'}"
    return "\n\n".join([body, sent, promised, f"References: {references}"]) + _LISTED + "\n".join(_attributes(method))


def _attributes(method: type[Method]) -> list[str]:
    """Return the entries for all hyperparameters, each from the nearest class that describes it."""
    known: dict[str, str] = {}
    for cls in method.__mro__:
        listed = inspect.cleandoc(cls.__doc__ or "").partition(_LISTED)[2]
        for entry in re.findall(r"^\S.*(?:\n(?:[ \t]+.*)?)*", listed, flags=re.MULTILINE):
            known = {**dict.fromkeys(entry.partition(" : ")[0].split(", "), entry.strip()), **known}
    fields = dataclasses.fields(method)  # type: ignore[arg-type]
    return list(dict.fromkeys(known.get(f.name, f"{f.name} : {f.type}\n    (not described)") for f in fields))


class DocstringParts(NamedTuple):
    """The description of a method, taken apart."""

    summary: str
    sections: dict[str, str]
    """Problem, Update, Communication and Guarantee, each on one line."""
    references: list[str]
    attributes: list[tuple[str, str, str]]
    """Names, type and meaning."""


def parts(method: type[Method]) -> DocstringParts:
    """Take the description of a method apart."""
    text, _, listed = full_docstring(method).partition(_LISTED)
    summary, *paragraphs = [" ".join(block.split()) for block in text.strip().split("\n\n")]
    sections = dict(_section(paragraph) for paragraph in paragraphs)
    cited = re.split(r" (?=\[\d+\] )", sections.pop("References", ""))
    entries = re.findall(r"^(\S[^:\n]*) : (.*)\n((?:[ \t]+.*\n?|\n)*)", listed, flags=re.MULTILINE)
    attributes = [(names, kind, " ".join(meaning.split())) for names, kind, meaning in entries]
    return DocstringParts(summary, sections, cited, attributes)


def _section(paragraph: str) -> tuple[str, str]:
    """Return the label of a paragraph and its text; what stands between label and colon belongs to the text."""
    found = re.match(r"(?:\*\*(\w+)\*\*|(\w+))\s*(\(.*?\))?(?:,\s*(.*?))?: (.*)", paragraph)
    assert found is not None, paragraph
    label = found[1] or found[2]
    before = found[3] or found[4]
    return label, f"{before.strip('()')}: {found[5]}" if before else found[5]
