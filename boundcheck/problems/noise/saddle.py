"""The noise of saddles: a random phase a block, or random signs; both split an exact variance between the blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.noise.base import Noise, PointNoise
from boundcheck.problems.noise.phases import ANGLE, COMMON_PHASES, shorts
from boundcheck.problems.noise.signs import SignNoise

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Token, Words


class SaddleNoise(Noise):
    """Two random phases a sample: -tau p sin(<p, x> + phase) in x and -tau_y r sin(<r, y> + phase) in y.

    |p| = |r| = omega; the phases are independent and uniform on 2^16 equally spaced angles, so the mean is 0 and
    sigma^2 = (tau^2 + tau_y^2) omega^2 / 2 exactly at every point.
    """

    kind = "saddle phases"
    clients_axis = 2

    def __init__(self, sigma: float, d1: int, d2: int, *, dual_share: float = 0.5, omega: float = 1.0) -> None:
        super().__init__(sigma, d1 + d2)
        require(0 <= dual_share <= 1, "noise_dual_share", dual_share, "a number in [0, 1]")
        require(omega > 0, "omega", omega, "a number > 0")
        self.omega = float(omega)
        self.tau = self.sigma * float(np.sqrt(2 * (1 - dual_share))) / self.omega
        self.tau_y = self.sigma * float(np.sqrt(2 * dual_share)) / self.omega
        self._split = d1
        self._blocks = [d1, d2]
        self._p, self._r = _ridge_direction(d1, omega), _ridge_direction(d2, omega)
        self._heights = np.concatenate([self.tau * self._p, self.tau_y * self._r])

    def words(self, clients: int, b: int) -> int:
        """Return 32 bits a sample, rounded up to whole words."""
        return -(-b * clients // 2) if self.sigma else 0

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the angles of x and y, shape (lanes, b, clients, 2); None without noise."""
        if not self.sigma:
            return None
        return shorts(raw, 2 * b * clients).reshape(len(raw), b, clients, 2) * ANGLE

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add the mean of the `b` samples at `x`."""
        k = self._split
        angles = np.empty_like(x, shape=(len(x), 1, x.shape[1], 2))
        angles[..., 0] = np.vecdot(x[..., :k], self._p)[:, None]
        angles[..., 1] = np.vecdot(x[..., k:], self._r)[:, None]
        waves = _mean(np.sin(angles + token))
        g -= np.repeat(waves, np.array(self._blocks), axis=-1) * self._heights
        return g

    @property
    def sup(self) -> float:
        """The larger of tau max|p_c| and tau_y max|r_c|."""
        return max(self.tau * float(np.abs(self._p).max()), self.tau_y * float(np.abs(self._r).max()))

    @property
    def curvature(self) -> float:
        """max(tau, tau_y) omega^2."""
        return max(self.tau, self.tau_y) * self.omega**2

    @property
    def curvatures(self) -> tuple[float, float]:
        """Tau omega^2 and tau_y omega^2, the Lipschitz constants within each block."""
        return self.tau * self.omega**2, self.tau_y * self.omega**2

    def support(self, x: Array) -> Array:
        """Return outcomes with a common, equally spaced phase: they have the law of each block up to its moments."""
        if not self.sigma:
            return np.zeros((1, self.d))
        k = self._split
        first = np.sin(self._p @ x[:k] + COMMON_PHASES)[:, None] * (-self.tau * self._p)
        second = np.sin(self._r @ x[k:] + COMMON_PHASES)[:, None] * (-self.tau_y * self._r)
        return np.concatenate([first, second], axis=1)


def _mean(samples: Array) -> Array:
    """Return the mean over the `b` samples (lanes, b, ...), one of which needs no sum."""
    return samples[:, 0] if samples.shape[1] == 1 else samples.mean(axis=1)


def _ridge_direction(d: int, omega: float) -> Array:
    signs: Array = np.where(np.arange(d) % 2 == 0, 1.0, -1.0)
    return signs * (omega / float(np.sqrt(d)))


class SaddleSigns(PointNoise):
    """A random sign a coordinate, of one size in each block: it does not depend on the point.

    The sizes are sigma sqrt((1-dual_share)/d1) in x and sigma sqrt(dual_share/d2) in y, so the norm is sigma surely.
    """

    kind = "saddle signs"
    clients_axis = 1
    curvatures = (0.0, 0.0)
    """Lipschitz constants within each block."""

    def __init__(self, sigma: float, d1: int, d2: int, *, dual_share: float = 0.5) -> None:
        super().__init__(sigma, d1 + d2)
        require(0 <= dual_share <= 1, "noise_dual_share", dual_share, "a number in [0, 1]")
        self._unit = SignNoise(float(np.sqrt(self.d)), self.d)
        shares = np.where(np.arange(self.d) < d1, (1 - dual_share) / d1, dual_share / d2)
        self._sizes: Array = self.sigma * np.sqrt(shares)

    def words(self, clients: int, b: int) -> int:
        """Return one bit a coordinate, rounded up to whole words; none without noise."""
        return self._unit.words(clients, b) if self.sigma else 0

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean of `b` sign vectors, shape (lanes, clients, d); None without noise."""
        return self._unit.token(raw, clients, b) * self._sizes if self.sigma else None

    @property
    def sup(self) -> float:
        """The larger of the two sizes."""
        return float(self._sizes.max())

    def support(self, x: Array) -> Array:
        """Return the two sign vectors, which have the coordinate laws of the noise."""
        return np.stack([self._sizes, -self._sizes])


def make_saddle_noise(
    kind: str, sigma: float, d1: int, d2: int, *, dual_share: float, omega: float
) -> SaddleNoise | SaddleSigns:
    """Return the saddle noise called `kind`; raises `InputError` unless it is phases or signs."""
    require(kind in {"phases", "signs"}, "noise", kind, "phases or signs")
    if kind == "signs":
        return SaddleSigns(sigma, d1, d2, dual_share=dual_share)
    return SaddleNoise(sigma, d1, d2, dual_share=dual_share, omega=omega)
