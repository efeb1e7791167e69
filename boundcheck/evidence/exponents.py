"""Exponents from measurements: a fit with the theorem's own terms, an interval over seeds, and local orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from boundcheck.errors import require
from boundcheck.evidence.resampling import bootstrap_means, measured_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.problems.base import Array

Promise = Literal["as promised", "faster", "not reached", "undecided"]

RESAMPLES = 400
MARGIN = 0.05
"""Half-width of the band around the promised exponent that counts as equal to it, unless another is given."""
ROUNDING = 1e-9
"""Slack of an interval without noise, which has no width."""


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
    low: float
    high: float
    """95 % bootstrap interval over seeds."""
    coefficients: tuple[float, ...]
    local_orders: tuple[LocalOrder, ...]
    margin: float = MARGIN
    """Half-width of the band around the promised exponent that counts as equal to it."""

    @property
    def promise(self) -> Promise:
        """Compare the interval with the promised exponent and its margin.

        "as promised" is an equivalence test at 5 %: the interval lies within the band.

        "not reached" says that the decay on this grid is slower than promised; an upper bound allows that as long as
        the measurement lies below it.
        """
        if self.promised - self.margin <= self.low and self.high <= self.promised + self.margin:
            return "as promised"
        if self.low > self.promised:
            return "faster"
        return "not reached" if self.high < self.promised - self.margin else "undecided"

    @property
    def contains(self) -> bool:
        """Whether the interval contains the promised exponent."""
        return self.low - ROUNDING <= self.promised <= self.high + ROUNDING

    @property
    def asymptotic(self) -> bool:
        """Whether the last two local orders agree within their intervals."""
        if len(self.local_orders) < 2:
            return False
        a, b = self.local_orders[-2:]
        return a.low <= b.high + ROUNDING and b.low <= a.high + ROUNDING


def fit_exponent(
    letter: str,
    x: Sequence[float],
    samples: Sequence[Array],
    exponents: Sequence[float],
    *,
    seed: int = 0,
    margin: float = MARGIN,
) -> Fit:
    """Fit the leading exponent of the mean of `samples` over the grid `x`.

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

    Raises
    ------
    InputError
        If the grid does not increase from above 0, there is not one sample a point, one holds a value that is not
        positive and finite, or no exponent is given.
    """
    grid, samples = measured_grid(letter, x, samples)
    for value, y in zip(grid, samples, strict=True):
        legal = bool((np.isfinite(y) & (y > 0)).all())
        require(legal, f"samples at {letter} = {value:g}", y.tolist(), "finite numbers > 0")
    require(len(exponents) >= 1, "exponents", list(exponents), "one or more numbers")
    distinct = sorted({round(float(p), 12) for p in exponents})
    # On a short grid the fastest terms are left out: a fit wants fewer unknowns than points.
    promised, fixed = distinct[0], tuple(distinct[1 : max(1, len(grid) - 2)])
    rng = np.random.default_rng(seed)
    means, draws = resampled_means(samples, rng)
    # A single replicate tells no error; the fit is on logarithms, whose error is the relative one.
    errors = np.array([max(y.std(ddof=1) / np.sqrt(len(y)), 1e-9 * y.mean()) if len(y) > 1 else y[0] for y in samples])
    weights = means / errors
    best, slopes = power_fit(grid, means, weights, promised, fixed)
    low, high = np.quantile(best[0] + np.log(draws / means) @ slopes, [0.025, 0.975])
    return Fit(
        letter,
        promised,
        fixed,
        float(best[0]),
        float(low),
        float(high),
        tuple(float(a) for a in np.exp(best[1:])),
        _local_orders(grid, means, draws),
        margin,
    )


def resampled_means(samples: Sequence[Array], rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the means of positive samples (points,), and those of resampled seeds (draws, points).

    The resampled logarithms are stretched for few replicates.
    """
    means = np.array([y.mean() for y in samples])
    draws = bootstrap_means(samples, RESAMPLES, rng)
    return means, means * (draws / means) ** _small_sample(min(len(y) for y in samples))


def _small_sample(n: int) -> float:
    """Return the factor by which resampled logarithms are stretched: n replicates know their own spread poorly."""
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(n - 1, 0.975) / ndtri(0.975) * np.sqrt(n / (n - 1))) if n > 1 else 1.0


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
