"""Noise with heavy tails: a moment below the second exists, the variance does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require
from boundcheck.problems.noise.base import PointNoise

if TYPE_CHECKING:
    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Array, Token, Words

_FLOOR = 2.0**-54
"""Half the distance of two uniforms: what stands for 0, so that no size is infinite."""


class ParetoNoise(PointNoise):
    """In one random coordinate, with a random sign, a size of Pareto's law.

    P(size > z) = (z/scale)^-tail for z >= scale.  Its moments below `tail` exist.  The one of order p = (1 + tail)/2
    is certified: scale = sigma ((tail - p)/tail)^(1/p) makes E|n|^p = scale^p tail/(tail - p) = sigma^p.  There is
    no variance, and no largest size.

    Parameters
    ----------
    sigma : float
        (E|n|^p)^(1/p).
    d : int
        Dimension.
    tail : float
        Above 1 and at most 2.

    Raises
    ------
    InputError
        If `tail` is another number.
    """

    clients_axis = 1
    white = False
    sup = float("inf")

    def __init__(self, sigma: float, d: int, tail: float) -> None:
        super().__init__(sigma, d)
        require(1 < tail <= 2, "tail", tail, "a number in (1, 2]")
        self.tail = tail
        self.kind = f"pareto-{tail:g}"
        self.order = (1 + tail) / 2
        self.scale = sigma * ((tail - self.order) / tail) ** (1 / self.order)

    @property
    def moment(self) -> tuple[float, float]:
        return self.order, self.sigma

    def words(self, clients: int, b: int) -> int:
        """Return two words a sample: one for the size, one for place and sign."""
        return 2 * b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` errors, shape (lanes, clients, d)."""
        first, second = np.moveaxis(raw.reshape(len(raw), 2, b, clients), 1, 0)
        uniform = (first >> np.uint64(11)).astype(np.float64) * 2.0**-53
        # Place and sign are the rest of the second word by twice the dimension.
        which = (second % np.uint64(2 * self.d)).astype(np.intp)
        signed = self.sizes(uniform) * np.where(which % 2 == 0, 1.0, -1.0)
        errors = signed[..., None] * (np.arange(self.d) == which[..., None] // 2)
        mean: Array = errors.mean(axis=1)
        return mean

    def sizes(self, levels: Array) -> Array:
        """Return the sizes that are exceeded with these probabilities."""
        sizes: Array = self.scale * np.maximum(levels, _FLOOR) ** (-1.0 / self.tail)
        return sizes

    def support(self, x: Array) -> Array:
        """Refuse: the law has no list.

        Raises
        ------
        NotApplicableError
            Always.
        """
        msg = f"{self.kind} noise has no list of outcomes"
        raise NotApplicableError(msg)

    def sample_coordinate(self, coordinate: Constant) -> None:
        """Return None: samples are unbounded."""

    def deviation(self, norm: Constant | None) -> None:
        """Return None: there is no variance, and with it no G_rms."""
