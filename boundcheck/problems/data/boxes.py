"""Proved upper bounds of convex quadratics over the unit box, by a concave relaxation that meets them at vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array


def box_bound(product: Callable[[Array], Array], diagonal: Array) -> float:
    """Return an upper bound of max s^T Q s over s in [0, 1]^n for positive semidefinite Q.

    A convex quadratic is largest at a vertex, where s_n^2 = s_n; hence it is at most the maximum over the box of
    g(s) = s^T (Q - diag(r)) s + <r, s>, which is concave when diag(r) - Q is positive semidefinite.  A concave
    function lies below each of its tangents, and a tangent is maximised over the box coordinate by coordinate: the
    value returned is proved whatever the optimiser did.

    Parameters
    ----------
    product : callable
        Returns Q s for s of shape (n,).
    diagonal : Array
        r of shape (n,), with diag(r) - Q positive semidefinite.

    Returns
    -------
    float
        At least the maximum.
    """
    from scipy.optimize import minimize

    def negative(s: Array) -> tuple[float, Array]:
        image = product(s)
        return -float(s @ image + diagonal @ (s - s * s)), -(2 * image + diagonal * (1 - 2 * s))

    bounds = [(0.0, 1.0)] * len(diagonal)
    found = minimize(negative, np.full(len(diagonal), 0.5), jac=True, method="L-BFGS-B", bounds=bounds)
    s = np.clip(found.x, 0.0, 1.0)
    value, slope = negative(s)
    return -value + float(np.maximum(-slope * (1 - s), slope * s).sum())


def tight_diagonal(rows: Array, iterations: int = 60) -> Array:
    """Return r (n,) of a small sum with diag(r) - rows rows^T positive semidefinite, for rows (n, d).

    The condition is that M = sum_n z_n z_n^T / r_n has no eigenvalue above 1.  Where sum_n r_n is least,
    r_n^2 = z_n^T Y z_n for a multiplier Y with Y M = Y; the iteration Y <- Y^(1/2) M Y^(1/2) looks for it, and each
    candidate is scaled until it satisfies the condition, so what is returned is proved whether it converged or not.
    """
    used = (rows * rows).sum(axis=1) > 0
    found, Z = np.zeros(len(rows)), rows[used]
    best = np.full(len(Z), np.linalg.norm(Z, 2) ** 2)
    root = np.eye(rows.shape[1])
    for _ in range(iterations):
        r = np.linalg.norm(Z @ root, axis=1) + 1e-12 * np.linalg.norm(Z, axis=1)
        M = (Z / r[:, None]).T @ Z
        r = r * (float(np.linalg.eigvalsh(M)[-1]) * (1 + 1e-12))
        best = r if r.sum() < best.sum() else best
        values, vectors = np.linalg.eigh(root @ M @ root)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    found[used] = best
    return found
