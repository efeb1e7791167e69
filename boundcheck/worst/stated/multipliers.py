"""The programme of a stated worst case in multipliers, and proofs over Q that are rounded from its solutions.

With multipliers of what is known, constants less the objective have to be a sum of squares.  The solver proposes them;
they are rounded, function values are balanced exactly, and what is left is written as squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import clarabel
import numpy as np
from scipy import linalg, sparse

from boundcheck.worst.gram.rationals import combination, squares
from boundcheck.worst.sides.programme import SOLVED, run_clarabel
from boundcheck.worst.stated.algebra import ONE, LinearRelation, Scalar
from boundcheck.worst.stated.kernels import ROUND, SHORT, image_of, rational_basis, without_multiples
from boundcheck.worst.stated.question import KnownRelation, StatedProof

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

MARGINS = (1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
"""Least eigenvalues that are left for rounding, the first that survives it being the best."""
_DIGITS = 11
"""Decimals of multipliers."""
_FACES = 3
"""Most times that a programme is posed in fewer dimensions."""
_FINE = 2e-6
"""Relative distance at which a proof is close to the solver's number."""
_ZERO = 1e-6
"""Share of the largest multiplier, or eigenvalue, below which one is 0 inside of the conditions."""
_SMALL_MARGIN, _STILL = 1e-10, 1e-3
"""A margin, and by what share a solver's number may move under it."""
_EQUAL = 1e-9
"""Share by which a proof with short multipliers may be above the solver's number, whose digits end there."""
_LEAST, _NEAR = 1e-9, 0.3
"""Values between them, or above 1/0.3, are far from 1: solvers' tolerances are absolute there."""


@dataclass(frozen=True)
class FoundMultipliers:
    """The solver's answer: both of its values and the multipliers."""

    status: str
    upper: float
    lower: float
    multipliers: Array


class Multipliers:
    """The programme in multipliers of what is known."""

    def __init__(
        self,
        known: list[KnownRelation],
        matrices: list[tuple[str, list[list[Scalar]]]],
        objective: Scalar,
        kernels: dict[str, list[dict[int, Fraction]]] | None = None,
    ) -> None:
        self.known, self.objective, self._semidefinite = known, objective, matrices
        self._kernels = kernels or {}
        self._forms = [k.relation.number.parts for k in known]
        # A matrix that is known has a matrix of multipliers: its entries follow, triangle by triangle.
        for _, entries in matrices:
            self._forms += [_entry(entries, i, j).parts for i, j in _places(len(entries))]
        self._signs = [j for j, k in enumerate(known) if not k.relation.equal]
        everything = [objective.parts, *self._forms]
        keys = {key for form in everything for key in form}
        self._values = sorted(key for key in keys if key[0] == "f")
        self._blocks = {}
        for block in ("P", "Q"):
            indices = sorted({int(k) for key in keys if key[0] == block for k in key[1:]})
            if indices:
                self._blocks[block] = indices
        self._matrices = {block: [self._matrix(block, form) for form in everything] for block in self._blocks}
        # Directions that no form sees leave no room for margins.
        self._seen = {block: _independent(found) for block, found in self._matrices.items()}
        for block, kernel in self._kernels.items():
            # The first entry of each vector is 1, and 0 in the others: its coordinate follows from the rest.
            indices = self._blocks.get(block, [])
            lost = {indices.index(k) for u in kernel if (k := next(iter(u))) in indices}
            self._seen[block] = np.array([k for k in self._seen.get(block, ()) if k not in lost], dtype=int)
        self._equations = list(self._exact_equations())

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of both blocks, and the number of conditions."""
        sizes = {block: len(self._seen.get(block, ())) for block in ("P", "Q")}
        return {"means": sizes["P"], "deviations": sizes["Q"], "constraints": len(self.known)}

    def _exact_equations(self) -> Iterator[tuple[dict[int, Fraction], Fraction]]:
        """Yield equations in the multipliers: values cancel, and kernels are kernels of what is left."""
        asked = self.objective.parts
        for key in self._values:
            yield {j: form[key] for j, form in enumerate(self._forms) if key in form}, -asked.get(key, Fraction(0))
        for block, kernel in self._kernels.items():
            for u in kernel:
                images = [image_of(block, form, u) for form in self._forms]
                own = image_of(block, asked, u)
                for i in sorted({*own, *(i for image in images for i in image)}):
                    row = {j: image[i] for j, image in enumerate(images) if image.get(i)}
                    if row:
                        yield row, -own.get(i, Fraction(0))

    def _matrix(self, block: str, form: dict[Any, Fraction]) -> Array:
        place = {k: i for i, k in enumerate(self._blocks[block])}
        found = np.zeros((len(place), len(place)))
        for key, c in form.items():
            if key[0] == block:
                found[place[key[1]], place[key[2]]] += float(c) / 2
                found[place[key[2]], place[key[1]]] += float(c) / 2
        return found

    def solve(self) -> FoundMultipliers:
        """Return the solver's answer; where the value is far from 1, of the objective over it."""
        found = self._solve_with_margin(0.0, 1.0)
        size = abs(found.upper)
        if (found.status in SOLVED and _LEAST < size < _NEAR) or size > 1 / _NEAR:
            sharper = self._solve_with_margin(0.0, 1.0 / size)
            if sharper.status == SOLVED[0] or found.status != SOLVED[0]:
                return sharper if sharper.status in SOLVED else found
        return found

    def _solve_with_margin(self, margin: float, scale: float, *, within: float = 0.0) -> FoundMultipliers:
        """Return the solver's multipliers, of squares whose least eigenvalue is a margin.

        Where `within` is not 0, they are any multipliers inside of the conditions, whose sum is at most that.
        """
        costs = np.array([0.0 if within else float(form.get(ONE, 0)) for form in self._forms])
        equations = np.zeros((len(self._equations), len(self._forms)))
        for k, (row, _) in enumerate(self._equations):
            equations[k, list(row)] = [float(c) for c in row.values()]
        wanted = scale * np.array([float(value) for _, value in self._equations])
        positive = np.eye(len(self._forms))[self._signs]
        if within:
            positive = np.vstack([positive, -positive.sum(axis=0)])
        rows, right = [equations, -positive], [wanted, np.zeros(len(positive))]
        right[1][len(self._signs) :] = within
        cones = [clarabel.ZeroConeT(len(self._equations)), clarabel.NonnegativeConeT(len(positive))]
        for block, found in self._matrices.items():
            seen = self._seen[block]
            if not len(seen):
                continue
            own = [_triangle(matrix[np.ix_(seen, seen)]) for matrix in found]
            rows.append(np.array(own[1:]).T)
            right.append(-scale * own[0] - margin * _triangle(np.eye(len(seen))))
            cones.append(clarabel.PSDTriangleConeT(len(seen)))
        start = len(self.known)
        for _, entries in self._semidefinite:
            size, places = len(entries), _places(len(entries))
            minus = np.zeros((len(places), len(self._forms)))
            for k, (i, j) in enumerate(places):
                minus[k, start + k] = -1.0 if i == j else -np.sqrt(2.0)
            rows.append(minus)
            right.append(-margin * _triangle(np.eye(size)))
            cones.append(clarabel.PSDTriangleConeT(size))
            start += len(places)
        found = run_clarabel(-costs, sparse.csc_matrix(np.vstack(rows)), np.concatenate(right), cones)
        constant = float(self.objective.parts.get(ONE, 0))
        values = [value / scale + constant for value in (found.obj_val, found.obj_val_dual)]
        return FoundMultipliers(str(found.status), values[0], values[1], np.array(found.x) / scale)

    def with_margin(self, found: FoundMultipliers) -> float | None:
        """Return the value where squares keep a small margin, which is above; None where it is far from what was found.

        Where nothing bounds the objective, solvers may come to rest at multipliers that nearly meet their conditions,
        and at any number: those move without end.
        """
        size = abs(found.upper)
        again = self._solve_with_margin(_SMALL_MARGIN, 1.0 / size if size > _LEAST else 1.0)
        near = again.status in SOLVED and abs(again.upper - found.upper) <= _STILL * max(size, _STILL)
        return again.upper if near else None

    def prove(self, near: FoundMultipliers) -> StatedProof | None:
        """Return a proof near the solver's numbers, or None if rounding leaves none."""
        short = self._prove_short(near.multipliers)
        if short is not None and float(short.value) <= near.upper + _EQUAL * max(_EQUAL, abs(near.upper)):
            return short
        found, face = self.prove_with_margins(near), self
        for _ in range(_FACES):
            if found is not None and float(found.value) <= near.upper + _FINE * max(1e-3, abs(near.upper)):
                break
            # Where nothing in the conditions leaves room for margins, they are posed in fewer dimensions.
            smaller = face.face(near)
            if smaller is None:
                break
            face = smaller
            other = face.prove_with_margins(near)
            if other is not None and (found is None or other.value < found.value):
                found = other
        return found

    def prove_with_margins(self, near: FoundMultipliers) -> StatedProof | None:
        """Return the best proof of several margins."""
        best: StatedProof | None = None
        size = abs(near.upper)
        scale = 1.0 / size if _LEAST < size < _NEAR or size > 1 / _NEAR else 1.0
        for margin in MARGINS:
            found = self._solve_with_margin(margin, scale)
            if found.status not in SOLVED:
                continue
            proof = self._prove_rounded(found.multipliers)
            if proof is not None and (best is None or proof.value < best.value):
                best = proof
            if best is not None and float(best.value) <= near.upper + 1e-7 * max(1e-3, abs(near.upper)):
                break
        return best

    def face(self, near: FoundMultipliers) -> Multipliers | None:
        """Return the programme without multipliers that are always 0, and in directions that are not; None if none are.

        References
        ----------
        Borwein, Wolkowicz, "Facial reduction for a cone-convex programming problem" (1981).
        """
        most = 100.0 * (1.0 + float(np.abs(near.multipliers).sum()))
        found = self._solve_with_margin(0.0, 1.0, within=most)
        if found.status not in SOLVED or self._semidefinite:
            return None
        by = found.multipliers
        largest = float(np.abs(by).max(initial=0.0))
        signs = set(self._signs)
        kept = [k for j, k in enumerate(self.known) if j not in signs or by[j] > _ZERO * largest]
        kernels = {block: list(kernel) for block, kernel in self._kernels.items()}
        for block, matrices in self._matrices.items():
            seen = self._seen[block]
            left = -matrices[0] - np.tensordot(by, np.array(matrices[1:]), axes=1)
            values, vectors = np.linalg.eigh(left[np.ix_(seen, seen)])
            flat = vectors[:, values < _ZERO * max(float(values[-1]), 1.0)] if len(seen) else np.zeros((0, 0))
            kernel = rational_basis(flat.T, [self._blocks[block][k] for k in seen])
            if kernel is None:
                return None
            kernels[block] = [*without_multiples(kernels.get(block, []), kernel), *kernel]
        if len(kept) == len(self.known) and kernels == self._kernels:
            return None
        smaller = Multipliers(kept, self._semidefinite, self.objective, {b: k for b, k in kernels.items() if k})
        return smaller if set(smaller._values) == set(self._values) else None

    def _prove_short(self, multipliers: Array) -> StatedProof | None:
        """Return the proof of short fractions near the multipliers: where the worst case is one, it is attained."""
        short = [Fraction(float(v)).limit_denominator(SHORT) for v in multipliers]
        near = all(abs(float(c) - v) <= ROUND * max(1.0, abs(v)) for c, v in zip(short, multipliers, strict=True))
        return self._prove_by_squares(short) if near else None

    def _prove_rounded(self, multipliers: Array) -> StatedProof | None:
        """Return the proof of multipliers with some decimals."""
        return self._prove_by_squares([Fraction(round(v * 10**_DIGITS), 10**_DIGITS) for v in multipliers])

    def _prove_by_squares(self, exact: list[Fraction]) -> StatedProof | None:
        """Return the proof of multipliers that are nearly these, None if what is left is no sum of squares."""
        inequalities = set(self._signs)
        exact = [max(v, Fraction(0)) if j in inequalities else v for j, v in enumerate(exact)]
        balanced = self._balance(exact)
        if balanced is None or any(balanced[j] < 0 for j in self._signs):
            return None
        total: dict[Any, Fraction] = {key: -c for key, c in self.objective.parts.items()}
        for by, form in zip(balanced, self._forms, strict=True):
            if by:
                for key, c in form.items():
                    total[key] = total.get(key, Fraction(0)) - by * c
        left: list[tuple[Fraction, str, dict[int, Fraction]]] = []
        for block, indices in self._blocks.items():
            matrix = [
                [total.get((block, min(i, j), max(i, j)), Fraction(0)) / (1 if i == j else 2) for j in indices]
                for i in indices
            ]
            terms = squares(matrix)
            if terms is None:
                return None
            left += [(w, block, {k: c for k, c in zip(indices, row, strict=True) if c}) for w, row in terms]
        used = [(by, known) for by, known in zip(balanced, self.known, strict=False) if by]
        of_matrices = self._instances(balanced[len(self.known) :])
        if of_matrices is None:
            return None
        return StatedProof(-total.get(ONE, Fraction(0)), [*used, *of_matrices], left)

    def _instances(self, multipliers: list[Fraction]) -> list[tuple[Fraction, KnownRelation]] | None:
        """Return what the matrices say along the squares of their multipliers, None where these are not squares."""
        found: list[tuple[Fraction, KnownRelation]] = []
        for name, entries in self._semidefinite:
            places, size = _places(len(entries)), len(entries)
            own = dict(zip(places, multipliers, strict=False))
            multipliers = multipliers[len(places) :]
            terms = squares([[own[min(i, j), max(i, j)] for j in range(size)] for i in range(size)])
            if terms is None:
                return None
            for weight, v in terms:
                parts = [v[i] * v[j] * _entry(entries, i, j) for i, j in places]
                found.append((weight, KnownRelation(name, LinearRelation(sum(parts[1:], parts[0])))))
        return found

    def _balance(self, exact: list[Fraction]) -> list[Fraction] | None:
        """Return multipliers under which all function values cancel: the largest of them are changed."""
        rest = [value - sum(row[j] * exact[j] for j in row if exact[j]) for row, value in self._equations]
        if not any(rest):
            return exact
        inequalities = set(self._signs)
        order = sorted(range(len(exact)), key=lambda j: (j in inequalities, -abs(exact[j])))
        spoken = {j for row, _ in self._equations for j in row}
        useful = [j for j in order if j in spoken]
        columns = [[row.get(j, Fraction(0)) for row, _ in self._equations] for j in useful]
        change = combination(columns, [Fraction(value) for value in rest])
        if change is None:
            return None
        found = list(exact)
        for j, c in zip(useful, change, strict=True):
            found[j] += c
        return found


def _places(size: int) -> list[tuple[int, int]]:
    """Return the entries of an upper triangle, column by column."""
    return [(i, j) for j in range(size) for i in range(j + 1)]


def _entry(entries: list[list[Scalar]], i: int, j: int) -> Scalar:
    """Return what multiplies an entry of the multipliers."""
    return entries[i][i] if i == j else entries[i][j] + entries[j][i]


def _independent(matrices: list[Array]) -> Array:
    """Return coordinates that decide a form: the others follow, where directions are in the kernels of all matrices.

    The first coordinates are left out, where any will do: of points that may all be moved together the first one then
    is the origin.
    """
    # Squares of the triangle are sums of squares of what a direction becomes in all matrices.
    triangle: Array = np.asarray(linalg.qr(np.vstack(matrices), mode="r")[0], dtype=np.float64)
    kept = list(range(triangle.shape[1]))
    rank = _rank(triangle)
    for k in range(triangle.shape[1]):
        if len(kept) == rank:
            break
        others = [j for j in kept if j != k]
        if _rank(triangle[:, others]) == rank:
            kept = others
    return np.array(kept, dtype=int)


def _rank(matrix: Array) -> int:
    sizes = linalg.svdvals(matrix) if matrix.size else np.zeros(1)
    return int((sizes > 1e-9 * max(float(sizes[0]), 1e-300)).sum())


def _triangle(matrix: Array) -> Array:
    """Return the upper triangle, column by column, as Clarabel stacks it."""
    columns, rows = np.tril_indices(len(matrix))
    entries: Array = matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    return entries
