"""Linear matrix inequalities in unknown numbers, solved by Clarabel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from boundcheck.worst.programme import settings, solver
from boundcheck.worst.systems import FIXED

if TYPE_CHECKING:
    from boundcheck.worst.forms import Key
    from boundcheck.worst.hypotheses import Name
    from boundcheck.worst.systems import Conditions, System


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


def indices(system: System, block: str) -> list[int]:
    """Return the basis vectors that a block of a form speaks of."""
    keys = {key for form in system.parts.values() for key in form if key[0] == block}
    return sorted({int(k) for key in keys for k in key[1:]})


def minimise(conditions: Conditions, costs: dict[str, dict[str, float]], *, margin: float) -> Answer:
    """Minimise the constants that are added, over unknowns under which all forms are sums of squares.

    Parameters
    ----------
    conditions : Conditions
    costs : dict
        System to the weight of each constant that its multipliers bring.
    margin : float
        Least eigenvalue of every form, so that rounding leaves it a sum of squares.
    """
    names = sorted({name for s in conditions.systems.values() for name in s.parts} - {FIXED}, key=str)
    table = _Table({name: k for k, name in enumerate(names)})
    for name, system in conditions.systems.items():
        table.add(system, costs.get(name, {}), margin)
    signs = [k for k, name in enumerate(names) if name not in conditions.free]
    clarabel = solver()
    matrix, limits, cones = table.assembled(clarabel, signs)
    nothing = sparse.csc_matrix((len(names), len(names)))
    found = clarabel.DefaultSolver(nothing, table.cost, matrix, limits, cones, settings(clarabel)).solve()
    return Answer(str(found.status), float(found.obj_val), dict(zip(names, found.x, strict=True)))


class _Table:
    """Rows of the programme: equations first, then triangles of matrices."""

    def __init__(self, columns: dict[Name, int]) -> None:
        self._columns = columns
        self.cost = np.zeros(len(columns))
        self._equations = _Rows(columns)
        self._triangles: list[tuple[int, _Rows]] = []

    def add(self, system: System, costs: dict[str, float], margin: float) -> None:
        """Add one form: its values vanish, its blocks are positive semidefinite, its constants cost."""
        values = sorted({key for form in system.parts.values() for key in form if key[0] == "f"})
        self._equations.append(system, [(key, 1.0, 0.0) for key in values])
        for block in ("P", "Q"):
            chosen = indices(system, block)
            rows = _Rows(self._columns)
            entries: list[tuple[Key, float, float]] = []
            for column, j in enumerate(chosen):
                for i in chosen[: column + 1]:
                    entries.append(((block, i, j), 1.0 if i == j else np.sqrt(0.5), margin if i == j else 0.0))
            rows.append(system, entries)
            if chosen:
                self._triangles.append((len(chosen), rows))
        for name, form in system.parts.items():
            for key, c in form.items():
                if key[0] == "1" and name != FIXED:
                    self.cost[self._columns[name]] -= costs[str(key[1])] * float(c)

    def assembled(self, clarabel, signs: list[int]):  # type: ignore[no-untyped-def]
        """Return Clarabel's matrix, right-hand side and cones."""
        n = len(self._columns)
        positive = sparse.csc_matrix((-np.ones(len(signs)), (range(len(signs)), signs)), shape=(len(signs), n))
        equations, right = self._equations.matrix()
        blocks, limits = [equations, positive], [right, np.zeros(len(signs))]
        cones = [clarabel.ZeroConeT(len(right)), clarabel.NonnegativeConeT(len(signs))]
        for size, rows in self._triangles:
            matrix, right = rows.matrix()
            blocks.append(-matrix)
            limits.append(-right)
            cones.append(clarabel.PSDTriangleConeT(size))
        return sparse.csc_matrix(sparse.vstack(blocks)), np.concatenate(limits), cones


class _Rows:
    """Rows that ask ``sum of coefficients * unknowns`` to be a right-hand side."""

    def __init__(self, columns: dict[Name, int]) -> None:
        self._columns = columns
        self._entries: list[tuple[int, int, float]] = []
        self._right: list[float] = []

    def append(self, system: System, keys: list[tuple[Key, float, float]]) -> None:
        """Add a row for each key: its coefficient, times a factor, less a margin."""
        first = len(self._right)
        row = {key: (first + k, factor) for k, (key, factor, _) in enumerate(keys)}
        self._right += [margin for _, _, margin in keys]
        for name, form in system.parts.items():
            for key, c in form.items():
                if key not in row:
                    continue
                k, factor = row[key]
                if name == FIXED:
                    self._right[k] -= factor * float(c)
                else:
                    self._entries.append((k, self._columns[name], factor * float(c)))

    def matrix(self) -> tuple[sparse.csc_matrix, np.ndarray]:
        """Return the matrix and the right-hand side."""
        rows, columns, values = zip(*self._entries, strict=True) if self._entries else ((), (), ())
        shape = (len(self._right), len(self._columns))
        return sparse.csc_matrix((values, (rows, columns)), shape=shape), np.array(self._right)
