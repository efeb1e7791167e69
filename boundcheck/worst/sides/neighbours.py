"""The upper side of a long run: conditions between points of neighbouring rounds, and those others that are missed.

Leaving conditions out only raises the value, so that it stays an upper side.  Minimal proofs use a few conditions a
round, all between neighbours; where a solution violates others, they join and the programme is solved again.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.worst.facts.conditions import interpolation
from boundcheck.worst.gram.local import LocalBasis
from boundcheck.worst.gram.rows import Pair
from boundcheck.worst.gram.sparse import SparseGramRows, stack_rows
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector
from boundcheck.worst.sides.programme import SOLVED, Programme
from boundcheck.worst.sides.whole import ClassConstraints

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.sides.programme import Solution

_MISSED = 1e-6
"""By how much a condition has to be missed to join, in units of the start."""
_TIMES = 8
"""Most times that conditions join."""
_NARROW = 4
"""Points of a round up to which all pairs of two rounds have conditions."""
_SMALL = 40
"""Points up to which conditions between points that are far apart join, too: they make matrices dense."""
LARGEST = 120
"""Points beyond which nobody looks for conditions that are missed: they save 1e-5 and make programmes slow."""
_LONG = 3
"""How many times more entries than a round has vectors a difference of neighbours has, for states to shorten it."""
_GAIN = 1e-7
"""Share of the value that conditions have to save, for others to join."""


class SparseProgramme(Programme):
    """`Programme` over sparse rows."""

    def _stack(self, rows: list[Any]) -> Any:
        return stack_rows(rows, self.rows.width)


class NeighbourConstraints(ClassConstraints):
    """`ClassConstraints` with conditions between points at most as many apart as two rounds have."""

    def __init__(self, trace: Trace, given: ProblemClass, minimiser: GradientPoint | None = None) -> None:
        rounds = max(len(trace.states) - 1, 1)
        self._window = max(-(-len(trace.oracle.points) // (rounds + 1)), 2)
        self._pairs: dict[int, tuple[Pair, Pair]] = {}
        super().__init__(trace, given, minimiser)

    def _choose(self) -> None:
        super()._choose()
        size = len(self.trace.oracle.basis)
        groups = self._rounds()
        away = None if self.minimiser is None else self.minimiser.at.pad_to(size)[MEAN]
        blocks = ((MEAN, self._means), (DEVIATION, self._deviations))
        is_short = self.minimiser is None and self._is_short()
        self._local = [] if is_short else [_local_basis(self.trace, kept, groups, row, away) for row, kept in blocks]

    def _is_short(self) -> bool:
        """Return whether differences of neighbouring points have few entries as they are."""
        size = len(self.trace.oracle.basis)
        at = [p.at.pad_to(size) for p in self.points[-self._window :]]
        longest = max(int(np.count_nonzero(at[0] - other, axis=1).max()) for other in at)
        return longest <= _LONG * self._window

    def _rounds(self) -> list[set[int]]:
        """Return what every round brought to the basis; what the start knows of x_star first, what came later last."""
        size = len(self.trace.oracle.basis)
        last = [0, *(_last_index(state) for state in self.trace.states)]
        ends = [min(max(last[: k + 1]) + 1, size) for k in range(1, len(last))]
        groups = [set(range(start, end)) for start, end in zip([0, *ends], [*ends, size], strict=True)]
        unknown = {k for k, e in enumerate(self.trace.oracle.basis) if e.kind == "server" and k != ORIGIN}
        return [unknown, *(group - unknown for group in groups)]

    def _made_rows(self) -> Any:
        return SparseGramRows(len(self._means), len(self._deviations), len(self.points), self.given.N)

    def _made_programme(self) -> Programme:
        return SparseProgramme(self.rows)

    def pair(self, v: GramVector) -> Pair:
        """Return a vector in the two blocks, in coordinates of neighbouring rounds."""
        plain: Pair = super().pair(v)
        if not self._local:
            return plain
        means, deviations = self._local
        own = np.zeros_like(plain.deviation)
        own[0] = deviations.coordinates(plain.deviation[0])
        return Pair(means.coordinates(plain.mean), own)

    def _known_point(self, k: int) -> tuple[int, Pair, Pair]:
        """Return a point and its gradient."""
        if k not in self._pairs:
            self._pairs[k] = self.pair(self.points[k].at), self.basis(self.points[k].gradient)
        return (k, *self._pairs[k])

    def _neighbours(self) -> Iterator[tuple[int, int]]:
        """Yield pairs: points that follow each other, server points and those a round away, x_star and all others."""
        count = len(self.points)
        at_server = {k for k, p in enumerate(self.points) if p.is_server}
        fixed = {k for k, p in enumerate(self.points) if p is self.minimiser}
        # Where states stand in the basis, few local steps leave room for all pairs of two rounds.
        is_wide = bool(self._local) and self.minimiser is None and self._window <= _NARROW
        reach = 2 * self._window if is_wide else self._window
        for a in range(count):
            near = range(max(0, a - reach), min(count, a + reach + 1))
            yield from (
                (a, b)
                for b in sorted({*near, *fixed})
                if b != a and (is_wide or abs(a - b) == 1 or a in at_server or b in at_server)
            )
        yield from ((a, b) for a in fixed for b in range(count) if b not in fixed and a - b > self._window)

    def _smooth(self) -> None:
        for a, b in self._neighbours():
            self._join("interpolation", a, b)

    def _floors_of_two(self) -> None:
        for k in range(len(self.points)):
            self._join("floor between clients", k, k)
        for a, b in self._neighbours():
            if a < b:
                self._join("floor between clients", a, b)

    def _join(self, kind: str, a: int, b: int) -> None:
        """Add a condition between two points."""
        if kind == "interpolation":
            row = interpolation(self.rows, self.given, self._known_point(a), self._known_point(b))
        else:
            # Floors do not depend on where the origin is, and from the first point a neighbour is not far.
            origin = self._known_point(a)[1].means
            (w, t), (v, s) = self._parabola(a, origin), self._parabola(b, origin)
            row = self.given.L * self.rows.product(w, v.other_client) - (t + s) / 2
        self.programme.at_most((kind, a, b), row)

    def _parabola(self, k: int, origin: Pair) -> tuple[Pair, Any]:
        """Return where the parabola over a point has its centre, and how high (see `ClassConstraints`)."""
        L, rows = self.given.L, self.rows
        _, point, g = self._known_point(k)
        x = point - origin
        w = x.less(g, 1 / L).times(0.5)
        return w, rows.value(k) - rows.product(g, x) + L / 2 * rows.square(x) - L * rows.square(w)

    @property
    def pairs(self) -> frozenset[tuple[int, int]]:
        """Return the points between which there are conditions, by their numbers."""
        kinds = ("interpolation", "floor between clients")
        return frozenset(
            (name[1], name[2]) for name in self.programme.limits if name[0] in kinds and name[1] != name[2]
        )

    def maximise(self, row: Any) -> Solution:
        """Solve the programme, and again with the conditions that its solution misses."""
        found = self.programme.maximise(row)
        for _ in range(_TIMES if len(self.points) <= _SMALL else 2):
            missed = self._most_missed(found) if found.status in SOLVED else []
            if not missed:
                break
            for kind, a, b in missed:
                self._join(kind, a, b)
            again = self.programme.maximise(row)
            if again.status not in SOLVED:
                break
            saved = found.dual - again.dual
            # Conditions that are missed need not matter, and what is solved worse says less.
            if saved > -_GAIN * again.dual:
                found = dataclasses.replace(again, seconds=found.seconds + again.seconds)
            if saved < _GAIN * again.dual and len(self.points) > _SMALL:
                break
        return found

    def _most_missed(self, found: Solution) -> list[tuple[str, int, int]]:
        """Return the conditions that a solution misses most, at most two for each point."""
        if len(self.points) > LARGEST:
            return []
        excess = [("interpolation", *miss) for miss in _rank_misses(self._interpolation_excess(found), symmetric=False)]
        if any(name[0] == "floor between clients" for name in self.programme.limits):
            excess += [
                ("floor between clients", *miss) for miss in _rank_misses(self._floor_excess(found), symmetric=True)
            ]
        far = len(self.points) if len(self.points) <= _SMALL else 2 * self._window
        new = [miss for miss in excess if miss[:3] not in self.programme.limits and abs(miss[1] - miss[2]) <= far]
        new.sort(key=lambda miss: -miss[3])
        return [(kind, a, b) for kind, a, b, _ in new[: 2 * len(self.points)]]

    def _blocks(self, found: Solution) -> list[tuple[Array, Array, Array]]:
        """Return points and gradients by their coordinates, and the Gram matrix, block by block."""
        known = [self._known_point(k)[1:] for k in range(len(self.points))]
        x, g = (np.array([pair[i].mean for pair in known]) for i in (0, 1))
        u, h = (np.array([pair[i].deviation[0] for pair in known]) for i in (0, 1))
        return [(x, g, found.P), (u, h, found.Q)]

    def _interpolation_excess(self, found: Solution) -> Array:
        """Return by how much the condition between two points is missed, pair by pair."""
        L, mu = self.given.L, self.given.convexity
        total = found.values[None, :] - found.values[:, None]
        for x, g, gram in self._blocks(found):
            xx, xg, gg = x @ gram @ x.T, x @ gram @ g.T, g @ gram @ g.T
            dx = np.diag(xx)[:, None] + np.diag(xx)[None, :] - 2 * xx
            dg = np.diag(gg)[:, None] + np.diag(gg)[None, :] - 2 * gg
            both = np.diag(xg)[:, None] + np.diag(xg)[None, :] - xg - xg.T
            total += xg - np.diag(xg)[None, :] + (dg / L + mu * dx - 2 * (mu / L) * both) / (2 * (1 - mu / L))
        return total

    def _floor_excess(self, found: Solution) -> Array:
        """Return by how much the floor between two points of two clients is missed."""
        L, (means, apart) = self.given.L, self._blocks(found)
        height, across = found.values.copy(), np.zeros((len(self.points),) * 2)
        for sign, (x, g, gram) in ((1.0, means), (-1.0, apart)):
            w = (x - g / L) / 2
            square = [np.einsum("ai,ij,aj->a", u, gram, v) for u, v in ((g, x), (x, x), (w, w))]
            height += -square[0] + L / 2 * square[1] - L * square[2]
            across += sign * (w @ gram @ w.T)
        return L * across - (height[:, None] + height[None, :]) / 2


def _rank_misses(excess: Array, *, symmetric: bool) -> list[tuple[int, int, float]]:
    """Return pairs whose condition is missed, and by how much."""
    kept = np.triu(excess) if symmetric else excess - np.diag(np.diag(excess))
    return [(int(a), int(b), float(kept[a, b])) for a, b in np.argwhere(kept > _MISSED)]


def _last_index(state: Any) -> int:
    return max((v.coefficients.shape[1] - 1 for v in _vectors(state)), default=0)


def _vectors(state: Any) -> Iterator[GramVector]:
    """Yield the vectors of a state."""
    if isinstance(state, GramVector):
        yield state
    elif dataclasses.is_dataclass(state):
        for field in dataclasses.fields(state):
            yield from _vectors(getattr(state, field.name))
    elif isinstance(state, (tuple, list)):
        for part in state:
            yield from _vectors(part)


def _local_basis(trace: Trace, kept: list[int], groups: list[set[int]], row: int, away: Array | None) -> LocalBasis:
    """Return the basis of one block: the states after each round, relative to x_star where that is spoken of."""
    size, place = len(trace.oracle.basis), {k: i for i, k in enumerate(kept)}

    def place_vector(v: GramVector) -> Array:
        own = v.pad_to(size)[row].astype(float)
        if away is not None and row == MEAN:
            own = own - own[ORIGIN] * away
        found: Array = own[kept]
        return found

    states = [[], *([place_vector(v) for v in _vectors(state)] for state in trace.states), []]
    made = [
        ([place[k] for k in sorted(group) if k in place], [v for v in vectors if v.any()])
        for group, vectors in zip(groups, states, strict=True)
    ]
    return LocalBasis(len(kept), made)
