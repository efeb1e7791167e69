"""The linear program that writes a polynomial as weights times letters times hypotheses, solved exactly in the end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Monomial = tuple[int, ...]
Sparse = dict[Monomial, Any]
"""A polynomial: exponents to a rational number."""
Key = tuple[Monomial, tuple[int, ...]]
"""A product: a monomial and the hypotheses that it is multiplied with."""
_MOST = 6000
"""Most products in one program."""
_SEEN = 1e-9
"""Weights below this are taken as zero before the exact solution."""


@dataclass(frozen=True)
class Product:
    """A nonnegative weight times letters times hypotheses."""

    weight: Fraction
    monomial: Monomial
    hypotheses: tuple[int, ...]


class NonnegativityProgramme:
    """One polynomial and the hypotheses from which it shall be nonnegative, in the letters that occur."""

    def __init__(self, polynomial: Any, hypotheses: Mapping[int, Any], signs: Sequence[str]) -> None:
        every = (polynomial, *hypotheses.values())
        self._used = sorted({n for p in every for m in p.monoms() for n, e in enumerate(m) if e})
        self._size = len(signs)
        self._signs = [signs[n] for n in self._used]
        self._target = self._compact(polynomial)
        self._given = {number: self._compact(one) for number, one in hypotheses.items()}
        self._product = cache(self._multiply)
        degrees = zip(*(m for p in (self._target, *self._given.values()) for m in p), strict=True)
        self._limit = tuple(2 * max(exponents) + 1 for exponents in degrees)

    def _compact(self, polynomial: Any) -> Sparse:
        return {tuple(m[n] for n in self._used): number for m, number in polynomial.terms()}

    def _multiply(self, which: tuple[int, ...]) -> Sparse:
        if len(which) == 1:
            return self._given[which[0]]
        total: Sparse = {}
        for first, x in self._multiply(which[:-1]).items():
            for second, y in self._given[which[-1]].items():
                at = tuple(map(int.__add__, first, second))
                total[at] = total.get(at, 0) + x * y
        return {at: number for at, number in total.items() if number}

    def solve(self, rounds: int, degree: int) -> tuple[Product, ...] | None:
        """Return weights that give the polynomial exactly; None if none are found within this effort."""
        columns = self._columns(rounds, degree)
        weights = self._weights(columns) if columns else None
        if weights is None:
            return None
        return tuple(Product(weight, self._whole(monomial), which) for (monomial, which), weight in weights.items())

    def _whole(self, monomial: Monomial) -> Monomial:
        whole = [0] * self._size
        for place, exponent in zip(self._used, monomial, strict=True):
            whole[place] = exponent
        return tuple(whole)

    def _plain(self, monomial: Monomial) -> bool:
        return all(not e or s != "real" or e % 2 == 0 for e, s in zip(monomial, self._signs, strict=True))

    def _columns(self, rounds: int, degree: int) -> dict[Key, Sparse] | None:
        """Return the products whose terms can cancel terms of the polynomial, or of other products."""
        choices = [w for size in range(1, degree + 1) for w in combinations_with_replacement(self._given, size)]
        reached, new = set(self._target), set(self._target)
        columns: dict[Key, Sparse] = {}
        for _ in range(rounds):
            fresh: set[Monomial] = set()
            for which in choices:
                self._add_multiples(which, new, columns)
                if len(columns) > _MOST:
                    return None
            for column in columns.values():
                fresh.update(column)
            new = fresh - reached
            reached |= new
        columns |= {(monomial, ()): {monomial: 1} for monomial in reached if self._plain(monomial)}
        return columns

    def _add_multiples(self, which: tuple[int, ...], new: set[Monomial], columns: dict[Key, Sparse]) -> None:
        """Add the multiples of a product of hypotheses that have a term among `new`."""
        made = self._product(which)
        for ours in made:
            for target in new:
                shift = tuple(map(int.__sub__, target, ours))
                if min(shift, default=0) < 0 or (shift, which) in columns or not self._plain(shift):
                    continue
                column = {tuple(map(int.__add__, m, shift)): number for m, number in made.items()}
                if all(e <= most for m in column for e, most in zip(m, self._limit, strict=True)):
                    columns[shift, which] = column

    def _weights(self, columns: dict[Key, Sparse]) -> dict[Key, Fraction] | None:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array

        rows = {m: n for n, m in enumerate(self._target)}
        places, ats, numbers = [], [], []
        for at, column in enumerate(columns.values()):
            for monomial, number in column.items():
                places.append(rows.setdefault(monomial, len(rows)))
                ats.append(at)
                numbers.append(float(number))
        matrix = coo_array((numbers, (places, ats)), shape=(len(rows), len(columns))).tocsc()
        target = np.zeros(len(rows))
        target[: len(self._target)] = [float(number) for number in self._target.values()]
        program: Any = linprog
        answer = program(self._cost(columns), A_eq=matrix, b_eq=target, bounds=(0, None), method="highs-ds")
        if answer.status != 0:
            return None
        kept = {key: columns[key] for key, weight in zip(columns, answer.x, strict=True) if weight > _SEEN}
        weights = exact_solution(list(kept.values()), self._target)
        if weights is None or any(weight < 0 for weight in weights):
            return None
        return {key: weight for key, weight in zip(kept, weights, strict=True) if weight}

    def _cost(self, columns: dict[Key, Sparse]) -> list[float]:
        # A plain positive term makes a proof of strict positivity: as much of it is taken as there is.
        strict = [all(not e or s == "> 0" for e, s in zip(m, self._signs, strict=True)) for m, _ in columns]
        return [0.0 if plain and not which else 1e-3 for plain, (_, which) in zip(strict, columns, strict=True)]


def exact_solution(columns: Sequence[Sparse], target: Sparse) -> list[Fraction] | None:
    """Return rational weights with ``sum weight * column = target``, None if there are none."""
    from sympy.polys.domains import QQ
    from sympy.polys.matrices import DomainMatrix

    every = (*columns, target)
    monomials = sorted({m for p in every for m in p})
    table = [[QQ.convert(p.get(m, 0)) for p in every] for m in monomials]
    reduced, pivots = DomainMatrix(table, (len(monomials), len(every)), QQ).rref()
    if len(columns) in pivots:
        return None
    solution = [Fraction(0)] * len(columns)
    for row, place in enumerate(pivots):
        value = reduced[row, len(columns)].element
        solution[place] = Fraction(int(value.numerator), int(value.denominator))
    return solution
