"""What files of claims and of proofs have in common: tables by id, texts on several lines, texts of several parts."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require
from boundcheck.files.plain import text_of_file
from boundcheck.proofs.language.limits import (
    FILE_BRACKETS,
    require_modest,
    require_nesting,
    require_printable,
    require_shallow,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PLACE = re.compile(r"(?:(.*) )?\[(.+)\]")
"""A title and, in brackets, where it is printed."""


def toml_of(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and what it holds, both within `boundcheck.proofs.language.limits`.

    Raises
    ------
    InputError
        If the file cannot be read, or asks for more; names it.
    """
    text = text_of_file(path)
    require_nesting(text, str(path), FILE_BRACKETS)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"{path}: {error}"
        raise InputError(msg) from None
    require_shallow(data, str(path))
    return text, data


def entries(tables: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each table with its id: what stands in its head, ``[claim.mine.a]``, after what the tables are in."""
    for name, table in tables.items():
        require(isinstance(table, dict), before + name, table, "in a table of its own")
        own = {key: value for key, value in table.items() if not isinstance(value, dict)}
        inner = {key: value for key, value in table.items() if isinstance(value, dict)}
        if own or not inner:
            yield before + name, own
        yield from entries(inner, f"{before}{name}.")


def text_of(value: object, where: str) -> str:
    """Return a text on one line, however many it is written on, within `boundcheck.proofs.language.limits`."""
    require(isinstance(value, str) and bool(value.strip()), where, value, "a text")
    text = " ".join(str(value).split())
    require_printable(text, where)
    require_modest(text, where)
    return text


def texts_of(value: object, where: str) -> tuple[str, ...]:
    """Return the texts of a list, or the parts of one text."""
    if isinstance(value, list):
        return tuple(text_of(item, where) for item in value)
    return parts_of(text_of(value, where))


def parts_of(text: str, by: str = ";") -> tuple[str, ...]:
    """Return the parts of a text, which a semicolon separates; a comma within brackets separates nothing."""
    found = re.split(r",(?![^\[]*\])" if by == "," else by, text)
    return tuple(part for part in map(str.strip, found) if part)


def split_conditions(text: str) -> tuple[str, ...]:
    """Return the conditions in a list: commas inside of brackets belong to one of them."""
    parts, depth = [""], 0
    for before, sign, after in zip(" " + text, text, text[1:] + " ", strict=False):
        depth += sign in "([" or (sign == "<" and after not in " =")
        depth -= sign in ")]" or (sign == ">" and before != " ")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return tuple(part.strip() for part in parts if part.strip())


def split_title(title: str) -> tuple[str, str]:
    """Return of ``what it says [where it is printed]`` both."""
    found = PLACE.fullmatch(title)
    return (found[1] or "", found[2]) if found else (title, "")
