"""The chain split over clients: progress from one block of links to the next needs communication."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require_count
from boundcheck.problems.arrays import rows_of
from boundcheck.problems.certification.search import climb
from boundcheck.problems.constants import Constant, exact, upper
from boundcheck.problems.synthetic.chain import Chain
from boundcheck.problems.synthetic.chain_links import end_slope, links, onward_slope, reach

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices

_GRID = np.concatenate([[-1e4, -6.0, -4.0], np.linspace(-3.0, 3.0, 73), [4.0, 6.0, 1e4]])
"""Values of a coordinate among which the largest heterogeneity is looked for; then a climb refines it."""


@dataclass(kw_only=True, eq=False, repr=False)
class SplitChain(Chain):
    """f_i = N height sum_(links j of client i) link_j(x/scale), so that the clients average to height F(x/scale).

    Link j is the part of F that ties x_j to x_(j-1), see `boundcheck.problems.synthetic.chain`; height =
    L scale^2/(152 N).  Blocks of `block` consecutive links go to the clients in turn.  A coordinate leaves 0 only by
    a step of the client that holds its link, and only after its predecessor has passed 1/2: however many local steps
    a round takes, with N >= 2 it reaches one more block at most, and |grad f| >= height/scale until the last of
    ceil(d/block) rounds (an exchange of initial gradients counts as one).

    Parameters
    ----------
    N, d : int
        Clients, and links of the chain.
    block : int
        Consecutive links of one client.
    L : float
        Smoothness of the client functions that is proved; that of f is L/N.
    scale, sigma, noise, omega, odds, start
        As for `boundcheck.problems.synthetic.chain.Chain`; a client's hidden link is N times as steep as in f.

    Attributes
    ----------
    owner : Indices
        The client that holds each link, shape (d,).
    """

    family = "chain-split"
    d: int = 12
    block: int = 1
    noise: InitVar[str] = "none"

    def __post_init__(self, start: float, noise: str) -> None:
        require_count(self.N, "chain-split: N")
        require_count(self.block, "chain-split: block")
        self.share = float(self.N)
        super().__post_init__(start, noise)
        self.owner: Indices = np.arange(self.d) // self.block % self.N
        self._pairs = np.append(self.owner[1:] == self.owner[:-1], [True])
        held = self.owner == np.arange(self.N)[:, None]
        self._ends = self.N * held.astype(float)
        self._starts = np.concatenate([self._ends[:, 1:], np.zeros((self.N, 1))], axis=1)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the gradients of each client's links."""
        chosen = rows_of(clients)
        g, onward = links(x / self.scale)
        g *= self._ends[chosen]
        onward *= self._starts[chosen]
        g += onward
        g *= self.height / self.scale
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return (height/scale) grad F(x/scale)."""
        return super().exact_gradient(x)

    def _why_smooth(self) -> str:
        return "rows of the Hessian added up, part by part; attacks on three links or more reach 0.88 of it"

    def _together(self, c: int) -> bool:
        return bool(self._pairs[c])

    def _differences(self) -> dict[str, Constant | None]:
        if self.N == 1:
            return super()._differences()
        z = self._most_different()
        zeta = self.height / self.scale * float(np.sqrt(self._spread(z[None])[0]))
        why = "links at their steepest together: dynamic programming over a grid along the chain, then a climb"
        return {
            "zeta": exact(zeta, why, self.scale * z),
            "zeta_pair": upper(np.sqrt(2 * self.N) * zeta, "sqrt(2 N) zeta: loose by a factor of up to sqrt(N)"),
        }

    def _spread(self, z: Array) -> Array:
        """Return the unscaled variance of the client gradients at points (n, d), shape (n,)."""
        ends, starts = links(z)
        total: Array = self._variance(ends, starts, self._pairs).sum(axis=-1)
        return total

    def _variance(self, end: Array, start: Array, together: Array) -> Array:
        """Return the variance over clients of one coordinate, whose two links are held by one client or by two.

        Two: (N end)^2/N + (N start)^2/N - (end + start)^2; one: (N - 1) (end + start)^2.
        """
        mixed = np.where(together, 2.0 * (self.N - 1), -2.0)
        return (self.N - 1) * (end * end + start * start) + mixed * end * start

    def _most_different(self) -> Array:
        """Return the point (d,), unscaled, at which the sum of the variances of all coordinates is largest.

        A coordinate's variance depends on itself and its two neighbours, so the best values of x_1..x_c for each
        (x_c, x_(c+1)) follow from those for (x_(c-1), x_c).
        """
        if self.d == 1:
            return np.zeros(1)
        before, here, after = _GRID[:, None, None], _GRID[None, :, None], _GRID[None, None, :]
        start = onward_slope(here, after)
        best = self._variance(end_slope(here), start, self._pairs[0])[0]
        chosen = []
        for c in range(1, self.d):
            onward = start if c < self.d - 1 else np.zeros((1, 1, 1))
            total = best[:, :, None] + self._variance(reach(before) * end_slope(here), onward, self._pairs[c])
            chosen.append(total.argmax(axis=0))
            best = total.max(axis=0)
        path = list(np.unravel_index(int(best.argmax()), best.shape))
        for back in reversed(chosen):
            path.insert(0, back[path[0], path[1]])
        return climb(self._spread, _GRID[np.array(path[: self.d])], 200)[0]
