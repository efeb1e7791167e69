"""Multipliers of given inequalities between forms, or vectors that meet them and not the bound: one linear programme.

``bound(v) >= 0`` follows from ``given_j(v) >= 0`` on every list of vectors exactly if some lambda >= 0 makes
``bound - sum_j lambda_j given_j`` positive semidefinite (up to closure).  The least largest eigenvalue of its negative
is found by cutting planes, one eigenvector each; their weights in the linear programme are vectors on which the bound
fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_CUTS = 200
_CLOSE = 1e-10
_ZERO = 1e-7
"""Eigenvalues of matrices of norm 1 below which a form counts as semidefinite."""
_LARGEST = 1e4
"""Largest multiplier that is looked for, of forms of norm 1."""
_MARGIN = 0.1
"""Share of a violation that is given up so that what is given holds with room."""


class PointDecision(NamedTuple):
    """What decides a bound at one point of the parameters: multipliers that serve, or vectors that violate it."""

    multipliers: Array | None
    """(given,)."""
    vectors: Array | None
    """Coordinates (dimension, vectors)."""


def find_multipliers(bound: Array, given: Sequence[Array]) -> PointDecision:
    """Return multipliers that prove ``bound >= 0`` from ``given >= 0``, or vectors; neither where this is too close.

    Parameters
    ----------
    bound : array
        Symmetric matrix of the form that is to be nonnegative.
    given : sequence of array
        Symmetric matrices of the forms that are known to be.
    """
    scale = [float(np.linalg.norm(form)) or 1.0 for form in (bound, *given)]
    against, known = -bound / scale[0], [form / size for form, size in zip(given, scale[1:], strict=True)]
    least, weights, cuts, shares = _least(against, known)
    if least <= _ZERO:
        return PointDecision(weights * scale[0] / np.array(scale[1:]), None)
    room = [form - _MARGIN * least * np.eye(len(form)) for form in known]
    least, _, cuts, shares = _least(against, room)
    if least <= _ZERO:
        return PointDecision(None, None)
    kept = shares > _CLOSE
    return PointDecision(None, np.sqrt(shares[kept])[:, None] * cuts[kept])


def _least(against: Array, known: list[Array]) -> tuple[float, Array, Array, Array]:
    """Return the least largest eigenvalue of ``against + sum lambda known``, lambda, the cuts and their weights."""
    from scipy.optimize import linprog

    cuts = [np.linalg.eigh(against)[1][:, -1]]
    for _ in range(_CUTS):
        rows = np.array([[v @ form @ v for form in known] for v in cuts])
        found = linprog(
            [*(0.0 for _ in known), 1.0],
            A_ub=np.hstack([rows, -np.ones((len(cuts), 1))]),
            b_ub=[-float(v @ against @ v) for v in cuts],
            bounds=[*((0.0, _LARGEST) for _ in known), (None, None)],
        )
        # Multipliers are bounded and the level is free: there always is a solution.
        assert found.x is not None
        weights = found.x[:-1]
        values, directions = np.linalg.eigh(against + sum(w * form for w, form in zip(weights, known, strict=True)))
        if values[-1] - found.x[-1] <= _CLOSE:
            break
        cuts.append(directions[:, -1])
    return float(values[-1]), weights, np.array(cuts[: len(rows)]), -np.asarray(found.ineqlin.marginals)
