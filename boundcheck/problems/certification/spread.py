"""How large gradients are and how much they differ: noise, heterogeneity, sup norms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.descent import lowest_point
from boundcheck.problems.certification.search import client_gradient, client_gradients, inner_maximum

if TYPE_CHECKING:
    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array


def deviation(search: Multistart) -> float:
    """Enumerate the samples of every client; the mean square distance from their mean."""
    problem = search.problem

    def worst(points: Array) -> Array:
        clouds = [[problem.outcomes(x, client) for client in range(problem.N)] for x in points]
        return np.array([max(cloud.var(axis=0).sum() for cloud in at) for at in clouds])

    return float(np.sqrt(search.best(worst, climbs=1)))


def heterogeneity(search: Multistart) -> float:
    """Climb the variance of the client gradients over clients."""

    def spread(points: Array) -> Array:
        g, over = client_gradients(search.problem, points), search.problem.over_clients
        return over(((g - over(g)[:, None]) ** 2).sum(axis=-1))

    return float(np.sqrt(search.best(spread)))


def pair_distance(search: Multistart) -> float:
    """Climb the distance of one pair of gradients, the most distant one at each start."""
    problem, best = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        gaps = ((g[:, None] - g[None]) ** 2).sum(axis=-1)
        i, j = np.unravel_index(int(gaps.argmax()), gaps.shape)

        def distance(points: Array, i: int = int(i), j: int = int(j)) -> Array:
            g = client_gradients(problem, points)
            squares: Array = ((g[:, i] - g[:, j]) ** 2).sum(axis=1)
            return squares

        best = max(best, search.climb(distance, x, 10)[1])
    return float(np.sqrt(best))


def largest_coordinate(search: Multistart) -> float:
    """Climb the largest coordinate of a client gradient at each start, then enumerate the samples there."""
    problem, best = search.problem, 0.0
    for x in search.starts:
        g = client_gradients(problem, x[None])[0]
        i, c = np.unravel_index(int(np.abs(g).argmax()), g.shape)

        def size(points: Array, i: int = int(i), c: int = int(c)) -> Array:
            return np.abs(client_gradient(problem, points, i)[:, c])

        top, value = search.climb(size, x)
        clouds = (problem.outcomes(p, client) for p in (x, top) for client in range(problem.N))
        best = max(best, value, *(float(np.abs(cloud).max()) for cloud in clouds))
    return best


def initial_gradients(search: Multistart) -> float:
    """Return the mean square of the client gradients at the start."""
    g = client_gradients(search.problem, search.problem.start[None])
    return float(search.problem.over_clients((g * g).sum(axis=-1))[0])


def second_moment(search: Multistart) -> float:
    """Enumerate the samples of every client; the mean square of their norms."""
    problem = search.problem

    def worst(points: Array) -> Array:
        clouds = [[problem.outcomes(x, client) for client in range(problem.N)] for x in points]
        return np.array([max((cloud**2).sum(axis=1).mean() for cloud in at) for at in clouds])

    return float(np.sqrt(search.best(worst, climbs=1)))


def longest_gradient(search: Multistart) -> float:
    """Climb the norm of every client's exact gradient."""

    def longest(points: Array) -> Array:
        squares: Array = (client_gradients(search.problem, points) ** 2).sum(axis=-1).max(axis=1)
        return squares

    return float(np.sqrt(search.best(longest)))


def gradients_at_minimiser(search: Multistart) -> float:
    """Return the root mean square of the client gradients where descents of f end."""
    g = client_gradients(search.problem, lowest_point(search)[None])
    return float(np.sqrt(search.problem.over_clients((g * g).sum(axis=-1))[0]))


def width(search: Multistart) -> float:
    """Return the distance of the ends of the interval where the constants hold."""
    return 2 * (search.problem.radius or np.inf)


def steepest(search: Multistart) -> float:
    """Climb |grad f|^2."""

    def square(points: Array) -> Array:
        squares: Array = (search.problem.mean_gradient(points[:, None, :]) ** 2).sum(axis=(1, 2))
        return squares

    return search.best(square)


def side_of_box(search: Multistart) -> float:
    """Return the largest coordinate of a numerical inner maximisation, over the starts."""
    return max(float(np.abs(inner_maximum(search.problem, x, search.rng)[0]).max()) for x in search.starts)


def diagonal_of_box(search: Multistart) -> float:
    """Return the largest distance of the ends of inner maximisations, and of their reflections at 0."""
    ends = np.stack([inner_maximum(search.problem, x, search.rng)[0] for x in search.starts])
    ends = np.concatenate([ends, -ends])
    return float(np.sqrt(((ends[:, None] - ends[None]) ** 2).sum(axis=-1).max()))


def steepest_in_x(search: Multistart) -> float:
    """Climb |grad_x f|."""
    problem = search.problem

    def length(points: Array) -> Array:
        slopes = problem.mean_gradient(points[:, None, :])[:, 0, : search.d1]
        lengths: Array = np.sqrt((slopes**2).sum(axis=-1))
        return lengths

    return search.best(length)
