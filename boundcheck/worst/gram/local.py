"""Coordinates in which points of neighbouring rounds are short: states in the place of as many of their gradients.

A server iterate is the sum of all gradients before it, and so is a momentum.  Each state after a round stands in the
basis in the place of one vector that the round brought; what a round does is then a combination of two states and its
own vectors, and conditions between neighbouring points have few entries, whatever T is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.worst.gram.rows import Array

_ROUNDING = 1e-12
"""What a subtraction leaves of a coordinate that is 0."""
_SINGULAR = 1e-3
"""Least share that a vector has beside those before it, to stand in the basis."""


class LocalBasis:
    """A basis of groups: the first vectors of a group are states, the others are old basis vectors.

    Parameters
    ----------
    size : int
        Number of old basis vectors.
    groups : sequence of (list of int, list of Array)
        For each round the old basis vectors that it brought and the states after it, by their old coordinates.
    """

    def __init__(self, size: int, groups: Sequence[tuple[list[int], list[Array]]]) -> None:
        self._size = size
        self._members = [np.array(members, dtype=int) for members, _ in groups]
        self._group_of = np.zeros(size, dtype=int)
        for number, members in enumerate(self._members):
            self._group_of[members] = number
        made = [_exchange(size, list(members), states) for members, states in groups]
        self._rows = [rows for rows, _ in made]
        self._inverses = [inverse for _, inverse in made]

    def coordinates(self, vector: Array) -> Array:
        """Return the new coordinates of a vector, at the places of the old ones."""
        left, found = vector.astype(float), np.zeros(self._size)
        scale = np.abs(left).max(initial=0.0)
        while (places := np.flatnonzero(np.abs(left) > _ROUNDING * scale)).size:
            number = int(self._group_of[places].max())
            members = self._members[number]
            found[members] = left[members] @ self._inverses[number]
            left = left - found[members] @ self._rows[number]
            left[members] = 0.0
        found[np.abs(found) < _ROUNDING * scale] = 0.0
        return found

    @property
    def matrix(self) -> Array:
        """Return the new basis vectors by their old coordinates, row by row."""
        matrix = np.zeros((self._size, self._size))
        for members, rows in zip(self._members, self._rows, strict=True):
            matrix[members] = rows
        return matrix


def _exchange(size: int, members: list[int], states: Sequence[Array]) -> tuple[Array, Array]:
    """Return the vectors of a group and the inverse of what they are in the old ones of the group."""
    units = np.eye(size)[members]
    chosen: list[Array] = []
    for vector in (*states, *units):
        if len(chosen) == len(members):
            break
        own = np.array([row[members] for row in (*chosen, vector)])
        length = np.linalg.norm(own[-1])
        if length > _ROUNDING and np.linalg.svd(own / np.linalg.norm(own, axis=1)[:, None])[1][-1] > _SINGULAR:
            chosen.append(vector.astype(float))
    rows: Array = np.array(chosen).reshape(len(members), size)
    inverse: Array = np.array(np.linalg.inv(rows[:, members]) if members else np.zeros((0, 0)))
    return rows, inverse
