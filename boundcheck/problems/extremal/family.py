"""The family `extremal`: a worst case as a problem like any other."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.base import Problem
from boundcheck.problems.constants import Constant, exact, lower, upper
from boundcheck.problems.extremal.data import load_pieces
from boundcheck.problems.extremal.hull import hull
from boundcheck.problems.noise.axis import AxisNoise
from boundcheck.problems.noise.base import NoNoise

if TYPE_CHECKING:
    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.problems.types import Array, Indices

_STEPS, _RESTART, _STILL = 5_000, 50, 1e-22
"""Steps towards a minimiser, after how many momentum starts anew, and the largest |grad f|^2 that counts as none.

The last is a share of the square of L times the size of the problem.
"""
_ALIKE = 1e-12
"""Relative rounding of vertices that differ by a tilt."""
_FAR = 1e3
"""Sizes of the problem, at which one parabola alone is in use."""


class Extremal(Problem):
    """A method's worst case, attained: client functions that are hulls of parabolas.

    ``f_i(x) = mu/2 |x|^2 + min over the simplex of (L-mu)/2 |x - sum_j a_j w_ij|^2 + sum_j a_j t_ij`` is the largest
    function with curvatures in [mu, L] through the points, gradients and values of a worst run.  The first clients are
    the table's first one, and so on, equally often; where mu < 0 the average of one client or of tilts
    of one has its infimum in closed form, and that of two smooth clients.

    Parameters
    ----------
    N : int
        Clients.  Where it is no multiple of the clients of the table, f is another function, whose infimum is not
        known: there is no f_star.
    which : str
        Name of a shipped table, whose `origin` says which worst case it attains; or a table as a text in JSON.
    sigma : float
        Noise of one sample, along a further coordinate z: every f_i is then f_i(x) + L z^2/2, and starts from z = 0.

    References
    ----------
    Drori, Teboulle, Mathematical Programming 145 (2014); Taylor, Hendrickx, Glineur, 161 (2017).
    """

    family = "extremal"

    def __init__(self, *, N: int, which: str = "fedavg", sigma: float = 0.0) -> None:
        self.fill(load_pieces(which), N, sigma)

    @classmethod
    def of(cls, pieces: Pieces, *, N: int | None = None, sigma: float = 0.0) -> Extremal:
        """Return the problem of a table of one's own, by default with the clients that it has."""
        problem = cls.__new__(cls)
        problem.fill(pieces, len(pieces.w) if N is None else N, sigma)
        return problem

    def fill(self, pieces: Pieces, N: int, sigma: float = 0.0) -> None:
        """Make it of a table, each of whose clients stands for N over their number."""
        require(sigma >= 0, "sigma", sigma, "a number >= 0")
        pieces = pieces.lift_dimension() if sigma else pieces
        d = pieces.w.shape[2]
        super().__init__(N=N, d=d, start=pieces.start, noise=AxisNoise(sigma, d) if sigma else NoNoise(0.0, d))
        self.pieces, self.origin = pieces, pieces.origin
        self.bend = pieces.L - pieces.mu
        clients = len(pieces.w)
        self._table = np.arange(N) * clients // N
        self.hulls = [hull(w, t, self.bend) for w, t in zip(pieces.w, pieces.t, strict=True)]
        self.used = sorted(set(self._table.tolist()))

    def exact_gradient(self, x: Array, clients: Indices | None = None) -> Array:
        """Return L x - (L-mu) sum_j a_j w_ij."""
        x = np.asarray(x, dtype=float)
        return self.pieces.L * x - self.bend * self._vertices(x, clients)[1]

    def value(self, x: Array) -> Array:
        """Return the mean over the clients."""
        total: Array = self.client_values(self.everyone_at(x)).mean(axis=1)
        return total

    def client_values(self, x: Array, clients: Indices | None = None) -> Array:
        """Return the hulls' values, and mu |x|^2/2."""
        x = np.asarray(x, dtype=float)
        values: Array = self._vertices(x, clients)[0] + self.pieces.mu / 2 * (x * x).sum(axis=-1)
        return values

    def client_value(self, x: Array, client: int) -> float:
        """Return f_i of one client at a point (d,): line integrals of its gradient would be off at its kinks."""
        least = self.hulls[self._table[client]](x[None])[0]
        return float(least[0] + self.pieces.mu / 2 * (x @ x))

    def _vertices(self, x: Array, clients: Indices | None) -> tuple[Array, Array]:
        """Return the hulls (lanes, clients) and their vertices in use (lanes, clients, d)."""
        owner = np.broadcast_to(self._table if clients is None else self._table[clients], x.shape[:2])
        values, vertices = np.empty(x.shape[:2]), np.empty(x.shape)
        for k, one in enumerate(self.hulls):
            mine = owner == k
            if mine.any():
                values[mine], vertices[mine] = one(x[mine])
        return values, vertices

    @property
    def convex(self) -> bool:
        """Whether no curvature is negative."""
        return self.pieces.mu >= 0

    @property
    def convex_samples(self) -> bool:
        """Whether samples add a linear function to convex clients."""
        return self.convex and self.noise.linear

    @cached_property
    def x_star(self) -> Array | None:  # type: ignore[override]
        """A minimiser of f where it is convex, the only one where mu > 0; None where it is not found."""
        return self._stationary()

    def certified_constants(self) -> dict[str, Constant | None]:
        """Return L, L_sample, L_rms, sigma, zeta, mu > 0 and, where the infimum is known, f_star and Delta."""
        curved = {"mu": lower(self.pieces.mu, "every parabola has at least this curvature")}
        clients = {"Delta_mean": self._client_gap(), **(curved if self.pieces.mu > 0 else {})}
        smooth = exact(self.pieces.L, "one parabola alone is in use far away", self._far())
        return {**self.noise.samples(smooth, None, None), **self._spread(), **self._floor(), **clients}

    def _far(self) -> Array:
        """Return a point where client 0 uses one parabola alone: far along the vertex that is farthest out."""
        w = self.pieces.w[0]
        centred = w - w.mean(axis=0)
        out = centred[np.vecdot(centred, centred).argmax()]
        size = float(np.sqrt(np.vecdot(out, out)))
        direction = out / size if size else np.eye(self.d)[0]
        far: Array = self.pieces.start + _FAR * max(1.0, float(np.abs(w).max())) * direction
        return far

    @property
    def _shifts(self) -> Array | None:
        """Return by how much the vertices of the table's clients differ from their means, (clients, d), if all alike.

        The clients are then one function h and tilts, ``f_i = h + <c_i, .>`` with c_i = -(L-mu) times these shifts.
        """
        apart = self.pieces.w - self.pieces.w.mean(axis=0)
        shifts: Array = apart.mean(axis=1)
        scale = float(np.abs(self.pieces.w).max())
        return shifts if np.abs(apart - shifts[:, None, :]).max() <= _ALIKE * scale else None

    def _spread(self) -> dict[str, Constant | None]:
        """Return zeta: from the vertices, as gradients differ by (L-mu) times those in use."""
        if len(self.used) == 1:
            return {"zeta": exact(0.0, "all clients are equal", self.start)}
        if self._shifts is not None and self._is_balanced:
            tilt = self.bend * float(np.sqrt(np.vecdot(self._shifts, self._shifts).mean()))
            return {"zeta": exact(tilt, "clients differ by tilts, the same at every x", self.start)}
        if len(self.used) > 2:
            return {}
        first, second = self.pieces.w
        apart = first[:, None, :] - second[None, :, :]
        widest = self.bend / 2 * float(np.sqrt(np.vecdot(apart, apart).max()))
        why = (
            "half the largest distance between vertices of two clients, times L - mu; they need not be in use together"
        )
        return {"zeta": upper(widest, why)}

    @property
    def _is_balanced(self) -> bool:
        counts = np.bincount(self._table, minlength=len(self.pieces.w))
        return bool(counts.min() == counts.max())

    def _floor(self) -> dict[str, Constant | None]:
        minimum = None if self.x_star is None else (self.x_star, "convex, and the gradient vanishes there")
        found = self._lowest() if self.pieces.mu < 0 else minimum
        if found is None:
            return {}
        at, why = found
        floor = float(self.value(at[None, None, :])[0])
        return {"f_star": exact(floor, why, at), "Delta": self.gap(floor, f"f(x_0) - f_star: {why}")}

    def floors(self) -> Array | None:
        """Return inf f_i of the table's clients where mu < 0: each is concave in the weights."""
        if self.pieces.mu >= 0:
            return None
        lowest: Array = self._depths(self.pieces.w, self.pieces.t).min(axis=-1)
        return lowest

    def _depths(self, w: Array, t: Array) -> Array:
        """Return the lowest values of ``mu/2 |x|^2 + (L-mu)/2 |x - w|^2 + t``, at x = (L-mu)/L w."""
        depths: Array = t + self.pieces.mu * self.bend / (2 * self.pieces.L) * np.vecdot(w, w)
        return depths

    def _client_gap(self) -> Constant | None:
        floors = self.floors()
        if floors is None:
            return None
        depth = self.initial_value - float(floors[self._table].mean())
        return exact(depth, "the lowest parabola of each client", self.start)

    def _lowest(self) -> tuple[Array, str] | None:
        """Return where the infimum of f is where mu < 0: of one client or tilts of one, or of two smooth clients.

        Of one client it is concave in the weights of its parabolas, so that one is lowest.  With weights a for one
        client and b for the other the best point is ``sum a w + sum b v`` where mu = -L, and what remains,
        ``sum a t + sum b s - 2 L <sum a w, sum b v>`` over 2, is linear in each, so that one parabola of each is best.
        """
        smooth = self.pieces.mu == -self.pieces.L
        if len(self.used) == 1 and not smooth:
            w, t = self.pieces.w[self.used[0]], self.pieces.t[self.used[0]]
            return self.bend / self.pieces.L * w[self._depths(w, t).argmin()], "the lowest parabola, in closed form"
        if self._shifts is not None and self._is_balanced and (len(self.used) > 2 or not smooth):
            return self._lowest_tilted(self._shifts)
        if len(self.used) > 2 or not smooth or not (self._is_balanced or len(self.used) == 1):
            return None
        (w, t), (v, s) = ((self.pieces.w[k], self.pieces.t[k]) for k in (self.used[0], self.used[-1]))
        values = (t[:, None] + s[None, :]) / 2 - self.pieces.L * w @ v.T
        j, k = np.unravel_index(values.argmin(), values.shape)
        return w[j] + v[k], "one parabola of each client is lowest, in closed form"

    def _lowest_tilted(self, shifts: Array) -> tuple[Array, str]:
        """Return where h is lowest: its parabolas are the means of the clients'."""
        w = self.pieces.w.mean(axis=0)
        t = self.pieces.t.mean(axis=0) + self.bend / 2 * np.vecdot(shifts, shifts).mean()
        return self.bend / self.pieces.L * w[self._depths(w, t).argmin()], "the lowest parabola of h, in closed form"

    def _stationary(self) -> Array | None:
        """Return where the gradient of a convex f vanishes, by accelerated steps from the last point of the table."""
        if self.pieces.mu < 0 or self.pieces.last is None:
            return None
        x = ahead = self.pieces.last
        # In any units: gradients are this large over the size of the problem.
        sizes = [np.abs(v).max(initial=0.0) for v in (x, self.pieces.w - x, self.start - x)]
        still = _STILL * (self.pieces.L * max(sizes)) ** 2
        for k in range(_STEPS):
            g = self.mean_gradient(ahead[None, None, :])[0, 0]
            if g @ g <= still:
                return ahead
            old, x = x, ahead - g / self.pieces.L
            # Momentum that would climb is dropped.
            ahead = x + (k % _RESTART) / (k % _RESTART + 3.0) * (x - old)
        return None
