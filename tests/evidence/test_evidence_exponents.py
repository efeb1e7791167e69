"""Fitted exponents on synthetic truth, and the growth of a ratio."""

import itertools

import numpy as np
import pytest

from boundcheck.errors import InputError
from boundcheck.evidence import Fit, fit_exponent
from boundcheck.evidence.exponents import LocalOrder

GRID = [16.0, 64.0, 256.0, 1024.0, 4096.0]


def synthetic(seed, nuisance, replicates=20, spread=0.15, p=0.5):
    """Return samples of x^-p + nuisance/x with relative noise."""
    rng = np.random.default_rng(seed)
    return [(x**-p + nuisance / x) * (1 + spread * rng.standard_normal(replicates)) for x in GRID]


@pytest.mark.parametrize("nuisance", [0.0, 5.0])
def test_coverage_on_synthetic_truth(nuisance):
    """In 60 repetitions the 95 % interval contains the true 1/2 about 57 times (0.94 to 0.98 measured on 20 seeds)."""
    exponents = [0.5, 1.0] if nuisance else [0.5]
    hits = sum(fit_exponent("T", GRID, synthetic(s, nuisance), exponents).contains for s in range(60))
    assert hits >= 51


def test_coverage_with_four_seeds():
    """Four seeds know their own spread poorly: 0.93 are covered on 500 seeds, 0.74 by a bootstrap that ignores it."""
    hits = sum(fit_exponent("T", GRID, synthetic(s, 0.0, replicates=4), [0.5]).contains for s in range(60))
    assert hits >= 52


def test_nuisance_term_does_not_bias_the_exponent():
    """With 5/x added a bare line is off by more than 0.1, the fit with the theorem's terms is not."""
    samples = synthetic(0, 5.0, replicates=200)
    bare = -np.polyfit(np.log(GRID), np.log([y.mean() for y in samples]), 1)[0]
    fit = fit_exponent("T", GRID, samples, [1.0, 0.5])
    assert bare > 0.6
    assert fit.exponent == pytest.approx(0.5, abs=0.04)
    assert (fit.promised, fit.fixed) == (0.5, (1.0,))
    assert fit.coefficients == pytest.approx([1.0, 5.0], rel=0.3)


def test_pure_power_law_is_recovered_exactly():
    """Without noise exponent, coefficient and every local order are those of 3 x^(-0.7)."""
    fit = fit_exponent("T", GRID, [np.full(2, 3 * x**-0.7) for x in GRID], [0.7])
    assert fit.exponent == pytest.approx(0.7, abs=1e-6)
    assert fit.coefficients == pytest.approx([3.0], rel=1e-5)
    assert [o.order for o in fit.local_orders] == pytest.approx([0.7] * 4, abs=1e-9)
    assert [(o.start, o.stop) for o in fit.local_orders] == list(itertools.pairwise(GRID))
    assert fit.promise == "as promised"
    assert fit.asymptotic


def made(promised, low, high, orders=()):
    return Fit("T", promised, (), (low + high) / 2, low, high, (1.0,), orders)


@pytest.mark.parametrize(
    ("low", "high", "promise"),
    [(0.47, 0.53, "as promised"), (0.6, 0.7, "faster"), (0.2, 0.3, "not reached"), (0.3, 0.6, "undecided")],
)
def test_promise_states(low, high, promise):
    """The interval against 1/2 with margin 0.05, case by case."""
    assert made(0.5, low, high).promise == promise


def test_noisy_points_count_less():
    """With one free power the fit is the line through the logarithms, weighted by means over standard errors."""
    rng = np.random.default_rng(6)
    samples = [x**-0.5 * rng.lognormal(0.0, s, 8) for x, s in zip(GRID, (0.01, 0.8, 0.02, 0.6, 0.01), strict=True)]
    means = np.array([y.mean() for y in samples])
    weights = means / [y.std(ddof=1) / np.sqrt(8) for y in samples]
    slope = np.polyfit(np.log(GRID), np.log(means), 1, w=weights)[0]
    assert fit_exponent("T", GRID, samples, [0.5]).exponent == pytest.approx(-slope, abs=1e-6)
    assert abs(slope - np.polyfit(np.log(GRID), np.log(means), 1)[0]) > 0.01


def test_asymptotic_flag_compares_the_last_two_local_orders():
    """Disjoint intervals of the last two local orders mean that the grid is not asymptotic yet."""
    a, b, c = (LocalOrder(1, 2, m, m - 0.1, m + 0.1) for m in (0.9, 0.5, 0.55))
    assert made(0.5, 0.4, 0.6, (a, b, c)).asymptotic
    assert not made(0.5, 0.4, 0.6, (b, a)).asymptotic
    assert not made(0.5, 0.4, 0.6, (a,)).asymptotic


def test_grid_must_increase():
    """A grid that does not increase is refused by the letter's name."""
    with pytest.raises(InputError, match=r"T = .* is not legal: at least two increasing values"):
        fit_exponent("T", [2.0, 1.0], [np.ones(3)] * 2, [0.5])
