"""How long a check will take, from two short runs of it on this machine: known before it begins."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import BoundcheckError
from boundcheck.evidence.trials.trial import Trial
from boundcheck.limits import require_run

if TYPE_CHECKING:
    from boundcheck.bounds import Bound
    from boundcheck.bounds.bound import Values
    from boundcheck.engine.setting import Setting
    from boundcheck.problems.base import Problem

_ROUNDS = (4, 36)
"""Rounds of the two runs, whose difference is what a round takes."""
_WORTH = 10
"""How many times as long as the longer of them a run is, at least, that is worth a forecast."""
_ENOUGH = 0.1
"""Seconds from which on one try says enough."""
_TRIES = 5
_NOTHING = 1e6
"""Numbers that a first stage moves, below which nobody waits."""


class CheckForecast(NamedTuple):
    """Processor seconds that a check takes."""

    first: float
    """Of the first stage, after which most verdicts are clear."""
    most: float
    """If all replicates are needed."""


def forecast_check(
    bound: Bound,
    problem: Problem,
    setting: Setting,
    *,
    replicates: int,
    budget: int,
    seed: int = 0,
    overrides: Values | None = None,
) -> CheckForecast:
    """Return the seconds that a check will take, 0 where that is little or cannot be known beforehand.

    Two runs of a few rounds are timed, with the lanes of the first stage.  A run whose paths are few, and one that
    diverges, ends sooner.

    Parameters
    ----------
    bound : Bound
    problem : Problem
    setting : Setting
    replicates, budget : int
        Replicates of the first stage, and at most.
    seed : int
        Root seed.
    overrides : mapping, optional
        Parameters in place of the prescribed ones.
    """
    try:
        trial = Trial.of(bound, problem, setting, overrides)
        lanes = replicates if trial.is_random else 1
        at = trial.setting
        require_run(N=problem.N, d=problem.d, S=at.S, K=at.K, b=at.b, T=at.T, replicates=budget)
        numbers = lanes * at.T * at.K * at.S * at.b * problem.d
        if numbers < _NOTHING or _WORTH * _ROUNDS[1] > at.T:
            return CheckForecast(0.0, 0.0)
        short, long = (_seconds(trial, rounds, lanes, seed) for rounds in _ROUNDS)
    except BoundcheckError:
        # Whatever it is, the check itself says it.
        return CheckForecast(0.0, 0.0)
    a_round = max(long - short, 0.0) / (_ROUNDS[1] - _ROUNDS[0])
    first = max(short - _ROUNDS[0] * a_round, 0.0) + at.T * a_round
    return CheckForecast(first, first * budget / replicates if trial.is_random else first)


def _seconds(trial: Trial, rounds: int, lanes: int, seed: int) -> float:
    """Return the processor seconds of a run of a few rounds, the least of some tries where it is short."""
    few = replace(trial, setting=replace(trial.setting, T=rounds))
    found: list[float] = []
    while len(found) < _TRIES and sum(found) < _ENOUGH:
        began = time.process_time()
        few.run(np.arange(lanes), seed, metrics=[few.metric])
        found.append(time.process_time() - began)
    return min(found)
