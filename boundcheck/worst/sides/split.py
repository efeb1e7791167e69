"""The upper side where S of N clients are active, with the last draw told exactly: one client of either kind.

After a draw the clients are of two kinds, and averaging over permutations that keep the active ones active leaves three
blocks: means over either kind and server vectors; deviations of the active; deviations of the others.  What does not
depend on the draw has one Gram matrix for all clients, from which all three follow.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.worst.facts.conditions import interpolation
from boundcheck.worst.facts.participation import participation
from boundcheck.worst.gram.oracle import NO_MEAN, SERVER
from boundcheck.worst.gram.rows import Array, Pair, StackedRows
from boundcheck.worst.gram.vectors import DEVIATION, MEAN, GramVector
from boundcheck.worst.sides.whole import ClassConstraints

if TYPE_CHECKING:
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.trace import Trace


class TwoKindVector(NamedTuple):
    """A vector of the two kinds of clients: for each its mean, and the deviation of a generic one from that."""

    active: Pair
    inactive: Pair
    share: float
    """S/N."""

    def __sub__(self, other: TwoKindVector) -> TwoKindVector:
        return TwoKindVector(self.active - other.active, self.inactive - other.inactive, self.share)

    @property
    def means(self) -> TwoKindVector:
        """Return the mean over all clients."""
        mean = self.share * self.active.mean + (1 - self.share) * self.inactive.mean
        one, other = (Pair(mean, 0.0 * part.deviation) for part in (self.active, self.inactive))
        return TwoKindVector(one, other, self.share)

    @property
    def deviations(self) -> TwoKindVector:
        """Return what a client has beside that mean."""
        return self - self.means


class KindRows(StackedRows):
    """Rows over three triangles, and values of which some are two: of the active clients and of the others.

    Parameters
    ----------
    means : int
        Size of the first block.
    deviations : tuple of int
        Sizes of the blocks of the active and of the others.
    doubled : list of bool
        Whether a point's value depends on the draw, point by point.
    share : float
        S/N.
    """

    def __init__(self, means: int, deviations: tuple[int, int], doubled: list[bool], share: float) -> None:
        super().__init__((means, *deviations), len(doubled) + sum(doubled))
        self._doubled, self.share = doubled, share

    def product_of(self, kind: int, u: TwoKindVector, v: TwoKindVector) -> Array:
        """Return the row of <u, v> averaged over the clients of a kind, 0 for the active."""
        one, other = (v.inactive if kind else v.active for v in (u, v))
        return self.block(0, one.mean, other.mean) + self.block(kind + 1, one.deviation[0], other.deviation[0])

    def product(self, u: TwoKindVector, v: TwoKindVector) -> Array:
        """Return the row of the product, averaged over all clients."""
        return self.share * self.product_of(0, u, v) + (1 - self.share) * self.product_of(1, u, v)

    def value_of(self, kind: int, point: int) -> Array:
        """Return the row of the mean value over the clients of a kind."""
        return super().value(point + sum(self._doubled[:point]) + (kind if self._doubled[point] else 0))

    def value(self, point: int) -> Array:
        """Return the row of the value at a point."""
        return self.share * self.value_of(0, point) + (1 - self.share) * self.value_of(1, point)

    def square(self, u: TwoKindVector) -> Array:
        """Return the row of |u|^2."""
        return self.product(u, u)


class _RowsOfKind:
    """The rows of one kind of clients, as conditions ask for them."""

    def __init__(self, rows: KindRows, kind: int) -> None:
        self._rows, self._kind = rows, kind

    def product(self, u: TwoKindVector, v: TwoKindVector) -> Array:
        return self._rows.product_of(self._kind, u, v)

    def square(self, u: TwoKindVector) -> Array:
        return self.product(u, u)

    def value(self, point: int) -> Array:
        return self._rows.value_of(self._kind, point)


def upper_side(trace: Trace, given: ProblemClass, minimiser: GradientPoint | None = None) -> ClassConstraints:
    """Return the programme of a run: where a draw of active clients decides where points are, the last one is told."""
    basis = trace.oracle.basis
    last = max((e.draw for e in basis), default=-1)
    seen = [basis[p.gradient].drawn for p in trace.oracle.points]
    if not any(last in drawn for drawn in seen):
        return ClassConstraints(trace, given, minimiser)
    kept = [k for k, e in enumerate(basis) if e.kind in NO_MEAN and e.draw == last]
    remembered = any(p.at.pad_to(len(basis))[:, kept].any() for p in trace.oracle.points)
    return (ClassConstraints if remembered else ActiveSplitConstraints)(trace, given, minimiser)


class ActiveSplitConstraints(ClassConstraints):
    """`Whole` with the last draw of active clients told exactly."""

    rows: KindRows

    def __init__(self, trace: Trace, given: ProblemClass, minimiser: GradientPoint | None = None) -> None:
        oracle = trace.oracle
        self._N, self._S = int(oracle.N), int(oracle.S)
        self._last = max(e.draw for e in oracle.basis)
        super().__init__(trace, given, minimiser)
        self._tie()

    def _choose(self) -> None:
        super()._choose()
        basis = self.trace.oracle.basis
        late = [self._last in e.drawn for e in basis]
        self._late = [k for k, e in enumerate(basis) if late[k] and e.kind not in (*SERVER, *NO_MEAN)]
        self._means = [k for k in self._means if not late[k]]
        self._deviations = [k for k in self._deviations if not late[k]]

    def _made_rows(self) -> KindRows:
        apart = len(self._deviations) + len(self._late)
        size = len(self._means) + len(self._deviations) + 2 * len(self._late)
        blocks = apart if self._S > 1 else 0, apart if self._N - self._S > 1 else 0
        doubled = [self._is_late(p) for p in self.points]
        return KindRows(size, blocks, doubled, self._S / self._N)

    def _is_late(self, point: GradientPoint) -> bool:
        return self._last in self.trace.oracle.basis[point.gradient].drawn

    def pair(self, v: GramVector) -> TwoKindVector:
        """Return a vector of either kind of clients; what a draw averaged is what its parts are."""
        basis = self.trace.oracle.basis
        padded = v.pad_to(len(basis))
        for k in map(int, np.flatnonzero(padded[MEAN])):
            element = basis[k]
            if element.kind == "sampled" and element.draw == self._last and element.of is not None:
                return self._sum(padded, k, self._average_over_active(element.of))
        return self._of(padded)

    def _sum(self, padded: Array, k: int, other: TwoKindVector) -> TwoKindVector:
        factor, rest = padded[MEAN, k], padded.copy()
        rest[:, k] = 0.0
        found = self.pair(GramVector(rest))
        active, inactive = found.active.less(other.active, -factor), found.inactive.less(other.inactive, -factor)
        return TwoKindVector(active, inactive, found.share)

    def _average_over_active(self, of: GramVector) -> TwoKindVector:
        """Return the mean of a vector of mean 0 over the active clients, which all have."""
        active = self.pair(of).deviations.active.mean
        one, other = (Pair(active, np.zeros((2, size))) for size in self._apart())
        return TwoKindVector(one, other, self._S / self._N)

    def _apart(self) -> tuple[int, int]:
        size = len(self._deviations) + len(self._late)
        return size if self._S > 1 else 0, size if self._N - self._S > 1 else 0

    def _of(self, padded: Array) -> TwoKindVector:
        """Return a vector without parts that the last draw averaged."""
        late = padded[:, self._late]
        odds = self._S / (self._N - self._S)
        share = self._S / self._N
        parts = []
        for kind, size in enumerate(self._apart()):
            # A late vector's own mean over all clients is share times the active's, plus the rest.
            weights = np.array([share, 1 - share])[:, None] * (late[MEAN] - late[DEVIATION])
            weights[kind] += late[DEVIATION]
            off = padded[DEVIATION, self._deviations] * (1.0 if kind == 0 else -odds)
            deviation = np.zeros((2, size))
            if size:
                deviation[0] = np.concatenate([padded[DEVIATION, self._deviations], late[DEVIATION]])
            parts.append(Pair(np.concatenate([padded[MEAN, self._means], off, *weights]), deviation))
        return TwoKindVector(parts[0], parts[1], share)

    def _smooth(self) -> None:
        at: list[Any] = [(k, self.pair(p.at), self.basis(p.gradient)) for k, p in enumerate(self.points)]
        for a, b in permutations(at, 2):
            name = ("interpolation", a[0], b[0])
            if not any(self._is_late(self.points[k]) for k in name[1:]):
                self.programme.at_most(name, interpolation(self.rows, self.given, a, b))
                continue
            for kind in (0, 1):
                row = interpolation(_RowsOfKind(self.rows, kind), self.given, a, b)
                self.programme.at_most((*name, kind), row)

    def _floors_of_two(self) -> None:
        """Add the floor of the average of the active client and the other (see `Whole`), couple by couple."""
        L, rows, data = self.given.L, self.rows, []
        for k, p in enumerate(self.points):
            x, g = self.pair(p.at), self.basis(p.gradient)
            active, inactive = x.active.less(g.active, 1 / L).times(0.5), x.inactive.less(g.inactive, 1 / L).times(0.5)
            w = TwoKindVector(active, inactive, x.share)
            own = [_RowsOfKind(rows, kind) for kind in (0, 1)]
            t = [r.value(k) - r.product(g, x) + L / 2 * r.square(x) - L * r.square(w) for r in own]
            data.append((w, t))
        for (a, (w, t)), (b, (v, s)) in product(enumerate(data), repeat=2):
            across = rows.block(0, w.active.mean, v.inactive.mean)
            self.programme.at_most(("floor between clients", a, b), L * across - (t[0] + s[1]) / 2)

    def _draws(self) -> None:
        """Add what is known of the draws before the last."""
        basis = self.trace.oracle.basis
        for name, row, equal in participation(self.trace.oracle, self.rows, self.pair):
            if basis[int(name[1])].draw != self._last:
                (self.programme.equal if equal else self.programme.at_most)(name, row)

    def _tie(self) -> None:
        """Add what follows of what does not depend on the draw: c, and 1 - c for the active, 1 - c' for the others."""
        N, S, rows = self._N, self._S, self.rows
        first = len(self._means)
        units = np.eye(rows.sizes[0])
        moves = [units[first + k] for k in range(len(self._deviations))]
        block = rows.block
        for k, move in enumerate(moves):
            for j in range(first):
                self.programme.equal(("no mean of the draw", k, j), block(0, move, units[j]))
        factors = ((S - 1) * N / (N - S), N * (N - S - 1) / (N - S) ** 2 * S)
        for k, j in combinations_with_replacement(range(len(moves)), 2):
            known = block(0, moves[k], moves[j])
            for kind, (factor, size) in enumerate(zip(factors, self._apart(), strict=True)):
                if size:
                    own = np.eye(size)
                    self.programme.equal(("draw", kind, k, j), block(kind + 1, own[k], own[j]) - factor * known)
