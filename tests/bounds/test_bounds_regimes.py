"""Which regime a bound is in: against closed forms of a bound made here, and against evaluating it again."""

import json

import pytest
import sympy as sp

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.regimes import regime_at
from boundcheck.cli.app import run
from boundcheck.evidence.checks.regime import regime
from boundcheck.notation import symbol
from boundcheck.problems import load_problem

L, Delta, sigma, N, T, gamma = map(symbol, ("L", "Delta", "sigma", "N", "T", "gamma"))
AT = {"N": 4.0, "S": 4.0, "K": 1.0, "T": 100.0, "b": 1.0, "d": 2.0, "L": 2.0, "Delta": 1.0, "sigma": 3.0}


def made(**changed):
    """Return a bound of two terms: descent Delta / (gamma T) and noise L gamma sigma^2 / N, for gamma <= 1/L."""
    like = BOUNDS["momentum-fl.theorem11"]
    fields = {name: getattr(like, name) for name in ("paper", "where", "method", "metric")}
    return Bound(
        id="made.here",
        title="made here",
        needs=("L", "sigma", "Delta"),
        terms={"descent": Delta / (gamma * T), "noise": L * gamma * sigma**2 / N},
        conditions=(Condition("step", sp.Le(L * gamma, 1)),),
        parameters={"gamma": 1 / (4 * L)},
        free=("gamma",),
        trivial=2 * L * Delta,
        **{**fields, **changed},
    )


def test_shares_purchases_and_steps_are_those_of_the_closed_form():
    """At gamma = 1/8: descent 1/(gamma T) = 0.08, noise 2 gamma 9 / 4 = 0.5625; gamma may be 1/L = 0.5."""
    found = regime_at(made(), AT)
    assert found.terms == pytest.approx({"noise": 0.5625, "descent": 0.08})
    assert found.dominating == "noise"
    assert found.shares["noise"] == pytest.approx(0.5625 / 0.6425)
    ratios = {one.letter: one.ratio for one in found.purchases}
    assert ratios == pytest.approx({"N": 0.36125 / 0.6425, "T": 0.6025 / 0.6425, "K": 1.0, "b": 1.0})
    assert found.best_purchase.letter == "N"
    (step,) = found.steps
    assert (step.name, step.prescribed, step.limited_by) == ("gamma", 0.125, "step")
    assert step.largest == pytest.approx(0.5)
    # noise = descent at N = 0.5625 * 4 / 0.08 and at T = 0.08 * 100 / 0.5625
    assert {one.letter: one.at for one in found.changes} == pytest.approx({"N": 28.125, "T": 8 / 0.5625})


def test_another_regime_is_told_apart():
    """Without much noise descent dominates and rounds help most; a long step breaks the condition and is said."""
    found = regime_at(made(), {**AT, "sigma": 0.1})
    assert (found.dominating, found.best_purchase.letter) == ("descent", "T")
    assert found.best_purchase.ratio == pytest.approx(0.5, abs=0.01)
    broken = regime_at(made(), AT, {"gamma": 0.6})
    (condition,) = broken.unmet
    assert condition.startswith("step: ")
    assert broken.steps == ()


def test_a_shipped_bound_on_a_problem_is_evaluated_again():
    """The purchases are the bound at moved settings; the largest steps meet all conditions, a longer one does not."""
    bound, problem = BOUNDS["momentum-fl.theorem19"], load_problem("ridge-ratio", N=10)
    found = regime(bound, problem, K=5, T=1000)
    constants = {letter: constant.value for letter, constant in problem.constants.items()}
    at = constants | {"N": 10, "S": 10, "K": 5, "T": 1000, "b": 1, "d": problem.d}
    for one in found.purchases:
        moved = {**at, one.letter: 2 * at[one.letter]} | ({"S": 20} if one.letter == "N" else {})
        assert one.rhs == pytest.approx(bound.evaluate(bound.resolve(moved)).rhs)
    steps = {one.name: one.prescribed for one in found.steps}
    for one in found.steps:
        below, above = (
            bound.evaluate(bound.resolve(at, {**steps, one.name: by * one.largest}), strict=False).unmet
            for by in (1 - 1e-9, 1 + 1e-6)
        )
        assert not below
        assert one.limited_by in [condition.label for condition in above]


def test_the_command_prints_it(capsys):
    """A bound or a method, with the problem in any order; JSON has the numbers; slips are one line."""
    assert run(["explain", "momentum-fl.theorem19", "ridge-ratio", "--N", "10", "--K", "5", "--T", "1000"]) == 0
    out = capsys.readouterr().out
    assert "noise dominates" in out
    assert "twice as many" in out
    assert "steps allowed" in out
    run(["explain", "ridge-ratio", "fedavg-m", "--N", "10", "--K", "5", "--T", "1000", "--json"])
    found = json.loads(capsys.readouterr().out)["results"]
    assert "momentum-fl.theorem11" in [one["bound"] for one in found]
    assert all(one["dominating"] == max(one["terms"], key=one["terms"].get) for one in found)
    for words, said in (
        (["explain", "momentum-fl.theorem19", "ridge-ratio", "--N", "3", "--K", "5"], "--T = None"),
        (["explain", "vacuous", "--N", "3"], "--N = 3"),
        (["explain", "fedopt", "ridge-ratio", "--N", "3", "--K", "5", "--T", "9"], "name of several"),
    ):
        assert run(words) == 2
        err = capsys.readouterr().err
        assert len(err.splitlines()) == 1
        assert said in err
