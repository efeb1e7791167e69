"""Statements as text: what is shown, exported and hashed is the object that is decided.

A claim's statement is a list of lines, its hypotheses and its letters; `docs/lemmas.md` has the grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DECLARED = re.compile(r"(?P<before>vectors |families |ones |noise |draw )?(?P<names>\w+(?:, \w+)*)(?P<after> .*)?")
"""A declaration of letters: what they are, their names, and their sign or law."""


@dataclass(frozen=True)
class TextStatement:
    """A statement as text; `boundcheck.proofs.goals.goal_of` returns the goal that it spells.

    Parameters
    ----------
    shows : tuple of str
        What holds, a line each: ``a <= b``, ``a = b <= c``, ``a <= b if c <= d``, ``a <= b for k >= 1``,
        ``a < b for x in [0, 1]``, ``never a < b, b < a``, ``possible a < b``.
    given : tuple of str
        What is known in every line: relations between numbers; ``0 <= expression : multiplier`` for expressions with
        vectors, with the multiplier that they are used with.
    letters : tuple of str
        Letters that are not those of `boundcheck.notation`: ``a, b > 0``, ``c >= 0``, ``x real``, ``vectors u, v``,
        ``families g``, ``ones one``, ``noise e over N of sigma^2``, ``draw A of S from N``.
    """

    shows: tuple[str, ...]
    given: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()

    @property
    def names(self) -> set[str]:
        """The names that its letters declare."""
        found = (DECLARED.match(line) for line in self.letters)
        return {name for match in found if match for name in match["names"].split(", ")}

    @property
    def text(self) -> tuple[str, ...]:
        """The statement, a line each: for which letters, what is given, what it shows."""
        lines = (f"for {line}" for line in self.letters), (f"given {line}" for line in self.given)
        return (*lines[0], *lines[1], *self.shows)


def text_statement(*shows: str, given: tuple[str, ...] = (), letters: tuple[str, ...] = ()) -> TextStatement:
    """Return a statement; the parameters are those of `Stated`."""
    return TextStatement(shows, given, letters)


stated = text_statement
"""Its former name, which older code has."""
