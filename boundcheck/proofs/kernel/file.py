"""Claim files: what is declared, what is assumed, and what is claimed, exactly as the file says it.

All statements come from here, none from a proof object.  What is not understood is refused, so that nothing that
changes the meaning of a file goes unread.  Names mean one thing each.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .algebra import Index, Refused, index_letters, index_text, plus, substitute_index, whole
from .text import (
    WORDS,
    Reader,
    Tree,
    commas,
    entries_in,
    expression,
    index_of,
    index_tree,
    names_in,
    relations,
    substitute,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Range = tuple[Index, Index]
"""First and last value of an index."""
Ranges = dict[str, Range]
SIGNS = ("> 0", ">= 0", "real")
KINDS = ("server", "client", "noise", "deviation", "sample", "ones")
_OF_VECTORS = ("vector-square", "contrary", "client-share")
LAWS = ("self", "fresh", "orthogonal", "sample", "window", "telescope", *_OF_VECTORS)
"""Steps that are no statements of the file."""
EULER = "euler"
KEYS = {
    "file": "title about uses method hyper indices letters conditions vectors numbers start equations definitions leaf"
    " claim",
    "leaf": "title says points kind claim",
    "claim": "title shows steps base induction vanishing at cases",
}
"""The keys of a file, of ``[leaf.ID]`` and of ``[claim.ID]``."""


@dataclass(frozen=True)
class Statement:
    """``a <= b for t, k = 0 .. K if c <= d``: for all points, all indices in their ranges, under what is given."""

    shows: Tree
    over: Ranges = field(default_factory=dict)
    given: tuple[Tree, ...] = ()
    points: Mapping[str, str] = field(default_factory=dict)
    """Letters that stand for any vector, ``server`` or ``client``."""
    text: str = ""


@dataclass(frozen=True)
class Sequence:
    """A declared sequence of vectors."""

    kind: str
    spans: tuple[tuple[str, Range], ...]
    """Each index letter with the range in which the sequence exists."""
    size: str = ""
    """The letter that says how many clients a sample has."""

    @property
    def letters(self) -> list[str]:
        """The index letters."""
        return [letter for letter, _ in self.spans]


@dataclass(frozen=True)
class Equation:
    """One entry of a sequence, and what it is, for all indices of its ranges."""

    left: Tree
    right: Tree
    over: Ranges
    kind: str
    """start, equations or definitions."""


@dataclass(frozen=True)
class Step:
    """A premise of a claim: which, at which letters, under which rule."""

    id: str
    renamed: Mapping[str, Tree]
    rule: str
    of: str
    """What stands in the brackets behind the rule."""
    multiplier: str
    text: str


@dataclass(frozen=True)
class Claim:
    """A statement, the steps that it is said to follow from, and how."""

    statement: Statement
    steps: tuple[Step, ...]
    base: tuple[Step, ...] = ()
    induction: str = ""
    vanishing: str = ""
    at: Mapping[str, Tree] = field(default_factory=dict)
    """Letters with their values: the claim is about runs at these values."""
    cases: tuple[tuple[Tree, ...], ...] = ()
    """Given besides: all of the first, or all of the second."""


def plain_text(path: Path, most: int = 1_000_000) -> str:
    """Return the text of a plain file that is not too large."""
    if not path.is_file() or path.stat().st_size > most:
        raise Refused(f"{path.name}: no plain file of at most {most} bytes")
    return path.read_text(encoding="utf-8")


@dataclass
class File:
    """What a claim file says, with the files that it uses."""

    read_before: set[str] = field(default_factory=set)
    """Names of the files that were read."""
    letters: dict[str, str] = field(default_factory=lambda: {EULER: "> 0"})
    members: dict[str, tuple[str, tuple[tuple[str, Range], ...]]] = field(default_factory=dict)
    """Letters with indices: sign, and index letters with ranges."""
    series: dict[str, str] = field(default_factory=dict)
    """Letter for 1 + r + .. + r^(n - 2), r = n/(n - 1), and the index with n values."""
    indices: Ranges = field(default_factory=dict)
    horizons: set[str] = field(default_factory=set)
    """Letters in which ranges end: whole numbers >= 1."""
    conditions: dict[str, tuple[Tree, ...]] = field(default_factory=dict)
    vectors: dict[str, Sequence] = field(default_factory=dict)
    scalars: dict[str, tuple[tuple[str, Range], ...]] = field(default_factory=dict)
    """Sequences of numbers, with index letters and ranges."""
    numbers: set[str] = field(default_factory=set)
    """Those that are declared nonnegative and have no definition."""
    equations: dict[str, Equation] = field(default_factory=dict)
    leaves: dict[str, Statement] = field(default_factory=dict)
    leaf_kinds: dict[str, str] = field(default_factory=dict)
    claims: dict[str, Claim] = field(default_factory=dict)
    dimension: str = ""
    """The letter that says how many coordinates a vector has: a whole number >= 1."""
    fixed: Mapping[str, Index] = field(default_factory=dict)
    """Horizons and sizes that have a value here: T is 1, or T + 2, or S is N, wherever the file says T or S."""
    source: tuple[Path, tuple[Path, ...]] | None = None
    """The file and its library."""

    def at(self, values: Mapping[str, Index]) -> File:
        """Return the file read with values for horizons and sizes: what it says of the runs that have them."""
        for name, value in values.items():
            others = index_letters(value) & set(values)
            if self.source is None or (others and not (others == {name} and dict(value)[name] == 1)):
                raise Refused(f"{name}: a value that has a value itself")
        assert self.source is not None
        found = File(fixed=values)
        found.read(*self.source)
        return found

    def _substitute(self, tree: Tree) -> Tree:
        return substitute(tree, {name: index_tree(value) for name, value in self.fixed.items()}) if self.fixed else tree

    @property
    def sizes(self) -> set[str]:
        """How many clients samples have, as they are declared: letters, or a number where they have a value."""
        return {one.size for one in self.vectors.values() if one.size}

    def size(self, name: str) -> Index:
        """Return how many clients a sample has."""
        return index_of(expression(self.vectors[name].size))

    @property
    def clients(self) -> Index:
        """How many clients there are."""
        return self.length("i") if "i" in self.indices else (("N", 1),)

    def length(self, letter: str) -> Index:
        """Return how many values an index has."""
        low, high = self.indices[letter]
        return plus(plus(high, low, -1), whole(1))

    # --- reading --------------------------------------------------------------------------------------------------

    def read(self, path: Path, library: Iterable[Path] = ()) -> None:
        """Read a file after those that it uses, which lie beside it or in the library."""
        self.source = self.source or (path, (*library,))
        if path.name in self.read_before:
            raise Refused(f"{path.name}: used twice, or by itself")
        self.read_before.add(path.name)
        data = tomllib.loads(plain_text(path))
        _require_keys(data, "file", path.name)
        for name in commas(data.get("uses", "")):
            if "/" in name or "\\" in name:
                raise Refused(f"{path.name}: uses {name!a}, which is no name of a file beside it")
            places = [folder / name for folder in (path.parent, *library)]
            found = next((place for place in places if place.exists()), None)
            if found is None:
                raise Refused(f"{path.name}: uses {name!a}, which is not there")
            self.read(found, library)
        self._declare_letters(data.get("letters", {}))
        self._declare_indices(data.get("indices", ""))
        self._declare_members(data.get("letters", {}))
        for name, text in data.get("conditions", {}).items():
            self._require_new(name)
            self.conditions[name] = self.relations(text)
        for key, text in data.get("vectors", {}).items():
            self._declare_vector(key, text)
        for key, text in data.get("numbers", {}).items():
            name, letters = self._declared_entry(key)
            if text in ("real", "> 0", "< 0", "<= 0"):
                raise Refused(f"numbers {key!a} = {text!a}: such a sequence is >= 0, and its text is words")
            self.scalars[name] = tuple((letter, self.indices[letter]) for letter in letters)
            self.numbers.add(name)
        for kind in ("start", "equations", "definitions"):
            for id_, text in data.get(kind, {}).items():
                self._equation(id_, text, kind)
        for id_, entry in _tables(data.get("leaf", {}), "says"):
            self._leaf(id_, entry)
        for id_, entry in _tables(data.get("claim", {}), "shows"):
            self._claim(id_, entry)

    def _require_new(self, name: str) -> None:
        tables = (self.letters, self.members, self.indices, self.vectors, self.scalars, self.conditions, WORDS)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", name) or any(name in table for table in tables):
            raise Refused(f"{name!a} is not legal as a new name: one name, one meaning")

    def _require_new_id(self, id_: str, others: Iterable[str]) -> None:
        if id_ in (*LAWS, *others, *self.leaves, *self.claims) or not re.fullmatch(r"[\w.-]+", id_, re.ASCII):
            raise Refused(f"the id {id_!a} is taken, or no id")

    def _declare_letters(self, table: Mapping[str, str]) -> None:
        for sign, names in table.items():
            for name in (name for name in commas(names) if "[" not in name):
                self._require_new(name)
                if sign.startswith("series "):
                    self.series[name] = sign.removeprefix("series ").strip()
                elif sign not in SIGNS:
                    raise Refused(f"{name}: the sign {sign!a} is not legal")
                self.letters[name] = ">= 0" if name in self.series else sign

    def _declare_indices(self, text: str) -> None:
        for part in commas(text):
            name, _, ends = part.partition("=")
            low, high = _ends(ends)
            self._require_new(name.strip())
            named = {x for index in (low, high) for x in index_letters(index)}
            if any(self.letters.get(x) != "> 0" for x in named) or name.strip() in named:
                raise Refused(f"index {part!a}: ends are made of whole numbers and letters > 0")
            if name.strip() == "i" and (low, high) != (whole(1), (("N", 1),)):
                raise Refused("the clients are i = 1 .. N")
            low, high = self._ends(ends)
            self.indices[name.strip()] = low, high
            self.horizons |= {x for index in (low, high) for x in index_letters(index)}

    def _declare_members(self, table: Mapping[str, str]) -> None:
        for key, names in table.items():
            sign, _, over = (part.strip() for part in key.partition(","))
            for text in (name for name in commas(names) if "[" in name):
                if sign not in SIGNS:
                    raise Refused(f"{text}: the sign {sign!a} is not legal")
                name, letters = self._declared_entry(text)
                self.members[name] = sign, self._spans(letters, over)
        for name, index in self.series.items():
            if index not in self.indices:
                raise Refused(f"{name}: {index!a} is no index")

    def _declared_entry(self, text: str) -> tuple[str, list[str]]:
        tree = expression(text)
        letters = [part.name for part in tree.parts]
        plain = all(part.kind == "name" and part.name in self.indices for part in tree.parts)
        if tree.kind != "entry" or not plain or len(set(letters)) < len(letters):
            raise Refused(f"{text!a}: a new sequence is written with its index letters, x[t, k]")
        self._require_new(tree.name)
        return tree.name, letters

    def _spans(self, letters: list[str], over: str) -> tuple[tuple[str, Range], ...]:
        ranges = {letter: self.indices[letter] for letter in letters} | self.ranges(over)
        if set(ranges) != set(letters):
            raise Refused(f"{over!a}: ranges of other indices than {letters}")
        return tuple((letter, ranges[letter]) for letter in letters)

    def _declare_vector(self, key: str, text: str) -> None:
        name, letters = self._declared_entry(key) if "[" in key else (key.strip(), [])
        kind, _, over = (part.strip() for part in text.partition(","))
        words = kind.split()
        size = words[2] if len(words) == 3 and words[:2] == ["sample", "of"] else ""
        kind = "sample" if size else kind
        if not letters:
            self._require_new(name)
        if name == "ones" or words[:2] == ["ones", "of"]:
            if (
                letters
                or name != "ones"
                or words[:2] != ["ones", "of"]
                or len(words) != 3
                or self.letters.get(words[2]) != "> 0"
                or over
            ):
                raise Refused(f"{key}: the vector of ones is 'ones' = 'ones of d', d a letter > 0")
            self.vectors[name], self.dimension = Sequence("ones", ()), words[2]
            return
        fixed = not letters and kind not in ("server", "client")
        sized = (kind == "sample") == (self.letters.get(size) == "> 0" or (size.isdecimal() and int(size) > 0))
        if kind not in KINDS[:-1] or not sized or "i" in letters or fixed:
            raise Refused(f"{key}: {text!a} is no kind of vector; without an index it is server or client")
        size = index_text(self.fixed[size]) if size in self.fixed else size
        self.vectors[name] = Sequence(kind, self._spans(letters, over), size)

    def _equation(self, id_: str, text: str, kind: str) -> None:
        words, _, over = _place(text).partition(" for ")
        found = tuple(map(self._substitute, relations(words)))
        left, right = found[0].parts
        if len(found) > 1 or found[0].kind != "=" or left.kind != "entry":
            raise Refused(f"{id_}: an equation is one entry = an expression")
        self._require_new_id(id_, self.equations)
        letters = [x for part in left.parts for x in sorted(names_in(part)) if x in self.indices]
        ranges = self.ranges(over) or {letter: self.indices[letter] for letter in letters}
        if set(ranges) != set(letters):
            raise Refused(f"{id_}: its index letters are {letters}")
        if left.name not in self.vectors:
            if kind != "definitions" or id_ != left.name or any(part.kind != "name" for part in left.parts):
                raise Refused(f"{id_}: a sequence of numbers is defined at plain indices under its own name")
            unknown = entries_in(right) - {*self.scalars, *self.vectors, *self.members}
            if unknown:  # each number is made of earlier ones, so that it exists
                raise Refused(f"{id_}: {', '.join(unknown)} is not defined before")
            self._require_new(left.name)
            self.scalars[left.name] = tuple((letter, ranges[letter]) for letter in letters)
        elif self.vectors[left.name].kind not in ("server", "client"):
            raise Refused(f"{id_}: {left.name} is {self.vectors[left.name].kind}, which has no equation")
        self.equations[id_] = Equation(left, right, ranges, kind)

    def _leaf(self, id_: str, entry: Mapping[str, str]) -> None:
        _require_keys(entry, "leaf", id_)
        self._require_new_id(id_, self.equations)
        points = dict(part.split() for part in commas(entry.get("points", "")))
        for name, kind in points.items():
            self._require_new(name)
            if kind not in ("server", "client"):
                raise Refused(f"{id_}: the point {name} is {kind!a}, neither server nor client")
        ledger = entry.get("claim", "")
        if not re.fullmatch(r"[\w.-]*", ledger, re.ASCII):
            raise Refused(f"{id_}: the claim {ledger!a} is no id")
        kind = entry.get("kind", f"claim of the ledger {ledger}" if ledger else "assumption")
        if kind not in ("assumption", "fact") and (not ledger or "kind" in entry):
            raise Refused(f"{id_}: {kind!a} is no kind of leaf")
        says = self.statements(entry["says"], points)
        if len(says) > 1:
            raise Refused(f"{id_}: a leaf says one relation, not {len(says)}")
        (self.leaves[id_],), self.leaf_kinds[id_] = says, kind

    def _claim(self, id_: str, entry: Mapping[str, str]) -> None:
        """Read a claim; one that shows ``a <= b = c`` after a claim for each link.

        It may have the id of an equation: a step of that id is the equation.
        """
        _require_keys(entry, "claim", id_)
        self._require_new_id(id_, ())
        several = self.statements(entry["shows"])
        given, base = (tuple(map(self._step, _semicolons(entry.get(key, "")))) for key in ("steps", "base"))
        at = self.values(entry.get("at", ""))
        cases = tuple(self.relations(case) for case in _semicolons(entry.get("cases", "")))
        induction, vanishing = entry.get("induction", ""), entry.get("vanishing", "")
        ways = [bool(induction), bool(vanishing), bool(cases)]
        if len(cases) not in (0, 2) or sum(ways) > 1 or (base and not any(ways)):
            raise Refused(f"{id_}: one of induction, vanishing and two cases; base belongs to these")
        if len(several) == 1:
            self.claims[id_] = Claim(several[0], given, base, induction, vanishing, at, cases)
            return
        if any(ways) or at:
            raise Refused(f"{id_}: a chain has no cases")
        links = [f"{id_}.{n}" for n in range(1, len(several) + 1)]
        for name, one in zip(links, several, strict=True):
            self._require_new_id(name, ())
            self.claims[name] = Claim(one, given)
        # With a factor a link is a premise, also where it is about letters alone.
        self.claims[id_] = Claim(self._chain(several), tuple(step(f"{name} : 1") for name in links))

    def _chain(self, several: tuple[Statement, ...]) -> Statement:
        """Return what a chain says of its first and its last side; all its links go in one direction."""
        kind = "<=" if any(one.shows.kind == "<=" for one in several) else "="
        upwards = all(one.shows.parts[1] == two.shows.parts[0] for one, two in pairwise(several))
        first, last = (several[0], several[-1]) if upwards else (several[-1], several[0])
        ordered = several if upwards else several[::-1]
        if not all(one.shows.parts[1] == two.shows.parts[0] for one, two in pairwise(ordered)):
            raise Refused(f"{several[0].text}: a chain goes one way")
        shows = Tree(kind, "", (first.shows.parts[0], last.shows.parts[1]))
        return Statement(shows, first.over, first.given, text=several[0].text)

    def statements(self, text: str, points: Mapping[str, str] | None = None) -> tuple[Statement, ...]:
        """Return what a text says, a statement for each link of a chain."""
        text = " ".join(text.split())
        words, _, given = text.partition(" if ")
        words, _, over = words.partition(" for ")
        known, ranges = (self.relations(given) if given else ()), self.ranges(over)
        return tuple(Statement(self._substitute(one), ranges, known, points or {}, text) for one in relations(words))

    def relations(self, text: str) -> tuple[Tree, ...]:
        """Return the relations of a list, some perhaps by the name of a condition."""
        found: list[Tree] = []
        for part in commas(text):
            found += self.conditions[part] if part in self.conditions else map(self._substitute, relations(part))
        return tuple(found)

    def _ends(self, text: str) -> Range:
        low, high = _ends(text)
        for name, value in self.fixed.items():
            low, high = substitute_index(low, name, value), substitute_index(high, name, value)
        return low, high

    def _step(self, text: str) -> Step:
        one = step(text)
        if not self.fixed:
            return one
        by = written(self._substitute(expression(one.multiplier))) if one.multiplier else ""
        return replace(one, renamed={name: self._substitute(tree) for name, tree in one.renamed.items()}, multiplier=by)

    def ranges(self, text: str) -> Ranges:
        """Return index letters with ranges from ``t, k = 0 .. K - 2``; a letter alone has its declared range."""
        found: Ranges = {}
        for part in commas(text):
            name, _, ends = (piece.strip() for piece in part.partition("="))
            if name not in self.indices or name == "i" or name in found:
                raise Refused(f"{text!a}: {name!a} is no index, or stands there twice")
            found[name] = self._ends(ends) if ends else self.indices[name]
            known = {x for index in found[name] for x in index_letters(index)}
            if not known <= self.horizons | (set(found) - {name}):
                raise Refused(f"{part!a}: a range ends in horizons and in indices that stand before")
        return found

    def values(self, text: str) -> dict[str, Tree]:
        """Return what stands for letters in ``q = 0, L = 2 K``."""
        found: dict[str, Tree] = {}
        for one in self.relations(text):
            name, value = one.parts
            plain = one.kind == "=" and name.kind == "name" and name.name not in found
            if not plain or name.name not in self.letters or name.name in self.horizons | {EULER, *self.series}:
                raise Refused(f"{text!a}: a letter that is no horizon = an expression, each once")
            found[name.name] = value
        if set(found) & set[str]().union(*map(names_in, found.values())):
            raise Refused(f"{text!a}: a value is made of other letters")
        return found


def _ends(text: str) -> Range:
    reader = Reader(text)
    low = index_of(reader.expression())
    reader.take("..")
    high = index_of(reader.expression())
    reader.end()
    return low, high


def range_text(ranges: Range) -> str:
    """Write a range."""
    return " .. ".join(map(index_text, ranges))


def _place(text: str) -> str:
    """Return a text without the place where it is printed: ``a = b [eq. (9)]``."""
    text = " ".join(text.split())
    found = re.fullmatch(r"(.*) \[(.+)\]", text)
    return found[1] if found else text


def _semicolons(text: str) -> list[str]:
    return [part for part in map(str.strip, " ".join(text.split()).split(";")) if part]


def _tables(table: Mapping[str, Any], key: str, before: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each table ``[claim.a.b]`` with its id a.b."""
    for name, value in table.items():
        if not isinstance(value, dict):
            raise Refused(f"{before}{name} is not legal: tables with {key!a}")
        if isinstance(value.get(key), str):
            yield before + name, {k: v for k, v in value.items() if not isinstance(v, dict)}
            value = {k: v for k, v in value.items() if isinstance(v, dict)}
        yield from _tables(value, key, f"{before}{name}.")


def _require_keys(entry: Mapping[str, Any], kind: str, where: str) -> None:
    unknown = set(entry) - set(KEYS[kind].split())
    if unknown:
        raise Refused(f"{where}: unknown {', '.join(map(ascii, sorted(unknown)))}; legal are {KEYS[kind]}")


_STEP = re.compile(
    r"(?P<id>[\w.-]+)\s*(?:\((?P<renamed>.*?)\)(?=\s*(?:\[[a-z-]+ |:|$)))?"
    r"\s*(?:\[(?P<rule>[a-z-]+)\s+(?P<of>[^\]]*)\])?\s*(?::\s*(?P<by>.*))?",
    re.ASCII,
)


def step(text: str) -> Step:
    """Return the step ``ID (t -> t - 1, u -> x[t]) [RULE] : MULTIPLIER``; all but ID may be left out."""
    found = _STEP.fullmatch(text)
    if found is None:
        raise Refused(f"step {text!a} is not legal")
    renamed: dict[str, Tree] = {}
    for part in commas(found["renamed"] or ""):
        name, arrow, value = part.partition("->")
        if not arrow or name.strip() in renamed:
            raise Refused(f"step {text!a}: {part!a} is not legal")
        renamed[name.strip()] = expression(value)
    return Step(found["id"], renamed, found["rule"] or "", (found["of"] or "").strip(), found["by"] or "", text)
