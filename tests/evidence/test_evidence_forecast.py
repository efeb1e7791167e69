"""What a check will take is known before it begins, and a short one is not asked."""

import time

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence.checks.check import check
from boundcheck.evidence.checks.forecast import CheckForecast, forecast_check
from boundcheck.problems import load_problem

BOUND = BOUNDS["momentum-fl.theorem11"]


def forecast(T, replicates=16, budget=64, **given):
    problem = load_problem("ridge-ratio", N=4, **{"sigma": 1.0, **given})
    return problem, forecast_check(BOUND, problem, Setting.of(problem, K=2, T=T), replicates=replicates, budget=budget)


def test_a_forecast_is_of_the_size_of_what_a_run_takes():
    """Processor seconds, within a factor of four; all replicates are four stages of these."""
    problem, said = forecast(4000)
    began = time.process_time()
    check(BOUND, problem, K=2, T=4000, replicates=16, budget=16, paths=0)
    took = time.process_time() - began
    assert said.first / 4 < took < said.first * 4
    assert said.most == pytest.approx(4 * said.first)


def test_twice_the_rounds_take_twice_as_long():
    """By arithmetic from the same two runs, whose times differ from call to call."""
    short, long = forecast(10**6)[1], forecast(8 * 10**6)[1]
    assert 3 < long.first / short.first < 24


@pytest.mark.parametrize(("T", "given"), [(100, {}), (4000, {"start": 0.0})])
def test_what_is_short_or_says_itself_what_is_wrong_has_none(T, given):
    """A hundred rounds; a start at the minimum, to which the theorem does not apply."""
    assert forecast(T, **given)[1] == CheckForecast(0.0, 0.0)


def test_exact_gradients_are_one_run():
    _, said = forecast(10**6, sigma=0.0)
    assert said.first == said.most > 0
