"""All verdicts, exact comparison, and many cells decided together."""

from collections import Counter
from typing import get_args

import numpy as np
import pytest
from evidence_laws import LAWS, evaluation

from boundcheck.cli.terminal.options import FailOn
from boundcheck.errors import InputError
from boundcheck.evidence import summarise
from boundcheck.evidence.checks.grid import holm, pool_e_values
from boundcheck.evidence.statistics.verdict import Verdict, not_applicable
from boundcheck.evidence.trials.judging import decide
from boundcheck.verdicts.words import BOUND_WORDS


def decided(y, rhs, trivial=1e9, **options):
    settings = {"bound": "b", "problem": "p", "alpha": 0.05} | options
    return decide(np.asarray(y, dtype=float), evaluation(rhs, trivial), **settings)


SAMPLE = LAWS["gamma 2"](np.random.default_rng(0), 16)


@pytest.mark.parametrize(
    ("rhs", "trivial", "verdict"),
    [(20.0, 1e9, "consistent"), (20.0, 20.0, "vacuous"), (0.1, 1e9, "violated"), (1.02, 1e9, "undecided")],
)
def test_verdicts_on_a_sample_with_mean_one(rhs, trivial, verdict):
    """Far below, far above and next to the bound; a bound no better than the trivial one is vacuous."""
    found = decided(SAMPLE, rhs, trivial)
    assert found.verdict == verdict
    assert found.measured == pytest.approx(SAMPLE.mean())
    assert found.low < found.measured < found.high
    assert found.margin == pytest.approx((rhs - SAMPLE.mean()) / (SAMPLE.std(ddof=1) / 4))
    assert (found.rhs, found.vacuity, found.replicates) == (rhs, trivial, 16)


def test_what_does_not_apply_carries_its_reason():
    """A pair that does not go together is an outcome with a reason and no numbers."""
    found = not_applicable("b", "p", "needs G_inf")
    assert (found.verdict, found.reason, found.measured, found.rhs) == ("not applicable", "needs G_inf", None, None)


@pytest.mark.parametrize(("measured", "verdict"), [(1.0, "holds"), (1.0 + 1e-12, "holds"), (1.0 + 1e-6, "violated")])
def test_without_noise_the_comparison_is_exact(measured, verdict):
    """One deterministic run decides, up to rounding."""
    found = decided([measured], 1.0, noisy=False)
    assert found.verdict == verdict
    assert "exact comparison" in found.reason
    assert found.e_value is None
    assert found.low == found.high == measured


def test_more_cells_and_more_stages_ask_for_more():
    """The alarm threshold is cells/alpha; the error rate of the "holds" side halves at every look."""
    y = np.full(9, 1.9)
    e = decided(y, 1.0).e_value
    assert 20 < e < 2000
    assert decided(y, 1.0).verdict == "violated"
    assert decided(y, 1.0, cells=100).verdict == "undecided"
    first, third = decided(SAMPLE, 20.0), decided(SAMPLE, 20.0, cells=5, stage=3)
    assert "error rate 0.025" in first.reason
    assert "error rate 0.0013" in third.reason


def test_only_a_ceiling_allows_to_say_holds():
    """A t limit was once called "holds"; it is "consistent", and says that a ceiling would settle it."""
    y = np.random.default_rng(1).uniform(0, 1, 40)
    sure, limit = decided(y, 5.0, 6.0, ceiling=6.0), decided(y, 5.0, 6.0)
    assert (sure.verdict, sure.how, sure.settle) == ("holds", "betting", "")
    assert (limit.verdict, limit.how) == ("consistent", "approximate")
    assert "a proved ceiling" in limit.settle


def test_a_bet_that_needs_more_replicates_says_how_many():
    """By hand: y = 1/2 under B = 1 and C = 11 gains 1/20 a replicate; ln 20 + 2 over ln(1 + 1/20) is 102.4."""
    found = decided(np.full(60, 0.5), 1.0, ceiling=11.0)
    assert (found.verdict, found.needed, found.settle) == ("consistent", 103, "about 103 replicates")
    assert found.gains_from(256)
    assert not found.gains_from(100)
    assert decided(np.full(103, 0.5), 1.0, ceiling=11.0).verdict == "holds"


def test_a_ceiling_that_a_run_exceeds_is_none():
    """A value above it refutes the ceiling, so that nothing follows from it."""
    y = np.append(np.random.default_rng(1).uniform(0, 1, 40), 7.0)
    assert decided(y, 5.0, ceiling=6.0).how == "approximate"


@pytest.mark.parametrize("trivial", [5.0, 4.0])
def test_a_bound_no_better_than_the_ceiling_needs_no_run(trivial):
    """There is nothing to bet on where the ceiling implies the bound, so it is vacuous, at the trivial bound or not."""
    y = np.random.default_rng(1).uniform(0, 1, 40)
    for vacuity in (trivial, 9.0):
        found = decided(y, 5.0, vacuity, ceiling=trivial)
        assert (found.verdict, found.how, found.needed) == ("vacuous", "ceiling", None)
    alone = decided([0.5], 5.0, 9.0, ceiling=trivial, noisy=False)
    assert (alone.verdict, alone.how) == ("vacuous", "exact")
    assert decided([0.5], 3.0, 9.0, ceiling=trivial, noisy=False).verdict == "holds"
    assert decided([6.0], 5.5, 9.0, ceiling=trivial, noisy=False).verdict == "violated"


@pytest.mark.parametrize(("rhs", "name"), [(np.nan, "nan"), (np.inf, "inf")])
def test_what_is_no_number_is_no_evidence(rhs, name):
    """A right-hand side of nan was violated by every run; it is refused by its term, and so is a nan on the left."""
    with pytest.raises(InputError, match=f"b: term 'all' of the right-hand side = {name} is not legal"):
        decided(SAMPLE, rhs)
    with pytest.raises(InputError, match="left-hand side = nan is not legal"):
        decided([1.0, np.nan], 1.0)


def test_rounding_is_no_violation_of_zero():
    """4.6e-35 > 0 was a violation; what rounding may lift is allowed, with noise and without, and no more."""
    assert decided([4.6e-35], 0.0, noisy=False).verdict == "violated"
    assert decided([4.6e-35], 0.0, noisy=False, rounding=1e-30).verdict == "holds"
    assert decided([1e-29], 0.0, noisy=False, rounding=1e-30).verdict == "violated"
    assert decided(np.full(60, 4.6e-35), 0.0, rounding=1e-30).verdict == "consistent"
    assert decided(np.full(60, 1e-28), 0.0, rounding=1e-30).verdict == "violated"


def test_a_command_may_fail_on_every_word():
    """What a command may fail on is one list with the words of a verdict."""
    (words, *_) = get_args(get_args(FailOn)[0])
    assert get_args(get_args(words)[0]) == (*BOUND_WORDS, "false as printed", "false at other parameters")


@pytest.mark.parametrize("rhs", [1e-3, 1e3])
def test_a_diverged_run_violates(rhs):
    """An infinite replicate refutes any finite bound, and warns about nothing."""
    found = decided([1.0, np.inf, 2.0], rhs)
    assert found.verdict == "violated"
    assert found.e_value == np.inf
    assert found.margin is None


def brute_force_holm(p, alpha):
    """Return Holm's rejections by definition: the k smallest are rejected iff p_(j) <= alpha/(m-j+1) for all j <= k."""
    m, ranked = len(p), sorted(p)
    k = max((k for k in range(m + 1) if all(ranked[j] <= alpha / (m - j) for j in range(k))), default=0)
    return [p_i <= ranked[k - 1] if k else False for p_i in p]


def test_holm_is_its_definition():
    """Random e-values give the rejections of the definition."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        e = np.exp(rng.normal(2.5, 2.0, int(rng.integers(1, 8))))
        assert holm(list(e), 0.05) == brute_force_holm([min(1.0, 1 / x) for x in e], 0.05)


def test_holm_rejects_after_an_earlier_rejection():
    """1/e = 0.02 and 0.04: the second passes at alpha although it fails at alpha/2."""
    assert holm([50.0, 25.0], 0.05) == [True, True]
    assert holm([30.0, 25.0], 0.05) == [False, False]
    assert pool_e_values([50.0, 25.0]) == 37.5
    assert pool_e_values([]) == 1.0


def verdict(kind, **values):
    return Verdict("b", "p", kind, "", *([values.get("measured")] * 3), values.get("rhs"), {}, [], None, **{
        k: v for k, v in values.items() if k in {"margin", "e_value", "wealth"}
    })  # fmt: skip


@pytest.mark.parametrize(
    ("kinds", "combined"),
    [
        (["holds", "violated", "undecided"], "violated"),
        (["holds", "undecided", "not applicable"], "undecided"),
        (["holds", "consistent", "vacuous"], "consistent"),
        (["holds", "vacuous", "not applicable"], "holds"),
        (["order only", "not applicable"], "order only"),
        (["vacuous", "not applicable"], "vacuous"),
        (["not applicable"], "not applicable"),
    ],
)
def test_summary_of_a_grid(kinds, combined):
    """The worst applicable verdict speaks for the grid, and the counts are kept."""
    found = summarise([verdict(kind) for kind in kinds], 0.05)
    assert found.verdict == combined
    assert found.counts == Counter(kinds)


def test_summary_reports_pooled_evidence_margin_and_ratio():
    """Averaged wealth, smallest margin and largest measured/rhs; Holm or the average alone can refute a grid."""
    cells = [
        verdict("holds", measured=1.0, rhs=4.0, margin=9.0, e_value=8.0, wealth=1.0),
        verdict("holds", measured=2.0, rhs=4.0, margin=3.0, e_value=5.0, wealth=5.0),
        verdict("not applicable"),
    ]
    found = summarise(cells, 0.05)
    assert (found.e_value, found.smallest_margin, found.worst_ratio) == (3.0, 3.0, 0.5)
    assert summarise([verdict("undecided", e_value=1e4)], 0.05).verdict == "violated"
    many = [verdict("undecided", e_value=21.0, wealth=21.0)] * 10
    assert not any(holm([21.0] * 10, 0.05))
    assert summarise(many, 0.05).verdict == "violated"
    assert summarise(many[:9] + [verdict("undecided", wealth=0.5)] * 9, 0.05).verdict == "undecided"


@pytest.mark.parametrize(("grids", "most"), [(100, 10), pytest.param(400, 30, marks=pytest.mark.slow)])
def test_grid_alarms_stay_below_alpha(grids, most):
    """Twelve cells at the boundary, six of one noise, raise an alarm in at most 5 % of the grids (+ 2.3 errors)."""
    rng, alarms = np.random.default_rng(6), 0
    for _ in range(grids):
        y = LAWS["gamma 1/2"](rng, 24)
        cells = [decided(y if cell < 6 else LAWS["gamma 2"](rng, 24), 1.0, cells=12) for cell in range(12)]
        alarms += summarise(cells, 0.05).verdict == "violated"
    assert alarms <= most
