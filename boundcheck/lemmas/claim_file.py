"""Claim files of the ledger: a part of a paper in TOML, read into claims."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import Stated
from boundcheck.lemmas.texts import entries, parts_of, placed, text_of, toml_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.lemmas.claim import Goal

LISTS = ("shows", "given", "letters", "hypotheses")
"""Keys with a text, whose parts a semicolon separates, or a list of texts."""
KEYS = ("title", "formula", "steps", "goal", "repaired_by", *LISTS)
_LETTERS = re.compile(r"(?P<before>vectors |families |ones |noise |draw )?(?P<names>\w+(?:, \w+)*)(?P<after> .*)?")


@dataclass(frozen=True)
class Built:
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
    """Return the claims of a file, in its order.

    Parameters
    ----------
    path : str or Path
        A TOML file: ``about``; ``letters``, of which a claim without its own has those that it names; and a table
        ``[PAPER.NAME]`` for each claim with ``title``, what it says and in brackets where it is printed; ``shows`` with
        ``given`` and ``letters`` (see `boundcheck.lemmas.stated.Stated`), or ``goal``, a module of boundcheck with a
        table ``GOALS`` of functions; ``formula``, where what it shows is printed in other letters; ``hypotheses``,
        ``steps``, ``repaired_by`` where there are any, by their names in the paper.

    Raises
    ------
    InputError
        If the file cannot be read, or a key or value is not legal; names the file, the claim and what would be.
    """
    path = Path(path)
    _, data = toml_of(path)
    tables = {key: value for key, value in data.items() if key not in ("about", "letters")}
    legal = bool(tables) and all(isinstance(one, dict) for one in tables.values())
    require(legal, f"{path.name}: keys", ", ".join(data) or "none", "about, letters, and tables [PAPER.NAME]")
    letters = _texts(data.get("letters", []), f"{path.name}: letters")
    for line in letters:
        require(_LETTERS.fullmatch(line) is not None, f"{path.name}: letters", line, "names, then a sign: a, b > 0")
    return tuple(_claim(id_, entry, letters, f"{path.name}: claim {id_!r}") for id_, entry in entries(tables))


def _claim(id_: str, entry: Mapping[str, Any], common: tuple[str, ...], here: str) -> Claim:
    for key in entry:
        require(key in KEYS, f"{here}: key", key, ", ".join(KEYS))
    require(("shows" in entry) != ("goal" in entry), f"{here}: keys", ", ".join(entry), "either shows or goal")
    require("shows" in entry or "formula" in entry, f"{here}: keys", ", ".join(entry), "formula, beside goal")
    texts = {key: text_of(entry[key], f"{here}: {key}") for key in entry if key not in LISTS}
    lists = {key: _texts(entry.get(key, []), f"{here}: {key}") for key in LISTS}
    title, where = placed(texts.get("title", ""))
    require(bool(title and where), f"{here}: title", texts.get("title"), "what it says, and in brackets where: a [l.7]")
    paper = id_.partition(".")[0]
    named = {key: _ids(paper, texts.get(key, "")) for key in ("steps", "repaired_by")}
    return Claim(
        id_,
        title,
        where,
        texts.get("formula", "; ".join(lists["shows"]).replace("*", " ")),
        goal=_goal(id_, texts, lists, common, here),
        hypotheses=lists["hypotheses"],
        repaired_by=next(iter(named["repaired_by"]), None),
        steps=named["steps"],
    )


def _goal(
    id_: str, texts: Mapping[str, str], lists: Mapping[str, tuple[str, ...]], common: tuple[str, ...], here: str
) -> Callable[[], Goal]:
    if "goal" in texts:
        ours = texts["goal"].startswith("boundcheck.")
        require(ours, f"{here}: goal", texts["goal"], "a module of boundcheck; your own goals are claims in Python")
        return Built(texts["goal"], id_)
    letters = lists["letters"] or _named(common, " ".join((*lists["shows"], *lists["given"])))
    return Stated(lists["shows"], lists["given"], letters)


def _named(letters: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the declarations of those letters that stand in a text."""
    words, found = set(re.findall(r"\w+", text)), []
    for line in letters:
        match = _LETTERS.fullmatch(line)
        names = [name for name in match["names"].split(", ") if name in words] if match else []
        if match and names:
            found.append((match["before"] or "") + ", ".join(names) + (match["after"] or ""))
    return tuple(found)


def _ids(paper: str, text: str) -> tuple[str, ...]:
    return tuple(name if "." in name else f"{paper}.{name}" for name in parts_of(text, ","))


def _texts(value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(text_of(item, where) for item in value)
    return parts_of(text_of(value, where))
