"""Separable nonconvex functions with bounded slopes: every constant in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.links import link_named
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import largest_pair, phases, sign_tilts, tilts
from boundcheck.problems.synthetic.steepness import steepest_mean, total_square

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_DIALS = ("tilt", "signs", "phase")
_ONE_MINIMISER = ("ratio", "log", "log-cosh", "pseudo-huber", "huber", "half-huber", "quadratic")
"""Links that are lowest at 0 alone."""


@dataclass(kw_only=True, eq=False, repr=False)
class Ridge(NoisyFormula):
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
    lane_tables: ClassVar = {"tilts": "zeta", "angles": "", "heights": "", "turns": ""}
    any_clients = True
    dials = ("zeta", "lam")
    d: int = 16
    link: str = "ratio"
    weight: float = 1.0
    zeta: float = 0.0
    heterogeneity: str = "tilt"

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_positive("weight")
        kind = self.heterogeneity
        require(kind in _DIALS, "ridge: heterogeneity", kind, f"one of {', '.join(_DIALS)}")
        self.phi = link_named(self.link)
        waves, tilt = (self.zeta if kind == dial else 0.0 for dial in ("phase", "tilt"))
        self.tilts = sign_tilts(self.N, self.d, self.zeta) if kind == "signs" else tilts(self.N, self.d, tilt)
        self.lam, self.angles = phases(self.N, self.d, waves)
        # Height and angle of every coordinate's wave; without waves, tables without columns.
        waved = self.d if self.lam else 0
        self.heights, self.turns = np.full((self.N, waved), self.lam), np.repeat(self.angles[:, None], waved, axis=1)
        if self.phi.name in _ONE_MINIMISER:
            self.x_star = np.zeros(self.d)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return weight phi'(x) + a_i - lam sin(x + p_i)."""
        g = self.phi.slope(x, self.weight)
        if self.lam:
            g -= self.of_clients(self.heights, clients) * np.sin(x + self.of_clients(self.turns, clients))
        elif self.zeta:
            g += self.of_clients(self.tilts, clients)
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the client parts cancel."""
        return self.phi.slope(x, self.weight)

    def value(self, x: Array) -> Array:
        """Return weight sum_c phi(x_c)."""
        total: Array = self.weight * self.phi.value(x).sum(axis=(1, 2))
        return total

    def client_value(self, x: Array, client: int) -> float:
        """Return f_i of one client at a point (d,)."""
        waves = self.heights[client] @ np.cos(x + self.turns[client]) if self.lam else 0.0
        return float(self.weight * self.phi.value(x).sum() + self.tilts[client] @ x + waves)

    def certified_constants(self) -> dict[str, Constant | None]:
        floor_at = self.everywhere(self.phi.floor_at)
        return {
            **self.noise.samples(self._smoothness(), None, self._longest()),
            "zeta": exact(self.zeta, "the client parts have this mean square", self.everywhere(np.pi / 2)),
            "zeta_pair": self._pairs(),
            "G_inf": self._largest_coordinate(),
            "f_star": exact(0.0, "phi >= 0 = inf phi and the client parts cancel", floor_at),
            "Delta": exact(self.initial_value, "f(x_0) - 0 in closed form", floor_at),
            "Delta_mean": self._client_gap(),
            **self._strength(),
        }

    def _strength(self) -> dict[str, Constant | None]:
        """Return mu and mu_PL, which parabolas alone have."""
        low = self.weight * self.phi.low_curvature
        if low <= 0 or self.lam:
            return {"mu": None, "mu_PL": None}
        return {
            "mu": exact(low, "every coordinate has this curvature at least", self.everywhere(self.phi.low_at)),
            "mu_PL": exact(low, "parabolas are attained at every x", self.start),
        }

    @property
    def convex(self) -> bool:
        """Whether the link is convex; waves are not."""
        return self.phi.low_curvature >= 0 and not self.lam

    def gradient_ceiling(self) -> Constant | None:
        if not np.isfinite(self.phi.sup_slope):
            return None
        one = steepest_mean(self.phi, np.array([self.weight]), np.zeros(1), 1.0)
        return total_square([one] * self.d)

    def _client_gap(self) -> Constant | None:
        """Return Delta_mean; tilted clients of bounded slope have no minimum."""
        initial = self.initial_value
        if not self.zeta:
            return exact(initial, "all clients are alike", self.everywhere(self.phi.floor_at))
        if self.lam:
            return upper(initial + self.lam * self.d, f"waves >= -lam: loose by at most {self.lam * self.d:.3g}")
        if self.phi.name != "quadratic":
            return None
        depth = float((self.tilts**2).sum(axis=1).mean()) / (2 * self.weight * self.phi.sup_curvature)
        return exact(initial + depth, "the minima of the client parabolas", self.start)

    def _smoothness(self) -> Constant:
        peak = self.weight * self.phi.sup_curvature
        at = self.phi.curvature_at
        if not self.lam:
            return exact(peak, f"sup |phi''| = {self.phi.sup_curvature:g} at x = {at:g}", self.everywhere(at))
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
        widest = 2 * self.lam * np.abs(np.sin(self.angles / 2)).max() * np.sqrt(self.d)
        return exact(widest, "waves of the most distant phases, where they differ most")

    def _sizes(self) -> Array:
        """Return sup_x |coordinate c of grad f_i| (N, d), or a bound on it when there are waves."""
        slope = self.weight * self.phi.sup_slope
        if self.phi.even or self.lam:
            return slope + np.abs(self.tilts) + self.lam
        return np.maximum(slope + self.tilts, -self.tilts)

    def _far(self) -> Array | None:
        return self.everywhere(self.phi.slope_at) if self.phi.slope_is_limit else None

    def _longest(self) -> Constant | None:
        """Return sup |grad f_i(x)| over clients, if it is finite."""
        if not np.isfinite(self.phi.sup_slope):
            return None
        sizes = self._sizes()
        i = int((sizes**2).sum(axis=1).argmax())
        norm = float(np.sqrt(sizes[i] @ sizes[i]))
        if self.lam or not self.phi.even:
            return upper(norm, "every coordinate as large as slope, tilt and wave together")
        return exact(norm, "slope and tilt align in every coordinate", np.copysign(self.phi.slope_at, self.tilts[i]))

    def _largest_coordinate(self) -> Constant | None:
        if not np.isfinite(self.phi.sup_slope):
            return None
        total = float(self._sizes().max())
        if self.lam:
            return self.noise.sample_coordinate(upper(total, "suprema of slope and client wave added"))
        return self.noise.sample_coordinate(exact(total, "slope and largest tilt align", self._far()))
