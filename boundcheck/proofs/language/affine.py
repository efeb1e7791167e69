"""Indices: whole-number combinations of index letters and horizons, and what is known of their ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from boundcheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.language.grammar import Node

ONE = ""
"""Key of the constant part."""


@dataclass(frozen=True)
class Affine:
    """An index such as ``t + 1``, ``K - 2`` or 0: letters with whole coefficients, sorted."""

    parts: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(values: Mapping[str, int]) -> Affine:
        """Return the index with these coefficients."""
        return Affine(tuple(sorted((k, v) for k, v in values.items() if v)))

    @staticmethod
    def letter(name: str) -> Affine:
        """Return the index that is one letter."""
        return Affine(((name, 1),))

    @staticmethod
    def number(value: int) -> Affine:
        """Return a constant index."""
        return Affine.of({ONE: value})

    def __add__(self, other: Affine | int) -> Affine:
        other = Affine.number(other) if isinstance(other, int) else other
        total = dict(self.parts)
        for name, value in other.parts:
            total[name] = total.get(name, 0) + value
        return Affine.of(total)

    def __sub__(self, other: Affine | int) -> Affine:
        return self + (-other if isinstance(other, int) else other.times(-1))

    def times(self, factor: int) -> Affine:
        """Return the index times a whole number."""
        return Affine.of({name: factor * value for name, value in self.parts})

    @property
    def letters(self) -> set[str]:
        """Return the letters that occur."""
        return {name for name, _ in self.parts if name != ONE}

    @property
    def constant(self) -> int | None:
        """Return the value of an index without letters."""
        return None if self.letters else dict(self.parts).get(ONE, 0)

    def substitute(self, values: Mapping[str, Affine]) -> Affine:
        """Return the index with letters replaced."""
        total = Affine()
        for name, value in self.parts:
            total += values.get(name, Affine.letter(name) if name else Affine.number(1)).times(value)
        return total

    def __str__(self) -> str:
        text = ""
        for name, value in sorted(self.parts, key=lambda part: (part[0] == ONE, part[0])):
            size = str(abs(value)) if name == ONE else name if abs(value) == 1 else f"{abs(value)}*{name}"
            text += (" - " if value < 0 else " + ") + size if text else ("-" if value < 0 else "") + size
        return text or "0"


Range = tuple[Affine, Affine]
"""First and last value."""


@dataclass(frozen=True)
class Ranges:
    """What is known of index letters: their ranges; every horizon is at least 1."""

    known: tuple[tuple[str, Range], ...] = ()
    """Ranges of letters; one that is averaged over with other weights has the range of the letter before ``~``."""
    horizons: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Least values of horizons, where they are above 1."""

    def least(self, index: Affine) -> int | None:
        """Return a number that `index` is never below, None if none is seen; a horizon is least at its least value."""
        known = dict(self.known)
        for _ in range(len(known) + 1):
            inside = [name for name in index.letters if plain(name) in known]
            if not inside:
                break
            low, high = known[plain(inside[0])]
            positive = dict(index.parts)[inside[0]] > 0
            index = index.substitute({inside[0]: low if positive else high})
        values = dict(index.parts)
        if any(value < 0 for name, value in values.items() if name != ONE):
            return None
        return sum(value * self.horizons.get(name, 1) for name, value in values.items())

    def surely_at_least(self, index: Affine, bound: Affine) -> bool:
        """Return whether ``index >= bound`` follows from the ranges."""
        least = self.least(index - bound)
        return least is not None and least >= 0


def least_values(given: Iterable[Node], horizons: Iterable[str]) -> dict[str, int]:
    """Return the least values of horizons that relations with a number give: 2 for ``K >= 2`` or ``3/2 <= K``."""
    found: dict[str, int] = {}
    for one in given:
        sides = one.parts if one.name == "<=" else one.parts[::-1] if one.name == ">=" else ()
        low, high = sides if len(sides) == 2 else (None, None)
        if low and high and low.kind == "number" and high.kind == "letter" and high.name in horizons:
            found[high.name] = max(found.get(high.name, 1), ceil(Fraction(low.name)))
    return found


def plain(letter: str) -> str:
    """Return an index letter without the weights with which it is averaged over."""
    return letter.partition("~")[0]


def indices_in(node: Node, legal: set[str]) -> list[Affine]:
    """Return the indices of the entries in an expression; errors as those of `index_of`."""
    if node.kind == "entry":
        return [index_of(part, legal) for part in node.parts]
    return [index for part in node.parts for index in indices_in(part, legal)]


def index_of(node: Node, legal: set[str]) -> Affine:
    """Return the index that an expression is.

    Raises
    ------
    InputError
        If it is not a whole-number combination of the letters in `legal`.
    """
    match node.kind:
        case "number" if "/" not in node.name:
            return Affine.number(int(node.name))
        case "letter" if node.name in legal:
            return Affine.letter(node.name)
        case "neg":
            return index_of(node.parts[0], legal).times(-1)
        case "add":
            return index_of(node.parts[0], legal) + index_of(node.parts[1], legal)
        case "mul" if node.parts[0].kind == "number" and "/" not in node.parts[0].name:
            return index_of(node.parts[1], legal).times(int(node.parts[0].name))
    msg = (
        f"index {str(node)!r} is not legal: whole numbers and {', '.join(sorted(legal)) or 'no letters'}, with + and -"
    )
    raise InputError(msg)
