"""A semidefinite programme: named linear constraints on Gram matrices and values, solved by Clarabel."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from boundcheck.worst.gram.rows import Array, StackedRows

_ATTEMPTS = ((1e-10, 200), (1e-8, 200), (1e-8, 1000))
"""Relative gap and feasibility asked of the solver, and its most iterations: the next where it fails at one.

It says `AlmostSolved` where it stops before, at 5e-5 at worst; `Solution.primal` and `dual` show where it stopped.
"""
UNBOUNDED = ("DualInfeasible", "AlmostDualInfeasible")
"""Answers that mean that no worst case is finite."""
SOLVED = ("Solved", "AlmostSolved")
"""Answers of the solver whose values mean something."""
ANSWERED = (*SOLVED, *UNBOUNDED)
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
        return Programme(self.rows, limits, self.equalities)

    @property
    def sizes(self) -> dict[str, int]:
        """Return the sizes of both blocks, and the number of constraints."""
        sizes, first = self.rows.sizes, self.rows.of_means
        return {
            "means": sum(sizes[:first]),
            "deviations": sum(sizes[first:]),
            "constraints": len(self.limits) + len(self.equalities),
        }

    def maximise(self, objective: Array) -> Solution:
        """Solve it.

        Raises
        ------
        NotApplicableError
            If Clarabel is not installed.
        """
        began = time.perf_counter()
        named = [*self.equalities.items(), *self.limits.items()]
        matrix, limits = self._stack_constraints([constraint for _, constraint in named])
        found = run_clarabel(objective, matrix, limits, self._cones())
        multipliers = {name: value for (name, _), value in zip(named, found.z, strict=False)}
        P, Q, values = self.rows.matrices(np.array(found.x))
        seconds = time.perf_counter() - began
        residual = float(max(found.r_prim, found.r_dual))
        status = str(found.status)
        return Solution(-found.obj_val, -found.obj_val_dual, status, seconds, P, Q, values, multipliers, residual)

    def _stack_constraints(self, constraints: list[tuple[Array, float]]) -> tuple[Any, Array]:
        """Return all constraints as ``matrix @ unknowns + slack = limits``: the named ones, then both blocks."""
        named = sparse.csr_array(np.array([row for row, _ in constraints]))
        squares = sum(n * (n + 1) // 2 for n in self.rows.sizes)
        blocks = sparse.eye_array(squares, self.rows.width, format="csr")
        limits = np.concatenate([[limit for _, limit in constraints], np.zeros(squares)])
        return sparse.csc_matrix(sparse.vstack([named, -blocks])), limits

    def _cones(self) -> list[Any]:
        """Return what the slacks are in: 0, nonnegative numbers, positive semidefinite matrices."""
        clarabel = solver()
        numbers = [clarabel.ZeroConeT(len(self.equalities)), clarabel.NonnegativeConeT(len(self.limits))]
        return [*numbers, *(clarabel.PSDTriangleConeT(n) for n in self.rows.sizes if n)]


def run_clarabel(objective: Array, matrix: Any, limits: Array, cones: list[Any]) -> Any:
    """Return Clarabel's answer, of the first attempt at which it has one.

    Raises
    ------
    NotApplicableError
        If it panics at all of them.
    """
    clarabel = solver()
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
        return made.solve()
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        msg = f"Clarabel gave up: {error}"
        raise NotApplicableError(msg) from error


def solver() -> Any:
    """Return the module Clarabel, or say how to get it."""
    try:
        import clarabel
    except ModuleNotFoundError as error:
        msg = "worst cases need Clarabel: pip install 'boundcheck[worst]'"
        raise NotApplicableError(msg) from error
    return clarabel


def _settings(clarabel: Any, tolerance: float, iterations: int) -> Any:
    settings = clarabel.DefaultSettings()
    settings.max_iter = iterations
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    settings.max_threads = 1
    return settings
