"""Linear matrix inequalities in unknown numbers, solved by Clarabel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import clarabel
import numpy as np
from scipy import sparse

from boundcheck.worst.facts.forms import Form
from boundcheck.worst.sides.programme import run_clarabel
from boundcheck.worst.theorems.systems import FIXED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.facts.forms import Key
    from boundcheck.worst.facts.hypotheses import Name
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.theorems.systems import FormSystem, SquaresProblem

Costs = dict[str, dict[str, float]]
"""System to the weight of each constant that its multipliers bring."""
_THIN = 1e-3
"""Share of the largest eigenvalue of a Gram matrix below which no direction counts as thinner."""
_FEW = 1e-2
"""Share of the cost below which no unknown counts as smaller."""


@dataclass(frozen=True)
class Frame:
    """Coordinates in which an answer is near 1: solvers are accurate there, and lose small numbers beside large ones.

    Attributes
    ----------
    bases : tuple of Array
        Of every block: columns along its vectors in the worst case, as long as they are.
    sizes : Array
        Of the unknowns.
    """

    bases: tuple[Array, ...]
    sizes: Array

    def of_multiple(self, scale: float) -> Frame:
        """Return the frame of the same question where what is fixed is multiplied: unknowns grow with it."""
        return Frame(self.bases, scale * self.sizes)


@dataclass(frozen=True)
class ClarabelAnswer:
    """What the solver found.

    Attributes
    ----------
    status : str
        Clarabel's word.
    value : float
        The cost.
    unknowns : dict
        Their values.
    frame : Frame
        What it is near 1 in.
    """

    status: str
    value: float
    unknowns: dict[Name, float]
    frame: Frame


def minimise(conditions: SquaresProblem, costs: Costs, *, margin: float, frame: Frame | None = None) -> ClarabelAnswer:
    """Minimise the constants that are added, over unknowns under which all forms are sums of squares.

    Parameters
    ----------
    conditions : Asked
    costs : dict
        System to the weight of each constant that its multipliers bring.
    margin : float
        Least eigenvalue of every form, so that rounding leaves it a sum of squares.
    frame : Frame, optional
        Of an earlier answer, for coordinates of the solver's.
    """
    names = sorted({name for s in conditions.systems.values() for name in s.parts} - {FIXED}, key=str)
    table = _RowTable(names, frame)
    for name, system in conditions.systems.items():
        table.add(system, costs.get(name, {}), margin)
    signs = [k for k, name in enumerate(names) if name not in conditions.free]
    found = run_clarabel(-table.cost, *table.assemble_arrays(signs))
    values = table.sizes * np.array(found.x)
    unknowns = dict(zip(names, values, strict=True))
    return ClarabelAnswer(str(found.status), float(found.obj_val), unknowns, table.frame_of(values, np.array(found.z)))


@dataclass
class _RowTable:
    """Rows ``sum of coefficients * unknowns``: equations, and triangles of matrices, in units of a frame."""

    names: list[Name]
    frame: Frame | None
    equations: list[tuple[Array, float]] = field(default_factory=list)
    triangles: list[tuple[int, Array, Array]] = field(default_factory=list)
    cost: Array = field(init=False)

    def __post_init__(self) -> None:
        self.cost = np.zeros(len(self.names))
        self.sizes = np.ones(len(self.names)) if self.frame is None else self.frame.sizes
        self._bases: list[Array] = []

    def add(self, system: FormSystem, costs: Mapping[str, float], margin: float) -> None:
        """Add one form: its values vanish, its blocks are positive semidefinite, its constants cost."""
        for key in sorted({key for form in system.parts.values() for key in form if key[0] == "f"}):
            self.equations.append((self._coefficients(system, key), -_number(system, FIXED, key)))
        for letter, weight in costs.items():
            self.cost -= weight * self.sizes * self._coefficients(system, ("1", letter))
        for block in system.blocks:
            if chosen := system.indices(block):
                known = self.frame.bases if self.frame else ()
                basis = known[len(self._bases)] if known else _scale_basis(system, block, chosen)
                self._bases.append(basis)
                stacked = np.array([_triangle_of_block(system, name, block, chosen, basis) for name in self.names])
                fixed = _triangle_of_block(system, FIXED, block, chosen, basis) - margin * _triangle(
                    np.eye(len(chosen))
                )
                self.triangles.append((len(chosen), stacked.T, fixed))

    def frame_of(self, values: Array, duals: Array) -> Frame:
        """Return the frame of an answer: duals of the triangles are products in the worst case, in their bases."""
        found, end = list[Any](), len(duals)
        for (size, _, _), basis in zip(reversed(self.triangles), reversed(self._bases), strict=True):
            start = end - size * (size + 1) // 2
            gram = basis @ _matrix(np.nan_to_num(duals[start:end]), size) @ basis.T
            eigenvalues, axes = np.linalg.eigh(gram)
            found.append(axes * np.sqrt(np.maximum(eigenvalues, _THIN * (eigenvalues[-1] if gram.any() else 1.0))))
            end = start
        least = _FEW * max(float(self.cost @ (values / self.sizes)), np.finfo(float).tiny)
        return Frame(tuple(reversed(found)), np.maximum(np.abs(np.nan_to_num(values)), least))

    def _coefficients(self, system: FormSystem, key: Key) -> Array:
        return np.array([_number(system, name, key) for name in self.names])

    def assemble_arrays(self, signs: list[int]) -> tuple[sparse.csc_matrix, Array, list[Any]]:
        """Return Clarabel's matrix, right-hand side and cones."""
        rows = np.array([row for row, _ in self.equations])
        positive = np.eye(len(self.names))[signs]
        matrix = np.vstack([rows * self.sizes, -positive, *(-stacked * self.sizes for _, stacked, _ in self.triangles)])
        right = [np.array([value for _, value in self.equations]), np.zeros(len(signs))]
        limits = np.concatenate([*right, *(fixed for _, _, fixed in self.triangles)])
        cones = [clarabel.ZeroConeT(len(rows)), clarabel.NonnegativeConeT(len(signs))]
        cones += [clarabel.PSDTriangleConeT(size) for size, _, _ in self.triangles]
        return sparse.csc_matrix(matrix), limits, cones


def _number(system: FormSystem, name: Name, key: Key) -> float:
    return float(system.parts.get(name, Form()).get(key, 0) / system.scale)


def _scale_basis(system: FormSystem, block: str, chosen: list[int]) -> Array:
    """Return a basis in which forms are well scaled: gradients less the first one, over their distance from it.

    Gradients at points that are close to each other differ little, and short steps would be lost in rounding.
    """
    place = {k: i for i, k in enumerate(chosen)}
    basis = np.eye(len(chosen))
    for index, (first, distance) in system.near.items():
        if index in place and distance:
            basis[place[index]] *= distance
            if first in place:
                basis[place[index], place[first]] = 1.0
    return basis


def _triangle_of_block(system: FormSystem, name: Name, block: str, chosen: list[int], basis: Array) -> Array:
    """Return the triangle of a form's block in a basis."""
    place = {k: i for i, k in enumerate(chosen)}
    found = np.zeros((len(chosen), len(chosen)))
    for key, c in system.parts.get(name, Form()).items():
        if key[0] == block:
            i, j = place[int(key[1])], place[int(key[2])]
            found[i, j] += float(c / system.scale) / 2
            found[j, i] += float(c / system.scale) / 2
    return _triangle(basis.T @ found @ basis)


def _matrix(triangle: Array, size: int) -> Array:
    """Return the symmetric matrix of a triangle."""
    columns, rows = np.tril_indices(size)
    found = np.zeros((size, size))
    found[rows, columns] = found[columns, rows] = triangle / np.where(rows == columns, 1.0, np.sqrt(2.0))
    return found


def _triangle(matrix: Array) -> Array:
    """Return the upper triangle, column by column, as Clarabel stacks it."""
    columns, rows = np.tril_indices(len(matrix))
    entries: Array = matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    return entries
