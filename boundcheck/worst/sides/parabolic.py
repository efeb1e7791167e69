"""The class mu = L, over Q: every client is L |x - c_i|^2/2 and a constant, so that a run is linear in what is unknown.

With L = 1 the gradients at a point are its distances from the c_i: those of the start are e = x_0 - mean c and the
deviations d_i of -c_i, all others are multiples of these and of noises.  Left-hand sides are then linear in |e|^2 and
mean |d_i|^2, the class bounds these, and the largest value is at a corner.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.problems.extremal.data import Pieces
from boundcheck.worst.facts.measures import OF_VALUES, left_hand_side_of, rounds_of
from boundcheck.worst.gram.exact import fraction
from boundcheck.worst.gram.trace import ORIGIN, trace_method
from boundcheck.worst.gram.units import as_asked
from boundcheck.worst.gram.vectors import DEVIATION, MEAN
from boundcheck.worst.sides.instance import simplex

if TYPE_CHECKING:
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.facts.natural import NaturalUnits
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.gram.vectors import GramVector

_START = -1
"""Coordinate of e in means, and of d in deviations; noises have their indices in the basis."""
Combination = dict[int, Fraction]


class Corner(NamedTuple):
    """The worst parabolas.

    Attributes
    ----------
    value : Fraction or None
        The left-hand side; None if nothing bounds it.
    start, spread : Fraction
        |e|^2 and mean |d_i|^2.
    """

    value: Fraction | None
    start: Fraction
    spread: Fraction


def worst_parabola(units: NaturalUnits, *, K: int, T: int, S: int | None, b: int, measure: str) -> Corner:
    """Return the worst parabolas of a class with mu = L, in units in which L = 1.

    Parameters
    ----------
    units : Natural
        The method and the class; its constants are taken before they are divided by its size.
    K, T, S, b, measure
        As for `boundcheck.worst.worst`.

    Raises
    ------
    InputError
        If some of the clients take part only.
    """
    given, squares = units.given, units.squares
    require(S is None or S == given.N, "S", S, "N where mu = L")
    exact = as_asked(units.method)
    trace = trace_method(exact, N=given.N, K=K, T=rounds_of(measure, T), b=b, noisy=given.sigma > 0, exact=True)
    looked = left_hand_side_of(measure, trace)
    rows = _rows(trace, looked, given.N, squares.get("sigma", Fraction(0)))
    corners = _corners(squares, given.N)
    if corners is None and any(spread for _, spread, _ in rows):
        return Corner(None, Fraction(0), Fraction(0))
    made = []
    for start, spread in corners or [(_most(squares), Fraction(0))]:
        values = [a * start + c * spread + noise for a, c, noise in rows]
        made.append(Corner(min(values) if looked.name == "best" else sum(values, Fraction(0)), start, spread))
    return max(made, key=lambda corner: corner.value or 0)


def _most(squares: dict[str, Fraction]) -> Fraction:
    """Return the largest |e|^2: 2 Delta, distance^2 or G_0, the least of them."""
    return min(
        squares[name] * (2 if name == "Delta" else 1) for name in ("Delta", "distance", "G_0") if name in squares
    )


def _corners(squares: dict[str, Fraction], N: int) -> list[tuple[Fraction, Fraction]] | None:
    """Return the corners of |e|^2 and mean |d_i|^2 that count; None if nothing bounds how clients differ."""
    most, total = _most(squares), squares.get("G_0")
    if N == 1:
        return [(most, Fraction(0))]
    known = [squares[name] for name in ("zeta", "G_0") if name in squares]
    if not known:
        return None
    widest = min(known)
    return (
        [(most, widest)] if total is None else [(most, min(widest, total - most)), (min(most, total - widest), widest)]
    )


def _rows(trace: Trace, looked: LeftHandSide, N: int, sigma2: Fraction) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return the terms of a left-hand side: multiples of |e|^2 and of mean |d_i|^2, and what noise adds."""
    run = _ParabolicRun(trace, N, sigma2)
    half = Fraction(1, 2) if looked.name in OF_VALUES else Fraction(1)
    found = []
    for weight, x in looked.points:
        share = Fraction(1) if looked.name == "best" else fraction(weight) * half
        square = run.square(run.gradient(x)[MEAN], MEAN)
        found.append((share * square[0], Fraction(0), share * square[1]))
    for weight, v in looked.vectors:
        mean, apart = (run.square(run.vector(v)[row], row) for row in (MEAN, DEVIATION))
        found.append((fraction(weight) * mean[0], fraction(weight) * apart[0], fraction(weight) * (mean[1] + apart[1])))
    return found


class _ParabolicRun:
    """All vectors of a run over e, d and noises: one combination for means and one for deviations."""

    def __init__(self, trace: Trace, N: int, sigma2: Fraction) -> None:
        self._trace, self._N, self._sigma2 = trace, N, sigma2
        self._known: dict[int, tuple[Combination, Combination]] = {}
        at = {point.gradient: point.at for point in trace.oracle.points}
        for k, element in enumerate(trace.oracle.basis):
            if k in at:
                mean, deviation = self.vector(at[k])
                self._known[k] = (_plus(mean, {_START: Fraction(1)}), _plus(deviation, {_START: Fraction(1)}))
            elif element.kind == "noise":
                self._known[k] = {k: Fraction(1)}, {k: Fraction(1)}

    def vector(self, v: GramVector) -> tuple[Combination, Combination]:
        """Return a vector; points are relative to x_0."""
        found: list[Combination] = []
        for row in (MEAN, DEVIATION):
            total: Combination = {}
            for k, c in enumerate(v.coefficients[row]):
                if c and k != ORIGIN:
                    total = _plus(total, self._known[k][row], fraction(c))
            found.append(total)
        return found[MEAN], found[DEVIATION]

    def gradient(self, x: GramVector) -> tuple[Combination, Combination]:
        """Return the gradients at a point that was met."""
        return self._known[self._trace.oracle.point(x).gradient]

    def square(self, combination: Combination, row: int) -> tuple[Fraction, Fraction]:
        """Return what multiplies |e|^2 or mean |d_i|^2 in an expected square, and what noise adds."""
        share = Fraction(1 if row == MEAN else self._N - 1, self._N)
        basis = self._trace.oracle.basis
        added = sum(
            (c**2 * self._sigma2 * share / basis[k].samples for k, c in combination.items() if k != _START), Fraction()
        )
        return combination.get(_START, Fraction(0)) ** 2, added


def _plus(one: Combination, other: Combination, factor: Fraction = Fraction(1)) -> Combination:
    return {k: one.get(k, Fraction(0)) + factor * other.get(k, Fraction(0)) for k in one.keys() | other.keys()}


def pieces_of_parabolas(corner: Corner, N: int) -> Pieces:
    """Return the parabolas, in a class with a smaller curvature of which they are members."""
    corners = simplex(N) * math.sqrt(corner.spread)
    # Gradients at the start 0: e along the first axis, deviations along the others.
    gradients = np.concatenate([np.full((N, 1), math.sqrt(corner.start)), corners], axis=1)
    points, values = np.zeros((N, 1, gradients.shape[1])), np.zeros((N, 1))
    return Pieces.through(points, gradients[:, None, :], values, L=1.0, mu=0.0)
