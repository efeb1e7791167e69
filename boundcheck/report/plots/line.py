"""The line along which a problem is drawn: through start and minimiser, or down the steepest slope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.problems.certification.search import client_gradients, minimum

if TYPE_CHECKING:
    from boundcheck.problems import Array, Problem

POINTS = 201
"""Points of the line at which functions are evaluated."""
_DESCENDED = 64
"""Largest dimension in which a minimiser that no constant names is looked for by a quasi-Newton descent."""


@dataclass(frozen=True)
class Line:
    """A line through the start of a problem."""

    problem: Problem
    direction: Array
    """Unit vector (d,); on saddles 0 in the max block."""
    length: float
    """Distance from the start, against `direction`, to the place that is 0 on the axis."""
    words: str
    """What that place is."""

    @cached_property
    def at(self) -> Array:
        """Positions on the axis: the start is at `length`."""
        low, high = -1.2 * self.length, 1.5 * self.length
        if self.problem.radius is not None:
            reach = np.sqrt(max(self.problem.radius**2 - self._offset**2, 0.0))
            middle = self.length - float(self.problem.start @ self.direction)
            low, high = max(low, middle - reach), min(high, middle + reach)
        grid: Array = np.linspace(low, high, POINTS)
        return grid

    @property
    def _offset(self) -> float:
        """Distance of the line from the origin."""
        start = self.problem.start
        return float(np.linalg.norm(start - (start @ self.direction) * self.direction))

    def points(self, at: Array) -> Array:
        """Return the points (n, d) at positions (n,)."""
        found: Array = self.problem.start + (at - self.length)[:, None] * self.direction
        return found


def line_of(problem: Problem) -> Line:
    """Return the line through start and minimiser, or down the steepest slope at the start where there is none."""
    free = np.arange(problem.d) < (problem.blocks[0] if problem.blocks else problem.d)
    target, words = _minimiser(problem)
    if target is not None:
        gap = np.where(free, problem.start - target, 0.0)
        length = float(np.linalg.norm(gap))
        if np.isfinite(length) and length > 1e-6:
            return _shorten_line(problem, Line(problem, gap / length, length, words))
    slope = np.where(free, client_gradients(problem, problem.start[None])[0].mean(axis=0), 0.0)
    words = "down the steepest slope at the start"
    if np.linalg.norm(slope) < 1e-9:
        slope, words = np.where(free, 1.0, 0.0), "along the diagonal"
    direction = slope / np.linalg.norm(slope)
    steps = np.geomspace(1e-2, 1e2, 41)
    values = height(problem, problem.start - steps[:, None] * direction)
    lowest = int(np.argmin(np.where(np.isfinite(values), values, np.inf)))
    length = float(steps[lowest]) if 0 < lowest < len(steps) - 1 else 3.0
    return Line(problem, direction, length, words)


def _shorten_line(problem: Problem, line: Line) -> Line:
    """Return the line with its 0 where the descent is almost done, if the function is flat for most of the way."""
    steps = np.concatenate([[0.0], line.length * np.geomspace(1e-6, 1.0, 400)])
    values = height(problem, problem.start - steps[:, None] * line.direction)
    drop = values[0] - values[-1]
    done = values - values[-1] <= 1e-3 * drop
    if not done[steps >= line.length / 2].all() or not drop > 0:
        return line
    return Line(problem, line.direction, float(steps[int(done.argmax())]), "through the start, towards the infimum")


def height(problem: Problem, points: Array) -> Array:
    """Return Phi on saddles, else f, at points (n, d)."""
    return (problem.envelope if problem.is_minimax else problem.value)(points[:, None, :])


def _minimiser(problem: Problem) -> tuple[Array | None, str]:
    letter, text = ("Phi_star", r"\Phi") if problem.is_minimax else ("f_star", "f")
    known = problem.constants.get(letter)
    if known is not None and known.at is not None and np.isfinite(known.at).all():
        return known.at, f"through start and minimiser of ${text}$"
    if known is None or problem.d > _DESCENDED:
        return None, ""

    def function(x: Array) -> tuple[float, Array]:
        z = x[None, None, :]
        if not problem.blocks:
            return float(problem.value(z)[0]), problem.mean_gradient(z)[0, 0]
        slope = problem.envelope_gradient(z)[0, 0]
        return float(problem.envelope(z)[0]), np.concatenate([slope, np.zeros(problem.blocks[1])])

    return minimum(function, problem.start, 200), f"through start and the end of a descent on ${text}$"
