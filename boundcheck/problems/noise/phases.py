"""Random phases: noise that changes with the point, continuous or with four outcomes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, upper
from boundcheck.problems.noise.base import Noise, every_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boundcheck.problems.types import Array, Token, Words

ANGLE = 2 * np.pi / (1 << 16)
"""Angles are multiples of it, one for each 16-bit number."""
COMMON_PHASES: Array = np.arange(256.0) * (2 * np.pi / 256)
"""Phases that stand for all angles in exact moments: any three or more equally spaced ones have the same."""


def shorts(raw: Words, number: int) -> NDArray[np.uint16]:
    """Return the first `number` 16-bit pieces of every lane's words, in the same order on every machine."""
    return raw.astype("<u8", copy=False).view(np.uint16)[:, :number]


class PhaseNoise(Noise):
    """Random phases: coordinate j gets s sin(omega x_j + p_j), s = sigma sqrt(2/d), p_j uniform on 2^16 angles.

    Equally spaced angles (three or more) give mean 0 and variance s^2/2 exactly at every x, so sigma is exact, and
    the noise changes with x: the two evaluations of a variance-reduced step differ.
    """

    kind = "phases"
    clients_axis = 2

    def __init__(self, sigma: float, d: int, omega: float = 1.0) -> None:
        super().__init__(sigma, d)
        require(omega > 0, "omega", omega, "a number > 0")
        self.omega = float(omega)

    def words(self, clients: int, b: int) -> int:
        """Return 16 bits a coordinate, rounded up to whole words."""
        return -(-b * clients * self.d // 4)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the angles, shape (lanes, b, clients, d)."""
        return shorts(raw, b * clients * self.d).reshape(len(raw), b, clients, self.d) * ANGLE

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the mean of the `b` phase vectors at `x`."""
        wave = np.sin(token + (self.omega * x)[:, None])
        g += self.sup * (wave[:, 0] if wave.shape[1] == 1 else wave.mean(axis=1))
        return g

    @property
    def sup(self) -> float:
        """Sigma sqrt(2/d)."""
        return self.sigma * float(np.sqrt(2 / self.d))

    @property
    def curvature(self) -> float:
        """S omega, reached in one coordinate at the right phase."""
        return self.sup * self.omega

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return sqrt(L^2 + s^2 omega^2 / 2).

        The noise has mean 0, so squares add up; and the mean over the phases of (sin(a + p) - sin(b + p))^2 is
        2 sin^2((a - b)/2) <= (a - b)^2/2, with equality for small moves at every x and in every direction.
        """
        total = float(np.hypot(smooth.value, self.curvature / np.sqrt(2)))
        return Constant(total, smooth.kind, f"{smooth.reason}; waves of mean square 1/2 added", smooth.at)

    def support(self, x: Array) -> Array:
        """Return 256 outcomes with a common phase: any three or more equally spaced angles have the same moments."""
        return self._waves(COMMON_PHASES, x)

    def _waves(self, angles: Array, x: Array) -> Array:
        return self.sup * np.sin(angles[:, None] + self.omega * x)


class FinitePhaseNoise(PhaseNoise):
    """Four phases: every coordinate gets s sin(omega x_c + p), p one of 0, pi/2, pi, 3 pi/2, the same for all c.

    The four samples average to the exact gradient, so a full batch exists; mean and variance are as for `PhaseNoise`.
    """

    kind = "finite-phases"
    white = False
    _CHOICES = 4

    def words(self, clients: int, b: int) -> int:
        """Return 16 bits a sample, rounded up to whole words."""
        return -(-b * clients // 4)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the angles, shape (lanes, b, clients, 1)."""
        return (shorts(raw, b * clients) % self._CHOICES).reshape(len(raw), b, clients, 1) * (np.pi / 2)

    def support(self, x: Array) -> Array:
        """Return the four samples."""
        return self._waves(np.arange(float(self._CHOICES)) * (np.pi / 2), x)

    def every(self, clients: int) -> Token:
        """Return all 4^clients choices of the phases."""
        return every_choice(self._CHOICES, clients)[:, None, :, None] * (np.pi / 2)

    def every_bits(self, clients: int) -> float:
        """Return the bits of one phase, a client each."""
        return clients * math.log2(self._CHOICES)

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return L + s omega: reached where a multiple of pi/2 is the phase that is needed, as it is at x = 0."""
        total = super().sample_smoothness(smooth)
        if smooth.at is not None and not smooth.at.any():
            return total
        return upper(total.value, f"{smooth.reason}; the phase that the noise needs there may not be among the four")
