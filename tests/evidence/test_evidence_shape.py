"""Bounds of order only: a lower limit of the hidden constant, and growth that describes and decides nothing."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from evidence_laws import LAWS

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.evidence import judge_shape
from boundcheck.evidence.checks.series import check_series
from boundcheck.evidence.statistics.betting import evidence_above
from boundcheck.evidence.statistics.hidden import constant_at_least, lower_limit
from boundcheck.proofs import CLAIMS, prove

GRID = [10.0, 30.0, 100.0, 300.0, 1000.0]
SHAPES = [1.0, 0.5, 0.25, 0.125, 0.0625]


def along(power):
    """Return the shape of a ratio that is x^power on the grid."""
    return judge_shape("T", GRID, [np.full(4, s * x**power) for s, x in zip(SHAPES, GRID, strict=True)], SHAPES)


@pytest.mark.parametrize(
    ("power", "words"), [(0.5, "grows like T^0.50"), (0.0, "is flat"), (-0.5, "falls like T^-0.50")]
)
def test_growth_describes_and_decides_nothing(power, words):
    """Growth was once a refutation and its absence a confirmation; a rise that ends beyond the grid looks the same."""
    shape = along(power)
    assert shape.verdict == "order only"
    assert shape.growth == pytest.approx(power, abs=1e-9)
    assert words in shape.reason
    assert "no constant" not in shape.reason
    assert shape.ratios == pytest.approx([x**power for x in GRID])


def test_only_a_named_proof_says_that_no_constant_serves():
    """The claim is in the reason, and nothing else may say so."""
    shape = judge_shape("T", GRID, [np.ones(2)] * 5, SHAPES, refuted_by=["paper.claim"])
    assert shape.reason.endswith("no constant serves: refuted by paper.claim")


def test_the_limit_is_the_largest_of_the_grid():
    """Points without one (a shape of 0) are left out, and the error rate is the grid's."""
    shape = judge_shape("T", GRID, [np.ones(2)] * 5, SHAPES, limits=[1.0, None, 7.0, 2.0, 0.0], alpha=0.05)
    assert (shape.constant_at_least, shape.alpha) == (7.0, 0.05)
    assert "any hidden constant is at least 7 (error rate 0.05)" in shape.reason


def test_diverged_or_vanishing_runs_are_described_without_warning():
    """A diverged run has no power, and a measurement of exactly 0 a flat one."""
    diverged = judge_shape("T", GRID, [*[np.ones(2)] * 4, np.array([1.0, np.inf])], SHAPES)
    assert (diverged.verdict, diverged.growth) == ("order only", np.inf)
    assert judge_shape("T", GRID, [np.zeros(2)] * 5, SHAPES).verdict == "order only"


def test_shape_needs_three_points():
    """Two points have a slope but no growth."""
    with pytest.raises(InputError, match="at least three increasing values"):
        judge_shape("T", [1.0, 2.0], [np.ones(2)] * 2, [1.0, 1.0])


def test_the_lower_limit_is_where_betting_refutes_a_smaller_mean():
    """Just below it the evidence is above 1/alpha, just above it below."""
    y = LAWS["gamma 2"](np.random.default_rng(0), 60)
    limit = lower_limit(y, 0.05)
    assert 0 < limit < y.mean()
    assert evidence_above(y, 0.999 * limit) >= 20 > evidence_above(y, 1.001 * limit)


@pytest.mark.parametrize("size", [7, pytest.param(10, marks=pytest.mark.slow)])
def test_the_lower_limit_of_a_two_point_law_is_seldom_above_the_mean(size):
    """Summed over all outcomes, at most in alpha of the cases and in some."""
    wrong = sum(
        0.2 ** sum(draws) * 0.8 ** (size - sum(draws))
        for draws in itertools.product((0, 1), repeat=size)
        if lower_limit(5.0 * np.array(draws), 0.05) > 1.0
    )
    assert 0 < wrong <= 0.05


def test_the_lower_limit_of_nothing_is_nothing():
    """Runs that are 0 allow every constant; a shape of 0 has none; a diverged run is a very large number, not inf."""
    assert lower_limit(np.zeros(20), 0.05) == 0.0
    assert constant_at_least(np.ones(3), 0.0, 0.05) is None
    assert constant_at_least(np.array([3.0]), 2.0, None) == 1.5
    assert 1e300 < constant_at_least(np.array([np.inf]), 1.0, None) < math.inf


def test_a_rise_before_the_asymptotic_range_is_no_refutation():
    """Theorem 11 holds with explicit constants, yet its order was called violated for the ratios 1.93, 18.7, 13.5."""
    settings = {"N": 8, "K": 4, "T": [10, 100, 1000]}
    verdicts, shape = check_series("momentum-fl.theorem11-printed", "ridge-log", **settings)
    assert shape.ratios == pytest.approx((1.93, 18.7, 13.5), rel=0.02)
    assert {v.verdict for v in verdicts} == {"order only"}
    assert 0.5 * 18.7 < shape.constant_at_least == max(v.constant_at_least for v in verdicts) < 18.7
    explicit, _ = check_series("momentum-fl.theorem11-rate", "ridge-log", **settings)
    assert {v.verdict for v in explicit} <= {"holds", "consistent", "vacuous"}


def test_a_ratio_that_saturates_is_no_refutation():
    """Ratios .01, .04, .16, .64 on fedlalr-a1 were called violated though a constant of 1 serves."""
    verdicts, shape = check_series("momentum-fl.theorem11-printed", "fedlalr-a1", N=2, K=2, T=[10, 40, 160, 640])
    assert {v.verdict for v in verdicts} == {"order only"}
    assert shape.constant_at_least <= max(shape.ratios) < 1


def test_an_order_at_one_point_has_a_limit_too():
    """By hand: without noise the limit is the ratio itself."""
    found = check("momentum-fl.theorem19-printed", load_problem("quadratic-tilt", N=2, zeta=1e5), K=1, T=100)
    assert (found.verdict, found.how, found.settle) == ("order only", "exact", "")
    assert found.constant_at_least == found.ratio == pytest.approx(111.5, rel=1e-3)
    assert "no constant serves: refuted by momentum-fl.theorem19-rate-printed" in found.reason


def test_a_shape_of_zero_says_nothing():
    """An order that vanishes (FedGLOMO's corollary at S = N and alpha = 0) has no ratio, no limit, and no verdict."""
    order = BOUNDS["momentum-fl.theorem11-printed"]
    nothing = replace(order, terms={"descent": 0 * order.terms["descent"]})
    found = check(nothing, load_problem("ridge-ratio", N=2, d=2), K=1, T=10)
    assert (found.verdict, found.constant_at_least, found.ratio) == ("order only", None, None)
    assert "the shape is 0 here" in found.reason


NAMED = [(bound, name) for bound in BOUNDS.values() for name in bound.refuted_by]


def test_named_proofs_are_in_the_ledger():
    """A bound is refuted by refuted claims with a repair; an order by a claim that its ratio grows besides."""
    assert len(NAMED) > 20
    assert [name for _, name in NAMED if not (CLAIMS[name].repaired_by or name.endswith("-grows"))] == []
    for bound, _ in NAMED:
        assert any(name.endswith("-grows") for name in bound.refuted_by) == (bound.kind == "order"), bound.id


@pytest.mark.slow
def test_named_proofs_are_decided():
    """Claims with a repair are refuted, those that say that the ratio grows are proved."""
    for proof in prove(dict.fromkeys(name for _, name in NAMED), workers=1):
        assert proof.verdict == ("proved" if proof.id.endswith("-grows") else "refuted"), proof.id


@pytest.mark.parametrize("name", ["fedglomo.corollary1", "fedglomo.remark1"])
def test_orders_of_fedglomo_lose_the_clients(name):
    """The instance of the claim: by hand the left side is 1, and the ratio at N = m^3 + 1 = S + 1 is at least m."""
    m, T = 2, 400
    eta = 1 / (6 * np.cbrt(T * (4 / (m**3 + 1) + 3200 * np.e**2 / m**6)))
    problem = load_problem("stress-huber", N=m**3 + 1, start=eta * T + 1)
    alike = {"alpha_div": 0.0}
    found = check(name, problem, K=1, T=T, S=m**3, overrides=alike, paths=0, replicates=2, budget=2)
    assert found.measured == pytest.approx(1.0, rel=1e-12)
    assert found.ratio >= m
    assert "no constant serves: refuted by fedglomo.theorem1-order-grows" in found.reason
