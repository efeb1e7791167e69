"""Gram coordinates of pairs (x, y): every basis vector has a half in x and one in y, which methods step differently."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.worst.gram.oracle import SERVER, Element, GramOracle
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector

if TYPE_CHECKING:
    from boundcheck.methods.base import Hyper

HALVES = ("x", "y")
"""Even indices of the basis are halves in x, odd ones in y."""


class Blocks:
    """A number for the block of x and another for that of y, as `Oracle.blockwise` gives it.

    It is combined with numbers and with others of its kind, and multiplies vectors.
    """

    __array_ufunc__ = None

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, GramVector):
            factors = np.array([self.x, self.y])[np.arange(other.coefficients.shape[1]) % 2]
            return GramVector(other.coefficients * factors)
        x, y = _both(other)
        return Blocks(self.x * x, self.y * y)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Blocks:
        x, y = _both(other)
        return Blocks(self.x + x, self.y + y)

    __radd__ = __add__

    def __neg__(self) -> Blocks:
        return Blocks(-self.x, -self.y)

    def __sub__(self, other: Any) -> Blocks:
        return self.__add__(-1.0 * other)

    def __rsub__(self, other: Any) -> Blocks:
        return (-self).__add__(other)


def _both(value: Any) -> tuple[Any, Any]:
    return (value.x, value.y) if isinstance(value, Blocks) else (value, value)


class PairOracle(GramOracle):
    """The oracle of pairs: a new vector is two basis vectors, its halves.

    A point's `gradient` is the index of the half in y, which follows that in x.
    """

    origins = (0, 1)

    def new(self, element: Element) -> GramVector:
        """Return a vector that is two new basis vectors."""
        self.basis += [dataclasses.replace(element, label=f"{element.label} in {half}") for half in HALVES]
        coefficients = np.zeros((2, len(self.basis)))
        coefficients[MEAN, -2:] = 1.0
        coefficients[DEVIATION, -2:] = float(element.kind not in SERVER)
        return GramVector(coefficients)

    def _gradient(self, y: Any) -> GramVector:
        index = self.point(y).gradient
        coefficients = np.zeros((2, index + 1))
        coefficients[:, index - 1 :] = 1.0
        return GramVector(coefficients)

    def blockwise(self, x: Hyper, y: Hyper) -> Any:
        """Return a number for either block."""
        return Blocks(x, y)
