"""The linear program that writes a polynomial as weights times letters times hypotheses, solved exactly in the end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """A nonnegative weight times letters times hypotheses times a square."""

    weight: Fraction
    monomial: Monomial
    hypotheses: tuple[int, ...]
    root: Any = None
    """A polynomial whose square is a factor, if there is one."""


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
        self._limit = 2 * self._array([m for p in (self._target, *self._given.values()) for m in p]).max(axis=0) + 1
        self._real = np.array([sign == "real" for sign in self._signs], dtype=bool)

    def _array(self, monomials: Iterable[Monomial]) -> np.ndarray:
        """Return exponents, a row a monomial."""
        return np.array(list(monomials), dtype=int).reshape(-1, len(self._used))

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
        keys: dict[Key, None] = {}
        columns: dict[Key, Sparse] = {}
        for _ in range(rounds):
            fresh: set[Monomial] = set()
            exponents = self._array(new)
            for which in choices:
                self._add_multiples(which, exponents, keys)
                if len(keys) > _MOST:
                    return None
            # Made where all are known: where they are too many, none is.
            columns |= {key: self._multiple(*key) for key in keys if key not in columns}
            for column in columns.values():
                fresh.update(column)
            new = fresh - reached
            reached |= new
        columns |= {(monomial, ()): {monomial: 1} for monomial in reached if self._plain(monomial)}
        return columns

    def _add_multiples(self, which: tuple[int, ...], new: np.ndarray, keys: dict[Key, None]) -> None:
        """Add the multiples of a product of hypotheses that have a term among the exponents `new`."""
        ours = self._array(self._product(which))
        room = self._limit - ours.max(axis=0, initial=0)
        for one in ours:
            shifts = new - one
            fits = ((shifts >= 0) & (shifts <= room) & ~(self._real & (shifts % 2 == 1))).all(axis=1)
            keys |= {(tuple(shift), which): None for shift in shifts[fits].tolist()}

    def _multiple(self, shift: Monomial, which: tuple[int, ...]) -> Sparse:
        return {tuple(map(int.__add__, m, shift)): number for m, number in self._product(which).items()}

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
        used = [at for at, weight in enumerate(answer.x) if weight > _SEEN]
        entries = [(rows[m], at, c) for at, column in enumerate(columns.values()) for m, c in column.items()]
        wanted = [*self._target.values(), *[Fraction(0)] * (len(rows) - len(self._target))]
        weights = solve_exactly(entries, wanted, used, np.zeros(len(columns)))
        keys = list(columns)
        return None if weights is None else {keys[at]: weights[at] for at in used if at in weights}

    def _cost(self, columns: dict[Key, Sparse]) -> list[float]:
        # A plain positive term makes a proof of strict positivity: as much of it is taken as there is.
        return [0.0 if not which and self._positive(monomial) else 1e-3 for monomial, which in columns]

    def _positive(self, monomial: Monomial) -> bool:
        return all(not e or s == "> 0" for e, s in zip(monomial, self._signs, strict=True))


def solve_exactly(
    entries: list[tuple[int, int, Fraction]], wanted: list[Fraction], used: list[int], near: np.ndarray
) -> dict[int, Fraction] | None:
    """Return nonnegative weights of columns that add up to what is wanted, over Q; None if these columns have none.

    Parameters
    ----------
    entries : list of (int, int, Fraction)
        Row, column and number of what is not 0.
    wanted : list of Fraction
        The sum, row by row.
    used : list of int
        Columns that may have a weight.
    near : array
        Weights in floating point: where equations leave one open, it keeps this value, rounded.
    """
    from sympy.polys.domains import QQ
    from sympy.polys.matrices import DomainMatrix

    index = {j: k for k, j in enumerate(used)}
    table: dict[int, dict[int, Fraction]] = {i: {len(used): x} for i, x in enumerate(wanted) if x}
    for i, j, c in entries:
        if j in index:
            table.setdefault(i, {})[index[j]] = c
    if not table:
        return {}
    matrix = DomainMatrix(
        {a: {k: QQ(c.numerator, c.denominator) for k, c in row.items()} for a, row in enumerate(table.values())},
        (len(table), len(used) + 1),
        QQ,
    )
    reduced, pivots = matrix.rref()
    if len(used) in pivots:
        return None
    rows = reduced.to_sdm() if hasattr(reduced, "to_sdm") else reduced.rep
    free = {k: Fraction(near[j]).limit_denominator(10**6) for k, j in enumerate(used) if k not in pivots}
    weights = {used[k]: x for k, x in free.items()}
    for a, k in enumerate(pivots):
        row = {n: Fraction(int(c.numerator), int(c.denominator)) for n, c in dict(rows.get(a, {})).items()}
        taken = sum((row.get(n, 0) * x for n, x in free.items()), Fraction(0))
        weights[used[k]] = row.get(len(used), Fraction(0)) - taken
    return None if any(x < 0 for x in weights.values()) else {j: x for j, x in weights.items() if x}
