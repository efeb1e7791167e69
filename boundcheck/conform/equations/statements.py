"""Statements of proofs, evaluated along a run of the method's own code: every name is a number or an array.

This reads the tree of an expression directly and shares nothing with the linear forms that decide claims.  Arrays are
(lanes, clients, 1) of exact numbers, or of symbols; lanes are equally likely outcomes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError
from boundcheck.proofs.language.coordinates import ONES, is_vector
from boundcheck.proofs.language.grammar import SOME, TAKEN, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boundcheck.proofs.language.affine import Affine, Range
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.setting import Definition, ProofSetting

Array = Any
Index = dict[str, int]


@dataclass
class StatementRun:
    """A run, and what the letters of a statement are in it."""

    setting: ProofSetting
    letters: Mapping[str, Any]
    """Values of all letters, horizons included."""
    vectors: dict[tuple[str, tuple[int, ...]], Array]
    """Recorded entries; every other one is computed from its equation."""
    gradient: Callable[[Array], Array]
    """The clients' gradients at points (lanes, clients, 1)."""
    value: Callable[[Array], Any]
    """The objective at points (lanes, 1, 1), one number a lane."""
    half: Any = Fraction(1)
    numbers: Mapping[tuple[str, tuple[int, ...]], Any] = field(default_factory=dict)
    """Entries of sequences of numbers that no equation gives, and members of letters with an index."""
    seen: dict[tuple[str, tuple[int, ...]], Array] = field(default_factory=dict)
    products: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """Inner products that were asked for, by their sides and index values."""

    def holds(self, relation: Node, at: Index) -> bool:
        """Return whether a relation holds at index values, one of vectors in each coordinate and outcome."""
        if any(is_vector(part, self.setting.vectors) for part in relation.parts):
            return self._holds_surely(relation, at)
        values = [self.number(part, at) for part in relation.parts]
        tests = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b}
        return all(tests[sign](a, b) for sign, a, b in zip(relation.name.split(), values, values[1:], strict=False))

    def _holds_surely(self, relation: Node, at: Index, room: float = 0) -> bool:
        (left, right), sign = (self.vector(part, at) for part in relation.parts), relation.name
        gaps = (np.asarray(right - left).ravel(), np.asarray(left - right).ravel())
        asked = {"<=": gaps[:1], ">=": gaps[1:], "=": gaps}[sign]
        return all(gap >= -room for side in asked for gap in side)

    def whole(self, index: Affine) -> int:
        """Return the value of an index that has horizons only."""
        return sum(value * (int(self.letters[name]) if name else 1) for name, value in index.parts)

    def places(self, over: Mapping[str, Range]) -> Iterator[Index]:
        """Yield all values of index letters in their ranges."""
        names = list(over)
        ranges = [range(self.whole(low), self.whole(high) + 1) for low, high in over.values()]
        for values in product(*ranges):
            yield dict(zip(names, values, strict=True))

    def failures(self, claim: Claim) -> list[Index]:
        """Return the index values at which a claim's conclusion is false though what is given holds."""
        return [
            at
            for at in self.places(claim.over)
            if all(self.holds(node, at) for node in claim.given) and not self.holds(claim.shows, at)
        ]

    def number(self, node: Node, at: Index) -> Any:
        """Return the value of a number-valued expression."""
        kind, parts = node.kind, node.parts
        if kind == "number":
            return Fraction(node.name)
        if kind == "letter":
            return Fraction(at[node.name]) if node.name in at else self.letters[node.name]
        if kind == "entry":
            return self._defined_number(node, at)
        if kind == "call":
            values = self.value(self.vector(parts[0], at)[:, :1])
            return sum(values.ravel()) / Fraction(values.size)
        if kind in {"norm2", "inner"}:
            asked = parts[0], parts[-1], *at.items()
            if asked not in self.products:
                self.products[asked] = self._inner(parts[0], parts[-1], at)
            return self.products[asked]
        if kind in {"mean", "sum"}:
            return self._total(node, at)
        if kind == "discounted":
            return self._discounted_mean(node, at)
        if kind == "min":
            return min(self.number(part, at) for part in parts)
        return _combine_values(node, [self.number(part, at) for part in parts])

    def _inner(self, left: Node, right: Node, at: Index) -> Any:
        sides = np.broadcast_arrays(self.vector(left, at), self.vector(right, at))
        (a, p), (b, q) = (_whole(side.ravel()) for side in sides)
        return sum(map(mul, a, b)) * Fraction(1, p * q * len(a))

    def _total(self, node: Node, at: Index) -> Any:
        letters = [name.strip() for name in node.name.split(",")]
        over = {name: self.setting.indices[name] for name in letters}
        values = [self.number(node.parts[0], at | place) for place in self._bound(node, over, at)]
        return sum(values, Fraction(0)) / Fraction(len(values) if node.kind == "mean" else 1)

    def _discounted_mean(self, node: Node, at: Index) -> Any:
        places = list(self.places({node.name: self.setting.indices[node.name]}))
        values = [self.number(node.parts[0], at | place) for place in places]
        ratio = 1 + self.number(node.parts[1], at)
        weights = [ratio**power for power in reversed(range(len(values)))]
        return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)

    def _bound(self, node: Node, over: Mapping[str, Range], at: Index) -> Iterator[Index]:
        if node.kind == "sum" and len(node.parts) > 1:
            low, high = (int(self.number(part, at)) for part in node.parts[1:])
            return ({node.name: value} for value in range(low, high + 1))
        return self.places(over)

    def _defined_number(self, node: Node, at: Index) -> Any:
        indices = [int(self.number(part, at)) for part in node.parts]
        number = self.setting.numbers.get(node.name)
        if number is not None and number.products is not None:
            return self.number(number.products, dict(zip(self.setting.scalars[node.name], indices, strict=True)))
        if number is not None or node.name in self.setting.indexed:
            return self.numbers[node.name, tuple(indices)]
        one = self.setting.definitions[node.name]
        return self.number(one.right, dict(zip(one.over, indices, strict=True)))

    def vector(self, node: Node, at: Index) -> Array:
        """Return the array of a vector-valued expression."""
        kind, parts = node.kind, node.parts
        if kind == "entry":
            return self.entry(node.name, self._indices(node, at))
        if kind == "call" and node.name == TAKEN:
            return self.vectors[parts[0].name, self._indices(parts[0], at)] * self.vector(parts[1], at)
        if kind == "call" and node.name != SOME:
            y = self.vector(parts[0], at)
            return self.gradient(np.broadcast_to(y, (len(y), int(self.letters["N"]), y.shape[2])))
        if kind == "mean":
            return self._average(node, at)
        if kind in {"add", "neg"}:
            return _combine_values(node, [self.vector(part, at) for part in parts])
        if kind == "div":
            return self.vector(parts[0], at) * (1 / self.number(parts[1], at))
        if kind == "letter" and node.name == ONES:
            return next(iter(self.vectors.values())) * 0 + Fraction(1)
        if kind == "letter":
            return self.entry(node.name, ())
        if kind == "power":
            return self.vector(parts[0], at) ** int(node.name)
        if kind == "mul" and all(is_vector(part, self.setting.vectors) for part in parts):
            return self.vector(parts[0], at) * self.vector(parts[1], at)
        if kind == "mul":
            scalar_first = not is_vector(parts[0], self.setting.vectors)
            scalar, rest = parts if scalar_first else reversed(parts)
            return self.vector(rest, at) * self.number(scalar, at)
        if kind == "number" and node.name == "0":
            return next(iter(self.vectors.values())) * 0
        msg = f"{node} is not a vector"
        raise InputError(msg)

    def _indices(self, node: Node, at: Index) -> tuple[int, ...]:
        return tuple(int(self.number(part, at)) for part in node.parts)

    def _average(self, node: Node, at: Index) -> Array:
        letters = [name.strip() for name in node.name.split(",")]
        over = {name: self.setting.indices[name] for name in letters if name != "i"}
        arrays = [self.vector(node.parts[0], at | place) for place in self.places(over)]
        total, count = sum(arrays[1:], arrays[0]), len(arrays)
        if "i" in letters:
            count *= total.shape[1]
            total = total.sum(axis=1, keepdims=True)
        return total * Fraction(1, count)

    def entry(self, name: str, at: tuple[int, ...]) -> Array:
        """Return an entry: recorded, or by its equation."""
        if (name, at) in self.vectors:
            return self.vectors[name, at]
        if (name, at) not in self.seen:
            self.seen[name, at] = self.by_equation(name, at)
        return self.seen[name, at]

    def by_equation(self, name: str, at: tuple[int, ...]) -> Array:
        """Return what the equation of an entry says that it is.

        Raises
        ------
        InputError
            If there is none.
        """
        for one in self.setting.definitions.values():
            if one.left.name == name and (place := self._place(one, at)) is not None:
                return self.vector(one.products or one.right, place)
        msg = f"{name}{list(at)} is neither recorded nor given by an equation"
        raise InputError(msg)

    def _place(self, one: Definition, at: tuple[int, ...]) -> Index | None:
        for place in self.places(one.over):
            if tuple(int(self.number(part, place)) for part in one.left.parts) == at:
                return place
        return None


def _whole(values: Array) -> tuple[list[Any], int]:
    """Return numbers as whole ones over one denominator; others than fractions as they are."""
    if not all(isinstance(value, Fraction) for value in values):
        return list(values), 1
    common = lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values], common


def _combine_values(node: Node, values: list[Any]) -> Any:
    match node.kind:
        case "add":
            return values[0] + values[1]
        case "neg":
            return -values[0]
        case "mul":
            return values[0] * values[1]
        case "div":
            return values[0] / values[1]
        case "power":
            return values[0] ** int(node.name)
    msg = f"{node} has no value"
    raise InputError(msg)
