"""Noise that all clients share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.problems.noise.base import Noise

if TYPE_CHECKING:
    from boundcheck.problems.constants import Constant
    from boundcheck.problems.types import Array, Token, Words


class CommonNoise(Noise):
    """The same draw of another noise for all clients of a lane: averaging over clients does not reduce it.

    Whatever concerns one client alone is as for the other noise.
    """

    white = False
    independent = False

    def __init__(self, inner: Noise) -> None:
        super().__init__(inner.sigma, inner.d)
        self.inner = inner
        self.kind = f"common-{inner.kind}"
        self.norms = inner.norms

    def words(self, clients: int, b: int) -> int:
        """Return what one client spends."""
        return self.inner.words(1, b)

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the token of one client, which spreads over all of them."""
        return self.inner.token(raw, 1, b)

    def every(self, clients: int) -> Token:
        """Return the outcomes of one client."""
        return self.inner.every(1)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        return self.inner.add(g, x, token)

    @property
    def sup(self) -> float:
        return self.inner.sup

    @property
    def curvature(self) -> float:
        return self.inner.curvature

    def support(self, x: Array) -> Array:
        return self.inner.support(x)

    def sample_smoothness(self, smooth: Constant) -> Constant:
        return self.inner.sample_smoothness(smooth)

    def mean_square_smoothness(self, smooth: Constant) -> Constant:
        return self.inner.mean_square_smoothness(smooth)
