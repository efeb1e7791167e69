"""Two atoms of different size in one random coordinate: a rare large error against many small ones."""

from __future__ import annotations

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.noise.base import ListedNoise


class SkewedNoise(ListedNoise):
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
        require(odds >= 2, "odds", odds, "an integer >= 2")
        self.odds = odds
        rare = np.sqrt(odds - 1.0)
        atoms = np.full(odds, -1.0 / rare)
        atoms[0] = rare
        super().__init__(sigma, (atoms[:, None, None] * (float(sigma) * np.eye(d))).reshape(-1, d))

    @property
    def sup(self) -> float:
        """The rare atom."""
        return float(self._outcomes.max())
