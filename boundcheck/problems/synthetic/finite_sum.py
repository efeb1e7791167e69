"""Clients that are averages of m sampled components: minibatches, full batches and exact constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.limits import require_numbers
from boundcheck.problems.arrays import along, combine_rows, draw_indices, matvec, matvec_transposed, pick_rows, rows_of
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.links import link_named
from boundcheck.problems.noise.base import every_choice
from boundcheck.problems.synthetic.base import Formula
from boundcheck.problems.synthetic.heterogeneity import alike, tilts
from boundcheck.problems.synthetic.steepness import largest_sum
from boundcheck.problems.tiles import from_tiles, products, to_tiles

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Stream, Token


@dataclass(kw_only=True, eq=False, repr=False)
class FiniteSum(Formula):
    """f_i(x) = (1/m) sum_j phi(<a_ij, x> - b_ij) + <h_i, x>; a sample is one of the m components, with replacement.

    The m vectors a_ij of a client are orthogonal and have length `length`, so each component's argument is free:
    L = length^2 sup phi''/m, L_sample = length^2 sup phi'' and sigma = length sup phi' sqrt((m-1)/m) are exact.  The
    tilts h_i cancel in the average.  With offset = 0 all components are lowest at 0; when zeta = 0 too, the noise
    vanishes there.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    m : int
        Components of a client, at most d.
    link : str
        phi, an even link.
    length : float
        Of the vectors a_ij.
    offset : float
        The b_ij alternate between +offset and -offset.
    zeta : float
        Root mean square of the tilts h_i.
    structure_seed : int
        Which vectors.
    start : float
        Every coordinate of x_0.

    Attributes
    ----------
    rows, offsets : Array
        The vectors a_ij (N, m, d) and the numbers b_ij (N, m).
    """

    family = "finite-sum"
    m: int = 4
    link: str = "ratio"
    length: float = 1.0
    offset: float = 0.0
    zeta: float = 0.0
    structure_seed: int = 0

    def __post_init__(self, start: float) -> None:
        super().__post_init__(start)
        require_count(self.m, "finite-sum: m")
        require_count(self.structure_seed, "finite-sum: structure_seed", 0)
        require(self.m <= self.d, "finite-sum: m", self.m, f"at most d = {self.d}")
        self.require_positive("length")
        self.phi = link_named(self.link)
        require(self.phi.rises, "finite-sum: link", self.link, "an even function, lowest at 0")
        require_numbers({"N": self.N, "m": self.m, "d": self.d}, "finite-sum")
        self.rows: Array = np.empty((self.N, self.m, self.d))
        for i in range(self.N):
            self.rows[i] = self.length * _orthonormal(self.m, self.d, self.structure_seed, i)
        alternate = (np.arange(self.N)[:, None] + np.arange(self.m)) % 2 == 0
        self.offsets = self.offset * np.where(alternate, 1.0, -1.0)
        self.tilts = tilts(self.N, self.d, self.zeta)

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the mean gradient of all components, the full batch."""
        if clients is not None or self.m == 1:
            owner = rows_of(clients)
            rows = self.rows[owner]
            slopes = self.phi.slope(matvec(rows, x) - self.offsets[owner], 1.0 / self.m)
            return matvec_transposed(rows, slopes) + self.tilts[owner]
        heights = np.matmul(to_tiles(x, self.m), np.swapaxes(self.rows, 1, 2))
        # Of a single tile the lanes that are there alone.
        counted = heights[:, :, : len(x)]
        if self.offset:
            counted -= self.offsets[:, None]
        counted[...] = self.phi.slope(counted, 1.0 / self.m)
        g = from_tiles(np.matmul(heights, self.rows), len(x))
        if self.zeta:
            g += self.tilts
        return g

    def mean_gradient(self, x: Array) -> Array:
        """Return grad f at server points (lanes, 1, d); the tilts cancel."""
        rows = self.rows.reshape(-1, self.d)
        heights = products(x, rows.T)
        if self.offset:
            heights -= self.offsets.reshape(-1)
        return products(self.phi.slope(heights, 1.0 / len(rows)), rows)

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw `b` components with replacement, shape (lanes, clients, b); one a random word."""
        n = self.N if clients is None else clients.shape[1]
        return draw_indices(stream.raw(b * n), self.m, (stream.lanes, n, b))

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        if sample is None:
            return self.exact_gradient(x, clients)
        owner = np.arange(self.N) if clients is None else clients
        rows = pick_rows(self.rows, owner[..., None], sample)
        heights = along(rows, x)
        if self.offset:
            heights -= pick_rows(self.offsets, owner[..., None], sample)
        g = combine_rows(rows, self.phi.slope(heights, 1.0 / sample.shape[-1]))
        if self.zeta:
            g += self.tilts[rows_of(clients)]
        return g

    @property
    def sample_count(self) -> int:
        """How many components a client has."""
        return self.m

    def numbered(self, numbers: Indices) -> Token:
        """Return the components of these numbers (lanes, clients, b)."""
        return numbers

    @property
    def convex(self) -> bool:
        """Whether the link is convex; sums of convex functions of linear ones are."""
        return self.phi.low_curvature >= 0

    @property
    def convex_samples(self) -> bool:
        """Whether the link is convex."""
        return self.convex

    def outcomes(self, x: Array, client: int) -> Array:
        """Return the gradients of all components of one client, shape (m, d)."""
        heights = self.rows[client] @ x - self.offsets[client]
        each: Array = self.phi.slope(heights, 1.0)[:, None] * self.rows[client] + self.tilts[client]
        return each

    def enumerate(self) -> tuple[Token, int]:
        token = every_choice(self.m, self.N)[..., None]
        return token, len(token)

    def value(self, x: Array) -> Array:
        """Return f; the tilts cancel."""
        heights = matvec(self.rows, self.everyone_at(x))
        total: Array = self.phi.value(heights - self.offsets).mean(axis=(1, 2))
        return total

    def certified_constants(self) -> dict[str, Constant | None]:
        sharp = self.length**2 * self.phi.sup_curvature
        centre = self._where(self.offsets[0])
        found: dict[str, Constant | None] = {
            "L": exact(sharp / self.m, "orthogonal vectors: the Hessian's eigenvalues are the components'", centre),
            "L_sample": exact(sharp, "one component at its centre", centre),
            "L_rms": exact(sharp / np.sqrt(self.m), "a move along one component changes one sample in m", centre),
            **self._differences(),
            "n_samples": exact(self.m, "by construction", self.start),
        }
        if np.isfinite(self.phi.sup_slope):
            found |= self._slopes()
        if self.offset:
            found["f_star"] = lower(0.0, "every component is >= 0; they are lowest at different points")
            found["Delta"] = upper(self.initial_value, "f(x_0) - 0; f_star may be larger than 0")
        else:
            found["f_star"] = exact(0.0, "every component is >= 0 and vanishes at x = 0", np.zeros(self.d))
            found["Delta"] = self.gap()
        return found

    def gradient_ceiling(self) -> Constant | None:
        """Return sup |grad f|^2, exact where all vectors together are independent: then every slope is free."""
        if not np.isfinite(self.phi.sup_slope):
            return None
        vectors = self.rows.reshape(-1, self.d)
        longest, signs = largest_sum(self.phi.sup_slope / len(vectors) * vectors)
        if signs is None or np.linalg.matrix_rank(vectors) < len(vectors):
            longest = min(longest, self.length * self.phi.sup_slope / float(np.sqrt(self.m)))
            return upper(longest**2, "all slopes at their suprema, which dependent vectors need not reach")
        at = np.linalg.pinv(vectors) @ (signs * self.phi.slope_at + self.offsets.ravel())
        return exact(longest**2, "independent vectors: every slope at its supremum, signs tried", at)

    def _where(self, heights: Array, client: int = 0) -> Array:
        """Return the shortest x with <a_ij, x> = heights_j for one client."""
        at: Array = heights @ self.rows[client] / self.length**2
        return at

    def _slopes(self) -> dict[str, Constant]:
        steep = self.phi.sup_slope

        def sizes(client: int) -> Array:
            # A client at a time: all of them would take three times the memory of the rows.
            return np.asarray(steep * np.abs(self.rows[client]) + np.abs(self.tilts[client]))

        largest = [float(sizes(client).max()) for client in range(self.N)]
        i = int(np.argmax(largest))
        j, c = np.unravel_index(int(sizes(i).argmax()), self.rows.shape[1:])
        sign = np.copysign(1.0, self.tilts[i, c] * self.rows[i, j, c])
        deviation = self.length * steep * np.sqrt((self.m - 1) / self.m)
        alternate = np.where(np.arange(self.m) % 2 == 0, 1.0, -1.0) * self.phi.slope_at
        return {
            "sigma": exact(
                deviation,
                "all slopes at their suprema; components are orthogonal",
                self._where(alternate + self.offsets[0]),
            ),
            "G_inf": exact(
                max(largest),
                "one component's slope aligned with the tilt",
                self._where(sign * self.phi.slope_at + self.offsets[i], i),
            ),
        }

    def _differences(self) -> dict[str, Constant | None]:
        if self.N == 1:
            return alike("a single client")
        if not np.isfinite(self.phi.sup_slope):
            return {}
        size = self.length * self.phi.sup_slope / np.sqrt(self.m) + np.linalg.norm(self.tilts, axis=1)
        two = float(np.sort(size)[-2:].sum())
        return {
            "zeta": upper(
                np.sqrt((size**2).mean()),
                "|grad f_i| at its bound on every client: loose by a factor of up to two or so",
            ),
            "zeta_pair": upper(two, "two clients' bounds added"),
        }


def _orthonormal(m: int, d: int, seed: int, client: int) -> Array:
    """Return m orthonormal rows; the same for client i whatever N."""
    drawn = np.random.default_rng([seed, client]).standard_normal((m, d))
    return np.linalg.qr(drawn.T)[0].T
