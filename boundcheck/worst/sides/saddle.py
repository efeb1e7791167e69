"""The upper side of methods for min_x max_y: what every smooth strongly concave saddle obeys, which is not all of it.

With Phi(x) = max_y f(x, y), y_star(x) where it is reached and kappa = L/mu, grad Phi(x) = grad_x f(x, y_star(x)) is
read off at points (x_t, y_star(x_t)) of which nothing else is known.
"""

from __future__ import annotations

import dataclasses
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.worst.facts.classes import ProblemClass
from boundcheck.worst.facts.conditions import floor, interpolation
from boundcheck.worst.gram.oracle import SERVER
from boundcheck.worst.gram.rows import StackedRows
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector
from boundcheck.worst.sides.programme import Programme

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.gram.trace import Trace

_SAME = 1e-12
"""Points have the same x whose coefficients differ by less."""


class Halves(NamedTuple):
    """A vector in four blocks: its mean over the clients in x and in y, and its deviation in x and in y."""

    parts: tuple[Array, Array, Array, Array]

    def __sub__(self, other: Halves) -> Halves:
        return Halves(tuple(u - v for u, v in zip(self.parts, other.parts, strict=True)))  # type: ignore[arg-type]

    def _only(self, *kept: int) -> Halves:
        return Halves(tuple(part * (k in kept) for k, part in enumerate(self.parts)))  # type: ignore[arg-type]

    @property
    def x(self) -> Halves:
        """Return the half in x."""
        return self._only(0, 2)

    @property
    def y(self) -> Halves:
        """Return the half in y."""
        return self._only(1, 3)

    @property
    def means(self) -> Halves:
        """Return the mean over the clients."""
        return self._only(0, 1)

    @property
    def deviations(self) -> Halves:
        """Return what a client has beside the mean."""
        return self._only(2, 3)


class HalfRows(StackedRows):
    """Rows over four triangles: x and y have no products with each other, nor have means and deviations."""

    of_means = 2

    def product(self, u: Halves, v: Halves) -> Array:
        """Return the row of <u, v>, averaged over the clients."""
        row = self.zero()
        for number, (one, other) in enumerate(zip(u.parts, v.parts, strict=True)):
            self._fill(row, number, np.outer(one, other))
        return row

    def square(self, u: Halves) -> Array:
        """Return the row of |u|^2."""
        return self.product(u, u)


def coupling_row(rows: Any, given: ProblemClass, a: tuple[int, Any, Any], b: tuple[int, Any, Any]) -> Any:
    """Return the row that is <= 0 between two points of a function with curvature >= -L in x and <= -mu in y.

    f(x_b, y_a) is at least what a's gradient in x says and at most what b's gradient in y says:
    ``f_a + <grad_x f_a, x_b - x_a> - L |x_b - x_a|^2/2 <= f_b + <grad_y f_b, y_a - y_b> - mu |y_a - y_b|^2/2``.
    """
    (fa, za, ga), (fb, zb, gb) = a, b
    apart = za - zb
    bent = given.convexity / 2 * rows.square(apart.y) - given.L / 2 * rows.square(apart.x)
    return rows.value(fa) - rows.value(fb) - rows.product(ga, apart.x) - rows.product(gb, apart.y) + bent


def concave(rows: Any, given: ProblemClass, a: tuple[int, Any, Any], b: tuple[int, Any, Any]) -> Any:
    """Return the row that is <= 0 between points of one x: -f(x, .) has its curvatures in [mu, L]."""
    (fa, za, ga), (fb, zb, gb) = a, b
    dy, dg, L, mu = (za - zb).y, (ga - gb).y, given.L, given.convexity
    bent = rows.square(dg) / L + mu * rows.square(dy) + 2 * (mu / L) * rows.product(dg, dy)
    return rows.value(fa) - rows.value(fb) - rows.product(gb, dy) + bent / (2 * (1 - mu / L))


def require_saddles(name: str, given: ProblemClass, S: int | None) -> None:
    """Refuse classes that are not of saddles.

    Raises
    ------
    InputError
        If there is no strong concavity, or no Delta, or more than the upper side speaks of.
    """
    require(given.convexity > 0, f"{name}: mu", given.mu, "a number in (0, L): strong concavity in y")
    require(given.Delta is not None, f"{name}: Delta", given.Delta, "a number: Phi(x_0) - inf Phi is at most that")
    require(given.sigma == 0, f"{name}: sigma", given.sigma, "0: minimax methods are without noise here")
    require(not given.everywhere, f"{name}: everywhere", given.everywhere, "False: there is no lower side")
    require(S is None or S == given.N, f"{name}: S", S, "N: minimax methods are of all clients here")


def on_saddles(
    trace: Trace, looked: LeftHandSide, given: ProblemClass, made: Callable[..., Saddle] | None = None
) -> tuple[Saddle, LeftHandSide]:
    """Return the programme of a run on pairs, and where its left-hand side looks: at (x, y_star(x))."""
    saddle = (made or Saddle)(trace, given)
    points = tuple((weight, saddle.star(z)) for weight, z in looked.points)
    saddle.close()
    return saddle, dataclasses.replace(looked, points=points)


class Saddle:
    """Rows and constraints of a run over all problems of a class; the last points are (x, y_star(x)).

    Parameters
    ----------
    trace : Trace
        A run on pairs.
    given : ProblemClass
        With mu > 0 and Delta, without noise.

    Attributes
    ----------
    programme : Programme
        All constraints, once `close` has been called.
    """

    def __init__(self, trace: Trace, given: ProblemClass) -> None:
        self.trace, self.given = trace, given
        self._stars: dict[bytes, GradientPoint] = {}
        self._start = self.star(trace.iterates[0])

    @property
    def reason_unattained(self) -> str:
        """Why no function is made."""
        return "minimax: no quadratic saddle was found on which the left-hand side is more than 0"

    def star(self, z: GramVector) -> GramVector:
        """Return the point (x, y_star(x)) of a server point (x, y)."""
        oracle = self.trace.oracle
        x = z.coefficients.copy()
        x[:, 1::2] = 0.0
        key = np.trim_zeros(np.round(x[MEAN].astype(float), 12) + 0.0, "b").tobytes()
        if key not in self._stars:
            own = oracle.server(f"y_star {len(self._stars)}")
            at = GramVector(x) + own
            at.coefficients[MEAN, -2] = 0.0
            at.coefficients[MEAN, oracle.origins[1]] = 1.0
            self._stars[key] = oracle.point(at)
        return self._stars[key].at

    def close(self) -> None:
        """Make the programme of all points that were met."""
        self.points = list(self.trace.oracle.points)
        self._choose()
        self._make_rows()
        self._at: list[Any] = [(k, self.pair(p.at), self._gradient(p)) for k, p in enumerate(self.points)]
        self._of_clients()
        self._of_servers()
        self._of_phi()
        self._of_start()

    def _make_rows(self) -> None:
        self.rows: Any = HalfRows(tuple(map(len, self.chosen)), len(self.points))
        self.programme: Any = Programme(self.rows)

    def limit(self, name: str) -> Any:
        """Return what bounds a constant of the class: squares of lengths, and values."""
        value = getattr(self.given, name) or 0.0
        return value**2 if name in ("zeta", "distance") else value

    def _choose(self) -> None:
        """Choose the basis vectors of each block: grad_y f at (x, y_star(x)) has no mean."""
        basis = self.trace.oracle.basis
        flat = {p.gradient for p in self._stars.values()}
        used = np.zeros(len(basis), dtype=bool)
        for p in self.points:
            used |= (p.at.pad_to(len(basis)) != 0).any(axis=0)
            used[p.gradient - 1 : p.gradient + 1] = True
        used[list(self.trace.oracle.origins)] = False
        apart = [k for k in np.flatnonzero(used) if basis[k].kind not in SERVER and self.given.N > 1]
        means = [k for k in np.flatnonzero(used) if k not in flat]
        self.chosen = [[k for k in kept if k % 2 == half] for kept in (means, apart) for half in (0, 1)]

    def pair(self, v: GramVector) -> Halves:
        """Return a vector in the four blocks; points are relative to the start."""
        padded = v.pad_to(len(self.trace.oracle.basis))
        rows = (MEAN, MEAN, DEVIATION, DEVIATION)
        return Halves(tuple(padded[r, k] for r, k in zip(rows, self.chosen, strict=True)))  # type: ignore[arg-type]

    def _gradient(self, point: GradientPoint) -> Halves:
        coefficients = np.zeros((2, point.gradient + 1))
        coefficients[:, point.gradient - 1 :] = 1.0
        return self.pair(GramVector(coefficients))

    def mean_gradient(self, z: GramVector) -> Halves:
        """Return grad Phi at a point (x, y_star(x))."""
        return self._gradient(self.trace.oracle.point(z)).means.x

    def number(self, point: GradientPoint) -> int:
        """Return the number of a point's value."""
        return next(k for k, p in enumerate(self.points) if p is point)

    def _of_clients(self) -> None:
        smooth = ProblemClass(L=self.given.L)
        for a, b in permutations(self._at, 2):
            self.programme.at_most(("interpolation", a[0], b[0]), interpolation(self.rows, smooth, a, b))
            self.programme.at_most(("coupled", a[0], b[0]), coupling_row(self.rows, self.given, a, b))
            if all(np.abs(part).max(initial=0.0) <= _SAME for part in (a[1] - b[1]).x.parts):
                self.programme.at_most(("concave", a[0], b[0]), concave(self.rows, self.given, a, b))

    def _of_servers(self) -> None:
        """Bound heterogeneity at server points, those (x, y_star(x)) among them."""
        for k, p in enumerate(self.points):
            if p.is_server and self.given.zeta is not None and self.given.N > 1:
                spread = self.rows.square(self._gradient(p).deviations)
                self.programme.at_most(("heterogeneity", k), spread, self.limit("zeta"))

    def _of_phi(self) -> None:
        """Add that Phi has its curvatures in [-L, L^2/mu], and its floor (docs/worst.md)."""
        given = self.given
        phi = ProblemClass(L=given.L**2 / given.convexity, mu=-given.L)
        stars = [self.number(p) for p in self._stars.values()]
        known: list[Any] = [(k, self._at[k][1].means.x, self._at[k][2].means.x) for k in stars]
        for k, _, g in known:
            self.programme.at_most(("floor", k), floor(self.rows, phi, k, g))
        for a, b in permutations(known, 2):
            self.programme.at_most(("Phi", a[0], b[0]), interpolation(self.rows, phi, a, b))

    def _of_start(self) -> None:
        given, oracle = self.given, self.trace.oracle
        value = self.rows.value(self.number(oracle.point(self._start)))
        self.programme.at_most(("start",), value, self.limit("Delta"))
        if given.distance is not None:
            away = self.rows.square(self.pair(self._start).y)
            self.programme.at_most(("distance",), away, self.limit("distance"))
        if given.G_0 is not None:
            square = self.rows.square(self._gradient(oracle.point(self.trace.iterates[0])))
            self.programme.at_most(("gradients at the start",), square, self.limit("G_0"))
