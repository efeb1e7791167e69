"""Separable nonconvex functions with bounded slopes: every constant in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.links import link_named
from boundcheck.problems.noise.models import make_noise
from boundcheck.problems.synthetic.heterogeneity import largest_pair, phases, sign_tilts, tilts

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices

_DIALS = ("tilt", "signs", "phase")


class Ridge(Problem):
    """f_i(x) = weight sum_c phi(x_c) + <a_i, x> + lam sum_c cos(x_c + p_i), with the client parts averaging to zero.

    The average function is f(x) = weight sum_c phi(x_c) whatever the heterogeneity, so f, grad f, f_star = 0 and
    Delta are exact.  With a link of unbounded slope (quadratic, half-huber) there is no G_inf.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi: a name in `boundcheck.problems.links.LINKS`, or ``coercive``.
    weight : float
        Scale of f.
    zeta : float
        Heterogeneity, met exactly: mean_i |grad f_i - grad f|^2 = zeta^2.
    heterogeneity : {'tilt', 'signs', 'phase'}
        Linear tilts a_i round an ellipse (the same difference at every x), tilts +a, -a, +a, ... along the diagonal,
        or waves of shifted phase (the difference turns with x).
    sigma : float
        Noise of one sample, met exactly; 0 for dropout.
    noise : str
        A name in `boundcheck.problems.noise.models.NOISES`.
    omega : float
        Frequency of phases.
    odds : int
        Dropout keeps one sample gradient in `odds`.
    start : float
        Every coordinate of x_0.
    """

    family = "ridge"

    def __init__(
        self,
        *,
        N: int,
        d: int = 16,
        link: str = "ratio",
        weight: float = 1.0,
        zeta: float = 0.0,
        heterogeneity: str = "tilt",
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
    ) -> None:
        require_count(d, "ridge: d")
        require(weight > 0, "ridge: weight", weight, "a number > 0")
        require(heterogeneity in _DIALS, "ridge: heterogeneity", heterogeneity, f"one of {', '.join(_DIALS)}")
        super().__init__(N=N, d=d, start=np.full(d, float(start)), noise=make_noise(noise, sigma, d, omega, odds))
        self.link = link_named(link)
        self.weight = float(weight)
        self.zeta = float(zeta)
        self.tilts = (
            sign_tilts(N, d, zeta) if heterogeneity == "signs" else tilts(N, d, zeta * (heterogeneity == "tilt"))
        )
        self.lam, self.angles = phases(N, d, zeta if heterogeneity == "phase" else 0.0)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return weight phi'(x) + a_i - lam sin(x + p_i)."""
        g = self.link.slope(x, self.weight)
        if self.lam:
            angles = self.angles if clients is None else self.angles[clients]
            g -= self.lam * np.sin(x + angles[..., None])
        elif self.zeta:
            g += self.tilts if clients is None else self.tilts[clients]
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the client parts cancel."""
        return self.link.slope(x, self.weight)

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c)."""
        total: Array = self.weight * self.link.value(x).sum(axis=(1, 2))
        return total

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, zeta, zeta_pair, G_inf, f_star and Delta, those that exist."""
        smooth = self._smoothness()
        found = {
            "L": smooth,
            "L_sample": self.noise.sample_smoothness(smooth),
            "L_rms": self.noise.mean_square_smoothness(smooth),
            "sigma": self.noise.deviation(self._longest()),
            "zeta": exact(self.zeta, "the client parts have this mean square", self._widest()),
            "zeta_pair": self._pairs(),
            "G_inf": self._largest_coordinate(),
            "f_star": exact(0.0, "phi >= 0 = inf phi and the client parts cancel", np.full(self.d, self.link.floor_at)),
            "Delta": exact(self.value(self.start[None, None, :])[0], "f(x_0) - 0 in closed form", self.start),
            "Delta_mean": self._client_gap(),
        }
        return {letter: constant for letter, constant in found.items() if constant is not None}

    def _client_gap(self) -> Constant | None:
        """Return Delta_mean; tilted clients of bounded slope have no minimum."""
        initial = float(self.value(self.start[None, None, :])[0])
        if not self.zeta:
            return exact(initial, "all clients are alike", self.start)
        if self.lam:
            return upper(initial + self.lam * self.d, f"waves >= -lam: loose by at most {self.lam * self.d:.3g}")
        if self.link.name != "quadratic":
            return None
        depth = float((self.tilts**2).sum(axis=1).mean()) / (2 * self.weight * self.link.sup_curvature)
        return exact(initial + depth, "the minima of the client parabolas", self.start)

    def _widest(self) -> Array:
        return np.full(self.d, np.pi / 2)

    def _smoothness(self) -> Constant:
        peak = self.weight * self.link.sup_curvature
        at = self.link.curvature_at
        if not self.lam:
            return exact(peak, f"sup |phi''| = {self.link.sup_curvature:g} at x = {at:g}", np.full(self.d, at))
        total = peak + self.lam
        if at:
            return upper(total, f"the waves need not peak where phi'' does, at {at:g}: loose by at most {self.lam:.3g}")
        if self.N % 2 == 0:
            return exact(total, "phi'' and the wave of phase pi both peak at x = 0", np.zeros(self.d))
        missed = self.lam * (1 - np.cos(np.pi / self.N))
        return upper(total, f"for odd N no wave peaks where phi'' does: loose by at most {missed:.3g}")

    def _pairs(self) -> Constant:
        if not self.lam:
            return exact(largest_pair(self.tilts), "tilts differ by the same vector at every x", self.start)
        widest = np.abs(np.sin(self.angles / 2)).max()
        return exact(
            2 * self.lam * widest * np.sqrt(self.d), "waves of the most distant phases, where they differ most"
        )

    def _sizes(self) -> Array:
        """Return sup_x |coordinate c of grad f_i| (N, d), or a bound on it when there are waves."""
        slope = self.weight * self.link.sup_slope
        if self.link.even or self.lam:
            return slope + np.abs(self.tilts) + self.lam
        return np.maximum(slope + self.tilts, -self.tilts)

    def _far(self) -> Array | None:
        return np.full(self.d, self.link.slope_at) if self.link.slope_is_limit else None

    def _longest(self) -> Constant | None:
        """Return sup |grad f_i(x)| over clients, if it is finite."""
        if not np.isfinite(self.link.sup_slope):
            return None
        sizes = self._sizes()
        longest = sizes[int((sizes**2).sum(axis=1).argmax())]
        norm = float(np.sqrt(longest @ longest))
        if self.lam or not self.link.even:
            return upper(norm, "every coordinate as large as slope, tilt and wave together")
        i = int((sizes**2).sum(axis=1).argmax())
        return exact(norm, "slope and tilt align in every coordinate", np.copysign(self.link.slope_at, self.tilts[i]))

    def _largest_coordinate(self) -> Constant | None:
        if not np.isfinite(self.link.sup_slope):
            return None
        total = float(self._sizes().max())
        if self.lam:
            return self.noise.sample_coordinate(upper(total, "suprema of slope and client wave added"))
        return self.noise.sample_coordinate(exact(total, "slope and largest tilt align", self._far()))
