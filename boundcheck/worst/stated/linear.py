"""Linear maps of which only the spectrum is known: symmetric ones, skew ones, and mixing matrices of agents."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.worst.stated.algebra import Vector, dot, rational

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from boundcheck.worst.stated.algebra import Number
    from boundcheck.worst.stated.problem import Problem

    Pairs = Sequence[tuple[Vector, Vector]]


@dataclass(frozen=True)
class LinearMap:
    """A linear map: one is meant by all that has the same name and the same spectrum.

    Attributes
    ----------
    name : str
    least, largest : Fraction
        Between them are the eigenvalues of a symmetric map; of a skew one the second bounds its norm.
    is_skew : bool
    """

    name: str
    least: Fraction
    largest: Fraction
    is_skew: bool = False

    def matrix(self, pairs: Pairs) -> tuple[str, list[list[Number]]]:
        """Return a matrix that is positive semidefinite: of (largest - M)(M - least), or of largest^2 - M'M."""
        low, high = self.least, self.largest
        if self.is_skew:
            entries = [[high**2 * dot(x, v) - dot(y, w) for v, w in pairs] for x, y in pairs]
        else:
            entries = [[dot(high * x - y, w - low * v) for v, w in pairs] for x, y in pairs]
        return f"spectrum of {self.name}", entries

    def equations(self, pairs: Pairs) -> Iterator[tuple[str, Number]]:
        """Yield what is 0 as the map is symmetric, or skew."""
        sign = -1 if self.is_skew else 1
        for (j, (x, y)), (k, (v, w)) in combinations_with_replacement(enumerate(pairs), 2):
            if j < k or self.is_skew:
                yield f"symmetry of {self.name}, {j} and {k}", dot(x, w) - sign * dot(y, v)


def symmetric(problem: Problem, v: Vector, *, least: Any, largest: Any, name: str = "M") -> Vector:
    """Return M v for a symmetric linear map with eigenvalues in [least, largest].

    Raises
    ------
    InputError
        If least is above largest.

    References
    ----------
    Bousselmi, Hendrickx, Glineur, "Interpolation conditions for linear operators and applications to performance
    estimation problems", SIAM J. Optimization 34 (2024), Theorem 3.1.
    """
    low, high = rational(least, "least"), rational(largest, "largest")
    require(low <= high, "least", low, f"a number up to largest = {high}")
    return _image(problem, LinearMap(name, low, high), v)


def skew(problem: Problem, v: Vector, *, largest: Any, name: str = "S") -> Vector:
    """Return S v for a skew-symmetric linear map of norm at most `largest`."""
    high = rational(largest, "largest")
    require(high > 0, "largest", high, "a number above 0")
    return _image(problem, LinearMap(name, -high, high, is_skew=True), v)


def mixed(problem: Problem, v: Vector, *, least: Any, largest: Any, name: str = "W") -> Vector:
    """Return W v for a symmetric W that averages over the agents, its other eigenvalues in [least, largest].

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
    found = _image(problem, LinearMap(name, low, high), deviation_of(v))
    return Vector(dict(v.mean), found.deviation)


def mean_of(v: Vector) -> Vector:
    """Return the mean over the agents."""
    return Vector(v.mean, {})


def deviation_of(v: Vector) -> Vector:
    """Return what an agent has beside the mean."""
    return Vector({}, v.deviation)


def _image(problem: Problem, linear: LinearMap, v: Vector) -> Vector:
    """Return what a map makes of a vector, the same as before where it was asked for before."""
    pairs = problem.linear.setdefault(linear, [])
    known = next((image for u, image in pairs if u.key == v.key), None)
    if known is None:
        new = problem.vector(f"{linear.name}{len(problem.labels)}", of_agents=bool(v.deviation))
        known = Vector(new.mean if v.mean else {}, new.deviation)
        pairs.append((v, known))
    return known
