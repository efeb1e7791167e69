"""Quadratic forms over Q of what one round meets: function values, products of basis vectors, and constants.

A form is a dictionary from what it multiplies to its coefficient:
``("f", k)`` is the value at point k, ``("P", i, j)`` the product of the means of the basis vectors i <= j,
``("Q", i, j)`` the mean over the clients of the products of their deviations, and ``("1", letter)`` a constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.trace import ORIGIN

if TYPE_CHECKING:
    from boundcheck.worst.gram.vectors import GramVector

Key: TypeAlias = tuple[str | int, ...]
Sparse: TypeAlias = dict[int, int]


class Form(dict[Key, Any]):
    """A form that is added and multiplied by numbers; coefficients are integers, or fractions, over a common scale."""

    def __add__(self, other: Form) -> Form:
        return self._plus(other, 1)

    def __sub__(self, other: Form) -> Form:
        return self._plus(other, -1)

    def _plus(self, other: Form, sign: int) -> Form:
        found = Form(self)
        for key, c in other.items():
            found[key] = found.get(key, 0) + sign * c
        return found

    def __mul__(self, factor: Fraction | float) -> Form:
        by: Any = Fraction(factor)
        by = by.numerator if by.denominator == 1 else by
        return Form({key: by * c for key, c in self.items()} if by else {})

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Form:
        if divisor == 1:
            return self
        by = int(divisor)
        whole = by == divisor and not any(c % by for c in self.values())
        return Form({k: c // by for k, c in self.items()}) if whole else self * (1 / Fraction(divisor))

    def over(self, scale: int) -> Form:
        """Return the form with its coefficients divided by their common scale: fractions, no zeros."""
        return Form({key: Fraction(c) / scale for key, c in self.items() if c})


class BlockVector(NamedTuple):
    """A vector by its coefficients in both blocks, over a common denominator."""

    mean: Sparse
    deviation: Sparse

    def __sub__(self, other: BlockVector) -> BlockVector:
        return BlockVector(_minus(self.mean, other.mean), _minus(self.deviation, other.deviation))

    @property
    def means(self) -> BlockVector:
        """Return its mean over the clients."""
        return BlockVector(self.mean, {})

    @property
    def deviations(self) -> BlockVector:
        """Return what a client has beside the mean."""
        return BlockVector({}, self.deviation)


class Ground(NamedTuple):
    """The minimiser among the points: its value is 0, and its gradient has no mean."""

    point: int
    gradient: int


class Forms:
    """Makes forms of vectors, as `boundcheck.worst.gram.rows.GramRows` makes rows.

    Parameters
    ----------
    still : set of int
        Basis vectors that have no deviation.
    denominator : int
        Common denominator of the coefficients of all vectors.
    N : int
        Clients, by which constants are divided.
    ground : Ground, optional

    Attributes
    ----------
    scale : int
        What coefficients of forms stand over.
    """

    def __init__(self, still: set[int], denominator: int, N: int, ground: Ground | None = None) -> None:
        self._still, self._denominator, self.ground = still, denominator, ground
        # Conditions of smoothness divide by 4.
        self._unit = 4 * N
        self.scale = self._unit * denominator**2

    def vector(self, v: GramVector) -> BlockVector:
        """Return a vector; points are relative to the origin."""
        mean, deviation = ({k: self._whole(c) for k, c in enumerate(row) if c} for row in v.coefficients)
        mean.pop(ORIGIN, None)
        if self.ground is not None:
            mean.pop(self.ground.gradient, None)
        return BlockVector(mean, {k: c for k, c in deviation.items() if k not in self._still})

    def _whole(self, c: Any) -> int:
        exact = fraction(c) * self._denominator
        if exact.denominator != 1:
            msg = f"{self._denominator} is no denominator of {c}"
            raise ValueError(msg)
        return exact.numerator

    def means(self, v: BlockVector) -> BlockVector:
        """Return its mean over the clients."""
        return v.means

    def deviations(self, v: BlockVector) -> BlockVector:
        """Return what a client has beside the mean."""
        return v.deviations

    def product(self, u: BlockVector, v: BlockVector) -> Form:
        """Return the product, averaged over the clients."""
        found = Form()
        for block, one, other in (("P", u.mean, v.mean), ("Q", u.deviation, v.deviation)):
            for i, a in one.items():
                scaled = self._unit * a
                for j, c in other.items():
                    key = (block, i, j) if i <= j else (block, j, i)
                    found[key] = found.get(key, 0) + scaled * c
        return found

    def square(self, u: BlockVector) -> Form:
        """Return the square of the norm."""
        return self.product(u, u)

    def value(self, point: int) -> Form:
        """Return the function value at a point."""
        return Form() if self.ground is not None and point == self.ground.point else Form({("f", point): self.scale})

    def near(self, distances: dict[int, tuple[int, float]]) -> dict[int, tuple[int, float]]:
        """Return gradients and their distances by their letters, which are their indices in the basis."""
        return distances

    def constant(self, letter: str, factor: Fraction | int = 1) -> Form:
        """Return a multiple of a constant of the class."""
        return Form({("1", letter): self.scale}) * factor


def _minus(u: Sparse, v: Sparse) -> Sparse:
    found = {k: u.get(k, 0) - v.get(k, 0) for k in u.keys() | v.keys()}
    return {k: c for k, c in found.items() if c}
