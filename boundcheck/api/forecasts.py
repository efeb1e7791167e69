"""How long worst cases and theorems will take, and in what memory, from a shorter one: known before they begin."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.errors import BoundcheckError, require
from boundcheck.workers.memory import machine_megabytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GROWTH = 3.5
"""Seconds grow like this power of the local steps of all rounds: fitted to fedavg and scaffold, 8 to 48 of them."""
_SPARSE_GROWTH = 1.5
"""The same of longer runs of which conditions between neighbouring points are enough: fedavg, 49 to 200."""
_SPARSE = 0.5
"""Conditions for a couple of points below which they are between neighbours: those of all points are 1 and more."""
_WORTH = 16
"""Local steps of all rounds from which on a forecast is worth a run."""
_FEW = 2.0
"""Seconds below which the shorter run is timed once more; one that takes more is none whose time grows like T."""
_SHARE = 3
"""How many times as long as the run that is timed."""
_NARROW = 2
"""Local steps of a round of a run that tells which conditions are enough."""
_LONGEST = 24
"""Most local steps of the run that is timed where all are of one kind: a longer one would be most of the work."""
_MEGABYTES = 5e-5
"""Megabytes of all conditions, times the fourth power of the points, which noise doubles.

Of ten cells of fedavg and scaffold with 12 to 56 points, right within a factor of 3.1: 6, 24 and 369 MB for 16, 24 and
56 points with noise, 9, 17 and 27 for 25, 32 and 30 without, 0.3 GB for 49.
"""
MOST_STEPS = 20_000
"""Most local steps of all rounds: the products of their points are 3 GB of numbers."""


class WorkForecast(NamedTuple):
    """What runs take, 0 where that is little or not known."""

    seconds: float = 0.0
    """Of the processor, right within a factor of about 4."""
    megabytes: float = 0.0


def forecast_from_shorter(
    run: Callable[[int, int], int | None],
    K: int,
    rounds: Sequence[int],
    changes: Sequence[int] = (),
    *,
    noisy: bool = False,
) -> WorkForecast:
    """Return about what runs take, by one of a third of the longest one's steps.

    Parameters
    ----------
    run : callable
        Runs K local steps and T rounds, and returns how many conditions its programme has, where that is known.
    K : int
        Local steps of a round.
    rounds : sequence of int
        Rounds of each run.
    changes : sequence of int
        Local steps of all rounds beyond which the work is of another kind, if conditions between neighbouring points
        are enough; ascending.  Of those that the longest run is beyond, one of a little more is timed.
    noisy : bool
        Whether every local step draws noise, a second point; then all conditions count at any number of them.

    Raises
    ------
    InputError
        If no memory holds them; with the largest number of local steps.
    """
    T = max(rounds)
    steps = K * T
    require(steps <= MOST_STEPS, "K T", steps, f"at most {MOST_STEPS} local steps in all: no memory holds more")
    if steps < _WORTH:
        return WorkForecast()
    points = 2 * steps if noisy else steps
    if noisy:
        # Before the shorter run, which may be long by itself.
        _require_memory(steps, points)
    passed = [] if noisy else [change + 1 for change in changes if steps > change]
    sparse, lengths = False, passed or [min(max(steps // _SHARE, 1), _LONGEST)]
    for most in lengths:
        # Which conditions are enough depends on the method, and is known soonest where a round has few points.
        short = _shorter(K if most == lengths[-1] else min(K, _NARROW), T, most)
        timed = short[0] * short[1]
        try:
            seconds, conditions = _timed_run(run, *short)
            if seconds < _FEW:
                # The first one has imported what it needs.
                seconds = min(seconds, _timed_run(run, *short)[0])
        except BoundcheckError:
            # Whatever it is, the run itself says it.
            return WorkForecast()
        sparse = bool(passed) and conditions is not None and conditions < _SPARSE * timed**2
        if not sparse or seconds >= _FEW:
            break
    power = _SPARSE_GROWTH if sparse and seconds < _FEW else GROWTH
    megabytes = _require_memory(steps, points) if noisy or (passed and not sparse) else 0.0
    return WorkForecast(float(seconds * sum((K * one / timed) ** power for one in rounds)), megabytes)


def _shorter(K: int, T: int, most: int) -> tuple[int, int]:
    """Return local steps and rounds of a run of about so many local steps in all: fewer rounds, or fewer steps."""
    if most >= 2 * K:
        return K, -(-most // K)
    return (-(-most // T), T) if most >= T else (1, most)


def _require_memory(steps: int, points: int) -> float:
    """Return the megabytes of a programme, and refuse one that takes more memory than the machine has."""
    megabytes = _MEGABYTES * points**4
    there = machine_megabytes() or megabytes
    most = int((there / _MEGABYTES) ** 0.25 * steps / points)
    takes, has = f"{megabytes / 1000:.3g} GB", f"{there / 1000:.3g}"
    legal = f"at most {most} local steps in all: so many take {takes}, and this machine has {has}"
    require(megabytes <= there, "K T", steps, legal)
    return megabytes


def _timed_run(run: Callable[[int, int], int | None], K: int, T: int) -> tuple[float, int | None]:
    """Return the seconds of the processor that a run takes, and its conditions."""
    began = time.process_time()
    conditions = run(K, T)
    return time.process_time() - began, conditions
