"""Whether a relation holds at all points: on each side of the centres it is a quadratic form in what is nonnegative."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.proofs.chain.refuting.model import NoModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.proofs.chain.refuting.model import Array, At, Model
    from boundcheck.proofs.language.grammar import Node
    from boundcheck.proofs.language.setting import Leaf

_MOST_COORDINATES = {True: 4, False: 12}
"""Where second derivatives jump, and where they do not."""
_DEAR = 40
"""What a matrix counts in work, where an expression counts 1."""
_GRID = 8
"""How finely directions are sampled in a search."""


def holds_at_all_points(model: Model, leaf: Leaf, at: At) -> bool:
    """Return whether a leaf about points holds at all of them, in every outcome, exactly.

    The difference of its sides is quadratic, and not negative exactly if its matrix is semidefinite; where second
    derivatives jump at the centres, on every side of them: its matrix in 1 and the distances from them is copositive.
    """
    for many, equal in _matrices(model, leaf, at):
        matrix = many[:, :, 0]
        if not all(isinstance(x, Fraction) for x in matrix.flat):
            raise NoModelError
        known = copositive if model.has_kinks else semidefinite
        if any(matrix.flat) if equal else not known(matrix):
            return False
    return True


def margin(model: Model, leaf: Leaf, at: At) -> Array:
    """Return the least value that is met of a leaf about points, per length, in floats, at every point of a search."""
    found: list[Array] = [np.zeros(1)]
    for matrix, equal in _matrices(model, leaf, at):
        model.work += _DEAR
        if equal:
            found.append(-np.abs(matrix).max(axis=(0, 1)))
        elif model.has_kinks:
            found.append((_squares(len(matrix)) @ matrix.reshape(-1, matrix.shape[2])).min(axis=0))
        else:
            found.append(np.linalg.eigvalsh(np.moveaxis(matrix, 2, 0))[:, 0])
    return np.min(np.broadcast_arrays(*found), axis=0)


@lru_cache(maxsize=16)
def directions(size: int) -> Array:
    """Return nonnegative directions, of sum 1."""
    steps = _GRID if size <= 3 else 4
    rows = [row for row in product(range(steps + 1), repeat=size) if sum(row) == steps]
    return np.array(rows, dtype=float) / steps


@lru_cache(maxsize=16)
def _squares(size: int) -> Array:
    """Return the products of two coordinates of each direction, a row a direction."""
    rows = directions(size)
    return (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)


def copositive(matrix: Array) -> bool:
    """Return whether x' M x >= 0 for all x >= 0, for a symmetric matrix of fractions.

    A matrix whose smaller principal matrices all are is not copositive exactly if its determinant is negative and its
    adjugate nonnegative [Hadeler 1983; Cottle, Habetler, Lemke 1970].
    """
    size = len(matrix)
    for count in range(1, size + 1):
        for rows in combinations(range(size), count):
            part = matrix[np.ix_(rows, rows)]
            if determinant(part) < 0 and all(x >= 0 for x in _adjugate(part)):
                return False
    return True


def semidefinite(matrix: Array) -> bool:
    """Return whether x' M x >= 0 for all x, for a symmetric matrix of fractions."""
    rows = [list(row) for row in matrix]
    while rows:
        pivot = rows[0][0]
        if pivot < 0 or (pivot == 0 and any(rows[0])):
            return False
        rows = [
            [x - (row[0] * y / pivot if pivot else 0) for x, y in zip(row[1:], rows[0][1:], strict=True)]
            for row in rows[1:]
        ]
    return True


def determinant(matrix: Array) -> Fraction:
    """Return the determinant of a matrix of fractions."""
    rows, found = [list(row) for row in matrix], Fraction(1)
    for k in range(len(rows)):
        pivot = next((r for r in range(k, len(rows)) if rows[r][k] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], found = rows[pivot], rows[k], -found
        found *= rows[k][k]
        for r in range(k + 1, len(rows)):
            by = rows[r][k] / rows[k][k]
            rows[r] = [x - by * y for x, y in zip(rows[r], rows[k], strict=True)]
    return found


def _adjugate(matrix: Array) -> Iterator[Fraction]:
    for i, j in product(range(len(matrix)), repeat=2):
        minor = np.delete(np.delete(matrix, i, axis=0), j, axis=1)
        yield (-1) ** (i + j) * determinant(minor)


def _matrices(model: Model, leaf: Leaf, at: At) -> Iterator[tuple[Array, bool]]:
    """Yield the matrix in (1, r) of each relation of a leaf, on each side of the centres and in each outcome.

    The last axis is that of the points of a search.
    """
    shape = model.shape
    clients = {name: shape.clients if kind == "client" else 1 for name, kind in leaf.points.items()}
    size = shape.dimension * sum(clients.values())
    if size > _MOST_COORDINATES[model.has_kinks]:
        raise NoModelError
    centre = model.functions[2] if _about_functions(leaf.shows) else model.zeros(1, 1, shape.dimension, 1)
    sides = tuple(product((1, -1), repeat=size)) if model.has_kinks else ((1,) * size,)
    # In fractions a side at a time: the first that fails ends it.
    for some in ((side,) for side in sides) if model.exact else (sides,):
        columns, points, start = _columns(some, exact=model.exact), {}, 0
        for name, count in clients.items():
            width = count * shape.dimension
            moved = columns[:, start : start + width].reshape(len(columns), count, shape.dimension, 1)
            points[name] = moved + (centre if centre.shape[1] in {1, count} else centre[:, :1])
            start += width
        found = [
            (_fit_quadratic(row.reshape(-1, len(some), row.shape[1]), size, model), equal)
            for values, equal in _differences(model, leaf.shows, at, points, len(some))
            for row in values
        ]
        yield from ((matrix[:, :, k], equal) for k in range(len(some)) for matrix, equal in found)


@lru_cache(maxsize=64)
def _columns(sides: tuple[tuple[int, ...], ...], *, exact: bool) -> Array:
    """Return the places of `_corners` on some sides of the centres: a row a place, the sides of a corner together."""
    size = len(sides[0])
    rows = np.array(list(_corners(size)))[:, None] * np.array(sides)
    rows = rows.reshape(-1, size)
    return rows.astype(object) * Fraction(1) if exact else rows.astype(float)


def _about_functions(node: Node) -> bool:
    return node.kind == "call" or any(_about_functions(part) for part in node.parts)


def _corners(size: int) -> Iterator[tuple[int, ...]]:
    """Yield places whose values determine a quadratic polynomial: 0, e, 2 e, e + e'."""
    yield (0,) * size
    for k in range(size):
        yield tuple(int(j == k) for j in range(size))
        yield tuple(2 * int(j == k) for j in range(size))
    for pair in combinations(range(size), 2):
        yield tuple(int(j in pair) for j in range(size))


def _fit_quadratic(values: Array, size: int, model: Model) -> Array:
    """Return symmetric matrices of quadratic polynomials by the values at `_corners`, (corners, sides, points)."""
    matrix = model.zeros(size + 1, size + 1, *values.shape[1:])
    first = values[0]
    matrix[0, 0] = first
    for k in range(size):
        one, two = values[1 + 2 * k], values[2 + 2 * k]
        square = (two - 2 * one + first) / 2
        matrix[k + 1, k + 1] = square
        matrix[0, k + 1] = matrix[k + 1, 0] = (one - first - square) / 2
    for place, (j, k) in enumerate(combinations(range(size), 2), start=1 + 2 * size):
        both = values[place] - first - sum(matrix[m + 1, m + 1] + 2 * matrix[0, m + 1] for m in (j, k))
        matrix[j + 1, k + 1] = matrix[k + 1, j + 1] = both / 2
    return matrix


def _differences(model: Model, relation: Node, at: At, points: dict[str, Array], sides: int) -> list[tuple[Any, bool]]:
    """Return each difference of the relation's two parts: (outcomes, places, points)."""
    count = len(next(iter(points.values())))
    if model.shape.has_entries(relation):
        columns = [
            [model.of(part, at, {name: x[k : k + 1] for name, x in points.items()}) for part in relation.parts]
            for k in range(count)
        ]
        values = [np.stack(np.broadcast_arrays(*column), axis=1) for column in zip(*columns, strict=True)]
    else:
        before = model.work
        values = [model.of(part, at, points) for part in relation.parts]
        values = [np.broadcast_to(value, (count, value.shape[1]))[None] for value in values]
        # Work is counted as if each side were computed alone.
        model.work += (sides - 1) * (model.work - before)
    signs = relation.name.split()
    return [
        (a - b if sign == ">=" else b - a, sign == "=") for sign, a, b in zip(signs, values, values[1:], strict=False)
    ]
