"""What ridges share whose weights differ between clients while their centres do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.farthest import farthest, summed_distances
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class Weighted(Separable):
    """f_i(x) = sum_c a_ic weight phi(x_c/scale) + <h_i, x> with mean_i a_ic = 1, sum_i h_i = 0."""

    def mean_gradient(self, x: Array) -> Array:
        """Return weight phi'(x/scale)/scale: the weights average to 1."""
        return self.phi.slope(x / self.scale, self.weight / self.scale)

    def mean_ridges(self) -> tuple[Array, Array, Array]:
        """Return one ridge: the weights average to 1."""
        return np.full((1, self.d), self.weight), np.zeros((1, self.d)), np.full(self.d, self.scale)

    def certified_constants(self) -> dict[str, Constant | None]:
        top = float(np.abs(self.shares).max())
        peak = self.everywhere(self.scale * self.phi.curvature_at)
        return {
            **self.noise.samples(
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
        far = self.everywhere(self.scale * self.phi.slope_at)
        aligned = np.copysign(far, self.tilts[i] * self.shares[i])
        norm = exact(float(np.linalg.norm(sizes[i])), "slope and tilt align in every coordinate", aligned)
        return exact(float(sizes.max()), "slope and tilt align", far), norm

    def _differences(self) -> dict[str, Constant | None]:
        """Return zeta and zeta_pair: convex in the slopes, so largest where every slope is at one of its ends."""
        even = bool((self.shares == 1.0).all())
        if not even and not np.isfinite(self.steep):
            return {}
        slope = 0.0 if even else self.steep
        turn = 0.0 if even else self.scale * self.phi.slope_at
        off = self.shares - 1.0
        signs = np.where((off * self.tilts).mean(axis=0) < 0, -1.0, 1.0)
        apart = off * slope * signs + self.tilts

        def steeper(rows: Indices, others: Indices) -> Array:
            more: Array = off[rows, None] - off[others]
            np.abs(more, out=more)
            more *= slope
            return more

        i, j = farthest(np.concatenate([off * slope, self.tilts], axis=1), summed_distances(self.tilts, steeper))
        gap = np.abs(off[i] - off[j]) * slope + np.abs(self.tilts[i] - self.tilts[j])
        leaning = (off[i] - off[j]) * (self.tilts[i] - self.tilts[j])
        why = "every |slope| at its supremum, signs chosen by the tilts"
        return {
            "zeta": exact(float(np.sqrt((apart**2).sum(axis=1).mean())), why, turn * signs),
            "zeta_pair": exact(float(np.sqrt((gap**2).sum())), why, turn * np.where(leaning < 0, -1.0, 1.0)),
        }
