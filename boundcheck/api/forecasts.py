"""How long worst cases and theorems will take, from a shorter one on this machine: known before they begin."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from boundcheck.errors import BoundcheckError, require

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GROWTH = 3.5
"""Seconds grow like this power of the local steps of all rounds: fitted to fedavg and scaffold, 8 to 48 of them."""
_WORTH = 16
"""Local steps of all rounds from which on a forecast is worth a run."""
_FEW = 2.0
"""Seconds below which the shorter run is timed once more."""
_SHARE = 3
"""How many times as long as the run that is timed."""
_LONGEST = 24
"""Most local steps of the run that is timed: beyond it the forecast would be most of the work."""
MOST_STEPS = 3000
"""Most local steps of all rounds: at the growth above they take years."""


def forecast_from_shorter(run: Callable[[int, int], object], K: int, rounds: Sequence[int]) -> float:
    """Return about how many processor seconds runs take, by one of a third of the longest one's steps.

    Parameters
    ----------
    run : callable
        Runs K local steps and T rounds.
    K : int
        Local steps of a round.
    rounds : sequence of int
        Rounds of each run.

    Returns
    -------
    float
        Right within a factor of about 4, less sure the further it goes beyond the shorter run; 0 where they are few, or
        where the shorter run fails.

    Raises
    ------
    InputError
        If they are so many that nobody would see the end.
    """
    T = max(rounds)
    require(K * T <= MOST_STEPS, "K T", K * T, f"at most {MOST_STEPS} local steps in all: more take years")
    if K * T < _WORTH:
        return 0.0
    short = (K, max(1, min(T // _SHARE, _LONGEST // K))) if T >= 2 * _SHARE else (max(K // _SHARE, 1), T)
    if short[0] * short[1] > _LONGEST:
        short = (max(_LONGEST // short[1], 1), short[1])
    try:
        seconds = _seconds(run, *short)
        if seconds < _FEW:
            # The first one has imported what it needs.
            seconds = min(seconds, _seconds(run, *short))
    except BoundcheckError:
        # Whatever it is, the run itself says it.
        return 0.0
    return float(seconds * sum((K * one / (short[0] * short[1])) ** GROWTH for one in rounds))


def _seconds(run: Callable[[int, int], object], K: int, T: int) -> float:
    began = time.process_time()
    run(K, T)
    return time.process_time() - began
