"""What a proof declares before its first claim: letters, indices, sequences of vectors and of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from boundcheck.errors import InputError, UnknownNameError
from boundcheck.proofs.language.affine import Ranges, index_of
from boundcheck.proofs.language.coordinates import ONES
from boundcheck.proofs.language.forms import CLIENT
from boundcheck.proofs.language.grammar import (
    BINDERS,
    FUNCTIONS,
    MINIMUM,
    WORDS,
    Node,
    read,
    read_ranges,
    read_relations,
)
from boundcheck.proofs.language.indexed import IndexedLetter
from boundcheck.proofs.language.setting import (
    EULER,
    SPREAD,
    Definition,
    Kind,
    Leaf,
    Number,
    ProofSetting,
    Sequence,
    require_new,
)
from boundcheck.proofs.language.steps import SERIES, letters_of
from boundcheck.proofs.language.texts import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.proofs.language.affine import Range

SIGNS = ("> 0", ">= 0", "real")
OTHER_SIGNS = ("real", "> 0", "< 0", "<= 0")
"""Texts that would be signs of a sequence of numbers which it does not have."""
WAYS = f"{', '.join(map(repr, SIGNS))}, '{SERIES} k' with an index k, or a sign with ranges: '> 0, t = 0 .. T'"


@dataclass
class SettingDraft:
    """A setting in the making."""

    letters: dict[str, Any] = field(default_factory=dict)
    indices: dict[str, Range] = field(default_factory=dict)
    vectors: dict[str, Sequence] = field(default_factory=dict)
    scalars: dict[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    leaves: dict[str, Leaf] = field(default_factory=dict)
    numbers: dict[str, Number] = field(default_factory=dict)
    series: dict[str, str] = field(default_factory=dict)
    indexed: dict[str, IndexedLetter] = field(default_factory=dict)
    conditions: dict[str, tuple[Node, ...]] = field(default_factory=dict)
    """Names for relations that several statements have after ``if``."""
    coordinates: set[str] = field(default_factory=set)
    """Ids of equations and leaves that are said by coordinates."""

    @property
    def meanings(self) -> dict[str, str]:
        """Return every name with what it means."""
        kinds = (
            ("letter", self.letters),
            ("letter", self.indexed),
            ("index", self.indices),
            ("sequence", self.vectors),
            ("sequence", self.scalars),
            ("condition", self.conditions),
        )
        found = {name: f"a {kind}" for kind, names in kinds for name in names}
        words = dict.fromkeys((*FUNCTIONS, *BINDERS, MINIMUM), "a function") | dict.fromkeys(WORDS, "a word")
        return found | words | {EULER: "Euler's number"}

    @property
    def horizons(self) -> set[str]:
        """Return the letters that stand in ranges."""
        return set().union(*(end.letters for ends in self.indices.values() for end in ends)) - set(self.indices)

    def setting(self) -> ProofSetting:
        """Return the finished setting."""
        tables = self.letters, self.indices, self.vectors, self.scalars, self.definitions, self.leaves, self.numbers
        return ProofSetting(*tables, self.series, self.indexed, frozenset(self.coordinates))


def declare_letters(draft: SettingDraft, sign: str, names: str) -> None:
    """Add those letters of a sign that have no index, of which ranges are made."""
    own, _, ranges = (part.strip() for part in sign.partition(","))
    kind, _, index = own.partition(" ")
    if own not in SIGNS and (kind != SERIES or ranges):
        msg = f"letters {sign!r} = {names!r} are not legal: {WAYS}"
        raise InputError(msg)
    for name in (name for name in parts_of(names, ",") if "[" not in name):
        if ranges:
            msg = f"letter {name!r} is not legal: {sign!r} is of letters with an index, {name}[t]"
            raise InputError(msg)
        require_new(name, "letter", draft.meanings)
        draft.letters[name] = ">= 0" if kind == SERIES else own
        if kind == SERIES:
            draft.series[name] = index


def declare_members(draft: SettingDraft, sign: str, names: str) -> None:
    """Add those letters of a sign that have an index, and see that a sum of powers is over one."""
    own, _, ranges = (part.strip() for part in sign.partition(","))
    for name in (name for name in parts_of(names, ",") if "[" in name):
        node = new_entry(draft, name, "letter")
        letters = tuple(part.name for part in node.parts)
        over = {letter: draft.indices[letter] for letter in letters} | ranges_of(draft, read_ranges(ranges))
        draft.indexed[node.name] = IndexedLetter(node.name, letters, tuple(over[n] for n in letters), own)  # type: ignore[arg-type]
    kind, _, index = own.partition(" ")
    if kind == SERIES and index not in draft.indices:
        msg = f"letters {sign!r} = {names!r} are not legal: indices are {', '.join(draft.indices)}"
        raise InputError(msg)


def declare_indices(draft: SettingDraft, text: str) -> None:
    """Add the indices of ``i = 1 .. N, t = 0 .. T - 1``."""
    for one in read_ranges(text):
        require_new(one.name, "index", draft.meanings)
        if not one.parts:
            msg = f"index {one.name!r} is not legal: with a first and a last value, {one.name} = 0 .. T - 1"
            raise InputError(msg)
        low, high = (index_of(end, set(draft.letters)) for end in one.parts)
        draft.indices[one.name] = low, high
        if one.name == CLIENT and not Ranges().surely_at_least(high, low):
            msg = (
                f"index '{one.name} = {low} .. {high}' is not legal: there is one client at least, as in"
                f" {CLIENT} = 1 .. N"
            )
            raise InputError(msg)


def new_entry(draft: SettingDraft, name: str, kind: str) -> Node:
    """Return the entry that declares a sequence."""
    node = read(name)
    if node.kind != "entry" or any(part.kind != "letter" or part.name not in draft.indices for part in node.parts):
        msg = (
            f"{kind} {name!r} is not legal: a name with its index letters, x[t]; indices are {', '.join(draft.indices)}"
        )
        raise InputError(msg)
    require_new(node.name, kind, draft.meanings)
    return node


def _new_fixed(draft: SettingDraft, name: str) -> Node:
    """Return the name of a vector without an index."""
    node = read(name)
    if node.kind != "letter":
        msg = f"vector {name!r} is not legal: a name, or a name with its index letters, x[t]"
        raise InputError(msg)
    require_new(node.name, "vector", draft.meanings)
    return node


def declare_condition(draft: SettingDraft, name: str, text: str) -> None:
    """Add a name for relations that statements share."""
    require_new(name, "condition", draft.meanings)
    draft.conditions[name] = read_relations(text, draft.conditions)


def declare_number(draft: SettingDraft, name: str, meaning: str) -> None:
    """Add a sequence of nonnegative numbers that no equation gives; another sign is refused."""
    if meaning.strip() in OTHER_SIGNS:
        msg = (
            f"numbers {name!r} = {meaning!r} is not legal: such a sequence is >= 0, and its text says in words what it "
            "is; one of either sign is the difference of two"
        )
        raise InputError(msg)
    node = new_entry(draft, name, "number")
    letters = tuple(part.name for part in node.parts)
    draft.scalars[node.name] = letters
    draft.numbers[node.name] = Number(node.name, tuple(draft.indices[letter] for letter in letters), meaning)


def declare_vectors(draft: SettingDraft, name: str, kind: str) -> None:
    """Add a sequence of vectors of a kind, ``server, t = 0 .. T``, or one fixed vector, without an index."""
    node = new_entry(draft, name, "vector") if "[" in name else _new_fixed(draft, name)
    words, _, ranges = kind.partition(",")
    what, _, size = words.strip().partition(" of ")
    if (what, name) == (ONES, ONES) and draft.letters.get(size) == "> 0" and not ranges:
        draft.vectors[name] = Sequence(name, (), "ones", ())
        return
    if node.name == ONES:
        msg = (
            f"vectors {name!r} = {kind!r} is not legal: 'ones' = 'ones of d' is the vector of ones, with a letter d > 0"
        )
        raise InputError(msg)
    fixed = node.parts or what in {"server", "client"}
    if (
        not fixed
        or what not in get_args(Kind)[:-1]
        or (what == "sample") != (size in draft.letters or size.isdecimal())
    ):
        msg = (
            f"{name} = {kind!r} is not legal: 'server', 'client', 'noise', 'deviation' or 'sample of S' with a letter"
            " S, then ranges: 'server, t = 0 .. T'; and ones = 'ones of d' with a letter d > 0"
        )
        raise InputError(msg)
    if what == "sample" and draft.letters.get(SPREAD) == "> 0":
        msg = f"letters '> 0' = {SPREAD!r} is not legal beside samples: it is 0 where all clients take part; '>= 0' is"
        raise InputError(msg)
    letters = tuple(part.name for part in node.parts)
    over = {letter: draft.indices[letter] for letter in letters} | ranges_of(draft, read_ranges(ranges))
    draft.vectors[node.name] = Sequence(node.name, letters, what, tuple(over[n] for n in letters), size)  # type: ignore[arg-type]


def ranges_of(draft: SettingDraft, ranges: Iterable[Node]) -> dict[str, Range]:
    """Return index letters with ranges, as of ``t, k = 0 .. K - 2``; a letter alone has its whole range."""
    found: dict[str, Range] = {}
    for one in ranges:
        if one.name not in draft.indices:
            raise UnknownNameError("index letter", one.name, draft.indices)
        legal = {*draft.horizons, *found}
        low, high = (index_of(end, legal) for end in one.parts) if one.parts else draft.indices[one.name]
        found[one.name] = low, high
    return found


def points_of(draft: SettingDraft, text: str) -> dict[str, Any]:
    """Return the letters for points of ``u server, v client``."""
    found: dict[str, Any] = {}
    for part in parts_of(text, ","):
        words = part.split()
        if len(words) != 2 or words[1] not in {"server", "client"} or not words[0].isidentifier():
            msg = f"points = {text!r} is not legal: 'u server, v client'"
            raise InputError(msg)
        require_new(words[0], "point", draft.meanings | dict.fromkeys(found, "a point"))
        found[words[0]] = words[1]
    return found


def values_of(draft: SettingDraft, text: str, key: str) -> dict[str, Node]:
    """Return the expressions of ``beta = c/2, q = 0``, which are made of the letters that are declared."""
    found: dict[str, Node] = {}
    for one in read_relations(text):
        name, value = one.parts[0], one.parts[-1]
        if (
            one.name != "="
            or name.kind != "letter"
            or name.name in found
            or not letters_of(value) <= set(draft.letters)
        ):
            msg = f"{key}: '{one}' is not legal: a name = an expression in the letters of this file, each name once"
            raise InputError(msg)
        found[name.name] = value
    return found
