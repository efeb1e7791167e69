"""An explicit model of what a file declares: whole numbers, vectors of a few coordinates, functions, enumerated chance.

Everything with an equation is computed from it, so that equal indices give equal entries; f and grad are quadratic
functions of the point; noise is a vector with a fair sign of its own for each client and index; every draw of a sample
is enumerated.  What nothing determines is a free value.  In a search values are floats, in a witness fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.language.affine import ONE, Affine, index_of
from boundcheck.proofs.language.forms import CLIENT
from boundcheck.proofs.language.grammar import SOME
from boundcheck.proofs.language.setting import EULER, SPREAD
from boundcheck.proofs.language.steps import entries_of

if TYPE_CHECKING:
    from boundcheck.proofs.language.affine import Range
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.setting import Definition, ProofSetting

Array = Any
"""Floats, or fractions as objects: numbers have the shape (outcomes, points), vectors (outcomes, clients, dimension,
points); in a search many points, that is many values of what is free, are evaluated at once."""
Key = tuple[Any, ...]
"""Name of a free value."""
At = Mapping[str, int]
"""Index letters with their values."""
Entry = tuple[str, tuple[int, ...]]
Curvature = tuple[str, Fraction]
"""A letter (or none) and its factor."""
NUMBER, VECTOR = 2, 4
"""How many axes a number and a vector have."""
_POLE = 1e-9
MOST_OUTCOMES = 64
EULER_ENDS = (
    Fraction(27182818284590452353602874713526624977572, 10**40),
    Fraction(27182818284590452353602874713526624977573, 10**40),
)
"""Euler's number is between these."""


class NoModelError(Exception):
    """What is declared has no model of this kind here."""


class OutsideError(NoModelError):
    """An index is not in its range: what is said there speaks of nothing."""


@dataclass(frozen=True)
class ModelShape:
    """All choices of a model that are no numbers."""

    setting: ProofSetting
    whole: Mapping[str, int]
    """Values of horizons and of sizes of samples."""
    dimension: int = 1
    coins: tuple[tuple[str, tuple[int, ...], int], ...] = ()
    """Noise that is not zero: sequence, indices, client."""
    draws: tuple[Entry, ...] = ()
    """Samples that are drawn."""
    below: tuple[Curvature, ...] = ()
    """Second derivatives of each client's function along each coordinate, below its centre."""
    above: tuple[Curvature, ...] = ()
    """The same above the centre, which is one for all clients where the two differ."""
    centred: bool = True
    """Whether the centres are 0."""
    sloped: bool = False
    """Whether the functions have linear parts of their own."""
    raised: bool = False
    """Whether the functions have a constant part."""
    letters: Mapping[str, Node] = field(default_factory=dict)
    """Letters that an equality determines, with what they are."""
    equations: tuple[Definition, ...] = ()
    """Entries that an equality determines, beside those with an equation."""

    @cached_property
    def clients(self) -> int:
        """Return how many clients there are."""
        low, high = (self.index(end, {}) for end in self.setting.indices.get(CLIENT, (Affine.number(1),) * 2))
        return high - low + 1

    def size(self, size: str) -> int:
        """Return how many clients a sample has: a number, or the value of a letter."""
        return int(size) if size.isdecimal() else self.whole[size]

    def index(self, index: Affine, at: At) -> int:
        """Return the value of an index."""
        known = {**self.whole, **at, ONE: 1}
        return sum(factor * known[name] for name, factor in index.parts)

    def places(self, over: Mapping[str, Range], at: At | None = None) -> list[dict[str, int]]:
        """Return the values of index letters that run through their ranges, one perhaps in that of another."""
        key = (tuple(over.items()), tuple((at or {}).items()))
        if key not in self._ranges:
            self._ranges[key] = self._places(over, at)
        return self._ranges[key]

    @cached_property
    def _ranges(self) -> dict[Key, list[dict[str, int]]]:
        """Return the values of index letters found so far."""
        return {}

    def _places(self, over: Mapping[str, Range], at: At | None) -> list[dict[str, int]]:
        found: list[dict[str, int]] = [dict(at or {})]
        left = dict(over)
        while left:
            ready = next((n for n, ends in left.items() if not (ends[0].letters | ends[1].letters) & set(left)), None)
            if ready is None:
                raise NoModelError
            low, high = left.pop(ready)
            found = [
                {**one, ready: value}
                for one in found
                for value in range(self.index(low, one), self.index(high, one) + 1)
            ]
        return found

    def place(self, node: Node, at: At) -> tuple[int, ...]:
        """Return the values of the indices of an entry."""
        key = (id(node), *at.items())
        if key not in self._places_of_entries:
            legal = {*at, *self.setting.horizons}
            # The node is kept with its place: no other one has its identity as long as it lives.
            self._places_of_entries[key] = node, tuple(self.index(index_of(part, legal), at) for part in node.parts)
        return self._places_of_entries[key][1]

    @cached_property
    def _places_of_entries(self) -> dict[Key, tuple[Node, tuple[int, ...]]]:
        return {}

    def has_entries(self, node: Node) -> bool:
        """Return whether entries of sequences stand in an expression."""
        if id(node) not in self._with_entries:
            # As in `place`, the node is kept.
            self._with_entries[id(node)] = node, bool(entries_of(node))
        return self._with_entries[id(node)][1]

    @cached_property
    def _with_entries(self) -> dict[int, tuple[Node, bool]]:
        return {}

    def equations_of(self, name: str, place: tuple[int, ...]) -> list[tuple[Definition, dict[str, int]]]:
        """Return what says what an entry is, with the values of its letters there."""
        key = name, place
        if key not in self._equations_of_entries:
            of_name = [one for one in (*self.setting.definitions.values(), *self.equations) if one.left.name == name]
            matched = [(one, self._match(one, place)) for one in of_name]
            self._equations_of_entries[key] = [(one, at) for one, at in matched if at is not None]
        return self._equations_of_entries[key]

    @cached_property
    def _equations_of_entries(self) -> dict[Entry, list[tuple[Definition, dict[str, int]]]]:
        return {}

    def _match(self, one: Definition, place: tuple[int, ...]) -> dict[str, int] | None:
        """Return the values of the letters at which an equation is about an entry."""
        at: dict[str, int] = {}
        for part, value in zip(one.left.parts, place, strict=True):
            index = index_of(part, {*one.over, *self.setting.horizons})
            own = [letter for letter in index.letters if letter in one.over]
            if len(own) > 1 or (own and dict(index.parts)[own[0]] != 1):
                raise NoModelError
            if own and at.setdefault(own[0], value - self.index(index - Affine.letter(own[0]), at)) is None:
                raise NoModelError
            if self.index(index, at) != value:
                return None
        # A name for a number says what it is wherever its right side is something.
        return at if one.left.name in self.setting.scalars or at in self.places(one.over) else None

    @cached_property
    def outcomes(self) -> tuple[Array, Array]:
        """Return the signs of all noise, one row an outcome, and which clients are drawn: all are equally likely."""
        subsets = []
        for name, _ in self.draws:
            size = self.size(self.setting.vectors[name].size)
            subsets.append(
                [[k in chosen for k in range(self.clients)] for chosen in combinations(range(self.clients), size)]
            )
        count = 2 ** len(self.coins)
        for several in subsets:
            count *= len(several)
        if count > MOST_OUTCOMES or not all(subsets):
            raise NoModelError
        rows = list(product(*([(1, -1)] * len(self.coins)), *subsets))
        signs = np.array([row[: len(self.coins)] for row in rows], dtype=object).reshape(len(rows), -1)
        drawn = np.array([row[len(self.coins) :] for row in rows], dtype=object)
        return signs, drawn.reshape(len(rows), len(self.draws), self.clients)


@dataclass
class Model:
    """A shape with its numbers; entries are computed when they are asked for, and once."""

    shape: ModelShape
    value: Callable[[Key, int, str], Array]
    """Returns a free value by its name, how many coordinates it has, and its sign: shape (coordinates, points)."""
    exact: bool = False
    euler: Fraction = EULER_ENDS[0]
    coins: dict[tuple[str, tuple[int, ...], int], None] = field(default_factory=dict)
    """Noise that was asked for."""
    draws: dict[Entry, None] = field(default_factory=dict)
    """Samples that were asked for."""
    work: int = 0
    """How many expressions have been evaluated."""
    known: dict[Key, Array] = field(default_factory=dict)
    """Letters and entries that have been computed."""
    _open: set[Key] = field(default_factory=set)

    @property
    def setting(self) -> ProofSetting:
        """Return what is declared."""
        return self.shape.setting

    @property
    def entries(self) -> list[Key]:
        """Return the names of the entries that have been computed."""
        return [key for key in self.known if key[0] == "entry"]

    def number(self, value: Fraction | int) -> Array:
        """Return a number of the model's kind, the same in all outcomes."""
        return _number(value, exact=self.exact)

    def free_value(self, key: Key, size: int, sign: str) -> Array:
        """Return a free value with an axis of points."""
        made = np.asarray(self.value(key, size, sign))
        return made.reshape(size, -1)

    def means(self, node: Node, at: At) -> Array:
        """Return the expected value of a number-valued expression at every point."""
        values = self.of(node, at)
        if values.ndim != NUMBER:
            raise NoModelError
        return _average(values, 0)

    def mean(self, node: Node, at: At) -> Any:
        """Return the expected value of a number-valued expression at the first point."""
        return self.means(node, at)[0]

    def of(self, node: Node, at: At, points: Mapping[str, Array] | None = None) -> Array:
        """Return an expression in every outcome."""
        parts = node.parts
        self.work += 1
        match node.kind:
            case "number":
                return _constant(node.name, exact=self.exact)
            case "letter" if points and node.name in points:
                # A leaf says what it says of points with names of its own, which may be those of sequences.
                return points[node.name]
            case "letter" if node.name in self.setting.vectors and not self.setting.vectors[node.name].indices:
                return self.entry(node.name, ())
            case "letter":
                return self._letter(node.name, at)
            case "entry":
                return self.entry(node.name, self.shape.place(node, at))
            case "call":
                return self._call(node, at, points)
            case "neg":
                return -self.of(parts[0], at, points)
            case "add":
                return self._add(*(self.of(part, at, points) for part in parts))
            case "mul":
                left, right = (self.of(part, at, points) for part in parts)
                return _times(left, right)
            case "div":
                return _times(self._inverse(self.of(parts[1], at, points)), self.of(parts[0], at, points))
            case "power":
                base, exponent = self.of(parts[0], at, points), int(node.name)
                return self._inverse(base) ** -exponent if exponent < 0 else base**exponent
            case "inner":
                return self._inner(*(self._vector(part, at, points) for part in parts))
            case "norm2":
                inside = self._vector(parts[0], at, points)
                return self._inner(inside, inside)
            case "mean":
                return self._mean(node, at, points)
            case "sum":
                return self._sum(node, at, points)
            case "discounted":
                return self._discount(node, at, points)
            case "least":
                return self._least(node, at)
            case "min":
                return np.min([self.of(part, at, points) for part in parts], axis=0)
        raise NoModelError

    def _least(self, node: Node, at: At) -> Array:
        """Return the least expected value of a sequence of numbers."""
        places = self.shape.places({node.name: self.setting.indices[node.name]}, at)
        if not places:
            raise OutsideError
        return np.min([self.means(node.parts[0], one) for one in places], axis=0)[None]

    def differences(self, relation: Node, at: At) -> list[tuple[Any, bool]]:
        """Return what a relation says is not negative (right minus left), or zero."""
        values = [self.mean(part, at) for part in relation.parts]
        signs = relation.name.split()
        return [
            (a - b if sign == ">=" else b - a, sign == "=")
            for sign, a, b in zip(signs, values, values[1:], strict=False)
        ]

    def _once(self, key: Key, make: Callable[[], Array]) -> Array:
        if key not in self.known:
            if key in self._open:
                raise NoModelError
            self._open.add(key)
            try:
                self.known[key] = make()
            finally:
                self._open.remove(key)
        return self.known[key]

    def _letter(self, name: str, at: At) -> Array:
        if name in at:
            return self.number(at[name])
        if name in self.shape.whole:
            return self.number(self.shape.whole[name])
        if name == EULER:
            return self.number(self.euler)
        return self._once(("letter", name), lambda: self._made_letter(name))

    def _made_letter(self, name: str) -> Array:
        setting, shape = self.setting, self.shape
        if name in setting.series:
            length = shape.index(setting.length(setting.series[name]), {})
            return self.number(sum((Fraction(length, length - 1) ** power for power in range(length - 1)), Fraction(0)))
        if name == SPREAD and setting.sizes:
            size = shape.size(setting.sizes[0])
            return self.number(Fraction(shape.clients - size, size * max(shape.clients - 1, 1)))
        if name in shape.letters:
            values = self.of(shape.letters[name], {})
            if values.ndim != NUMBER:
                raise NoModelError
            return _average(values, 0)[None]
        if name not in setting.letters:
            raise NoModelError
        return self.free_value(("letter", name), 1, setting.letters[name])

    def entry(self, name: str, place: tuple[int, ...]) -> Array:
        """Return an entry of a sequence or a member of a letter."""
        return self._once(("entry", name, place), lambda: self._made_entry(name, place))

    def _made_entry(self, name: str, place: tuple[int, ...]) -> Array:
        setting = self.setting
        if name in setting.indexed:
            self._require_inside(place, setting.indexed[name].ranges, setting.indexed[name].indices)
            return self.free_value(("member", name, place), 1, setting.indexed[name].sign)
        if name in setting.numbers:
            given = self._by_equation(name, place)
            return self.free_value(("number", name, place), 1, ">= 0") if given is None else given[0]
        if name in setting.scalars:
            found = self._by_equation(name, place)
            if found is None:
                raise OutsideError
            return found[0]
        if name not in setting.vectors:  # of a leaf that no claim uses, and of which the kernel says nothing
            raise NoModelError
        sequence = setting.vectors[name]
        self._require_inside(place, sequence.ranges, sequence.indices)
        if sequence.kind == "sample":
            raise NoModelError
        found = self._by_equation(name, place)
        if sequence.kind in {"noise", "deviation"}:
            if found is not None:
                raise NoModelError
            return self._noise(name, place)
        if found is None:
            return self.free((name, *place), client=sequence.kind == "client")
        if found[0].ndim == NUMBER:  # the number 0 as a vector
            return self._zero(found[0])
        return found[0]

    def _zero(self, value: Array) -> Array:
        if value.any():
            raise NoModelError
        return self.zeros(1, 1, self.shape.dimension, 1)

    def zeros(self, *size: int) -> Array:
        """Return zeros of the model's kind."""
        return np.full(size, Fraction(0), dtype=object) if self.exact else np.zeros(size)

    def _require_inside(self, place: tuple[int, ...], ranges: tuple[Range, ...], letters: tuple[str, ...]) -> None:
        at = dict(zip(letters, place, strict=True))
        for value, (low, high) in zip(place, ranges, strict=True):
            if not self.shape.index(low, at) <= value <= self.shape.index(high, at):
                raise OutsideError

    def _by_equation(self, name: str, place: tuple[int, ...]) -> tuple[Array] | None:
        """Return an entry by its equation, None where it has none."""
        found = [self._right(one, at, place) for one, at in self.shape.equations_of(name, place)]
        if len(found) > 1:
            raise NoModelError
        return (found[0],) if found else None

    def _right(self, one: Definition, at: dict[str, int], place: tuple[int, ...]) -> Array:
        client = one.left.name in self.setting.vectors and self.setting.vectors[one.left.name].kind == "client"
        if one.right.kind != "call" or one.right.name != SOME:
            made = self.of(one.right, at)
            if made.ndim == VECTOR and not client and made.shape[1] > 1:
                raise NoModelError
            return made
        # Made of these vectors, nobody says how: here a combination of them and a fixed vector.
        total = self.free((one.left.name, *place), client=client)
        for number, part in enumerate(one.right.parts):
            made = self._vector(part, at, None)
            made = made if client else self._over_clients(made)
            factor = self.free_value(("factor", one.left.name, place, number), 1, "real")
            total = total + _times(factor, made)
        return total

    def free(self, name: Key, *, client: bool) -> Array:
        """Return a vector that nothing determines, the same in all outcomes."""
        size, clients = self.shape.dimension, self.shape.clients
        mean = self.free_value(("vector", *name), size, "real")[None, None]
        if not client or clients == 1:
            return mean
        apart = [self.free_value(("apart", k, *name), size, "real")[None, None] for k in range(clients - 1)]
        return mean + concatenate([*apart, -sum(apart)], axis=1)

    def _noise(self, name: str, place: tuple[int, ...]) -> Array:
        signs, size = self.shape.outcomes[0], self.shape.dimension
        rows = []
        for client in range(self.shape.clients):
            key = (name, place, client)
            self.coins[key] = None
            if key not in self.shape.coins:
                rows.append(self.zeros(len(signs), 1, size, 1))
                continue
            sign = signs[:, self.shape.coins.index(key)].reshape(-1, 1, 1, 1)
            if not self.exact:
                sign = sign.astype(float)
            rows.append(sign * self.free_value(("noise", name, place, client), size, "real")[None, None])
        return concatenate(rows, axis=1)

    def _call(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        if node.name == "taken":
            return self._on_sample(node, at, points)
        point = self._vector(node.parts[0], at, points)
        if node.name == "grad":
            bend, centre, slope, _ = self._functions_at(point)
            return bend * (point - centre) + slope
        if node.name == "f":
            bend, centre, slope, height = self._functions_at(point)
            if point.shape[1] > 1:
                raise NoModelError
            half = self.number(Fraction(1, 2))[0, 0]
            values = half * bend * (point - centre) ** 2 + slope * point
            return values.sum(axis=2).sum(axis=1) / values.shape[1] + height
        raise NoModelError

    @property
    def has_kinks(self) -> bool:
        """Return whether second derivatives jump at the centre."""
        return self.shape.below != self.shape.above

    @cached_property
    def functions(self) -> tuple[Array, Array, Array, Array, Array]:
        """Return second derivatives below and above the centres, centres, slopes, and the height of all."""
        size, clients, shape = self.shape.dimension, self.shape.clients, self.shape
        below, above = (
            concatenate(
                [_times(self._letter(name, {}) if name else self.number(1), self.number(w)) for name, w in side], axis=0
            ).reshape(1, clients, size, -1)
            for side in (shape.below, shape.above)
        )
        zero = self.zeros(1, 1, size, 1)
        centre = zero if shape.centred else self.free(("centre",), client=not self.has_kinks)
        slope = self.free(("slope",), client=True) if shape.sloped else zero
        return below, above, centre, slope, self.free_value(("height",), 1, "real") if shape.raised else self.number(0)

    def _functions_at(self, point: Array) -> tuple[Array, Array, Array, Array]:
        below, above, centre, slope, height = self.functions
        bend = np.where(point < centre, below, above) if self.has_kinks else below
        return bend, centre, slope, height

    def _on_sample(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        sample = node.parts[0]
        key = (sample.name, self.shape.place(sample, at))
        sequence = self.setting.vectors[sample.name]
        self._require_inside(key[1], sequence.ranges, sequence.indices)
        self.draws[key] = None
        point = self._vector(node.parts[1], at, points)
        if key not in self.shape.draws:
            return point
        chosen = self.shape.outcomes[1][:, self.shape.draws.index(key), :, None, None]
        return np.where(chosen.astype(bool), point, self.zeros(1, 1, 1, 1))

    def _vector(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        made = self.of(node, at, points)
        return self._zero(made) if made.ndim == NUMBER else made

    def _inner(self, left: Array, right: Array) -> Array:
        products = left * right
        return _average(products[:, :, 0] if products.shape[2] == 1 else products.sum(axis=2), 1)

    def _over_clients(self, value: Array) -> Array:
        return _average(value, 1)[:, None]

    def _add(self, left: Array, right: Array) -> Array:
        if left.ndim != right.ndim:
            left, right = (self._zero(one) if one.ndim == NUMBER else one for one in (left, right))
        return left + right

    def _inverse(self, value: Array) -> Array:
        if not value.all():
            if self.exact:
                raise NoModelError
            value = np.where(value == 0, _POLE, value)  # one of many points of a search
        return self.number(1) / value

    def _mean(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        letters = [part.strip() for part in node.name.split(",")]
        places = self.shape.places({name: self.setting.indices[name] for name in letters if name != CLIENT}, at)
        total = self._total(node.parts[0], places, points)
        if not places:
            raise NoModelError
        value = total / len(places)
        return self._over_clients(value) if CLIENT in letters and value.ndim == VECTOR else value

    def _total(self, body: Node, places: list[dict[str, int]], points: Mapping[str, Array] | None) -> Array:
        total = self.number(0)
        for k, place in enumerate(places):
            value = self.of(body, place, points)
            total = total + value if k else value
        return total

    def _sum(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        low, high = self.setting.indices[node.name]
        if len(node.parts) > 1:
            legal = {*at, *self.setting.horizons}
            low, high = (index_of(part, legal) for part in node.parts[1:])
        return self._total(node.parts[0], self.shape.places({node.name: (low, high)}, at), points)

    def _discount(self, node: Node, at: At, points: Mapping[str, Array] | None) -> Array:
        low, high = (self.shape.index(end, at) for end in self.setting.indices[node.name])
        growth = self.number(1) + self.of(node.parts[1], at)
        weights = [growth ** (high - value) for value in range(low, high + 1)]
        if not weights:
            raise NoModelError
        values = [self.of(node.parts[0], {**at, node.name: value}, points) for value in range(low, high + 1)]
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


@lru_cache(maxsize=10_000)
def _number(value: Fraction | int, *, exact: bool) -> Array:
    """Return a number that nobody writes to, the same in all outcomes."""
    made = np.array([[Fraction(value)]], dtype=object) if exact else np.array([[float(value)]])
    made.flags.writeable = False
    return made


@lru_cache(maxsize=10_000)
def _constant(text: str, *, exact: bool) -> Array:
    """Return a number by its text."""
    return _number(Fraction(text), exact=exact)


def _average(values: Array, axis: int) -> Array:
    """Return the mean along the first or the second axis, of a single value that value."""
    if values.shape[axis] == 1:
        return values[:, 0] if axis else values[0]
    return values.sum(axis=axis) / values.shape[axis]


def _times(left: Array, right: Array) -> Array:
    """Return a product of two numbers, or of a number and a vector."""
    if left.ndim == VECTOR and right.ndim == VECTOR:
        raise NoModelError
    if left.ndim == VECTOR:
        left, right = right, left
    return (left[:, None, None] if right.ndim == VECTOR else left) * right


def concatenate(rows: list[Array], axis: int) -> Array:
    """Return arrays one behind the other along an axis, the others being broadcast."""
    shapes = [row.shape[:axis] + row.shape[axis + 1 :] for row in rows]
    whole = np.broadcast_shapes(*shapes)
    full = [np.broadcast_to(row, (*whole[:axis], row.shape[axis], *whole[axis:])) for row in rows]
    return np.concatenate(full, axis=axis)
