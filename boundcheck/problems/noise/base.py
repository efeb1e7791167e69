"""Gradient noise with an exact variance: the contract, and the exact oracle.

A model turns raw random words into a token once and evaluates the token at any point, so that methods which look at
the same sample twice (STORM, SARAH) see the same function twice.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require
from boundcheck.problems.arrays import draw_indices
from boundcheck.problems.constants import Constant, exact, upper

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Token, Words


class Noise(ABC):
    """Zero-mean gradient noise of one sample: E|n(x)|^2 = sigma^2 at every x."""

    kind: str
    """Name in problem files."""
    white: bool = True
    """Independent across clients, covariance sigma^2/d I at every x: what linear moment recursions need."""
    independent: bool = True
    """Whether the samples of different clients are independent, so that averaging over clients divides the variance."""
    clients_axis: int | None = None
    """The axis of clients in a token's array; None where a token is no array, or its clients are not apart."""

    linear: bool = False
    """Whether a sample adds a linear function, the same noise at every point."""
    second_moment_factor: float | None = None
    """E|g|^2 over |grad f_i|^2 where that is a constant: noise that vanishes with the gradient."""
    norms: Array | None = None
    """Equally likely norms of one sample, where it is a vector from a list; None where no list has the norm right."""

    def __init__(self, sigma: float, d: int) -> None:
        require(sigma >= 0, "sigma", sigma, "a number >= 0")
        self.sigma = float(sigma)
        self.d = d

    @property
    def moment(self) -> tuple[float, float] | None:
        """An order p below 2 and (E|n|^p)^(1/p), of noise that has no variance; else None."""
        return None

    def sizes(self, levels: Array) -> Array:
        """Return the norms that one sample exceeds with these probabilities.

        Raises
        ------
        NotApplicableError
            Unless the noise has heavy tails.
        """
        msg = f"{self.kind} noise has a list of outcomes, not a law of sizes"
        raise NotApplicableError(msg)

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
        """Return equally likely noise vectors (outcomes, d) at one point that are right coordinate by coordinate.

        Each coordinate has the law of the noise, or its moments, alone.  Independent coordinates are not enumerated
        jointly: here they may be fully correlated, as the two vectors (s, ..., s) and -(s, ..., s) of signs are.
        """

    def around(self, g: Array, x: Array) -> Array:
        """Return equally likely sample gradients (outcomes, d) at one point with exact gradient `g` (1, d)."""
        return g + self.support(x)

    def every(self, clients: int) -> Token:
        """Return a token whose lanes are all equally likely joint samples of `clients` clients.

        Raises
        ------
        NotApplicableError
            If there are too many of them.
        """
        msg = f"{self.kind} noise has too many outcomes to enumerate"
        raise NotApplicableError(msg)

    def every_bits(self, clients: int) -> float:
        """Return log2 of how many samples `every` lists, without listing them; 0 where only the list tells."""
        return 0.0

    def samples(
        self, smooth: Constant, coordinate: Constant | None, norm: Constant | None
    ) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, G_rms and G_inf of samples from the suprema of the exact client gradients.

        Parameters
        ----------
        smooth : Constant
            L of the clients.
        coordinate, norm : Constant or None
            Largest coordinate and largest norm of a client gradient; None where it is unbounded or not known.
        """
        return {
            "L": smooth,
            "L_sample": self.sample_smoothness(smooth),
            "L_rms": self.mean_square_smoothness(smooth),
            "sigma": self.deviation(norm),
            **({} if norm is None else {"G_rms": self.second_moment(norm)}),
            **({} if coordinate is None else {"G_inf": self.sample_coordinate(coordinate)}),
        }

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return L_sample for exact gradients of smoothness `smooth`."""
        if not self.curvature:
            return smooth
        return Constant(smooth.value + self.curvature, smooth.kind, f"{smooth.reason}; noise peaks too", smooth.at)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return L_rms for exact gradients of smoothness `smooth`."""
        return smooth

    def sample_coordinate(self, coordinate: Constant) -> Constant | None:
        """Return G_inf for client gradients whose coordinates reach `coordinate`, with both signs; None if infinite."""
        total = coordinate.value + self.sup
        if self.curvature:
            # Waves peak where their phase says, which need not be where the gradient is steepest.
            return upper(total, f"{coordinate.reason}; noise is largest there only in some phase")
        return Constant(total, coordinate.kind, f"{coordinate.reason}; noise aligns", coordinate.at)

    def deviation(self, norm: Constant | None) -> Constant | None:
        """Return sigma for client gradients whose norm reaches `norm` (None: unbounded)."""
        return exact(self.sigma, f"{self.kind} noise has this norm at every x")

    def second_moment(self, norm: Constant) -> Constant | None:
        """Return G_rms for client gradients whose norm reaches `norm`: E|g|^2 = |grad f_i|^2 + E|n|^2."""
        deviation = self.deviation(norm)
        if deviation is None:
            return None
        # Without the point where the norm is attained nobody can show that the sum is.
        both = norm.kind if deviation.kind == "exact" and norm.at is not None else "upper"
        return Constant(
            float(np.hypot(norm.value, deviation.value)), both, f"{norm.reason}; noise adds sigma^2", norm.at
        )


class PointNoise(Noise):
    """Noise whose sample is one vector, the same at every point: a token is its mean over the minibatch."""

    curvature = 0.0
    linear = True

    def add(self, g: Array, x: Array, token: Token) -> Array:
        g += token
        return g


class ListedNoise(PointNoise):
    """Noise that is one vector of a short list, all of them equally likely.

    Parameters
    ----------
    sigma : float
        Standard deviation of one sample, over all coordinates.
    outcomes : (outcomes, d) array
        The list; a vector that is likelier stands in it several times.
    """

    def __init__(self, sigma: float, outcomes: Array) -> None:
        super().__init__(sigma, outcomes.shape[1])
        self._outcomes = outcomes
        self.norms = np.linalg.norm(outcomes, axis=1)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample, which decides the outcome."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` outcomes, shape (lanes, clients, d)."""
        return self._outcomes[draw_indices(raw, len(self._outcomes), (len(raw), b, clients))].mean(axis=1)

    def support(self, x: Array) -> Array:
        """Return the list."""
        return self._outcomes

    def every(self, clients: int) -> Token:
        """Return all joint choices of the outcomes."""
        return self._outcomes[every_choice(len(self._outcomes), clients)]

    def every_bits(self, clients: int) -> float:
        """Return the bits of one outcome, a client each."""
        return clients * math.log2(len(self._outcomes))


class NoNoise(Noise):
    """The exact oracle."""

    kind = "none"
    sup = 0.0
    curvature = 0.0
    linear = True
    second_moment_factor = 1.0
    clients_axis = 1
    norms = np.zeros(1)

    def words(self, clients: int, b: int) -> int:
        return 0

    def token(self, raw: Words, clients: int, b: int) -> Token:
        return None

    def add(self, g: Array, x: Array, token: Token) -> Array:
        return g

    def support(self, x: Array) -> Array:
        return np.zeros((1, self.d))

    def every(self, clients: int) -> Token:
        return np.zeros((1, clients, self.d))


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
