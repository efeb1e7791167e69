"""The links of the chain F and their slopes, and how steep the whole chain can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from boundcheck.problems.types import Array

PSI_TOP = float(np.e)
"""sup Psi."""
PHI_TOP = float(np.sqrt(2 * np.pi * np.e))
"""sup Phi."""
PHI_STEEPEST = float(np.sqrt(np.e))
"""sup Phi'."""
_PSI_STEEPEST_AT = (1 + float(np.sqrt(2 / 3))) / 2
_EDGES = np.concatenate([[-np.inf], np.linspace(-4.0, 4.0, 161), [np.inf]])
"""Cells of one coordinate, over each of which the slopes of its links are bounded."""


def links(z: Array) -> tuple[Array, Array]:
    """Return the two parts of grad F: of the link that ends at each coordinate, and of the one that starts there."""
    before = np.concatenate([np.ones_like(z[..., :1]), z[..., :-1]], axis=-1)
    onward = np.zeros_like(z)
    onward[..., :-1] = onward_slope(z[..., :-1], z[..., 1:])
    return reach(before) * end_slope(z), onward


def reach(before: Array) -> Array:
    """Return Psi(z) + Psi(-z) of the coordinate before, which scales the slope of a link; 1 before the first."""
    return psi(before) + psi(-before)


def end_slope(z: Array) -> Array:
    """Return the slope of a link in the coordinate where it ends, unless `reach` of the one before scales it."""
    return -phi_slope(z)


def onward_slope(z: Array, after: Array) -> Array:
    """Return the slope of a link in the coordinate where it starts, given the one where it ends."""
    return -(psi_slope(-z) * phi(-after) + psi_slope(z) * phi(after))


def psi(z: Array) -> Array:
    """Return Psi: exp(1 - 1/(2z-1)^2) beyond 1/2, 0 below."""
    beyond = 2 * z - 1
    # Below 1e-2 the exponential underflows to 0 anyway; the division must not overflow.
    safe = np.maximum(beyond, 1e-2)
    return np.where(beyond > 1e-2, np.exp(1 - 1 / (safe * safe)), 0.0)


def psi_slope(z: Array) -> Array:
    """Return Psi'."""
    safe = np.maximum(2 * z - 1, 1e-2)
    slopes: Array = psi(z) * 4 / safe**3
    return slopes


def phi(z: Array) -> Array:
    """Return Phi: sqrt(e) times the integral of exp(-t^2/2) up to z."""
    return PHI_TOP * ndtr(z)


def phi_slope(z: Array) -> Array:
    """Return Phi'."""
    return PHI_STEEPEST * np.exp(-0.5 * z * z)


def cell_slopes() -> tuple[Array, Array, Array]:
    """Return the largest slopes over cells of coordinates.

    Returns
    -------
    scaled : (cells,) array
        Of `reach` in the coordinate before.
    ends : (cells,) array
        Of |`end_slope`|.
    onward : (cells, cells) array
        Of |`onward_slope`| in a coordinate (first axis) and the one after it.
    """
    left, right = _EDGES[:-1], _EDGES[1:]
    scaled = np.maximum(reach(left), reach(right))
    ends = np.abs(end_slope(np.clip(0.0, left, right)))
    peaks = [np.clip(sign * _PSI_STEEPEST_AT, left, right) for sign in (-1.0, 1.0)]
    # A cell lies on one side of 0, where one of the two products is 0 and the other one monotone in what comes after.
    onward = np.max(
        [-onward_slope(z[:, None], after) for z in (left, right, *peaks) for after in (left, right)], axis=0
    )
    return scaled, ends, onward


def steepest_square(d: int) -> float:
    """Return a proved bound of sup |grad F|^2 for d links, loose by a few percent.

    Coordinate c of grad F depends on x_(c-1), x_c and x_(c+1), and all its parts have one sign.  So the square is at
    most a sum of terms that are bounded over cells, and dynamic programming along the chain finds the worst cells.
    """
    scaled, ends, onward = cell_slopes()
    best = np.zeros(onward.shape)
    for c in range(d):
        end = (scaled[:, None, None] if c else 1.0) * ends[None, :, None]
        square = (end + (onward if c < d - 1 else 0.0)) ** 2
        best = (best[:, :, None] + square).max(axis=0)
    return float(best.max())
