"""Projection on the cone {v : G v >= 0}, for many small problems at once.

The dual of min |v - g|^2 / 2 subject to G v >= 0 is the nonnegative least squares problem min_{u >= 0} |g + G' u|, with
v = g + G' u.  It is solved by the active-set method of Lawson and Hanson, in lock-step over the problems; those that
are finished drop out.  The cone depends on the directions of the rows alone, so rows are normalised and a row of zeros
says nothing.  Every problem is worked on by itself (no product has problems as its rows): its bits do not depend on
the problems beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float64]"

_SLACK = 2e-13
"""A unit row may be violated by this much of |g|: above rounding, so that dependent rows are not taken twice."""
_ENTRIES = 10
"""Entries of rows before a problem is given up, for each row: two suffice in practice, rounding could make a cycle."""


def project(g: Array, rows: Array) -> Array:
    """Return argmin_v |v - g|^2 / 2 subject to rows v >= 0, for g (..., n) and rows (..., p, n)."""
    return projection(g, rows)[0]


def projection(g: Array, rows: Array) -> tuple[Array, Array]:
    """Return the projection v (..., n) and multipliers u >= 0 (..., p) with v = g + rows' u.

    Parameters
    ----------
    g : ndarray of float
        What is projected, (..., n).
    rows : ndarray of float
        Rows of the constraints, (..., p, n).

    Returns
    -------
    v, u : ndarray of float
        v is unique; u is not if the violated rows are dependent.  Where g or a row is not finite v is nan.

    References
    ----------
    [1] Lawson, Hanson, Solving Least Squares Problems, chapter 23.
    [2] Lopez-Paz, Ranzato, arXiv:1706.08840, section 3 (the dual).
    """
    n, p = g.shape[-1], rows.shape[-2]
    flat, constraints = g.reshape(-1, n), rows.reshape(-1, p, n)
    unit_g, length = _normalise_vectors(flat)
    unit, norms = _normalise_vectors(constraints)
    v, w = _nonnegative(unit_g, unit)
    u = w * (length[:, None] / np.where(norms > 0, norms, 1.0))
    return (v * length[:, None]).reshape(g.shape), u.reshape(rows.shape[:-1])


def _normalise_vectors(a: Array) -> tuple[Array, Array]:
    """Return the last axis at length one (zeros stay) and the lengths, without under- or overflow of the squares."""
    largest = np.abs(a).max(axis=-1, keepdims=True)
    scaled = a / np.where(largest > 0, largest, 1.0)
    norm = np.sqrt(np.vecdot(scaled, scaled))[..., None]
    return scaled / np.where(norm > 0, norm, 1.0), (largest * norm)[..., 0]


def _nonnegative(g: Array, rows: Array) -> tuple[Array, Array]:
    """Return g + rows' u and u = argmin_{u >= 0} |g + rows' u|, g (problems, n), unit or zero rows (problems, p, n)."""
    v, u = g + 0.0, np.zeros(rows.shape[:2])
    # Most problems violate no row or one alone, and their factorisation would be most of the work.
    slack = _products(rows, g)
    left = np.flatnonzero(_violates(slack, _SLACK / 2))
    if len(left):
        v[left], u[left], more = _on_worst(g[left], rows[left], slack[left])
        left = left[more]
    if len(left):
        v[left], u[left] = _least(g[left], rows[left])
    return v, u


def _products(rows: Array, v: Array) -> Array:
    """Return rows v of every problem, (problems, p)."""
    products: Array = np.matmul(rows, v[:, :, None])[:, :, 0]
    return products


def _violates(slack: Array, much: float) -> NDArray[np.bool_]:
    """Return the problems that violate a row by this much, and those that are no numbers."""
    violates: NDArray[np.bool_] = ~np.all(slack >= -much, axis=1)
    return violates


def _on_worst(g: Array, rows: Array, slack: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Return what `_nonnegative` does with the most violated row alone, and where that violates another one."""
    place, row = np.arange(len(g)), slack.argmin(axis=1)
    u: Array = np.zeros_like(slack)
    u[place, row] = -slack[place, row]
    v: Array = g + u[place, row, None] * rows[place, row]
    return v, u, _violates(_products(rows, v), _SLACK)


def _least(g: Array, rows: Array) -> tuple[Array, Array]:
    """Return what `_nonnegative` does, from a factorisation of every problem."""
    basis, triangle = np.linalg.qr(np.swapaxes(rows, 1, 2))
    target = np.matmul(np.swapaxes(basis, 1, 2), g[:, :, None])[:, :, 0]
    work = _ActiveSet(triangle, target)
    for _ in range(_ENTRIES * rows.shape[1]):
        work.enter()
        if not len(work.todo):
            break
    # From the residual: g + rows' u would lose the digits of large multipliers.
    return g + np.matmul(basis, (work.residual - target)[:, :, None])[:, :, 0], work.u


class _ActiveSet:
    """Passive rows and multipliers of the problems min_{u >= 0} |target + triangle u|, improved in lock-step."""

    def __init__(self, triangle: Array, target: Array) -> None:
        problems, _, p = triangle.shape
        self._triangle, self._target = triangle, target
        self._passive = np.zeros((problems, p), dtype=bool)
        self.residual = target.copy()
        self.u = np.zeros((problems, p))
        self.todo = np.arange(problems)

    def enter(self) -> None:
        """Let the most violated row of every unfinished problem become passive, and drop the problems without one."""
        todo = self.todo
        slack = np.matmul(self.residual[todo, None, :], self._triangle[todo])[:, 0]
        slack[self._passive[todo]] = 0.0
        row = slack.argmin(axis=1)
        going = slack.min(axis=1, initial=0.0) < -_SLACK
        self.todo = todo = todo[going]
        self._passive[todo, row[going]] = True
        self._settle(todo)

    def _settle(self, todo: NDArray[np.intp]) -> None:
        """Move to the least squares solution on the passive rows, dropping those whose multiplier is not positive."""
        while len(todo):
            u, residual = self._least_squares(todo)
            negative = self._passive[todo] & (u <= 0.0)
            done = ~negative.any(axis=1)
            self.u[todo[done]], self.residual[todo[done]] = u[done], residual[done]
            todo = todo[~done]
            if len(todo):
                self._retreat(todo, u[~done], negative[~done])

    def _retreat(self, todo: NDArray[np.intp], u: Array, negative: NDArray[np.bool_]) -> None:
        """Go from the multipliers towards u until the first reaches zero, and make the rows at zero active."""
        old = self.u[todo]
        ratio = np.where(negative, old / np.where(old > u, old - u, 1.0), np.inf)
        share = ratio.min(axis=1, initial=np.inf, keepdims=True)
        self.u[todo] = np.where(ratio <= share, 0.0, old + share * (u - old))
        self._passive[todo] &= ratio > share

    def _least_squares(self, todo: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return argmin |target + triangle u| over u on the passive rows, and the residual vector there."""
        triangle, target, passive = self._triangle[todo], self._target[todo], self._passive[todo]
        p, r = passive.shape[1], target.shape[1]
        # An active row is replaced by an equation of its own that sets its multiplier to zero: then the columns of
        # every problem are independent and one factorisation serves all passive sets.
        columns = np.zeros((len(todo), r + p, p))
        columns[:, :r] = triangle * passive[:, None, :]
        columns[:, r:] = np.eye(p) * ~passive[:, None, :]
        basis, upper = np.linalg.qr(columns)
        along = np.matmul(np.swapaxes(basis[:, :r], 1, 2), target[:, :, None])
        residual: Array = (target[:, :, None] - np.matmul(basis[:, :r], along))[:, :, 0]
        # One singular problem would stop the whole batch.
        upper += np.eye(p) * (upper == 0.0)
        u: Array = np.where(passive, -np.linalg.solve(upper, along)[:, :, 0], 0.0)
        return u, residual
