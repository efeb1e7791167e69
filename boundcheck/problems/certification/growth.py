"""Assumptions that look at the minimiser, or that grow with the gradient; and what F = f + h gets down to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.descent import lowest_point
from boundcheck.problems.certification.search import client_gradients, jacobian, server_point

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array

_PROXIMAL_STEPS = 4000


def _clouds(problem: Problem, x: Array) -> list[Array]:
    """Return the sample gradients of every client at one point."""
    return [problem.outcomes(x, client) for client in range(problem.N)]


def _slope(problem: Problem, points: Array) -> Array:
    """Return |grad f|^2 at points (n, d)."""
    squares: Array = (problem.mean_gradient(points[:, None, :]) ** 2).sum(axis=(1, 2))
    return squares


def _claimed_value(problem: Problem, letter: str) -> float:
    """Return what the problem says of the other letter of a pair; 0 where it says nothing."""
    found = problem.letters.get(letter)
    return found.value if found else 0.0


def noise_at_minimiser(search: Multistart) -> float:
    """List the samples where descents of f end."""
    clouds = _clouds(search.problem, lowest_point(search))
    variances = np.array([[cloud.var(axis=0).sum() for cloud in clouds]])
    return float(np.sqrt(search.problem.over_clients(variances)[0]))


def expected_smoothness(search: Multistart) -> float:
    """Climb the mean square of how samples change from the minimiser, over twice the rise of f."""
    problem, lowest = search.problem, lowest_point(search)
    ends = _clouds(problem, lowest)
    bottom = float(problem.value(server_point(lowest))[0])

    def share(points: Array) -> Array:
        moved = np.array(
            [
                np.mean([((a - b) ** 2).sum(axis=1).mean() for a, b in zip(_clouds(problem, x), ends, strict=True)])
                for x in points
            ]
        )
        rise = problem.value(points[:, None, :]) - bottom
        # Near the minimum the quotient is rounding.
        return np.where(rise > 1e-3 * abs(problem.initial_value - bottom), moved / np.maximum(2 * rise, 1e-300), 0.0)

    # The descent's end is the minimiser up to some 1e-8.
    return search.best(share, climbs=1) * (1 - 1e-6)


def strong_growth(search: Multistart) -> float:
    """Climb the second moment of samples over |grad f|^2."""
    problem = search.problem

    def share(points: Array) -> Array:
        square = [np.mean([(c**2).sum(axis=1).mean() for c in _clouds(problem, x)]) for x in points]
        return _over_slope(problem, np.array(square), points)

    return search.best(share, climbs=1)


def _over_slope(problem: Problem, numbers: Array, points: Array) -> Array:
    """Return numbers over |grad f|^2, 0 where that is rounding."""
    slope = _slope(problem, points)
    counts = slope > 1e-12 * (1e-300 + float(_slope(problem, problem.start[None])[0]))
    return np.where(counts, numbers / np.where(counts, slope, 1.0), 0.0)


def _squares(problem: Problem, points: Array) -> Array:
    """Return mean_i |grad f_i|^2."""
    return problem.over_clients((client_gradients(problem, points) ** 2).sum(axis=-1))


_LEVELS = (np.arange(20_000) + 0.5) / 20_000
_POWER = 60.0
_SETTLED = 1e-3
"""Share of a moment that its largest size may have."""
"""Of the levels between which sizes of heavy-tailed noise are summed: it makes the integrand a smooth power."""


def _noise_sizes(search: Multistart) -> list[tuple[Array, Array]]:
    """Return norms of the noise of samples with their probabilities, for every client at the likely starts."""
    problem = search.problem
    if problem.noise.moment is not None:
        levels, steps = _LEVELS**_POWER, _POWER * _LEVELS ** (_POWER - 1) / len(_LEVELS)
        return [(problem.noise.sizes(levels), steps)]
    found = []
    for x in search.starts[: search.likely]:
        for cloud in _clouds(problem, x):
            norms = np.linalg.norm(cloud - cloud.mean(axis=0), axis=1)
            found.append((norms, np.full(len(norms), 1 / len(norms))))
    return found


def squared_weights(search: Multistart) -> float:
    """Average the indicator of every client over the clients: what comes out is its weight."""
    units = search.problem.over_clients(np.eye(search.problem.N)[None])[0]
    return float((units**2).sum())


def tail_order(search: Multistart) -> float:
    """Return 2 where samples are a list, else the order that is claimed if the sum of its moment has settled."""
    if search.problem.noise.moment is None:
        return 2.0
    p = _claimed_value(search.problem, "p_tail")
    ((sizes, weights),) = _noise_sizes(search)
    whole, cut = float(weights @ sizes**p), float(weights[1:] @ sizes[1:] ** p)
    settled: bool = whole - cut <= _SETTLED * whole
    return p if settled else 1.0


def tail_moment(search: Multistart) -> float:
    """Return the largest root of the moment of order p_tail, summed over what is drawn."""
    p = _claimed_value(search.problem, "p_tail")
    return max(math.pow(float(weights @ sizes**p), 1 / p) for sizes, weights in _noise_sizes(search))


def light_tails(search: Multistart) -> float:
    """Solve mean exp(|n|^2/s^2) = e for s."""
    from scipy.optimize import brentq

    def solve(sizes: Array, weights: Array) -> float:
        top = float(sizes.max())
        if not top:
            return 0.0
        # In v = (top/s)^2: at v = 1 the mean is at most e.
        v = brentq(lambda v: np.log(weights @ np.exp(v * (sizes / top) ** 2)) - 1.0, 1.0 - 1e-9, 700.0)
        return top / math.sqrt(float(v))

    return max(solve(*found) for found in _noise_sizes(search))


def dissimilarity(search: Multistart) -> float:
    """Climb what the clients' squares are above B_dis^2 |grad f|^2."""
    problem, B = search.problem, _claimed_value(search.problem, "B_dis")

    def above(points: Array) -> Array:
        return _squares(problem, points) - B**2 * _slope(problem, points)

    # Differences of equal squares are rounding.
    scale = float(np.max(_squares(problem, search.starts)))
    found = search.best(above)
    return float(np.sqrt(max(found, 0.0))) if found > 1e-12 * scale else 0.0


def relative_dissimilarity(search: Multistart) -> float:
    """Climb the clients' squares less G_dis^2, over |grad f|^2."""
    problem, G = search.problem, _claimed_value(search.problem, "G_dis")

    def share(points: Array) -> Array:
        return _over_slope(problem, _squares(problem, points) - G**2, points)

    return float(np.sqrt(max(search.best(share), 0.0)))


def _curvatures(problem: Problem, points: Array) -> Array:
    """Return |Hess f| at points, by difference quotients."""
    at = (jacobian(lambda p: problem.mean_gradient(p[:, None, :]), x) for x in points)
    return np.array([np.linalg.norm(h[0], 2) for h in at])


def curvature(search: Multistart) -> float:
    """Look for the largest |Hess f| - L_1 |grad f| at the starts."""
    problem, L_1 = search.problem, _claimed_value(search.problem, "L_1")
    points = search.starts
    values = _curvatures(problem, points) - L_1 * np.sqrt(_slope(problem, points))
    return float(values.max()) * (1 - 1e-6)


def curvature_growth(search: Multistart) -> float:
    """Look for the largest (|Hess f| - L_0)/|grad f| at the starts."""
    problem, L_0 = search.problem, _claimed_value(search.problem, "L_0")
    points = search.starts
    slope, above = np.sqrt(_slope(problem, points)), _curvatures(problem, points) * (1 - 1e-6) - L_0
    counts = (slope > 1e-9) & (above > 0)
    return float(np.where(counts, above / np.where(counts, slope, 1.0), 0.0).max())


def sample_strength(search: Multistart) -> float:
    """Return the smallest quotient of a sample's gradients along the axes and along random directions."""
    problem, least = search.problem, np.inf
    for x in search.starts[: search.likely]:
        directions = np.concatenate([np.eye(problem.d), search.rng.standard_normal((4, problem.d))])
        for u in directions:
            for client in range(problem.N):
                change = problem.outcomes(x + u, client) - problem.outcomes(x - u, client)
                least = min(least, float((change @ u).min() / (2 * u @ u)))
    return least


def samples(search: Multistart) -> float:
    """Count them."""
    return float(max(len(cloud) for cloud in _clouds(search.problem, search.problem.start)))


def _lowest_sum(search: Multistart) -> Array:
    """Return where proximal gradient steps from the start end, with half the step that the curvature at hand allows."""
    problem = search.problem
    x = problem.start[None, None, :]
    step = 1.0 / max(float(_curvatures(problem, search.starts).max()), 1e-300)
    for _ in range(_PROXIMAL_STEPS):
        x = problem.h.prox(x - step * problem.mean_gradient(x), step)
    return x


def sum_floor(search: Multistart) -> float:
    """Return the lowest F that proximal gradient steps find."""
    return float(search.problem.sum_value(_lowest_sum(search))[0])


def sum_gap(search: Multistart) -> float:
    """Return the descent of F from the start."""
    return float(search.problem.sum_value(search.problem.start[None, None, :])[0]) - sum_floor(search)


def sum_distance(search: Multistart) -> float:
    """Return the squared distance from the start to where proximal gradient steps end."""
    return float(((_lowest_sum(search) - search.problem.start) ** 2).sum())


def _operator(problem: Problem, points: Array) -> Array:
    """Return (grad_x f, -grad_y f) at points (n, d)."""
    first, second = problem.blocks or (problem.d, 0)
    signs = np.repeat([1.0, -1.0], [first, second])
    turned: Array = problem.mean_gradient(points[:, None, :])[:, 0] * signs
    return turned


def monotonicity(search: Multistart) -> float:
    """Return the smallest eigenvalue of the operator's symmetric part at the starts, by difference quotients."""
    problem, least = search.problem, np.inf
    for x in search.starts:
        slopes = jacobian(lambda p: _operator(problem, p)[:, None], x)[0]
        least = min(least, float(np.linalg.eigvalsh(slopes + slopes.T)[0]) / 2)
    return max(least, 0.0)


def saddle_distance(search: Multistart) -> float:
    """Return the squared distance from the start to where Newton steps on the operator end."""
    problem, x = search.problem, search.problem.start
    for _ in range(20):
        slopes = jacobian(lambda p: _operator(problem, p)[:, None], x)[0]
        x = x - np.linalg.lstsq(slopes, _operator(problem, x[None])[0], rcond=None)[0]
    return float(((x - problem.start) ** 2).sum())
