"""Steps that fall by a law of the round as part of a theorem: the same numbers as a method that counts its rounds."""

from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Integer, Rational, sqrt

import boundcheck as bc
from boundcheck.bounds import BOUNDS, parameter
from boundcheck.errors import InputError, NotApplicableError
from boundcheck.evidence.checks.check import check
from boundcheck.evidence.search.extremes import tightness
from boundcheck.evidence.search.instances import TrialInstance
from boundcheck.evidence.search.long_runs import average
from boundcheck.evidence.search.refute import refute
from boundcheck.evidence.trials.fitting import kind_in
from boundcheck.evidence.trials.trial import pair
from boundcheck.methods.schedule import factor
from boundcheck.notation import LETTERS, symbols
from boundcheck.problems import load_problem
from boundcheck.sweep import Recipe, Store, Study, run_and_collect

BY_HAND = f"{Path(__file__).parent / 'own_methods.py'}:Decreasing"
N, S, K, T, L, Delta, sigma, eta = symbols("N S K T L Delta sigma eta")
FALLING = BOUNDS[f"{Path(__file__).parent / 'falling.py'}:FALLING"]


def counted(bound):
    """Return the theorem about a method that counts its rounds itself."""
    return replace(bound, method=BY_HAND, schedule={})


@pytest.mark.parametrize("T", [1, 2, 17])
def test_the_same_run_as_a_method_that_counts(T):
    problem = load_problem("chain[sigma=0,noise=none]", N=2)
    ours, other = (pair(b, problem, K=1, T=T).measure(0, 0, 1)[0] for b in (FALLING, counted(FALLING)))
    constant = pair(replace(FALLING, schedule={}), problem, K=1, T=T).measure(0, 0, 1)[0]
    assert ours == pytest.approx(other, rel=1e-13)
    assert T <= 2 or abs(ours - constant) > 1e-3 * constant


def test_every_path_follows_the_law():
    """The exact expectation over all paths is that of the method that counts."""
    noisy = replace(FALLING, exact_gradients=False, needs=("L", "Delta", "sigma"))
    problem = load_problem("momentum-fl-e2", N=1)
    by_hand = replace(noisy, method=BY_HAND.replace("Decreasing", "NoisyDecreasing"), schedule={})
    ours, other = (pair(b, problem, K=1, T=4).outcomes().mean() for b in (noisy, by_hand))
    assert ours == pytest.approx(other, rel=1e-12)


@pytest.mark.parametrize(
    ("law", "t", "value"),
    [
        *(("0.5^t", 3, 0.125), ("(t+1)^-0.5", 3, 0.5), ("(t/4+1)^-1", 4, 0.5), ("(t/4+1)^-2", 12, 1 / 16)),
        *(("1-t/4", 3, 0.25), ("(1-t/4)^2", 2, 0.25), ("(1-t/4)", 0, 1.0), ("1-t/4", 5, 0.0)),
    ],
)
def test_laws(law, t, value):
    assert factor(law, t) == pytest.approx(value, rel=1e-14)


def test_a_law_may_name_a_letter():
    """(t/g + 1)^-1 with g = 4 L/mu: on a parabola of L = mu the step halves after four rounds."""
    mu = symbols("mu")[0]
    strong = replace(
        FALLING,
        needs=("L", "Delta", "mu"),
        parameters={"a": 4 * L / mu, "eta": 1 / (2 * L)},
        schedule={"eta": "(t/a+1)^-1"},
    )
    trial = pair(strong, load_problem("quadratic-tilt", N=1, zeta=0.0), K=1, T=3)
    assert trial.method.laws == (("eta", "(t/4.0+1)^-1"),)
    x = 1.0
    for t in range(2):
        x -= 0.5 / (t / 4 + 1) * x
    assert trial.measure(0, 0, 1)[0] == pytest.approx(x * x, rel=1e-14)
    with pytest.raises(InputError, match="schedule = 'nowhere'"):
        pair(replace(strong, schedule={"eta": "(t/nowhere+1)^-1"}), trial.problem, K=1, T=3)
    with pytest.raises(InputError, match="gamma"):
        pair(replace(FALLING, schedule={"gamma": "(t+1)^-1"}), trial.problem, K=1, T=3)


def test_the_map_of_one_round_is_not_taken_for_all():
    """The powers of one map would be those of constant steps."""
    at = TrialInstance("quadratic-tilt[zeta=0.0,sigma=0.0,noise=none]", 1, 1, 10**8)
    with pytest.raises(NotApplicableError, match="number of rounds done"):
        average(at.trial(FALLING))


def test_it_is_true_and_half_of_it_is_not():
    assert refute(FALLING, work=8_000, budget=600).verdict == "not contradicted"
    halved = replace(FALLING, terms={"descent": Integer(1) / 2 * L * Delta / sqrt(T)})
    assert refute(halved, work=8_000, budget=600).verdict == "violated"


def test_worst_cases_follow_the_law():
    """The worst case in two rounds is below that of constant steps' promise, and a function attains it."""
    found = tightness(FALLING, K=1, T=2, N=1)
    assert found.case.exact
    assert found.looseness >= 1


def test_a_sweep_follows_the_law(tmp_path):
    """A cell carries the law to whoever runs it."""
    study = Study("a", "a", "chain[sigma=0,noise=none]", [FALLING.id], [2], [1], [16])
    recipe = Recipe("a", study=[study], replicates=2)
    (result,) = run_and_collect(recipe, Store(tmp_path), workers=1)
    verdict = next(iter(result.points[0].verdicts.values()))
    other = check(counted(FALLING), load_problem("chain[sigma=0,noise=none]", N=2), K=1, T=16)
    assert verdict.measured == pytest.approx(other.measured, rel=1e-12)


def test_a_parameter_of_ones_own():
    """It is a letter without an attack, and counts if it is whole."""
    try:
        tau = parameter("tau_here", whole=True, meaning="delay in rounds")
        bound = replace(FALLING, parameters={"tau_here": Integer(3), "eta": 1 / (L * tau)})
        assert kind_in(bound, "tau_here").whole
        assert not kind_in(bound, "tau_here").fits(0.5)
        assert pair(bound, load_problem("quadratic-tilt", N=1, zeta=0.0), K=1, T=1).evaluation.values["tau_here"] == 3
        assert parameter("share_here", (-1, 2)).is_positive
        assert LETTERS["share_here"].unit == (-1, 2)
        with pytest.raises(InputError, match="unit"):
            parameter("both_here", (1, 0), whole=True)
        with pytest.raises(InputError, match="letter"):
            parameter("sigma")
    finally:
        for name in ("tau_here", "share_here", "both_here"):
            LETTERS.pop(name, None)


def test_a_law_may_end_with_the_run():
    """Steps (1 - t/T)/(2 L) on a parabola of L = 1, by a loop over six rounds; FALLING is about the least gradient."""
    bound = replace(FALLING, schedule={"eta": "1-t/T"}, parameters={"eta": Rational(1, 2) / L})
    trial = pair(bound, load_problem("quadratic-tilt", N=1, zeta=0.0), K=1, T=6)
    assert trial.method.laws == (("eta", "1-t/6.0"),)
    x, seen = 1.0, []
    for t in range(6):
        seen.append(x * x)
        x -= 0.5 * (1 - t / 6) * x
    assert trial.measure(0, 0, 1)[0] == pytest.approx(min(seen), rel=1e-14)


def test_a_law_of_another_form_is_refused_before_any_run():
    """By every command at once: it is no property of a problem."""
    with pytest.raises(InputError, match="schedule"):
        bc.review(replace(FALLING, schedule={"eta": "cos(t/T)"}), work=1_000)
