"""The weights with which premises give a conclusion, where nobody has said them: a linear programme, then fractions.

A weight is a sum of rational numbers times quotients of letters that occur where the premise meets the conclusion.
The conclusion minus the weighted premises has to be a sum of squares at every point of the letters, which is asked for
at a few of them, one direction after the other.  What is found is rounded; whether it serves is decided exactly by the
caller.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.algebra.points import evaluate_at, spread
from boundcheck.proofs.algebra.semidefinite import component, subsets
from boundcheck.proofs.language.forms import ONE, Entry, Inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.proofs.algebra.points import Array
    from boundcheck.proofs.algebra.relation import Premise
    from boundcheck.proofs.algebra.signs import Signs
    from boundcheck.proofs.language.forms import Atom, Coefficient, Scalar, Term

_ROUNDS = 3
"""How often quotients that a premise brings in are matched with the other premises."""
_SHAPES = 10
"""Most quotients for one term, and for one premise."""
_KEPT = 8
"""How many of them, the shortest, are tried."""
_MOST = 70
"""Most unknown numbers."""
_CUTS = 60
"""Most linear programmes for one answer, each with more directions than the one before."""
_NEAR = 1e-8
_CUT = 1e-6
"""An eigenvalue below minus this asks for one direction more: numbers are rounded in the end."""
_SLACK = 1e-8
_CHOICES = 400
_ALONE = 3
_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 30, 48, 60, 100, 120, 360, 1000)
_ANSWERS = 6


def weights(
    target: Premise, premises: Sequence[Premise], signs: Signs, squares: frozenset[str]
) -> Iterator[list[Coefficient]]:
    """Yield weights for the premises, in their order, with which the target may follow; a few at most.

    Parameters
    ----------
    target : Premise
        What is to be shown, after all equations.
    premises : sequence of Premise
        What it is to follow from.
    signs : Signs
        What is known of the letters.
    squares : frozenset of str
        Sequences of numbers that are not negative.
    """
    one, *others = (_Relation(tuple(p.difference.items()), p.equal) for p in (target, *premises))
    search = _search(one, tuple(others), tuple(signs.hypotheses), tuple(signs.signs), squares)
    yield from search.first_answers()


@dataclass(frozen=True)
class _Relation:
    """A form that is not negative, or zero."""

    terms: tuple[tuple[Term, Coefficient], ...]
    equal: bool

    @property
    def difference(self) -> Scalar:
        return dict(self.terms)


@lru_cache(maxsize=64)
def _search(
    target: _Relation,
    premises: tuple[_Relation, ...],
    hypotheses: tuple[Any, ...],
    signs: tuple[str, ...],
    squares: frozenset[str],
) -> _Weights:
    """Return the search for a question; cases of a horizon that it does not speak of ask the same one."""
    return _Weights(target, premises, hypotheses, signs, squares)


@dataclass
class _Weights:
    target: _Relation
    premises: tuple[_Relation, ...]
    hypotheses: tuple[Any, ...]
    signs: tuple[str, ...]
    squares: frozenset[str]
    _found: list[list[Coefficient]] = field(default_factory=list)
    _cuts: list[Array] = field(default_factory=list)

    # --- unknown numbers ------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> list[tuple[int, Coefficient]]:
        """Return the unknown numbers: which premise, and what the number is multiplied with."""
        needs: dict[Term, dict[Coefficient, None]] = {}
        for term, value in self.target.difference.items():
            needs[term] = dict.fromkeys(_shapes(value))
        chosen: list[dict[Coefficient, None]] = [{} for _ in self.premises]
        for last in (*[False] * _ROUNDS, True):
            self._match(needs, chosen, last=last)
        if not all(chosen):
            # What meets the conclusion in a number alone has brought terms in, which others may cancel.
            for _ in range(_ROUNDS):
                self._match(needs, chosen, last=False)
        return [(n, shape) for n, mine in enumerate(chosen) for shape in sorted(mine, key=_length)[:_KEPT]]

    def _match(
        self, needs: dict[Term, dict[Coefficient, None]], chosen: list[dict[Coefficient, None]], *, last: bool
    ) -> None:
        """Give premises what cancels a term that is needed, numbers alone if `last`; and need what that brings in."""
        _balance(needs)
        for one, mine in zip(self.premises, chosen, strict=True):
            # Numbers last: in them many letters meet that have nothing to do with each other.
            for term, value in one.difference.items():
                if (term == ONE) != last:
                    continue
                for need in list(needs.get(term, {}))[:_SHAPES]:
                    for below in _shapes(value):
                        for shape in _shapes(need / below):
                            if len(mine) < _SHAPES:
                                mine[shape] = None
        for one, mine in zip(self.premises, chosen, strict=True):
            for shape in mine:
                for term, value in one.difference.items():
                    own = needs.setdefault(term, {})
                    for made in _shapes(shape * value):
                        if len(own) < 2 * _SHAPES:
                            own[made] = None

    # --- points of the letters ------------------------------------------------------------------------------------

    @cached_property
    def points(self) -> Array:
        """Return points at which everything that is given holds, some of them on the edges of it."""
        return spread(self.hypotheses, self.signs)

    def _values(self, value: Coefficient) -> Array:
        with np.errstate(all="ignore"):
            found = evaluate_at(value.numer, self.points) / evaluate_at(value.denom, self.points)
        return np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)

    # --- what is asked --------------------------------------------------------------------------------------------

    @cached_property
    def forms(self) -> list[Scalar]:
        """Return the target, and for each unknown number what one of it takes off."""
        made = [self.target.difference]
        for n, shape in self.columns:
            made.append({term: -value * shape for term, value in self.premises[n].difference.items()})
        return made

    @cached_property
    def matrices(self) -> list[Array]:
        """Return for each part of the space the matrices of all forms: (points, forms, atoms, atoms)."""
        products = [{t: v for t, v in form.items() if isinstance(t, Inner)} for form in self.forms]
        every = {term for one in products for term in one}
        if not every or self.target.equal:
            return []
        everything = frozenset().union(*(t.left.varies | t.right.varies for t in every))
        found = []
        for part in subsets(everything):
            parts = [component(one, part, everything) for one in products]
            atoms: list[Atom] = sorted({a for one in parts for a, _ in one}, key=str)
            if not atoms:
                continue
            place = {atom: k for k, atom in enumerate(atoms)}
            table = np.zeros((len(self.points), len(parts), len(atoms), len(atoms)))
            for k, one in enumerate(parts):
                for (a, b), value in one.items():
                    table[:, k, place[a], place[b]] = self._values(value)
            found.append(table)
        return found

    @cached_property
    def limits(self) -> Array:
        """Return rows that must not be negative: weights of inequalities, and of terms that are nonnegative."""
        rows: list[Array] = []
        for n, one in enumerate(self.premises):
            mine = [k for k, (m, _) in enumerate(self.columns, start=1) if m == n]
            if not one.equal and mine:
                table = np.zeros((len(self.points), len(self.forms)))
                for k in mine:
                    table[:, k] = self._values(self.columns[k - 1][1])
                rows.append(table)
        if not self.target.equal:
            rows += [self._row(term) for term in self._terms() if self._nonnegative(term)]
        return _scale_rows(np.concatenate(rows)) if rows else np.zeros((0, len(self.forms)))

    def _row(self, term: Term) -> Array:
        table = np.zeros((len(self.points), len(self.forms)))
        for k, form in enumerate(self.forms):
            if term in form:
                table[:, k] = self._values(form[term])
        return table

    def _terms(self) -> list[Term]:
        return list(dict.fromkeys(term for form in self.forms for term in form))

    def _nonnegative(self, term: Term) -> bool:
        return term == ONE or (isinstance(term, Entry) and term.name in self.squares)

    @cached_property
    def equalities(self) -> tuple[list[list[Fraction]], list[int]] | None:
        """Return equations for the numbers, reduced, with their leading places: what has to cancel; None if it cannot.

        Both sides are rational functions of the letters; they are compared at enough points, exactly.
        """
        whole = self.target.equal
        terms = [t for t in self._terms() if whole or not (self._nonnegative(t) or isinstance(t, Inner))]
        count = len(self.columns)
        rng = np.random.default_rng(7)
        rows: list[list[Fraction]] = []
        for _ in range(count + 2):
            at = [Fraction(int(x), int(y)) for x, y in rng.integers(2, 60, (len(self.signs), 2))]
            for term in terms:
                found = [_exact(form[term], at) if term in form else Fraction(0) for form in self.forms]
                row = [x for x in found if x is not None]
                if len(row) == len(found):
                    rows.append([*row[1:], -row[0]])
        return _reduce_rows(rows, count)

    # --- answers --------------------------------------------------------------------------------------------------

    def first_answers(self) -> Iterator[list[Coefficient]]:
        """Yield a few weights: those found before, then new ones; 0 for premises that have no part in it."""
        if self.premises and not self.columns and self.target.terms:
            yield [self.target.terms[0][1].field.zero for _ in self.premises]
        yield from tuple(self._found)
        for one in self._new:
            self._found.append(one)
            yield one

    @cached_property
    def _new(self) -> Iterator[list[Coefficient]]:
        askable = self.premises and len(self.points) and 0 < len(self.columns) <= _MOST
        return islice(self._answers(), _ANSWERS) if askable else iter(())

    def _answers(self) -> Iterator[list[Coefficient]]:
        """Yield weights: those of small sum, then those with room, then of other corners."""
        if self.equalities is None:
            return
        seen: set[tuple[Fraction, ...]] = set()
        rng = np.random.default_rng(3)
        if self._solve(np.ones(len(self.columns))) is None:
            return
        for numbers in self._corners(rng):
            if numbers is None:
                continue
            for denominator in _DENOMINATORS:
                exact = self._exact_numbers(numbers, denominator)
                key = tuple(exact)
                if key not in seen and self._serves(exact):
                    seen.add(key)
                    yield self._weights_of(exact)
                    break

    def _corners(self, rng: np.random.Generator) -> Iterator[Array | None]:
        """Yield numbers: one quotient for each premise, then of small sum, with room, and at other corners."""
        every = np.ones(len(self.columns))
        yield from islice((x for x in map(self._alone, self._choices()) if x is not None), _ALONE)
        plain = np.array([len(shape.numer) == 1 and shape.denom.is_ground for _, shape in self.columns])
        if {m for (m, _), one in zip(self.columns, plain, strict=True) if one} == {m for m, _ in self.columns}:
            yield self._solve(every, allowed=plain)  # products of letters alone, which leave signs that are seen
        yield self._solve(every)
        yield self._with_room()
        yield from (self._solve(cost) for cost in rng.uniform(0.2, 1.0, (2, len(self.columns))))

    def _choices(self) -> list[list[int]]:
        """Return choices of one quotient for each premise, short ones first."""
        own = [[k for k, (m, _) in enumerate(self.columns) if m == n] for n in range(len(self.premises))]
        ranked = [list(enumerate(mine)) for mine in own if mine]
        many = sorted(islice(product(*ranked), _CHOICES), key=lambda one: sum(rank for rank, _ in one))
        return [[k for _, k in one] for one in many]

    def _alone(self, choice: list[int]) -> Array | None:
        allowed = np.zeros(len(self.columns), dtype=bool)
        allowed[choice] = True
        return self._solve(np.ones(len(self.columns)), allowed=allowed)

    def _weights_of(self, numbers: list[Fraction]) -> list[Coefficient]:
        found = [self.signs_field.zero for _ in self.premises]
        for (n, shape), number in zip(self.columns, numbers, strict=True):
            if number:
                found[n] = found[n] + shape * number.numerator / number.denominator
        return found

    @property
    def signs_field(self) -> Any:
        """Return the field of the weights."""
        return self.columns[0][1].field

    def _exact_numbers(self, numbers: Array, denominator: int) -> list[Fraction]:
        """Return fractions near numbers that satisfy all equations exactly."""
        found = [Fraction(float(x)).limit_denominator(denominator) for x in numbers]
        assert self.equalities is not None
        rows, leading = self.equalities
        count = len(found)
        for row, place in zip(rows, leading, strict=True):
            found[place] = row[count] - sum(
                (row[k] * found[k] for k in range(count) if k != place and row[k]), Fraction(0)
            )
        return found

    def _serves(self, numbers: list[Fraction]) -> bool:
        z = np.array([1.0, *map(float, numbers)])
        if len(self.limits) and (self.limits @ z).min() < -_NEAR:
            return False
        return all(self._least(table, z)[0].min() >= -_NEAR for table in self.matrices)

    def _least(self, table: Array, z: Array) -> tuple[Array, Array, Array]:
        """Return the least eigenvalue of each matrix, relative to its size, with all vectors and values."""
        matrix = np.einsum("pkab,k->pab", table, z)
        scale = np.abs(table).max(axis=(1, 2, 3)) * max(1.0, float(np.abs(z).max()))
        scale[scale == 0] = 1.0
        values, vectors = np.linalg.eigh(matrix / scale[:, None, None])
        return values[:, 0], values, vectors

    def _solve(self, cost: Array, most: float | None = None, allowed: Array | None = None) -> Array | None:
        """Return numbers with all that is asked of them, of small weighted sum; None if there are none.

        With a limit on the sum it is the room that is made large.
        """
        from scipy.optimize import linprog

        count = len(self.columns)
        assert self.equalities is not None
        rows, _ = self.equalities
        equal = np.array([[float(x) for x in row] for row in rows]).reshape(len(rows), count + 1)
        if not self._cuts:
            self._cuts.append(self._first_cuts())
        program: Any = linprog
        for _ in range(_CUTS):
            above = np.concatenate([self.limits, *self._cuts])
            room = np.ones(len(above)) if most is not None else np.zeros(len(above))
            room[: len(self.limits)] = 0.0
            a_ub = np.hstack([-above[:, 1:], above[:, 1:], room[:, None]])
            b_ub = above[:, 0] + _SLACK
            a_eq = np.hstack([equal[:, :count], -equal[:, :count], np.zeros((len(rows), 1))])
            objective = np.append(np.append(cost, cost), 0.0)
            if most is not None:
                a_ub = np.vstack([a_ub, objective])
                b_ub = np.append(b_ub, most)
                objective = np.append(np.zeros(2 * count), -1.0)
            ends = [
                None if allowed is None or free else 0.0
                for free in (allowed if allowed is not None else [True] * count)
            ]
            bounds = [*((0.0, end) for end in (*ends, *ends)), (0.0, 1.0 if most is not None else 0.0)]
            answer = program(
                objective,
                A_ub=a_ub if len(a_ub) else None,
                b_ub=b_ub if len(a_ub) else None,
                A_eq=a_eq if len(rows) else None,
                b_eq=equal[:, count] if len(rows) else None,
                bounds=bounds,
                method="highs",
            )
            if answer.status != 0:
                return None
            numbers: Array = answer.x[:count] - answer.x[count : 2 * count]
            more = self._more_cuts(np.append(1.0, numbers))
            if more is None:
                return numbers
            self._cuts.append(more)
        return None

    def _with_room(self) -> Array | None:
        """Return numbers that leave room on all sides, their sum being no more than twice the least."""
        cost = np.ones(len(self.columns))
        least = self._solve(cost)
        return None if least is None else self._solve(cost, 2.0 * float(np.abs(least).sum()) + 1e-9)

    def _first_cuts(self) -> Array:
        cuts = [np.zeros((0, len(self.forms)))]
        for table in self.matrices:
            many = table.shape[2]
            unit = np.eye(many)
            directions = [*unit, *(unit[a] + s * unit[b] for a in range(many) for b in range(a) for s in (1.0, -1.0))]
            cuts += [_scale_rows(np.einsum("pkab,a,b->pk", table, v, v)) for v in directions]
        return np.concatenate(cuts)

    def _more_cuts(self, z: Array) -> Array | None:
        cuts = []
        for table in self.matrices:
            least, values, vectors = self._least(table, z)
            for p in np.flatnonzero(least < -_CUT):
                for k in np.flatnonzero(values[p] < -_CUT)[:2]:
                    v = vectors[p][:, k]
                    cuts.append(np.einsum("kab,a,b->k", table[p], v, v))
        return _scale_rows(np.array(cuts)) if cuts else None


def _shapes(value: Coefficient) -> list[Coefficient]:
    """Return a quotient without its number, and each of its terms over its denominator where there are several."""
    if value == 0:
        return []
    made = [value]
    if len(value.numer) > 1:
        for monomial, _ in value.numer.terms():
            made.append(
                value.field.new(value.numer.ring.from_dict({monomial: value.numer.ring.domain(1)}), value.denom)
            )
    return [
        one * one.field.new(one.field.ring(one.denom.LC)) / one.field.new(one.field.ring(one.numer.LC)) for one in made
    ]


def _length(value: Coefficient) -> tuple[int, int]:
    """Return how long a quotient is: its terms, and the powers in them."""
    sides = (value.numer, value.denom)
    return sum(map(len, sides)), sum(sum(map(sum, side.monoms())) for side in sides)


def _balance(needs: dict[Term, dict[Coefficient, None]]) -> None:
    """Add what a square needs beside a product and another square: s^2/r beside s <a, b> and r |a|^2."""
    squares = {
        term.left: list(found)[:2]
        for term, found in needs.items()
        if isinstance(term, Inner) and term.left == term.right
    }
    for term, found in list(needs.items()):
        if not isinstance(term, Inner) or term.left == term.right:
            continue
        for mine, other in ((term.left, term.right), (term.right, term.left)):
            for r in squares.get(mine, ()):
                for s in list(found)[:2]:
                    own = needs.setdefault(Inner(other, other, term.averaged & other.varies), {})
                    if len(own) < 2 * _SHAPES:
                        own.update(dict.fromkeys(_shapes(s * s / r)))


def _scale_rows(rows: Array) -> Array:
    size_ = np.abs(rows).max(axis=1, keepdims=True) if rows.size else np.ones((len(rows), 1))
    return rows[size_[:, 0] > 0] / size_[size_[:, 0] > 0]


def _exact(value: Coefficient, at: Sequence[Fraction]) -> Fraction | None:
    """Return the value at a point, None at a pole."""
    above, below = (_at(side, at) for side in (value.numer, value.denom))
    return above / below if below else None


def _at(polynomial: Any, at: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, number in polynomial.terms():
        made = Fraction(int(number.numerator), int(number.denominator))
        for x, power in zip(at, monomial, strict=True):
            if power:
                made *= x**power
        total += made
    return total


def _reduce_rows(rows: list[list[Fraction]], count: int) -> tuple[list[list[Fraction]], list[int]] | None:
    """Return the reduced rows of equations with their leading places; None where they contradict each other."""
    left = [row for row in rows if any(row)]
    found: list[list[Fraction]] = []
    leading: list[int] = []
    for place in range(count + 1):
        pivot = next((row for row in left if row[place]), None)
        if pivot is None:
            continue
        if place == count:
            return None
        pivot = [x / pivot[place] for x in pivot]
        left = [r for r in (_without(row, pivot, place) for row in left) if any(r)]
        found = [_without(row, pivot, place) for row in found] + [pivot]
        leading.append(place)
    return found, leading


def _without(row: list[Fraction], pivot: list[Fraction], place: int) -> list[Fraction]:
    by = row[place]
    return [x - by * y if y else x for x, y in zip(row, pivot, strict=True)] if by else row
