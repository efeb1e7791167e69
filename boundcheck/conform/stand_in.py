"""Somebody's implementation in the place of a registered method, inside the checks of our identities."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.identity import NotAskedError
from boundcheck.conform.runs.calling import as_array, copied_parts, one_array, takes
from boundcheck.conform.runs.harness import SteppedRound, step_method
from boundcheck.conform.runs.replay import ReplayOracle, state_of
from boundcheck.engine.recording import RecordingOracle
from boundcheck.errors import require
from boundcheck.methods import METHODS
from boundcheck.methods.base import is_method

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.runs.harness import StepPlan
    from boundcheck.conform.runs.replay import Client
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array, Problem


def _moved_on(clients: list[Client], active: list[list[int]], path: list[dict[str, Array]]) -> bool:
    """Return whether the clients of a round did not start where the list says that the round starts."""
    firsts = [clients[chosen[0]].points[t] for t, chosen in enumerate(active)]
    return any(
        bool(points) and not np.allclose(points[0][1], state["x"].ravel())
        for points, state in zip(firsts, path, strict=False)
    )


class _ShownState:
    """What an implementation shows of its state in all lanes: the server iterate, and what it returns beside it."""

    def __init__(self, items: Sequence[Any], d: int) -> None:
        self._parts = {
            name: np.stack([np.asarray(state[name], dtype=float).reshape(-1, d) for state in map(state_of, items)])
            for name in state_of(items[0])
        }

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["_parts"]:
            return self.__dict__["_parts"][name]
        msg = f"reads {name}, which the iterates do not show"
        raise NotAskedError(msg)


class _OwnState:
    """The state of a method of the user's own, which need not have the parts of ours."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def __getattr__(self, name: str) -> Any:
        if hasattr(self._state, name):
            return getattr(self._state, name)
        msg = f"reads {name}, which the method's state does not have"
        raise NotAskedError(msg)


@dataclass
class Adapter:
    """An implementation in the place of a registered method."""

    method: str
    function: Callable[..., Any]
    ran: bool = False
    overwritten: bool = False
    """Whether one array stood for several rounds while the clients started from others."""

    def takes(self, made: Method) -> bool:
        """Return whether the method is the registered one, and not another in its letters."""
        return type(made) is METHODS[self.method]

    def rounds(self, problem: Problem, made: Method, steps: StepPlan) -> Iterator[SteppedRound]:
        """Record our run, call the implementation on its samples, and yield its rounds beside ours."""
        if steps.begin is not None:
            raise NotAskedError("starts from a state that an implementation is not given")
        if is_method(self.function):
            yield from self._own_method(problem, made, steps)
            return
        # Our method runs twice: ahead, as an implementation is called for all its rounds at once and needs their
        # samples, and then beside it, as a law may ask the oracle of the round that it is at.
        replay = steps.oracle(ReplayOracle, problem)
        for _ in step_method(replay, made, steps):
            pass
        if replay.tosses and not takes(self.function, "coins"):
            raise NotAskedError("flips coins of the method, which the function does not take as coins")
        self.ran = True
        clients = [replay.clients(lane) for lane in range(steps.lanes)]
        paths = [self._path(made, replay, of_lane, lane, steps) for lane, of_lane in enumerate(clients)]
        shown = [_ShownState([path[t] for path in paths], problem.d) for t in range(steps.T + 1)]
        for r in step_method(steps.oracle(RecordingOracle, problem), made, steps):
            yield SteppedRound(r.t, shown[r.t], shown[r.t + 1], _GradientRequests(replay, clients, r.t), r.oracle)

    def _own_method(self, problem: Problem, made: Method, steps: StepPlan) -> Iterator[SteppedRound]:
        """Yield the rounds of a method of the user's own, which is stepped like ours."""
        cls: Any = self.function
        own = cls(**self._numbers_to_pass(made))
        self.ran = True
        for r in step_method(steps.oracle(RecordingOracle, problem), own, steps):
            yield r._replace(before=_OwnState(r.before), after=_OwnState(r.after))

    def _path(self, made: Method, replay: ReplayOracle, clients: list[Client], lane: int, steps: StepPlan) -> list[Any]:
        start, active, T = replay.problem.start.copy(), replay.active_sets(lane), steps.T
        more: dict[str, Any] = {"coins": replay.coins_of(lane)} if takes(self.function, "coins") else {}
        more |= {"K_i": [steps.K] * len(clients)} if takes(self.function, "K_i") else {}
        numbers = self._numbers_to_pass(made)
        result = self.function(clients, start, K=steps.K, T=T, active=active, **more, **numbers)
        # Copied one by one: a generator may go on computing in the array that it has just yielded.
        kept = [(state_of(item), copied_parts(item)) for item in result]
        require(len(kept) == T + 1, "number of the iterates", len(kept), f"{T + 1}")
        path = [copy for _, copy in kept]
        if one_array([as_array(state["x"]) for state, _ in kept]):
            self.overwritten = self.overwritten or _moved_on(clients, active, path)
        return path

    def _numbers_to_pass(self, made: Method) -> dict[str, Any]:
        """Return the hyperparameters that the function takes; the others have to be the defaults."""
        parameters = inspect.signature(self.function).parameters
        every = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        passed = {}
        for field in dataclasses.fields(made):  # type: ignore[arg-type]
            value = getattr(made, field.name)
            if every or field.name in parameters:
                passed[field.name] = value
            elif value != field.default:
                msg = f"needs {field.name} = {value!r}, which the function does not take"
                raise NotAskedError(msg)
        return passed


class _GradientRequests(Sequence["Array"]):
    """The gradients of the active clients in a round, step by step, if each was asked for one a step.

    They are put together when a law reads them: one that does not is asked of every implementation.
    """

    def __init__(self, replay: ReplayOracle, clients: Sequence[Sequence[Client]], t: int) -> None:
        self._replay, self._clients, self._t = replay, clients, t

    @property
    def _steps(self) -> list[Array]:
        K, t = self._replay.K, self._t
        rows = [
            [lane[i].asked[t] for i in chosen] for lane, chosen in zip(self._clients, self._replay.sets[t], strict=True)
        ]
        if any(len(answers) != K for lane in rows for answers in lane):
            raise NotAskedError("counts on the order of our gradients, one a step")
        return [np.array([[answers[k] for answers in lane] for lane in rows]) for k in range(K)]

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, k: Any) -> Any:
        return self._steps[k]
