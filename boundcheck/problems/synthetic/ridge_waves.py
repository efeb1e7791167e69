"""Ridges with client waves, nonnegative on every client: from uncorrelated to fully correlated drift errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.synthetic.heterogeneity import sign_pattern
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices

_LINKS = ("ratio", "log", "log-cosh", "pseudo-huber", "huber", "quadratic")


class WaveRidge(Separable):
    """f_i(x) = weight sum_c phi(x_c) + A sum_c (1 + e_i sin(frequency x_c + theta_i)): every f_i is >= 0.

    Two groups (`groups` = 'two'): theta_i = theta and e_i = +1, -1, ... (0 for the last of an odd N).  Spread groups:
    e_i = 1 and theta_i = theta + 2 pi i/N, for N >= 3.  Either way the waves cancel and f is the ridge plus A d.

    Local steps move two groups apart by +-x with curvatures H +- h, so their drift errors correlate: to leading order
    alpha/N = h^2/(H^2 + h^2), see `correlation`.  Spread groups have next to none, whatever zeta.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link, weight : str, float
        phi, an even link that does not wave itself, and its weight.
    groups : {'two', 'spread'}
        See above.
    frequency, theta : float
        Of the waves: low frequencies make the clients nearly linear, high ones make their curvatures differ.
    zeta : float
        Heterogeneity, met exactly: for spread groups at every x, for two groups where the waves are steepest.
    alpha_share : float
        For two groups: choose the waves' size so that alpha/N has this value at the start, in [0, 1); zeta follows
        and must be 0.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-waves"

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        link: str = "ratio",
        weight: float = 1.0,
        groups: str = "two",
        frequency: float = 1.0,
        theta: float = 0.0,
        zeta: float = 0.0,
        alpha_share: float = 0.0,
        sigma: float = 0.0,
        noise: str = "finite-phases",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
    ) -> None:
        super().__init__(
            N=N, d=d, link=link, weight=weight, scale=1.0, sigma=sigma, noise=noise, omega=omega, odds=odds, start=start
        )
        require(link in _LINKS, "ridge-waves: link", link, f"one of {', '.join(_LINKS)}")
        require(frequency > 0, "ridge-waves: frequency", frequency, "a number > 0")
        require(groups in {"two", "spread"}, "ridge-waves: groups", groups, "two or spread")
        legal = "a number >= 0" if N > 1 else "0 when N = 1: a single client cannot differ from the average"
        require(zeta >= 0 and (zeta == 0 or N > 1), "ridge-waves: zeta", zeta, legal)
        self.frequency = float(frequency)
        self.two = groups == "two" or N < 3
        self.signs = sign_pattern(N) if self.two else np.ones(N)
        self.angles = theta + (np.zeros(N) if self.two else 2 * np.pi * np.arange(N) / N)
        share = float((self.signs**2).mean()) if self.two else 0.5
        size = float(zeta / (self.frequency * np.sqrt(d * share))) if zeta else 0.0
        self.size = self._tuned(alpha_share, float(theta)) if alpha_share else size
        require(not (alpha_share and zeta), "ridge-waves: zeta", zeta, "0 when alpha_share is given")
        self.zeta = self.size * self.frequency * float(np.sqrt(d * share)) if N > 1 else 0.0

    def _tuned(self, alpha_share: float, theta: float) -> float:
        require(0 <= alpha_share < 1, "ridge-waves: alpha_share", alpha_share, "a number in [0, 1)")
        require(self.two and self.N > 1, "ridge-waves: alpha_share", alpha_share, "0 unless there are two groups")
        turn = abs(np.sin(self.frequency * self.start[0] + theta))
        require(
            turn > 1e-9, "ridge-waves: alpha_share", alpha_share, "0 where the waves have no curvature at the start"
        )
        ratio = np.sqrt(alpha_share / (1 - alpha_share))
        curvature = abs(self.weight * self.link.curvature(self.start[:1])[0])
        return float(ratio * curvature / (self.frequency**2 * turn))

    def _wave_slopes(self, z: Array, clients: Indices | None = None) -> Array:
        rows = slice(None) if clients is None else clients
        steep = (self.size * self.frequency) * self.signs[rows][..., None]
        slopes: Array = steep * np.cos(self.frequency * z + self.angles[rows][..., None])
        return slopes

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return weight phi'(x) + A frequency e_i cos(frequency x + theta_i)."""
        g = self.link.slope(x, self.weight)
        if self.size:
            g = g + self._wave_slopes(x, clients)
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the waves cancel."""
        return self.link.slope(x, self.weight)

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c) + A d."""
        total: Array = self.weight * self.link.value(x).sum(axis=(1, 2)) + self.size * self.d
        return total

    def correlation(self, x: Array) -> float:
        """Return alpha/N to leading order in the step: |mean_i H_i u_i|^2 / mean_i |H_i u_i|^2 at a point (d,).

        H_i are the client Hessians and u_i = grad f - grad f_i the directions of their drift.
        """
        drift = -self._wave_slopes(x)
        pulled = self._curvatures(x) * drift
        return float((pulled.mean(axis=0) ** 2).sum() / (pulled**2).sum(axis=1).mean())

    def _curvatures(self, z: Array) -> Array:
        """Return the second derivatives of the clients (N, n) at coordinates z (n,)."""
        bent = self.size * self.frequency**2 * self.signs[:, None]
        waves: Array = bent * np.sin(self.frequency * z + self.angles[:, None])
        return self.weight * self.link.curvature(z) - waves

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, zeta, zeta_pair, f_star and Delta, and G_inf where it is finite."""
        floor = self.size * self.d
        initial = float(self.value(self.start[None, None, :])[0])
        zero = self.everywhere(0.0)
        steepest = self.everywhere(-self.angles[0] / self.frequency)
        return {
            **self.sampled(self._smoothness(), *self._sizes()),
            "zeta": exact(self.zeta, "mean square of the client waves' slopes", steepest),
            "zeta_pair": self._pairs(),
            "f_star": exact(floor, "A d at x = 0, where the ridge vanishes; the waves cancel", zero),
            "Delta": exact(initial - floor, "f(x_0) - A d in closed form", self.start),
            "Delta_mean": upper(initial, f"f(x_0), for f_i >= 0: loose by at most {floor:.3g}"),
        }

    def _grid(self) -> Array:
        return span(20.0 + 4 * np.pi / self.frequency, 0.01 / max(1.0, self.frequency))

    def _smoothness(self) -> Constant:
        if not self.size:
            return exact(self.sharp, "sup |phi''|", self.everywhere(self.link.curvature_at))
        top, at = peak(lambda z: np.abs(self._curvatures(z)).max(axis=0), self._grid())
        return exact(top, "ridge and wave together, maximised in one variable", self.everywhere(at))

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        if not np.isfinite(self.steep):
            return None, None
        if not self.size:
            top, at = self.steep, self.link.slope_at
        elif self.link.slope_is_limit:
            turns = np.ceil(self.link.slope_at * self.frequency)
            top, at = self.steep + self.size * self.frequency, (2 * np.pi * turns - self.angles[0]) / self.frequency
        else:
            top, at = peak(lambda z: np.abs(self._slopes(z)).max(axis=0), self._grid())
        far = self.everywhere(at)
        why = "ridge and wave together, maximised in one variable"
        return exact(top, why, far), exact(top * np.sqrt(self.d), f"{why}, in every coordinate", far)

    def _slopes(self, z: Array) -> Array:
        slopes: Array = self.link.slope(z, self.weight) + self._wave_slopes(z)
        return slopes

    def _pairs(self) -> Constant:
        complex_waves = self.signs * np.exp(1j * self.angles)
        gaps = np.abs(complex_waves[:, None] - complex_waves[None])
        i, j = np.unravel_index(int(gaps.argmax()), gaps.shape)
        turn = -np.angle(complex_waves[i] - complex_waves[j]) / self.frequency
        widest = self.size * self.frequency * float(gaps.max()) * np.sqrt(self.d)
        return exact(widest, "the two waves that differ most, where they do", self.everywhere(turn))
