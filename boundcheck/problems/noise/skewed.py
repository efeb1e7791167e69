"""Two atoms of different size in one random coordinate: a rare large error against many small ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.noise.base import PointNoise, every_choice

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token, Words


class SkewedNoise(PointNoise):
    """In one random coordinate sigma sqrt(odds - 1) once in `odds` samples, else -sigma/sqrt(odds - 1).

    Mean 0 and covariance sigma^2/d I exactly, as for signs; the skewness of the two atoms is
    (odds - 2)/sqrt(odds - 1), so that odds = 2 gives a sign.

    Parameters
    ----------
    sigma : float
        Standard deviation of one sample, over all coordinates.
    d : int
        Dimension.
    odds : int
        >= 2.

    Raises
    ------
    InputError
        If `odds` is smaller.
    """

    kind = "skewed"

    def __init__(self, sigma: float, d: int, odds: int) -> None:
        super().__init__(sigma, d)
        require(odds >= 2, "odds", odds, "an integer >= 2")
        self.odds = odds
        rare = np.sqrt(odds - 1.0)
        atoms = np.full(odds, -1.0 / rare)
        atoms[0] = rare
        units = self.sigma * np.eye(d)
        self._outcomes: Array = (atoms[:, None, None] * units).reshape(-1, d)
        self.norms = np.linalg.norm(self._outcomes, axis=1)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample, which decides the outcome."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` errors, shape (lanes, clients, d)."""
        return self._outcomes[draw_indices(raw, len(self._outcomes), (len(raw), b, clients))].mean(axis=1)

    @property
    def sup(self) -> float:
        """The rare atom."""
        return float(self._outcomes.max())

    def support(self, x: Array) -> Array:
        """Return the odds d outcomes."""
        return self._outcomes

    def every(self, clients: int) -> Token:
        """Return all joint choices of the outcomes."""
        return self._outcomes[every_choice(len(self._outcomes), clients)]

    def every_bits(self, clients: int) -> float:
        """Return the bits of one outcome, a client each."""
        return clients * math.log2(len(self._outcomes))
