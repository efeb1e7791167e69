"""Units in which the numbers of a stated worst case are near 1: solvers' tolerances are absolute.

Every basis vector, function value, relation and row of a matrix gets a power of two of its own.  They are those for
which the logarithms of all coefficients have the least sum of squares.

References
----------
Curtis, Reid, "On the automatic scaling of matrices for Gaussian elimination", IMA J. Applied Mathematics 10 (1972).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from boundcheck.worst.stated.algebra import ONE, LinearRelation, Scalar
from boundcheck.worst.stated.question import KnownRelation, StatedProof

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boundcheck.worst.stated.algebra import Key
    from boundcheck.worst.stated.question import StatedQuestion

    Parts = Mapping[Key, Fraction]

_PLAIN = 3
"""Powers of two of vectors that leave a question as it is: short fractions stay short."""


@dataclass(frozen=True)
class ScaledQuestion:
    """A question in units of its own.

    Attributes
    ----------
    asked : StatedQuestion
        In the user's units.
    of_letters : dict
        Block and index of a basis vector, or key of a value, to its unit.
    of_relations : list of Fraction
        What each relation is multiplied by.
    of_rows : list of list of Fraction
        The same of each row and column of each matrix.
    of_objective : Fraction
        What the objective is divided by.
    """

    asked: StatedQuestion
    of_letters: dict[Key, Fraction]
    of_relations: list[Fraction]
    of_rows: list[list[Fraction]]
    of_objective: Fraction

    @cached_property
    def question(self) -> StatedQuestion:
        """Return it in its own units."""
        known = [
            KnownRelation(k.name, LinearRelation(self._scale(k.relation.number, by), equal=k.relation.equal))
            for k, by in zip(self.asked.known, self.of_relations, strict=True)
        ]
        matrices = [
            (
                name,
                [
                    [self._scale(entry, a * b) for entry, b in zip(row, by, strict=True)]
                    for row, a in zip(rows, by, strict=True)
                ],
            )
            for (name, rows), by in zip(self.asked.matrices, self.of_rows, strict=True)
        ]
        objective = self._scale(self.asked.objective, 1 / self.of_objective)
        return replace(self.asked, known=known, matrices=matrices, objective=objective)

    def _unit(self, key: Key) -> Fraction:
        if key == ONE:
            return Fraction(1)
        if key[0] == "f":
            return self.of_letters[key]
        return self.of_letters[key[0], key[1]] * self.of_letters[key[0], key[2]]

    def _scale(self, form: Scalar, by: Fraction) -> Scalar:
        return Scalar({key: by * c * self._unit(key) for key, c in form.parts.items()})

    def proof(self, found: StatedProof) -> StatedProof:
        """Return a proof in the user's units."""
        own = {
            id(k): (by, asked)
            for k, by, asked in zip(self.question.known, self.of_relations, self.asked.known, strict=True)
        }
        used = []
        for by, known in found.used:
            factor, original = own.get(id(known)) or (Fraction(1), self._original(known))
            used.append((self.of_objective * by * factor, original))
        squares = [
            (self.of_objective * weight, block, {k: c / self.of_letters[block, k] for k, c in row.items()})
            for weight, block, row in found.squares
        ]
        return StatedProof(self.of_objective * found.value, used, squares)

    def _original(self, known: KnownRelation) -> KnownRelation:
        """Return what a matrix says along a vector, in the user's units."""
        parts = {key: c / self._unit(key) for key, c in known.relation.number.parts.items()}
        return KnownRelation(known.name, LinearRelation(Scalar(parts), equal=known.relation.equal))


def in_own_units(asked: StatedQuestion) -> ScaledQuestion:
    """Return a question in units in which its numbers are near 1, as it is where they are."""
    logarithms = _Logarithms()
    for unit, c, key in _coefficients(asked):
        logarithms.ask([*unit, *_letters(key)], c)
    powers = logarithms.solve()
    if max((abs(power) for unit, power in powers.items() if unit[0] in ("P", "Q")), default=0) <= _PLAIN:
        powers = {}
    of = {letter: Fraction(2) ** power for letter, power in powers.items()}
    one = Fraction(1)
    keys = {key for _, _, key in _coefficients(asked) if key != ONE}
    return ScaledQuestion(
        asked,
        {letter: of.get(letter, one) for key in keys for letter in _letters(key)},
        [of.get(("relation", k), one) for k in range(len(asked.known))],
        [[of.get(("row", m, i), one) for i in range(len(entries))] for m, (_, entries) in enumerate(asked.matrices)],
        1 / of.get(("objective",), one),
    )


def _letters(key: Key) -> list[Any]:
    """Return the letters of a product, of a value, of 1."""
    if key == ONE:
        return []
    return [key] if key[0] == "f" else [(key[0], key[1]), (key[0], key[2])]


def _coefficients(asked: StatedQuestion) -> Iterator[tuple[list[Any], Fraction, Key]]:
    """Yield coefficients, what multiplies them, and of what they are."""
    forms: list[tuple[list[Any], Parts]] = [([("objective",)], asked.objective.parts)]
    forms += [([("relation", k)], known.relation.number.parts) for k, known in enumerate(asked.known)]
    for m, (_, entries) in enumerate(asked.matrices):
        forms += [
            ([("row", m, i), ("row", m, j)], entry.parts)
            for i, line in enumerate(entries)
            for j, entry in enumerate(line)
            if i <= j
        ]
    for unit, parts in forms:
        yield from ((unit, c, key) for key, c in parts.items() if c)


class _Logarithms:
    """Equations that ask products of units and coefficients to be 1, in powers of two."""

    def __init__(self) -> None:
        self._place: dict[Any, int] = {}
        self._entries: list[tuple[int, int]] = []
        self._right: list[float] = []

    def ask(self, units: list[Any], c: Fraction) -> None:
        """Ask a coefficient times its units to be 1."""
        for unit in units:
            self._entries.append((len(self._right), self._place.setdefault(unit, len(self._place))))
        self._right.append(-log2(abs(c.numerator)) + log2(c.denominator))

    def solve(self) -> dict[Any, int]:
        """Return the powers of two by which they are missed least."""
        if not self._right:
            return {}
        rows, columns = zip(*self._entries, strict=True) if self._entries else ((), ())
        shape = (len(self._right), len(self._place))
        matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
        found = linalg.lsqr(matrix, np.array(self._right), atol=1e-10, btol=1e-10)[0]
        return {unit: round(float(found[k])) for unit, k in self._place.items()}
