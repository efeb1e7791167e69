"""Intervals that may be looked at after every replicate: their formula, their coverage, and what they plan."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from boundcheck.errors import InputError
from boundcheck.evidence.statistics.anytime import SPREAD, anytime_interval, half_width, plan


def wealth(t, n):
    """Return the bet's wealth by quadrature: the mean ratio of noncentral to central t densities over effect sizes."""

    def ratio(effect):
        prior = stats.norm.pdf(effect, scale=SPREAD)
        return prior * stats.nct.pdf(t, n - 1, effect * math.sqrt(n)) / stats.t.pdf(t, n - 1)

    middle = t / math.sqrt(n)
    return integrate.quad(ratio, middle - 8, middle + 8, points=[middle], limit=200)[0]


@pytest.mark.parametrize(("n", "level"), [(5, 0.9), (12, 0.95), (40, 0.99)])
def test_at_the_end_of_the_interval_the_wealth_is_one_over_alpha(n, level):
    """The closed form against the definition: densities of the t statistic, effect sizes normal."""
    t = half_width(n, 1.0, level) * math.sqrt(n)
    assert wealth(t, n) == pytest.approx(1 / (1 - level), rel=1e-3)


def test_the_interval_covers_at_all_times_at_once():
    """Of 400 series of normal values, looked at from 2 to 100 on, at most the level's share is ever missed (3 s.e.)."""
    rng, missed = np.random.default_rng(4), 0
    widths = {n: half_width(n, 1.0, 0.8) for n in range(2, 101)}
    for _ in range(400):
        y = rng.normal(size=100)
        sums, squares = np.cumsum(y), np.cumsum(y * y)
        n = np.arange(1, 101)
        deviation = np.sqrt(np.maximum(squares[1:] - sums[1:] ** 2 / n[1:], 0) / n[:-1])
        missed += bool((np.abs(sums[1:] / n[1:]) > deviation * np.array(list(widths.values()))).any())
    assert missed <= 400 * 0.2 + 3 * math.sqrt(400 * 0.2 * 0.8)
    # A t interval of the same level, looked at as often, misses far more: the price is paid for something.
    assert stats.t.ppf(0.9, 99) < half_width(100, 1.0, 0.8) * 10


def test_what_says_nothing_has_no_end():
    """One value, a diverged run, or too few for the level; equal values are their own interval."""
    assert anytime_interval(np.array([1.0]), 0.95) == (-math.inf, math.inf)
    assert anytime_interval(np.array([1.0, np.inf, 2.0]), 0.95) == (-math.inf, math.inf)
    assert half_width(3, 1.0, 0.999) == math.inf
    assert anytime_interval(np.array([2.0, 2.0, 2.0]), 0.95) == (2.0, 2.0)
    with pytest.raises(InputError, match=r"level = 1 is not legal"):
        anytime_interval(np.array([1.0, 2.0]), 1)


def test_a_plan_is_kept():
    """With as many values of the same spread as are planned the interval no longer reaches the margin."""
    y = np.array([0.3, 0.1, 0.5, -0.1, 0.2, 0.4])
    made = plan(y, 0.05, 0.95)
    assert half_width(made.needed, y.std(ddof=1), 0.95) < abs(y.mean() - 0.05)
    assert half_width(made.enough, y.std(ddof=1), 0.95) < 0.05
    assert made.sees == pytest.approx(0.05 + half_width(6, y.std(ddof=1), 0.95))
    assert plan(y - y.mean() + 0.05, 0.05, 0.95).needed is None
    assert plan(y, 0.0, 0.95).enough is None
