"""The shipped pages that commands read: the words of the glossary and the tables of findings."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from boundcheck.resources import folder

GLOSSARY, FINDINGS = "glossary.md", "findings.md"
"""Pages of `docs` that are shipped with the package."""
SEVERITIES = {
    "statement": "what a theorem, corollary or lemma says",
    "step": "a line of a proof or a prescribed parameter; the statement may survive",
    "sentence": "what the text says about its theorems",
}
"""How much a finding is about."""
_HEADINGS = {
    "Statements that are false as printed": "statement",
    "What changes the theorem": "statement",
    "Parameters that contradict the lemmas": "step",
    "Steps that are false as printed": "step",
    "Sentences that the paper's own formulas contradict": "sentence",
    "Where the theorem speaks": "sentence",
    "What the lemma does not say": "sentence",
}
_LABELS = {
    "printed": "printed",
    "says": "printed",
    "shown by": "shown by",
    "shown by (measured / claimed)": "shown by",
    "refuted by": "shown by",
    "but": "shown by",
    "write instead": "write instead",
    "what it means": "what it means",
}


class Word(NamedTuple):
    """An entry of the glossary."""

    term: str
    meaning: str
    code: str


class Finding(NamedTuple):
    """A row of a table of the findings page."""

    id: str
    """Its study, or the first claim that shows it."""
    paper: str
    severity: str
    where: str
    """Theorem, equation and line."""
    says: dict[str, str]
    """What is printed, what shows that it is wrong, what to write instead, what it means."""
    names: tuple[str, ...]
    """Claims, bounds and studies that it names."""


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
def words() -> dict[str, Word]:
    """Return the glossary by term."""
    lines = page(GLOSSARY).splitlines()
    heads = {i - 1 for i, line in enumerate(lines) if line.startswith("|---")}
    rows = [cells(line) for i, line in enumerate(lines) if line.startswith("| ") and i not in heads]
    # Endings of names have a table of their own, without a column for code.
    return {plain(term): Word(plain(term), plain(meaning), plain(" ".join(code))) for term, meaning, *code in rows}


@cache
def findings() -> tuple[Finding, ...]:
    """Return all findings in the order of the page."""
    found: list[Finding] = []
    paper = severity = ""
    head: list[str] = []
    for line in page(FINDINGS).splitlines():
        if line.startswith("## "):
            named = re.search(r"\(`([\w-]+)`\)", line)
            paper, severity, head = named[1] if named else "", "", []
        elif line.startswith("### "):
            severity, head = _HEADINGS.get(line[4:].strip(), ""), []
        elif line.startswith("|") and paper and severity and not set(line) <= set("|-: "):
            row = cells(line)
            if head:
                found.append(_finding(paper, severity, dict(zip(head, row, strict=True))))
            head = head or row
    return tuple(found)


def page_address(one: Finding) -> str:
    """Return where a finding stands in the documentation: the anchor of its section in the gallery."""
    return f"docs/gallery.md#{anchor(one.id)}"


def anchor(heading: str) -> str:
    """Return the anchor of a heading: lower case, hyphens for blanks, no other marks."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _finding(paper: str, severity: str, row: dict[str, str]) -> Finding:
    every = " ".join(row.values())
    names = tuple(dict.fromkeys(re.findall(rf"`({paper}[.\-][\w.-]+)`", every)))
    studies = re.findall(r"study `([\w-]+)`", every)
    script = re.search(r"findings/(\w+)\.py", every)
    first = studies[0] if studies else script[1].replace("_", "-") if script else names[0] if names else ""
    says = {_LABELS.get(key, key): plain(value) for key, value in row.items() if key != "where" and value}
    return Finding(first or f"{paper}: {plain(row['where'])}", paper, severity, plain(row["where"]), says, names)
