"""Linear maps of which only the spectrum is known: symmetric ones, skew ones, and mixing matrices of agents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.worst.stated.algebra import Vector, dot, rational

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from boundcheck.worst.stated.algebra import Scalar

    Pairs = Sequence[tuple[Vector, Vector]]


@dataclass(frozen=True)
class LinearMap:
    """A linear map: one is meant by all that has the same name and the same spectrum.

    Attributes
    ----------
    name : str
    least, largest : Fraction
        Between them are the eigenvalues of a symmetric map; of a skew one the second bounds its norm.
    kind : {'symmetric', 'skew', 'general', 'transposed'}
    """

    name: str
    least: Fraction
    largest: Fraction
    kind: str = "symmetric"

    @classmethod
    def between(cls, name: str, least: Any, largest: Any) -> LinearMap:
        """Return a symmetric map by its spectrum."""
        low, high = rational(least, "least"), rational(largest, "largest")
        require(low <= high, "least", low, f"a number up to largest = {high}")
        return cls(name, low, high)

    @classmethod
    def with_bound(cls, name: str, largest: Any, kind: str) -> LinearMap:
        """Return a map of another kind by its norm."""
        high = rational(largest, "largest")
        require(high > 0, "largest", high, "a number above 0")
        return cls(name, -high, high, kind)

    def matrix(self, pairs: Pairs) -> tuple[str, list[list[Scalar]]]:
        """Return a matrix that is positive semidefinite: of (largest - M)(M - least), or of largest^2 - M'M."""
        low, high = self.least, self.largest
        if self.kind != "symmetric":
            entries = [[high**2 * dot(x, v) - dot(y, w) for v, w in pairs] for x, y in pairs]
        else:
            entries = [[dot(high * x - y, w - low * v) for v, w in pairs] for x, y in pairs]
        return f"spectrum of {self.name}", entries

    def equations(self, pairs: Pairs, transposed: Pairs) -> Iterator[tuple[str, Scalar]]:
        """Yield what is 0 as the map is symmetric, or skew, or as another one is its transpose."""
        if self.kind == "general":
            for j, (x, y) in enumerate(pairs):
                for k, (u, v) in enumerate(transposed):
                    yield f"transpose of {self.name}, {j} and {k}", dot(x, v) - dot(y, u)
        if self.kind not in ("symmetric", "skew"):
            return
        sign = -1 if self.kind == "skew" else 1
        for (j, (x, y)), (k, (v, w)) in combinations_with_replacement(enumerate(pairs), 2):
            if j < k or self.kind == "skew":
                yield f"symmetry of {self.name}, {j} and {k}", dot(x, w) - sign * dot(y, v)

    @property
    def transpose(self) -> LinearMap:
        """Return the transpose of a general map."""
        return replace(self, kind="transposed" if self.kind == "general" else "general")


def mean_of(v: Vector) -> Vector:
    """Return the mean over the agents."""
    return Vector(v.mean, {})


def deviation_of(v: Vector) -> Vector:
    """Return what an agent has beside the mean."""
    return Vector({}, v.deviation)
