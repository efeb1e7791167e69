"""Claims that stand alone, from their tables: a statement about numbers and vectors, decided without steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from boundcheck.errors import require
from boundcheck.proofs.language.claim import Claim, Kind, Weight
from boundcheck.proofs.language.printing import read_renaming
from boundcheck.proofs.language.source import source_of
from boundcheck.proofs.language.stated import DECLARED, TextStatement
from boundcheck.proofs.language.steps import Step
from boundcheck.proofs.language.texts import parts_of, split_title, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.proofs.language.claim import Goal, Statement
    from boundcheck.proofs.language.source import Source


@dataclass(frozen=True)
class PythonGoal:
    """A goal that is built in Python: a claim's entry in the table ``GOALS`` of a module.

    Parameters
    ----------
    module : str
        Dotted name, in boundcheck: a file from elsewhere runs no code.
    claim : str
        Claim id.
    """

    module: str
    claim: str

    def __call__(self) -> Goal:
        """Return the goal.

        Raises
        ------
        InputError
            If the table has no such claim.
        """
        goals: Mapping[str, Callable[[], Goal]] = import_module(self.module).GOALS
        require(self.claim in goals, f"{self.module}: claim", self.claim, ", ".join(goals))
        return goals[self.claim]()


def read_claims(path: str | Path) -> tuple[Claim, ...]:
    """Return the claims of a file in which every claim stands alone, in its order, as the ledger has them.

    Parameters
    ----------
    path : str or Path
        A claim file, of which `docs/claim-files.md` has the grammar; the title of each claim says where it is printed.

    Raises
    ------
    InputError
        If the file cannot be read, or a key or value is not legal; names the file, the line and what would be.
    """
    source = source_of(Path(path), short=True)
    source.require_keys(source.data, "short")
    common = common_letters(source)
    found = []
    for entry in source.entries("claim"):
        found.append(claim := source.locate_errors(partial(claim_alone, source, entry, common), entry))
        if not (claim.title and claim.where):
            legal = "what it says, and in brackets where: a [l.7]"
            source.fail(f"title = {entry.get('title')!r} is not legal: {legal}", entry)
    if not found:
        source.fail("no claim; legal are tables [claim.ID]", {})
    return tuple(found)


def common_letters(source: Source) -> tuple[str, ...]:
    """Return the declarations of letters at the top of a short file."""
    read = partial(texts_of, source.data.get("letters", []), "letters")
    found: tuple[str, ...] = source.locate_errors(read, {"id": "letters"})
    for line in found:
        if not DECLARED.fullmatch(line):
            source.fail(f"letters = {line!r} is not legal: names, then a sign: a, b > 0", {"id": "letters"})
    return found


def claim_alone(source: Source, entry: Mapping[str, Any], common: tuple[str, ...]) -> Claim:
    """Return the claim of an entry; of the `common` letters it has those that it names, if it declares none itself.

    Raises
    ------
    InputError
        If a value is not legal.
    """
    id_ = entry["id"]
    keys = ", ".join(key for key in entry if key not in ("id", "alone"))
    require(("shows" in entry) != ("goal" in entry), "keys", keys, "either shows or goal")
    require("shows" in entry or "prose" in entry, "keys", keys, "prose, beside goal")
    title, where = split_title(entry.get("title", ""))
    kind, weight = entry.get("kind", "printed line"), entry.get("weight", "")
    require(kind in get_args(Kind), "kind", kind, ", ".join(get_args(Kind)))
    require(weight in get_args(Weight), "weight", weight, "theorem, step")
    words = set(re.findall(r"\w+", " ".join((*entry.get("shows", ()), *entry.get("given", ())))))
    renaming = read_renaming(source.value("as"), "as") | read_renaming(entry.get("as", ""), "as")
    return Claim(
        id_,
        title,
        where,
        entry.get("prose", ""),
        goal=_goal(entry, _declarations_of(words, common)),
        hypotheses=entry.get("hypotheses", ()),
        repaired_by=next(iter(_ids(id_, entry.get("repaired_by", ""))), None),
        steps=tuple(map(Step, _ids(id_, entry.get("steps", "")))),
        renaming={letter: text for letter, text in renaming.items() if letter in words},
        kind=cast("Kind", kind),
        weight=cast("Weight", weight),
    )


def _goal(entry: Mapping[str, Any], letters: tuple[str, ...]) -> Statement:
    if "goal" not in entry:
        return TextStatement(entry["shows"], entry.get("given", ()), entry.get("letters", letters))
    ours = entry["goal"].startswith("boundcheck.")
    require(ours, "goal", entry["goal"], "a module of boundcheck; your own goals are claims in Python")
    return PythonGoal(entry["goal"], entry["id"])


def _declarations_of(words: set[str], letters: tuple[str, ...]) -> tuple[str, ...]:
    """Return the declarations of those letters that are among some words, or that a law of one of them speaks of."""
    found = []
    for match in map(DECLARED.fullmatch, reversed(letters)):
        names = [name for name in match["names"].split(", ") if name in words] if match else []
        if match and names:
            found.append((match["before"] or "") + ", ".join(names) + (match["after"] or ""))
            words = words | set(re.findall(r"[A-Za-z_]\w*", match["after"] or ""))
    return tuple(reversed(found))


def _ids(id_: str, text: str) -> tuple[str, ...]:
    """Return the ids that a text lists, those of the same paper with its name."""
    paper, dot, _ = id_.partition(".")
    names = [name for part in parts_of(text) for name in parts_of(part, ",")]
    return tuple(name if "." in name or not dot else f"{paper}.{name}" for name in names)
