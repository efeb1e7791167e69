"""The exact maximum of a convex quadratic over a ball."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array


def ball_maximum(Q: Array, q: Array, radius: float) -> tuple[float, Array]:
    """Return the maximum of z^T Q z + 2 <q, z> over |z| <= radius for positive semidefinite Q, and a maximiser.

    The maximum lies on the sphere.  z = (lam I - Q)^(-1) q with lam >= the largest eigenvalue and |z| = radius is a
    global maximiser; |z| decreases in lam, so bisection finds lam.  If even the largest eigenvalue gives |z| < radius
    (q has no part along its eigenvector), that eigenvector makes up the length at no loss.
    """
    eigenvalues, basis = np.linalg.eigh(Q)
    pull = basis.T @ q
    top = float(eigenvalues[-1])
    below, above = top, top + float(np.linalg.norm(q)) / radius
    for _ in range(200):
        middle = (below + above) / 2
        if middle in (below, above):
            break
        longer = np.linalg.norm(pull / np.maximum(middle - eigenvalues, 1e-300)) > radius
        below, above = (middle, above) if longer else (below, middle)
    gaps = above - eigenvalues
    z = np.divide(pull, gaps, out=np.zeros_like(pull), where=gaps > 1e-14 * max(abs(top), 1e-300))
    missing = radius**2 - float(z @ z)
    if missing > 0:
        z[-1] = np.copysign(np.sqrt(z[-1] ** 2 + missing), z[-1])
    best = basis @ z
    best *= radius / max(float(np.linalg.norm(best)), 1e-300)
    return float(best @ Q @ best + 2 * q @ best), best
