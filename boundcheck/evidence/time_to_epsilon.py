"""Rounds until the average of E|grad|^2 is at most eps^2, over runs whose steps are set from their horizon.

One run a horizon: the complexity is the horizon from which on own runs are good enough, not a point on one long curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.exponents import MARGIN, power_fit, resampled_means
from boundcheck.evidence.resampling import measured_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array

Relation = Literal["=", "<=", ">="]

_NUMBERS = (1e-300, 1e300)
"""Range of averages: a diverged run counts as the largest, a vanished one as the smallest."""


@dataclass(frozen=True)
class Reached:
    """The horizon at which one accuracy is reached."""

    epsilon: float
    rounds: float
    """Interpolated between horizons; the first one for "<=", the longest one (the budget) for ">="."""
    relation: Relation
    """"=" between two horizons of the grid, "<=" at the first one already, ">=" not within the budget."""
    low: float
    high: float
    """95 % bootstrap interval over seeds: 0 below the first horizon, infinite beyond the budget."""

    def __str__(self) -> str:
        """Return the rounds with their relation: ">= 4096" was not reached."""
        return f"{self.rounds:.4g}" if self.relation == "=" else f"{self.relation} {self.rounds:.4g}"


@dataclass(frozen=True)
class ComplexityFit:
    """rounds(eps) = sum_j a_j eps^(-p_j), the largest p free and the others as in the theorem."""

    promised: float | None
    """p of the theorem, None where nothing is promised."""
    fixed: tuple[float, ...]
    exponent: float
    low: float
    high: float
    """95 % bootstrap interval over seeds."""
    used: int
    left_out: int
    """Accuracies in the fit, and those left out because they were reached at once or not within the budget."""

    @property
    def note(self) -> str:
        """Return what the fit leaves out and which way that leans, or nothing."""
        if not self.left_out:
            return ""
        return f"{self.left_out} of {self.used + self.left_out} accuracies censored, not in the fit"

    @property
    def promise(self) -> str:
        """Compare with the theorem: the margin is that of `exponents.MARGIN` on the decay 2/p, carried to p."""
        if self.promised is None:
            return ""
        margin = self.promised**2 / 2 * MARGIN
        if self.promised - margin <= self.low and self.high <= self.promised + margin:
            return "as promised"
        if self.high < self.promised:
            return "faster"
        return "not reached" if self.low > self.promised + margin else "undecided"


@dataclass(frozen=True)
class TimeToEpsilon:
    """Rounds to every accuracy, and how they grow as eps falls."""

    reached: tuple[Reached, ...]
    """Largest eps first."""
    complexity: ComplexityFit | None
    """None where fewer than three accuracies lie within the grid."""


def time_to_epsilon(
    T: Sequence[float],
    samples: Sequence[Array],
    epsilons: Sequence[float],
    decays: Sequence[float] = (),
    *,
    seed: int = 0,
) -> TimeToEpsilon:
    """Return the horizons at which averages of squared gradients reach eps^2, for every eps.

    The mean over seeds is interpolated between neighbouring horizons as a power law.  What counts is the horizon from
    which on all of the grid are good enough: a run that has not yet left a flat start is no success.

    Parameters
    ----------
    T : sequence
        Horizons, at least two increasing values > 0.
    samples : sequence of (replicates,) arrays
        Average of the squared gradient over the run of each horizon, independent between horizons.
    epsilons : sequence
        Accuracies > 0.
    decays : sequence
        Decay exponents p of the theorem's terms in T, which become eps^(-2/p); without any nothing is promised.

    Raises
    ------
    InputError
        If the grid does not increase from above 0, there is not one sample a horizon, or an accuracy is not a number
        > 0.
    """
    grid, samples = measured_grid("T", T, samples)
    legal = len(epsilons) >= 1 and all(0 < e < np.inf for e in epsilons)
    require(legal, "epsilons", list(epsilons), "one or more numbers > 0")
    targets = np.array(sorted(set(epsilons), reverse=True))
    finite = [np.clip(y, *_NUMBERS) for y in samples]
    means, draws = resampled_means(finite, np.random.default_rng(seed))
    times, drawn = crossings(grid, means[None], targets)[0], crossings(grid, draws, targets)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0, method="inverted_cdf")
    reached = tuple(
        Reached(float(e), *_related(float(t), grid), float(a), float(b))
        for e, t, a, b in zip(targets, times, low, high, strict=True)
    )
    return TimeToEpsilon(reached, _complexity(grid, targets, times, drawn, [2 / p for p in decays if p > 0]))


def crossings(grid: Array, means: Array, targets: Array) -> Array:
    """Return the horizon from which on rows of `means` (rows, horizons) are at most targets^2, (rows, targets).

    0 if all horizons are good enough, infinite if the longest is not.
    """
    logs, logx, goals = np.log(np.clip(means, *_NUMBERS)), np.log(grid), 2 * np.log(targets)
    # What meets an accuracy up to rounding meets it.
    below = logs[:, None, :] <= goals[None, :, None] + 1e-12
    stays = np.logical_and.accumulate(below[:, :, ::-1], axis=2)[:, :, ::-1]
    first = stays.argmax(axis=2)
    previous, rows = np.maximum(first - 1, 0), np.arange(len(means))[:, None]
    before, fallen = logs[rows, previous], logs[rows, previous] - logs[rows, first]
    share = np.where(fallen > 0, (before - goals) / np.where(fallen > 0, fallen, 1.0), 1.0)
    inner = np.exp(logx[previous] + share * (logx[first] - logx[previous]))
    return np.where(~below[:, :, -1], np.inf, np.where(first == 0, 0.0, inner))


def _related(time: float, grid: Array) -> tuple[float, Relation]:
    if time == 0:
        return float(grid[0]), "<="
    return (float(grid[-1]), ">=") if np.isinf(time) else (time, "=")


def _complexity(grid: Array, targets: Array, times: Array, drawn: Array, powers: list[float]) -> ComplexityFit | None:
    """Fit the accuracies that were reached inside the grid; resampled times outside it count as its ends."""
    inside = (times > 0) & np.isfinite(times)
    used = int(inside.sum())
    if used < 3:
        return None
    # No more unknowns than accuracies: the slowest terms are left out.
    distinct = sorted({round(p, 12) for p in powers}, reverse=True)
    fixed = tuple(distinct[1 : max(1, used - 1)])
    logs = np.log(np.clip(drawn[:, inside], grid[0], grid[-1]) / times[inside])
    spread = np.maximum(logs.std(axis=0), 1e-9)
    start = distinct[0] if distinct else 2.0
    best, slopes = power_fit(targets[inside], times[inside], 1 / spread, start, fixed)
    low, high = np.quantile(best[0] + logs @ slopes, [0.025, 0.975])
    promised = distinct[0] if distinct else None
    return ComplexityFit(promised, fixed, float(best[0]), float(low), float(high), used, len(times) - used)
