"""Linear algebra over Q: combinations of rows, and the pivots of a positive semidefinite matrix."""

from __future__ import annotations

import math
from fractions import Fraction

Row = list[Fraction]


def combination(rows: list[Row], target: Row) -> Row | None:
    """Return coefficients with which rows add up to `target`, or None if there are none.

    Where several would do, coefficients that need not be there are 0.
    """
    table = [[row[k] for row in rows] + [target[k]] for k in range(len(target))]
    pivots: list[int] = []
    for column in range(len(rows)):
        done = len(pivots)
        pivot = next((i for i in range(done, len(table)) if table[i][column]), None)
        if pivot is None:
            continue
        pivots.append(column)
        table[done], table[pivot] = table[pivot], table[done]
        lead = table[done][column]
        table[done] = [v / lead for v in table[done]]
        for i, row in enumerate(table):
            if i != done and (c := row[column]):
                table[i] = [v - c * w for v, w in zip(row, table[done], strict=True)]
    if any(row[-1] for row in table[len(pivots) :]):
        return None
    found = [Fraction(0)] * len(rows)
    for column, row in zip(pivots, table, strict=False):
        found[column] = row[-1]
    return found


def squares(matrix: list[Row]) -> list[tuple[Fraction, Row]] | None:
    """Return a symmetric matrix as a sum of squares, or None if it is not positive semidefinite.

    Parameters
    ----------
    matrix : list of list of Fraction
        Symmetric.

    Returns
    -------
    list of (Fraction, list of Fraction), or None
        Weights >= 0 and vectors v with ``matrix = sum weight v v'``: the pivots of LDL'.
    """
    rest = [list(row) for row in matrix]
    found = []
    for k in range(len(rest)):
        pivot = rest[k][k]
        if pivot < 0 or (pivot == 0 and any(rest[k][k:])):
            return None
        if pivot == 0:
            continue
        v = [Fraction(0)] * k + [rest[k][j] / pivot for j in range(k, len(rest))]
        found.append((pivot, v))
        for i in range(k + 1, len(rest)):
            if v[i]:
                scaled = pivot * v[i]
                for j in range(i, len(rest)):
                    rest[i][j] -= scaled * v[j]
                    rest[j][i] = rest[i][j]
    return found


def rounded_up(value: Fraction) -> float:
    """Return the least float that is no smaller."""
    found = float(value)
    return found if Fraction(found) >= value else math.nextafter(found, math.inf)
