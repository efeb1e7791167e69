"""How fast gradients change: the smoothness of clients, of samples and of Phi, and strong concavity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.search import (
    STEP,
    client_gradient,
    client_gradients,
    jacobian,
    lengths,
    quotients,
    rounding,
    shorter,
    stretch,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array


_LEAST_STAY = 0.5
"""Share of a step that rounding has to leave for a quotient to say something."""


def smoothness(search: Multistart) -> float:
    """Climb the difference quotient of one client along the direction that its Hessian stretches most."""
    problem, best = search.problem, 0.0
    for start in search.starts:
        x = start
        for _ in range(2):
            hessians = jacobian(lambda p: client_gradients(problem, p), x)
            i = int(np.linalg.norm(hessians, 2, axis=(1, 2)).argmax())
            u = stretch(hessians[i : i + 1], search.rng)[0]

            def quotient(points: Array, i: int = i, u: Array = u) -> Array:
                return quotients(lambda p: client_gradient(problem, p, i), points, u)

            x, value = search.climb(quotient, x, 10)
            best = max(best, value)
    return best


def _samples(problem: Problem, client: int) -> Callable[[Array], Array]:
    """Return the sample gradients of one client as a function of points (n, d), shape (n, outcomes, d).

    Of noise without a list the exact ones stand for them: it is one vector, the same at every point.
    """
    if problem.noise.moment is not None:
        return lambda points: client_gradient(problem, points, client)[:, None]
    return lambda points: np.stack([problem.outcomes(x, client) for x in points])


def _sample_quotient(search: Multistart, rows: slice, columns: slice) -> float:
    """Return the largest quotient of sample gradients (their `rows`) for moves in the `columns` of x."""
    problem, best = search.problem, 0.0
    for x in search.starts[: search.likely]:
        for client in range(problem.N):
            at = _samples(problem, client)
            axes = np.eye(problem.d)[columns]
            slopes = jacobian(at, x, axes)[:, rows]
            directions = stretch(slopes, search.rng)
            top = int(np.linalg.norm(np.matmul(slopes, directions[:, :, None])[..., 0], axis=1).argmax())
            move = directions[top] @ axes
            moved = at(np.stack([x + STEP * move, x - STEP * move]))[:, :, rows]
            best = max(best, float(shorter(x) * lengths(moved[0], moved[1]).max()))
    return best


def sample_smoothness(search: Multistart) -> float:
    """Return the largest quotient of sample gradients."""
    return _sample_quotient(search, slice(None), slice(None))


def mean_square_smoothness(search: Multistart) -> float:
    """Move along the direction in which the sample gradients of a client change most in mean square."""
    problem, best = search.problem, 0.0
    for x in search.starts[: search.likely]:
        for client in range(problem.N):
            at = _samples(problem, client)
            slopes = jacobian(at, x)
            move = np.linalg.eigh(np.einsum("orc,ore->ce", slopes, slopes, optimize=True))[1][:, -1]
            moved = at(np.stack([x + STEP * move, x - STEP * move]))
            best = max(best, float(shorter(x) * np.sqrt((lengths(moved[0], moved[1]) ** 2).mean())))
    return best


def block_smoothness(search: Multistart) -> float:
    """Return the largest quotient within a block or between the two."""
    d1 = search.d1
    blocks = (slice(0, d1), slice(d1, None))
    return max(_sample_quotient(search, rows, columns) for rows in blocks for columns in blocks)


def envelope_smoothness(search: Multistart) -> float:
    """Climb the quotient of grad Phi along the direction that its Hessian stretches most."""
    problem, best = search.problem, 0.0
    d1 = search.d1
    axes = np.eye(problem.d)[:d1]

    def slope(points: Array) -> Array:
        return problem.envelope_gradient(points[:, None, :])[:, 0]

    for x in search.starts:
        u = stretch(jacobian(slope, x, axes)[None], search.rng)[0] @ axes

        def quotient(points: Array, u: Array = u) -> Array:
            return quotients(slope, points, u)

        best = max(best, search.climb(quotient, x, 10)[1])
    return best


def concavity(search: Multistart) -> float:
    """Return the smallest curvature of -f_i in y that was found, over clients and starts."""
    problem = search.problem
    d1 = search.d1
    axes = np.eye(problem.d)[d1:]
    lowest = np.inf
    for x in search.starts:
        hessians = jacobian(lambda p: client_gradients(problem, p)[..., d1:], x, axes)
        lowest = min(lowest, _least_curvature(-hessians, x) + rounding(client_gradients(problem, x[None])))
    return lowest


def strength(search: Multistart) -> float:
    """Return the smallest curvature of a client that was found; of a minimax problem, of -f_i in y."""
    return concavity(search) if search.problem.is_minimax else lowest_curvature(search)


def lowest_curvature(search: Multistart) -> float:
    """Return the smallest eigenvalue of a client's Hessian over the starts, up to what rounding makes of quotients."""
    problem, lowest = search.problem, np.inf
    for x in search.starts:
        hessians = jacobian(lambda p: client_gradients(problem, p), x)
        lowest = min(lowest, _least_curvature(hessians, x) + rounding(client_gradients(problem, x[None])))
    return lowest


def _least_curvature(hessians: Array, x: Array) -> float:
    """Return the least eigenvalue of Hessians by quotients at `x`, and what steps away from there may have lost."""
    curvatures = np.linalg.eigvalsh((hessians + np.swapaxes(hessians, 1, 2)) / 2)
    stays = float(shorter(x))
    if stays < _LEAST_STAY:
        # There the numbers are so far apart that a quotient says nothing.
        return float("inf")
    return float((curvatures.min(axis=1) + (1.0 - stays) * np.abs(curvatures).max(axis=1)).min())


def concave_share(search: Multistart) -> float:
    """Return how far below 0 the curvature of a client was found, as a share of the largest curvature."""
    return max(0.0, -lowest_curvature(search)) / max(smoothness(search), 1e-300)


def condition_number(search: Multistart) -> float:
    """Return the ratio of the two that were found."""
    return block_smoothness(search) / concavity(search)
