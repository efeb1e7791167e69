"""When a vector is determined: which noises it may depend on, computed from the equations alone.

Times are the indices of the noise in lexicographic order.  ``birth(u) = (t, k)`` says that u is a function of start
values and of noises strictly older than (t, k); noise at (t, k) then has mean zero given u.  Noise whose indices are
not on that clock at all is drawn before the first round; a sample is drawn at the end of its round.  A deviation, what
a vector of a round is off its mean given all before the round, is noise of the round's start that is known at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, get_args

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.evaluate import vector
from boundcheck.proofs.algebra.samples import apply_sample_law, is_sample, on_sample
from boundcheck.proofs.algebra.scope import Scope
from boundcheck.proofs.language.affine import Affine, Ranges, index_of, plain
from boundcheck.proofs.language.forms import CLIENT, Atom, Inner
from boundcheck.proofs.language.grammar import SOME
from boundcheck.proofs.language.setting import Kind
from boundcheck.proofs.language.steps import letters_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.forms import Averaged, Scalar
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.setting import Definition, ProofSetting, Sequence

UNBIASED, INDEPENDENT, SAMPLED = "unbiased", "independent", "sampled"
"""Leaves: noise has mean zero given all that is older, and is independent over the clients; the law of a sample."""
Time = tuple[Affine, ...]
END = Fraction(1, 2)
"""The offset of what is determined at the end of its own round: after all noise of the round, before its sample."""
ONCE = ""
"""The index of the steps of a round that has one noise, at step 0: step 1 is the round's end."""
_OFFSETS = (-1, 0, END, 1, 2, 3)
"""Offsets that are tried; a sequence that needs a later one has no birth."""
Offset = int | Fraction | None


@dataclass(frozen=True)
class Filtration:
    """The births of all sequences of a setting."""

    setting: ProofSetting

    @cached_property
    def timing(self) -> tuple[str, ...]:
        """Return the index letters of the noise, or of samples where there is none."""
        drawn = self._letters_by_kind
        return max(drawn["noise"] or drawn["sample"], key=len, default=())

    @cached_property
    def _letters_by_kind(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the index letters of all sequences, kind by kind."""
        vectors = self.setting.vectors.values()
        return {kind: [s.indices for s in vectors if s.kind == kind] for kind in get_args(Kind)}

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """Return the order of time: the letters of the noise; where a round has one noise and a sample, steps too."""
        both = bool(self._letters_by_kind["noise"]) and bool(self.setting.sizes)
        return (*self.timing, ONCE) if len(self.timing) == 1 and both else self.timing

    def _steps(self, letter: str) -> Range:
        """Return the first and the last value of an index of time."""
        return (Affine(), Affine()) if letter == ONCE else self.setting.indices[letter]

    @cached_property
    def equations(self) -> dict[str, list[Definition]]:
        """Return the equations of each sequence: each entry has at most one."""
        found: dict[str, list[Definition]] = {}
        for one in self.setting.definitions.values():
            if one.left.name in self.setting.vectors:
                found.setdefault(one.left.name, []).append(one)
        for name, several in found.items():
            _require_one_each(name, several)
        return found

    def require_one_world(self) -> dict[str, Offset]:
        """Return the offsets once all equations, used or not, are seen to be about one world.

        Raises
        ------
        InputError
            If an entry has two equations, is made from what is not older, or is one for all and one for each client.
        """
        for several in self.equations.values():
            for one in several:
                self._require_shared(one)
        return self.offsets

    def _require_shared(self, one: Definition) -> None:
        """Raise InputError where one vector for all clients would equal one for each of them."""
        if self.setting.vectors[one.left.name].kind != "server" or _is_some(one.right):
            return
        made = vector(one.right, Scope(self.setting, one.over))
        own = [atom for atom, done in made if CLIENT in atom.varies and CLIENT not in done]
        if own:
            msg = (
                f"equation {one.id}: {one.left} is one vector for all clients, and {own[0]} is one for each;"
                f" write mean({CLIENT}), or declare {one.left.name} as 'client'"
            )
            raise InputError(msg)

    def _is_covered(self, sequence: Sequence) -> bool:
        """Return whether the equations give every entry but a start value: what none gives may depend on all noise."""
        several, ranges = self.equations[sequence.name], Ranges()
        if all(_pattern(one.left.parts[-1]) == "0" for one in several):
            return False
        if len(several) == 2 and all(
            len(one.left.parts) == 1 and _pattern(one.left.parts[0]) == "x" for one in several
        ):
            begin, end = (_span(one.left.parts[0], one) for one in several)
            return (begin[0], end[1]) == sequence.ranges[0]
        for one in several:
            for part, (low, high) in zip(one.left.parts, sequence.ranges, strict=True):
                if _pattern(part) == "0":
                    if low != index_of(part, set()):
                        return False
                    continue
                first, last = _span(part, one)
                begun = len(several) > 1 and part is one.left.parts[-1]
                if (_pattern(part) == "+" or begun) and first != low + 1:
                    return False
                given = ranges.surely_at_least(last, high)
                if not given or (_pattern(part) == "x" and not begun and not ranges.surely_at_least(low, first)):
                    return False
        return True

    def starts(self) -> list[str]:
        """Return the start values: entries that no equation defines, taken as not random."""
        found = []
        for name, several in self.equations.items():
            if len(several) == 1 and any(_pattern(p) not in "x0" for p in several[0].left.parts):
                first = self.setting.vectors[name].ranges[0][0]
                found.append(f"{name}[{first}]")
        return found

    @cached_property
    def offsets(self) -> dict[str, Offset]:
        """Return for each sequence by how much its birth is later than its own index; None if it has no birth.

        Raises
        ------
        InputError
            If an equation has something on its right that is not older.
        """
        offsets: dict[str, Offset] = {}
        for name, sequence in self.setting.vectors.items():
            known = sequence.kind == "noise" and sequence.indices == self.timing
            made = name in self.equations and self._on_clock(sequence) > 0 and self._is_covered(sequence)
            drawn = END if ONCE in self.clock else 1
            offsets[name] = drawn if known else END if self._deviates(name) else _OFFSETS[0] if made else None
        changed = True
        while changed:
            changed = False
            for name, several in self.equations.items():
                before = offsets[name]
                if before is not None and not all(self._fits(one, offsets) for one in several):
                    offsets[name] = next((later for later in _OFFSETS if later > before), None)
                    changed = True
        order = self._order(offsets)
        for several in self.equations.values():
            for one in several:
                self._require_older(one, offsets, order)
        return offsets

    @cached_property
    def order(self) -> list[str]:
        """Return the sequences so that at one index what is determined first stands first."""
        return self._order(self.offsets)

    def _order(self, offsets: dict[str, Offset]) -> list[str]:
        """Return the sequences as they are declared, but for those that need another one at the same index first.

        Where they need each other in a circle they stay as they are declared: that is refused elsewhere.
        """
        declared = list(self.setting.vectors)
        first: dict[str, set[str]] = {name: set() for name in declared}
        for one in (one for several in self.equations.values() for one in several):
            scope = Scope(self.setting, one.over)
            ((left, _),) = vector(one.left, scope)
            born = offsets.get(left.name) is not None
            for base in (base for atom in _made_from(one.right, scope) for base in self._bases(atom)):
                pair = [base.name, left.name]
                in_turn, reversed_ = (
                    self._older(base, left, order, scope.ranges, born=born) for order in (pair, pair[::-1])
                )
                if in_turn and not reversed_:
                    first[left.name].add(base.name)
        found: list[str] = []
        while len(found) < len(declared):
            ready = [name for name in declared if name not in found and first[name] <= set(found)]
            if not ready:
                return declared
            found.append(ready[0])
        return found

    def _on_clock(self, sequence: Sequence) -> int:
        """Return how many of a sequence's first indices are those of the clock."""
        pairs = zip(sequence.indices, self.clock, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def _whole(self, sequence: Sequence) -> bool:
        """Return whether the indices of a sequence are the clock's, as far as both go."""
        return self._on_clock(sequence) == min(len(sequence.indices), len(self.clock))

    def _deviates(self, name: str) -> bool:
        """Return whether a name is a deviation, noise of the start of its round that is known at the end."""
        sequence = self.setting.vectors.get(name)
        if sequence is None or sequence.kind != "deviation":
            return False
        return 0 < len(sequence.indices) < len(self.clock) and self._whole(sequence)

    def _fits(self, one: Definition, offsets: dict[str, Offset]) -> bool:
        scope = Scope(self.setting, one.over)
        ((left, _),) = vector(one.left, scope)
        born = self._births(left, offsets)
        right = [self._births(atom, offsets) for atom in _made_from(one.right, scope)]
        if not born or None in right:
            return False
        return all(self._before(one, born[0], scope.ranges) for several in right for one in several or ())

    def _births(self, atom: Atom, offsets: dict[str, Offset]) -> list[Time] | None:
        """Return the times before the last of which an atom is determined, None if none are known."""
        if atom.argument is not None:
            inside = self._births(atom.argument, offsets)
            if inside is None or not is_sample(atom, self.setting):
                return inside
            own = self._pad_time((*atom.indices[:-1], atom.indices[-1] + 1)) if self._sampled_on_clock(atom) else None
            return None if own is None else [*inside, own]
        if self._initial(atom.name) or not (atom.indices or self.setting.vectors[atom.name].indices):
            return []
        offset = offsets.get(atom.name)
        if offset is None or not atom.indices:
            return None
        own = atom.indices[: self._on_clock(self.setting.vectors[atom.name])]
        if isinstance(offset, Fraction):
            return [(*own, *self._after(len(own)))]
        return [self._pad_time((*own[:-1], own[-1] + offset))]

    def _pad_time(self, own: Time) -> Time:
        """Return the time before all noise of a round, or of a step: inner indices at their first values."""
        return (*own, *(self._steps(letter)[0] for letter in self.clock[len(own) :]))

    def _after(self, count: int) -> Time:
        """Return what follows the first indices of the time after all noise: inner indices after their last values."""
        return tuple(self._steps(letter)[1] + 1 for letter in self.clock[count:])

    def _sampled_on_clock(self, atom: Atom) -> bool:
        return bool(atom.indices) and self._whole(self.setting.vectors[atom.name])

    def _initial(self, name: str) -> bool:
        """Return whether a name is noise that is drawn before the first round."""
        sequence = self.setting.vectors.get(name)
        return sequence is not None and sequence.kind == "noise" and not set(sequence.indices) & set(self.clock)

    def before_sample(self, ranges: Ranges) -> Callable[[Atom, Atom], bool]:
        """Return what says whether an atom is determined before a sample is drawn: at the end of its round."""

        def older(atom: Atom, taken: Atom) -> bool:
            born = self._births(atom, self.offsets)
            if born is None or not self._sampled_on_clock(taken):
                return False
            end = (*taken.indices, *self._after(len(taken.indices)))
            return all(self._before(one, end, ranges) for one in born)

        return older

    def _before(self, first: Time, second: Time, ranges: Ranges) -> bool:
        """Return whether `first` is surely no later than `second`; a full count of steps is the next round."""
        for place, (a, b) in enumerate(zip(first, second, strict=True)):
            full = all(
                ranges.surely_at_least(self._steps(letter)[1] + 1, index)
                for letter, index in zip(self.clock[place + 1 :], first[place + 1 :], strict=True)
            )
            if full and ranges.surely_at_least(b - 1, a):
                return True
            if not ranges.surely_at_least(b, a):
                return False
        return True

    def _require_older(self, one: Definition, offsets: dict[str, Offset], order: list[str]) -> None:
        """Raise InputError unless everything on the right is older, or of the same index and before it in an order."""
        scope = Scope(self.setting, one.over)
        ((left, _),) = vector(one.left, scope)
        for atom in _made_from(one.right, scope):
            for base in self._bases(atom):
                born = offsets.get(left.name) is not None
                if not self._older(base, left, order, scope.ranges, born=born):
                    msg = (
                        f"equation {one.id}: {base} on the right of {left} is neither at an earlier index"
                        f" nor determined before it at the same one: each would be made from the other"
                    )
                    raise InputError(msg)

    def _bases(self, atom: Atom) -> list[Atom]:
        """Return the entries of sequences that an atom is made of: its argument, and the sample that takes it."""
        if atom.argument is None:
            return [atom]
        inside = self._bases(atom.argument)
        return [Atom(atom.name, atom.indices), *inside] if is_sample(atom, self.setting) else inside

    def _older(self, atom: Atom, left: Atom, order: list[str], ranges: Ranges, *, born: bool) -> bool:
        if str(atom) in self.starts() or not (atom.indices or atom.argument):
            return True
        if self._initial(atom.name):
            return order.index(atom.name) < order.index(left.name)
        # What is made of all steps of its own round has the round's end as its birth, or there is a circle.
        longest = len(left.indices) if born else max(len(atom.indices), len(left.indices))
        lowest = [self._steps(letter)[0] for letter in self.clock]
        lowest += [Affine()] * (longest - len(lowest))
        mine, other = ((*a.indices, *lowest[len(a.indices) :])[:longest] for a in (atom, left))
        for a, b in zip(mine, other, strict=True):
            if ranges.surely_at_least(b - 1, a):
                return True
            if not ranges.surely_at_least(b, a):
                return False
        return order.index(atom.name) < order.index(left.name)

    def fresh(self, form: Scalar, scope: Scope) -> tuple[Scalar, frozenset[str]]:
        """Return the form by the laws of samples and of noise against what is older, and the laws that were used."""
        made, sampled = self.apply_sampling(form, scope)
        made = on_sample(made, scope) if self.setting.sizes else made
        kept = {term: value for term, value in made.items() if not self._vanishes(term, scope.ranges)}
        return kept, frozenset([SAMPLED] * sampled + [UNBIASED] * (len(kept) < len(made)))

    def apply_sampling(self, form: Scalar, scope: Scope) -> tuple[Scalar, bool]:
        """Return the form by the law of samples, and whether it was used."""
        return apply_sample_law(form, self.before_sample(scope.ranges), scope)

    def _vanishes(self, term: object, ranges: Ranges) -> bool:
        if not isinstance(term, Inner):
            return False
        pairs = ((term.left, term.right), (term.right, term.left))
        return any(self._independent(noise, other, term.averaged, ranges) for noise, other in pairs)

    def _independent(self, noise: Atom, other: Atom, averaged: Averaged, ranges: Ranges) -> bool:
        sequence = self.setting.vectors.get(noise.name)
        fresh = sequence is not None and sequence.kind == "noise" and sequence.indices == self.timing
        if not (fresh or self._deviates(noise.name)):
            return False
        born = self._births(other, self.offsets)
        if born is None:
            return False
        # An index that is averaged out of both may differ in the two: the noise is the oldest, the other the newest.
        apart = {star: self.setting.indices[plain(star)[1:]] for star in averaged if star != CLIENT}
        at = tuple(_extreme(index, apart, last=False) for index in self._pad_time(noise.indices))
        return all(self._before(tuple(_extreme(index, apart, last=True) for index in one), at, ranges) for one in born)

    def spread(self, atom: Atom) -> bool:
        """Return whether an atom is noise, so that its entries at different indices are uncorrelated."""
        sequence = self.setting.vectors.get(atom.name)
        return sequence is not None and sequence.kind in {"noise", "deviation"} and atom.argument is None


def _extreme(index: Affine, ranges: Mapping[str, Range], *, last: bool) -> Affine:
    """Return the last, or the first, that an index is over the ranges of its letters: t - d is last at the first d."""
    at = {letter: ranges[letter][last is (sign > 0)] for letter, sign in index.parts if letter in ranges}
    return index.substitute(at)


def _made_from(node: Node, scope: Scope) -> list[Atom]:
    """Return the atoms of the right side of an equation; ``some(u, v)`` is made from u and v, nobody says how."""
    parts = node.parts if _is_some(node) else (node,)
    return [atom for part in parts for atom, _ in vector(part, scope)]


def _is_some(node: Node) -> bool:
    return node.kind == "call" and node.name == SOME


def _span(part: Node, one: Definition) -> Range:
    """Return the first and the last value of an index on the left of an equation: a letter, or a letter plus 1."""
    letter = part.name if part.kind == "letter" else part.parts[0].name
    low, high = one.over[letter]
    return (low, high) if part.kind == "letter" else (low + 1, high + 1)


def _require_one_each(name: str, several: list[Definition]) -> None:
    """Raise InputError unless every entry has one equation at most: ``u[t]``, ``u[t + 1]``, or ``u[0]`` with one."""
    kinds = sorted("".join(_pattern(part) for part in one.left.parts) for one in several)
    plain = "x" * len(several[0].left.parts)
    legal = [[plain], [plain[:-1] + "+"] if len(plain) == 1 else [], [plain[:-1] + "0"]]
    legal += [sorted([plain[:-1] + "0", plain[:-1] + other]) for other in "+x"]
    if kinds == ["x", "x"] and _in_parts(several):
        return
    if kinds not in [pattern for pattern in legal if pattern]:
        left = ", ".join(str(one.left) for one in several)
        msg = (
            f"equations of {name} ({left}): legal are {name}[.., 0], and {name}[.., k] or {name}[.., k + 1], once each;"
            f" or {name}[t] in two parts of a range, end to end"
        )
        raise InputError(msg)
    starts = [one.left.parts[-1] for one in several if _pattern(one.left.parts[-1]) == "0"]
    for one in several:
        _require_letters(one, index_of(starts[0], set()) if len(several) > 1 else None)


def _in_parts(several: list[Definition]) -> bool:
    """Return whether two equations are for two parts of a range, end to end, neither of which is empty."""
    spans, surely = [_span(one.left.parts[0], one) for one in several], Ranges().surely_at_least
    return any(
        start == middle + 1 and surely(middle, low) and surely(high, start)
        for (low, middle), (start, high) in (spans, spans[::-1])
    )


def _require_letters(one: Definition, begun: Affine | None) -> None:
    """Raise InputError unless the left has an index letter of its own at each place, and no entry is given twice.

    `begun` is the index of the entry that another equation gives.
    """
    parts = [part for part in one.left.parts if _pattern(part) != "0"]
    letters = [name for part in parts for name in letters_of(part)]
    if len({*letters}) < len(parts) or not {*letters} <= set(one.over):
        msg = f"equation {one.id}: {one.left} is not legal: an index letter at each place, each once, with its range"
        raise InputError(msg)
    own = _pattern(one.left.parts[-1]) != "0"
    if begun is not None and own and _span(one.left.parts[-1], one)[0] != begun + 1:
        msg = (
            f"equation {one.id}: {one.left} must start at the entry after that which another equation gives,"
            f" at {begun + 1}"
        )
        raise InputError(msg)


def _pattern(part: object) -> str:
    text = str(part)
    return (
        "0"
        if text.removeprefix("-").isdecimal()
        else "x"
        if text.isidentifier()
        else "+"
        if text.endswith(" + 1")
        else "?"
    )


def noises(births: Filtration) -> Iterator[str]:
    """Yield the names of the noises."""
    for name, sequence in births.setting.vectors.items():
        if sequence.kind == "noise":
            yield name
