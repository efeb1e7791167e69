"""A semidefinite programme: named linear constraints on Gram matrices and values, solved by Clarabel."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import clarabel
import numpy as np
from scipy import sparse

from boundcheck.errors import NotApplicableError
from boundcheck.worst.sides.silence import silence_panics

if TYPE_CHECKING:
    from boundcheck.worst.gram.rows import Array, StackedRows

_ATTEMPTS = ((1e-10, 200), (1e-8, 200), (1e-8, 1000))
"""Relative gap and feasibility asked of the solver, and its most iterations: the next where it fails at one.

It says `AlmostSolved` where it stops before, at 5e-5 at worst; `Solution.primal` and `dual` show where it stopped.
"""
_TINY, _SMALL = 1e-9, 0.05
"""Values between which the programme is solved again with its objective over the value."""
UNBOUNDED = ("DualInfeasible", "AlmostDualInfeasible")
"""Answers that mean that no worst case is finite."""
SOLVED = ("Solved", "AlmostSolved")
"""Answers of the solver whose values mean something."""
_OF_THE_OTHER = {
    "PrimalInfeasible": "DualInfeasible",
    "AlmostPrimalInfeasible": "AlmostDualInfeasible",
    "DualInfeasible": "PrimalInfeasible",
    "AlmostDualInfeasible": "AlmostPrimalInfeasible",
}
"""What the solver says of the multipliers, said of the worst case."""
ANSWERED = (*SOLVED, *UNBOUNDED, *_OF_THE_OTHER)
"""Answers that another tolerance would not change."""


@dataclass(frozen=True)
class Solution:
    """The solver's answer.

    Attributes
    ----------
    primal, dual : float
        Value at the Gram matrices that were found, and at the multipliers.
    status : str
        Clarabel's word: ``Solved``, ``AlmostSolved``, ``DualInfeasible`` (the worst case is infinite), ...
    seconds : float
        Of the solver.
    P, Q, values : Array
        Gram matrices of means and of deviations, and the function values.
    multipliers : dict
        Of every constraint by its name, >= 0 for inequalities.
    residual : float
        By how much either value is of a point that meets its constraints no better, relative to them.
    """

    primal: float
    dual: float
    status: str
    seconds: float
    P: Array
    Q: Array
    values: Array
    multipliers: dict[tuple[Any, ...], float]
    residual: float = 0.0


@dataclass
class Programme:
    """Maximise a row over positive semidefinite P and Q, under named constraints ``row <= limit`` or ``row = limit``.

    Attributes
    ----------
    rows : Stacked
        Makes the rows.
    limits, equalities : dict
        Name to row and limit.
    """

    rows: StackedRows
    limits: dict[tuple[Any, ...], tuple[Array, float]] = field(default_factory=dict)
    equalities: dict[tuple[Any, ...], tuple[Array, float]] = field(default_factory=dict)

    def at_most(self, name: tuple[Any, ...], row: Array, limit: float = 0.0) -> None:
        """Add ``row <= limit``."""
        self.limits[name] = row, limit

    def equal(self, name: tuple[Any, ...], row: Array, value: float = 0.0) -> None:
        """Add ``row = value``, unless it says nothing."""
        if row.any():
            self.equalities[name] = row, value

    def within(self, kind: str, margin: float) -> Programme:
        """Return the programme whose limits of one kind are met with a margin."""
        limits = {
            name: (row, limit - margin if name[0] == kind else limit) for name, (row, limit) in self.limits.items()
        }
        return type(self)(self.rows, limits, self.equalities)

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of both blocks, and the number of constraints."""
        sizes, first = self.rows.sizes, self.rows.of_means
        return {
            "means": sum(sizes[:first]),
            "deviations": sum(sizes[first:]),
            "constraints": len(self.limits) + len(self.equalities),
        }

    def maximise(self, objective: Any, *, roughly: bool = False) -> Solution:
        """Solve it, posed in its multipliers; where the solver has no answer, or `roughly`, in the Gram matrices.

        Posed in the matrices it is right to 1e-6 only, and sooner solved where most conditions hold between all points.
        """
        if roughly and (found := self._over_matrices(objective)).status in ANSWERED:
            return found
        found = self._over_multipliers(objective)
        if found.status in SOLVED and _TINY < found.dual < _SMALL:
            # Clarabel's tolerances are absolute where numbers are below 1.
            sharper = self._over_multipliers(objective, 1.0 / found.dual)
            found = sharper if sharper.status == SOLVED[0] else found
        if found.status in ANSWERED:
            return found
        other = self._over_matrices(objective)
        return other if other.status in ANSWERED else found

    def _over_multipliers(self, objective: Any, scale: float = 0.0) -> Solution:
        """Return the least of the multipliers' costs at which both matrices' forms are squares.

        Rows that speak of few products leave most entries of these forms 0 whatever the multipliers are, and Clarabel
        splits such matrices (chordal sparsity).  Both of its values are then right to about 1e-9, where the same
        programme posed in the Gram matrices stops at 1e-6.
        """
        began = time.perf_counter()
        names, rows, limits = self._constraints()
        target = self._stack([objective])
        scale = scale or 1.0 / (float(abs(target).max()) or 1.0)
        numbers, wanted = rows[:, self._squares :].tocsc(), scale * target[:, self._squares :].toarray().ravel()
        spoken = np.flatnonzero((np.diff(numbers.indptr) > 0) | (wanted != 0.0))
        positive = sparse.eye_array(len(names), format="csr")[len(self.equalities) :]
        matrix = sparse.vstack([numbers[:, spoken].T, -positive, -rows[:, : self._squares].T])
        fixed = -scale * target[:, : self._squares].toarray().ravel()
        right = np.concatenate([wanted[spoken], np.zeros(len(self.limits)), fixed])
        found = run_clarabel(-limits, sparse.csc_matrix(matrix), right, self._cones(len(spoken)))
        duals = np.array(found.z)
        unknowns = np.zeros(self.rows.width)
        unknowns[self._squares + spoken] = -duals[: len(spoken)]
        unknowns[: self._squares] = duals[len(duals) - self._squares :]
        multipliers = dict(zip(names, np.array(found.x) / scale, strict=True))
        values = found.obj_val_dual / scale, found.obj_val / scale
        status = _OF_THE_OTHER.get(str(found.status), str(found.status))
        return self._solution(found, status, values, unknowns, multipliers, time.perf_counter() - began)

    def _over_matrices(self, objective: Any) -> Solution:
        """Return the same, posed in the Gram matrices, which bears limits that are far apart."""
        began = time.perf_counter()
        names, rows, limits = self._constraints()
        blocks = sparse.eye_array(self._squares, self.rows.width, format="csr")
        matrix = sparse.csc_matrix(sparse.vstack([rows, -blocks]))
        target = self._stack([objective]).toarray().ravel()
        right = np.concatenate([limits, np.zeros(self._squares)])
        found = run_clarabel(target, matrix, right, self._cones(len(self.equalities)))
        multipliers = dict(zip(names, found.z, strict=False))
        values = -found.obj_val, -found.obj_val_dual
        seconds = time.perf_counter() - began
        return self._solution(found, str(found.status), values, np.array(found.x), multipliers, seconds)

    def _constraints(self) -> tuple[list[tuple[Any, ...]], Any, Array]:
        """Return the names of all constraints, equalities first, their rows and their limits."""
        named = [*self.equalities.items(), *self.limits.items()]
        limits = np.array([limit for _, (_, limit) in named])
        return [name for name, _ in named], self._stack([row for _, (row, _) in named]), limits

    @property
    def _squares(self) -> int:
        """Return how many unknowns are products."""
        return sum(n * (n + 1) // 2 for n in self.rows.sizes)

    def _stack(self, rows: list[Any]) -> Any:
        """Return rows as a sparse matrix."""
        return sparse.csr_array(np.array(rows).reshape(len(rows), self.rows.width))

    def _cones(self, equations: int) -> list[Any]:
        """Return what the slacks are in: 0, nonnegative numbers, positive semidefinite matrices."""
        numbers = [clarabel.ZeroConeT(equations), clarabel.NonnegativeConeT(len(self.limits))]
        return [*numbers, *(clarabel.PSDTriangleConeT(n) for n in self.rows.sizes if n)]

    def _solution(
        self,
        found: Any,
        status: str,
        values: tuple[float, float],
        unknowns: Array,
        multipliers: dict[tuple[Any, ...], float],
        seconds: float,
    ) -> Solution:
        P, Q, f = self.rows.matrices(unknowns)
        residual = float(max(found.r_prim, found.r_dual))
        return Solution(*values, status, seconds, P, Q, f, multipliers, residual)


def run_clarabel(objective: Array, matrix: Any, limits: Array, cones: list[Any]) -> Any:
    """Return Clarabel's answer, of the first attempt at which it has one.

    Raises
    ------
    NotApplicableError
        If it panics at all of them.
    """
    nothing = sparse.csc_matrix((len(objective), len(objective)))
    failed: list[NotApplicableError] = []
    for attempt in _ATTEMPTS:
        settings = _settings(clarabel, *attempt)
        try:
            found = _answer(clarabel.DefaultSolver(nothing, -objective, matrix, limits, cones, settings))
        except NotApplicableError as error:
            failed.append(error)
            continue
        if str(found.status) in ANSWERED:
            return found
    if len(failed) == len(_ATTEMPTS):
        raise failed[0]
    return found


def _answer(made: Any) -> Any:
    """Return the solver's answer.

    Raises
    ------
    NotApplicableError
        If it panics, as where numbers are far apart.
    """
    try:
        with silence_panics():  # a panic is told in words, and not as a stack of frames
            return made.solve()
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        msg = f"Clarabel gave up: {error}"
        raise NotApplicableError(msg) from error


def _settings(clarabel: Any, tolerance: float, iterations: int) -> Any:
    settings = clarabel.DefaultSettings()
    settings.max_iter = iterations
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_threads = 1
    return settings
