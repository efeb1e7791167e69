"""What the statements of a proof may speak about: letters, indices, vectors, equations, definitions and leaves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.language.affine import Affine, Range, Ranges
from boundcheck.proofs.language.forms import CLIENT
from boundcheck.proofs.language.indexed import IndexedLetter, Sign, sign_of, slots
from boundcheck.proofs.rationals.quotients import QuotientField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boundcheck.proofs.language.grammar import Node

Kind = Literal["server", "client", "noise", "deviation", "sample", "ones"]
LeafKind = Literal["assumption", "fact", "claim"]
EULER = "euler"
"""Euler's number, the one letter that every setting has."""
SPREAD = "spread"
"""A proof's letter for (N - S)/(S (N - 1)), the variance factor of a sample without replacement; 0 where S = N."""


@dataclass(frozen=True)
class Sequence:
    """A declared sequence of vectors."""

    name: str
    indices: tuple[str, ...]
    """Index letters, in the order in which they are written."""
    kind: Kind
    """One vector; one for each client; noise: one for each client, of mean 0 given all that is older; a deviation, the
    same of a whole round, and known at its end; or a sample."""
    ranges: tuple[Range, ...]
    """First and last value of each index."""
    size: str = ""
    """How many clients a sample has."""


@dataclass(frozen=True)
class Definition:
    """A name for an expression: ``err[t] = |G[t] - g[t + 1]|^2``, or a vector for a combination of older ones."""

    id: str
    left: Node
    right: Node
    over: Mapping[str, Range]
    """Index letters of the left side, with their ranges."""
    kind: Literal["definition", "method", "start", "zero"] = "definition"
    """An abbreviation, an equation of the method, a start value, or the left side of |w|^2 = 0 with 0."""
    where: str = ""
    products: Node | None = None
    """The right side, where it has products by coordinate: `right` then says what it is made from."""


@dataclass(frozen=True)
class Leaf:
    """What a proof takes as given: an assumption of the paper, a textbook fact, or a claim of the ledger."""

    id: str
    kind: LeafKind
    shows: Node
    points: Mapping[str, Kind]
    """Letters that stand for a point, one or one for each client."""
    over: Mapping[str, Range]
    title: str = ""
    where: str = ""
    given: tuple[Node, ...] = ()
    """Relations between letters under which it holds."""
    ledger: tuple[str, ...] = ()
    """Of a claim of the ledger its id, or those of the claims that it takes together: the proof is apart from them."""


@dataclass(frozen=True)
class Number:
    """A sequence of nonnegative numbers without an equation: what it is, is said in words."""

    name: str
    ranges: tuple[Range, ...]
    meaning: str
    products: Node | None = None
    """What it is, where that is said by coordinates: it need not be nonnegative then."""


@dataclass(frozen=True)
class ProofSetting:
    """Everything that is declared before the first claim."""

    letters: Mapping[str, Sign]
    """Numbers, with their signs."""
    indices: Mapping[str, Range]
    """Index letters, with first and last value; i counts the clients."""
    vectors: Mapping[str, Sequence] = field(default_factory=dict)
    scalars: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of sequences of numbers, with their index letters; each has a definition or is one of `numbers`."""
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    numbers: Mapping[str, Number] = field(default_factory=dict)
    series: Mapping[str, str] = field(default_factory=dict)
    """Letters for the sum of the powers 0 .. n - 2 of 1 + 1/(n - 1) (0 for n = 1), with an index of n values."""
    indexed: Mapping[str, IndexedLetter] = field(default_factory=dict)
    """Letters with an index; each member is a letter of its own."""
    coordinates: frozenset[str] = frozenset()
    """Ids of the equations and leaves that are said by coordinates."""

    @cached_property
    def members(self) -> dict[tuple[str, tuple[Affine, ...]], str]:
        """Return the generators of the members that were asked for, by letter and indices."""
        return {}

    @cached_property
    def horizons(self) -> frozenset[str]:
        """Return the letters that stand in a range (N, K, T): whole numbers, at least 1."""
        return frozenset().union(*(end.letters for ends in self.indices.values() for end in ends)) - set(self.indices)

    @property
    def several_clients(self) -> bool:
        """Return whether there may be more than one client: of one alone, a vector for each is one vector."""
        return CLIENT not in self.indices or self.length(CLIENT) != Affine.number(1)

    def one_valued(self, letters: Iterable[str]) -> dict[str, Affine]:
        """Return those index letters that have one value only, each with it: a mean over it is what stands there."""
        found = {letter: self.indices[letter] for letter in letters if letter in self.indices and letter != CLIENT}
        return {letter: low for letter, (low, high) in found.items() if low == high}

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """Return the sizes of the samples: each is at least 1 and at most N."""
        return tuple(sorted({one.size for one in self.vectors.values() if one.kind == "sample"}))

    @property
    def whole(self) -> set[str]:
        """Return the letters that are whole numbers: horizons and sizes of samples."""
        return {*self.horizons, *(size for size in self.sizes if not size.isdecimal())}

    @cached_property
    def field(self) -> Any:
        """Return the field of rational functions in the letters."""
        return QuotientField(self.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return all letters, index letters and Euler's number in a fixed order."""
        return tuple(sorted({*self.letters, *(set(self.indices) - {CLIENT}), EULER, *slots(self.indexed)}))

    @cached_property
    def generators(self) -> dict[str, Any]:
        """Return the letters as elements of the field."""
        return dict(zip(self.names, self.field.gens, strict=True))

    def sign(self, letter: str) -> Sign:
        """Return what is declared of a letter's sign; an index is not negative if its range starts at 0 or above."""
        if letter == EULER:
            return "> 0"
        if letter in self.indices:
            low, _ = self.indices[letter]
            return ">= 0" if Ranges().surely_at_least(low, Affine()) else "real"
        return sign_of(letter, self.indexed) or self.letters[letter]

    def ranges(self, over: Mapping[str, Range]) -> Ranges:
        """Return what is known where the letters `over` run through their ranges."""
        return Ranges(tuple(over.items()))

    def length(self, index: str) -> Affine:
        """Return how many values an index has; UnknownNameError where it is none, as for noise without clients."""
        self.require_index(index)
        low, high = self.indices[index]
        return high - low + 1

    def require_index(self, letter: str) -> None:
        """Raise UnknownNameError unless `letter` is an index letter."""
        if letter not in self.indices:
            raise UnknownNameError("index letter", letter, self.indices)


_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
"""A name, as the kernel reads it."""


def require_new(name: str, kind: str, taken: Mapping[str, str]) -> None:
    """Raise InputError if a name means something already, or is none."""
    if not _NAME.fullmatch(name):
        msg = f"{kind} {name!r} is not legal: a name is of letters, digits and _, and begins with a letter"
        raise InputError(msg)
    if name in taken:
        msg = f"{kind} {name!r} is not legal: {name} is {taken[name]} already; one name, one meaning"
        raise InputError(msg)
