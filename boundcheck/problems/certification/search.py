"""Tools of the search for extreme points: start points, local climbs and difference quotients."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Problem
    from boundcheck.problems.types import Array

    class Extreme(Protocol):
        """What a multistart asks of the result of a scan."""

        @property
        def points(self) -> Array: ...

        @property
        def measure(self) -> Objective: ...

    Objective: TypeAlias = Callable[[Array], Array]
    """Points (n, d) to values (n,)."""

STEP = 1e-3
"""Half length of difference quotients.  A quotient of gradients never exceeds the Lipschitz constant, at any length."""
_WORTH = 1e-3
"""By what share an extreme point must beat the starts to become one."""
_FLAT = 1e-3
"""Largest entry of a gradient at a start below which a descent is made in larger units."""
_PROBE = 1e-6
"""Half length of the differences that steer a climb."""


@dataclass(frozen=True)
class Multistart:
    """What a maximiser may use: the problem, where to start and random numbers."""

    problem: Problem
    starts: Array
    """Points (n, d): where the constant is said to be attained, the start, the origin and random ones, with mirrors."""
    rng: np.random.Generator
    likely: int = 3
    """How many of the starts, the first ones, are no random points: costly searches use these alone."""
    ends: dict[tuple[str, bytes], Array] = field(default_factory=dict)
    """Where descents of the problem's functions end, by function and start: several constants ask for the same."""

    @property
    def d1(self) -> int:
        """Dimension of the min block of a minimax problem."""
        return (self.problem.blocks or (0, 0))[0]

    def best(self, objective: Objective, climbs: int = 3) -> float:
        """Return the largest value of `objective` found at the starts and by climbing from the best of them."""
        values = objective(self.starts)
        tops = self.starts[np.argsort(-values)[: climbs + self.likely - 3]]
        # The origin is its own mirror, and often the start too.
        different = {_key(start): start for start in tops}.values()
        return max([float(values.max()), *(self.climb(objective, start)[1] for start in different)])

    def descent(self, name: str, function: Callable[[Array], tuple[float, Array]], start: Array) -> Array:
        """Return where a minimisation of the function of this name, with its gradient, ends."""
        key = name, _key(start)
        if key not in self.ends:
            self.ends[key] = minimum(function, start)
        return self.ends[key]

    def climb(self, objective: Objective, start: Array, iterations: int = 20) -> tuple[Array, float]:
        """Return `climb` within the ball where the constants hold: points outside are drawn to its surface."""
        problem = self.problem
        if problem.radius is None and problem.box_y is None:
            return climb(objective, start, iterations)
        end, value = climb(lambda points: objective(within(problem, points)), start, iterations)
        return within(problem, end), value


def _key(point: Array) -> bytes:
    """Return the bytes of a point, those of 0 for -0."""
    return (point + 0.0).tobytes()


def multistart(
    problem: Problem,
    at: Array | None,
    seed: int,
    effort: int,
    extreme: Extreme | None = None,
    ends: dict[tuple[str, bytes], Array] | None = None,
) -> Multistart:
    """Return the search for one constant; `effort` multiplies the number of random starts.

    The extreme points of a scan are starts too, where they beat all others; `ends` are those of descents so far.
    """
    rng = np.random.default_rng(seed)
    fixed = [problem.start, np.zeros(problem.d), *([] if at is None else [at])]
    scales = np.resize([0.3, 1.0, 3.0], 3 * effort)
    drawn = [scale * rng.standard_normal(problem.d) for scale in scales]
    points = np.stack([*fixed, *drawn])
    starts = np.concatenate([points, -points])
    starts = within(problem, starts)
    better = starts[:0] if extreme is None else _better(extreme, starts)
    return Multistart(problem, np.concatenate([better, starts]), rng, 3 + len(better), {} if ends is None else ends)


def _better(extreme: Extreme, starts: Array) -> Array:
    """Return the extreme points at which the quantity is larger than at all starts by more than rounding can do."""
    with np.errstate(all="ignore"):
        values = np.nan_to_num(extreme.measure(np.concatenate([extreme.points, starts])), nan=-np.inf, posinf=-np.inf)
    n = len(extreme.points)
    best = float(values[n:].max())
    chosen: Array = extreme.points[values[:n] > best + _WORTH * abs(best)]
    return chosen


def server_point(x: Array) -> Array:
    """Return a point (d,) as one lane's server point (1, 1, d)."""
    return x[None, None, :]


def within(problem: Problem, points: Array) -> Array:
    """Return the points (..., d), drawn to where the constants hold: into the ball, and with y into its box."""
    if problem.radius is not None:
        points = inside(points, problem.radius)
    if problem.box_y is not None and problem.blocks is not None:
        points, first, edge = points.copy(), problem.blocks[0], problem.box_y - 2 * STEP
        points[..., first:] = np.clip(points[..., first:], -edge, edge)
    return points


def inside(points: Array, radius: float) -> Array:
    """Return the points (..., d), drawn into the ball of `radius` less the length of a difference quotient."""
    lengths = np.linalg.norm(points, axis=-1, keepdims=True)
    drawn: Array = points * np.minimum(1.0, (radius - 2 * STEP) / np.maximum(lengths, 1e-300))
    return drawn


def climb(objective: Objective, start: Array, iterations: int = 20) -> tuple[Array, float]:
    """Return the end of a local maximisation of `objective` from `start`, and its value; never a worse point."""
    first = float(objective(start[None])[0])
    scale = abs(first) or 1.0
    steps = _PROBE * np.eye(len(start))

    def negative(x: Array) -> tuple[float, Array]:
        around = np.concatenate([x[None], x + steps, x - steps])
        values = -objective(around) / scale
        ahead, behind = values[1:].reshape(2, -1)
        return float(values[0]), (ahead - behind) / (2 * _PROBE)

    end = minimum(negative, start, iterations)
    last = float(objective(end[None])[0])
    return (end, last) if last >= first else (start, first)


def minimum(function: Callable[[Array], tuple[float, Array]], start: Array, iterations: int = 1000) -> Array:
    """Return where a quasi-Newton minimisation of a function with its gradient ends.

    BFGS with matrices of our size stays in numpy; the limited-memory variant calls threaded linear algebra at every
    step, which is ten times slower on a busy machine.
    """
    from scipy.optimize import minimize

    steepest = float(np.abs(function(start)[1]).max(initial=0.0))
    # In the units of a function whose gradients are all small, the search would end where it starts.
    scale = steepest if 0.0 < steepest < _FLAT else 1.0

    def scaled_function(x: Array) -> tuple[float, Array]:
        value, gradient = function(x)
        return value / scale, gradient / scale

    return minimize(scaled_function, start, jac=True, method="BFGS", options={"maxiter": iterations, "gtol": 1e-9}).x


def client_gradients(problem: Problem, points: Array) -> Array:
    """Return grad f_i at the points (n, d), shape (n, N, d)."""
    return problem.exact_gradient(problem.everyone_at(points[:, None, :]))


def client_gradient(problem: Problem, points: Array, client: int) -> Array:
    """Return grad f_i of one client at the points (n, d), shape (n, d): a climb on one client spares the others."""
    return problem.exact_gradient(points[:, None, :], np.full((len(points), 1), client))[:, 0]


def jacobian(function: Callable[[Array], Array], x: Array, along: Array | None = None) -> Array:
    """Return central difference quotients of `function` at `x` (d,), the direction as the last axis.

    `function` maps points (n, d) to arrays with first axis n; `along` are the directions (k, d), by default the axes.
    """
    directions = np.eye(len(x)) if along is None else along
    ahead = function(x + STEP * directions)
    behind = function(x - STEP * directions)
    return np.moveaxis((ahead - behind) / (2 * STEP), 0, -1)


def quotients(function: Callable[[Array], Array], points: Array, direction: Array) -> Array:
    """Return |function(x + h u) - function(x - h u)| / 2h at points (n, d) for one unit vector u (d,), shape (n,)."""
    ends = points + STEP * direction, points - STEP * direction
    return shorter(points) * lengths(function(ends[0]), function(ends[1]))


def shorter(points: Array) -> Array:
    """Return by which factor rounding may have shortened the steps away from points (..., d)."""
    share: Array = 1.0 - 2 * float(np.finfo(float).eps) * np.abs(points).max(axis=-1) / STEP
    return np.maximum(share, 0.0)


def lengths(ahead: Array, behind: Array) -> Array:
    """Return |ahead - behind| / 2h over the last axis, less what rounding may have added."""
    quotient: Array = np.linalg.norm(ahead - behind, axis=-1) / (2 * STEP)
    return np.maximum(quotient - rounding(ahead), 0.0)


def rounding(gradients: Array) -> float:
    """Return how much rounding may change a difference quotient of `gradients`."""
    return 4 * float(np.finfo(float).eps * np.abs(gradients).max() * np.sqrt(gradients.shape[-1]) / STEP)


def stretch(matrices: Array, rng: np.random.Generator, iterations: int = 40) -> Array:
    """Return for each matrix (n, r, c) a unit vector (n, c) that it stretches almost most, by power iteration."""
    u: Array = rng.standard_normal((len(matrices), matrices.shape[2], 1))
    turned = np.swapaxes(matrices, 1, 2)
    for _ in range(iterations):
        u /= np.maximum(np.sqrt(np.add.reduce(u * u, axis=1, keepdims=True)), 1e-300)
        # The multiple of u keeps a direction where the matrix is 0.
        u = np.matmul(turned, np.matmul(matrices, u)) + 1e-12 * u
    u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-300)
    return u[..., 0]


def inner_maximum(problem: Problem, x: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """Return (y, F(x, y)) of a numerical maximisation over the max block, for the min block of a point `x` (d,).

    A descent, then Newton steps with difference quotients of the gradient; in a box a descent along its sides.
    """
    d1, d2 = problem.blocks or (0, 0)

    def negative(y: Array) -> tuple[float, Array]:
        point = server_point(np.concatenate([x[:d1], y]))
        return -float(problem.value(point)[0]), -problem.mean_gradient(point)[0, 0, d1:]

    if problem.box_y is not None:
        from scipy.optimize import minimize

        sides = [(-problem.box_y, problem.box_y)] * d2
        y = minimize(negative, np.zeros(d2), jac=True, method="L-BFGS-B", bounds=sides).x
        return y, -negative(y)[0]
    y = minimum(negative, rng.standard_normal(d2))
    for _ in range(2):
        y = y - np.linalg.solve(jacobian(lambda points: np.stack([negative(p)[1] for p in points]), y), negative(y)[1])
    return y, -negative(y)[0]
