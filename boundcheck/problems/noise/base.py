"""Gradient noise with an exact variance: the contract, random signs and random phases.

A model turns raw random words into a token once and evaluates the token at any point, so that methods which look at
the same sample twice (STORM, SARAH) see the same function twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require
from boundcheck.problems.constants import Constant, exact, upper

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices, Token, Words

_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)


class Noise(ABC):
    """Zero-mean gradient noise of one sample: E|n(x)|^2 = sigma^2 at every x."""

    kind: str
    """Name in problem files."""
    white: bool = True
    """Independent across clients, covariance sigma^2/d I at every x: what linear moment recursions need."""

    def __init__(self, sigma: float, d: int) -> None:
        require(sigma >= 0, "sigma", sigma, "a number >= 0")
        self.sigma = float(sigma)
        self.d = d

    @abstractmethod
    def words(self, clients: int, b: int) -> int:
        """Return how many 64-bit words a lane spends on one minibatch for `clients` clients."""

    @abstractmethod
    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Turn raw words (lanes, words) into a minibatch."""

    @abstractmethod
    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the noise of the minibatch at `x` to `g` in place and return it."""

    @property
    @abstractmethod
    def sup(self) -> float:
        """Largest absolute coordinate of the noise of one sample."""

    @property
    @abstractmethod
    def curvature(self) -> float:
        """Lipschitz constant of the noise of one sample as a function of x."""

    @abstractmethod
    def support(self, x: Array) -> Array:
        """Return equally likely noise vectors (outcomes, d) at one point whose law has the moments of the noise.

        Coordinates are independent, so enumerating each coordinate alone gives exact means and variances.
        """

    def around(self, g: Array, x: Array) -> Array:
        """Return equally likely sample gradients (outcomes, d) at one point with exact gradient `g` (1, d)."""
        outcomes: Array = g + self.support(x)
        return outcomes

    def every(self, clients: int) -> Token:
        """Return a token whose lanes are all equally likely joint samples of `clients` clients.

        Raises
        ------
        NotApplicableError
            If there are too many of them.
        """
        msg = f"{self.kind} noise has too many outcomes to enumerate"
        raise NotApplicableError(msg)

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return L_sample for exact gradients of smoothness `smooth`."""
        if not self.curvature:
            return smooth
        return Constant(smooth.value + self.curvature, smooth.kind, f"{smooth.reason}; noise peaks too", smooth.at)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return L_rms for exact gradients of smoothness `smooth`."""
        return smooth

    def sample_coordinate(self, coordinate: Constant) -> Constant:
        """Return G_inf for client gradients whose coordinates reach `coordinate`, with both signs."""
        total = coordinate.value + self.sup
        if self.curvature:
            return upper(total, f"{coordinate.reason}; noise is largest there only in some phase")
        return Constant(total, coordinate.kind, f"{coordinate.reason}; noise aligns", coordinate.at)

    def deviation(self, norm: Constant | None) -> Constant | None:
        """Return sigma for client gradients whose norm reaches `norm` (None: unbounded)."""
        return exact(self.sigma, f"{self.kind} noise has this norm at every x")


class NoNoise(Noise):
    """The exact oracle."""

    kind = "none"

    def words(self, clients: int, b: int) -> int:
        """Return 0."""
        return 0

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return None: there is nothing to draw."""
        return None

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Return `g`."""
        return g

    @property
    def sup(self) -> float:
        """Return 0."""
        return 0.0

    @property
    def curvature(self) -> float:
        """Return 0."""
        return 0.0

    def support(self, x: Array) -> Array:
        """Return the zero vector."""
        return np.zeros((1, self.d))

    def every(self, clients: int) -> Token:
        """Return the only outcome."""
        return np.zeros((1, clients, self.d))


class SignNoise(Noise):
    """Independent random signs of size sigma / sqrt(d): the norm is sigma surely, the sup norm is bounded."""

    kind = "signs"

    def __init__(self, sigma: float, d: int) -> None:
        super().__init__(sigma, d)
        self._table = np.where(_BITS == 1, self.sup, -self.sup)

    def words(self, clients: int, b: int) -> int:
        """Return one bit a coordinate, rounded up to whole words."""
        return -(-b * clients * self.d // 64)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` sign vectors, shape (lanes, clients, d)."""
        lanes, words = raw.shape
        signs = np.empty((lanes * words * 8, 8))
        bits = raw.astype("<u8", copy=False).view(np.uint8).reshape(-1)
        self._table.take(bits, axis=0, out=signs, mode="clip")
        used = signs.reshape(lanes, words * 64)[:, : b * clients * self.d]
        if b == 1:
            return used.reshape(lanes, clients, self.d)
        return used.reshape(lanes, b, clients, self.d).mean(axis=1)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the signs; they do not depend on `x`."""
        g += token
        return g

    @property
    def sup(self) -> float:
        """Return sigma / sqrt(d)."""
        return self.sigma / float(np.sqrt(self.d))

    @property
    def curvature(self) -> float:
        """Return 0: the noise is the same at every point."""
        return 0.0

    def support(self, x: Array) -> Array:
        """Return the two sign vectors, which have the coordinate laws of the noise."""
        return np.stack([np.full(self.d, self.sup), np.full(self.d, -self.sup)])

    def every(self, clients: int) -> Token:
        """Return all 2^(clients d) sign patterns."""
        bits = every_choice(2, clients * self.d)
        patterns: Array = np.where(bits == 1, self.sup, -self.sup)
        return patterns.reshape(len(bits), clients, self.d)


class PhaseNoise(Noise):
    """Random phases: coordinate j gets s sin(omega x_j + p_j), s = sigma sqrt(2/d), p_j uniform on 2^16 angles.

    Equally spaced angles (three or more) give mean 0 and variance s^2/2 exactly at every x, so sigma is exact, and
    the noise changes with x: the two evaluations of a variance-reduced step differ.
    """

    kind = "phases"
    _ANGLES = 1 << 16
    _ENUMERATED = 256

    def __init__(self, sigma: float, d: int, omega: float = 1.0) -> None:
        super().__init__(sigma, d)
        require(omega > 0, "omega", omega, "a number > 0")
        self.omega = float(omega)

    def words(self, clients: int, b: int) -> int:
        """Return 16 bits a coordinate, rounded up to whole words."""
        return -(-b * clients * self.d // 4)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the angles, shape (lanes, b, clients, d)."""
        lanes = len(raw)
        index = raw.astype("<u8", copy=False).view(np.uint16)[:, : b * clients * self.d]
        return index.reshape(lanes, b, clients, self.d) * (2 * np.pi / self._ANGLES)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the mean of the `b` phase vectors at `x`."""
        wave = np.sin(token + (self.omega * x)[:, None])
        g += self.sup * (wave[:, 0] if wave.shape[1] == 1 else wave.mean(axis=1))
        return g

    @property
    def sup(self) -> float:
        """Return sigma sqrt(2/d)."""
        return self.sigma * float(np.sqrt(2 / self.d))

    @property
    def curvature(self) -> float:
        """Return s omega, reached in one coordinate at the right phase."""
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
        angles = np.arange(self._ENUMERATED) * (2 * np.pi / self._ENUMERATED)
        return self.sup * np.sin(angles[:, None] + self.omega * x)


def every_choice(choices: int, units: int) -> Indices:
    """Return all choices^units ways to choose for every unit, shape (ways, units).

    Raises
    ------
    NotApplicableError
        If there are more than 2^18.
    """
    if units * np.log2(choices) > 18:
        msg = f"{choices}^{units} joint samples are too many to enumerate: take fewer clients or dimensions"
        raise NotApplicableError(msg)
    grids = np.meshgrid(*[np.arange(choices)] * units, indexing="ij")
    return np.stack([grid.ravel() for grid in grids], axis=1)
