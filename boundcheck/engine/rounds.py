"""The round loop: whoever steps a method with an oracle does it here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.engine.oracle import LaneOracle
    from boundcheck.methods.base import Method


class Transition(NamedTuple):
    """One round of a run."""

    t: int
    """Rounds done before it."""
    before: Any
    """The method's state before the round."""
    after: Any
    """The state after it."""


def initial_state(method: Method, oracle: LaneOracle, lanes: int) -> Any:
    """Return the state of a method before its first round, every lane at the problem's start."""
    return method.init(oracle, np.tile(oracle.problem.start, (lanes, 1, 1)))


def rounds(
    method: Method, oracle: LaneOracle, state: Any, count: int, *, schedule: Schedule = CONSTANT, done: int = 0
) -> Iterator[Transition]:
    """Yield `count` rounds of a method from a state, after `done` others that count for its schedule.

    A round is made when it is asked for, under the caller's `numpy.errstate`; what the oracle recorded in it stands
    until the next one is asked for.
    """
    for t in range(count):
        oracle.begin_round(state.x)
        before, state = state, schedule.at(method, done + t).round(oracle, state)
        yield Transition(t, before, state)
