"""Claims that fail in an explicit model of everything that the file declares: small N, K and T, all entries computed.

A local search proposes the numbers; what is returned has been evaluated in fractions: every leaf at all its indices (or
at all points), what is given, every claim that is proved, and the claim itself, which fails.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import InputError
from boundcheck.proofs.algebra.hypotheses import signs_of
from boundcheck.proofs.chain.refuting.climb import Conditions, climb, lacking
from boundcheck.proofs.chain.refuting.determined import Determined
from boundcheck.proofs.chain.refuting.everywhere import holds_at_all_points, margin
from boundcheck.proofs.chain.refuting.model import EULER_ENDS, Model, ModelShape, NoModelError, OutsideError
from boundcheck.proofs.language.setting import EULER
from boundcheck.proofs.language.steps import entries_of, letters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from boundcheck.proofs.chain.deciding.decided import ClaimOutcome
    from boundcheck.proofs.chain.deciding.prover import Prover
    from boundcheck.proofs.chain.refuting.climb import Ask
    from boundcheck.proofs.chain.refuting.model import Array, At, Key
    from boundcheck.proofs.language.claim import Claim
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.setting import Leaf

Numbers = dict["Key", "Array"]
"""Free values, by name."""
_DENOMINATORS = (1, 2, 4, 10, 100, 1000)
_LARGEST = 3
"""Up to which value horizons and sizes of samples are tried, beside those that the hypotheses ask for."""
_CHOICES = 16
_VECTORS = ("vector", "apart", "noise")
_KINDS = 4
"""Kinds of functions that are tried: quadratic ones, a knot beside the minimum, any, any with a knot."""
_STARTS = 12
"""Local searches for each choice of whole numbers."""
_KNOTS = 100
"""As many in the smallest worlds, of functions with a knot."""
_DRAWN = 1500
"""Values that are drawn at once, of which a local search starts from the best."""
_NEAR = 100
"""Of how many of the best others are taken too: the very best may lie where everything shrinks to zero."""
_TOGETHER = 8
"""How many local searches start from the best, from near them, and from anywhere: all at once."""
_HALVINGS = (2.0, 1.0, 0.5, 0.25, 0.12, 0.06, 0.03)
"""Powers of Euler's number by which a letter is moved towards an edge."""
_COINS = 4
"""Most noises of one client at one index that are not zero."""
_WORK = 300_000
"""Most expressions that are evaluated for one claim."""
_EACH = 30_000
"""Most that are evaluated from one start, so that hard ones leave something for others."""
_SMALL = 1e-2
"""Below this two sides are taken as near to each other, whatever their ratio."""
_LEAST = 1e-3
"""Least value of a positive letter."""
_TINY = Fraction(1, 10**20)
"""Where Euler's number matters, what is nearer to 0 than this is not told apart from 0."""
_FACTORS = (Fraction(1), Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2))


@dataclass(frozen=True)
class Failure:
    """A model in which a claim fails."""

    shape: ModelShape
    numbers: Numbers
    at: At
    """Index letters at which it fails."""


def failure(prover: Prover, claim: Claim, near: Mapping[str, str] | None = None, work: int = _WORK) -> Failure | None:
    """Return a model of all that is declared in which a claim fails, None if none is met.

    The search may begin `near` values of letters, and evaluates about as many expressions as `work` says.
    """
    if claim.at or claim.cases:
        return None
    try:
        return FailureSearch(prover, claim, near or {}, work).run()
    except InputError:
        return None


class FailureSearch:
    """A search for a model in which one claim fails."""

    def __init__(self, prover: Prover, claim: Claim, near: Mapping[str, str] | None = None, most: int = _WORK) -> None:
        self.prover, self.claim, self.setting = prover, claim, prover.setting
        self.near = {
            name: float(Fraction(value)) for name, value in (near or {}).items() if name in self.setting.letters
        }
        self.rng = np.random.default_rng(5)
        self.work, self.most = 0, most
        self.margins: dict[Any, Array] = {}
        self.active: set[Any] | None = None
        """Where leaves speak within a search; None outside of one."""
        self.determined = Determined(self.setting, claim)
        leaves = self.setting.leaves.values()
        self.everywhere = [one for one in leaves if one.points]
        self.spoken = [one for one in leaves if not one.points]
        relations = [claim.shows, *claim.given, *(leaf.shows for leaf in leaves)]
        relations += [one.right for one in self.setting.definitions.values()]
        self.functions = self._about_functions()
        self.apart = {
            one.id: None if entries_of(one.shows) else sorted(letters_of(one.shows) - set(one.points))
            for one in self.everywhere
        }
        """The letters of a leaf about all points, which is of functions and letters alone; None for one that is not."""
        self.euler = any(EULER in letters_of(node) for node in relations)
        self.points = signs_of(claim.given, self.setting, claim.over, book=prover.book).points

    def _about_functions(self) -> bool:
        """Return whether f or grad stand in anything that is said at indices; else they may be 0."""
        nodes = [self.claim.shows, *(leaf.shows for leaf in self.spoken)]
        nodes += [one.right for one in self.setting.definitions.values()]
        return any(map(_calls, nodes))

    def run(self) -> Failure | None:
        """Return the first failure that is met."""
        # Small worlds first, and simple functions: each of them with several of the others before both grow.
        places = sorted(
            product(range(_STARTS if self.functions else _KINDS), enumerate(self._whole())),
            key=lambda at: (at[0] + at[1][0] / 2, at[0]),
        )
        found = self._first((start, whole) for start, (_, whole) in places)
        if found is None:
            self.most *= 2
            found = self._first(self._knots())
        return None if found is None else self._simpler(found)

    def _first(self, places: Iterable[tuple[int, dict[str, int]]]) -> Failure | None:
        """Return the first failure that is met at starts and whole numbers, within the work that is allowed."""
        for start, whole in places:
            if self.work > self.most:
                return None
            try:
                found = self._from_start(whole, start)
            except NoModelError:
                continue
            if found is not None:
                return found
        return None

    def _knots(self) -> Iterator[tuple[int, dict[str, int]]]:
        """Yield more searches among functions that bend differently beside a knot, in the smallest worlds.

        A constant that is nearly sharp fails for few of them, a few percent away from what is allowed.
        """
        for start in range(_STARTS, _KNOTS if self.functions else 0):
            if start % _KINDS in (1, _KINDS - 1):
                yield from ((start, whole) for whole in self._whole()[:2])

    def _whole(self) -> list[dict[str, int]]:
        """Return values of horizons and sizes, small ones first."""
        names = sorted(self.setting.whole)
        rows = [dict(zip(names, row, strict=True)) for row in product(range(1, _LARGEST + 1), repeat=len(names))]
        places = [self.setting.names.index(name) for name in names]
        for row in self.points[:20]:
            near = {name: round(float(row[n])) for name, n in zip(names, places, strict=True)}
            if all(1 <= value <= 2 * _LARGEST for value in near.values()) and near not in rows:
                rows.append(near)
        legal = [row for row in rows if self._legal(row)]
        return sorted(legal, key=lambda row: (sum(row.values()), [row[n] for n in names]))[:_CHOICES]

    def _legal(self, whole: dict[str, int]) -> bool:
        """Return whether what is given allows these whole numbers, and the claim says something at them."""
        model = Model(shape := ModelShape(self.setting, whole), _nothing, exact=True)
        if any(shape.size(size) > shape.clients for size in self.setting.sizes) or not shape.places(self.claim.over):
            return False
        for node in self.claim.given:
            if letters_of(node) <= set(whole) and not _hold(model.differences(node, {})):
                return False
        return True

    def _shape(self, whole: dict[str, int], start: int) -> ModelShape:
        """Return a shape: simple ones first, then a knot beside the minimum, then at random.

        A smooth convex function that is no quadratic one bends up to a knot and goes straight on, or the reverse.
        """
        chance = start >= _KINDS
        knot = start % _KINDS == 1 or start == _KINDS - 1
        kinked = self.functions and (knot or start % _KINDS == 3)
        dimension = 1 if kinked else 1 + start % 2 if self.functions else 2
        base = ModelShape(
            self.setting, whole, dimension, letters=self.determined.letters, equations=tuple(self.determined.equations)
        )
        if not self.functions and start < _KINDS - 1:
            nothing = (("", Fraction(0)),) * (base.clients * dimension)
            return replace(base, below=nothing, above=nothing)
        names = sorted(
            {x for leaf in self.everywhere for x in letters_of(leaf.shows) if self.setting.letters.get(x) == "> 0"}
        )
        names = [name for name in names if name not in whole] or [""]
        count = base.clients * dimension

        def side(factors: tuple[Fraction, ...]) -> tuple[tuple[str, Fraction], ...]:
            chosen = (factors[self.rng.integers(len(factors))] for _ in range(count))
            return tuple((str(self.rng.choice(names)), factor) for factor in chosen)

        if knot:
            sides = (side(_FACTORS[:1]), side(_FACTORS[1:2] if not chance else _FACTORS))
            below, above = sides if self.rng.random() < 0.5 else sides[::-1]
            return replace(base, below=below, above=above, centred=False, sloped=True)
        simple = start % _KINDS == 0
        below = side(_FACTORS[:1] if simple else _FACTORS)
        return replace(
            base,
            below=below,
            above=side(_FACTORS) if kinked else below,
            centred=simple or bool(self.rng.random() < 0.7),
            sloped=not simple and bool(self.rng.random() < 0.4),
            raised=not simple and bool(self.rng.random() < 0.2),
        )

    def _from_start(self, whole: dict[str, int], start: int) -> Failure | None:
        shape = self._shape(whole, start)
        numbers = self._draw(start)
        first = Model(shape, numbers)
        places = shape.places(self.claim.over)
        self._everything(first, places)
        coins = list(first.coins)
        self.rng.shuffle(coins)
        shape = replace(shape, coins=tuple(sorted(coins[:_COINS])), draws=tuple(first.draws))
        shape.outcomes  # noqa: B018 - too many outcomes are no model
        at = places[-1] if start % 2 == 0 else places[self.rng.integers(len(places))]
        model = Model(shape, numbers)
        self._everything(model, [at])
        self._draw_proved(model)
        known = self._failing(shape, numbers.known, at) if self.near and start == 0 else None
        if known is not None:
            return known
        found = self._improve(_ValueLayout(shape, numbers.known), at, 1.0 if start % 2 == 0 else 0.0)
        return None if found is None else self._failing(shape, found, at)

    def _failing(self, shape: ModelShape, found: Numbers, at: At) -> Failure | None:
        """Return numbers rounded to fractions at which the claim fails, None if it does at none that is tried."""
        for denominator in _DENOMINATORS:
            rounded = {key: _round_to(x, denominator, self._sign(key)) for key, x in found.items()}
            one = Failure(shape, rounded, at)
            if self.fails(one):
                return one
        return None

    def _draw(self, start: int) -> _Drawn:
        if self.near and start % 2 == 0:
            return _Drawn(self.rng, self.near, near=True)
        row = self.points[self.rng.integers(len(self.points))] if len(self.points) else None
        letters = {} if row is None else dict(zip(self.setting.names, map(float, row), strict=True))
        return _Drawn(self.rng, letters)

    def _sign(self, key: Key) -> str:
        if key[0] == "letter":
            return self.setting.letters[key[1]]
        if key[0] == "member":
            return self.setting.indexed[key[1]].sign
        return ">= 0" if key[0] == "number" else "real"

    def _everything(
        self, model: Model, places: list[dict[str, int]], sought: Array | None = None
    ) -> tuple[list[Array], ...]:
        """Return what must be negative (the target), what must not, the same at all points, and what must be zero.

        Each is an array with a value for each point of the search; at all points only what is sought is computed.
        """
        target = [value for at in places for value, _ in _shares(model, self.claim.shows, at)]
        least: list[Array] = []
        zero: list[Array] = []
        for relation, at in self._relations(model):
            for value, equal in _shares(model, relation, at):
                (zero if equal else least).append(value)
        asked = [
            (leaf, at)
            for leaf in self.everywhere
            for at in model.shape.places(leaf.over)
            if self._speaks(model, leaf, at)
        ]
        sure = [
            self._margin(model, leaf, at) if sought is None or sought[k] else np.zeros(1)
            for k, (leaf, at) in enumerate(asked)
        ]
        signed = {name: self.setting.letters[name] for name in self.determined.letters}
        least += [
            model.of(_letter(name), {})[0] - (_LEAST if sign == "> 0" else 0.0)
            for name, sign in signed.items()
            if sign != "real"
        ]
        self.work += model.work
        return target, least, sure, zero

    def _margin(self, model: Model, leaf: Leaf, at: At) -> Array:
        """Return the margin of a leaf about all points, which moves with functions and letters alone."""
        names = self.apart[leaf.id]
        if names is None:
            return margin(model, leaf, at)
        letters = [model.of(_letter(x), at) for x in names]
        key = leaf.id, tuple(x.tobytes() for x in (*model.functions, *letters))
        if key not in self.margins:
            self.margins[key] = margin(model, leaf, at)
        return self.margins[key]

    def _relations(self, model: Model) -> Iterator[tuple[Node, At]]:
        """Yield what holds at indices: leaves and what is given."""
        for leaf in self.spoken:
            for at in model.shape.places(leaf.over):
                if self._speaks(model, leaf, at):
                    yield leaf.shows, at
        for leaf in self.setting.leaves.values() if self.active is not None else ():
            for at in model.shape.places(leaf.over):
                if self._speaks(model, leaf, at):
                    yield from ((node, at) for node in leaf.given)
        for node in self.claim.given:
            for at in model.shape.places(self.claim.over):
                yield node, at

    def _speaks(self, model: Model, leaf: Leaf, at: At) -> bool:
        """Return whether what a leaf takes as given holds: within a search, where it did at its start."""
        if self.active is not None:
            return (leaf.id, tuple(at.items())) in self.active
        return self._meets_given(model, leaf.given, at)

    def _meets_given(self, model: Model, given: tuple[Node, ...], at: At) -> bool:
        return all(_hold(_gaps_of(model, node, at)) for node in given)

    def _improve(self, layout: _ValueLayout, at: At, weight: float) -> Numbers | None:
        """Return numbers that a local search finds, at which the claim fails by some margin."""
        equal = self.claim.shows.name == "="
        sign = float(self.rng.choice([-1.0, 1.0])) if equal else 1.0

        limit, ends = self.work + _EACH, (0, 0)

        def ask(x: Array, which: Array | None = None) -> Conditions:
            nonlocal ends
            if self.work > limit:
                raise NoModelError
            model = Model(layout.shape, layout.numbers(x))
            sought = None if which is None else which[ends[0] : ends[1]]
            target, least, sure, zero = self._everything(model, [dict(at)], sought)
            ends = 1 + len(least), 1 + len(least) + len(sure)
            weights = [1.0, *([weight] * len(least)), *([weight / 10] * len(sure))]
            return Conditions(
                _stack([-sign * target[0], *least, *sure], x), _stack(zero, x), np.array(weights, dtype=float)
            )

        low, high = np.array(layout.bounds(self._sign)).reshape(-1, 2).T
        model = Model(layout.shape, layout.numbers(layout.start))
        leaves = [(leaf, at) for leaf in self.setting.leaves.values() for at in layout.shape.places(leaf.over)]
        self.active = {(leaf.id, tuple(at.items())) for leaf, at in leaves if self._meets_given(model, leaf.given, at)}
        try:
            found = climb(ask, self._best(ask, layout, low, high), layout.calm, low, high)
        finally:
            self.active = None
        return None if found is None else layout.numbers(found)

    def _best(self, ask: Ask, layout: _ValueLayout, low: Array, high: Array) -> Array:
        """Return values to start from: the first ones, and of many that are drawn some at which little is lacking.

        Those drawn are small, some zero, and letters often at 1 or at an edge of what is given.
        """
        size = len(layout.start)
        scale = np.exp(self.rng.normal(size=(size, _DRAWN)))
        drawn = np.clip(layout.start[:, None] + scale * self.rng.normal(size=(size, _DRAWN)), -3.0, 3.0)
        drawn[self.rng.random((size, _DRAWN)) < 0.1] = 0.0
        for at, key in layout.places():
            if key[0] == "letter" and key[1] in self.setting.names and len(self.points):
                rows = self.points[self.rng.integers(len(self.points), size=_DRAWN), self.setting.names.index(key[1])]
                drawn[at] = np.where(self.rng.random(_DRAWN) < 0.3, rows, np.abs(drawn[at]))
                drawn[at][self.rng.random(_DRAWN) < 0.3] = 1.0
        drawn[:, 0] = layout.start
        drawn = self._to_edges(layout, np.clip(drawn, low[:, None], high[:, None]))
        drawn = np.clip(drawn, low[:, None], high[:, None])
        order = np.argsort(lacking(ask(drawn)))
        near = self.rng.choice(order[:_NEAR], size=_TOGETHER, replace=False)
        return drawn[:, [0, *order[:_TOGETHER], *near, *range(1, _TOGETHER)]]

    def _to_edges(self, layout: _ValueLayout, drawn: Array) -> Array:
        """Return values of which half have a letter moved to where what is given of letters is nearly tight."""
        relations = [node for node in self.claim.given if not entries_of(node) and not _calls(node)]
        names = sorted({name for node in relations for name in letters_of(node)})
        places = [at for at, key in layout.places() if key[0] == "letter" and key[1] in names]
        if not places:
            return drawn

        def meets_given(x: Array) -> Array:
            model = Model(layout.shape, layout.numbers(x))
            self.work += len(relations)
            rows = [value for node in relations for value, _ in _shares(model, node, {})]
            return np.all(np.broadcast_arrays(*rows, np.zeros(x.shape[1]))[:-1] >= np.array(0.0), axis=0)

        count = drawn.shape[1]
        moved = np.eye(len(drawn), dtype=bool)[:, self.rng.choice(places, size=count)]
        moved &= (self.rng.random(count) < 0.5) & meets_given(drawn)
        up = np.where(self.rng.random(count) < 0.7, 1.0, -1.0)
        whole = drawn
        for power in _HALVINGS:
            other = np.where(moved, whole * np.exp(up * power), whole)
            whole = np.where(meets_given(other), other, whole)
        return whole

    def fails(self, one: Failure) -> bool:
        """Return whether a model satisfies all that is declared and the claim fails in it, in fractions."""
        try:
            return all(self._fails(one, end) for end in (EULER_ENDS if self.euler else EULER_ENDS[:1]))
        except (NoModelError, ZeroDivisionError):
            return False

    def _fails(self, one: Failure, euler: Fraction) -> bool:
        model = Model(one.shape, lambda key, *_: _number_at(one.numbers, key), exact=True, euler=euler)
        for name in one.shape.letters:
            value, sign = model.of(_letter(name), {})[0, 0], self.setting.letters[name]
            if (value < 0 and sign != "real") or (value == 0 and sign == "> 0"):
                return False
        if any(not self._true(_gaps_of(model, node, at)) for node, at in self._relations(model)):
            return False
        for leaf in self.everywhere:
            for at in one.shape.places(leaf.over):
                if self._speaks(model, leaf, at) and not holds_at_all_points(model, leaf, at):
                    return False
        ((value, equal),) = model.differences(self.claim.shows, one.at)
        if not isinstance(value, Fraction):
            raise NoModelError
        broken = abs(value) if equal else -value
        return broken > (_TINY if self.euler else 0) and self._proved_hold(model)

    def _true(self, differences: list[tuple[Any, bool]]) -> bool:
        if not all(isinstance(value, Fraction) for value, _ in differences):
            raise NoModelError
        if self.euler and any(0 < abs(value) < _TINY for value, _ in differences):
            return False
        return _hold(differences)

    def _proved_claims(self, model: Model) -> Iterator[tuple[ClaimOutcome, At]]:
        """Yield the other claims that are proved, at their indices."""
        for found in self.prover.found.values():
            if found.proved and not found.claim.at and found.claim.id != self.claim.id:
                yield from ((found, at) for at in model.shape.places(found.claim.over))

    def _draw_proved(self, model: Model) -> None:
        """Draw what proved claims alone are about: they are checked at a witness too."""
        for found, at in self._proved_claims(model):
            for node in (*found.given, *sum(found.claim.cases, ()), found.claim.shows):
                with suppress(NoModelError, ZeroDivisionError, FloatingPointError):
                    _gaps_of(model, node, at)

    def _proved_hold(self, model: Model) -> bool:
        """Return whether what is proved holds: it follows from what was checked, so this finds errors of ours.

        What has no value in a model of this kind is not checked.
        """
        for found, at in self._proved_claims(model):
            cases = found.claim.cases or ((),)
            try:
                given = self._meets_given(model, found.given, at) and any(
                    self._meets_given(model, case, at) for case in cases
                )
                if given and not _hold(_gaps_of(model, found.claim.shows, at)):
                    return False
            except (NoModelError, ZeroDivisionError):
                continue
        return True

    def _simpler(self, one: Failure) -> Failure:
        """Return a failure with as many zeros as are met one by one."""
        for key, x in one.numbers.items():
            if self._sign(key) == "real":
                for place in range(len(x)):
                    value = _without(one.numbers[key], place)
                    other = replace(one, numbers={**one.numbers, key: value})
                    if one.numbers[key][place] != 0 and self.fails(other):
                        one = other
        return one


class _Drawn:
    """Free values, drawn when they are first asked for."""

    def __init__(self, rng: np.random.Generator, letters: Mapping[str, float], *, near: bool = False) -> None:
        self.rng, self.letters, self.known, self.near = rng, letters, dict[Any, Any](), near

    def __call__(self, key: Key, size: int, sign: str) -> Array:
        """Return a value."""
        if key not in self.known:
            if self.near and key[0] == "letter" and key[1] in self.letters:
                drawn = np.array([self.letters[key[1]]])
            elif key[0] == "letter" and sign == "real" and self.rng.random() < 0.7:
                # Letters of any sign are bounds from below more often than not.
                drawn = -np.exp(self.rng.normal(size=1))
            elif key[0] == "letter" and key[1] in self.letters:
                drawn = np.array([self.letters[key[1]]])
                # Points may lie far out, where a search in bounded boxes sees nothing.
                drawn = np.clip(drawn, -8.0, 8.0)
            else:
                drawn = self.rng.normal(size=size) if sign == "real" else np.exp(self.rng.normal(size=size))
            self.known[key] = drawn
        return self.known[key]


class _ValueLayout:
    """Free values in a row."""

    def __init__(self, shape: ModelShape, known: Numbers) -> None:
        self.shape = shape
        self.sizes = {key: len(x) for key, x in known.items()}
        self.start = np.concatenate([*known.values(), np.zeros(0)]).astype(float)
        vectors = [key[0] in _VECTORS for key, x in known.items() for _ in x]
        self.vectors = np.array(vectors, dtype=bool)

    def places(self) -> Iterator[tuple[int, Key]]:
        """Yield the place of each value in the row, and its name."""
        at = 0
        for key, width in self.sizes.items():
            yield at, key
            at += width

    @property
    def calm(self) -> Array:
        """Return the start with all vectors zero."""
        return np.where(self.vectors, 0.0, self.start)

    def numbers(self, x: Array) -> Any:
        """Return free values by name, as a function of the name too."""
        found, at = _KnownValues(), 0
        for key, size in self.sizes.items():
            found[key] = x[at : at + size]
            at += size
        return found

    def bounds(self, sign: Any) -> list[tuple[float, float]]:
        """Return the interval in which each value is searched for."""
        ends = {"real": (-8.0, 8.0), ">= 0": (0.0, 16.0), "> 0": (_LEAST, 16.0)}
        return [ends[sign(key)] for key, size in self.sizes.items() for _ in range(size)]


class _KnownValues(dict[Any, Any]):
    def __call__(self, key: Key, size: int, sign: str) -> Array:
        return _number_at(self, key)


def _number_at(numbers: Mapping[Key, Array], key: Key) -> Array:
    if key not in numbers:
        raise NoModelError
    return numbers[key]


def _nothing(key: Key, size: int, sign: str) -> Array:
    raise NoModelError


def _letter(name: str) -> Node:
    from boundcheck.proofs.language.grammar import Node

    return Node("letter", name)


def _hold(differences: list[tuple[Any, bool]]) -> bool:
    return all((value == 0) if equal else (value >= 0) for value, equal in differences)


def _gaps_of(model: Model, relation: Node, at: At) -> list[tuple[Any, bool]]:
    """Return the differences of a relation, none where it speaks of entries that are not declared."""
    try:
        return model.differences(relation, at)
    except OutsideError:
        return []


def _stack(rows: list[Array], x: Array) -> Array:
    """Return rows with a column for each point."""
    found = np.empty((len(rows), x.shape[1]))
    for k, row in enumerate(rows):
        found[k] = row
    return found


def _shares(model: Model, relation: Node, at: At) -> list[tuple[Array, bool]]:
    """Return the differences of a relation as shares of its sides, so that a search does not shrink all to zero."""
    try:
        sides = [model.means(part, at) for part in relation.parts]
    except OutsideError:
        return []
    return [
        ((a - b if sign == ">=" else b - a) / (np.abs(a) + np.abs(b) + _SMALL), sign == "=")
        for sign, a, b in zip(relation.name.split(), sides, sides[1:], strict=False)
    ]


def _round_to(x: Array, denominator: int, sign: str) -> Array:
    least = Fraction(1, denominator) if sign == "> 0" else Fraction(0)
    found = [Fraction(round(float(v) * denominator), denominator) for v in x]
    return np.array([v if sign == "real" else max(v, least) for v in found], dtype=object)


def _without(x: Array, place: int) -> Array:
    found = x.copy()
    found[place] = Fraction(0)
    return found


def _calls(node: Node) -> bool:
    return (node.kind == "call" and node.name in {"f", "grad"}) or any(map(_calls, node.parts))
