"""Rounds until the average of E|grad|^2 is at most eps^2, over runs whose steps are set from their horizon.

One run a horizon: the complexity is the horizon from which on own runs are good enough, not a point on one long curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.checks.exponents import Fit, fit_exponent, resampled_means
from boundcheck.evidence.statistics.promise import judge_decay
from boundcheck.evidence.statistics.resampling import measured_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array

Relation = Literal["=", "<=", ">="]

_NUMBERS = (1e-300, 1e300)
"""Range of averages: a diverged run counts as the largest, a vanished one as the smallest."""


@dataclass(frozen=True)
class Crossing:
    """The horizon at which one accuracy is reached."""

    epsilon: float
    rounds: float
    """Interpolated between horizons; the first one for "<=", the longest one (the budget) for ">="."""
    relation: Relation
    """"=" between two horizons of the grid, "<=" at the first one already, ">=" not within the budget."""
    low: float
    high: float
    """95 % bootstrap interval over seeds: from 0 below the first horizon, from the budget to infinity beyond it."""

    def __str__(self) -> str:
        """Return the rounds, a censored time as what is known: "< 64" at once, "> 4096" not reached."""
        return f"{self.sign}{self.rounds:.4g}"

    @property
    def sign(self) -> str:
        """Return what stands before the rounds: nothing, or on which side of them the time lies."""
        return {"=": "", "<=": "< ", ">=": "> "}[self.relation]


@dataclass(frozen=True)
class ComplexityFit:
    """rounds ~ eps^(-p) with p = 2/q, q the exponent with which the averages fall along the horizons.

    So one data set has one verdict, whichever of the two is shown.
    """

    promised: float | None
    """p of the theorem, None where nothing is promised."""
    fixed: tuple[float, ...]
    exponent: float
    low: float
    high: float
    """95 % interval, infinite above where the averages need not fall."""
    used: int
    left_out: int
    """Accuracies reached inside the grid, and those reached at once or not within the budget."""
    decay: Fit | None = None
    """The fit of the averages along the horizons."""

    @property
    def note(self) -> str:
        """Return what must be known to read the fit, or nothing."""
        total = self.used + self.left_out
        censored = [f"{self.left_out} of {total} accuracies lie beyond the grid"] if self.left_out else []
        return "; ".join([*censored, *([self.decay.note] if self.decay is not None and self.decay.note else [])])

    @property
    def promise(self) -> str:
        """Compare with the theorem where it is measured: the decay 2/p along the horizons, with its tolerance."""
        if self.promised is None:
            return ""
        if self.decay is not None:
            return self.decay.promise
        return judge_decay(2 / self.high, 2 / self.low, 2 / self.promised)


@dataclass(frozen=True)
class TimeToEpsilon:
    """Rounds to every accuracy, and how they grow as eps falls."""

    reached: tuple[Crossing, ...]
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
    # What is reached at once lies below the first horizon, what is not reached beyond the longest.
    low, high = np.minimum(low, grid[-1]), np.where(high == 0, grid[0], high)
    reached = tuple(
        Crossing(float(e), *_relation_of(float(t), grid), float(a), float(b))
        for e, t, a, b in zip(targets, times, low, high, strict=True)
    )
    return TimeToEpsilon(reached, _complexity(grid, samples, reached, [p for p in decays if p > 0], seed))


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


def _relation_of(time: float, grid: Array) -> tuple[float, Relation]:
    if time == 0:
        return float(grid[0]), "<="
    return (float(grid[-1]), ">=") if np.isinf(time) else (time, "=")


def _complexity(
    grid: Array, samples: list[Array], reached: tuple[Crossing, ...], decays: list[float], seed: int
) -> ComplexityFit | None:
    """Return the exponent of the horizons after the last run that diverged or vanished."""
    used = sum(found.relation == "=" for found in reached)
    start = max((i + 1 for i, y in enumerate(samples) if not ((y > 0) & np.isfinite(y)).all()), default=0)
    if used < 3 or len(grid) - start < 2:
        return None
    # Without a promise the slope alone is fitted.
    fit = fit_exponent("T", [float(t) for t in grid[start:]], samples[start:], decays or [0.5], seed=seed)
    low, high = (2 / q if q > 0 else np.inf for q in (fit.high, fit.low))
    exponent = 2 / fit.exponent if fit.exponent > 0 else np.inf
    promised = 2 / fit.promised if decays else None
    return ComplexityFit(promised, tuple(2 / q for q in fit.fixed), exponent, low, high, used, len(reached) - used, fit)
