"""Noise with few outcomes a sample, so that joint expectations can be enumerated: phases, spikes, dropout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import NotApplicableError, require_count
from boundcheck.problems.constants import Constant, upper
from boundcheck.problems.noise.base import Noise, PhaseNoise, every_choice

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices, Token, Words


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
        index = raw.astype("<u8", copy=False).view(np.uint16)[:, : b * clients] % self._CHOICES
        return index.reshape(len(raw), b, clients, 1) * (np.pi / 2)

    def support(self, x: Array) -> Array:
        """Return the four samples."""
        angles = np.arange(self._CHOICES) * (np.pi / 2)
        return self.sup * np.sin(angles[:, None] + self.omega * x)

    def every(self, clients: int) -> Token:
        """Return all 4^clients choices of the phases."""
        return every_choice(self._CHOICES, clients)[:, None, :, None] * (np.pi / 2)

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return L + s omega: reached where a multiple of pi/2 is the phase that is needed, as it is at x = 0."""
        total = super().sample_smoothness(smooth)
        if smooth.at is not None and not smooth.at.any():
            return total
        return upper(total.value, f"{smooth.reason}; the phase that the noise needs there may not be among the four")


class SparseNoise(Noise):
    """A spike in one random coordinate: +-sigma sqrt(rarity) with probability 1/rarity, else nothing.

    Mean 0 and covariance sigma^2/d I exactly, as for signs, but the sup norm is sqrt(d rarity) times larger: the
    variance is bounded and the tails are as heavy as this allows.
    """

    def __init__(self, sigma: float, d: int, rarity: int = 1) -> None:
        super().__init__(sigma, d)
        self.rarity = rarity
        self.kind = "sparse" if rarity == 1 else "spikes"
        spikes = self.sup * np.eye(d)
        self._outcomes = np.concatenate([spikes, -spikes, np.zeros((2 * d * (rarity - 1), d))])

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample; the word modulo the number of outcomes is the outcome."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` spikes, shape (lanes, clients, d)."""
        chosen = (raw % np.uint64(len(self._outcomes))).astype(np.intp).reshape(len(raw), b, clients)
        return self._outcomes[chosen].mean(axis=1)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the spikes; they do not depend on `x`."""
        g += token
        return g

    @property
    def sup(self) -> float:
        """Return sigma sqrt(rarity)."""
        return self.sigma * float(np.sqrt(self.rarity))

    @property
    def curvature(self) -> float:
        """Return 0: the noise is the same at every point."""
        return 0.0

    def support(self, x: Array) -> Array:
        """Return the 2 d rarity outcomes."""
        return self._outcomes

    def every(self, clients: int) -> Token:
        """Return all joint choices of the outcomes."""
        return self._outcomes[every_choice(len(self._outcomes), clients)]


class CommonNoise(Noise):
    """The same draw of another noise for all clients of a lane: averaging over clients does not reduce it."""

    white = False

    def __init__(self, inner: Noise) -> None:
        super().__init__(inner.sigma, inner.d)
        self.inner = inner
        self.kind = f"common-{inner.kind}"

    def words(self, clients: int, b: int) -> int:
        """Return what one client spends."""
        return self.inner.words(1, b)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the token of one client, which spreads over all of them."""
        return self.inner.token(raw, 1, b)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the same sample to every client."""
        return self.inner.add(g, x, token)

    @property
    def sup(self) -> float:
        """Return that of the inner noise."""
        return self.inner.sup

    @property
    def curvature(self) -> float:
        """Return that of the inner noise."""
        return self.inner.curvature

    def support(self, x: Array) -> Array:
        """Return that of the inner noise: one client sees nothing unusual."""
        return self.inner.support(x)

    def every(self, clients: int) -> Token:
        """Return the outcomes of one client."""
        return self.inner.every(1)

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return that of the inner noise."""
        return self.inner.sample_smoothness(smooth)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return that of the inner noise."""
        return self.inner.mean_square_smoothness(smooth)


class DropoutNoise(Noise):
    """Multiplicative noise: the sample gradient is `odds` times the exact one with probability 1/odds, else 0.

    Its variance is (odds - 1) |grad f_i(x)|^2.  So sigma exists on all of R^d only where gradients are bounded, by
    G say, and then is G sqrt(odds - 1); elsewhere the same formula holds on any region with G its largest gradient.
    """

    kind = "dropout"
    white = False

    def __init__(self, odds: int, d: int) -> None:
        require_count(odds, "odds", 2)
        super().__init__(0.0, d)
        self.odds = int(odds)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample; it is kept when the word is a multiple of `odds`."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the factors, averaged over `b` samples, shape (lanes, clients, 1)."""
        return self._factors((raw % np.uint64(self.odds)).astype(np.intp).reshape(len(raw), b, clients)).mean(axis=1)

    def _factors(self, chosen: Indices) -> Array:
        return np.where(chosen == 0, float(self.odds), 0.0)[..., None]

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Multiply by the factors."""
        g *= token
        return g

    @property
    def sup(self) -> float:
        """Refuse: it is relative to the gradient."""
        raise self._relative()

    @property
    def curvature(self) -> float:
        """Refuse: it is relative to the curvature of the client."""
        raise self._relative()

    def support(self, x: Array) -> Array:
        """Refuse: it is relative to the gradient, see `around`."""
        raise self._relative()

    def _relative(self) -> NotApplicableError:
        return NotApplicableError("dropout noise is relative to the gradient: it has no size of its own")

    def around(self, g: Array, x: Array) -> Array:
        """Return odds times the gradient once, and odds - 1 times zero."""
        return self._factors(np.arange(self.odds)) * g

    def every(self, clients: int) -> Token:
        """Return all joint choices of the factors."""
        return self._factors(every_choice(self.odds, clients))

    def sample_smoothness(self, smooth: Constant) -> Constant:
        """Return odds L."""
        return Constant(self.odds * smooth.value, smooth.kind, f"{smooth.reason}, times the odds", smooth.at)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        """Return sqrt(odds) L: the square of the factor has mean odds."""
        total = float(np.sqrt(self.odds)) * smooth.value
        return Constant(total, smooth.kind, f"{smooth.reason}, times the root of the odds", smooth.at)

    def sample_coordinate(self, coordinate: Constant) -> Constant:
        """Return odds times the largest coordinate."""
        return Constant(
            self.odds * coordinate.value, coordinate.kind, f"{coordinate.reason}, times odds", coordinate.at
        )

    def deviation(self, norm: Constant | None) -> Constant | None:
        """Return sqrt(odds - 1) times the largest gradient; None where gradients are unbounded."""
        if norm is None:
            return None
        value = norm.value * float(np.sqrt(self.odds - 1))
        return Constant(value, norm.kind, f"sqrt(odds - 1) times the largest gradient: {norm.reason}", norm.at)
