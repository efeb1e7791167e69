"""When a vector is determined: which noises it may depend on, computed from the equations alone.

Times are the indices of the noise in lexicographic order.  ``birth(u) = (t, k)`` says that u is a function of start
values and of noises strictly older than (t, k); noise at (t, k) then has mean zero given u.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from boundcheck.errors import InputError
from boundcheck.lemmas.chain.affine import Affine, Ranges
from boundcheck.lemmas.chain.evaluate import vector
from boundcheck.lemmas.chain.forms import CLIENT, Atom, Inner
from boundcheck.lemmas.chain.grammar import SOME
from boundcheck.lemmas.chain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.lemmas.chain.forms import Averaged, Scalar
    from boundcheck.lemmas.chain.grammar import Node
    from boundcheck.lemmas.chain.setting import Definition, Sequence, Setting

Time = tuple[Affine, ...]
_EARLIEST, _LATEST = -1, 3
"""Offsets that are tried; a sequence that needs a later one has no birth."""


@dataclass(frozen=True)
class Births:
    """The births of all sequences of a setting."""

    setting: Setting

    @cached_property
    def clock(self) -> tuple[str, ...]:
        """Return the index letters of the noise: the order of time."""
        return max((s.indices for s in self.setting.vectors.values() if s.kind == "noise"), key=len, default=())

    @cached_property
    def equations(self) -> dict[str, list[Definition]]:
        """Return the equations of each sequence, checked: each entry has at most one, and from older ones."""
        found: dict[str, list[Definition]] = {}
        for one in self.setting.definitions.values():
            if one.left.name in self.setting.vectors:
                found.setdefault(one.left.name, []).append(one)
        for name, several in found.items():
            _require_one_each(name, several)
            for one in several:
                self._require_older(one)
        return found

    def starts(self) -> list[str]:
        """Return the start values: entries that no equation defines, taken as not random."""
        found = []
        for name, several in self.equations.items():
            if len(several) == 1 and any(p.kind != "letter" for p in several[0].left.parts):
                first = self.setting.vectors[name].ranges[0][0]
                found.append(f"{name}[{first}]")
        return found

    @cached_property
    def offsets(self) -> dict[str, int | None]:
        """Return for each sequence by how much its birth is later than its own index; None if it has no birth."""
        offsets: dict[str, int | None] = {}
        for name, sequence in self.setting.vectors.items():
            known = sequence.kind == "noise" and sequence.indices == self.clock
            offsets[name] = 1 if known else _EARLIEST if name in self.equations and self._on_clock(sequence) else None
        changed = True
        while changed:
            changed = False
            for name, several in self.equations.items():
                if offsets[name] is not None and not all(self._fits(one, offsets) for one in several):
                    later = (offsets[name] or 0) + 1
                    offsets[name] = later if later <= _LATEST else None
                    changed = True
        return offsets

    def _on_clock(self, sequence: Sequence) -> bool:
        shared = min(len(sequence.indices), len(self.clock))
        return bool(shared) and sequence.indices[:shared] == self.clock[:shared]

    def _fits(self, one: Definition, offsets: dict[str, int | None]) -> bool:
        scope = Scope(self.setting, one.over)
        ((left, _),) = vector(one.left, scope)
        born = self._birth(left, offsets)
        right = [self._birth(atom, offsets) for atom in _made_from(one.right, scope)]
        return born is not None and all(b is not None and self._before(b, born, scope.ranges) for b in right)

    def _birth(self, atom: Atom, offsets: dict[str, int | None]) -> Time | None:
        if atom.argument is not None:
            return self._birth(atom.argument, offsets)
        offset = offsets.get(atom.name)
        if offset is None or not atom.indices:
            return None
        own = atom.indices[: len(self.clock)]
        own = (*own[:-1], own[-1] + offset)
        return (*own, *[Affine()] * (len(self.clock) - len(own)))

    def _before(self, first: Time, second: Time, ranges: Ranges) -> bool:
        """Return whether `first` is surely no later than `second`; a full count of steps is the next round."""
        for place, (a, b) in enumerate(zip(first, second, strict=True)):
            full = all(
                ranges.surely_at_least(self.setting.length(letter), index)
                for letter, index in zip(self.clock[place + 1 :], first[place + 1 :], strict=True)
            )
            if full and ranges.surely_at_least(b - 1, a):
                return True
            if not ranges.surely_at_least(b, a):
                return False
        return True

    def _require_older(self, one: Definition) -> None:
        """Raise InputError unless everything on the right is older, or of the same index and declared before."""
        scope, order = Scope(self.setting, one.over), list(self.setting.vectors)
        ((left, _),) = vector(one.left, scope)
        for atom in _made_from(one.right, scope):
            base = atom
            while base.argument is not None:
                base = base.argument
            if not self._older(base, left, order, scope.ranges):
                msg = (
                    f"equation {one.id}: {base} on the right of {left} is neither at an earlier index"
                    f" nor declared before it; [vectors] lists what is determined first, first"
                )
                raise InputError(msg)

    def _older(self, atom: Atom, left: Atom, order: list[str], ranges: Ranges) -> bool:
        longest = max(len(atom.indices), len(left.indices))
        mine, other = ((*a.indices, *[Affine()] * (longest - len(a.indices))) for a in (atom, left))
        for a, b in zip(mine, other, strict=True):
            if ranges.surely_at_least(b - 1, a):
                return True
            if not ranges.surely_at_least(b, a):
                return False
        return order.index(atom.name) < order.index(left.name)

    def fresh(self, form: Scalar, scope: Scope) -> tuple[Scalar, bool]:
        """Return the form without the inner products of noise with what is older, and whether there were any."""
        kept = {term: value for term, value in form.items() if not self._vanishes(term, scope.ranges)}
        return kept, len(kept) < len(form)

    def _vanishes(self, term: object, ranges: Ranges) -> bool:
        if not isinstance(term, Inner):
            return False
        pairs = ((term.left, term.right), (term.right, term.left))
        return any(self._independent(noise, other, term.averaged, ranges) for noise, other in pairs)

    def _independent(self, noise: Atom, other: Atom, averaged: Averaged, ranges: Ranges) -> bool:
        sequence = self.setting.vectors.get(noise.name)
        if sequence is None or sequence.kind != "noise" or sequence.indices != self.clock:
            return False
        born = self._birth(other, self.offsets)
        if born is None:
            return False
        # An index that is averaged out of both may differ in the two: the noise is the oldest, the other the newest.
        apart = {star: self.setting.indices[star[1:]] for star in averaged if star != CLIENT}
        at = tuple(index.put({star: low for star, (low, _) in apart.items()}) for index in noise.indices)
        latest = tuple(index.put({star: high for star, (_, high) in apart.items()}) for index in born)
        return self._before(latest, at, ranges)

    def spread(self, atom: Atom) -> bool:
        """Return whether an atom is noise on the clock, so that different entries of it are uncorrelated."""
        sequence = self.setting.vectors.get(atom.name)
        return sequence is not None and sequence.kind == "noise" and sequence.indices == self.clock


def _made_from(node: Node, scope: Scope) -> list[Atom]:
    """Return the atoms of the right side of an equation; ``some(u, v)`` is made from u and v, nobody says how."""
    parts = node.parts if node.kind == "call" and node.name == SOME else (node,)
    return [atom for part in parts for atom, _ in vector(part, scope)]


def _require_one_each(name: str, several: list[Definition]) -> None:
    """Raise InputError unless every entry has one equation at most: ``u[t]``, ``u[t + 1]``, or ``u[0]`` with it."""
    kinds = sorted("".join(_pattern(part) for part in one.left.parts) for one in several)
    plain = "x" * len(several[0].left.parts)
    legal = [[plain], [plain[:-1] + "+"] if len(plain) == 1 else [], sorted([plain[:-1] + "0", plain[:-1] + "+"])]
    if kinds not in [pattern for pattern in legal if pattern]:
        left = ", ".join(str(one.left) for one in several)
        msg = (
            f"equations of {name} ({left}): legal are {name}[.., k], or {name}[.., 0] and {name}[.., k + 1], once each"
        )
        raise InputError(msg)


def _pattern(part: object) -> str:
    text = str(part)
    return "0" if text == "0" else "x" if text.isidentifier() else "+" if text.endswith(" + 1") else "?"


def noises(births: Births) -> Iterator[str]:
    """Yield the names of the noises."""
    for name, sequence in births.setting.vectors.items():
        if sequence.kind == "noise":
            yield name
