"""The docstrings of methods as Markdown, a page a file: title, cost, update and hyperparameters of each."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from boundcheck.methods.base import Card, Method

_WIDTH = 120
_HARD = "\0"


class Parts(NamedTuple):
    """A class docstring, taken apart."""

    summary: str
    paragraphs: list[str]
    """From the problem to the guarantee, each on one line."""
    references: list[str]
    attributes: list[tuple[str, str, str]]
    """Names, type and meaning."""


def parts(method: type[Method]) -> Parts:
    """Take the docstring of a method apart."""
    text, _, listed = (inspect.getdoc(method) or "").partition("\nAttributes\n----------\n")
    summary, *paragraphs = [" ".join(block.split()) for block in text.strip().split("\n\n")]
    references = [p.removeprefix("References: ") for p in paragraphs if p.startswith("References: ")]
    cited = re.split(r" (?=\[\d+\] )", references[0]) if references else []
    entries = re.findall(r"^(\S[^:\n]*) : (.*)\n((?:[ \t]+.*\n?|\n)*)", listed, flags=re.MULTILINE)
    attributes = [(names, kind, " ".join(meaning.split())) for names, kind, meaning in entries]
    return Parts(summary, [p for p in paragraphs if not p.startswith("References: ")], cited, attributes)


def markdown(text: str) -> str:
    """Return a line of a docstring as Markdown: formulas as code, and nothing else that Markdown would read."""
    pieces = re.split(r"``(.+?)``", text)
    pieces[::2] = [re.sub(r"(?<!\*)\*(?!\*)|<(?=[A-Za-z/!])", r"\\\g<0>", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"`{piece}`" for piece in pieces[1::2]]
    return "".join(pieces)


def _filled(text: str, indent: str = "") -> str:
    """Break a line of Markdown, but not within its formulas, nor before what would begin a list or a quotation."""
    whole = re.sub(r"`.+?`", lambda code: code[0].replace(" ", _HARD), text)
    whole = re.sub(r" (?=([-+>=]|\d+[.)]) )", _HARD, whole)
    lines = textwrap.fill(whole, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return lines.replace(_HARD, " ")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _cost(card: Card) -> str:
    facts = {
        "paper": f"{card.paper}, {card.where}",
        "kind": card.kind,
        "gradients": card.gradients,
        "floats up": card.up,
        "floats down": card.down,
        "S < N": "yes" if card.partial else "no",
    }
    if card.needs:
        facts["needs"] = ", ".join(card.needs)
    return _table(list(facts), [list(facts.values())])


def _default(method: type[Method], names: str) -> str:
    """Return the defaults of hyperparameters, empty where one has none."""
    fields = {f.name: f for f in dataclasses.fields(method)}  # type: ignore[arg-type]
    values: dict[str, Any] = {name: fields[name].default for name in names.split(", ")}
    return ", ".join(f"`{name} = {value!r}`" for name, value in values.items() if value is not dataclasses.MISSING)


def section(method: type[Method]) -> str:
    """Return the part of a page about one method."""
    card, text = method.card, parts(method)
    rows = [
        [f"`{names.replace(', ', '`, `')}`", kind, _default(method, names), markdown(meaning)]
        for names, kind, meaning in text.attributes
    ]
    blocks = [
        f"## {card.id}: {card.title}",
        _filled(markdown(text.summary)),
        _cost(card),
        *(_filled(markdown(paragraph)) for paragraph in text.paragraphs),
        _table(["hyperparameter", "type", "default", "meaning"], rows),
        "\n".join(["References:", "", *(f"* {_filled(markdown(reference), '  ')}" for reference in text.references)]),
    ]
    return "\n\n".join(blocks)


def _families() -> Iterator[tuple[str, list[type[Method]]]]:
    """Yield the names of the files with their methods, both in the order of the registry."""
    found: dict[str, list[type[Method]]] = {}
    for method in METHODS.values():
        found.setdefault(method.__module__, []).append(method)
    yield from found.items()


def markdown_pages() -> dict[str, str]:
    """Return the pages by file name, one for every file of methods."""
    pages = {}
    for module, methods in _families():
        about, name = inspect.getdoc(sys.modules[module]) or "", module.rpartition(".")[2]
        title, *rest = [" ".join(block.split()) for block in about.split("\n\n")]
        legend = "Letters and units are those of the [table of all methods](../methods.md), which names the bounds too."
        source = f"This page shows the docstrings of `boundcheck.methods.{name}`."
        blocks = [
            f"# {markdown(title.rstrip('.'))}",
            *(_filled(markdown(block)) for block in rest),
            _filled(f"{source} {legend}"),
        ]
        pages[f"{name}.md"] = "\n\n".join([*blocks, *map(section, methods)]) + "\n"
    return pages


def write_pages(folder: Path) -> None:
    """Write the pages to a folder, and remove pages of files that are no more."""
    pages = markdown_pages()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text)
