"""What the audit found wrong in the papers: a file a paper beside this one, read and checked.

The tables of docs/findings.md, the gallery, the report and the command `findings` are made of it.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from boundcheck.errors import InputError, require
from boundcheck.files.display import shows
from boundcheck.findings.places import place_words, with_sections
from boundcheck.glossary import plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

PAPERS = ("momentum-fl", "fedlalr", "fmgda", "fedglomo", "gradma")
"""In the order of the page."""
SEVERITIES = {
    "statement": "what a theorem, corollary or lemma says",
    "step": "a line of a proof or a prescribed parameter; the statement may survive",
    "sentence": "what the text says about its theorems",
}
"""How much a finding is about."""
KINDS = {
    "substance": "nothing else that is printed mends it",
    "slip": "a slip of the pen: another line of the paper, or its own numbers, have it right",
    "heir": "it follows from another finding and goes with it",
    "reading": "the natural reading of the text mends it, or an assumption that is commonly understood",
}
"""What kind of fault a finding is."""
KINDS_BY_WEIGHT = ("substance", "slip", "reading", "heir")
"""Of several faults of a bound the first one counts."""
LABELS = {
    "printed": "printed",
    "shown": "shown by",
    "instead": "write instead",
    "means": "what it means",
}
"""Keys of a file that the tables have a column for, and what stands above it, beside the place."""
_REQUIRED = ("id", "severity", "kind", "place", "answer")
_LEGAL = (*_REQUIRED, "date", "heir_of", "false", *LABELS, "grows")


@shows("id", "severity", "kind", "where", "says")
class Finding(NamedTuple):
    """A finding; its texts are plain, without the marks of Markdown."""

    id: str
    """Its study, or the first claim that shows it."""
    paper: str
    severity: str
    """An entry of `SEVERITIES`."""
    where: str
    """Theorem, equation or section."""
    says: dict[str, str]
    """What is printed, what shows that it is wrong, what to write instead, what it means."""
    names: tuple[str, ...]
    """Claims, bounds and studies that it names."""
    kind: str
    """An entry of `KINDS`."""
    heir_of: str
    """The finding from which an heir follows, else nothing."""
    false: tuple[str, ...]
    """Bounds that are false as printed by it."""
    answer: str
    """What its authors are likely to answer, and how far that carries: our guess, none of them was asked."""
    grows: str
    """What becomes larger from one instance of its script to the next, besides the ratio; empty for one problem."""
    written: dict[str, str]
    """Place and what `says` has, by their keys in the file, as Markdown."""
    date: str = ""
    """The day on which it was noted first, YYYY-MM-DD."""

    @property
    def cite_key(self) -> str:
        """Under which key it is cited: the same in every release."""
        return f"boundcheck:{self.id}"


@cache
def findings() -> tuple[Finding, ...]:
    """Return all findings in the order of the page.

    Raises
    ------
    InputError
        If a file has an unknown heading or key, a value that is not legal, or an id twice.
    """
    folder = files("boundcheck.findings")
    # A file that no paper has would be left out in silence.
    named = {f"{paper.replace('-', '_')}.toml" for paper in PAPERS}
    for file in folder.iterdir():
        is_known = not file.name.endswith(".toml") or file.name in named
        require(is_known, "file of findings", file.name, ", ".join(sorted(named)))
    found = [one for paper in PAPERS for one in read_findings(folder / f"{paper.replace('-', '_')}.toml", paper)]
    ids = [one.id for one in found]
    for one in found:
        require(ids.count(one.id) == 1, f"finding of {one.paper}: id", one.id, "an id of its own")
        legal = f"a finding that is no heir: {', '.join(other.id for other in found if other.kind != 'heir')}"
        origin = [other for other in found if other.id == one.heir_of and other.kind != "heir"]
        require(not one.heir_of or bool(origin), f"finding {one.id}: heir_of", one.heir_of, legal)
    return tuple(found)


def read_findings(file: Traversable, paper: str) -> list[Finding]:
    """Return the findings of a file.

    Parameters
    ----------
    file : Traversable
        A TOML file with tables ``[[finding]]``.
    paper : str
        The paper that they are about.

    Raises
    ------
    InputError
        If it has an unknown heading or key, or a value that is not legal.
    """
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file.name}: {error}") from error
    for heading in tables:
        require(heading == "finding", f"{file.name}: heading", heading, "[[finding]]")
    return [_finding(table, paper, f"{file.name}: finding {k + 1}") for k, table in enumerate(tables["finding"])]


def false_bounds() -> dict[str, bool]:
    """Return the bounds that are false as printed, and whether in substance: such a fault outweighs a slip."""
    found: dict[str, bool] = {}
    for one in findings():
        for bound in one.false:
            found[bound] = found.get(bound, False) or one.kind == "substance"
    return found


def fault_kinds() -> dict[str, str]:
    """Return the bounds that are false as printed, each with the kind of its weightiest fault, an entry of `KINDS`."""
    weight = {kind: i for i, kind in enumerate(KINDS_BY_WEIGHT)}
    found: dict[str, str] = {}
    for one in findings():
        for bound in one.false:
            found[bound] = min(found.get(bound, one.kind), one.kind, key=weight.__getitem__)
    return found


def headline() -> str:
    """Return in a line how many printed bounds are false, and how many of them in substance."""
    found = list(false_bounds().values())
    return (
        f"{len(found)} printed bounds are false: {found.count(True)} in substance, "
        f"{found.count(False)} by a slip or when read literally"
    )


def page_address(one: Finding) -> str:
    """Return where a finding stands in the documentation: the anchor of its section in the gallery."""
    return f"docs/gallery.md#{anchor(one.id)}"


def anchor(heading: str) -> str:
    """Return the anchor of a heading: lower case, hyphens for blanks, no other marks."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _finding(table: Mapping[str, Any], paper: str, where: str) -> Finding:
    for key, value in table.items():
        require(key in _LEGAL, f"{where}: key", key, ", ".join(_LEGAL))
        is_names = key == "false" and isinstance(value, list) and all(isinstance(name, str) for name in value)
        require(
            is_names if key == "false" else isinstance(value, str),
            f"{where}: {key}",
            value,
            "a list of bounds" if key == "false" else "a text",
        )
    for key in _REQUIRED:
        require(bool(table.get(key)), f"{where}: {key}", table.get(key, "missing"), "a text")
    for key, words in (("severity", SEVERITIES), ("kind", KINDS)):
        require(table[key] in words, f"{where}: {key}", table[key], ", ".join(words))
    date = table.get("date", "2000-01-01")
    require(re.fullmatch(r"\d{4}-\d\d-\d\d", date) is not None, f"{where}: date", date, "a day, YYYY-MM-DD")
    heir = table.get("heir_of", "")
    is_heir = table["kind"] == "heir"
    require(bool(heir) == is_heir, f"{where}: heir_of", heir, "the id of a finding for an heir, else nothing")
    written = {key: with_sections(paper, table[key]) for key in LABELS if table.get(key)}
    written = {"place": place_words(paper, table["place"]), **written}
    return Finding(
        id=table["id"],
        paper=paper,
        severity=table["severity"],
        where=plain(written["place"]),
        says={label: plain(written[key]) for key, label in LABELS.items() if key in written},
        names=tuple(dict.fromkeys(re.findall(rf"`({paper}[.\-][\w.-]+)`", " ".join(written.values())))),
        kind=table["kind"],
        heir_of=heir,
        false=tuple(table.get("false", ())),
        answer=plain(with_sections(paper, table["answer"])),
        grows=plain(table.get("grows", "")),
        written=written,
        date=table.get("date", ""),
    )
