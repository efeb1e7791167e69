"""The betting test: exact supermartingale, false-alarm rate, power (rates from measured tables of 2000 repetitions)."""

import itertools
import runpy
from pathlib import Path

import numpy as np
import pytest
from evidence_laws import LAWS, WILD, spread

from boundcheck.errors import InputError
from boundcheck.evidence.statistics.betting import (
    BETS,
    WEIGHTS,
    evidence_above,
    evidence_below,
    lower_limit,
    replicates_above,
    upper_limit_below,
    wealth_above,
)

ALPHA = 0.05
ROOT = Path(__file__).parents[2]


def final_wealth(y, bound):
    return np.dot(WEIGHTS, [np.prod(1 - lam + lam * np.asarray(y) / bound) for lam in BETS])


def test_wealth_is_the_running_maximum_of_the_mixture():
    """The evidence equals the definition: the largest average over bets of the running product, at least 1."""
    y = np.random.default_rng(0).gamma(2.0, 1.0, 30)
    paths = [final_wealth(y[:n], 1.3) for n in range(1, 31)]
    assert evidence_above(y, 1.3) == pytest.approx(max(1.0, *paths), rel=1e-12)


def test_mixture_is_a_martingale_at_the_boundary():
    """For a two-point law with E[Y] = B the expected wealth is 1, by enumeration of all 2^8 outcomes."""
    low, high, bound = 0.0, 5.0, 1.0
    p = (bound - low) / (high - low)
    expected = 0.0
    for outcome in itertools.product((low, high), repeat=8):
        weight = np.prod([p if y == high else 1 - p for y in outcome])
        expected += weight * final_wealth(outcome, bound)
    assert expected == pytest.approx(1.0, rel=1e-12)


def test_the_final_wealth_is_an_e_value_and_the_largest_is_none():
    """Summed over all 2^10 outcomes of a two-point law at the boundary: 1 for the final, above 1 for the largest."""
    final = largest = 0.0
    for outcome in itertools.product((0.0, 5.0), repeat=10):
        y = np.array(outcome)
        weight = 0.2 ** (y > 0).sum() * 0.8 ** (y == 0).sum()
        final += weight * wealth_above(y, 1.0)
        largest += weight * evidence_above(y, 1.0)
    assert final == pytest.approx(1.0, rel=1e-12)
    assert largest > 1.3


@pytest.mark.parametrize("side", ["above", "below"])
def test_exact_false_alarm_rate_of_a_two_point_law(side):
    """The running maximum exceeds 1/alpha with probability at most alpha, summed over all outcomes."""
    p, rate = 0.2, 0.0
    for outcome in itertools.product((0.0, 5.0), repeat=12):
        y = np.array(outcome)
        e = evidence_above(y, 1.0) if side == "above" else evidence_below(5.0 - y, 4.0, 5.0)
        if e >= 1 / ALPHA:
            rate += p ** (y > 0).sum() * (1 - p) ** (y == 0).sum()
    assert 0 < rate <= ALPHA


def alarms(law, mean, n, repetitions, seed):
    y = mean * WILD[law](np.random.default_rng(seed), (repetitions, n))
    return np.mean([evidence_above(row, 1.0) >= 1 / ALPHA for row in y])


@pytest.mark.parametrize("law", WILD)
def test_false_alarms_stay_below_alpha(law):
    """At E[Y] = B with 50 replicates the alarm rate is at most alpha (0.05 + 2.3 standard errors of 300 runs)."""
    assert alarms(law, 1.0, 50, 300, seed=1) <= 0.08


@pytest.mark.slow
@pytest.mark.parametrize("law", WILD)
def test_false_alarms_of_wild_laws(law):
    """With 200 replicates, looked at after each, 2000 repetitions alarm in at most alpha = 100 of the cases."""
    assert alarms(law, 1.0, 200, 2000, seed=2) <= ALPHA


POWER = [("gamma 1/2", 2.0, 0.77), ("gamma 2", 1.5, 0.92), ("log-normal", 2.0, 0.49), ("gamma 1/2", 1.5, 0.32)]


@pytest.mark.parametrize(("law", "mean", "power"), POWER)
def test_power(law, mean, power):
    """With 50 replicates violations by 1.5 and 2 are found as often as in 6000 other runs (400 runs: +-0.075)."""
    assert alarms(law, mean, 50, 400, seed=3) == pytest.approx(power, abs=0.075)


@pytest.mark.parametrize(("truth", "most"), [(1.02, 182), (1.05, 74), (1.1, 38), (1.5, 9), (2.0, 6)])
def test_values_that_hardly_vary_are_found_out_at_once(truth, most):
    """A truth (1 + e) B shows after 1.2 ln(20)/ln(1 + e) replicates; bets up to 0.98 took 230 at 2 % and 93 at 5 %."""
    assert most == np.ceil(1.2 * np.log(1 / ALPHA) / np.log(truth))
    counts = [
        replicates_above(truth * spread(np.random.default_rng(s), most + 20, 1e-3), 1.0, ALPHA) for s in range(40)
    ]
    assert np.median(counts) <= most
    assert evidence_above(np.full(most, truth), 1.0) >= 1 / ALPHA


@pytest.mark.parametrize("truth", [1.05, 1.1, 1.5, 2.0])
def test_the_table_of_power_is_what_the_benchmark_prints(truth):
    """The page's medians over 200 seeds, at coefficients of variation of 0.001 and 0.1."""
    page = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    needed, earliest = (runpy.run_path(str(ROOT / "benchmarks" / "power.py"))[name] for name in ("needed", "earliest"))
    (row,) = (line.split("|")[1:-1] for line in page.splitlines() if line.startswith(f"| {truth:g} | "))
    medians = [np.median([needed(truth, cv, seed) for seed in range(200)]) for cv in (0.001, 0.1)]
    assert [f"{earliest(truth):.1f}", *(f"{m:.0f}" for m in medians)] == [cell.strip() for cell in row[1:4]]


def test_five_percent_above_the_bound_shows_within_a_hundred_replicates():
    """At a coefficient of variation of 0.1 the median over 200 seeds is below 100; it was 103 with even bets."""
    y = 1.05 * spread(np.random.default_rng(0), (200, 400), 0.1)
    assert np.median([replicates_above(row, 1.0, ALPHA) or 400 for row in y]) <= 90


def test_the_replicate_of_the_crossing_is_the_first():
    """Wealth at the replicate named is 1/alpha or more, at every one before it less; None where it never is."""
    y = 1.3 * spread(np.random.default_rng(7), 200, 0.3)
    first = replicates_above(y, 1.0, ALPHA)
    assert wealth_above(y[:first], 1.0) >= 1 / ALPHA
    assert evidence_above(y[: first - 1], 1.0) < 1 / ALPHA
    assert replicates_above(y[: first - 1], 1.0, ALPHA) is None


def test_a_zero_never_bankrupts():
    """A first value of 0 takes the half that stakes everything, and the rest still finds a mean of twice the bound."""
    y = np.append(0.0, np.full(20, 2.0))
    assert wealth_above(y[:1], 1.0) == pytest.approx(0.5 * (1 - BETS[:-1]).mean())
    assert evidence_above(y, 1.0) >= 1 / ALPHA


def test_a_proved_floor_makes_violations_show_sooner():
    """Values of at least 0.9 against a bound of 1 are bets on Y - 0.9 against 0.1: 2 % above becomes 20 %."""
    y = 0.9 + 0.12 * np.random.default_rng(8).random(30) / 0.5
    assert evidence_above(y, 1.0, floor=0.9) == pytest.approx(evidence_above(y - 0.9, 0.1), rel=1e-9)
    found = [replicates_above(np.full(200, 1.02), 1.0, ALPHA, floor) for floor in (0.0, 0.9)]
    assert found == [replicates_above(np.full(200, e), 1.0, ALPHA) for e in (1.02, 1.2)]
    assert found[1] <= 1.2 * np.log(1 / ALPHA) / np.log(1.2)
    assert evidence_above(np.full(3, 0.9), 0.9, floor=0.9) == 1.0
    assert evidence_above(np.array([0.9, 0.95]), 0.9, floor=0.9) == np.inf
    with pytest.raises(InputError, match=r"values of which the smallest = 0.5 is not legal: at least their floor 0.9"):
        evidence_above(np.array([1.0, 0.5]), 1.0, floor=0.9)


def test_the_wealth_with_a_floor_is_an_e_value():
    """For the law on 0.5 and 3 with mean 1 the expected wealth is 1, by enumeration of all 2^8 outcomes."""
    expected = 0.0
    for outcome in itertools.product((0.5, 3.0), repeat=8):
        y = np.array(outcome)
        expected += 0.2 ** (y > 1).sum() * 0.8 ** (y < 1).sum() * wealth_above(y, 1.0, floor=0.5)
    assert expected == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("law", WILD)
def test_the_lower_limit_is_where_the_test_stops_rejecting(law):
    """Every bound below the limit is rejected and every one above is not: the evidence falls as the bound rises."""
    y = WILD[law](np.random.default_rng(9), 120)
    limit = lower_limit(y, ALPHA)
    assert 0 < limit < y.mean()
    evidence = [evidence_above(y, b) for b in limit * np.linspace(0.2, 3.0, 60)]
    assert np.all(np.diff(evidence) <= 1e-9 * np.array(evidence[:-1]))
    assert evidence_above(y, limit * (1 - 1e-9)) >= 1 / ALPHA > evidence_above(y, limit * (1 + 1e-9))


@pytest.mark.parametrize(
    ("law", "n", "runs", "most"),
    [
        ("Pareto 1.5", 40, 100, 10),
        ("spikes", 60, 100, 10),
        pytest.param("gamma 2", 20, 300, 24, marks=pytest.mark.slow),
        pytest.param("Pareto 1.5", 40, 300, 24, marks=pytest.mark.slow),
        pytest.param("spikes", 60, 300, 24, marks=pytest.mark.slow),
        pytest.param("log-normal", 40, 300, 24, marks=pytest.mark.slow),
    ],
)
def test_limits_cover_the_mean(law, n, runs, most):
    """Of lower limits at 5 % so many (2.3 standard errors more than 5 %) at most lie above the mean of 1."""
    y = WILD[law](np.random.default_rng(10), (runs, n))
    assert sum(lower_limit(row, ALPHA) > 1 for row in y) <= most


def test_the_upper_limit_mirrors_the_lower_one():
    """The limit of Y <= C is C minus that of C - Y, and it rejects what `evidence_below` rejects."""
    y = np.random.default_rng(11).beta(2.0, 6.0, 60)
    limit = upper_limit_below(y, 1.0, ALPHA)
    assert y.mean() < limit < 0.5
    assert limit == pytest.approx(1.0 - lower_limit(1.0 - y, ALPHA), rel=1e-12)
    assert evidence_below(y, limit + 1e-9, 1.0) >= 1 / ALPHA > evidence_below(y, limit - 1e-9, 1.0)


def test_limits_of_constants_and_extremes():
    """For n equal values c half a wealth (c/b)^n is 20 near b = c 40^(-1/n); zeros say nothing, divergence all."""
    assert lower_limit(np.full(300, 3.0), ALPHA) == pytest.approx(3.0 * 40 ** (-1 / 300), rel=2e-3)
    assert lower_limit(np.full(30, 3.0), ALPHA, floor=2.9) > lower_limit(np.full(30, 3.0), ALPHA)
    assert lower_limit(np.zeros(5), ALPHA) == 0.0
    assert lower_limit(np.full(5, 2.0), ALPHA, floor=2.0) == 2.0
    assert lower_limit(np.array([1.0, np.inf]), ALPHA) == np.inf
    assert upper_limit_below(np.full(5, 2.0), 2.0, ALPHA) == 2.0


def test_limits_name_what_is_not_legal():
    """An error rate outside (0, 1), no number, and a value above its ceiling are refused by name."""
    with pytest.raises(InputError, match=r"alpha = 1.0 is not legal: a number in \(0, 1\)"):
        lower_limit(np.ones(3), 1.0)
    with pytest.raises(InputError, match=r"values = \[1.0, nan\] is not legal: numbers"):
        evidence_above(np.array([1.0, np.nan]), 1.0)
    with pytest.raises(InputError, match=r"values of which the largest = 2.0 is not legal: at most 1"):
        upper_limit_below(np.array([0.5, 2.0]), 1.0, ALPHA)
    with pytest.raises(InputError, match=r"ceiling = inf is not legal: a finite number"):
        upper_limit_below(np.ones(2), np.inf, ALPHA)


@pytest.mark.parametrize("law", LAWS)
def test_violation_by_four_is_always_found(law):
    """A mean of four times the bound is found by 100 replicates in nearly every run."""
    assert alarms(law, 4.0, 100, 100, seed=4) >= 0.97


def test_evidence_below_mirrors_evidence_above():
    """Against E[Y] >= B with Y <= C the gains are (B - Y)/(C - B): the same test of C - Y above C - B."""
    y = np.random.default_rng(5).uniform(0, 3, 40)
    assert evidence_below(y, 2.0, 3.0) == pytest.approx(evidence_above(3.0 - y, 1.0), rel=1e-9)
    assert evidence_below(np.full(20, 0.1), 2.0, 3.0) > 1e3
    assert evidence_below(np.full(20, 2.5), 2.0, 3.0) == 1.0


@pytest.mark.parametrize(
    ("y", "bound", "expected"), [([1.0, np.inf], 5.0, np.inf), ([0.0], 0.0, 1.0), ([1.0], 0.0, np.inf)]
)
def test_extremes(y, bound, expected):
    """A diverged run is infinite evidence; against a bound of 0 any positive value is."""
    assert evidence_above(np.array(y), bound) == wealth_above(np.array(y), bound) == expected


def test_evidence_never_overflows():
    """Overwhelming evidence is a large finite number."""
    assert np.isfinite(evidence_above(np.full(1000, 1e6), 1.0))
