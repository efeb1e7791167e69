"""Ways to make clients differ by an amount zeta that is met exactly while the average function stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from boundcheck.problems.base import Array


def tilts(N: int, d: int, zeta: float) -> Array:
    """Return vectors a_1..a_N (N, d) that sum to zero with mean_i |a_i|^2 = zeta^2.

    The vectors go round an ellipse: coordinate c of client i is proportional to cos(2 pi i / N + c).
    """
    require(zeta >= 0, "zeta", zeta, "a number >= 0")
    require(zeta == 0 or N >= 2, "zeta", zeta, "0 when N = 1: a single client cannot differ from the average")
    if zeta == 0:
        return np.zeros((N, d))
    a: Array = np.cos(2 * np.pi * np.arange(N)[:, None] / N + np.arange(d)[None, :])
    a -= a.mean(axis=0)
    a *= zeta / np.sqrt((a * a).sum(axis=1).mean())
    return a


def phases(N: int, d: int, zeta: float) -> tuple[float, Array]:
    """Return (lam, angles): the waves lam cos(x_c + angle_i) average to zero and have heterogeneity zeta.

    For N >= 3 equally spaced angles mean_i |lam sin(x + angle_i)|^2 = d lam^2 / 2 at every x; for N = 2 the
    supremum over x is d lam^2.
    """
    require(zeta >= 0, "zeta", zeta, "a number >= 0")
    require(zeta == 0 or N >= 2, "zeta", zeta, "0 when N = 1: a single client cannot differ from the average")
    lam = 0.0 if zeta == 0 else zeta / np.sqrt(d / 2 if N >= 3 else d)
    return float(lam), 2 * np.pi * np.arange(N) / N


def largest_pair(vectors: Array) -> float:
    """Return max_ij |v_i - v_j| of the rows of `vectors`."""
    gaps = vectors[:, None, :] - vectors[None, :, :]
    return float(np.sqrt((gaps * gaps).sum(axis=-1).max()))
