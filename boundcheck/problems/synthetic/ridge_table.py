"""Ridges whose weights, centres and widths are free tables: the general separable client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.limits import require_numbers
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.synthetic.heterogeneity import alike, tilts
from boundcheck.problems.synthetic.onedim import peak, span
from boundcheck.problems.synthetic.separable import Separable

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.types import Array, Indices

_FAR = 1e9
"""Where slopes are at their limits."""
_CLOSE = 1e-3
"""Pairs of clients this close to the widest one on the grid are polished too."""


@dataclass(kw_only=True, eq=False, repr=False)
class TableRidge(Separable):
    """f_i(x) = sum_c a_ic phi((x_c - b_ic)/s_c) + <h_i, x>, with a_ic and b_ic drawn once and the widths s_c graded.

    Nothing is alike between clients or coordinates, and yet all constants are exact: the Hessian is diagonal and
    coordinates are independent, so each supremum is a sum of suprema in one variable.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    link : str
        phi, an even link.
    weight : float
        Mean of the a_ic over clients, in every coordinate.
    spread : float
        Largest |a_ic/weight - 1|, in [0, 1).
    shift : float
        Largest |b_ic|; they have mean 0 over clients.
    scale, stretch : float
        Width of the first coordinate, and how many times wider the last one is; between them a geometric sequence.
    zeta : float
        Root mean square of the tilts h_i.  It equals the constant zeta only when spread = shift = 0.
    structure_seed : int
        Which tables.
    sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.ridge.Ridge`.

    Attributes
    ----------
    widths : Array
        s (d,).
    """

    family = "ridge-table"
    dials = ("spread", "shift", "zeta")
    d: int = 6
    spread: float = 0.5
    shift: float = 0.5
    stretch: float = 2.0
    zeta: float = 0.0
    structure_seed: int = 0

    def __post_init__(self, start: float, noise: str) -> None:
        super().__post_init__(start, noise)
        self.require_even()
        require(0 <= self.spread < 1, "ridge-table: spread", self.spread, "a number in [0, 1)")
        require(self.shift >= 0, "ridge-table: shift", self.shift, "a number >= 0")
        self.require_positive("stretch")
        require_count(self.structure_seed, "ridge-table: structure_seed", 0)
        self.widths: Array = self.scale * self.stretch ** (np.arange(self.d) / max(self.d - 1, 1))
        self.shares = self.weight * (1.0 + self.spread * _table(self.N, self.d, self.structure_seed, 0))
        self.shifts = self.shift * _table(self.N, self.d, self.structure_seed, 1)
        self.tilts = tilts(self.N, self.d, self.zeta)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return a_i phi'((x - b_i)/s)/s + h_i."""
        g = self.phi.slope((x - self.of_clients(self.shifts, clients)) / self.widths, 1.0)
        g *= self.of_clients(self.shares, clients) / self.widths
        g += self.of_clients(self.tilts, clients)
        return g

    def value(self, x: Array) -> Array:
        """Return f; the tilts cancel."""
        total: Array = (self.shares * self.phi.value((x - self.shifts) / self.widths)).mean(axis=1).sum(axis=-1)
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        require_numbers({"clients": self.N, "pairs of each": self.N}, "ridge-table")
        require_numbers({"clients": self.N, "points": len(self._grid(0))}, "ridge-table")
        curved = self.shares / self.widths**2 * self.phi.sup_curvature
        i = int(curved.max(axis=1).argmax())
        centre = self.shifts[i] + self.widths * self.phi.curvature_at
        smooth = exact(curved.max(), "the largest a/s^2, at that client's centre", centre)
        low, at = self._per_coordinate(lambda c: lambda z: -self._ridge(z, c))
        return {
            **self.noise.samples(smooth, *self._sizes()),
            **self._differences(),
            # 0.0 - 0.0 is 0.0, while -(0.0) would print as -0.
            "f_star": exact(0.0 - low.sum(), "each coordinate minimised alone, to rounding", at),
            "Delta": self.gap(-low.sum(), "f(x_0) - f_star"),
        }

    def mean_ridges(self) -> tuple[Array, Array, Array]:
        """Return the tables: the shares hold the weight already, and the widths are graded."""
        return self.shares, self.shifts, self.widths

    def _ridge(self, z: Array, c: int) -> Array:
        """Return f in coordinate `c` at points (n,)."""
        ridges = self.phi.value((z - self.shifts[:, c, None]) / self.widths[c])
        mean: Array = (self.shares[:, c, None] * ridges).mean(axis=0)
        return mean

    def _slopes(self, z: Array, c: int) -> Array:
        """Return the client slopes in coordinate `c` at points (n,), shape (N, n)."""
        slopes = self.phi.slope((z - self.shifts[:, c, None]) / self.widths[c], 1.0)
        slopes *= self.shares[:, c, None] / self.widths[c]
        slopes += self.tilts[:, c, None]
        return slopes

    def _grid(self, c: int) -> Array:
        """Return where coordinate `c` is searched: the centres and ten widths around them, and both infinities."""
        reach, step = np.abs(self.shifts[:, c]).max() + 10 * self.widths[c], 0.005 * self.widths[c]
        return np.concatenate([[-_FAR], span(float(reach), float(step)), [_FAR]])

    def _per_coordinate(self, function: Callable[[int], Callable[[Array], Array]]) -> tuple[Array, Array]:
        """Return for every coordinate the largest value of its function, and the point (d,) where they are reached."""
        found = [peak(function(c), self._grid(c), rows=self.N) for c in range(self.d)]
        return np.array([top for top, _ in found]), np.array([at for _, at in found])

    def _sizes(self) -> tuple[Constant | None, Constant | None]:
        """Return the largest coordinate and the largest norm of a client gradient."""
        if not np.isfinite(self.phi.sup_slope):
            return None, None
        sizes = self.shares / self.widths * self.phi.sup_slope + np.abs(self.tilts)
        i, c = np.unravel_index(int(sizes.argmax()), sizes.shape)
        far = self._steep(int((sizes**2).sum(axis=1).argmax()))
        norm = exact(float(np.sqrt((sizes**2).sum(axis=1).max())), "slope and tilt align in every coordinate", far)
        return exact(float(sizes[i, c]), "slope and tilt align", self._steep(int(i))), norm

    def _steep(self, i: int) -> Array:
        """Return where client `i` is steepest in every coordinate."""
        turned = np.copysign(self.phi.slope_at, self.tilts[i])
        steep: Array = self.shifts[i] + self.widths * turned
        return steep

    def _differences(self) -> dict[str, Constant | None]:
        if self.N == 1:
            return alike("a single client")
        if not np.isfinite(self.phi.sup_slope):
            return {}
        spread, at = self._per_coordinate(lambda c: lambda z: self._slopes(z, c).var(axis=0))
        gap, pair_at = max((self._apart(i, j) for i, j in self._widest()), key=lambda found: found[0].sum())
        why = "each coordinate maximised alone, to rounding"
        return {
            "zeta": exact(np.sqrt(spread.sum()), why, at),
            "zeta_pair": exact(np.sqrt(gap.sum()), why, pair_at),
        }

    def _apart(self, i: int, j: int) -> tuple[Array, Array]:
        """Return the largest squared difference of two clients' slopes in every coordinate, and where."""

        def square(c: int) -> Callable[[Array], Array]:
            return lambda z: np.square(np.diff(self._slopes(z, c)[[i, j]], axis=0)[0])

        return self._per_coordinate(square)

    def _widest(self) -> list[tuple[int, int]]:
        """Return the pairs of clients whose gradients are furthest apart on the grid, or almost."""
        total = np.zeros((self.N, self.N))
        for c in range(self.d):
            slopes = self._slopes(self._grid(c), c)
            total += np.stack([np.square(slopes - mine).max(axis=1) for mine in slopes])
        firsts, seconds = np.nonzero(np.triu(total >= (1 - _CLOSE) * total.max(), 1))
        return list(zip(firsts.tolist(), seconds.tolist(), strict=True))


def _table(N: int, d: int, seed: int, which: int) -> Array:
    """Return numbers (N, d) with mean 0 over clients and largest size 1 (0 for a single client)."""
    drawn = np.random.default_rng([seed, which]).uniform(-1.0, 1.0, (N, d))
    drawn -= drawn.mean(axis=0)
    return drawn / max(float(np.abs(drawn).max()), 1e-300) if N > 1 else np.zeros((N, d))
