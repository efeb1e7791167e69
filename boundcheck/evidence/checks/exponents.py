"""Exponents from measurements: a fit with the theorem's own terms, an interval with model error, and local orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.statistics.model_error import (
    SHARPEST,
    ExponentInterval,
    exponent_interval,
    relative_errors,
    stretch,
)
from boundcheck.evidence.statistics.promise import judge_decay
from boundcheck.evidence.statistics.resampling import bootstrap_means, measured_grid
from boundcheck.verdicts.words import MARGIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array
    from boundcheck.verdicts.words import RateWord

RESAMPLES = 400
SETTLED = 3
"""Local orders at the end of the grid that must agree before it counts as asymptotic."""
NEGLIGIBLE = 0.1
"""A share of the bound below which a term does not make its order."""


@dataclass(frozen=True)
class LocalOrder:
    """Observed order between two neighbouring grid points."""

    start: float
    stop: float
    order: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """mean(x) = sum_j a_j x^(-p_j) with the leading p free and the others as in the theorem."""

    letter: str
    promised: float
    """The leading exponent p of the theorem (positive: decay)."""
    fixed: tuple[float, ...]
    """The other exponents, fixed."""
    exponent: float
    """Fitted with the theorem's terms alone; where the interval excludes that, with the term that fits best beside."""
    low: float
    high: float
    """95 % interval, for noise and one term that the theorem does not list."""
    coefficients: tuple[float, ...]
    """Those of the theorem's terms alone."""
    local_orders: tuple[LocalOrder, ...]
    margin: float = MARGIN
    """Half-width of the band around the promised exponent that counts as equal to it."""
    late: tuple[float, float] | None = None
    """The interval without the first third of the grid, None where too few points are left."""
    bound_order: float | None = None
    """The exponent of the bound's own values on the same grid, fitted in the same way, if they were given."""
    bound_settled: bool = True
    """Whether the last local orders of the bound's values are the promised ones."""
    share: float | None = None
    """Largest share of the bound of the term that is to show, if it was given."""
    short: str = ""
    """Why the grid is too short to decide anything, or nothing."""

    control: tuple[float, float] | None = None
    """The interval of a method whose own promise is slower, on the same grid, if one ran beside."""

    @property
    def promise(self) -> RateWord:
        """Compare the interval with the printed exponent and its margin (`promise.judge_decay`).

        "slower" says that the decay on this grid is slower than printed, with the first third of the grid and
        without it; an upper bound allows that as long as the measurement lies below it.  "transient": the measurement
        is as fast as printed or faster, and so is a control whose rate is slower.
        """
        if self.short:
            return "undecided"
        said = judge_decay(self.low, self.high, self.promised, self.margin)
        if said in {"as promised", "faster than printed"} and self.control is not None:
            return "transient" if self.control[0] >= self.promised - self.margin else said
        lasts = self.late is not None and judge_decay(*self.late, self.promised, self.margin) == "slower"
        return "undecided" if said == "slower" and not lasts else said

    @property
    def note(self) -> str:
        """Return what must be known to read the promise, or nothing."""
        notes = [self.short] if self.short else []
        if self.bound_order is not None and abs(self.bound_order - self.promised) > self.margin:
            notes.append(f"the bound's own order on this grid is {self.bound_order:.2f}")
        slower = judge_decay(self.low, self.high, self.promised, self.margin) == "slower"
        if slower and self.promise == "undecided" and not self.short:
            few = "too few points to tell" if self.late is None else "but not"
            notes.append(f"slower than promised, {few} without the first third of the grid")
        if self.share is not None and self.share < NEGLIGIBLE and self.promise == "as promised":
            notes.append(f"the noise term is at most {100 * self.share:.2g} % of the bound: the steps make this order")
        if self.promise == "transient" and self.control is not None:
            low, high = self.control
            notes.append(f"a method of a slower rate has {low:.2f} to {high:.2f} on this grid")
        return "; ".join(notes)

    @property
    def contains(self) -> bool:
        """Whether the interval contains the promised exponent."""
        return self.low <= self.promised <= self.high

    @property
    def asymptotic(self) -> bool:
        """Whether the last `SETTLED` local orders agree within their intervals and the margin, and the bound's do."""
        last = self.local_orders[-SETTLED:]
        agree = len(last) == SETTLED and max(o.low for o in last) <= min(o.high for o in last) + self.margin
        return agree and self.bound_settled


def fit_exponent(
    letter: str,
    x: Sequence[float],
    samples: Sequence[Array],
    exponents: Sequence[float],
    *,
    seed: int = 0,
    margin: float = MARGIN,
    bound_values: Sequence[float] | None = None,
    share: float | None = None,
    control: tuple[float, float] | None = None,
) -> Fit:
    """Fit the leading exponent of the mean of `samples` over the grid `x`.

    A grid of fewer points than the theorem's terms and two more decides nothing.

    Parameters
    ----------
    letter : str
        Name of the grid's letter.
    x : sequence
        Grid, at least two increasing values > 0.
    samples : sequence of (replicates,) arrays
        Positive values measured at each grid point, independent between points.
    exponents : sequence
        Decay exponents of the theorem's terms; the smallest is the leading one.
    margin : float
        Half-width of the band around the promised exponent that counts as equal to it.
    bound_values : sequence, optional
        Right-hand sides at the grid points, whose own order stands beside the printed one.
    share : float, optional
        Largest share of the right-hand side, over the grid, of the noise term; where it is negligible the note says
        that the order is made by the prescribed steps alone.
    control : (float, float), optional
        Interval of the exponent of a method that promises less, on the same grid: where it is as fast, nothing is told.

    Raises
    ------
    InputError
        If the grid does not increase from above 0, there is not one sample a point, one holds a value that is not
        positive and finite, no exponent is given, or there is not one positive finite bound value a point.
    """
    grid, samples = measured_grid(letter, x, samples)
    for value, y in zip(grid, samples, strict=True):
        legal = bool((np.isfinite(y) & (y > 0)).all())
        require(legal, f"samples at {letter} = {value:g}", y.tolist(), "finite numbers > 0")
    require(len(exponents) >= 1, "exponents", list(exponents), "one or more numbers")
    distinct = sorted({round(float(p), 12) for p in exponents})
    # A fit wants fewer unknowns than points; that terms are missing is said, and nothing is decided.
    promised, fixed = distinct[0], tuple(distinct[1 : max(1, len(grid) - 2)])
    means, draws = resampled_means(samples, np.random.default_rng(seed))
    errors = relative_errors(samples)
    exponent, whole, coefficients = _fit_terms(grid, means, errors, promised, fixed)
    skip = len(grid) // 3
    late = exponent_interval(grid[skip:], means[skip:], errors[skip:], fixed)
    order, settled = _bound_order(grid, bound_values, promised, fixed, margin)
    return Fit(
        letter,
        promised,
        fixed,
        exponent,
        whole.low,
        whole.high,
        coefficients,
        _local_orders(grid, means, draws),
        margin,
        (late.low, late.high) if len(grid) - skip >= len(distinct) + 2 else None,
        order,
        settled,
        share,
        _shortness(len(grid), len(distinct)),
        control,
    )


def _fit_terms(
    grid: Array, means: Array, errors: Array, promised: float, fixed: tuple[float, ...]
) -> tuple[float, ExponentInterval, tuple[float, ...]]:
    """Return exponent, interval and coefficients; the terms alone give the exponent unless the interval excludes it."""
    best, _ = power_fit(grid, means, 1 / errors, promised, fixed)
    allowed = exponent_interval(grid, means, errors, fixed)
    exponent = float(best[0]) if allowed.low <= best[0] <= allowed.high else allowed.best
    return exponent, allowed, tuple(float(a) for a in np.exp(best[1:]))


def _shortness(points: int, terms: int) -> str:
    wanted = terms + 2
    named = f"{terms} term{'s' if terms > 1 else ''}"
    return "" if points >= wanted else f"{points} points for {named}: at least {wanted} are needed"


def _bound_order(
    grid: Array,
    values: Sequence[float] | None,
    promised: float,
    fixed: tuple[float, ...],
    margin: float,
) -> tuple[float | None, bool]:
    """Return the exponent of the bound's own values, and whether its last local orders are the promised ones."""
    if values is None:
        return None, True
    right = np.asarray(values, dtype=float)
    legal = right.shape == grid.shape and bool((np.isfinite(right) & (right > 0)).all())
    require(legal, "bound_values", list(values), f"{len(grid)} finite numbers > 0")
    local = -np.diff(np.log(right)) / np.diff(np.log(grid))
    settled = bool((np.abs(local[-SETTLED:] - promised) <= margin).all())
    return _fit_terms(grid, right, np.full(len(grid), SHARPEST), promised, fixed)[0], settled


def resampled_means(samples: Sequence[Array], rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the means of positive samples (points,), and those of resampled seeds (draws, points).

    The resampled logarithms are stretched for few replicates.
    """
    means = np.array([y.mean() for y in samples])
    draws = bootstrap_means(samples, RESAMPLES, rng)
    return means, means * (draws / means) ** stretch(min(len(y) for y in samples))


def power_fit(x: Array, means: Array, weights: Array, promised: float, fixed: tuple[float, ...]) -> tuple[Array, Array]:
    """Fit means = a_0 x^(-p) + sum_j a_j x^(-fixed_j) by weighted least squares on logarithms.

    Parameters
    ----------
    x, means, weights : (points,) arrays
        The free power leads at the last point.
    promised : float
        Where the search for p starts.
    fixed : tuple
        The other powers.

    Returns
    -------
    Array
        (p, log a_0, log a_1, ...).
    Array
        d p / d log(means), which carries resampled means to resampled exponents without a new fit each.
    """
    from scipy.optimize import least_squares

    logs, logx = np.log(means), np.log(x)

    def residual(v: Array) -> Array:
        parts = v[1:, None] - np.outer([v[0], *fixed], logx)
        gaps: Array = (np.logaddexp.reduce(parts, axis=0) - logs) * weights
        return gaps

    level = logs[-1] + promised * logx[-1]
    start = np.array([promised, level, *([logs[0] - 3.0] * len(fixed))])
    limits = ([-1.0, *([-60.0] * (1 + len(fixed)))], [6.0, *([200.0] * (1 + len(fixed)))])
    found = least_squares(residual, np.clip(start, *limits), bounds=limits)
    return np.asarray(found.x), np.linalg.pinv(np.asarray(found.jac))[0] * weights


def _local_orders(x: Array, means: Array, draws: Array) -> tuple[LocalOrder, ...]:
    steps = np.diff(np.log(x))
    orders = -np.diff(np.log(means)) / steps
    spread = np.quantile(-np.diff(np.log(draws), axis=1) / steps, [0.025, 0.975], axis=0)
    return tuple(
        LocalOrder(float(a), float(b), float(p), float(low), float(high))
        for a, b, p, low, high in zip(x[:-1], x[1:], orders, *spread, strict=True)
    )
