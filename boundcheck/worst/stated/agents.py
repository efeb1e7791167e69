"""Vectors of the agents: means, deviations, and mixing by a matrix of which only the spectrum is known."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.worst.stated.algebra import Vector, dot, rational

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.stated.algebra import Number
    from boundcheck.worst.stated.problem import Problem


def mean_of(v: Vector) -> Vector:
    """Return the mean over the agents."""
    return Vector(v.mean, {})


def deviation_of(v: Vector) -> Vector:
    """Return what an agent has beside the mean."""
    return Vector({}, v.deviation)


def mixed(problem: Problem, v: Vector, *, least: Any, largest: Any) -> Vector:
    """Return W v for a symmetric W that averages, its other eigenvalues in [least, largest].

    One matrix is meant by all calls with the same two numbers: ``<W u, v> = <u, W v>`` for all that were mixed, and
    ``(largest - W)(W - least)`` is positive semidefinite on their deviations.

    Raises
    ------
    InputError
        If least is above largest.

    References
    ----------
    Colla, Hendrickx, "Automatic performance estimation for decentralized optimization", IEEE Trans. Automatic Control
    68 (2023), Theorem 1.
    """
    low, high = rational(least, "least"), rational(largest, "largest")
    require(low <= high, "least", low, f"a number up to largest = {high}")
    if not v.deviation or low == high:
        return Vector(v.mean, {k: low * c for k, c in v.deviation.items()} if low else {})
    index = len(problem.labels)
    own = problem.vector(f"W{index}", of_agents=True)
    found = Vector(dict(v.mean), own.deviation)
    problem.mixings.setdefault((low, high), []).append((deviation_of(v), deviation_of(found)))
    return found


def matrices_of_mixing(problem: Problem) -> Iterator[tuple[str, list[list[Number]]]]:
    """Yield matrices that are positive semidefinite: what the spectra say of all vectors that were mixed."""
    for (low, high), pairs in problem.mixings.items():
        entries = [[dot(high * x - y, w - low * v) for v, w in pairs] for x, y in pairs]
        yield f"spectrum in [{low}, {high}]", entries


def symmetries_of_mixing(problem: Problem) -> Iterator[tuple[str, Number]]:
    """Yield what is 0 as the matrices are symmetric."""
    for pairs in problem.mixings.values():
        for (j, (x, y)), (k, (v, w)) in combinations(enumerate(pairs), 2):
            yield f"symmetry of mixing, {j} and {k}", dot(x, w) - dot(y, v)
