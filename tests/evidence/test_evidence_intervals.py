"""Limits of a mean: against scipy.stats, and the documented choice between t, bootstrap and none."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from boundcheck.evidence.statistics.intervals import (
    BOOTSTRAP_FROM,
    BOOTSTRAP_TO,
    CLEAR,
    standard_error,
    t_interval,
    upper_limit,
)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("n", [2, 5, 40])
def test_t_interval_equals_scipy(n, level):
    """The two-sided t interval is that of scipy.stats."""
    y = np.random.default_rng(n).gamma(2.0, 1.0, n)
    expected = stats.t.interval(level, n - 1, loc=y.mean(), scale=stats.sem(y))
    assert t_interval(y, level) == pytest.approx(expected, rel=1e-10)


def test_one_value_has_no_width():
    """A single replicate is its own interval."""
    assert t_interval(np.array([3.0])) == (3.0, 3.0)
    assert standard_error(np.array([3.0])) == 0.0


def test_diverged_replicates_give_no_interval():
    """An infinite replicate makes mean and limits infinite, without a warning and without nan."""
    y = np.array([1.0, np.inf])
    assert t_interval(y) == (np.inf, np.inf)
    assert standard_error(y) == np.inf


def test_clear_margin_uses_the_t_limit():
    """More than CLEAR standard errors below the bound the one-sided t limit of scipy.stats is returned."""
    y = np.random.default_rng(1).gamma(2.0, 1.0, 12)
    bound = y.mean() + (CLEAR + 0.5) * stats.sem(y)
    expected = y.mean() + stats.t.ppf(0.95, 11) * stats.sem(y)
    assert upper_limit(y, bound, 0.05) == pytest.approx(expected, rel=1e-10)


def test_close_to_the_bound_few_replicates_have_no_limit():
    """Within CLEAR standard errors and below BOOTSTRAP_FROM replicates there is no safe limit."""
    y = np.random.default_rng(1).gamma(2.0, 1.0, BOOTSTRAP_FROM - 1)
    assert upper_limit(y, y.mean() + (CLEAR - 0.5) * standard_error(y), 0.05) is None


def test_close_to_the_bound_many_replicates_are_bootstrapped():
    """From BOOTSTRAP_FROM replicates the BCa limit is used: above the t limit for a skewed sample."""
    y = np.random.default_rng(2).gamma(0.5, 2.0, BOOTSTRAP_FROM)
    limit = upper_limit(y, y.mean() + standard_error(y), 0.05)
    t_limit = y.mean() + stats.t.ppf(0.95, len(y) - 1) * stats.sem(y)
    assert t_limit < limit < y.mean() + 4 * standard_error(y)


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_bootstrap_limit_is_one_sided_and_corrected_for_skewness(alpha):
    """It is mean + se (z + skewness (2 z^2 + 1)/(6 sqrt(n))), the expansion of BCa, to the error of 4000 resamples."""
    y = np.random.default_rng(4).gamma(2.0, 1.0, 400)
    z, se = stats.norm.ppf(1 - alpha), y.std() / np.sqrt(len(y))
    expected = z + stats.skew(y) / np.sqrt(len(y)) / 6 * (2 * z * z + 1)
    limit = upper_limit(y, y.mean() + se, alpha)
    assert (limit - y.mean()) / se == pytest.approx(expected, abs=0.13)


def test_six_standard_errors_make_a_margin_clear():
    """With few replicates a limit exists beyond six standard errors, as the documentation says, and not before."""
    y = np.random.default_rng(1).gamma(2.0, 1.0, 12)
    assert upper_limit(y, y.mean() + 5.9 * stats.sem(y), 0.05) is None
    assert upper_limit(y, y.mean() + 6.1 * stats.sem(y), 0.05) is not None


def test_replicates_without_spread_have_their_value_as_limit():
    """Many equal ones (a method that cannot move) need no bootstrap; a few may all have missed what is rare."""
    assert upper_limit(np.full(BOOTSTRAP_FROM, 2.0), 1.0, 0.05) == 2.0
    assert upper_limit(np.full(BOOTSTRAP_FROM - 1, 0.5), 1.0, 0.05) is None


def test_an_error_rate_that_is_lost_in_rounding_has_no_limit():
    """1 - 1e-17 is 1: the bootstrap has no number there, and a comparison with none is not made."""
    y = np.where(np.arange(64) % 2, 1.0, 5.0)
    assert upper_limit(y, 3.1, 1e-3) > 3
    assert upper_limit(y, 3.1, 1e-17) is None


def test_very_many_replicates_are_not_resampled():
    """Went wrong: 65,536 replicates asked for 32 GiB, the jackknife's table of indices."""
    y = np.random.default_rng(6).gamma(0.5, 2.0, 65_536)
    tracemalloc.start()
    limit = upper_limit(y, y.mean() + standard_error(y), 0.05)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert limit > y.mean() + stats.norm.ppf(0.95) * standard_error(y)
    assert peak < 10e6
    assert upper_limit(y, y.mean(), 1e-17) is None


def test_the_limit_of_very_many_replicates_covers():
    """Of 2000 samples of a skewed law 1 in 100 lies below its mean, and no more than twice as many by chance."""
    samples = np.random.default_rng(7).exponential(size=(2000, BOOTSTRAP_TO + 1))
    missed = sum(upper_limit(y, 1.0, 0.01) < 1.0 for y in samples)
    assert 5 <= missed <= 2 * 20
