"""Letters of a run are fixed on replicates of their own, and what the judged runs need besides is honoured."""

from dataclasses import replace

import numpy as np
import pytest

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.checks.check import Procedure, examine
from boundcheck.evidence.trials.along import at_needed, pair_measured

WAVES = load_problem("ridge-two-phase", N=4, d=2, sigma=0.5)
SPLIT = load_problem("ridge-split", N=4, d=2, sigma=0.0)
AT = Setting.of(SPLIT, K=2, T=20, S=2)
LETTERS = BOUNDS["gradma.lemma6-s"]
"""Its eps_g is measured and decides no step."""


def test_the_right_hand_side_stays_where_it_is():
    """Every look measured the letter anew on all replicates: here from 0.500 to 0.580 at the fourth."""
    close = replace(LETTERS, terms={name: term / 260 for name, term in LETTERS.terms.items()})
    found = [check(close, SPLIT, K=2, T=20, S=2, replicates=4, budget=budget, paths=0) for budget in (4, 8, 32)]
    assert [v.verdict for v in found] == ["undecided"] * 3
    assert len({v.rhs for v in found}) == 1


def test_judged_replicates_are_not_those_that_fix_the_letter():
    """Four replicates in the first stage: the letter is that of 0 and 1, what is judged are 2 and 3."""
    own, found = pair_measured(LETTERS, SPLIT, AT, None, seed=0, count=2)
    examined = examine(LETTERS, SPLIT, AT, Procedure(replicates=4, budget=4, paths=0))
    assert examined.trial.evaluation.values["eps_g"] == found["eps_g"]
    assert list(examined.y) == list(own.measure(0, 0, 4)[2:])


def test_violated_asks_for_the_letter_that_the_judged_runs_needed():
    """A bound that is the letter itself: violated at the one that was fixed, not at the one the runs needed."""
    trial, found = pair_measured(LETTERS, SPLIT, AT, None, seed=0, count=2)
    y = np.full(40, 2.0)
    symbol = next(s for s in LETTERS.total.free_symbols if s.name == "eps_g")
    letter = replace(LETTERS, terms={"letter": symbol / found["eps_g"]}, trivial=10**9 + 0 * symbol)
    fixed = replace(trial, bound=letter, evaluation=letter.evaluate(trial.evaluation.values, strict=False))
    verdict = fixed.judge(y, alpha=0.05)
    assert (verdict.verdict, verdict.rhs) == ("violated", pytest.approx(1.0))
    assert at_needed(fixed, verdict, y, found, None, 0.05).verdict == "violated"
    needed = {"eps_g": 3 * found["eps_g"]}
    assert at_needed(fixed, verdict, y, needed, None, 0.05).verdict == "undecided"
    barely = {"eps_g": 1.01 * found["eps_g"]}
    still = at_needed(fixed, verdict, y, barely, None, 0.05)
    assert (still.verdict, still.rhs) == ("violated", pytest.approx(1.01))


def test_a_letter_that_decides_the_steps_is_not_raised_afterwards():
    """At another alpha the run is another one: a judged run that needs more leaves the question open."""
    bound = BOUNDS["fedglomo.theorem2S"]
    trial, found = pair_measured(bound, WAVES, Setting.of(WAVES, K=2, T=50, S=2), None, seed=0, count=4)
    assert bound.steered_by
    verdict = replace(trial.judge(trial.measure(0, 4, 4), alpha=0.05), verdict="violated")
    needed = {"alpha_div": 1.5 * trial.evaluation.values["alpha_div"]}
    assert at_needed(trial, verdict, np.ones(4), needed, None, 0.05).verdict == "undecided"
    assert at_needed(trial, verdict, np.ones(4), found, None, 0.05).verdict == "violated"
