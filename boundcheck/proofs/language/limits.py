"""How much a file or a text of claims may ask for: beyond it nothing is read, so that no reader hangs or overflows.

Everything here looks at text alone, before it is parsed, in time linear in its length.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = 10_000
"""Most characters of one text: a statement, a hypothesis, a title."""
BRACKETS = 50
"""Most brackets inside of each other, and most signs in a row before a number."""
FILE_BRACKETS = 200
"""The same over a whole file, in which texts may leave some open."""
DIGITS = 200
"""Most digits of one number."""
EXPONENT = 100
"""Largest exponent that is a number."""
SUMMANDS = 300
"""Most terms written in one text, as sums, products and quotients: each is a step of a reader."""
OPERATIONS = 500
"""Most products, and most quotients, of one text."""
TERMS = 20_000
"""Most terms of an expression that is multiplied out."""
USES = 20
"""Most files that a file uses, directly or not."""

_TOKEN = re.compile(r"\w+|\*\*|.", re.DOTALL)
_WORD = re.compile(r"\w")
_BRACKET = re.compile(r"[][(){}]")
_EXPONENT = re.compile(r"(?:\^|\*\*)\s*(?:-?\s*(\d+)|\(\s*-?\s*(\d+)\s*(/\s*\d+)?\s*\))")


def require_nesting(text: str, where: str, most: int = BRACKETS) -> None:
    """Refuse brackets inside of more than `most` others, in the text of a file or of an expression.

    Raises
    ------
    InputError
        Naming what it is about, and the limit.
    """
    depth = 0
    # Whatever stands between brackets is passed over: to import the ledger asks this of five thousand texts.
    for sign in _BRACKET.findall(text):
        if sign not in "([{":
            depth = max(depth - 1, 0)
        elif (depth := depth + 1) > most:
            require(False, f"{where}: nesting", depth, f"at most {most} brackets inside of each other")  # noqa: FBT003


def require_shallow(data: object, where: str) -> None:
    """Refuse tables and lists inside of more than `BRACKETS` others, and keys with characters that are not printed.

    Raises
    ------
    InputError
        Naming what it is about, and the limit.
    """
    level, depth = [data], 0
    while level:
        legal = f"at most {BRACKETS} tables and lists inside of each other"
        require(depth <= BRACKETS, f"{where}: depth", depth, legal)
        for key in (key for one in level if isinstance(one, dict) for key in one):
            require_printable(str(key), f"{where}: key")
        inner = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, (dict, list)))
        level, depth = [part for parts in inner for part in parts], depth + 1


def used_file(name: str, user: Path, shipped: Path, read: list[Path]) -> Path:
    """Return the file that a claim file uses, beside it or shipped, and note it among those that are read.

    Parameters
    ----------
    name : str
        As it stands in ``uses``.
    user : Path
        The file that uses it.
    shipped : Path
        Folder of the shipped files.
    read : list of Path
        The files that were read so far, the first one too; the one that is returned is added.

    Raises
    ------
    InputError
        If the name leads out of the folder, there is no such file, it was read before, or more than `USES` are used.
    """
    leads_out = name.startswith(("/", "\\", "~")) or ".." in re.split(r"[/\\]", name) or re.match(r"[A-Za-z]:", name)
    require(not leads_out, "uses", name, "a file beside this one or a shipped proof: no .., no absolute path")
    beside = user.parent / name
    path = (beside if beside.exists() else shipped / name).resolve()
    own = sorted(file.name for file in shipped.glob("*.toml"))
    require(path.is_file(), "uses", name, f"a file beside this one, or one of {', '.join(own)}")
    require(path not in read, "uses", name, "a file that is used once, and not by itself")
    require(len(read) <= USES, "uses", name, f"at most {USES} files in all")
    read.append(path)
    return path


def require_printable(text: str, where: str) -> None:
    """Refuse characters that are not printed as they stand: controls, escapes, line ends, marks of direction.

    Raises
    ------
    InputError
        Naming the character by its number, never as it is.
    """
    if not text.isprintable():
        found = next(c for c in text if not c.isprintable())
        require(False, f"{where}: character", f"U+{ord(found):04X}", "printable characters")  # noqa: FBT003


def require_ascii(text: str, where: str) -> None:
    """Refuse letters and signs beyond ASCII in statements: some look like others, as the Cyrillic a and o do.

    Raises
    ------
    InputError
        Naming the character and its Unicode name.
    """
    require_printable(text, where)
    found = next((c for c in text if not c.isascii()), None)
    named = found and f"{found} (U+{ord(found):04X} {unicodedata.name(found, 'without a name')})"
    legal = "ASCII letters, digits and signs; Greek letters by their names"
    require(found is None, f"{where}: character", named, legal)


def require_modest(text: str, where: str = "expression") -> None:
    """Refuse a text that takes too long to read, or whose expressions are too large when multiplied out.

    Parameters
    ----------
    text : str
        Expressions with words and relations between them.
    where : str
        What a message starts with.

    Raises
    ------
    InputError
        Naming the part that is too large and the limit.
    """
    require(len(text) <= TEXT, f"{where}: length", len(text), f"at most {TEXT} characters")
    require_nesting(text, where)
    for number in re.findall(r"\d+", text):
        require(len(number) <= DIGITS, f"{where}: digits", len(number), f"numbers of at most {DIGITS} digits")
    found = re.search(rf"(?:[-+]\s*){{{BRACKETS + 1}}}", text)
    require(found is None, f"{where}: signs in a row", found and len(found[0]), f"at most {BRACKETS}")
    tower = re.search(r"(?:\^|\*\*)\s*\w+\s*(?:\^|\*\*)", text)
    require(tower is None, f"{where}: power", tower and tower[0], "with brackets, where an exponent is a power")
    for sign in "*/":
        count = text.count(sign)
        require(count <= OPERATIONS, f"{where}: {sign}", count, f"at most {OPERATIONS} in one text")
    _Size(where).of(text)


class _Size:
    """Counts the terms of expressions once multiplied out, bracket by bracket, without recursion.

    A sum has the terms of its parts together, a product their product, a power of n as many as there are monomials of
    that degree; a root is one term.  What is no operation (a comma, a relation) begins anew.
    """

    def __init__(self, where: str) -> None:
        self.where = where

    def of(self, text: str) -> int:
        """Return the most terms of an expression in a text; an error beyond the limits."""
        stack, largest, before = [_Sum()], 0, ""
        powers = _EXPONENT.finditer(text)
        exponents = {power.start(): power for power in powers}
        place = 0
        while place < len(text):
            found = exponents.get(place) or _TOKEN.match(text, place)
            place = found.end() if found else place + 1
            token = found[0] if found else " "
            top = stack[-1]
            if token[0] == "^" or token[:2] == "**":
                top.factor = self._power(top.factor, found) if found and found.re is _EXPONENT else max(top.factor, 1)
            elif token in "([{":
                if before == ")" or _WORD.match(before):
                    top.multiply(self._within)
                stack.append(_Sum())
            elif token in ")]}":
                size = self._within(stack.pop().total)
                stack = stack or [_Sum()]
                stack[-1].factor = max(size, stack[-1].factor, 1)
            elif token in "*/":
                top.multiply(self._within)
            elif token in "+-":
                top.done, top.product, top.factor = self._within(top.total), 1, 0
                top.summands += 1
                require(top.summands <= SUMMANDS, f"{self.where}: summands", top.summands, f"at most {SUMMANDS}")
            elif _WORD.match(token):
                top.factor = max(top.factor, 1)
            elif token not in "|<> ":
                largest, stack[-1] = max(largest, top.total), _Sum()
            before = token if token != " " else before
        return max(largest, *(self._within(top.total) for top in stack))

    def _power(self, terms: int, exponent: re.Match[str]) -> int:
        number = int(exponent[1] or exponent[2])
        require(number <= EXPONENT, f"{self.where}: exponent", number, f"at most {EXPONENT}")
        if exponent[3] is not None:
            return 1
        return self._within(comb(max(terms, 1) + number - 1, number) if number else 1)

    def _within(self, terms: int) -> int:
        if terms > TERMS:
            require(False, f"{self.where}: terms", terms, f"at most {TERMS} once multiplied out")  # noqa: FBT003
        return terms


@dataclass
class _Sum:
    """Terms of a sum that is being read: of its parts so far, of the product so far, of its last factor."""

    done: int = 0
    product: int = 1
    factor: int = 0
    summands: int = 1

    def multiply(self, within: Callable[[int], int]) -> None:
        """Take the last factor into the product, within the limit."""
        self.product, self.factor = within(self.product * max(self.factor, 1)), 0

    @property
    def total(self) -> int:
        """Terms so far."""
        return self.done + (self.product * self.factor if self.factor else 0)
