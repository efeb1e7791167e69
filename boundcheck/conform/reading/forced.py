"""Our local steps from the iterates of an implementation: the displacements that its server was given, if those agree.

What the server makes of them can then be looked at alone, whatever else the iterates hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.wrong import Round
from boundcheck.methods.base import Method
from boundcheck.methods.composed import Composed
from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from boundcheck.conform.faults.wrong import Mistake
    from boundcheck.conform.runs.replay import RecordedRun
    from boundcheck.methods.base import Oracle, Vector
    from boundcheck.problems.base import Array


class ForcedState(NamedTuple):
    """What a round made of the iterate that it was given."""

    x: Vector
    """The next iterate that is given (lanes, 1, d)."""
    D: Vector
    """The mean displacement (lanes, 1, d)."""
    squares: Vector
    """The mean of the squared displacements (lanes, 1, d)."""
    ends: Vector
    """Where the active clients end (lanes, S, d)."""
    t: int


@dataclass(frozen=True)
class Forced(Method):
    """The local steps of a method from iterates that are given."""

    right: Any
    path: Any
    mistake: Mistake | None = None
    schedule: Schedule = CONSTANT

    def init(self, oracle: Oracle, x0: Vector) -> ForcedState:
        """Start at the first of them."""
        return ForcedState(self.path[0].reshape(1, 1, -1), 0.0 * x0, 0.0 * x0, x0, 0)

    def round(self, oracle: Oracle, state: ForcedState) -> ForcedState:
        """Take the local steps, and go to the next iterate."""
        t = state.t
        m = self.schedule.at(self.right, t)
        if self.mistake is not None:
            r = Round(m, oracle, state, t=t)
            oracle, m = self.mistake.oracle(r), self.mistake.numbers(r)
        y = m.local(oracle, state, oracle.to_clients(state.x))
        D = m.average(oracle, state.x, y) - state.x
        squares = oracle.mean((y - state.x) ** 2)
        return ForcedState(self.path[t + 1].reshape(1, 1, -1), D, squares, y, t + 1)


class RecordedDisplacements(NamedTuple):
    """What the server was given in one run, round by round: mean displacement, mean of the squares, each (T, d)."""

    D: Array
    squares: Array
    ends: list[Array]
    """Of every round (S, d)."""


def displacements(
    made: Method, run: RecordedRun, path: Array, mistake: Mistake | None = None
) -> RecordedDisplacements | None:
    """Return the mean displacements of our local steps from somebody's iterates, on the same samples.

    None for a method that is not made of a local and a server rule, or whose local rule reads more than the iterate.
    """
    if not isinstance(made, Composed):
        return None
    try:
        states = run.states(Forced(made, path, mistake))
    except AttributeError:  # the local rule reads a part of the state that iterates do not show
        return None
    D, squares = (np.array([getattr(s, name)[0, 0] for s in states]) for name in ("D", "squares"))
    return RecordedDisplacements(D, squares, [s.ends[0] for s in states])
