"""Clients that are averages of strongly convex parabolas, with an l1 norm or a box beside them if wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require, require_count
from boundcheck.limits import require_numbers
from boundcheck.problems.arrays import draw_indices, pick_rows
from boundcheck.problems.constants import Constant, exact
from boundcheck.problems.noise.base import every_choice
from boundcheck.problems.penalty import Penalty
from boundcheck.problems.synthetic.base import Formula

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Stream, Token


@dataclass(kw_only=True, eq=False, repr=False)
class Parabolas(Formula):
    """f_i(x) = (1/m) sum_j sum_c a_ijc (x_c - b_ijc)^2/2; a sample is one of the m parabolas, with replacement.

    Curvatures a_ijc lie between mu and L, both of which occur; centres are b_ijc = split u_i + offset v_j with u_i and
    v_j in [-1, 1], so that split = 0 and offset = 0 make all parabolas share their minimum: interpolation, and clients
    that differ in curvature alone.  The gradients' noise is unbounded (no sigma), zeta does not exist unless all
    curvatures are equal.  F = f + h with h = l1 |x|_1 on the box |x_c| <= box is solved coordinate by coordinate.

    Parameters
    ----------
    N, d : int
        Clients and dimension.
    m : int
        Samples of a client.
    mu, L : float
        Smallest and largest curvature of a sample.
    offset : float
        How far apart the centres of a client's samples are.
    split : float
        How far apart the clients' centres are.
    l1 : float
        Weight of |x|_1.
    box : float
        Half the width of the box; 0 for none.
    structure_seed : int
        Which curvatures.
    start : float
        Every coordinate of x_0.
    """

    family = "parabolas"
    m: int = 4
    mu: float = 0.5
    L: float = 1.0
    offset: float = 0.0
    split: float = 0.0
    l1: float = 0.0
    box: float = 0.0
    structure_seed: int = 0

    def __post_init__(self, start: float) -> None:
        super().__post_init__(start)
        require_count(self.m, "parabolas: m")
        require_count(self.structure_seed, "parabolas: structure_seed", 0)
        self.require_positive("mu", "L")
        require(self.mu <= self.L, "parabolas: mu", self.mu, f"at most L = {self.L:g}")
        require(self.box >= 0, "parabolas: box", self.box, "a number >= 0; 0 is none")
        require(not self.box or abs(start) <= self.box, "parabolas: start", start, f"within the box, {self.box:g}")
        require_numbers({"N": self.N, "m": self.m, "d": self.d}, "parabolas")
        self.h = Penalty(self.l1, self.box or np.inf)
        self.curvatures, self.centres = self._tables()
        self.pulls = self.curvatures * self.centres
        self.mean_curvatures, self.mean_pulls = self.curvatures.mean(axis=1), self.pulls.mean(axis=1)
        self._bend, self._pull = self.mean_curvatures.mean(axis=0), self.mean_pulls.mean(axis=0)
        self.lowest: Array = self._pull / self._bend
        # With a penalty the minimiser of f is not where the theorems of composite methods look.
        self.x_star = self.lowest if self.h.is_none else None
        self.x_sum: Array = self.h.prox(self.lowest, 1.0 / self._bend)

    def _tables(self) -> tuple[Array, Array]:
        """Return curvatures and centres (N, m, d), those of client i whatever N."""
        curvatures = np.empty((self.N, self.m, self.d))
        for i in range(self.N):
            curvatures[i] = np.random.default_rng([self.structure_seed, i]).uniform(self.mu, self.L, (self.m, self.d))
        curvatures[0, 0, 0] = self.L
        curvatures[-1, -1, -1] = self.mu
        u = np.cos(np.pi * np.arange(self.N))
        v = np.cos(2 * np.pi * (np.arange(self.m)[:, None] / self.m + np.arange(self.d) / max(self.d, 1)))
        centres = self.split * u[:, None, None] + self.offset * v
        return curvatures, centres

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        return self.of_clients(self.mean_curvatures, clients) * x - self.of_clients(self.mean_pulls, clients)

    def client_prox(self, v: Array, step: Any, clients: Indices | None = None) -> Array:
        bend, pull = (self.of_clients(table, clients) for table in (self.mean_curvatures, self.mean_pulls))
        y: Array = (v + step * pull) / (1.0 + step * bend)
        return y

    def mean_gradient(self, x: Array) -> Array:
        g: Array = self._bend * x - self._pull
        return g

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        if sample is None:
            return self.exact_gradient(x, clients)
        owner = (np.arange(self.N) if clients is None else clients)[..., None]
        bends, pulls = (pick_rows(table, owner, sample).mean(axis=-2) for table in (self.curvatures, self.pulls))
        g: Array = bends * x - pulls
        return g

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw `b` samples with replacement, shape (lanes, clients, b); one a random word."""
        n = self.N if clients is None else clients.shape[1]
        return draw_indices(stream.raw(b * n), self.m, (stream.lanes, n, b))

    @property
    def sample_count(self) -> int:
        return self.m

    def numbered(self, numbers: Indices) -> Token:
        return numbers

    def outcomes(self, x: Array, client: int) -> Array:
        each: Array = self.curvatures[client] * (x - self.centres[client])
        return each

    def enumerate(self) -> tuple[Token, int]:
        token = every_choice(self.m, self.N)[..., None]
        return token, len(token)

    def value(self, x: Array) -> Array:
        mean: Array = self.client_values(self.everyone_at(x)).mean(axis=1)
        return mean

    def client_values(self, x: Array, clients: Indices | None = None) -> Array:
        curvatures, centres = (self.of_clients(table, clients) for table in (self.curvatures, self.centres))
        away = x[..., None, :] - centres
        values: Array = (curvatures * away**2).sum(axis=-1).mean(axis=-1) / 2
        return values

    @property
    def convex(self) -> bool:
        return True

    @property
    def convex_samples(self) -> bool:
        return True

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return what parabolas have; sigma and zeta where all curvatures are equal, no G_inf."""
        each, origin = self.mean_curvatures, self.start
        square = (self.curvatures**2).mean(axis=1)
        shared = not (self.offset or self.split)
        found: dict[str, Constant | None] = {
            "L": exact(each.max(), "largest mean curvature of a client in a coordinate", origin),
            "L_sample": exact(self.curvatures.max(), "largest curvature of a sample", origin),
            "L_rms": exact(np.sqrt(square.max()), "root mean square of the curvatures in a coordinate", origin),
            "mu": exact(each.min(), "smallest mean curvature of a client in a coordinate", origin),
            "mu_sample": exact(self.curvatures.min(), "smallest curvature of a sample", origin),
            "mu_PL": exact(self._bend.min(), "smallest curvature of f", self._along(self._bend.argmin())),
            "n_samples": exact(self.m, "by construction", origin),
            "G_inf": None,
            "L_0": exact(self._bend.max(), "largest curvature of f; parabolas have it everywhere", origin),
            "L_1": exact(0.0, "parabolas", origin),
            "sigma": self._noise(),
            "zeta": self._heterogeneity(),
            **(self._relative() if shared else {}),
        }
        # Shared minima are at 0, where all vanish.
        low = 0.0 if shared else float(self.value(self.lowest[None, None, :])[0])
        found["f_star"] = exact(low, "solved coordinate by coordinate", self.lowest)
        found["Delta"] = self.gap(low, "f(x_0) - f_star, both in closed form")
        ratio = square.mean(axis=0) / self._bend
        at = self.lowest + self._along(ratio.argmax())
        found["L_exp"] = exact(ratio.max(), "mean square over mean of the curvatures in a coordinate", at)
        return found | self._of_sum()

    def _along(self, c: int | np.integer) -> Array:
        """Return the unit vector of one coordinate."""
        unit: Array = np.eye(self.d)[int(c)]
        return unit

    def _noise(self) -> Constant | None:
        """Return sigma where a client's gradients differ by constants, else None."""
        if np.ptp(self.curvatures, axis=1).max() > 0:
            return None
        sigma = float(np.sqrt(self.pulls.var(axis=1).sum(axis=-1).max()))
        return exact(sigma, "a client's samples differ by constants", self.start)

    def _heterogeneity(self) -> Constant | None:
        """Return zeta where the clients' gradients differ by constants, else None."""
        if np.ptp(self.mean_curvatures, axis=0).max() > 0:
            return None
        zeta = float(np.sqrt(((self.mean_pulls - self._pull) ** 2).sum(axis=-1).mean()))
        return exact(zeta, "clients differ by constants", self.start)

    def _relative(self) -> dict[str, Constant | None]:
        """Return dissimilarity and strong growth where all minima are shared: ratios of quadratic forms."""
        over_clients = (self.mean_curvatures**2).mean(axis=0) / self._bend**2
        over_samples = (self.curvatures**2).mean(axis=(0, 1)) / self._bend**2
        why = "mean square over squared mean of the curvatures in a coordinate"
        return {
            "G_dis": exact(0.0, "clients share their minimum", self.lowest),
            "B_dis": exact(np.sqrt(over_clients.max()), why, self._along(over_clients.argmax())),
            "rho_sg": exact(over_samples.max(), why, self._along(over_samples.argmax())),
        }

    def _of_sum(self) -> dict[str, Constant | None]:
        """Return the constants of F = f + h; F is lowest where the shrunk and clipped minimum of f is."""
        lowest, start = (self.sum_value(x[None, None, :])[0] for x in (self.x_sum, self.start))
        away = self.start - self.x_sum
        return {
            "F_star": exact(lowest, "solved coordinate by coordinate", self.x_sum),
            "Delta_F": exact(start - lowest, "F(x_0) - F_star in closed form", self.start),
            "delta_F": exact(float(away @ away), "|x_0 - x_F|^2 with the minimiser x_F known", self.start),
        }
