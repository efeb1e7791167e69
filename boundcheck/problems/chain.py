"""The chain of the lower-bound literature: each coordinate must be found before the next one has a gradient.

F(x) = -Psi(1) Phi(x_1) + sum_(i>=2) [Psi(-x_(i-1)) Phi(-x_i) - Psi(x_(i-1)) Phi(x_i)], where
Psi(z) = exp(1 - 1/(2z-1)^2) for z > 1/2 and 0 below, Phi(z) = sqrt(e) int_(-inf)^z exp(-t^2/2) dt.

References
----------
.. [1] Carmon, Duchi, Hinder, Sidford, arXiv:1710.11606 (the function; smoothness 152, gap at most 12 a link).
.. [2] Arjevani, Carmon, Duchi, Foster, Srebro, Woodworth, arXiv:1912.02365 (the probabilistic zero-chain oracle).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.noise_finite import DropoutNoise
from boundcheck.problems.noises import make_noise
from boundcheck.problems.onedim import peak, span

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices, Token

_SMOOTHNESS = 152.0
"""Proved in [1] for the unscaled chain of any length."""
_PSI_TOP = float(np.e)
_PHI_TOP = float(np.sqrt(2 * np.pi * np.e))
_PHI_STEEPEST = float(np.sqrt(np.e))
_FAR = 1e4
"""Where Psi and Phi are at their suprema to eight digits."""


class ZeroChainNoise(DropoutNoise):
    """Hide the next link: coordinates after the last |x_i| > scale/4 are odds times too large, or (mostly) zero.

    That coordinate is known to have a gradient; the later ones have none.  The variance at x is (odds - 1) times the
    square of this one coordinate.  Samples are not continuous in x, so there is no L_sample.
    """

    kind = "zero-chain"

    def __init__(self, odds: int, d: int, scale: float) -> None:
        super().__init__(odds, d)
        self.threshold = scale / 4

    def _masked(self, x: Array, factors: Array) -> Array:
        """Return `factors` where i > prog(x), the last coordinate beyond the threshold, and 1 elsewhere."""
        known = np.abs(x) > self.threshold
        reached = np.maximum.accumulate(known[..., ::-1], axis=-1)[..., ::-1]
        return np.where(reached, 1.0, factors)

    def add(self, g: Array, x: Array, token: Token) -> Array:
        """Multiply the hidden coordinates by the factors."""
        g *= self._masked(x, token)
        return g

    def around(self, g: Array, x: Array) -> Array:
        """Return the `odds` outcomes at one point."""
        factors = self._factors(np.arange(self.odds))
        outcomes: Array = self._masked(x, factors) * g
        return outcomes

    def sample_coordinate(self, coordinate: Constant) -> Constant:
        """Refuse: `Chain` knows better."""
        raise NotApplicableError("zero-chain noise scales one coordinate: see Chain")


class Chain(Problem):
    """f_i(x) = (L scale^2/152) F(x/scale) for all clients, F the chain of d links; see the module.

    A first-order method that starts at 0 and stays in the span of what it has seen needs a step for every link, and
    with zero-chain noise `odds` samples a link on average; until the last link |grad F| >= 1.

    Parameters
    ----------
    N, d : int
        Clients, and links of the chain.
    L : float
        Smoothness that is proved; attacks reach 0.88 of it when d >= 3.
    scale : float
        Of x: Delta is proportional to its square, the gradient to itself.
    sigma : float
        Noise of one sample for the additive kinds; 0 for zero-chain, whose deviation follows from `odds`.
    noise : str
        ``zero-chain`` or a name in `boundcheck.problems.noises.NOISES`.
    omega : float
        Frequency of phases.
    odds : int
        One sample in `odds` shows the next link.
    start : float
        Every coordinate of x_0; 0 is where the chain is hard.
    """

    family = "chain"

    def __init__(
        self,
        *,
        N: int,
        d: int = 10,
        L: float = 152.0,
        scale: float = 1.0,
        sigma: float = 0.0,
        noise: str = "zero-chain",
        omega: float = 1.0,
        odds: int = 4,
        start: float = 0.0,
    ) -> None:
        require_count(d, "chain: d")
        require(L > 0, "chain: L", L, "a number > 0")
        require(scale > 0, "chain: scale", scale, "a number > 0")
        hiding = noise == "zero-chain"
        require(not hiding or sigma == 0, "chain: sigma", sigma, "0 when noise = 'zero-chain'")
        model = ZeroChainNoise(odds, d, scale) if hiding else make_noise(noise, sigma, d, omega, odds)
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=model)
        self.L, self.scale = float(L), float(scale)
        self.height = self.L * self.scale**2 / _SMOOTHNESS

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return (height/scale) grad F(x/scale)."""
        z = x / self.scale
        before = np.concatenate([np.ones_like(z[..., :1]), z[..., :-1]], axis=-1)
        g = -(_psi(before) + _psi(-before)) * _phi_slope(z)
        inner, after = z[..., :-1], z[..., 1:]
        g[..., :-1] -= _psi_slope(-inner) * _phi(-after) + _psi_slope(inner) * _phi(after)
        g *= self.height / self.scale
        return g

    def value(self, x: Array) -> Array:
        """Return height F(x/scale)."""
        z = x[:, 0] / self.scale
        before, after = z[:, :-1], z[:, 1:]
        links = _psi(-before) * _phi(-after) - _psi(before) * _phi(after)
        total: Array = self.height * (links.sum(axis=-1) - _phi(z[:, 0]))
        return total

    def certified(self) -> dict[str, Constant]:
        """Return L, sigma, zeta = zeta_pair = 0, G_inf, f_star, Delta, and L_sample where samples are continuous."""
        far = np.full(self.d, _FAR * self.scale)
        floor = -self.height * _PHI_TOP * (1 + (self.d - 1) * _PSI_TOP)
        initial = float(self.value(self.start[None, None, :])[0])
        smooth = upper(self.L, "proved for chains of any length; attacks on three links or more reach 0.88 of it")
        found: dict[str, Constant | None] = {
            "L": smooth,
            "zeta": exact(0.0, "all clients are alike", self.start),
            "zeta_pair": exact(0.0, "all clients are alike", self.start),
            "f_star": exact(floor, "the limit of every link as x tends to infinity in all coordinates", far),
            "Delta": exact(initial - floor, "f(x_0) less the limit f_star", far),
            **(self._hidden_samples() if isinstance(self.noise, ZeroChainNoise) else self._samples(smooth)),
        }
        return {letter: constant for letter, constant in found.items() if constant is not None}

    def _samples(self, smooth: Constant) -> dict[str, Constant | None]:
        coordinate = self._steepest()
        norm = upper(coordinate.value * np.sqrt(self.d), "every coordinate at its bound; they cannot all be")
        return {
            "L_sample": self.noise.sample_smoothness(smooth),
            "L_rms": self.noise.mean_square_smoothness(smooth),
            "sigma": self.noise.deviation(norm),
            "G_inf": self.noise.sample_coordinate(coordinate),
        }

    def _hidden_samples(self) -> dict[str, Constant | None]:
        """Return sigma and G_inf: the hidden coordinate is at most e^(3/2) (the first one sqrt(e)) before scaling."""
        odds = self.noise.odds if isinstance(self.noise, ZeroChainNoise) else 1
        at = np.zeros(self.d)
        at[0] = _FAR * self.scale if self.d > 1 else 0.0
        top = _PHI_STEEPEST * (_PSI_TOP if self.d > 1 else 1.0) * self.height / self.scale
        why = "the next link, after one that is far behind"
        shown, known = exact(odds * top, why, at), self._steepest()
        return {
            "sigma": exact(np.sqrt(odds - 1) * top, f"sqrt(odds - 1) times {why}", at),
            "G_inf": shown if shown.value >= known.value else known,
        }

    def _steepest(self) -> Constant:
        """Return the largest coordinate of the gradient: a link in the middle, its neighbours far out."""
        coefficient = _PSI_TOP if self.d > 2 else 1.0
        onward = _PHI_TOP if self.d > 1 else 0.0
        top, z = peak(lambda z: coefficient * _phi_slope(z) + onward * _psi_slope(z), span(4.0, 0.001))
        last = _PSI_TOP * _PHI_STEEPEST if self.d > 1 else 0.0
        at = np.full(self.d, _FAR)
        at[1 if self.d > 2 or last > top else 0] = z if top >= last else 0.0
        return exact(max(top, last) * self.height / self.scale, "a link between two far ones", self.scale * at)


def _psi(z: Array) -> Array:
    beyond = 2 * z - 1
    safe = np.maximum(beyond, 1e-2)
    values: Array = np.where(beyond > 1e-2, np.exp(1 - 1 / (safe * safe)), 0.0)
    return values


def _psi_slope(z: Array) -> Array:
    safe = np.maximum(2 * z - 1, 1e-2)
    slopes: Array = _psi(z) * 4 / safe**3
    return slopes


def _phi(z: Array) -> Array:
    values: Array = _PHI_TOP * ndtr(z)
    return values


def _phi_slope(z: Array) -> Array:
    values: Array = _PHI_STEEPEST * np.exp(-0.5 * z * z)
    return values
