"""Methods stepped by hand on small problems, round by round, or somebody's implementation in their place."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from boundcheck.engine.recording import RecordingOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.engine.setting import Setting
from boundcheck.methods import METHODS
from boundcheck.methods.outside import watching
from boundcheck.methods.schedule import CONSTANT, Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from boundcheck.methods import Method
    from boundcheck.problems.base import Array, Problem

Make: TypeAlias = "Callable[[int], Method]"
"""A method for a given number of local steps K."""

SEED = 3

Recording = TypeVar("Recording", bound=RecordingOracle)


def use(name: str, **numbers: Any) -> Make:
    """Return the registered method with these hyperparameters, whatever K is."""
    return lambda K: method(name, **numbers)


def method(name: str, **numbers: Any) -> Method:
    """Return the registered method with these hyperparameters."""
    cls: Any = METHODS[name]
    made: Method = cls(**numbers)
    return made


@dataclass(frozen=True)
class StepPlan:
    """How a method is stepped: local steps, active clients, rounds, lanes and where it begins."""

    K: int = 3
    S: int | None = None
    """Active clients; all by default."""
    T: int = 4
    lanes: int = 2
    late: bool = False
    """Whether to spend the minibatch that other methods spend before the first round."""
    begin: Callable[[Any], Any] | None = None
    """Changes the first state."""
    schedule: Schedule = CONSTANT
    """How hyperparameters change from round to round."""

    def oracle(self, kind: type[Recording], problem: Problem) -> Recording:
        """Return an oracle for `stepped`; the same steps draw the same samples, whatever the method."""
        setting = Setting.of(problem, S=self.S, K=self.K, T=self.T)
        keys = [setting.key(lane) for lane in range(self.lanes)]
        return kind(problem, setting, seed=SEED, keys=keys, observers=[], kinds=("gradients", "minibatches"))


class SteppedRound(NamedTuple):
    """One round of a run, for laws that every round obeys."""

    t: int
    before: Any
    """State before."""
    after: Any
    """State after."""
    seen: Sequence[Array]
    """Gradients of the active clients in the order they were asked for, each (lanes, S, d)."""
    oracle: RecordingOracle

    @property
    def problem(self) -> Any:
        """Return the problem, of whatever family."""
        return self.oracle.problem

    @property
    def gradient(self) -> Array:
        """Return the mean of the round's gradients over steps and clients, (lanes, 1, d)."""
        return over_clients(self.own)

    @property
    def own(self) -> Array:
        """Return every active client's mean gradient over the steps, (lanes, S, d); nan if none was asked for."""
        mean: Array = np.mean(self.seen, axis=0) if self.seen else np.full_like(self.before.x, np.nan)
        return mean


def over_clients(v: Array) -> Array:
    """Return the mean over clients, (lanes, 1, d)."""
    mean: Array = v.mean(axis=1, keepdims=True)
    return mean


class StandIn(Protocol):
    """Somebody's implementation, which takes the place of a registered method on both sides of an identity."""

    def takes(self, made: Method) -> bool:
        """Return whether it stands for this method."""

    def rounds(self, problem: Problem, made: Method, steps: StepPlan) -> Iterator[SteppedRound]:
        """Yield what `stepped` yields, with its iterates in the place of ours."""


# A context variable, not an argument: an identity is a closed check that takes nothing, and which of the methods in
# it an implementation replaces is known only where it steps them.
STAND_IN: ContextVar[StandIn | None] = ContextVar("stand-in", default=None)
"""Who runs in the place of a registered method; nobody by default."""


def harness_rounds(problem: Problem, make: Make, **steps: Any) -> Iterator[SteppedRound]:
    """Step a method, or who stands in its place, by `StepPlan`."""
    how = StepPlan(**steps)
    made, other = make(how.K), STAND_IN.get()
    if other is not None and other.takes(made):
        return other.rounds(problem, made, how)
    return step_method(how.oracle(RecordingOracle, problem), made, how)


def step_method(oracle: RecordingOracle, made: Method, steps: StepPlan) -> Iterator[SteppedRound]:
    """Step a method with an oracle of these steps."""
    if steps.late:
        oracle.initial(np.tile(oracle.problem.start, (steps.lanes, 1, 1)), 1)
    with watching(made):
        state = initial_state(made, oracle, steps.lanes)
        state = state if steps.begin is None else steps.begin(state)
        for t, before, after in rounds(made, oracle, state, steps.T, schedule=steps.schedule):
            yield SteppedRound(t, before, after, oracle.record.gradients, oracle)


def server_iterates(problem: Problem, make: Make, **steps: Any) -> Array:
    """Return the server iterates (T + 1, lanes, d) of `harness_rounds`."""
    run = list(harness_rounds(problem, make, **steps))
    return np.stack([run[0].before.x[:, 0]] + [r.after.x[:, 0] for r in run])
