"""What files of claims and of proofs have in common: tables by id, texts on several lines, texts of several parts."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PLACE = re.compile(r"(?:(.*) )?\[(.+)\]")
"""A title and, in brackets, where it is printed."""


def toml_of(path: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a TOML file and what it holds.

    Raises
    ------
    InputError
        If the file cannot be read; names it.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        msg = f"{path}: {error.strerror or error}"
    except UnicodeDecodeError:
        msg = f"{path}: not UTF-8 text"
    except tomllib.TOMLDecodeError as error:
        msg = f"{path}: {error}"
    raise InputError(msg)


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
    """Return a text on one line, however many it is written on."""
    require(isinstance(value, str) and bool(value.strip()), where, value, "a text")
    return " ".join(str(value).split())


def parts_of(text: str, by: str = ";") -> tuple[str, ...]:
    """Return the parts of a text, which a semicolon separates; a comma within brackets separates nothing."""
    found = re.split(r",(?![^\[]*\])" if by == "," else by, text)
    return tuple(part for part in map(str.strip, found) if part)


def placed(title: str) -> tuple[str, str]:
    """Return of ``what it says [where it is printed]`` both."""
    found = PLACE.fullmatch(title)
    return (found[1] or "", found[2]) if found else (title, "")


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
