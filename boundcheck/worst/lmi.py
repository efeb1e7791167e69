"""Linear matrix inequalities in unknown numbers, solved by Clarabel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from boundcheck.worst.forms import Form
from boundcheck.worst.programme import solved, solver
from boundcheck.worst.systems import FIXED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.worst.forms import Key
    from boundcheck.worst.hypotheses import Name
    from boundcheck.worst.rows import Array
    from boundcheck.worst.systems import Asked, System

Costs = dict[str, dict[str, float]]
"""System to the weight of each constant that its multipliers bring."""


@dataclass(frozen=True)
class Answer:
    """What the solver found.

    Attributes
    ----------
    status : str
        Clarabel's word.
    value : float
        The cost.
    unknowns : dict
        Their values.
    """

    status: str
    value: float
    unknowns: dict[Name, float]


def minimise(conditions: Asked, costs: Costs, *, margin: float) -> Answer:
    """Minimise the constants that are added, over unknowns under which all forms are sums of squares.

    Parameters
    ----------
    conditions : Asked
    costs : dict
        System to the weight of each constant that its multipliers bring.
    margin : float
        Least eigenvalue of every form, so that rounding leaves it a sum of squares.
    """
    names = sorted({name for s in conditions.systems.values() for name in s.parts} - {FIXED}, key=str)
    table = _Table(names)
    for name, system in conditions.systems.items():
        table.add(system, costs.get(name, {}), margin)
    signs = [k for k, name in enumerate(names) if name not in conditions.free]
    found = solved(-table.cost, *table.assembled(signs))
    return Answer(str(found.status), float(found.obj_val), dict(zip(names, found.x, strict=True)))


@dataclass
class _Table:
    """Rows ``sum of coefficients * unknowns``: equations, and triangles of matrices."""

    names: list[Name]
    equations: list[tuple[Array, float]] = field(default_factory=list)
    triangles: list[tuple[int, Array, Array]] = field(default_factory=list)
    cost: Array = field(init=False)

    def __post_init__(self) -> None:
        self.cost = np.zeros(len(self.names))

    def add(self, system: System, costs: Mapping[str, float], margin: float) -> None:
        """Add one form: its values vanish, its blocks are positive semidefinite, its constants cost."""
        for key in sorted({key for form in system.parts.values() for key in form if key[0] == "f"}):
            self.equations.append((self._coefficients(system, key), -_number(system, FIXED, key)))
        for letter, weight in costs.items():
            self.cost -= weight * self._coefficients(system, ("1", letter))
        for block in system.blocks:
            if chosen := system.indices(block):
                basis = _scaled(system, block, chosen)
                stacked = np.array([_stacked(system, name, block, chosen, basis) for name in self.names])
                fixed = _stacked(system, FIXED, block, chosen, basis) - margin * _triangle(np.eye(len(chosen)))
                self.triangles.append((len(chosen), stacked.T, fixed))

    def _coefficients(self, system: System, key: Key) -> Array:
        return np.array([_number(system, name, key) for name in self.names])

    def assembled(self, signs: list[int]) -> tuple[sparse.csc_matrix, Array, list[Any]]:
        """Return Clarabel's matrix, right-hand side and cones."""
        clarabel = solver()
        rows = np.array([row for row, _ in self.equations])
        positive = np.eye(len(self.names))[signs]
        matrix = np.vstack([rows, -positive, *(-stacked for _, stacked, _ in self.triangles)])
        right = [np.array([value for _, value in self.equations]), np.zeros(len(signs))]
        limits = np.concatenate([*right, *(fixed for _, _, fixed in self.triangles)])
        cones = [clarabel.ZeroConeT(len(rows)), clarabel.NonnegativeConeT(len(signs))]
        cones += [clarabel.PSDTriangleConeT(size) for size, _, _ in self.triangles]
        return sparse.csc_matrix(matrix), limits, cones


def _number(system: System, name: Name, key: Key) -> float:
    return float(system.parts.get(name, Form()).get(key, 0) / system.scale)


def _scaled(system: System, block: str, chosen: list[int]) -> Array:
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


def _stacked(system: System, name: Name, block: str, chosen: list[int], basis: Array) -> Array:
    """Return the triangle of a form's block in a basis."""
    place = {k: i for i, k in enumerate(chosen)}
    found = np.zeros((len(chosen), len(chosen)))
    for key, c in system.parts.get(name, Form()).items():
        if key[0] == block:
            i, j = place[int(key[1])], place[int(key[2])]
            found[i, j] += float(c / system.scale) / 2
            found[j, i] += float(c / system.scale) / 2
    return _triangle(basis.T @ found @ basis)


def _triangle(matrix: Array) -> Array:
    """Return the upper triangle, column by column, as Clarabel stacks it."""
    columns, rows = np.tril_indices(len(matrix))
    entries: Array = matrix[rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0))
    return entries
