"""Randomness of a method's own: the oracle sees it, whatever the hyperparameter is called."""

from dataclasses import replace

import numpy as np
import pytest

from boundcheck import check, load_problem
from boundcheck.bounds import BOUNDS
from boundcheck.engine.setting import Setting
from boundcheck.evidence import pair
from boundcheck.evidence.checks.series import check_series
from boundcheck.evidence.trials.coins import tosses_coins
from boundcheck.methods import METHODS
from boundcheck.notation import symbols
from boundcheck.sweep.cells.cells import build_method

STILL = load_problem("ridge-ratio", N=2, d=2, sigma=0.0)
L, Delta = symbols("L Delta")
TOSSED = replace(
    BOUNDS["momentum-fl.theorem11"],
    id="mine.fedpd",
    method="fedpd",
    parameters={"eta": 1 / (10 * L), "eta_pd": 1 / L},
    terms={"gap": L * Delta},
    free=(),
    conditions=(),
    choices={"skip": 0.5},
)
"""Whatever it says: FedPD leaves out communication in half of its rounds, by tossing a coin."""


def test_fedpd_that_skips_is_random():
    """Two runs differ, and it was judged exactly from one: a bound 0.5 % above the mean failed in 13 of 20 seeds."""
    trial = pair(TOSSED, STILL, K=1, T=6)
    y = trial.measure(0, 0, 1000)
    assert np.ptp(y) > 0
    assert trial.is_random
    close = replace(TOSSED, terms={"mean": 1.005 * y.mean() + 0 * L}, trivial=1e9 + 0 * L)
    found = [check(close, STILL, K=1, T=6, seed=seed, replicates=8, budget=16) for seed in range(20)]
    assert [v.verdict for v in found if v.verdict in {"violated", "holds"}] == []


def test_a_method_without_coins_is_not():
    """Gradient descent on exact gradients has one run."""
    assert not tosses_coins(STILL, METHODS["fedavg"](eta=0.1), Setting.of(STILL, K=1, T=5))


def test_a_quantised_order_is_judged_on_replicates():
    """It was judged on one, with an interval of width 0, where only the messages are random."""
    problem = "stress-parabola"
    verdicts, shape = check_series(
        "fedglomo.corollary1", problem, N=2, K=1, T=[200, 400, 800], S=1, overrides={"q_omega": 1.0, "alpha_div": 1.0}
    )
    assert shape is None or shape.low < shape.growth < shape.high
    assert all(v.replicates > 1 for v in verdicts if v.measured is not None)


QUANTISED = [name for name, cls in METHODS.items() if "quantiser" in getattr(cls, "__dataclass_fields__", {})]


@pytest.mark.parametrize("name", QUANTISED)
def test_a_quantiser_is_seen(name):
    """Every method with a quantiser tosses coins with one, and none without."""
    problem, numbers = STILL, {"eta": 0.1, "eta_g": 0.1, "gamma": 0.1, "beta": 0.5, "alpha": 0.5, "p": 0.5}
    fields = METHODS[name].__dataclass_fields__
    given = tuple((k, v) for k, v in numbers.items() if k in fields)
    at = Setting.of(problem, K=2, T=5)
    assert tosses_coins(problem, build_method(METHODS[name], (*given, ("quantiser", "flip-1"))), at)
