"""Declared letters with an index, and the generators that stand for their members."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.proofs.language.affine import Range

Sign = Literal["> 0", ">= 0", "real"]
SLOTS = 12
"""Most members of one letter that the claims of a file may speak about."""


@dataclass(frozen=True)
class IndexedLetter:
    """A declared letter with an index."""

    name: str
    indices: tuple[str, ...]
    """Index letters, in the order in which they are written."""
    ranges: tuple[Range, ...]
    """First and last value of each index."""
    sign: Sign


def slots(letters: Mapping[str, IndexedLetter]) -> set[str]:
    """Return the names of the generators that stand for members, each for the first member that asks for it."""
    return {f"{name}#{number}" for name in letters for number in range(SLOTS)}


def sign_of(slot: str, letters: Mapping[str, IndexedLetter]) -> Sign | None:
    """Return the sign of a slot, None if the name is no slot."""
    name, _, number = slot.partition("#")
    return letters[name].sign if number else None
