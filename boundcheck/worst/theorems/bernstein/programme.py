"""A semidefinite programme in unknown coefficients, all of whose forms are asked in Bernstein's form."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import clarabel
import numpy as np
from scipy import sparse

from boundcheck.worst.gram.rationals import squares
from boundcheck.worst.theorems.bernstein.coefficients import Box, bernstein
from boundcheck.worst.theorems.bernstein.conditioning import from_bernstein, without_rounding
from boundcheck.worst.theorems.bernstein.polynomials import Exponents, Poly, degrees

Unknown = tuple[Any, ...]
FIXED: Unknown = ()
"""Name of what no unknown multiplies."""
Matrix = dict[tuple[Hashable, Hashable], Poly]
"""Pair of vectors to the coefficient of their product; each pair once, in one order."""
Values = dict[Unknown, Fraction]


class Inequality(NamedTuple):
    """That a sum of multiples of unknowns is at most a number."""

    row: dict[Unknown, float]
    limit: float


@dataclass(frozen=True)
class FormBlock:
    """One Bernstein coefficient of a form: a matrix, linear in the unknowns."""

    label: str
    index: Exponents
    vectors: tuple[Hashable, ...]
    parts: dict[Unknown, dict[tuple[int, int], Fraction]]

    def at(self, values: Mapping[Unknown, Fraction]) -> list[list[Fraction]]:
        """Return the symmetric matrix at values of the unknowns."""
        size = len(self.vectors)
        found = [[Fraction(0)] * size for _ in range(size)]
        for unknown, entries in self.parts.items():
            weight = Fraction(1) if unknown == FIXED else values[unknown]
            if weight:
                for (i, j), c in entries.items():
                    found[i][j] += weight * c / (1 if i == j else 2)
                    if i != j:
                        found[j][i] = found[i][j]
        return found


@dataclass(frozen=True)
class BoxSolution:
    """What the solver found.

    Attributes
    ----------
    status : str
        Clarabel's word.
    unknowns : dict
        Their values.
    """

    status: str
    unknowns: dict[Unknown, float]

    @property
    def solved(self) -> bool:
        """Whether the solver calls it a solution, or nearly one: what it is worth is decided over Q."""
        return self.status in ("Solved", "AlmostSolved", "InsufficientProgress")


@dataclass
class BoxProgramme:
    """Unknown numbers, matrices that must be positive semidefinite over a box, and sums that must vanish.

    Attributes
    ----------
    unknowns, blocks, equations
        What has been asked so far.
    box : Box, optional
        Where unknown polynomials are looked for: the solver has their coefficients in Bernstein's form over it.
    """

    unknowns: dict[Unknown, None] = field(default_factory=dict)
    blocks: list[FormBlock] = field(default_factory=list)
    equations: list[dict[Unknown, Fraction]] = field(default_factory=list)
    box: Box | None = None

    def ask_squares(self, label: str, form: Mapping[Unknown, Matrix], box: Box, raised: int = 0) -> None:
        """Ask that a form, linear in unknowns, is a sum of squares of the vectors at every point of a box.

        Parameters
        ----------
        label : str
            For messages.
        form : mapping
            Unknown to the matrix that it multiplies.
        box : tuple
            Ends of every letter.
        raised : int
            What is added to the degree of Bernstein's form: more of it is less strict, and more blocks.
        """
        limits = degrees([p for matrix in form.values() for p in matrix.values()], len(box))
        limits = tuple(d + raised if d else d for d in limits)
        order: dict[Hashable, int] = {}
        for matrix in form.values():
            for pair in matrix:
                for vector in pair:
                    order.setdefault(vector, len(order))
        table: dict[Exponents, dict[Unknown, dict[tuple[int, int], Fraction]]] = {}
        for unknown, matrix in form.items():
            if unknown != FIXED:
                self.unknowns.setdefault(unknown)
            for (a, b), p in matrix.items():
                i, j = sorted((order[a], order[b]))
                for index, c in bernstein(p, box, limits).items():
                    entries = table.setdefault(index, {}).setdefault(unknown, {})
                    entries[i, j] = entries.get((i, j), Fraction(0)) + c
        names = list(order)
        for index, parts in sorted(table.items()):
            spoken = sorted({k for entries in parts.values() for pair, c in entries.items() if c for k in pair})
            place = {k: n for n, k in enumerate(spoken)}
            small = {u: {(place[i], place[j]): c for (i, j), c in entries.items() if c} for u, entries in parts.items()}
            if spoken:
                self.blocks.append(FormBlock(label, index, tuple(names[k] for k in spoken), small))

    def ask_positive(self, label: str, sums: Mapping[Unknown, Poly], box: Box) -> None:
        """Ask that a polynomial, linear in unknowns, is nowhere negative on a box, by its Bernstein coefficients."""
        self.ask_squares(label, {u: {(label, label): p} for u, p in sums.items()}, box)

    def ask_zero(self, sums: Mapping[Unknown, Poly]) -> None:
        """Ask that a polynomial, linear in unknowns, is 0."""
        table: dict[Exponents, dict[Unknown, Fraction]] = {}
        for unknown, p in sums.items():
            if unknown != FIXED:
                self.unknowns.setdefault(unknown)
            for e, c in p.items():
                table.setdefault(e, {})[unknown] = c
        self.equations += table.values()

    def fix(self, unknown: Unknown, value: Fraction) -> None:
        """Ask that an unknown has a value."""
        self.unknowns.setdefault(unknown)
        self.equations.append({unknown: Fraction(1), FIXED: -value})

    def drop(self, gone: Iterable[Unknown]) -> None:
        """Take unknowns to be 0: they are asked for no longer."""
        lost = set(gone)
        self.unknowns = {u: None for u in self.unknowns if u not in lost}
        self.equations = [{u: c for u, c in equation.items() if u not in lost} for equation in self.equations]
        kept = []
        for block in self.blocks:
            parts = {u: entries for u, entries in block.parts.items() if u not in lost}
            if parts:
                kept.append(FormBlock(block.label, block.index, block.vectors, parts))
        self.blocks = kept

    def minimise(
        self,
        cost: Mapping[Unknown, float],
        inequalities: Iterable[Inequality] = (),
        *,
        margin: float,
        tol: float = 1e-9,
    ) -> BoxSolution:
        """Minimise a sum of unknowns; every matrix is left an eigenvalue of `margin` for rounding."""
        listed = list(inequalities)
        for row in (cost, *(one.row for one in listed)):
            for unknown in row:
                self.unknowns.setdefault(unknown)
        column = {unknown: k for k, unknown in enumerate(self.unknowns)}
        entries: list[tuple[int, int, float]] = []
        right: list[float] = []
        cones: list[Any] = []
        for equation in self.equations:
            entries += [(len(right), column[u], float(c)) for u, c in equation.items() if u != FIXED]
            right.append(-float(equation.get(FIXED, 0)))
        if right:
            cones.append(clarabel.ZeroConeT(len(right)))
        scalars = [block for block in self.blocks if len(block.vectors) == 1]
        for one in listed:
            entries += [(len(right), column[u], c) for u, c in one.row.items()]
            right.append(one.limit)
        for block in scalars:
            right.append(_add_rows(entries, column, block, len(right), margin)[0])
        if count := len(listed) + len(scalars):
            cones.append(clarabel.NonnegativeConeT(count))
        for block in self.blocks:
            if (size := len(block.vectors)) > 1:
                right += _add_rows(entries, column, block, len(right), margin)
                cones.append(clarabel.PSDTriangleConeT(size))
        rows, columns, numbers = zip(*entries, strict=True)
        change = from_bernstein(column, self.box)
        matrix = sparse.csc_matrix((numbers, (rows, columns)), shape=(len(right), len(column))) @ change
        objective = np.zeros(len(column))
        for unknown, c in cost.items():
            objective[column[unknown]] += c
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_iter, settings.max_threads = False, 300, 1
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tol
        empty = sparse.csc_matrix((len(column), len(column)))
        solver = clarabel.DefaultSolver(
            empty, change.T @ objective, without_rounding(matrix), np.array(right), cones, settings
        )
        found = solver.solve()
        return BoxSolution(str(found.status), dict(zip(column, map(float, change @ np.array(found.x)), strict=True)))

    def minimise_exactly(
        self,
        cost: Mapping[Unknown, float],
        rows: Sequence[Inequality] = (),
        *,
        margins: Sequence[float],
        digits: Sequence[int],
    ) -> Values | None:
        """Return values over Q, near those of least cost, that meet everything; None where none are found.

        Parameters
        ----------
        cost, rows
            As in `minimise`.
        margins, digits : sequences
            Distances from the border and numbers of decimals that are tried, in this order.
        """
        for margin in margins:
            found = self.minimise(cost, rows, margin=margin)
            for count in digits if found.solved else ():
                try:
                    values = self._round_off(found, count)
                except ValueError:
                    continue
                if self.failure(values) is None:
                    return values
        return None

    def _round_off(self, found: BoxSolution, digits: int) -> Values:
        """Return decimals near what was found at which all equations hold exactly.

        Raises
        ------
        ValueError
            If the equations contradict each other.
        """
        values = {u: Fraction(round(x * 10**digits), 10**digits) for u, x in found.unknowns.items()}
        if not self.equations:
            return values
        # The largest unknowns of an equation take up what rounding left.
        rank = {u: k for k, u in enumerate(sorted(values, key=lambda u: -abs(values[u])))}
        solved: list[tuple[Unknown, dict[Unknown, Fraction], Fraction]] = []
        for equation in self.equations:
            row = {u: c for u, c in equation.items() if u != FIXED and c}
            left = -equation.get(FIXED, Fraction(0)) - sum((c * values[u] for u, c in row.items()), Fraction(0))
            for pivot, other, rest in solved:
                if c := row.get(pivot):
                    row = {u: x for u in {*row, *other} if (x := row.get(u, Fraction(0)) - c * other.get(u, 0))}
                    left -= c * rest
            if not row:
                if left:
                    msg = "equations that contradict each other"
                    raise ValueError(msg)
                continue
            pivot = min(row, key=rank.__getitem__)
            lead = row[pivot]
            solved.append((pivot, {u: c / lead for u, c in row.items()}, left / lead))
        change: Values = {}
        for pivot, row, rest in reversed(solved):
            change[pivot] = rest - sum(
                (c * change.get(u, Fraction(0)) for u, c in row.items() if u != pivot), Fraction(0)
            )
        return values | {u: values[u] + c for u, c in change.items()}

    def failure(self, values: Values) -> str | None:
        """Return what values do not meet, by exact arithmetic, or None if they meet everything."""
        for equation in self.equations:
            if sum((c * (1 if u == FIXED else values[u]) for u, c in equation.items()), Fraction(0)):
                return f"an equation between {', '.join(map(str, equation))}"
        for block in self.blocks:
            if squares(block.at(values)) is None:
                return f"{block.label} at {block.index}"
        return None


def _add_rows(
    entries: list[tuple[int, int, float]], column: Mapping[Unknown, int], block: FormBlock, base: int, margin: float
) -> list[float]:
    """Add the rows of a block, as Clarabel stacks an upper triangle, and return their right-hand sides."""
    size = len(block.vectors)
    right = [0.0] * (size * (size + 1) // 2)
    for unknown, parts in block.parts.items():
        for (i, j), c in parts.items():
            place = j * (j + 1) // 2 + i
            number = float(c) * (1.0 if i == j else 1 / math.sqrt(2.0))
            if unknown == FIXED:
                right[place] += number
            else:
                entries.append((base + place, column[unknown], -number))
    for i in range(size):
        right[i * (i + 3) // 2] -= margin
    return right
