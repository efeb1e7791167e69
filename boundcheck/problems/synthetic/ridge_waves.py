"""Ridges with client waves, nonnegative on every client: from uncorrelated to fully correlated drift errors."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.synthetic.farthest import widest
from boundcheck.problems.synthetic.heterogeneity import kinds, require_heterogeneity, sign_pattern
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_LINKS = ("ratio", "log", "log-cosh", "pseudo-huber", "huber", "quadratic")


@dataclass(kw_only=True, eq=False, repr=False)
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
    lane_tables: ClassVar = {**Separable.lane_tables, "signs": "", "angles": ""}
    dials = ()
    any_clients = True
    scale: float = field(default=1.0, init=False)
    groups: str = "two"
    frequency: float = 1.0
    theta: float = 0.0
    zeta: float = 0.0
    alpha_share: float = 0.0
    noise: InitVar[str] = "finite-phases"

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        require(self.link in _LINKS, "ridge-waves: link", self.link, f"one of {', '.join(_LINKS)}")
        self.require_positive("frequency")
        require(self.groups in {"two", "spread"}, "ridge-waves: groups", self.groups, "two or spread")
        require_heterogeneity(self.N, self.zeta, "ridge-waves: zeta")
        require(not (self.alpha_share and self.zeta), "ridge-waves: zeta", self.zeta, "0 when alpha_share is given")
        self.two = self.groups == "two" or self.N < 3
        self.signs = sign_pattern(self.N) if self.two else np.ones(self.N)
        self.angles = self.theta + (np.zeros(self.N) if self.two else 2 * np.pi * np.arange(self.N) / self.N)
        share = float((self.signs**2).mean()) if self.two else 0.5
        size = float(self.zeta / (self.frequency * np.sqrt(self.d * share))) if self.zeta else 0.0
        self.size = self._tune_size() if self.alpha_share else size
        self.zeta = self.size * self.frequency * float(np.sqrt(self.d * share)) if self.N > 1 else 0.0

    def _tune_size(self) -> float:
        """Return the size of the waves that makes alpha/N equal to `alpha_share` at the start."""
        share, where = self.alpha_share, "ridge-waves: alpha_share"
        require(0 <= share < 1, where, share, "a number in [0, 1)")
        require(self.two and self.N > 1, where, share, "0 unless there are two groups")
        turn = abs(np.sin(self.frequency * self.start[0] + self.theta))
        require(turn > 1e-9, where, share, "0 where the waves have no curvature at the start")
        ratio = np.sqrt(share / (1 - share))
        curvature = abs(self.weight * self.phi.curvature(self.start[:1])[0])
        return float(ratio * curvature / (self.frequency**2 * turn))

    def _outermost(self, z: Array, turn: float) -> Indices:
        """Return clients (k, n): of all e_i sin(frequency z + theta_i + turn) they have the largest and smallest."""
        if self.two:
            return kinds(self.signs)[0][:, None]
        # Of equally spaced angles the two next to each extreme.
        turns = np.array([0.25, -0.25])[:, None] - (self.frequency * z + self.theta + turn) / (2 * np.pi)
        below = np.floor(turns * self.N).astype(int)
        return np.concatenate([below, below + 1]) % self.N

    def _wave_slopes(self, z: Array, clients: Indices | None = None) -> Array:
        steep = (self.size * self.frequency) * self.of_clients(self.signs, clients)[..., None]
        return steep * np.cos(self.frequency * z + self.of_clients(self.angles, clients)[..., None])

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return weight phi'(x) + A frequency e_i cos(frequency x + theta_i)."""
        g = self.phi.slope(x, self.weight)
        if self.size:
            g = g + self._wave_slopes(x, clients)
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the waves cancel."""
        return self.phi.slope(x, self.weight)

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c) + A d."""
        return self._ridge(x) + self.size * self.d

    def _ridge(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c) at server points, (lanes,)."""
        total: Array = self.weight * self.phi.value(x).sum(axis=(1, 2))
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
        return self._curvatures_of(np.arange(self.N)[:, None], z)

    def _curvatures_of(self, clients: Indices, z: Array) -> Array:
        """Return the second derivatives of clients (k, 1) or (k, n) at coordinates z (n,), shape (k, n)."""
        bent = self.size * self.frequency**2 * self.signs[clients]
        waves: Array = bent * np.sin(self.frequency * z + self.angles[clients])
        return self.weight * self.phi.curvature(z) - waves

    def certified_constants(self) -> dict[str, Constant | None]:
        floor = self.size * self.d
        steepest = self.everywhere(-self.angles[0] / self.frequency)
        return {
            **self.noise.samples(self._smoothness(), *self._sizes()),
            "zeta": exact(self.zeta, "mean square of the client waves' slopes", steepest),
            "zeta_pair": self._pairs(),
            "f_star": exact(floor, "A d at x = 0, where the ridge vanishes; the waves cancel", self.everywhere(0.0)),
            # Not as f(x_0) less A d: near 0 the difference would be rounding.
            "Delta": exact(self._ridge(self.start[None, None, :])[0], "f(x_0) - A d in closed form", self.start),
            "Delta_mean": upper(self.initial_value, f"f(x_0), for f_i >= 0: loose by at most {floor:.3g}"),
        }

    def _grid(self) -> Array:
        return span(20.0 + 4 * np.pi / self.frequency, 0.01 / max(1.0, self.frequency))

    def _smoothness(self) -> Constant:
        if not self.size:
            return exact(self.sharp, "sup |phi''|", self.everywhere(self.phi.curvature_at))

        def steepest(z: Array) -> Array:
            found: Array = np.abs(self._curvatures_of(self._outermost(z, 0.0), z)).max(axis=0)
            return found

        top, at = peak(steepest, self._grid())
        return exact(top, "ridge and wave together, maximised in one variable", self.everywhere(at))

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        if not np.isfinite(self.steep):
            return None, None
        if not self.size:
            top, at = self.steep, self.phi.slope_at
        elif self.phi.slope_is_limit:
            turns = np.ceil(self.phi.slope_at * self.frequency)
            top, at = self.steep + self.size * self.frequency, (2 * np.pi * turns - self.angles[0]) / self.frequency
        else:
            top, at = peak(self._largest_slope, self._grid())
        far = self.everywhere(at)
        why = "ridge and wave together, maximised in one variable"
        return exact(top, why, far), exact(top * np.sqrt(self.d), f"{why}, in every coordinate", far)

    def _largest_slope(self, z: Array) -> Array:
        """Return the largest |slope| of a client at coordinates z (n,)."""
        clients = self._outermost(z, np.pi / 2)
        waves = (self.size * self.frequency) * self.signs[clients] * np.cos(self.frequency * z + self.angles[clients])
        largest: Array = np.abs(self.phi.slope(z, self.weight) + waves).max(axis=0)
        return largest

    def _pairs(self) -> Constant:
        complex_waves = self.signs * np.exp(1j * self.angles)
        # Of equally spaced angles those half a turn apart; one row of each kind, since all others tie.
        one = kinds(self.signs)[0] if self.two else np.array([0, self.N // 2])
        i, j = one[list(widest(np.stack([complex_waves.real, complex_waves.imag], axis=1)[one]))]
        turn = -np.angle(complex_waves[i] - complex_waves[j]) / self.frequency
        most = self.size * self.frequency * float(np.abs(complex_waves[i] - complex_waves[j])) * np.sqrt(self.d)
        return exact(most, "the two waves that differ most, where they do", self.everywhere(turn))
