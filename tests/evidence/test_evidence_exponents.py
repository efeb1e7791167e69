"""Fitted exponents on synthetic truth, and the growth of a ratio."""

import itertools

import numpy as np
import pytest
from turns import first_of_each

from boundcheck.errors import InputError
from boundcheck.evidence import Fit, fit_exponent
from boundcheck.evidence.checks.exponents import LocalOrder
from boundcheck.evidence.statistics.promise import judge_decay

GRID = [16.0, 64.0, 256.0, 1024.0, 4096.0]


def synthetic(seed, nuisance, replicates=20, spread=0.15, p=0.5):
    """Return samples of x^-p + nuisance/x with relative noise."""
    rng = np.random.default_rng(seed)
    return [(x**-p + nuisance / x) * (1 + spread * rng.standard_normal(replicates)) for x in GRID]


REPETITIONS = [20, pytest.param(60, marks=pytest.mark.slow)]


@pytest.mark.parametrize("repetitions", REPETITIONS)
@pytest.mark.parametrize("nuisance", [0.0, 5.0])
def test_coverage_on_synthetic_truth(nuisance, repetitions):
    """Of 60 repetitions the 95 % interval contains the true 1/2 in about 57 (0.94 to 0.98 measured on 20 seeds)."""
    exponents = [0.5, 1.0] if nuisance else [0.5]
    hits = sum(fit_exponent("T", GRID, synthetic(s, nuisance), exponents).contains for s in range(repetitions))
    assert hits >= 0.85 * repetitions


@pytest.mark.parametrize("repetitions", REPETITIONS)
def test_coverage_with_four_seeds(repetitions):
    """Four seeds know their own spread poorly: 0.93 are covered on 500 seeds, 0.74 by a bootstrap that ignores it."""
    fits = [fit_exponent("T", GRID, synthetic(s, 0.0, replicates=4), [0.5]) for s in range(repetitions)]
    assert sum(fit.contains for fit in fits) >= 52 / 60 * repetitions


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


def made(promised, low, high, orders=(), **more):
    settings = {"late": (low, high)} | more
    return Fit("T", promised, (), (low + high) / 2, low, high, (1.0,), orders, **settings)


@pytest.mark.parametrize(
    ("low", "high", "promise"),
    [
        (0.47, 0.53, "as promised"),
        (0.6, 0.7, "faster than printed"),
        (0.2, 0.3, "slower"),
        (0.3, 0.6, "undecided"),
        (0.52, 0.58, "undecided"),
        (0.42, 0.48, "undecided"),
    ],
)
def test_promise_states(low, high, promise):
    """The interval against 1/2 with margin 0.05 on either side; "faster" was said of 0.52 .. 0.58, without a margin."""
    assert made(0.5, low, high).promise == promise
    assert judge_decay(low, high, 0.5) == promise


def test_noisy_points_count_less():
    """With one free power the fit is the line through the logarithms, weighted by means over standard errors."""
    rng = np.random.default_rng(6)
    samples = [x**-0.5 * rng.lognormal(0.0, s, 8) for x, s in zip(GRID, (0.01, 0.8, 0.02, 0.6, 0.01), strict=True)]
    means = np.array([y.mean() for y in samples])
    weights = means / [y.std(ddof=1) / np.sqrt(8) for y in samples]
    slope = np.polyfit(np.log(GRID), np.log(means), 1, w=weights)[0]
    assert fit_exponent("T", GRID, samples, [0.5]).exponent == pytest.approx(-slope, abs=1e-6)
    assert abs(slope - np.polyfit(np.log(GRID), np.log(means), 1)[0]) > 0.01


def test_settled_asks_for_three_local_orders_that_agree():
    """Orders 0.506, 0.010, 0.018, flat where beta is capped, were "settled": only the last two were compared."""

    def orders(*values):
        return tuple(LocalOrder(1, 2, m, m - 0.01, m + 0.01) for m in values)

    assert not made(0.5, 0.0, 0.6, orders(0.506, 0.010, 0.018)).asymptotic
    assert not made(0.5, 0.4, 0.6, orders(0.5, 0.51)).asymptotic
    assert made(0.5, 0.4, 0.6, orders(0.9, 0.50, 0.51, 0.55)).asymptotic
    assert not made(0.5, 0.4, 0.6, orders(0.50, 0.51, 0.60)).asymptotic
    assert not made(0.5, 0.4, 0.6, orders(0.50, 0.51, 0.55), bound_settled=False).asymptotic


def power_sum(*terms, x=GRID):
    """Return sum of c x^-p over (c, p), each c the share of the leading term at the point where it is largest."""
    (a, p), *others = terms
    x = np.asarray(x)
    return a * sum([x**-p] + [c * at**-p * (x / at) ** -q for c, q in others for at in [x[0] if q > p else x[-1]]])


def measured(mean, cv, seed, replicates=20):
    rng = np.random.default_rng(seed)
    return [m * (1 + cv * rng.standard_normal(replicates)) for m in mean]


NUISANCES = [(0.3, 0.0), (-0.2, 0.0), (0.3, 0.25), (-0.2, 0.25), (1.0, 0.75), (-0.4, 0.75)]
NUISANCES += [(1.0, 1.0), (-0.4, 1.0), (1.0, 1.5), (-0.4, 1.5), (0.4, 0.65), (-0.5, 1.25), (1.0, 2.0)]
"""Share and power of a term that the theorem does not list: a floor, slower and faster ones; powers on no list."""


def honest(fit):
    """Return whether the interval contains the truth, or nothing is said."""
    return fit.contains or fit.promise == "undecided"


def kind(nuisance):
    """Return whether a term that is not listed is a floor, slower or faster, and its sign."""
    share, q = nuisance
    return share > 0, (q > 0) + (q > 0.5)


@pytest.mark.parametrize(("share", "q"), first_of_each(kind, NUISANCES))
def test_an_unlisted_term_is_no_evidence_on_the_rate(share, q):
    """With a term that nobody lists 1/2 is covered, or undecided: intervals over seeds alone covered 0 to 20 %."""
    mean = power_sum((3.0, 0.5), (share, q))
    fits = [fit_exponent("T", GRID, measured(mean, cv, seed), [0.5]) for cv in (0.05, 0.01) for seed in range(4)]
    assert sum(honest(fit) for fit in fits) >= 7


@pytest.mark.slow
@pytest.mark.parametrize("cv", [0.05, 0.02])
@pytest.mark.parametrize(("share", "q"), NUISANCES)
def test_coverage_with_an_unlisted_term(share, q, cv):
    """Of 500 data sets on five points at least 93 % cover the true 1/2, or leave it undecided."""
    mean = power_sum((3.0, 0.5), (share, q))
    assert sum(honest(fit_exponent("T", GRID, measured(mean, cv, 100 + s), [0.5])) for s in range(500)) >= 465


@pytest.mark.slow
@pytest.mark.parametrize(("exponents", "cv"), [([0.5], 0.02), ([0.5, 1.0], 0.005)])
def test_clean_grids_are_decided(exponents, cv):
    """Of 100 clean five-point grids at least 80 are "as promised" and none is anything else that is wrong."""
    mean = power_sum((3.0, 0.5), *[(0.5, p) for p in exponents[1:]])
    said = [fit_exponent("T", GRID, measured(mean, cv, s), exponents).promise for s in range(100)]
    assert said.count("as promised") >= 80
    assert set(said) <= {"as promised", "undecided"}


def test_short_grids_decide_nothing():
    """Terms and two more points are needed: three points dropped every nuisance term and covered 0 of 100."""
    mean = power_sum((1.0, 0.5), (3.0, 1.0), x=GRID[:3])
    fit = fit_exponent("T", GRID[:3], measured(mean, 0.01, 0), [0.5, 1.0])
    assert fit.promise == "undecided"
    assert fit.note == "3 points for 2 terms: at least 4 are needed"
    assert fit_exponent("T", GRID[:3], [np.full(2, x**-0.5) for x in GRID[:3]], [0.5]).promise == "as promised"
    assert fit_exponent("T", GRID[:2], [np.full(2, x**-0.5) for x in GRID[:2]], [0.5]).promise == "undecided"


def test_not_reached_must_survive_without_the_first_third():
    """A flat start and then the promised decay is no slow rate; neither is one that too few points are left to show."""
    assert made(0.5, 0.2, 0.3, late=(0.2, 0.35)).promise == "slower"
    late = made(0.5, 0.2, 0.3, late=(0.4, 0.6))
    assert (late.promise, late.note) == (
        "undecided",
        "slower than promised, but not without the first third of the grid",
    )
    few = made(0.5, 0.2, 0.3, late=None)
    assert (few.promise, few.note) == (
        "undecided",
        "slower than promised, too few points to tell without the first third of the grid",
    )
    grid = 4.0 ** np.arange(2, 8)
    start = np.minimum(power_sum((1.0, 0.5), x=grid), grid[1] ** -0.5)
    assert fit_exponent("T", grid, measured(start, 0.01, 1), [0.5]).promise != "slower"
    slow = [np.full(2, x**-0.3) for x in grid]
    assert fit_exponent("T", grid, slow, [0.5]).promise == "slower"


def test_exponents_are_judged_against_what_is_printed():
    """Where beta is capped the bound is flat from T = 64 on; a flat measurement is slower than 1/2, beside its slope.

    It was "as promised" for falling like the bound, and one that falls like T^(-0.3) there was "faster".
    """
    flat = np.maximum(np.array(GRID) ** -0.5, 0.1)[1:]
    beside = fit_exponent("T", GRID[1:], measured(0.1 * flat, 0.001, 0), [0.5], bound_values=flat)
    assert beside.bound_order < 0.2
    assert beside.promise != "as promised"
    assert f"the bound's own order on this grid is {beside.bound_order:.2f}" in beside.note
    level = [np.full(2, 0.3)] * 5
    assert fit_exponent("T", GRID, level, [0.5]).promise == "slower"
    with_bound = fit_exponent("T", GRID, level, [0.5], bound_values=[0.7] * 5)
    assert (with_bound.promise, with_bound.asymptotic) == ("slower", False)
    assert with_bound.bound_order == pytest.approx(0.0, abs=1e-6)
    rising = fit_exponent("N", GRID, [np.full(2, x**-0.02) for x in GRID], [0.5], bound_values=np.array(GRID) ** 0.7)
    assert rising.promise == "slower"
    assert rising.bound_order == pytest.approx(-0.7, abs=1e-3)


@pytest.mark.parametrize(
    ("control", "word"), [(None, "as promised"), ((0.45, 0.55), "as promised"), ((0.62, 0.7), "transient")]
)
def test_a_control_that_falls_as_fast_takes_the_rate(control, word):
    """T^(-2/3) beside a method of T^(-1/2): as promised while that falls like T^(-1/2), transient if as fast."""
    fit = made(2 / 3, 0.65, 0.69, control=control)
    assert fit.promise == word
    assert ("0.62 to 0.70" in fit.note) == (word == "transient")
    assert made(2 / 3, 0.3, 0.4, control=control).promise == "slower"


def test_a_speed_up_that_the_bound_loses_stands_beside_that_of_the_bound():
    """N = 2..16 where beta is capped: local orders 0.506, 0.010, 0.018 were "slower"; the bound has .5, .18, .15.

    Means and right-hand sides of momentum-fl's Theorem 11 on ridge-ratio (d = 8, sigma = 4) at K = 16, T = 512.
    """
    right = [6.29886, 4.45372, 3.91827, 3.53966]
    samples = measured([0.548912, 0.389347, 0.381944, 0.379037], 0.001, 0, replicates=16)
    fit = fit_exponent("N", [2, 4, 8, 16], samples, [0.5], bound_values=right)
    assert fit.bound_order == pytest.approx(0.0, abs=0.15)
    assert (fit.promise, fit.asymptotic) == ("slower", False)
    assert "the bound's own order on this grid is" in fit.note


def test_a_bound_that_falls_as_promised_changes_nothing():
    """The bound's own exponent, fitted with its own terms, is the promised one: 2 x^(-1/2) + 30/x."""
    right = 2 * np.array(GRID) ** -0.5 + 30 / np.array(GRID)
    fit = fit_exponent("T", GRID, measured(0.1 * right, 0.01, 0), [0.5, 1.0], bound_values=right)
    assert fit.bound_order == pytest.approx(0.5, abs=0.01)
    assert fit.note == ""
    assert not fit.bound_settled
    for bad in ([1.0] * 4, [1.0, 1.0, 0.0, 1.0, 1.0], [1.0, np.nan, 1.0, 1.0, 1.0]):
        with pytest.raises(InputError, match=r"bound_values = .* is not legal: 5 finite numbers > 0"):
            fit_exponent("T", GRID, measured(right, 0.01, 0), [0.5], bound_values=bad)


def test_an_order_that_the_steps_make_alone_is_said():
    """N^(-1/2) with noise of 0.2 % of the bound was "as promised" without a word."""
    samples = [np.full(2, 3 * x**-0.5) for x in GRID]
    fit = fit_exponent("N", GRID, samples, [0.5], share=0.002)
    assert (fit.promise, fit.share) == ("as promised", 0.002)
    assert fit.note == "the noise term is at most 0.2 % of the bound: the steps make this order"
    assert fit_exponent("N", GRID, samples, [0.5], share=0.6).note == ""


def test_grid_must_increase():
    """A grid that does not increase is refused by the letter's name."""
    with pytest.raises(InputError, match=r"T = .* is not legal: at least two increasing values"):
        fit_exponent("T", [2.0, 1.0], [np.ones(3)] * 2, [0.5])
