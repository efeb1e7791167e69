"""Sums of products: find nonnegative weights of products of known facts that add up to a goal, exactly.

A linear programme proposes the weights; they are then solved for over the rationals on the columns and rows that it
uses, so that nothing rests on floating point.  Budgets count columns, so that an answer depends on nothing but the
question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from operator import sub
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.algebra.products import solve_exactly
from boundcheck.proofs.certificates.polynomials import times, times_monomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.proofs.certificates.polynomials import Exponents, Polynomial

TOLERANCES = (1e-9, 1e-7, 1e-11, 1e-5)
LIMITS = {"maxiter": 5000, "primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""Most steps of the simplex method, and how exact it has to be."""
DENIED = 4.0
"""Cost of a product with the negation of the goal, so that direct proofs are preferred."""


@dataclass(frozen=True)
class KnownPolynomial:
    """A polynomial that is known to be nonnegative, and which fact says so."""

    value: Polynomial
    factors: tuple[int, ...]
    """Numbers of the facts whose product it is."""
    strict: bool = False
    denial: bool = False
    """Whether the negation of the goal is among the factors."""


@dataclass(frozen=True)
class LetterSigns:
    """Signs of the letters: 2 positive, 1 nonnegative, 0 neither."""

    signs: tuple[int, ...]

    def legal(self, k: Exponents) -> bool:
        """Whether a monomial is nonnegative."""
        # Asked millions of times in a search: a loop ends at the first letter that is in the way.
        for e, s in zip(k, self.signs, strict=True):  # noqa: SIM110
            if e and s != 2 and (e < 0 or (s != 1 and e % 2)):
                return False
        return True

    def legal_sum(self, p: Polynomial) -> bool:
        """Whether a polynomial is seen to be nonnegative."""
        return all(c > 0 and self.legal(k) for k, c in p.items())

    def strict(self, k: Exponents) -> bool:
        """Whether a legal monomial is positive."""
        return all(e == 0 or s == 2 for e, s in zip(k, self.signs, strict=True))


@dataclass(frozen=True)
class Budget:
    """How far to look."""

    degree: int
    """Most facts in one product."""
    rounds: int
    """How often monomials that turn up are in turn covered."""
    columns: int = 3000
    """Most products with a monomial; a tenth of them before that."""
    inverse: bool = False
    """Whether letters that are positive may be divided by."""
    every: bool = False
    """Whether monomials that the goal has enough of are covered as well: the products may need more of them."""


Column = tuple[KnownPolynomial, "Exponents", "Polynomial"]
Weights = list[tuple[Fraction, KnownPolynomial, "Exponents"]]


def find(
    goal: Polynomial,
    known: Sequence[KnownPolynomial],
    letters: LetterSigns,
    budget: Budget,
    *,
    proper: bool = False,
    normal: Callable[[Polynomial], Polynomial] = dict,
) -> Weights | None:
    """Return weights of products and monomials that add up to the goal, or None where none were found.

    Parameters
    ----------
    goal : dict
        Polynomial to be written as a sum; empty for a contradiction.
    known : sequence of Known
        What may be multiplied.
    letters : Letters
        Which monomials may be multiplied.
    budget : Budget
        How far to look.
    proper : bool
        Whether a positive product has to take part; the sum is then zero, and the first of `known`, which is the
        negative of the goal, takes part as it is.
    normal : callable
        Normal form of a polynomial under equations.
    """
    made = islice(_products(known, budget), budget.columns // 10)
    products = [replace(k, value=v) for k in made if (v := normal(k.value))]
    columns, rows = _covering(goal, products, letters, budget, normal, first=proper and bool(goal))
    if not columns and proper:
        return None
    return _solve_programme({} if proper else goal, columns, letters, rows, proper=proper)


def _products(known: Sequence[KnownPolynomial], budget: Budget) -> Iterator[KnownPolynomial]:
    for degree in range(1, budget.degree + 1):
        for chosen in combinations_with_replacement(known, degree):
            value = chosen[0].value
            for other in chosen[1:]:
                value = times(value, other.value)
            factors = tuple(f for k in chosen for f in k.factors)
            if value:
                yield KnownPolynomial(value, factors, all(k.strict for k in chosen), any(k.denial for k in chosen))


@dataclass(frozen=True)
class _Box:
    """Exponents that may turn up: as far again beyond those of the question as these reach."""

    low: Exponents
    high: Exponents

    @classmethod
    def around(cls, polynomials: Sequence[Polynomial], letters: LetterSigns, *, inverse: bool) -> _Box:
        size = len(letters.signs)
        every = [k for p in polynomials for k in p] or [(0,) * size]
        ends = [(min(0, *e), max(0, *e)) for e in zip(*every, strict=True)] if len(every) > 1 else [(0, 0)] * size
        below = [-b if inverse and s == 2 else 0 for (_, b), s in zip(ends, letters.signs, strict=True)]
        low = tuple(min(2 * a - (a < 0), c) for (a, _), c in zip(ends, below, strict=True))
        return cls(low, tuple(2 * b + 1 for _, b in ends))

    def has(self, p: Polynomial) -> bool:
        return all(a <= e <= b for k in p for a, e, b in zip(self.low, k, self.high, strict=True))


def _covering(
    goal: Polynomial,
    products: Sequence[KnownPolynomial],
    letters: LetterSigns,
    budget: Budget,
    normal: Callable[[Polynomial], Polynomial],
    *,
    first: bool,
) -> tuple[list[Column], list[Exponents]]:
    """Return products times monomials that can cancel what is negative, round after round."""
    size = len(letters.signs)
    box = _Box.around([goal, *(p.value for p in products)], letters, inverse=budget.inverse)
    rows = dict.fromkeys(goal)
    maybe_zero = {k for k in goal if first and not letters.strict(k)}
    needed = [k for k, c in goal.items() if c < 0 or not letters.legal(k) or k in maybe_zero]
    if not goal:
        needed = [(0,) * size, *(k for p in products for k in p.value)]
    unit = (0,) * size
    columns: dict[tuple[int, Exponents], Column] = {
        (i, unit): (p, unit, p.value) for i, p in enumerate(products) if not goal and p.denial and p.strict
    }
    rows.update(dict.fromkeys(k for _, _, value in columns.values() for k in value))
    if first:
        columns[0, unit] = (products[0], unit, products[0].value)
    done: set[Exponents] = set()
    for _ in range(budget.rounds):
        fresh: dict[Exponents, None] = {}
        for row in dict.fromkeys(needed):
            if row in done:
                continue
            done.add(row)
            may_stand = letters.legal(row) and row not in maybe_zero
            for i, product in enumerate(products):
                if len(columns) >= budget.columns:
                    return list(columns.values()), list(rows)
                for k, c in product.value.items():
                    if c > 0 and may_stand:
                        continue
                    move = tuple(map(sub, row, k))
                    if letters.legal(move) and (i, move) not in columns and len(columns) < budget.columns:
                        value = normal(times_monomial(product.value, move))
                        if box.has(value):
                            columns[i, move] = (product, move, value)
                            rows.update(dict.fromkeys(value))
                            fresh.update({m: None for m, x in value.items() if x > 0 or not letters.legal(m)})
        needed = [k for k in fresh if budget.every or goal.get(k, Fraction(0)) <= 0 or not letters.legal(k)]
    return list(columns.values()), list(rows)


def _solve_programme(
    goal: Polynomial, columns: Sequence[Column], letters: LetterSigns, rows: Sequence[Exponents], *, proper: bool
) -> Weights | None:
    """Propose weights by a linear programme and make them exact."""
    place = {row: i for i, row in enumerate(rows)}
    ones = [row for row in rows if letters.legal(row)]
    products = [*(value for _, _, value in columns), *({row: Fraction(1)} for row in ones)]
    strict = [k.strict and letters.strict(m) for k, m, _ in columns] + [letters.strict(row) for row in ones]
    if proper and not any(strict):
        return None
    cost = [DENIED if k.denial else 1.0 for k, _, _ in columns] + [1.0] * len(ones)
    system = _ProductSystem(
        products, [goal.get(row, Fraction(0)) for row in rows], place, strict if proper else [], cost
    )
    weights = system.solve()
    if weights is None:
        return None
    size = len(letters.signs)
    unit = KnownPolynomial({(0,) * size: Fraction(1)}, (), strict=True)
    named = [*((k, m) for k, m, _ in columns), *((unit, row) for row in ones)]
    return [(c, *named[j]) for j, c in sorted(weights.items())]


@dataclass(frozen=True)
class _ProductSystem:
    """Nonnegative weights of products that add up to what is wanted, row by row; those of `strict` ones add up to 1."""

    products: list[Polynomial]
    wanted: list[Fraction]
    place: dict[Exponents, int]
    strict: list[bool]
    cost: list[float]

    def solve(self) -> dict[int, Fraction] | None:
        entries = [(self.place[k], j, c) for j, p in enumerate(self.products) for k, c in p.items()]
        wanted = list(self.wanted)
        if any(self.strict):
            entries += [(len(wanted), j, Fraction(1)) for j, s in enumerate(self.strict) if s]
            wanted.append(Fraction(1))
        near = self._near(entries, wanted)
        if near is None:
            return None
        for tolerance in TOLERANCES:
            weights = solve_exactly(entries, wanted, [j for j, x in enumerate(near) if x > tolerance], near)
            if weights is not None:
                return weights
        return None

    def _near(self, entries: list[tuple[int, int, Fraction]], wanted: list[Fraction]) -> np.ndarray | None:
        """Return weights in floating point; rows and columns are scaled by their geometric means."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        i, j = (np.array([e[k] for e in entries], dtype=int) for k in (0, 1))
        logs = np.log([abs(float(e[2])) for e in entries])
        sides = np.array([float(x) for x in wanted])
        row, column = np.zeros(len(wanted)), np.zeros(len(self.products))
        some = sides != 0
        for _ in range(8):
            column = -_mean(j, logs + row[i], column.size)
            total = np.bincount(i, logs + column[j], row.size) + np.log(np.abs(np.where(some, sides, 1)))
            row = -total / (np.bincount(i, minlength=row.size) + some)
        if not column.size:
            return None
        values = np.sign([float(e[2]) for e in entries]) * np.exp(logs + row[i] + column[j])
        matrix: Any = csr_array((values, (i, j)), shape=(row.size, column.size))
        program: Any = linprog
        found = program(self.cost, A_eq=matrix, b_eq=sides * np.exp(row), method="highs-ds", options=LIMITS)
        return np.asarray(found.x) * np.exp(column) if found.status == 0 else None


def _mean(where: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(where, values, size) / np.maximum(np.bincount(where, minlength=size), 1)
