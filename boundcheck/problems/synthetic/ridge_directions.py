"""Ridges along directions that are not the coordinate axes: curvature follows their Gram matrix."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.arrays import matvec
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.links import link_named
from boundcheck.problems.synthetic.base import NoisyFormula
from boundcheck.problems.synthetic.heterogeneity import tilt_constants, tilts
from boundcheck.problems.synthetic.steepness import largest_sum

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class _Directed(NoisyFormula):
    """Says what `directions` is once its parameter, a word, has been looked up."""

    directions: Array


@dataclass(kw_only=True, eq=False, repr=False)
class DirectionRidge(_Directed):
    """f_i(x) = weight sum_m phi(<u_m, x>/scale) + <a_i, x> with unit vectors u_1..u_M and tilts that cancel.

    All ridges bend most at x = 0, so L = (weight/scale^2) sup phi'' times the largest eigenvalue of sum_m u_m u_m^T.
    With fewer ridges than dimensions f is flat along the rest.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight, scale : float
        Of the ridges.
    ridges : int
        M.
    directions : {'orthonormal', 'general', 'axes'}
        Orthonormal (M <= d), independent random unit vectors, or the first M coordinate axes (M <= d).
    zeta : float
        Heterogeneity, met exactly at every x.
    structure_seed : int
        Which directions.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.

    Attributes
    ----------
    directions : Array
        The vectors u_m (M, d).
    """

    family = "ridge-directions"
    lane_tables: ClassVar = {"tilts": ""}
    dials = ("zeta",)
    link: str = "ratio"
    weight: float = 1.0
    scale: float = 1.0
    ridges: int = 6
    directions: InitVar[str] = "orthonormal"
    zeta: float = 0.0
    structure_seed: int = 0

    def __post_init__(self, start: float, noise: str, directions: str) -> None:
        super().__post_init__(start, noise)
        require_count(self.ridges, "ridge-directions: ridges")
        require_count(self.structure_seed, "ridge-directions: structure_seed", 0)
        self.require_positive("weight", "scale")
        self.phi = link_named(self.link)
        require(self.phi.rises, "ridge-directions: link", self.link, "an even function, lowest at 0")
        self.directions = _directions(directions, self.ridges, self.d, self.structure_seed)
        self.tilts = tilts(self.N, self.d, self.zeta)

    def mean_gradient(self, x: Array) -> Array:
        """Return (weight/scale) sum_m phi'(<u_m, x>/scale) u_m."""
        slopes = self.phi.slope(matvec(self.directions, x) / self.scale, self.weight / self.scale)
        return matvec(self.directions.T, slopes)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return grad f + a_i."""
        g = self.mean_gradient(x)
        g += self.of_clients(self.tilts, clients)
        return g

    def value(self, x: Array) -> Array:
        """Return weight sum_m phi(<u_m, x>/scale)."""
        heights = matvec(self.directions, x) / self.scale
        total: Array = self.weight * self.phi.value(heights).sum(axis=(1, 2))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        origin = np.zeros(self.d)
        top = float(np.linalg.norm(self.directions, 2)) ** 2
        peak = top * self.weight / self.scale**2 * self.phi.sup_curvature
        smooth = exact(peak, "largest eigenvalue of the Gram matrix; all curvatures peak at x = 0", origin)
        return {
            **self.noise.samples(smooth, *self._sizes()),
            **tilt_constants(self.tilts, self.zeta, self.start),
            "f_star": exact(0.0, "phi >= 0 = phi(0) and tilts cancel", origin),
            "Delta": self.gap(),
        }

    def gradient_ceiling(self) -> Constant | None:
        if not np.isfinite(self.phi.sup_slope):
            return None
        longest, signs = largest_sum(self.weight / self.scale * self.phi.sup_slope * self.directions)
        if signs is None or np.linalg.matrix_rank(self.directions) < len(self.directions):
            return upper(longest**2, "all slopes at their suprema, which dependent ridges need not reach")
        at = np.linalg.pinv(self.directions) @ (signs * self.scale * self.phi.slope_at)
        return exact(longest**2, "independent ridges: every slope at its supremum, signs tried", at)

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        """Bound the largest coordinate and norm of a client gradient: exact where the ridges are independent."""
        steep = self.weight / self.scale * self.phi.sup_slope
        if not np.isfinite(steep):
            return None, None
        reach = steep * np.abs(self.directions).sum(axis=0)
        sizes = reach + np.abs(self.tilts)
        i, c = np.unravel_index(int(sizes.argmax()), sizes.shape)
        longest = steep * float(np.linalg.norm(self.directions, 2)) * np.sqrt(len(self.directions))
        norm = upper(longest + float(np.linalg.norm(self.tilts, axis=1).max()), "ridges and tilt aligned")
        if np.linalg.matrix_rank(self.directions) < len(self.directions):
            return upper(float(sizes.max()), "all slopes at their suprema, which dependent ridges need not reach"), norm
        signs = np.sign(self.directions[:, c]) * np.copysign(1.0, self.tilts[i, c])
        at = np.linalg.pinv(self.directions) @ (signs * self.scale * self.phi.slope_at)
        return exact(float(sizes.max()), "independent ridges: every slope at its supremum", at), norm


def _directions(kind: str, ridges: int, d: int, seed: int) -> Array:
    """Return unit vectors (ridges, d)."""
    require(kind in {"orthonormal", "general", "axes"}, "directions", kind, "orthonormal, general or axes")
    require(kind == "general" or ridges <= d, "ridges", ridges, f"at most d = {d} unless directions are general")
    if kind == "axes":
        return np.eye(ridges, d)
    drawn = np.random.default_rng(seed).standard_normal((max(ridges, d), d))
    if kind == "orthonormal":
        drawn = np.linalg.qr(drawn[:d])[0].T
    chosen: Array = drawn[:ridges].copy(order="C")
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    return chosen
