"""Whether a method tosses coins of its own, as the oracle sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds

if TYPE_CHECKING:
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.problems.base import Problem

ROUNDS = 2
"""Rounds that are made to see it: what a method asks for is the same in every round after the first."""


def tosses_coins(problem: Problem, method: Method, setting: Setting) -> bool:
    """Return whether the method asks for uniform numbers before or in its first two rounds.

    Two runs of such a method may differ; one whose coin decides nothing (a probability of 0) counts as random too,
    which costs replicates and never a wrong verdict.
    """
    oracle = LaneOracle(problem, setting, seed=0, keys=[setting.key(0)], observers=[])
    with np.errstate(all="ignore"):
        for _ in rounds(method, oracle, initial_state(method, oracle, 1), min(ROUNDS, setting.T)):
            pass
    return oracle.has_tossed
