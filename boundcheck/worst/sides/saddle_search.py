"""A lower side of methods for min_x max_y: the worst quadratic saddles of one x and one y that a search finds.

Clients f_i(x, y) = a_i x^2/2 + b_i x y - c_i y^2/2 + p_i x + q_i y are of two kinds, in equal shares, or of one kind;
one client of an odd number has their mean.  The method's run on them is written out, and they are scaled into the
class: s^2 f_i(x/s) has s^2 times the value.  Nothing says that no other saddle is worse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.problems.synthetic.saddle_quadratics import SaddleQuadratics
from boundcheck.worst.facts.measures import OF_VALUES
from boundcheck.worst.gram.vectors import DEVIATION, MEAN

if TYPE_CHECKING:
    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.rows import Array
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.gram.vectors import GramVector

_LETTERS = 10
"""Numbers of a candidate: angles of three entries of two matrices, and x_0, y_0 - y_star(x_0), two tilts."""
_SEEDS, _LINES, _CHILDREN, _GENERATIONS = 4096, (24, 4, 2), 16, 250
_TINY = 1e-300
_FLAT = 1e-9
"""Curvature of Phi, in units of L, below which it has no minimum to speak of."""


class AttainedSaddle(NamedTuple):
    """Quadratic saddles of the class, and the left-hand side on them."""

    clients: Array
    start: Array
    value: float

    def problem(self, curvature: float, length: float) -> SaddleQuadratics:
        """Return the problem in units in which curvatures and lengths are so many times as large."""
        of_points = np.array([curvature] * 3 + [curvature * length] * 2)
        return SaddleQuadratics(self.clients * of_points, length * self.start)


def worst_saddle(trace: Trace, looked: LeftHandSide, given: ProblemClass) -> AttainedSaddle | None:
    """Return the worst saddle that is found, None if the left-hand side is not of server points.

    Parameters
    ----------
    trace : Trace
        A run on pairs.
    looked : LeftHandSide
        Its points are server points (x_t, y_t); what is measured there is Phi.
    given : ProblemClass
        With mu > 0 and Delta.
    """
    if looked.vectors or looked.name == "local":
        return None
    runs = _SaddleRuns(trace, looked, given)
    rng = np.random.default_rng(0)
    found = rng.normal(size=(_SEEDS, _LETTERS))
    # Many lines at first; then the best of them, again with long steps.
    for lines in _LINES:
        found = _search_from(runs, found[np.argsort(-runs.values(found))[:lines]], rng)
    best = found[runs.values(found).argmax()]
    return runs.saddle(best) if runs.values(best[None])[0] > 0 else None


def _search_from(runs: _SaddleRuns, found: Array, rng: np.random.Generator) -> Array:
    """Return candidates after steps in random directions, longer where they were better, and shorter where not."""
    best, step = runs.values(found), np.full(len(found), 0.3)
    for _ in range(_GENERATIONS):
        children = found[:, None] + step[:, None, None] * rng.normal(size=(len(found), _CHILDREN, _LETTERS))
        values = runs.values(children.reshape(-1, _LETTERS)).reshape(len(found), _CHILDREN)
        better = values.max(axis=1) > best
        found = np.where(better[:, None], children[np.arange(len(found)), values.argmax(axis=1)], found)
        best = np.maximum(best, values.max(axis=1))
        step = np.clip(np.where(better, 1.4 * step, 0.75 * step), 1e-8, 1.0)
    return found


@dataclass
class _Candidates:
    """Matrices and tilts of every kind of client, (candidates, kinds), and starts, (candidates,)."""

    a: Array
    b: Array
    c: Array
    p: Array
    q: Array
    x: Array
    y: Array


class _SaddleRuns:
    """A method's run on many saddles at once."""

    def __init__(self, trace: Trace, looked: LeftHandSide, given: ProblemClass) -> None:
        self._trace, self._looked, self._given = trace, looked, given
        N = given.N
        self._signs = np.array([0.0] if N == 1 else [1.0, -1.0] if N % 2 == 0 else [1.0, -1.0, 0.0])
        counts = {1: [1.0], 2: [N / 2, N / 2], 3: [(N - 1) / 2, (N - 1) / 2, 1.0]}[len(self._signs)]
        self._counts = np.array(counts)
        basis = trace.oracle.basis
        self._unknown = [k for k, e in enumerate(basis) if e.kind == "server" and k not in trace.oracle.origins]

    def values(self, letters: Array) -> Array:
        """Return the left-hand side on each candidate, scaled into the class; 0 where Phi has no minimum."""
        made = self._make_candidates(letters)
        with np.errstate(all="ignore"):
            share, bend, at = self._scale(made)
            found = share * self._measure(bend, at)
        return np.where((bend > _FLAT * self._given.L) & np.isfinite(found), found, 0.0)

    def saddle(self, letters: Array) -> AttainedSaddle:
        """Return one candidate, scaled into the class."""
        made = self._make_candidates(letters[None])
        share, bend, at = self._scale(made)
        value, s = float((share * self._measure(bend, at))[0]), float(np.sqrt(share[0]))
        kinds = np.stack([made.a[0], made.b[0], made.c[0], s * made.p[0], s * made.q[0]], axis=-1)
        clients = np.repeat(kinds, self._counts.astype(int), axis=0)
        return AttainedSaddle(clients, s * np.array([made.x[0], made.y[0]]), value)

    def _make_candidates(self, letters: Array) -> _Candidates:
        """Return saddles of the class: of norm at most L, with curvature at least mu in y.

        A matrix has eigenvalues in [-L, L], the second one at most -mu; it is turned by so much as leaves c >= mu.
        """
        L, mu = self._given.L, self._given.convexity / self._given.L
        turned = np.sin(letters[:, :6]).reshape(-1, 3, 2)
        if len(self._signs) == 1:
            turned = turned[:, :, :1]
        high, low = turned[:, 0], -(mu + (1 - mu) * turned[:, 1] ** 2)
        most = np.clip((-low - mu) / np.maximum(high - low, _TINY), 0.0, 1.0)
        sine = turned[:, 2] * np.sqrt(most)
        a, c = L * (high + (low - high) * sine**2), -L * (low + (high - low) * sine**2)
        b = L * (high - low) * sine * np.sqrt(1 - sine**2)
        if len(self._signs) == 3:
            a, b, c = (np.concatenate([v, v.mean(axis=1, keepdims=True)], axis=1) for v in (a, b, c))
        x, off, p, q = letters[:, 6:].T
        best = self._mean(b) / self._mean(c) * x
        return _Candidates(a, b, c, p[:, None] * self._signs, q[:, None] * self._signs, x, best + off)

    def _mean(self, v: Array) -> Array:
        mean: Array = v @ self._counts / self._counts.sum()
        return mean

    def _scale(self, made: _Candidates) -> tuple[Array, Array, list[Array]]:
        """Return s^2, the curvature of Phi, and x at the points where the left-hand side looks."""
        given, oracle = self._given, self._trace.oracle
        a, b, c = (self._mean(v) for v in (made.a, made.b, made.c))
        bend, slope = a + b**2 / c, b / c
        basis = np.zeros((len(a), len(self._signs), len(oracle.basis)))
        basis[:, :, 0], basis[:, :, 1] = made.x[:, None], made.y[:, None]
        seen: list[tuple[Array, Array]] = []
        for point in oracle.points:
            if self._is_met(point):
                x, y = self._at(basis, point.at)
                basis[:, :, point.gradient - 1] = made.a * x + made.b * y + made.p
                basis[:, :, point.gradient] = made.b * x - made.c * y + made.q
                if point.is_server:
                    seen += [(x, y), (x, slope[:, None] * x)]
        at = [self._at(basis, z)[0][:, 0] for _, z in self._looked.points]
        share = np.asarray(given.Delta) / (bend * made.x**2 / 2)
        if given.distance is not None:
            share = np.minimum(share, given.distance**2 / np.maximum((made.y - slope * made.x) ** 2, _TINY))
        if given.zeta is not None:
            spread = np.max([self._spread(made, x, y) for x, y in seen], axis=0)
            share = np.minimum(share, given.zeta**2 / np.maximum(spread, _TINY))
        if given.G_0 is not None:
            gx, gy = self._gradients(made, made.x[:, None], made.y[:, None])
            share = np.minimum(share, given.G_0 / self._mean(gx**2 + gy**2))
        return share, bend, at

    def _is_met(self, point: GradientPoint) -> bool:
        """Return whether a point is part of the run, as (x, y_star(x)) is not."""
        return not point.at.pad_to(len(self._trace.oracle.basis))[:, self._unknown].any()

    def _at(self, basis: Array, v: GramVector) -> tuple[Array, Array]:
        """Return both halves of a vector, (candidates, kinds)."""
        padded = v.pad_to(basis.shape[-1]).astype(float)
        centre = (basis * self._counts[:, None]).sum(axis=1, keepdims=True) / self._counts.sum()
        weighed = padded[MEAN] * centre + padded[DEVIATION] * (basis - centre)
        return weighed[..., 0::2].sum(axis=-1), weighed[..., 1::2].sum(axis=-1)

    @staticmethod
    def _gradients(made: _Candidates, x: Array, y: Array) -> tuple[Array, Array]:
        return made.a * x + made.b * y + made.p, made.b * x - made.c * y + made.q

    def _spread(self, made: _Candidates, x: Array, y: Array) -> Array:
        """Return mean_i |grad f_i - grad f|^2 at a point of all clients."""
        parts = [g - self._mean(g)[:, None] for g in self._gradients(made, x, y)]
        return self._mean(parts[0] ** 2 + parts[1] ** 2)

    def _measure(self, bend: Array, at: list[Array]) -> Array:
        """Return the left-hand side before scaling."""
        of_values = self._looked.name in OF_VALUES
        parts = np.array([bend * x**2 / 2 if of_values else (bend * x) ** 2 for x in at])
        if self._looked.name == "best":
            least: Array = parts.min(axis=0)
            return least
        weights = np.array([float(weight) for weight, _ in self._looked.points])
        total: Array = weights @ parts
        return total
