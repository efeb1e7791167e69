"""Scans along lines for features that random starts miss: suprema far from the origin, and narrow ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.problems.certification.search import STEP, client_gradients, within

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem
    from boundcheck.problems.certification.search import Objective
    from boundcheck.problems.types import Array, Indices

_REACH = np.geomspace(1e-3, 1e6, 46)
"""Distances from the centre of a line at which it is sampled."""
_STEPS = np.concatenate([-_REACH[::-1], [0.0], _REACH])
_WORK = 2e7
"""Numbers that the gradients of one scan may touch; problems of many rows get fewer lines."""
_KEPT = 6
"""Intervals that are bisected: so many with the largest jumps of a gradient, and with the largest quotients."""
_EPS = float(np.finfo(float).eps)


class ScanMaximum(NamedTuple):
    """Where a scan found a quantity largest, and the quantity."""

    points: Array
    """Shape (n, d)."""
    measure: Objective


def scan(problem: Problem, seed: int) -> dict[str, ScanMaximum]:
    """Return the extreme points on lines through the start and the origin, from 1e-3 to 1e6 away.

    Returns
    -------
    dict
        ``bend``: where a client's gradient changes fastest; ``slope``: where a coordinate of it is largest;
        ``spread``: where clients differ most; ``steep``: where |grad f| is largest; ``low``: where f, or Phi, is
        lowest.  Empty where the functions overflow.
    """
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        try:
            return _scan_lines(problem, rng)
        except ArithmeticError:  # functions of the user's, in plain Python, that overflow far out
            return {}


def _scan_lines(problem: Problem, rng: np.random.Generator) -> dict[str, ScanMaximum]:
    lines = _lines(problem, rng)
    points = within(problem, (lines[0][:, None] + _STEPS[:, None] * lines[1][:, None]).reshape(-1, problem.d))
    g = client_gradients(problem, points)
    measures = {
        "slope": lambda x: _slope(client_gradients(problem, x)),
        "spread": lambda x: _spread(client_gradients(problem, x)),
        "steep": lambda x: _steep(client_gradients(problem, x)),
    }
    found = {
        name: ScanMaximum(_zoom_in(problem, measure, lines, values), measure)
        for (name, measure), values in zip(measures.items(), (_slope(g), _spread(g), _steep(g)), strict=True)
    }
    depths = np.nan_to_num(_height(problem, points), nan=np.inf, posinf=np.inf, neginf=np.inf)
    found["low"] = ScanMaximum(points[[int(depths.argmin())]], lambda x: -_height(problem, x))
    found["bend"] = ScanMaximum(_find_bends(problem, points, g, rng), lambda x: bending(problem, x)[0])
    return found


def _lines(problem: Problem, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return centres and unit directions (lines, d): the diagonals, some axes and random ones, through two points."""
    d = problem.d
    rows = float(np.mean(getattr(problem, "sizes", 1)))
    number = int(np.clip(_WORK / (len(_STEPS) * problem.N * d * rows), 2, 20))
    axes = np.eye(d)[: min(d, 4)]
    slope = problem.mean_gradient(problem.start[None, None, :])[0]
    waves = np.where(np.arange(d) % 2 == 0, 1.0, -1.0)[None]
    directions = np.concatenate([np.ones((1, d)), slope, waves, axes, rng.standard_normal((3, d))])
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-300)
    centres = np.stack([problem.start, np.zeros(d)])
    pairs = [(centre, direction) for direction in directions for centre in centres][:number]
    return np.stack([centre for centre, _ in pairs]), np.stack([direction for _, direction in pairs])


def _height(problem: Problem, points: Array) -> Array:
    server = points[:, None, :]
    heights: Array = problem.envelope(server) if problem.is_minimax else problem.value(server)
    return heights


def _slope(g: Array) -> Array:
    sizes: Array = np.abs(g).max(axis=(1, 2))
    return sizes


def _spread(g: Array) -> Array:
    """Return the variance over clients, less what rounding may have added."""
    deviation = np.sqrt(g.var(axis=1).sum(axis=1)) - 8 * _EPS * np.sqrt(g.shape[2]) * _slope(g)
    squares: Array = np.maximum(deviation, 0.0) ** 2
    return squares


def _steep(g: Array) -> Array:
    squares: Array = (g.mean(axis=1) ** 2).sum(axis=1)
    return squares


def _zoom_in(problem: Problem, measure: Objective, lines: tuple[Array, Array], values: Array) -> Array:
    """Return the best point (1, d) of the sampled lines after zooming in on it along its line."""
    table = np.nan_to_num(values, nan=-np.inf, posinf=-np.inf).reshape(len(lines[0]), -1)
    line, k = divmod(int(table.argmax()), table.shape[1])
    centre, direction = lines[0][line], lines[1][line]
    low, high = _STEPS[max(0, k - 1)], _STEPS[min(len(_STEPS) - 1, k + 1)]
    best, top = _STEPS[k], table[line, k]
    for _ in range(4):
        steps = np.linspace(low, high, 21)
        near = np.nan_to_num(measure(within(problem, centre + steps[:, None] * direction)), nan=-np.inf, posinf=-np.inf)
        if near.max() > top:
            best, top = steps[int(near.argmax())], near.max()
        half = (high - low) / 20
        low, high = best - half, best + half
    return within(problem, centre + np.array([[best]]) * direction)


def _find_bends(problem: Problem, points: Array, g: Array, rng: np.random.Generator) -> Array:
    """Return where the clients' gradients change fastest (n, d).

    Between two points the mean rate of change is at most the largest in between, so the half of an interval with the
    larger rate has at least that of the whole: bisection closes in on a bend however narrow.
    """
    jumps = np.linalg.norm(np.diff(g, axis=0), axis=2)
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    on_line = np.arange(1, len(points)) % len(_STEPS) != 0
    net = np.where(on_line[:, None] & np.isfinite(jumps), jumps - 16 * _EPS * np.abs(g[1:]).max(axis=2), 0.0)
    rates = net / np.maximum(lengths, 1e-300)[:, None]
    chosen = np.unique(np.concatenate([np.argsort(-net.ravel())[:_KEPT], np.argsort(-rates.ravel())[:_KEPT]]))
    where, clients = np.unravel_index(chosen, net.shape)
    ends = _bisect_bends(problem, points[where], points[where + 1], clients)
    values, directions = bending(problem, ends)
    top = int(values.argmax())
    along = within(problem, ends[top] + _STEPS[:, None] * directions[top])
    rates_along, _ = bending(problem, along)
    return np.stack([ends[top], along[int(np.nan_to_num(rates_along).argmax())]])


def _bisect_bends(problem: Problem, left: Array, right: Array, clients: Indices) -> Array:
    def slope(x: Array) -> Array:
        return problem.exact_gradient(x[:, None, :], clients[:, None])[:, 0]

    first, last = slope(left), slope(right)
    for _ in range(40):
        middle = (left + right) / 2
        between = slope(middle)
        nearer = np.linalg.norm(between - first, axis=1) >= np.linalg.norm(last - between, axis=1)
        wide = np.linalg.norm(right - left, axis=1) > 4 * STEP
        go_left, go_right = (nearer & wide)[:, None], (~nearer & wide)[:, None]
        left, first = np.where(go_right, middle, left), np.where(go_right, between, first)
        right, last = np.where(go_left, middle, right), np.where(go_left, between, last)
    return (left + right) / 2


def bending(problem: Problem, points: Array) -> tuple[Array, Array]:
    """Return how fast a client's gradient changes at points (n, d), and in which direction (n, d).

    Power iteration on differences of gradients: a Hessian is symmetric, so it pulls towards its top direction.
    """
    u = np.random.default_rng(0).standard_normal((len(points), problem.N, problem.d))
    rates = np.zeros(u.shape[:2])
    for _ in range(5):
        u /= np.maximum(np.linalg.norm(u, axis=-1, keepdims=True), 1e-300)
        ahead = problem.exact_gradient(points[:, None] + STEP * u)
        change = ahead - problem.exact_gradient(points[:, None] - STEP * u)
        noise = 8 * _EPS * np.sqrt(problem.d) * np.abs(ahead).max(axis=-1)
        rates = np.maximum(np.linalg.norm(change, axis=-1) - noise, 0.0) / (2 * STEP)
        # A multiple of u keeps a direction where the gradient does not change.
        u = change + 1e-9 * u
    best = np.nan_to_num(rates, posinf=0.0).argmax(axis=1)[:, None]
    u /= np.maximum(np.linalg.norm(u, axis=-1, keepdims=True), 1e-300)
    value = np.take_along_axis(np.nan_to_num(rates, posinf=0.0), best, axis=1)[:, 0]
    return value, np.take_along_axis(u, best[..., None], axis=1)[:, 0]
