"""Coins of the methods' own: what the oracle sees in two rounds is what makes runs differ, for every method."""

import numpy as np
from method_table import CASES, problem_for
from together import together

from boundcheck.engine import simulate
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.evidence.trials.coins import ROUNDS, tosses_coins

LONG = 8 * ROUNDS


@together([c for c in CASES if not c.network])
def test_two_rounds_show_whether_runs_differ(case):
    """Without noise, with all clients active: later rounds ask for no coins that the first two did not ask for.

    Runs of a method without coins are equal bit by bit.  FedPD was taken for one, and judged from a single run.
    """
    problem, method = problem_for(case, sigma=0.0), case.method()
    setting = Setting.of(problem, K=2, T=LONG)
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    for _ in rounds(method, oracle, initial_state(method, oracle, 1), LONG):
        pass
    seen = tosses_coins(problem, method, setting)
    assert oracle.has_tossed == seen
    if not seen:
        final = simulate(problem, method, K=2, T=LONG, lanes=3).final
        assert np.array_equal(final[0], final[1], equal_nan=True)
        assert np.array_equal(final[0], final[2], equal_nan=True)
