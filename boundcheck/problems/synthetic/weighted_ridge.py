"""Ridges whose weights differ between clients: curvature split, and Dirichlet mixtures of shared components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import mixtures, sign_pattern, tilts
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.base import Array


class _Weighted(Separable):
    """f_i(x) = sum_c a_ic weight phi(x_c/scale) + <h_i, x> with mean_i a_ic = 1, sum_i h_i = 0."""

    def certified(self) -> dict[str, Constant]:
        """Return L, L_sample, L_rms, sigma, zeta, zeta_pair, G_inf, f_star and Delta, those that are finite."""
        top = float(np.abs(self.shares).max())
        peak = self.everywhere(self.scale * self.link.curvature_at)
        return {
            **self.sampled(
                exact(top * self.sharp, "largest weight, all curvatures peak together", peak), *self._sizes()
            ),
            **self._differences(),
            "f_star": exact(0.0, "phi >= 0 = phi(0), weights average to 1 and tilts cancel", np.zeros(self.d)),
            "Delta": self.gap(),
        }

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        """Return the largest coordinate and the largest norm of a client gradient."""
        if not np.isfinite(self.steep):
            return None, None
        sizes = np.abs(self.shares) * self.steep + np.abs(self.tilts)
        i = int((sizes**2).sum(axis=1).argmax())
        far = self.everywhere(self.scale * self.link.slope_at)
        aligned = np.copysign(far, self.tilts[i] * self.shares[i])
        norm = exact(float(np.linalg.norm(sizes[i])), "slope and tilt align in every coordinate", aligned)
        return exact(float(sizes.max()), "slope and tilt align", far), norm

    def _differences(self) -> dict[str, Constant]:
        """Return zeta and zeta_pair: convex in the slopes, so largest where every slope is at one of its ends."""
        even = bool((self.shares == 1.0).all())
        if not even and not np.isfinite(self.steep):
            return {}
        slope = 0.0 if even else self.steep
        turn = 0.0 if even else self.scale * self.link.slope_at
        off = self.shares - 1.0
        signs = np.where((off * self.tilts).mean(axis=0) < 0, -1.0, 1.0)
        apart = off * slope * signs + self.tilts
        gaps = np.abs(off[:, None] - off[None]) * slope + np.abs(self.tilts[:, None] - self.tilts[None])
        norms = np.sqrt((gaps**2).sum(axis=-1))
        i, j = np.unravel_index(int(norms.argmax()), norms.shape)
        leaning = (off[i] - off[j]) * (self.tilts[i] - self.tilts[j])
        why = "every |slope| at its supremum, signs chosen by the tilts"
        return {
            "zeta": exact(float(np.sqrt((apart**2).sum(axis=1).mean())), why, turn * signs),
            "zeta_pair": exact(float(norms.max()), why, turn * np.where(leaning < 0, -1.0, 1.0)),
        }


class SplitRidge(_Weighted):
    """f_i(x) = (1 + e_i split) weight sum_c phi(x_c/scale) + <a_i, x>, e_i = +1, -1, +1, ... (0 for the last of odd N).

    Curvatures differ between clients, so local steps drift to first order; the average is weight sum_c phi(x_c/scale).

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight, scale : float
        Of the ridge.
    split : float
        Relative difference of curvature; above 1 some clients are turned upside down.
    zeta : float
        Root mean square of the tilts a_i.  It equals the constant zeta only when split = 0.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-split"

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        link: str = "ratio",
        weight: float = 1.0,
        scale: float = 1.0,
        split: float = 0.5,
        zeta: float = 0.0,
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
    ) -> None:
        super().__init__(
            N=N,
            d=d,
            link=link,
            weight=weight,
            scale=scale,
            sigma=sigma,
            noise=noise,
            omega=omega,
            odds=odds,
            start=start,
        )
        self.require_even()
        require(split >= 0, "ridge-split: split", split, "a number >= 0")
        self.shares = np.repeat(1.0 + split * sign_pattern(N)[:, None], d, axis=1)
        self.tilts = tilts(N, d, zeta)

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x/scale)/scale."""
        return self.link.slope(x / self.scale, self.weight / self.scale)


class MixtureRidge(_Weighted):
    """f_i = sum_m p_im psi_m with M shared components psi_m(x) = M weight sum_(c = m mod M) phi(x_c).

    The shares p_i are drawn from Dirichlet(dirichlet_omega) and balanced, so that every client's add up to 1 and the
    average client has all components in equal shares: f(x) = weight sum_c phi(x_c) whatever the shares.  Small
    dirichlet_omega gives each client few components, as label skew does.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight : float
        Of f.
    components : int
        M, at most d.
    dirichlet_omega : float
        Concentration of the shares; large means equal clients.
    structure_seed : int
        Which shares.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.
    """

    family = "ridge-mixture"

    def __init__(
        self,
        *,
        N: int,
        d: int = 8,
        link: str = "ratio",
        weight: float = 1.0,
        components: int = 4,
        dirichlet_omega: float = 0.5,
        structure_seed: int = 0,
        sigma: float = 0.0,
        noise: str = "signs",
        omega: float = 1.0,
        odds: int = 2,
        start: float = 1.0,
    ) -> None:
        super().__init__(
            N=N, d=d, link=link, weight=weight, scale=1.0, sigma=sigma, noise=noise, omega=omega, odds=odds, start=start
        )
        self.require_even()
        require_count(structure_seed, "ridge-mixture: structure_seed", 0)
        require_count(components, "ridge-mixture: components")
        require(components <= d, "ridge-mixture: components", components, f"at most d = {d}")
        if N > 1:
            shares = mixtures(N, components, dirichlet_omega, structure_seed)
            self.shares = components * shares[:, np.arange(d) % components]

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x): the shares average to 1."""
        return self.link.slope(x, self.weight)
