"""Unknown polynomials by coefficients in Bernstein's form, for a solver: powers nearly depend on each other."""

from __future__ import annotations

from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from boundcheck.worst.theorems.bernstein.coefficients import power_in_bernstein

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from boundcheck.worst.theorems.bernstein.coefficients import Box
    from boundcheck.worst.theorems.bernstein.polynomials import Exponents

_NOTHING = 1e-13
"""Entries of a changed matrix that are rounding alone."""


def from_bernstein(column: Mapping[tuple[Any, ...], int], box: Box | None) -> Any:
    """Return the matrix from coefficients in Bernstein's form over a box to those of powers, the unknowns.

    Parameters
    ----------
    column : mapping
        Unknown to its number.  Unknowns ``(*name, exponents)`` are the coefficients of one polynomial; where some
        powers of it are missing, and for other unknowns, nothing is changed.
    box : Box or None
        None changes nothing.
    """
    polynomials: dict[tuple[Hashable, ...], dict[Exponents, int]] = {}
    for unknown, k in column.items() if box is not None else ():
        if unknown and isinstance(unknown[-1], tuple):
            polynomials.setdefault(unknown[:-1], {})[unknown[-1]] = k
    left = set(column.values())
    rows: list[int] = []
    columns: list[int] = []
    numbers: list[float] = []
    for powers in polynomials.values():
        degree = tuple(map(max, zip(*powers, strict=True)))
        listed = list(product(*(range(d + 1) for d in degree)))
        if box is None or len(listed) > len(powers) or len(degree) != len(box):
            continue
        change = _powers(degree, box)
        for i, j in zip(*change.nonzero(), strict=True):
            rows.append(powers[listed[i]])
            columns.append(powers[listed[j]])
            numbers.append(change[i, j])
        left -= set(powers.values())
    rows, columns, numbers = [*rows, *left], [*columns, *left], [*numbers, *[1.0] * len(left)]
    return sparse.csc_matrix((numbers, (rows, columns)), shape=(len(column), len(column)))


def without_rounding(matrix: Any) -> Any:
    """Return a sparse matrix without entries that are rounding alone."""
    matrix.data[np.abs(matrix.data) < _NOTHING] = 0.0
    matrix.eliminate_zeros()
    return matrix


def _powers(degree: Sequence[int], box: Box) -> NDArray[np.float64]:
    """Return the coefficients of powers of each of Bernstein's polynomials over a box, in the order of `product`."""
    sides = [
        np.linalg.inv(np.array([power_in_bernstein(i, d, low, high) for i in range(d + 1)], dtype=float).T)
        for d, (low, high) in zip(degree, box, strict=True)
    ]
    return reduce(np.kron, sides)
