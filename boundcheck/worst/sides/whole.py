"""The upper side: the worst case over the whole class, for the generic client."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.worst.facts.conditions import floor, interpolation
from boundcheck.worst.facts.participation import participation
from boundcheck.worst.gram.oracle import NO_MEAN, SERVER
from boundcheck.worst.gram.rows import GramRows, Pair
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector, unit
from boundcheck.worst.sides.programme import Programme

if TYPE_CHECKING:
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.oracle import Element, GradientPoint
    from boundcheck.worst.gram.trace import Trace


def minimiser_of(trace: Trace) -> GradientPoint:
    """Return a new server point of a trace, for where f_star is reached."""
    return trace.oracle.point(trace.iterates[0] + trace.oracle.server("x_star - x_0"))


class ClassConstraints:
    """Rows and constraints of a run over all problems of a class.

    Parameters
    ----------
    trace : Trace
        The run; points at which a left-hand side wants gradients are added beforehand (`Trace.oracle.point`).
    given : ProblemClass
    minimiser : Point, optional
        A server point where f_star is reached (`minimiser_of`), for classes and left-hand sides that speak of it.

    Attributes
    ----------
    programme : Programme
        All constraints.
    """

    def __init__(self, trace: Trace, given: ProblemClass, minimiser: GradientPoint | None = None) -> None:
        self.trace, self.given, self.minimiser = trace, given, minimiser
        self.points = [p for p in trace.oracle.points if p is not minimiser]
        self._choose()
        self.rows = self._made_rows()
        self.programme = self._made_programme()
        self._smooth()
        self._server()
        if given.N == 2 and not given.has_minimiser and given.Delta is not None:
            self._floors_of_two()
        self._start()
        self._noise()
        self._draws()

    def _choose(self) -> None:
        """Choose the basis vectors of each block: the gradient at a minimiser has no mean, one client no deviation."""
        basis = self.trace.oracle.basis
        if self.minimiser is not None:
            self.points.append(self.minimiser)
        still = {ORIGIN} | ({self.minimiser.gradient} if self.minimiser is not None else set())
        self._means = [k for k, e in enumerate(basis) if k not in still and e.kind not in NO_MEAN]
        self._deviations = [k for k, e in enumerate(basis) if e.kind not in SERVER] if self.given.N > 1 else []

    def _made_rows(self) -> Any:
        return GramRows(len(self._means), len(self._deviations), len(self.points), self.given.N)

    def _made_programme(self) -> Programme:
        return Programme(self.rows)

    def pair(self, v: GramVector) -> Any:
        """Return a vector in the two blocks, as what `rows` multiplies; points are relative to x_0."""
        padded = v.pad_to(len(self.trace.oracle.basis))
        deviation = np.zeros((2, len(self._deviations)))
        deviation[0] = padded[DEVIATION, self._deviations]
        return Pair(padded[MEAN, self._means], deviation)

    def basis(self, index: int) -> Any:
        """Return a basis vector."""
        return self.pair(unit(index))

    def number(self, point: GradientPoint) -> int:
        """Return the number of a point's value."""
        return next(k for k, p in enumerate(self.points) if p is point)

    def mean_gradient(self, x: GramVector) -> Any:
        """Return grad F at a server point where gradients were asked for."""
        return self.basis(self.trace.oracle.point(x).gradient).means

    def _smooth(self) -> None:
        at = [(k, self.pair(p.at), self.basis(p.gradient)) for k, p in enumerate(self.points)]
        for a, b in permutations(at, 2):
            row = interpolation(self.rows, self.given, a, b)
            self.programme.at_most(("interpolation", a[0], b[0]), row)

    def _server(self) -> None:
        """Add the floor of F, its minimiser, and what heterogeneity may be at server points."""
        for k, p in enumerate(self.points):
            gradient = self.basis(p.gradient)
            if self.given.Delta_mean is not None:
                self.programme.at_most(("floor of a client", k), floor(self.rows, self.given, k, gradient))
            # One client stands at every point alone.
            if not (p.is_server or self.given.N == 1):
                continue
            if p is self.minimiser:
                self.programme.equal(("minimum",), self.rows.value(k))
                continue
            if not self.given.has_minimiser and self.given.Delta is not None:
                self.programme.at_most(("floor", k), floor(self.rows, self.given, k, gradient.means))
            if self.given.pl is not None:
                row = 2 * self.given.pl * self.rows.value(k) - self.rows.square(gradient.means)
                self.programme.at_most(("PL", k), row)
            if self.given.zeta is not None and self.given.N > 1:
                spread = self.rows.square(gradient.deviations)
                self.programme.at_most(("heterogeneity", k), spread, self.given.zeta**2)

    @property
    def reason_unattained(self) -> str:
        """Why functions need not attain the value: draws, or a floor that the conditions do not decide.

        A convex average has its floor at x_star; one client with mu <= 0, or two smooth ones, where the largest
        functions through their data have it; and floors of single clients are decided one by one.
        """
        given, oracle = self.given, self.trace.oracle
        if oracle.S < oracle.N:
            return "partial participation: conditions on expectations over draws are necessary only"
        if given.pl is not None:
            return "the Polyak-Lojasiewicz inequality at the points of a run is necessary only"
        if given.has_minimiser or given.N == 1 or given.Delta is None:
            return ""
        if not given.is_smooth_alone:
            return "f_star of several clients with mu in (-L, 0) is not decided by the conditions"
        return "" if given.N == 2 else "f_star of more than two smooth clients is not decided by the conditions"

    def _floors_of_two(self) -> None:
        """Add the floor of the average of two clients, wherever it is; where mu > -L, between two parabolas.

        With ``w_a = (x_a - g_a/L)/2`` and ``t_a = f_a - <g_a, x_a> + L |x_a|^2/2 - L |w_a|^2`` the largest function
        through a client's data is ``min over the simplex of L |x - sum w|^2 + sum t, - L |x|^2/2``.  For two clients
        the infimum of the average is ``min_(a,b) (t_a + t_b)/2 - L <w_a, w_b>``, one row a couple.  A row says that two
        upper models ``f_a + <g_a, x - x_a> + L |x - x_a|^2/2`` have their floor at 0, which is true for every mu.
        """
        L, rows = self.given.L, self.rows
        data = []
        for k, p in enumerate(self.points):
            x, g = self.pair(p.at), self.basis(p.gradient)
            w = x.less(g, 1 / L).times(0.5)
            t = rows.value(k) - rows.product(g, x) + L / 2 * rows.square(x) - L * rows.square(w)
            data.append((w, t))
        for (a, (w, t)), (b, (v, s)) in combinations_with_replacement(enumerate(data), 2):
            self.programme.at_most(("floor between clients", a, b), L * rows.product(w, v.other_client) - (t + s) / 2)

    def _start(self) -> None:
        start = self.trace.oracle.point(self.trace.iterates[0])
        gradient = self.basis(start.gradient)
        for name, limit in (("start", self.given.Delta), ("clients at the start", self.given.Delta_mean)):
            if limit is not None:
                self.programme.at_most((name,), self.rows.value(self.number(start)), limit)
        if self.given.distance is not None and self.minimiser is not None:
            away = self.rows.square(self.pair(self.minimiser.at))
            self.programme.at_most(("distance",), away, self.given.distance**2)
        if self.given.G_0 is not None:
            self.programme.at_most(("gradients at the start",), self.rows.square(gradient), self.given.G_0)

    def _noise(self) -> None:
        for k, element in enumerate(self.trace.oracle.basis):
            if element.kind == "noise":
                self._one_noise(k, element)

    def _draws(self) -> None:
        for name, row, equal in participation(self.trace.oracle, self.rows, self.pair):
            (self.programme.equal if equal else self.programme.at_most)(name, row)

    def _one_noise(self, k: int, noise: Element) -> None:
        """Bound one noise, and make it orthogonal to all that does not depend on it."""
        N, basis = self.given.N, self.trace.oracle.basis
        own = self.basis(k)
        variance = self.given.sigma**2 / noise.samples
        self.programme.at_most(("noise", k), self.rows.square(own.means), variance / N)
        for j, element in enumerate(basis):
            if j == ORIGIN or k in element.shared or (element.kind == "noise" and j < k):
                continue
            other = self.basis(j)
            mean = self.rows.product(own.means, other.means)
            deviation = self.rows.product(own.deviations, other.deviations)
            if k in element.own:
                self.programme.equal(("independent clients", k, j), deviation - (N - 1) * mean)
            else:
                self.programme.equal(("no mean of noise", k, j, "mean"), mean)
                self.programme.equal(("no mean of noise", k, j, "deviation"), deviation)
