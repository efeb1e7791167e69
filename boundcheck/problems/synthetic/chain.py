"""The chain of the lower-bound literature: each coordinate must be found before the next one has a gradient.

F(x) = -Psi(1) Phi(x_1) + sum_(i>=2) [Psi(-x_(i-1)) Phi(-x_i) - Psi(x_(i-1)) Phi(x_i)], where
Psi(z) = exp(1 - 1/(2z-1)^2) for z > 1/2 and 0 below, Phi(z) = sqrt(e) int_(-inf)^z exp(-t^2/2) dt.

References
----------
.. [1] Carmon, Duchi, Hinder, Sidford, arXiv:1710.11606 (the function; smoothness 152, gap at most 12 a link).
.. [2] Arjevani, Carmon, Duchi, Foster, Srebro, Woodworth, arXiv:1912.02365 (the probabilistic zero-chain oracles).
"""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.noise.zero_chain import SmoothZeroChainNoise, ZeroChainNoise
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.chain_links import (
    PHI_STEEPEST,
    PHI_TOP,
    PSI_TOP,
    links,
    phi,
    phi_slope,
    psi,
    psi_slope,
    steepest_square,
)
from boundcheck.problems.synthetic.heterogeneity import alike
from boundcheck.problems.synthetic.onedim import peak, span

if TYPE_CHECKING:
    from boundcheck.problems.noise.base import Noise
    from boundcheck.problems.types import Array, Indices

_SMOOTHNESS = 152.0
"""Proved in [1] for the unscaled chain of any length."""
_FAR = 1e4
"""Where Psi and Phi are at their suprema to eight digits."""
_HIDING = {"zero-chain": ZeroChainNoise, "smooth-zero-chain": SmoothZeroChainNoise}


@dataclass(kw_only=True, eq=False, repr=False)
class Chain(NoisyFormula):
    """f_i(x) = (L scale^2/152) F(x/scale) for all clients, F the chain of d links; see the module.

    A first-order method that starts at 0 and stays in the span of what it has seen needs a step for every link, and
    `odds` samples a link on average where the noise hides the next one (at however many points it evaluates a
    sample); until the last link |grad f| >= L scale/152.  With Delta about 11 d L scale^2/152, an accuracy of
    eps = L scale/152 leaves d = Delta L/(11 * 152 eps^2) links, and sigma = e^(3/2) sqrt(odds - 1) eps makes odds
    about (sigma/eps)^2/20:

    * zero-chain noise forces d * odds, of order Delta L sigma^2 eps^-4: only f is smooth, samples jump.
    * smooth-zero-chain noise is mean-square smooth with L_rms about L sqrt(odds).  At fixed L_rms a rarer link has to
      be a flatter one: L = L_rms/sqrt(odds), of order L_rms eps/sigma, which leaves Delta L_rms sigma eps^-3.  A method
      that evaluates each sample at two points (STORM, SPIDER) gains this power and no more.

    Parameters
    ----------
    N, d : int
        Clients, and links of the chain.
    L : float
        Smoothness that is proved; attacks reach 0.88 of it when d >= 3.
    scale : float
        Of x: Delta is proportional to its square, the gradient to itself.
    sigma : float
        Noise of one sample.  With noise that hides links, either 0 (sigma follows from L, scale and `odds`) or the
        value wanted, which then decides the scale.
    noise : str
        ``zero-chain``, ``smooth-zero-chain`` or a name in `boundcheck.problems.noise.models.NOISES`.
    omega : float
        Frequency of phases.
    odds : int
        One sample in `odds` shows the next link: 1/p.
    start : float
        Every coordinate of x_0; 0 is where the chain is hard.
    """

    family = "chain"
    share = 1.0
    """How many times steeper than in f a link is for the client that holds it."""
    d: int = 10
    L: float = 152.0
    scale: float = 1.0
    noise: InitVar[str] = "zero-chain"
    odds: int = 4
    start: InitVar[float] = 0.0

    def __post_init__(self, start: float, noise: str) -> None:
        self.require_positive("L", "scale")
        super().__post_init__(start, noise)
        self.height = self.L * self.scale**2 / (_SMOOTHNESS * self.share)

    def _model(self, noise: str) -> Noise:
        return self._hiding(noise) if noise in _HIDING else super()._model(noise)

    def _hiding(self, noise: str) -> Noise:
        """Return the noise that hides links; a positive sigma sets the scale."""
        require(self.sigma >= 0, f"{self.family}: sigma", self.sigma, "a number >= 0")
        fixed = f"1 when sigma is given and noise = {noise!r}: sigma decides the scale"
        require(self.sigma == 0 or self.scale == 1, f"{self.family}: scale", self.scale, fixed)
        require_count(self.odds, "odds", 2)
        if self.sigma > 0:
            self.scale = self.sigma * _SMOOTHNESS / (self.L * np.sqrt(self.odds - 1) * _hidden_top(self.d))
        return _HIDING[noise](self.odds, self.d, self.scale)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return (height/scale) grad F(x/scale)."""
        g, onward = links(x / self.scale)
        g += onward
        g *= self.height / self.scale
        return g

    def value(self, x: Array) -> Array:
        """Return height F(x/scale)."""
        z = x[:, 0] / self.scale
        before, after = z[:, :-1], z[:, 1:]
        joined = psi(-before) * phi(-after) - psi(before) * phi(after)
        total: Array = self.height * (joined.sum(axis=-1) - phi(z[:, 0]))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        far = self.everywhere(_FAR * self.scale)
        floor = -self.height * PHI_TOP * (1 + (self.d - 1) * PSI_TOP)
        smooth = upper(self.L, self._why_smooth())
        return {
            "L": smooth,
            **self._differences(),
            "f_star": exact(floor, "the limit of every link as x tends to infinity in all coordinates", far),
            "Delta": exact(self.initial_value - floor, "f(x_0) less the limit f_star", far),
            **(self._hidden_samples(self.noise) if isinstance(self.noise, ZeroChainNoise) else self._samples(smooth)),
        }

    def gradient_ceiling(self) -> Constant:
        total = (self.height / self.scale) ** 2 * steepest_square(self.d)
        return upper(total, "slopes bounded over cells, by dynamic programming along the chain: loose by a few percent")

    def _why_smooth(self) -> str:
        return "proved for chains of any length; attacks on three links or more reach 0.88 of it"

    def _differences(self) -> dict[str, Constant | None]:
        return alike(at=self.start)

    def _samples(self, smooth: Constant) -> dict[str, Constant | None]:
        coordinate = self._steepest()
        norm = upper(coordinate.value * np.sqrt(self.d), "every coordinate at its bound; they cannot all be")
        return self.noise.samples(smooth, coordinate, norm)

    def _hidden_samples(self, noise: ZeroChainNoise) -> dict[str, Constant | None]:
        """Return the constants of samples: the hidden coordinate is at most `_hidden_top` before scaling."""
        at = np.zeros(self.d)
        at[0] = _FAR * self.scale if self.d > 1 else 0.0
        top = _hidden_top(self.d) * self.share * self.height / self.scale
        why = "the next link, after one that is far behind"
        shown, known = exact(noise.odds * top, why, at), self._steepest()
        return {
            "sigma": exact(np.sqrt(noise.odds - 1) * top, f"sqrt(odds - 1) times {why}", at),
            "G_inf": shown if shown.value >= known.value else known,
            **noise.smoothness(self.share * self.height / self.scale**2),
        }

    def _together(self, c: int) -> bool:
        """Return whether one client holds both links of coordinate `c`."""
        return True

    def _steepest(self) -> Constant:
        """Return the largest coordinate of a client gradient: a link or two at their steepest, neighbours far out."""
        best, at = 0.0, np.zeros(self.d)
        for c in range(self.d):
            behind = PSI_TOP if c else 1.0
            ahead = PHI_TOP if c < self.d - 1 else 0.0
            for parts in [(behind, ahead)] if self._together(c) else [(behind, 0.0), (0.0, ahead)]:
                top, z = _steepest_sum(*parts)
                if top > best * (1 + 1e-12):
                    best, at = top, np.full(self.d, _FAR)
                    at[c] = z
        value = best * self.share * self.height / self.scale
        return exact(value, "a link between two far ones", self.scale * at)


def _steepest_sum(end: float, start: float) -> tuple[float, float]:
    """Return the largest end Phi' + start Psi', and where."""
    return peak(lambda z: end * phi_slope(z) + start * psi_slope(z), span(4.0, 0.001))


def _hidden_top(d: int) -> float:
    """Return the largest gradient of a link that is hidden: e^(3/2), or sqrt(e) for the first."""
    return PHI_STEEPEST * (PSI_TOP if d > 1 else 1.0)
