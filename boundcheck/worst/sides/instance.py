"""From Gram matrices to functions, and what the method does on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.extremal.data import Pieces
from boundcheck.problems.extremal.family import Extremal
from boundcheck.worst.facts.measures import OF_DISTANCE, OF_VALUES
from boundcheck.worst.facts.natural import power_of
from boundcheck.worst.gram.trace import ORIGIN
from boundcheck.worst.gram.vectors import DEVIATION, MEAN
from boundcheck.worst.sides.draws import apply_draw, sequences_of_draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.worst.facts.classes import ProblemClass
    from boundcheck.worst.facts.measures import LeftHandSide
    from boundcheck.worst.gram.oracle import GradientPoint
    from boundcheck.worst.gram.rows import Array, Pair
    from boundcheck.worst.gram.trace import Trace
    from boundcheck.worst.gram.vectors import GramVector
    from boundcheck.worst.sides.programme import Solution
    from boundcheck.worst.sides.shared import SharedFunctionConstraints
    from boundcheck.worst.sides.whole import ClassConstraints

_RANKS = (1e-7, 1e-9, 1e-5)
"""Eigenvalues of a Gram matrix below one of these shares of the largest are rounding of the solver."""
_ROUNDING, _LEAST = 1e-7, 1e-12
"""Share of a left-hand side, and value, by which a run may miss the conditions of its class."""


def pieces_of(whole: ClassConstraints, solution: Solution, *, origin: str = "") -> Iterator[Pieces]:
    """Yield the client functions through the points, gradients and values of a solution, at several ranks.

    Coordinates are those of P's eigenvectors, then one copy of Q's for each direction of a simplex, whose corners are
    the clients.
    """
    for share in _shares(solution):
        yield _pieces(whole, solution, share, origin)


def _shares(solution: Solution) -> list[float]:
    """Return shares of the largest eigenvalue that leave different ranks."""
    ranks = {tuple(_factor(gram, share).shape[1] for gram in (solution.P, solution.Q)): share for share in _RANKS}
    return list(ranks.values())


def _pieces(whole: ClassConstraints, solution: Solution, share: float, origin: str) -> Pieces:
    N = whole.given.N
    centre, spread = _factor(solution.P, share), _factor(solution.Q, share)
    corners = simplex(N)

    def place_pair(v: Pair) -> Array:
        own = np.kron(corners, v.deviation[0] @ spread)
        return np.concatenate([np.tile(v.mean @ centre, (N, 1)), own], axis=1)

    first = whole.number(whole.trace.oracle.point(whole.trace.iterates[0]))
    order = [first, *(k for k in range(len(whole.points)) if k != first)]
    points = [whole.points[k] for k in order]
    x = np.stack([place_pair(whole.pair(p.at)) for p in points], axis=1)
    g = np.stack([place_pair(whole.basis(p.gradient)) for p in points], axis=1)
    f = np.tile(solution.values[order], (N, 1))
    return Pieces.through(x, g, f, L=whole.given.L, mu=whole.given.convexity, origin=origin)


def _factor(gram: Array, share: float) -> Array:
    """Return coordinates (vectors, rank) with these products, without eigenvalues below a share of the largest."""
    if not gram.size:
        return np.zeros((0, 0))
    values, vectors = np.linalg.eigh(gram)
    kept = values > share * max(float(values[-1]), 0.0)
    factor: Array = vectors[:, kept] * np.sqrt(values[kept])
    return factor


def tilted_pieces_of(shared: SharedFunctionConstraints, solution: Solution) -> Iterator[Pieces]:
    """Yield the client functions h + <c_i, .> of a solution, at several ranks: the points of all clients are h's."""
    N = shared.given.N
    corners = simplex(N)
    for share in _shares(solution):
        centre, spread = _factor(solution.P, share), _factor(solution.Q, share)

        def place_pair(v: Pair, i: int, centre: Array = centre, spread: Array = spread) -> Array:
            return np.concatenate([v.mean @ centre, np.kron(corners[i], v.deviation[0] @ spread)])

        order = shared.order_points()
        rows = [(k, i) for k in order for i in range(1 if shared.points[k].is_server else N)]
        x = np.array([place_pair(shared.pair(shared.points[k].at), i) for k, i in rows])
        h = np.array([place_pair(shared.gradient(shared.points[k]), i) for k, i in rows])
        tilts = np.array([place_pair(shared.tilt, i) for i in range(N)])
        # What rounding leaves of tilts would be more than zeta = 0 allows, however far it is scaled down.
        tilts = tilts * float(shared.given.zeta != 0)
        f = solution.values[[k for k, _ in rows]] + tilts @ x.T
        both = np.broadcast_to(x, (N, *x.shape))
        yield Pieces.through(both, h + tilts[:, None, :], f, L=shared.given.L, mu=shared.given.convexity)


def simplex(N: int) -> Array:
    """Return N corners (N, N-1) around 0, of unit mean square."""
    basis = np.linalg.svd(np.eye(N) - 1.0 / N)[0][:, : N - 1]
    corners: Array = basis * np.sqrt(N / max(N - 1, 1))
    return corners


@dataclass(frozen=True)
class AttainedValue:
    """What a method does on an explicit problem.

    Attributes
    ----------
    problem : Extremal
        Scaled so that its constants are within those of the class.
    value : float
        The left-hand side on it.
    """

    problem: Extremal
    value: float


def run_and_scale(trace: Trace, looked: LeftHandSide, given: ProblemClass, pieces: Pieces) -> AttainedValue | None:
    """Run the method on a problem and scale the problem into the class.

    With s > 0 the functions ``s^2 f_i(x/s)`` from s x_0 have the same smoothness; values, and squares of gradients, of
    distances, of drifts and of zeta are multiplied by s^2.  None where the infimum of f is not known, or where rounding
    leaves what the run saw that no function of the class has.
    """
    if trace.oracle.S < trace.oracle.N:
        # A draw sees every client, also those that have a function in common.
        times = trace.oracle.N // len(pieces.w)
        pieces = replace(pieces, w=np.repeat(pieces.w, times, axis=0), t=np.repeat(pieces.t, times, axis=0))
    problem = Extremal.of(pieces)
    if "f_star" not in problem.constants and given.Delta_mean is None:
        return None
    run = _InstanceRun(trace, problem)
    share = min((limit / found for limit, found in run.constants(looked, given) if found > 0), default=1.0)
    scale = float(np.sqrt(share))
    value = run.measure(looked, share)
    in_units_of_f = value * given.L ** (1 - power_of(looked.name))
    if share * run.miss(given) > max(_ROUNDING * in_units_of_f, _LEAST):
        return None
    return AttainedValue(Extremal.of(pieces.rescale(scale)), value)


class _InstanceRun:
    """A trace on a problem: every basis vector as numbers, (sequences of draws, clients, basis vectors, d).

    Where all clients take part there is one sequence.
    """

    def __init__(self, trace: Trace, problem: Extremal) -> None:
        self.trace, self.problem = trace, problem
        self._active = sequences_of_draws(trace.oracle)
        self.basis = np.zeros((len(self._active), problem.N, len(trace.oracle.basis), problem.d))
        points = {point.gradient: point for point in trace.oracle.points if self.is_met(point)}
        self.basis[:, :, ORIGIN] = problem.start
        for k, element in enumerate(trace.oracle.basis):
            if k in points:
                self.basis[:, :, k] = problem.exact_gradient(self.at(points[k].at))
            elif element.of is not None and element.draw >= 0:
                here = self._active[:, element.draw, :, None]
                self.basis[:, :, k] = apply_draw(element.kind, self.at(element.of), here)

    def is_met(self, point: GradientPoint) -> bool:
        """Return whether a point is part of the run, as a minimiser is not."""
        basis = self.trace.oracle.basis
        unknown = [k for k, e in enumerate(basis) if e.kind == "server" and k != ORIGIN]
        return not point.at.pad_to(len(basis))[:, unknown].any()

    def at(self, v: GramVector) -> Array:
        """Return a vector of the clients, (sequences, clients, d)."""
        padded = v.pad_to(self.basis.shape[2]).astype(float)
        # Coefficients of 0 are of vectors that were not met yet.
        mean, apart = (np.flatnonzero(padded[row]) for row in (MEAN, DEVIATION))
        centre = np.einsum("a,sad->sd", padded[MEAN, mean], self.basis[:, :, mean].mean(axis=1))
        off = np.einsum("a,siad->sid", padded[DEVIATION, apart], self.basis[:, :, apart])
        placed: Array = centre[:, None] + off - off.mean(axis=1, keepdims=True)
        return placed

    def miss(self, given: ProblemClass) -> float:
        """Return by how much values and gradients of the run miss the conditions of interpolation, in units of f.

        Hulls of parabolas that nearly coincide, or whose vertices are far apart, are evaluated with errors.
        """
        met = [(self.at(p.at), self.basis[:, :, p.gradient]) for p in self.trace.oracle.points if self.is_met(p)]
        at_rest = self.problem.constants["f_star"].at if given.has_minimiser else None
        if at_rest is not None:
            star = np.broadcast_to(at_rest, met[0][0].shape)
            met.append((star, np.broadcast_to(self.problem.exact_gradient(star[:1]), star.shape)))
        x, g = (np.stack(part, axis=2) for part in zip(*met, strict=True))
        f = np.stack([self.problem.client_values(at) for at, _ in met], axis=2)
        share = given.convexity / given.L
        dx, dg = x[:, :, :, None] - x[:, :, None], g[:, :, :, None] - g[:, :, None]
        bent = (dg**2).sum(-1) / given.L + given.convexity * (dx**2).sum(-1) - 2 * share * (dg * dx).sum(-1)
        above = f[:, :, :, None] - f[:, :, None] - (g[:, :, None] * dx).sum(-1) - bent / (2 * (1 - share))
        return max(0.0, -float(above.min()))

    def gradients(self, x: GramVector) -> Array:
        """Return the clients' gradients at a server point that was met, (sequences, clients, d)."""
        found: Array = self.basis[:, :, self.trace.oracle.point(x).gradient]
        return found

    def measure(self, looked: LeftHandSide, share: float) -> float:
        """Return the left-hand side where all values are scaled by a share, in expectation over draws."""
        if looked.name in OF_VALUES:
            return share * (sum(float(weight) * self.value(x) for weight, x in looked.points) - self.floor)
        if looked.name in OF_DISTANCE:
            rest = self._at_rest
            away = [_square(self.at(x)[:, 0] - rest) for _, x in looked.points]
            return share * sum(float(weight) * v for (weight, _), v in zip(looked.points, away, strict=True))
        if looked.vectors:
            return share * sum(float(weight) * _square(self.at(v)) for weight, v in looked.vectors)
        squares = np.array([_square(self.gradients(x).mean(axis=1)) for _, x in looked.points])
        if looked.name == "best":
            return float((share * squares + np.array(looked.added or [0.0])).min())
        return share * float(np.array([float(weight) for weight, _ in looked.points]) @ squares)

    def value(self, x: GramVector) -> float:
        """Return f at a server point, in expectation over draws."""
        return float(self.problem.value(self.at(x)[:, :1]).mean())

    @property
    def _at_rest(self) -> Array:
        """Return a minimiser of f."""
        return np.asarray(self.problem.constants["f_star"].at)

    @property
    def floor(self) -> float:
        """Return the infimum of f."""
        return self.problem.constant("f_star")

    def constants(self, looked: LeftHandSide, given: ProblemClass) -> list[tuple[float, float]]:
        """Return what the class allows and what the problem has, in the units of f or of squares."""
        start = self.trace.iterates[0]
        found = []
        if given.Delta is not None:
            found.append((given.Delta, self.value(start) - self.floor))
        if given.Delta_mean is not None:
            found.append((given.Delta_mean, self.problem.constant("Delta_mean")))
        if given.distance is not None:
            found.append((given.distance**2, _square(self.at(start)[:, 0] - self._at_rest)))
        if given.G_0 is not None:
            found.append((given.G_0, _square(self.gradients(start))))
        if given.zeta is not None:
            seen = [p.at for p in self.trace.oracle.points if p.is_server and self.is_met(p)]
            found += [(given.zeta**2, float(self.gradients(x).var(axis=1).sum(axis=-1).max())) for x in seen]
        return found


def _square(v: Array) -> float:
    """Return |v|^2, averaged over draws and clients."""
    return float((v * v).sum(axis=-1).mean())
