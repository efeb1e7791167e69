"""How low functions get from the start: f_star, Phi_star, the gaps to them, and how steep they are on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.search import client_gradient, inner_maximum, server_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.certification.search import Multistart
    from boundcheck.problems.types import Array

_STOPPED = 1e-7
"""How wrong the squared distance to where a descent stops may be: values that differ by rounding are a root apart."""


def _lowest(search: Multistart, name: str, function: Callable[[Array], tuple[float, Array]]) -> float:
    return min(function(search.descent(name, function, x))[0] for x in search.starts)


def floor(search: Multistart) -> float:
    """Return the lowest value of f that descents find."""
    problem = search.problem

    def f(x: Array) -> tuple[float, Array]:
        return float(problem.value(server_point(x))[0]), problem.mean_gradient(server_point(x))[0, 0]

    return _lowest(search, "f", f)


def gap(search: Multistart) -> float:
    """Return the descent of f from the start."""
    problem = search.problem
    return problem.initial_value - floor(search)


def client_gap(search: Multistart) -> float:
    """Minimise every client function from the start; values are its own, or line integrals of its gradient."""
    problem, nodes = search.problem, np.polynomial.legendre.leggauss(64)
    shares, weights = (nodes[0] + 1) / 2, nodes[1] / 2
    own: Callable[[Array, int], float] | None = getattr(problem, "client_value", None)

    def descent(z: Array, client: int) -> tuple[float, Array]:
        line = problem.start + shares[:, None] * (z - problem.start)
        along = weights @ (client_gradient(problem, line, client) @ (z - problem.start))
        rise = float(along) if own is None else own(z, client) - own(problem.start, client)
        return rise, client_gradient(problem, z[None], client)[0]

    # Line integrals are dear; a function with values of its own is descended from everywhere.
    starts = search.starts if own else search.starts[:3]
    lowest = []
    for client in range(problem.N):
        ends = [search.descent(f"f_{client}", lambda z, i=client: descent(z, i), x) for x in starts]  # type: ignore[misc]
        lowest.append(min(descent(z, client)[0] for z in ends))
    return -float(np.mean(lowest))


def gain_alone(search: Multistart) -> float:
    """Return how much deeper the clients get alone than together, on average."""
    return client_gap(search) - gap(search)


def lowest_point(search: Multistart) -> Array:
    """Return the lowest point of f that descents find."""
    problem = search.problem

    def f(x: Array) -> tuple[float, Array]:
        return float(problem.value(server_point(x))[0]), problem.mean_gradient(server_point(x))[0, 0]

    ends = [search.descent("f", f, x) for x in search.starts]
    return min(ends, key=lambda x: f(x)[0])


def distance(search: Multistart) -> float:
    """Return |x_0 - x|^2 of the lowest point x that descents find, less what stopping early may make of it."""
    away = search.problem.start - lowest_point(search)
    return float(away @ away) * (1 - _STOPPED)


def steepness(search: Multistart) -> float:
    """Make |grad f|^2 / (2 (f - f_star)) small; points next to the minimiser, where both vanish, are passed over."""
    problem = search.problem
    low = floor(search)

    def small(points: Array) -> Array:
        x = points[:, None, :]
        heights = problem.value(x) - low
        squares = (problem.mean_gradient(x) ** 2).sum(axis=(1, 2))
        far = heights > 1e-6 * max(1.0, abs(low))
        return np.where(far, -squares / (2 * np.where(far, heights, 1.0)), -np.inf)

    return -search.best(small, climbs=5)


def envelope_floor(search: Multistart) -> float:
    """Return the lowest value of Phi that descents find."""
    problem = search.problem
    rest = np.zeros((problem.blocks or (0, 0))[1])

    def envelope(x: Array) -> tuple[float, Array]:
        slope = problem.envelope_gradient(server_point(x))[0, 0]
        return float(problem.envelope(server_point(x))[0]), np.concatenate([slope, rest])

    return _lowest(search, "Phi", envelope)


def envelope_gap(search: Multistart) -> float:
    """Return the descent of Phi from the start."""
    _, initial = inner_maximum(search.problem, search.problem.start, search.rng)
    return initial - envelope_floor(search)


def dual_gap(search: Multistart) -> float:
    """Return Phi(x_0) - f(x_0, y_0) by a numerical inner maximisation."""
    problem = search.problem
    return inner_maximum(problem, problem.start, search.rng)[1] - float(problem.value(server_point(problem.start))[0])


def dual_miss(search: Multistart) -> float:
    """Return |y_0 - y_star(x_0)|^2 by a numerical inner maximisation."""
    problem = search.problem
    d1 = search.d1
    best, _ = inner_maximum(problem, problem.start, search.rng)
    return float(((problem.start[d1:] - best) ** 2).sum())
