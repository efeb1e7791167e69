"""Samples of random curvature: the noise vanishes at the origin and grows with |x| without bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.noise.base import Noise, every_choice
from boundcheck.problems.synthetic.base import Formula
from boundcheck.problems.synthetic.heterogeneity import alike

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Token, Words


class CurvatureNoise(Noise):
    """A sample adds xi swing |x|^2/2, xi = +-1: the gradient noise is +-swing x, with no finite sigma."""

    kind = "curvature"
    white = False
    sup = float("inf")

    def __init__(self, swing: float, d: int) -> None:
        super().__init__(0.0, d)
        self.swing = float(swing)

    def words(self, clients: int, b: int) -> int:
        """Return one word a sample; its lowest bit is the sign."""
        return b * clients

    def token(self, raw: Words, clients: int, b: int) -> Token:
        """Return the mean signs, shape (lanes, clients, 1)."""
        bits = (raw & np.uint64(1)).astype(np.float64).reshape(len(raw), b, clients, 1)
        return (1.0 - 2.0 * bits).mean(axis=1)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Add swing x times the sign."""
        g += self.swing * token * x
        return g

    @property
    def curvature(self) -> float:
        return self.swing

    def support(self, x: Array) -> Array:
        """Return both outcomes."""
        return self.swing * np.stack([x, -x])

    def every(self, clients: int) -> Token:
        """Return all joint signs."""
        return (1.0 - 2.0 * every_choice(2, clients))[..., None]


@dataclass(kw_only=True, eq=False, repr=False)
class RandomCurvature(Formula):
    """f_i(x) = mean |x|^2/2 for all clients, from samples (mean + swing)|x|^2/2 and (mean - swing)|x|^2/2.

    With mean = swing one sample in two is flat, and the exact law of a few steps can be enumerated.  With mean = 0
    the gradient of f is zero, hence bounded, and the stochastic gradients are not.  No sigma and no G_inf exist;
    within |x| <= r the deviation is swing r.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    mean, swing : float
        Mean curvature >= 0 and its deviation > 0.
    start : float
        Every coordinate of x_0.
    """

    family = "random-curvature"
    d: int = 1
    mean: float = 0.5
    swing: float = 0.5

    def __post_init__(self, start: float) -> None:
        super().__post_init__(start)
        require(self.mean >= 0, "random-curvature: mean", self.mean, "a number >= 0")
        self.require_positive("swing")
        self.noise = CurvatureNoise(self.swing, self.d)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return mean x."""
        return self.mean * x

    def value(self, x: Array) -> Array:
        """Return mean |x|^2/2."""
        half: Array = 0.5 * self.mean * (x * x).sum(axis=(1, 2))
        return half

    def gradient_ceiling(self) -> Constant | None:
        return None if self.mean else exact(0.0, "f is 0", np.zeros(self.d))

    def certified_constants(self) -> dict[str, Constant | None]:
        origin = np.zeros(self.d)
        return {
            "L": exact(self.mean, "the Hessian of f", origin),
            "L_sample": exact(self.mean + self.swing, "the Hessian of the steeper sample", origin),
            "L_rms": exact(np.hypot(self.mean, self.swing), "E(mean +- swing)^2 = mean^2 + swing^2", origin),
            **alike(at=origin),
            "f_star": exact(0.0, "mean >= 0", origin),
            "Delta": self.gap(),
            "Delta_mean": self.gap(0.0, "all clients are alike"),
        }
