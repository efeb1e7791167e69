"""The answer to a stated worst case: a solver's value, and its proof over Q where rounding leaves one.

With multipliers of what is known, constants less the objective have to be a sum of squares.  The solver proposes them;
they are rounded, function values are balanced exactly, and what is left is written as squares.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import clarabel
import numpy as np
from scipy import linalg, sparse

from boundcheck.errors import NotApplicableError
from boundcheck.files.display import shows
from boundcheck.worst.gram.rationals import combination, rounded_up, squares
from boundcheck.worst.proved.certificate import require_kernel
from boundcheck.worst.sides.programme import SOLVED, run_clarabel
from boundcheck.worst.stated.algebra import ONE, Number, Relation
from boundcheck.worst.stated.question import Known, StatedProof
from boundcheck.worst.stated.words import certificate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from boundcheck.worst.stated.question import Question

    Array = NDArray[np.float64]

MARGINS = (1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)
"""Least eigenvalues that are left for rounding, the first that survives it being the best."""
LOOSE = 1e-4
"""By how much a proof may be above the solver's number to take its place."""
_REASONS = {
    "PrimalInfeasible": "nothing bounds it",
    "AlmostPrimalInfeasible": "nothing bounds it",
    "DualInfeasible": "no problem meets what is assumed",
    "AlmostDualInfeasible": "no problem meets what is assumed",
}
"""What the solver's words about multipliers mean."""
_DIGITS = 11
"""Decimals of multipliers."""
_FACES = 3
"""Most times that a programme is posed in fewer dimensions."""
_FINE = 2e-6
"""Relative distance at which a proof is close to the solver's number."""
_ZERO = 1e-6
"""Share of the largest multiplier, or eigenvalue, below which one is 0 inside of the conditions."""
_SHORT, _ROUND = 1000, 1e-4
"""Largest denominator of a coordinate of a kernel, and by how much solvers miss it."""
_LEAST, _NEAR = 1e-9, 0.3
"""Values between them, or above 1/0.3, are far from 1: solvers' tolerances are absolute there."""


@shows("name", "verdict", "upper", "lower")
@dataclass(frozen=True)
class StatedCase:
    """What is known of a stated worst case.

    Attributes
    ----------
    name : str
    upper : float
        What is proved, rounded up; else the solver's number.
    lower : float
        The solver's value at its Gram matrix: a number and no proof.
    verdict : str
        'proved' or 'numerical' (`boundcheck.worst.cases.case.VERDICTS`).
    proved : Fraction or None
    proof : dict or None
        A certificate of kind `linear`.
    status : str
        The solver's word.
    seconds : float
    is_attained : bool
        Whether the conditions are sufficient, so that the value is attained by a function in some dimension.
    sizes : dict
        Sizes of both blocks, number of conditions.
    """

    name: str
    upper: float
    lower: float
    verdict: str
    proved: Fraction | None
    proof: dict[str, Any] | None = field(repr=False)
    status: str
    seconds: float
    is_attained: bool
    sizes: dict[str, int]

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = ("name", "upper", "lower", "verdict", "status", "seconds", "is_attained", "sizes")
        proved = None if self.proved is None else str(self.proved)
        return {**{name: getattr(self, name) for name in names}, "proved": proved}


def answer(question: Question, *, prove: bool) -> StatedCase:
    """Return the largest value of a number over all that is known.

    Raises
    ------
    NotApplicableError
        If nothing bounds it, or the solver found no answer.
    """
    began = time.perf_counter()
    if not question.known and not question.matrices:
        msg = f"worst case of {question.name}: nothing bounds it"
        raise NotApplicableError(msg)
    asked = Multipliers(question.known, question.matrices, question.objective)
    found = asked.solve()
    if found.status not in SOLVED:
        msg = f"worst case of {question.name}: {_REASONS.get(found.status, f'the solver says {found.status}')}"
        raise NotApplicableError(msg)
    proof = asked.prove(found) if prove else None
    upper, proved, shown = found.upper, None, None
    if proof is not None and float(proof.value) <= upper + LOOSE * max(abs(upper), 1e-3):
        with suppress(NotApplicableError):  # what the kernel refuses stays a solver's number
            require_kernel(question.name, written := certificate(question, proof))
            proved, shown = proof.value, written
            upper = rounded_up(proved)
    return StatedCase(
        question.name,
        upper,
        min(found.lower, upper),
        "numerical" if proved is None else "proved",
        proved,
        shown,
        found.status,
        time.perf_counter() - began,
        question.is_attained,
        asked.sizes,
    )


@dataclass(frozen=True)
class Found:
    """The solver's answer: both of its values and the multipliers."""

    status: str
    upper: float
    lower: float
    multipliers: Array


class Multipliers:
    """The programme in multipliers of what is known."""

    def __init__(
        self,
        known: list[Known],
        matrices: list[tuple[str, list[list[Number]]]],
        objective: Number,
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
                images = [_image(block, form, u) for form in self._forms]
                own = _image(block, asked, u)
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

    def solve(self) -> Found:
        """Return the solver's answer; where the value is far from 1, of the objective over it."""
        found = self._solved(0.0, 1.0)
        size = abs(found.upper)
        if (found.status in SOLVED and _LEAST < size < _NEAR) or size > 1 / _NEAR:
            sharper = self._solved(0.0, 1.0 / size)
            if sharper.status == SOLVED[0] or found.status != SOLVED[0]:
                return sharper if sharper.status in SOLVED else found
        return found

    def _solved(self, margin: float, scale: float, *, within: float = 0.0) -> Found:
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
        return Found(str(found.status), values[0], values[1], np.array(found.x) / scale)

    def prove(self, near: Found) -> StatedProof | None:
        """Return a proof near the solver's numbers, or None if rounding leaves none."""
        found, face = self.proved(near), self
        for _ in range(_FACES):
            if found is not None and float(found.value) <= near.upper + _FINE * max(1e-3, abs(near.upper)):
                break
            # Where nothing in the conditions leaves room for margins, they are posed in fewer dimensions.
            smaller = face.face(near)
            if smaller is None:
                break
            face = smaller
            other = face.proved(near)
            if other is not None and (found is None or other.value < found.value):
                found = other
        return found

    def proved(self, near: Found) -> StatedProof | None:
        """Return the best proof of several margins."""
        best: StatedProof | None = None
        size = abs(near.upper)
        scale = 1.0 / size if _LEAST < size < _NEAR or size > 1 / _NEAR else 1.0
        for margin in MARGINS:
            found = self._solved(margin, scale)
            if found.status not in SOLVED:
                continue
            proof = self._rounded(found.multipliers)
            if proof is not None and (best is None or proof.value < best.value):
                best = proof
            if best is not None and float(best.value) <= near.upper + 1e-7 * max(1e-3, abs(near.upper)):
                break
        return best

    def face(self, near: Found) -> Multipliers | None:
        """Return the programme without multipliers that are always 0, and in directions that are not; None if none are.

        References
        ----------
        Borwein, Wolkowicz, "Facial reduction for a cone-convex programming problem" (1981).
        """
        most = 100.0 * (1.0 + float(np.abs(near.multipliers).sum()))
        found = self._solved(0.0, 1.0, within=most)
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
            kernel = _rational_basis(flat.T, [self._blocks[block][k] for k in seen])
            if kernel is None:
                return None
            kernels[block] = [*_without(kernels.get(block, []), kernel), *kernel]
        if len(kept) == len(self.known) and kernels == self._kernels:
            return None
        smaller = Multipliers(kept, self._semidefinite, self.objective, {b: k for b, k in kernels.items() if k})
        return smaller if set(smaller._values) == set(self._values) else None

    def _rounded(self, multipliers: Array) -> StatedProof | None:
        exact = [Fraction(round(v * 10**_DIGITS), 10**_DIGITS) for v in multipliers]
        inequalities = set(self._signs)
        exact = [max(v, Fraction(0)) if j in inequalities else v for j, v in enumerate(exact)]
        balanced = self._balanced(exact)
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

    def _instances(self, multipliers: list[Fraction]) -> list[tuple[Fraction, Known]] | None:
        """Return what the matrices say along the squares of their multipliers, None where these are not squares."""
        found: list[tuple[Fraction, Known]] = []
        for name, entries in self._semidefinite:
            places, size = _places(len(entries)), len(entries)
            own = dict(zip(places, multipliers, strict=False))
            multipliers = multipliers[len(places) :]
            terms = squares([[own[min(i, j), max(i, j)] for j in range(size)] for i in range(size)])
            if terms is None:
                return None
            for weight, v in terms:
                parts = [v[i] * v[j] * _entry(entries, i, j) for i, j in places]
                found.append((weight, Known(name, Relation(sum(parts[1:], parts[0])))))
        return found

    def _balanced(self, exact: list[Fraction]) -> list[Fraction] | None:
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


def _image(block: str, form: Mapping[Any, Fraction], u: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return what a block of a form makes of a vector."""
    found: dict[int, Fraction] = {}
    for key, c in form.items():
        if key[0] == block:
            i, j = int(key[1]), int(key[2])
            for row, column in ((i, j), (j, i)):
                if column in u:
                    found[row] = found.get(row, Fraction(0)) + c / 2 * u[column]
    return {i: c for i, c in found.items() if c}


def _rational_basis(rows: Array, indices: list[int]) -> list[dict[int, Fraction]] | None:
    """Return rows in reduced form over short fractions, the leading index first; None where they are not short."""
    table = np.array(rows, dtype=float)
    found: list[int] = []
    for k in range(len(table)):
        pivot = int(np.argmax(np.abs(table[k:]).max(axis=0)))
        best = k + int(np.argmax(np.abs(table[k:, pivot])))
        table[[k, best]] = table[[best, k]]
        table[k] /= table[k, pivot]
        for i in range(len(table)):
            if i != k:
                table[i] -= table[i, pivot] * table[k]
        found.append(pivot)
    basis = []
    for pivot, row in zip(found, table, strict=True):
        exact = [Fraction(float(v)).limit_denominator(_SHORT) for v in row]
        if any(abs(float(c) - v) > _ROUND for c, v in zip(exact, row, strict=True)):
            return None
        basis.append({indices[pivot]: Fraction(1)} | {indices[i]: c for i, c in enumerate(exact) if c and i != pivot})
    return basis


def _without(vectors: list[dict[int, Fraction]], others: list[dict[int, Fraction]]) -> list[dict[int, Fraction]]:
    """Return vectors less multiples of others, so that the leading indices of these have coordinate 0."""
    found = []
    for vector in vectors:
        left = dict(vector)
        for other in others:
            by = left.get(next(iter(other)), Fraction(0))
            for k, c in other.items():
                left[k] = left.get(k, Fraction(0)) - by * c
        found.append({k: c for k, c in left.items() if c})
    return found


def _places(size: int) -> list[tuple[int, int]]:
    """Return the entries of an upper triangle, column by column."""
    return [(i, j) for j in range(size) for i in range(j + 1)]


def _entry(entries: list[list[Number]], i: int, j: int) -> Number:
    """Return what multiplies an entry of the multipliers."""
    return entries[i][i] if i == j else entries[i][j] + entries[j][i]


def _independent(matrices: list[Array]) -> Array:
    """Return coordinates that decide a form: the others follow, where directions are in the kernels of all matrices."""
    stacked = np.vstack(matrices)
    triangle, order = linalg.qr(stacked, mode="r", pivoting=True)
    sizes = np.abs(np.diag(triangle))
    rank = int((sizes > 1e-9 * max(sizes[0], 1e-300)).sum())
    found: Array = np.sort(order[:rank])
    return found


def _triangle(matrix: Array) -> Array:
    """Return the upper triangle, column by column, as Clarabel stacks it."""
    columns, rows = np.tril_indices(len(matrix))
    entries: Array = matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    return entries
