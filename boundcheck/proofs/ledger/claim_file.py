"""Claim files of the ledger: a part of a paper in TOML, read into claims."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from boundcheck.errors import require
from boundcheck.proofs.language.claim import Claim, Kind, Weight
from boundcheck.proofs.language.printing import read_renaming
from boundcheck.proofs.language.stated import TextStatement
from boundcheck.proofs.language.texts import entries, parts_of, split_title, text_of, toml_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.proofs.language.claim import Goal

LISTS = ("shows", "given", "letters", "hypotheses")
"""Keys with a text, whose parts a semicolon separates, or a list of texts."""
KEYS = ("title", "prose", "as", "kind", "weight", "steps", "goal", "repaired_by", *LISTS)
OLD = "formula"
"""A key of older files: a line that was printed and not decided; read as prose."""
_LETTERS = re.compile(r"(?P<before>vectors |families |ones |noise |draw )?(?P<names>\w+(?:, \w+)*)(?P<after> .*)?")


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
    """Return the claims of a file, in its order.

    Parameters
    ----------
    path : str or Path
        A TOML file: ``about``; ``letters``, of which a claim without its own has those that it names; and a table
        ``[PAPER.NAME]`` for each claim with ``title``, what it says and in brackets where it is printed; ``shows`` with
        ``given`` and ``letters`` (see `boundcheck.proofs.language.stated.TextStatement`), or ``goal``, a module of
        boundcheck with a table ``GOALS`` of functions; ``as = "ekl -> eta*K*L"``, where what it shows is printed in
        other letters, for the whole file or a claim; ``prose`` for words that are not decided; ``kind`` and
        ``weight`` (`boundcheck.proofs.ledger.classes`); ``hypotheses``, ``steps``, ``repaired_by`` where there are
        any, by their names in the paper.

    Raises
    ------
    InputError
        If the file cannot be read, or a key or value is not legal; names the file, the claim and what would be.
    """
    path = Path(path)
    _, data = toml_of(path)
    tables = {key: value for key, value in data.items() if key not in ("about", "letters", "as")}
    legal = bool(tables) and all(isinstance(one, dict) for one in tables.values())
    require(legal, f"{path.name}: keys", ", ".join(data) or "none", "about, letters, as, and tables [PAPER.NAME]")
    letters = _texts(data.get("letters", []), f"{path.name}: letters")
    for line in letters:
        require(_LETTERS.fullmatch(line) is not None, f"{path.name}: letters", line, "names, then a sign: a, b > 0")
    renaming = _renaming(data.get("as"), f"{path.name}: as")
    return tuple(_claim(id_, entry, letters, renaming, f"{path.name}: claim {id_!r}") for id_, entry in entries(tables))


def _claim(
    id_: str, entry: Mapping[str, Any], common: tuple[str, ...], renaming: Mapping[str, str], here: str
) -> Claim:
    if OLD in entry:
        entry = _without_formula(entry, here)
    for key in entry:
        require(key in KEYS, f"{here}: key", key, ", ".join(KEYS))
    require(("shows" in entry) != ("goal" in entry), f"{here}: keys", ", ".join(entry), "either shows or goal")
    require("shows" in entry or "prose" in entry, f"{here}: keys", ", ".join(entry), "prose, beside goal")
    texts = {key: text_of(entry[key], f"{here}: {key}") for key in entry if key not in LISTS}
    lists = {key: _texts(entry.get(key, []), f"{here}: {key}") for key in LISTS}
    title, where = split_title(texts.get("title", ""))
    require(bool(title and where), f"{here}: title", texts.get("title"), "what it says, and in brackets where: a [l.7]")
    paper = id_.partition(".")[0]
    named = {key: _ids(paper, texts.get(key, "")) for key in ("steps", "repaired_by")}
    kind, weight = texts.get("kind", "printed line"), texts.get("weight", "")
    require(kind in get_args(Kind), f"{here}: kind", kind, ", ".join(get_args(Kind)))
    require(weight in get_args(Weight), f"{here}: weight", weight, "theorem, step")
    return Claim(
        id_,
        title,
        where,
        texts.get("prose", ""),
        goal=_goal(id_, texts, lists, common, here),
        hypotheses=lists["hypotheses"],
        repaired_by=next(iter(named["repaired_by"]), None),
        steps=named["steps"],
        renaming=_used({**renaming, **_renaming(texts.get("as"), f"{here}: as")}, lists),
        kind=cast("Kind", kind),
        weight=cast("Weight", weight),
    )


def _without_formula(entry: Mapping[str, Any], here: str) -> dict[str, Any]:
    """Return an entry of an older file with its `formula` as words, and warn: what is decided is printed now."""
    warnings.warn(
        f"{here}: formula is no longer printed as a formula, since nothing decides it: what `shows` says is printed; "
        "call it `prose`, or leave it out",
        FutureWarning,
        stacklevel=4,
    )
    rest = {key: value for key, value in entry.items() if key != OLD}
    return {"prose": entry[OLD], **rest}


def _renaming(text: object, here: str) -> dict[str, str]:
    return {} if text is None else read_renaming(text_of(text, here), here)


def _used(renaming: Mapping[str, str], lists: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the part of a renaming whose letters stand in a statement."""
    words = set(re.findall(r"\w+", " ".join((*lists["shows"], *lists["given"]))))
    return {letter: text for letter, text in renaming.items() if letter in words}


def _goal(
    id_: str, texts: Mapping[str, str], lists: Mapping[str, tuple[str, ...]], common: tuple[str, ...], here: str
) -> Callable[[], Goal]:
    if "goal" in texts:
        ours = texts["goal"].startswith("boundcheck.")
        require(ours, f"{here}: goal", texts["goal"], "a module of boundcheck; your own goals are claims in Python")
        return PythonGoal(texts["goal"], id_)
    letters = lists["letters"] or _declarations_in(common, " ".join((*lists["shows"], *lists["given"])))
    return TextStatement(lists["shows"], lists["given"], letters)


def _declarations_in(letters: tuple[str, ...], text: str) -> tuple[str, ...]:
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
