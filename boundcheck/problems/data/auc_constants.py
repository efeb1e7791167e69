"""Constants of AUC maximisation: exact for linear scores (row gradients are affine), proved with a hidden layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.data.ball import ball_maximum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.data.auc_data import AucRows
    from boundcheck.problems.data.scorers import HiddenLayer
    from boundcheck.problems.types import Array


def linear_constants(
    table: AucRows, matrices: Sequence[Array], offsets: Sequence[Array], radius: float
) -> dict[str, Constant]:
    """Return the constants of a linear score; only sigma and zeta_pair depend on the radius.

    Parameters
    ----------
    table : AucRows
        The rows of all clients.
    matrices, offsets : sequence of Array
        For every client H (rows, d, d) and c (rows, d): its row gradients are H z + c.
    radius : float
        Of the ball on which the constants hold.
    """
    sigma = max((_spread(H, c, radius) for H, c in zip(matrices, offsets, strict=True)), key=lambda found: found[0])
    H, c = _means(matrices), _means(offsets)
    block = _largest_block(table)
    return {
        **_curvatures(table.mu, H.shape[-1], block, block.reason),
        "sigma": exact(sigma[0], f"row gradients are affine; largest variance for |z| <= {radius:g}", sigma[1]),
        "zeta_pair": _pairs(H, c, radius),
    }


def quadratic_envelope(matrices: Sequence[Array], offsets: Sequence[Array], mu: float) -> tuple[float, Array]:
    """Return the largest curvature of a quadratic Phi, and its minimiser: complete the square in w, then solve."""
    H, c = _means(matrices).mean(axis=0), _means(offsets).mean(axis=0)
    k = len(c) - 1
    curvature = H[:k, :k] + np.outer(H[:k, k], H[k, :k]) / mu
    slope = c[:k] + H[:k, k] * c[k] / mu
    best, *_ = np.linalg.lstsq(curvature, -slope, rcond=1e-12)
    return float(np.linalg.eigvalsh((curvature + curvature.T) / 2)[-1]), np.append(best, 0.0)


def _means(each: Sequence[Array]) -> Array:
    return np.stack([rows.mean(axis=0) for rows in each])


def _curvatures(mu: float, d: int, block: Constant, why: str) -> dict[str, Constant]:
    """Return L_block, mu and kappa."""
    return {
        "L_block": block,
        "mu": exact(mu, "2 p (1-p): every row has this curvature in w", np.zeros(d)),
        "kappa": Constant(block.value / mu, block.kind, f"L_block / mu; {why}"),
    }


def ball_constants(table: AucRows, scorer: HiddenLayer, R: float) -> dict[str, Constant]:
    """Return the constants of a hidden layer on the ball, from suprema of |h|, |grad h| and |Hess h| for every row.

    With q = 2 (1-p) for positive rows and 2 p for negative ones, and |h - a - 1 - w| <= |h| + 1 + sqrt(2) R: a row has
    L_11 <= q (|grad h|^2 + 1 + (|h| + 1 + sqrt(2) R) |Hess h|), L_12 <= q |grad h| and L_22 = mu.  The part -mu w of
    its gradient is the same for all rows; the rest has square q^2 ((|h| + 1 + sqrt(2) R)^2 |grad h|^2 + (|h| + R)^2 +
    |h|^2) at most, which bounds variances, and differences of clients by twice its root.
    """
    reach = scorer.reach(R, np.sqrt((table.rows**2).sum(axis=-1)))
    q = 2 * np.where(table.positive > 0, 1 - table.p, table.p) * (table.weights > 0)
    miss = reach.score + 1 + np.sqrt(2) * R
    curved = (q * (reach.gradient**2 + 1 + miss * reach.hessian)).max()
    block = max(float(curved), float((q * reach.gradient).max()), table.mu)
    squares = q**2 * ((miss * reach.gradient) ** 2 + (reach.score + R) ** 2 + reach.score**2)
    largest = float(np.sqrt((table.weights * squares).sum(axis=1).max()))
    why = f"products of suprema for |z| <= {R:g}"
    loose = f"{why}: loose by a factor of five, or of hundreds with long rows"
    return {
        **_curvatures(table.mu, scorer.size + 3, upper(block, loose), why),
        "sigma": upper(largest, f"second moment, {why}: loose by a factor of ten or more"),
        "zeta_pair": _apart(table, 2 * largest, why),
    }


def _apart(table: AucRows, bound: float, why: str) -> Constant:
    if len(table.rows) == 1:
        return exact(0.0, "a single client")
    if not np.ptp(table.rows, axis=0).any() and not np.ptp(table.positive, axis=0).any():
        return exact(0.0, "all clients hold the same rows")
    return upper(bound, f"twice the largest client gradient, {why}: loose by a factor of ten or more")


def _spread(H: Array, c: Array, radius: float) -> tuple[float, Array]:
    """Return the largest standard deviation of the rows H z + c over the ball, and where."""
    A = (H - H.mean(axis=0)).reshape(-1, H.shape[-1])
    shift = (c - c.mean(axis=0)).ravel()
    value, z = ball_maximum(A.T @ A / len(H), A.T @ shift / len(H), radius)
    return float(np.sqrt(max(value + shift @ shift / len(H), 0.0))), z


def _pairs(H: Array, c: Array, radius: float) -> Constant:
    """Return the largest distance of two client gradients over the ball."""
    best, at = 0.0, np.zeros(H.shape[-1])
    for i in range(len(H)):
        for j in range(i):
            A, shift = H[i] - H[j], c[i] - c[j]
            value, z = ball_maximum(A.T @ A, A.T @ shift, radius)
            gap = float(np.sqrt(max(value + shift @ shift, 0.0)))
            best, at = (gap, z) if gap > best else (best, at)
    return exact(best, f"client gradients are affine; most distant pair for |z| <= {radius:g}", at)


def _largest_block(table: AucRows) -> Constant:
    """Return the largest of 2 (1-p) (|x|^2 + 1) over positive rows, 2 p (|x|^2 + 1) over negative ones, and mu."""
    squares = (table.rows**2).sum(axis=-1) + 1
    shares = np.where(table.positive > 0, 1 - table.p, table.p) * (table.weights > 0)
    largest = float((2 * shares * squares).max())
    return exact(max(largest, table.mu), "curvature 2 (1-p) (|x|^2 + 1) of the longest row, the same at every point")
