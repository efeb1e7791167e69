"""The cards of `boundcheck show` as text for people: formulas typeset, prose with the letters and signs as printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boundcheck.cli.terminal.laying import is_formula, within
from boundcheck.cli.terminal.output import label_width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.cli.terminal.laying import Drawing

_AS_THEY_ARE = frozenset({"because", "bounds", "method", "falls with it", "replay", "repaired by", "where"})
"""Entries of names and code, in which nothing is a letter."""
_NAMES = re.compile(r"(\b[A-Za-z]\w+(?:[.\-]\w+)+|^  [\w, ]+(?: \{.*\})?: |``.+?``|`.+?`)", re.MULTILINE)
"""Names among prose, in which nothing is a letter either: fedlalr.theorem1-eps-printed, code, hyperparameters."""
_FORMULA = re.compile(r"``([^`]* [^`]*)``")
_FILLED = re.compile(r"^-+$")
_SECTION = re.compile(r"^(\w+)\n-+$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w, ]*) : (.*)\n +", re.MULTILINE)
_BOLD = re.compile(r"\*\*(\w+)\*\*")


def text_of(card: Mapping[str, Any], width: int | None) -> tuple[str, str, dict[str, str]]:
    """Return heading, status and entries of a card as text.

    Parameters
    ----------
    card : mapping
        As plain data, of `boundcheck.cli.cards.card_data`.
    width : int or None
        Columns that there are; None where lines may be of any length.
    """
    said = {key: value for key, value in card.items() if key not in {"heading", "status"}}
    room = None if width is None else width - label_width(said, width) - 4
    entries = {key: text for key, value in said.items() if (text := _entry(key, value, room))}
    return card["heading"], card.get("status", ""), entries


def _entry(key: str, value: Any, room: int | None) -> str:
    if key in _AS_THEY_ARE:
        return _lines(value, room, as_it_is=True)
    if key in {"card", "about the family"}:
        return prose(_FORMULA.sub(_spell_code, list_entries(join_paragraphs(str(value)))))
    return _lines(value, room)


def _lines(value: Any, room: int | None, *, as_it_is: bool = False) -> str:
    if is_formula(value):
        return within(value, room)
    if isinstance(value, dict):
        inner = None if room is None else room - 4
        return "\n".join(entry(k, _lines(v, inner, as_it_is=as_it_is)) for k, v in value.items())
    if isinstance(value, list) and len(value) == 2 and is_formula(value[0]):
        return _label_formula(value[0], str(value[1]), room)
    if isinstance(value, list):
        return "\n".join(_lines(v, room, as_it_is=as_it_is) for v in value)
    return str(value) if as_it_is else prose(str(value))


def _label_formula(drawing: Drawing, label: str, room: int | None) -> str:
    """Return a formula with words in parentheses behind it, where it is of one line, or below it."""
    typeset = within(drawing, room)
    if "\n" in typeset or (room is not None and len(typeset) + len(label) + 4 > room):
        return f"{label}:\n" + "\n".join(f"    {line}" for line in within(drawing, room and room - 4).splitlines())
    return f"{typeset}  ({label})"


def entry(name: str, text: str) -> str:
    """Return a named text; one of several lines starts below its name."""
    if "\n" not in text:
        return f"{name}: {text}"
    return "\n".join([f"{name}:", *(f"    {line}" for line in text.splitlines())])


def prose(text: str) -> str:
    """Return text in which letters and signs of formulas are printed, but not those within names."""
    from boundcheck.report.typst.markup import raise_powers

    pieces = _NAMES.split(text)
    pieces[::2] = [raise_powers(piece) for piece in pieces[::2]]
    return "".join(pieces)


def _spell_code(code: re.Match[str]) -> str:
    """Return a formula of a docstring as it is printed."""
    from boundcheck.report.typst.markup import raise_powers

    return raise_powers(code[1]).replace("<-", "←")


def join_paragraphs(text: str) -> str:
    """Return a docstring with a line for every paragraph: a terminal has a width of its own."""
    lines: list[str] = []
    for line in text.splitlines():
        last = lines[-1] if lines else ""
        ruled = _FILLED.match(line) or _FILLED.match(last)
        listed = re.match(r"[*-] |\[\d+\]", line.strip())
        if last.strip() and line.strip() and _indent(last) == _indent(line) and not ruled and not listed:
            lines[-1] = f"{last} {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def list_entries(text: str) -> str:
    """Return a docstring whose sections are lists, `name: what it is`; of types only a choice is said."""

    def spell_entry(found: re.Match[str]) -> str:
        names, kind = found.groups()
        return f"  {names} {kind}: " if kind.startswith("{") else f"  {names}: "

    text = text.replace("\nAttributes\n", "\nHyperparameters\n")
    return _BOLD.sub(r"\1", _ENTRY.sub(spell_entry, _SECTION.sub(r"\1:", text)))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
