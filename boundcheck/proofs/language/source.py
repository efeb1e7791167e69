"""A claim file as text: its tables and keys, and the line of what an error is about."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from boundcheck.errors import InputError
from boundcheck.proofs.language.texts import entries, text_of, texts_of, toml_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

HERE = Path(__file__).parents[1] / "papers" / "whole"
"""The shipped proofs: claim files as well."""
EQUATIONS = {"start": "start", "equations": "method", "definitions": "definition"}
"""Tables of equations, with the kind of what they hold."""
TABLES = ("letters", "conditions", "vectors", "numbers", *EQUATIONS)
"""Tables with a line for each name."""
LISTS = ("shows", "given", "letters", "hypotheses")
"""Keys of a claim that stands alone with a text, whose parts a semicolon separates, or a list of texts."""
FORMULA = "formula"
"""A key of older files: a line that was printed and not decided; read as prose."""
_WORDS = ("title", "about", "uses", "method", "hyper", "points", "kind", "claim", "induction", "vanishing")
"""Keys whose values hold no letters that may have a value."""
KEYS = {
    "": ("title", "about", "uses", "method", "hyper", "indices", *TABLES, "leaf", "claim", "theorem"),
    "short": ("title", "about", "letters", "as", "claim"),
    "leaf": ("title", "says", "points", "kind", "claim"),
    "theorem": ("steps", "base", "roots", "pieces", "letters", "at"),
    "claim": ("title", "shows", "steps", "base", "induction", "vanishing"),
    "alone": ("title", "prose", "as", "kind", "weight", "steps", "goal", "repaired_by", *LISTS),
}
"""The keys of a file with a proof, of one in which every claim stands alone, of its tables, and of a claim alone."""
_FUNCTION = re.compile(r"\b(sqrt|exp|log|sin|cos|abs|max|deviation|sampled|E)\s*\(")
_MINIMUM = re.compile(r"\b(min)\s*\(")
"""Functions of numbers that the statements of a proof do not have; a minimum they have after ``if``."""
HINTS = {
    "given": "what is given stands after 'if' in shows",
    "if": "what is given stands after 'if' in shows",
    "for": "indices stand after 'for' in shows",
    "prose": "words stand in title",
    "where": "the place stands in brackets at the end of title",
    "says": "a claim shows, a leaf says",
    "assumptions": "an assumption is a [leaf.ID] that says a relation",
    "sequences": "sequences are declared in [vectors] and [numbers]",
    "assumption": "an assumption is a [leaf.ID] that says a relation",
    "lemma": "a lemma is a [claim.ID] that shows a relation",
}
"""What to write in the place of keys that one might try."""


class FileError(InputError):
    """Something in a claim file is not legal; names the file and the line."""


@dataclass(frozen=True)
class Source:
    """A file that is read: its name and text, which errors point to."""

    path: Path
    text: str
    data: Mapping[str, Any]
    short: bool = False
    """Whether every claim stands alone."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What is put for horizons and sizes."""

    def fail(self, message: object, about: Mapping[str, Any]) -> NoReturn:
        """Raise FileError with the file and the line of what a message is about."""
        msg = f"{self.path}{line_of(self.text, about, str(message))}: {message}"
        raise FileError(msg) from None

    def locate_errors(self, make: Callable[[], Any], about: Mapping[str, Any]) -> Any:
        """Return what `make` returns, an error being given the file and the line of what it is about."""
        try:
            return make()
        except FileError:
            raise
        except InputError as error:
            self.fail(error, about)

    def tables(self, key: str, legal: str) -> dict[str, Any]:
        """Return what is in a table, perhaps nothing."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.fail(f"{key} is not legal as it stands: {legal}", {})
        return value

    def table(self, key: str) -> dict[str, str]:
        """Return a table of texts."""
        found = self.tables(key, f"a table [{key}]").items()
        return {name: self.locate_errors(partial(text_of, one, name), {"id": name}) for name, one in found}

    def value(self, key: str) -> str:
        """Return a text at the top of the file."""
        return self.locate_errors(partial(text_of, self.data[key], key), {"id": key}) if key in self.data else ""

    def entries(self, kind: str, letters: Container[str] = ()) -> list[dict[str, Any]]:
        """Return the tables ``[KIND.ID]``, each with its id; `letters` are no functions, whatever their names."""
        tables = self.tables(kind, f"tables [{kind}.ID]")
        found = self.locate_errors(lambda: list(entries(tables)), {"id": kind})
        return [self._entry(kind, id_, entry, letters) for id_, entry in found]

    def _entry(self, kind: str, id_: str, entry: dict[str, Any], letters: Container[str]) -> dict[str, Any]:
        alone = kind == "claim" and (self.short or stands_alone(entry, letters))
        if alone and FORMULA in entry:
            entry = self._without_formula(entry, id_)
        self.require_keys(entry, "alone" if alone else kind, id_)
        read = {key: texts_of if alone and key in LISTS else text_of for key in entry}
        return {"id": id_, "alone": alone} | {
            key: self.locate_errors(partial(read[key], value, key), {"id": id_, key: str(value)})
            for key, value in entry.items()
        }

    def _without_formula(self, entry: dict[str, Any], id_: str) -> dict[str, Any]:
        """Return an entry of an older file with its `formula` as words, and warn: what is decided is printed now."""
        warnings.warn(
            f"{self.path.name}: claim {id_!r}: formula is no longer printed as a formula, since nothing decides it:"
            " what `shows` says is printed; call it `prose`, or leave it out",
            FutureWarning,
            stacklevel=6,
        )
        return {"prose": entry[FORMULA]} | {key: value for key, value in entry.items() if key != FORMULA}

    def require_keys(self, entry: Mapping[str, Any], kind: str, id_: str = "") -> None:
        """Raise FileError at a key that is not one of its kind."""
        for key in entry:
            if key not in KEYS[kind]:
                hint = f"; {HINTS[key]}" if key in HINTS else ""
                legal = ", ".join(KEYS[kind])
                self.fail(f"unknown key {key!r}{hint}; legal are {legal}", {"id": id_, key: key})


def source_of(path: Path, values: Mapping[str, str] | None = None, *, short: bool = False) -> Source:
    """Return a claim file as text; a table ``[PAPER.NAME]`` of an older short file is read as ``[claim.PAPER.NAME]``.

    Raises
    ------
    FileError
        If it cannot be read.
    """
    try:
        text, data = toml_of(path)
    except InputError as error:
        raise FileError(str(error)) from None
    short = short or is_short(data)
    if short and (former := former_tables(data)):
        others = {key: one for key, one in data.items() if key not in former}
        data = others | {"claim": {key: data[key] for key in former}}
    put = {key: _put_values(key, one, values) for key, one in data.items()} if values else data
    return Source(path, text, put, short, values or {})


def is_claim_file(path: Path) -> bool:
    """Return whether a file is there and has claims, or declares what only claims speak of."""
    if not path.is_file():
        return False
    _, data = toml_of(path)
    return any(key in data for key in ("claim", "leaf", "theorem")) or (is_short(data) and bool(former_tables(data)))


def is_short(data: Mapping[str, Any]) -> bool:
    """Return whether every claim of a file stands alone: it declares nothing of a proof, and its letters in a text."""
    proof = [key for key in data if key in KEYS[""] and key not in KEYS["short"]]
    return not proof and not isinstance(data.get("letters"), dict) and ("about" in data or "letters" in data)


def former_tables(data: Mapping[str, Any]) -> list[str]:
    """Return the tables of an older short file: ``[PAPER.NAME]`` stands where now ``[claim.PAPER.NAME]`` does."""
    if "claim" in data:
        return []
    return [key for key, one in data.items() if isinstance(one, dict) and key not in KEYS[""]]


def former_note(path: Path) -> str:
    """Return what to say of a file with the tables of older ones; nothing of another."""
    _, data = toml_of(path)
    former = former_tables(data) if is_short(data) else []
    return f"{path.name}: [{former[0]}.NAME] is read as [claim.{former[0]}.NAME]; write so" if former else ""


def stands_alone(entry: Mapping[str, Any], letters: Container[str] = ()) -> bool:
    """Return whether a claim of a proof is decided on its own: it has no steps, and functions or letters of its own."""
    if any(key in entry for key in ("steps", "base", "induction", "vanishing")):
        return False
    return "letters" in entry or bool(functions_in(str(entry.get("shows", "")), letters))


def functions_in(shows: str, letters: Container[str] = ()) -> list[str]:
    """Return the functions of numbers, such as roots, that a statement has and the statements of a proof do not."""
    names = _FUNCTION.findall(shows) + _MINIMUM.findall(shows.partition(" if ")[0])
    return [name for name in names if name not in letters]


def _put_values(key: str, value: Any, values: Mapping[str, str]) -> Any:
    """Return a part of a claim file with values for letters; titles, names and declarations of letters stay."""
    if isinstance(value, dict):
        return {
            (_put_text(name, values) if key == "letters" and "," in name else name): (
                one if key == "letters" else _put_values(name, one, values)
            )
            for name, one in value.items()
        }
    return value if not isinstance(value, str) or key in _WORDS else _put_text(value, values)


def _put_text(text: str, values: Mapping[str, str]) -> str:
    """Put values for letters, also after a sign; an id such as ``a-sign`` is one name."""
    letter = r"(?<![\w.])(?<![\w.]-)[A-Za-z_]\w*(?![\w-]*\()"
    return re.sub(letter, lambda match: values.get(match[0], match[0]), text)


def line_of(text: str, entry: Mapping[str, Any], message: str) -> str:
    """Return ``:LINE`` of the value that a message is about: the one it quotes, else that of the entry's id."""
    id_ = re.escape(entry.get("id", ""))
    start = re.search(rf"""^(\[(?:\w+\.)?["']?{id_}["']?\]|["']?{id_}["']?\s*=)""", text, re.MULTILINE) if id_ else None
    values = {key: value for key, value in entry.items() if key != "id" and isinstance(value, str)}
    words = re.findall(r"'([^']+)'", message)
    quoted = [v for v in values.values() if v in message or any(word in v for word in words)]
    for value in quoted:
        spaced = r"\s+".join(map(re.escape, value.split()))
        if found := re.compile(spaced).search(text, start.start() if start else 0):
            return f":{text.count(chr(10), 0, found.start()) + 1}"
    return f":{text.count(chr(10), 0, start.start()) + 1}" if start else ""
