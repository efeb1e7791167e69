"""The lower side: the worst case over f_i = h + <c_i, .> with one smooth h, which functions attain.

The points of all clients are points of h, so that its conditions hold between clients too; the average is h itself,
whose floor holds at every point.  These conditions are sufficient: there is such an h in some dimension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.worst.facts.conditions import floor, interpolation
from boundcheck.worst.gram.rows import GramRows, Pair
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector
from boundcheck.worst.sides.programme import Programme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.trace import Trace

Known = tuple[int, Pair, Pair]
"""Number of the value, point and gradient of h."""


class SharedFunctionConstraints:
    """Rows and constraints of a run over the problems f_i = h + <c_i, .>.

    Parameters
    ----------
    trace : Trace
        The run, without noise; points at which a left-hand side wants gradients are among its points.
    given : ProblemClass
        Smooth clients, with Delta.
    minimiser : Point, optional
        A server point where f_star is reached, for left-hand sides that speak of it.

    Attributes
    ----------
    programme : Programme
        All constraints.
    points : list of Point
        Points, in the order of the values.

    """

    def __init__(self, trace: Trace, given: ProblemClass, minimiser: GradientPoint | None = None) -> None:
        self.trace, self.given, self.minimiser = trace, given, minimiser
        self.points = list(trace.oracle.points)
        basis = range(len(trace.oracle.basis))
        own = [p.gradient for p in self.points if not p.is_server]
        self._means = [k for k in basis if k != ORIGIN]
        self._own = own if given.N > 1 else []
        self._gradients = [p.gradient for p in self.points]
        self.rows = GramRows(len(self._means), len(self._own) + (given.N > 1), len(self.points), given.N)
        self.programme = Programme(self.rows)
        self._smooth()
        self._start()

    def pair(self, v: GramVector) -> Pair:
        """Return a vector in the two blocks; the clients' gradients are those of h, and the tilt c_i comes last."""
        padded = v.pad_to(len(self.trace.oracle.basis))
        deviation = np.zeros((2, self.rows.sizes[1] if hasattr(self, "rows") else 0))
        if self.given.N > 1:
            deviation[0, :-1] = padded[DEVIATION, self._own]
            deviation[0, -1] = padded[DEVIATION, self._gradients].sum()
        return Pair(padded[MEAN, self._means], deviation)

    def gradient(self, point: GradientPoint) -> Pair:
        """Return the gradient of h at a client's point."""
        unit = np.zeros((2, point.gradient + 1))
        unit[:, point.gradient] = 1.0
        found = self.pair(GramVector(unit))
        found.deviation[:, -1:] = 0.0
        return found

    @property
    def tilt(self) -> Pair:
        """Return c_i."""
        deviation = np.zeros((2, self.rows.sizes[1]))
        deviation[0, -1:] = 1.0
        return Pair(np.zeros(len(self._means)), deviation)

    def _known_rows(self) -> list[tuple[Known, bool]]:
        return [((k, self.pair(p.at), self.gradient(p)), p.is_server) for k, p in enumerate(self.points)]

    def _smooth(self) -> None:
        for name, a, b in _couples(self._known_rows(), alone=self.given.N == 1):
            self.programme.at_most(name, interpolation(self.rows, self.given, a, b))
        for (k, _, gradient), _ in self._known_rows():
            self.programme.at_most(("floor", k), floor(self.rows, self.given, k, gradient))
        if self.minimiser is not None:
            self.programme.equal(("minimum",), self.rows.value(self.number(self.minimiser)))
        if self.given.zeta is not None and self.given.N > 1:
            self.programme.at_most(("heterogeneity",), self.rows.square(self.tilt), self.given.zeta**2)

    def _start(self) -> None:
        first = self.trace.oracle.point(self.trace.iterates[0])
        k = next(k for k, p in enumerate(self.points) if p is first)
        self.programme.at_most(("start",), self.rows.value(k), self.given.Delta or 0.0)
        if self.given.G_0 is not None:
            total = self.rows.square(self.gradient(first)) + self.rows.square(self.tilt)
            self.programme.at_most(("gradients at the start",), total, self.given.G_0)

    def order_points(self) -> list[int]:
        """Return the numbers of the points, the start first."""
        first = self.number(self.trace.oracle.point(self.trace.iterates[0]))
        return [first, *(k for k in range(len(self.points)) if k != first)]

    def mean_gradient(self, x: GramVector) -> Pair:
        """Return grad f at a server point where gradients were asked for."""
        return self.gradient(self.trace.oracle.point(x))

    def number(self, point: GradientPoint) -> int:
        """Return the number of a point's value."""
        return next(k for k, p in enumerate(self.points) if p is point)


def _couples(known: list[tuple[Known, bool]], *, alone: bool) -> Iterator[tuple[tuple[object, ...], Known, Known]]:
    """Yield the ordered couples of points of h: of one client, and of two clients where both have their own."""
    for a, a_server in known:
        for b, b_server in known:
            if a is not b:
                yield ("interpolation", a[0], b[0]), a, b
            if not (alone or a_server or b_server):
                other = (b[0], b[1].other_client, b[2].other_client)
                yield ("between clients", a[0], b[0]), a, other
