"""Constants of AUC maximisation: exact for linear scores (row gradients are affine), proved with a hidden layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.data.ball import ball_maximum

if TYPE_CHECKING:
    from boundcheck.problems.base import Array
    from boundcheck.problems.data.auc import Auc
    from boundcheck.problems.data.scorers import Hidden


def linear_constants(problem: Auc) -> dict[str, Constant]:
    """Return the constants of a linear score; only sigma and zeta_pair depend on the radius."""
    matrices, offsets = _affine(problem)
    radius = problem.radius or 0.0
    sigma = max((_spread(H, c, radius) for H, c in zip(matrices, offsets, strict=True)), key=lambda found: found[0])
    H = np.stack([each.mean(axis=0) for each in matrices])
    c = np.stack([each.mean(axis=0) for each in offsets])
    block = _largest_block(problem)
    return {
        "L_block": block,
        "mu": _concavity(problem),
        "kappa": exact(block.value / problem.mu, f"L_block / mu; {block.reason}"),
        "sigma": exact(sigma[0], f"row gradients are affine; largest variance for |z| <= {radius:g}", sigma[1]),
        "zeta_pair": _pairs(H, c, radius),
        **_quadratic_envelope(problem, H.mean(axis=0), c.mean(axis=0)),
        **_start(problem),
    }


def ball_constants(problem: Auc, scorer: Hidden) -> dict[str, Constant]:
    """Return the constants of a hidden layer on the ball, from suprema of |h|, |grad h| and |Hess h| for every row.

    With q = 2 (1-p) for positive rows and 2 p for negative ones, and |h - a - 1 - w| <= |h| + 1 + sqrt(2) R: a row has
    L_11 <= q (|grad h|^2 + 1 + (|h| + 1 + sqrt(2) R) |Hess h|), L_12 <= q |grad h| and L_22 = mu.  The part -mu w of
    its gradient is the same for all rows; the rest has square q^2 ((|h| + 1 + sqrt(2) R)^2 |grad h|^2 + (|h| + R)^2 +
    |h|^2) at most, which bounds variances, and differences of clients by twice its root.
    """
    R = problem.radius or 0.0
    reach = scorer.reach(R, np.sqrt((problem.rows**2).sum(axis=-1)))
    q = 2 * np.where(problem.positive > 0, 1 - problem.p, problem.p) * (problem.weights > 0)
    miss = reach.score + 1 + np.sqrt(2) * R
    curved = (q * (reach.gradient**2 + 1 + miss * reach.hessian)).max()
    block = max(float(curved), float((q * reach.gradient).max()), problem.mu)
    squares = q**2 * ((miss * reach.gradient) ** 2 + (reach.score + R) ** 2 + reach.score**2)
    largest = float(np.sqrt((problem.weights * squares).sum(axis=1).max()))
    why = f"products of suprema for |z| <= {R:g}"
    return {
        "L_block": upper(block, f"{why}: loose by a factor of five, or of hundreds with long rows"),
        "mu": _concavity(problem),
        "kappa": upper(block / problem.mu, f"L_block / mu; {why}"),
        "sigma": upper(largest, f"second moment, {why}: loose by a factor of ten or more"),
        "zeta_pair": _apart(problem, 2 * largest, why),
        **_floor(problem),
        **_start(problem),
    }


def _apart(problem: Auc, bound: float, why: str) -> Constant:
    if problem.N == 1:
        return exact(0.0, "a single client")
    if not np.ptp(problem.rows, axis=0).any() and not np.ptp(problem.positive, axis=0).any():
        return exact(0.0, "all clients hold the same rows")
    return upper(bound, f"twice the largest client gradient, {why}: loose by a factor of ten or more")


def _affine(problem: Auc) -> tuple[list[Array], list[Array]]:
    """Return for every client its rows' matrices H (rows, d, d) and offsets c (rows, d): gradients are H z + c."""
    origin, axes = np.zeros(problem.d), np.eye(problem.d)
    offsets = [problem.outcomes(origin, i) for i in range(problem.N)]
    matrices = [
        np.stack([problem.outcomes(axis, i) - offset for axis in axes], axis=-1) for i, offset in enumerate(offsets)
    ]
    return matrices, offsets


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


def _largest_block(problem: Auc) -> Constant:
    """Return the largest of 2 (1-p) (|x|^2 + 1) over positive rows, 2 p (|x|^2 + 1) over negative ones, and mu."""
    squares = (problem.rows**2).sum(axis=-1) + 1
    shares = np.where(problem.positive > 0, 1 - problem.p, problem.p) * (problem.weights > 0)
    largest = float((2 * shares * squares).max())
    return exact(max(largest, problem.mu), "curvature 2 (1-p) (|x|^2 + 1) of the longest row, the same at every point")


def _concavity(problem: Auc) -> Constant:
    return exact(problem.mu, "2 p (1-p): every row has this curvature in w", np.zeros(problem.d))


def _quadratic_envelope(problem: Auc, H: Array, c: Array) -> dict[str, Constant]:
    """Return L_Phi, Phi_star and Delta_Phi of a quadratic Phi: complete the square in w, then solve for the minimum."""
    k = problem.d1
    curvature = H[:k, :k] + np.outer(H[:k, k], H[k, :k]) / problem.mu
    slope = c[:k] + H[:k, k] * c[k] / problem.mu
    best, *_ = np.linalg.lstsq(curvature, -slope, rcond=1e-12)
    at = np.append(best, 0.0)
    low = float(problem.envelope(at[None, None, :])[0])
    initial = float(problem.envelope(problem.start[None, None, :])[0])
    top = float(np.linalg.eigvalsh((curvature + curvature.T) / 2)[-1])
    return {
        "L_Phi": exact(top, "Phi is quadratic: its largest curvature", at),
        "Phi_star": exact(low, "Phi is a convex quadratic: its minimum by linear algebra", at),
        "Delta_Phi": exact(initial - low, "Phi(start) - Phi_star in closed form", problem.start),
    }


def _floor(problem: Auc) -> dict[str, Constant]:
    """Return Phi_star and Delta_Phi: Phi >= p (1-p) (P - 1) with P >= 0."""
    low = -problem.p * (1 - problem.p)
    initial = float(problem.envelope(problem.start[None, None, :])[0])
    if problem.data == "two-point":
        why = "P = 0 where the two scores differ by 1"
        return {"Phi_star": exact(low, why), "Delta_Phi": exact(initial - low, f"Phi(start) - Phi_star; {why}")}
    why = "the pairwise loss is >= 0: too low by p (1-p) times its minimum"
    return {"Phi_star": lower(low, why), "Delta_Phi": upper(initial - low, why)}


def _start(problem: Auc) -> dict[str, Constant]:
    miss = float(problem.start[-1] - problem.best_response(problem.start[None, None, :])[0, 0, 0])
    return {"delta_y": exact(miss**2, "(w_0 - delta)^2 at the start", problem.start)}
