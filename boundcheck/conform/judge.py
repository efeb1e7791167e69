"""The identities of a method, asked of somebody's implementation that takes the method's place."""

from __future__ import annotations

import dataclasses
import inspect
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.checks import LIMIT
from boundcheck.conform.harness import STAND_IN, SteppedRound, stepped
from boundcheck.conform.identities import about
from boundcheck.conform.identity import Judgement, NotAskedError
from boundcheck.conform.replay import ReplayOracle, state_of
from boundcheck.engine.recording import RecordingOracle
from boundcheck.errors import require
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.harness import Steps
    from boundcheck.conform.identity import MethodIdentity
    from boundcheck.conform.replay import Client
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array, Problem


def judge(function: Callable[..., Any], *, method: str, tolerance: float = 1e-9) -> tuple[Judgement, ...]:
    """Ask the identities that speak of a registered method of an implementation of it.

    The implementation runs on our samples wherever the identity runs the method, on both sides.  An identity is not
    asked if it needs a hyperparameter that the function does not take, a state that iterates do not show, or coins of
    the method itself; it is listed all the same, with the reason.

    Parameters
    ----------
    function : callable
        As for `boundcheck.conform.compare`.
    method : str
        Name of the registered method.
    tolerance : float
        Takes the place of an identity's own tolerance where it is larger.

    Returns
    -------
    tuple of Judgement
        One for every identity of `about`, in order.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    """
    require(tolerance > 0, "tolerance", tolerance, "a number > 0")
    return tuple(_judged(identity, function, method, tolerance) for identity in about(method))


def _judged(identity: MethodIdentity, function: Callable[..., Any], method: str, tolerance: float) -> Judgement:
    stand_in = _Adapter(method, function)
    token = STAND_IN.set(stand_in)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            # An implementation that is wrong may divide by zero: that is a deviation of nan or inf.
            warnings.simplefilter("ignore", RuntimeWarning)
            deviation, allowed = identity.check()
        if not stand_in.ran:
            raise NotAskedError("is about a part that is not run through the adapter")
        if allowed == LIMIT and tolerance > allowed / 100:
            raise NotAskedError("is a limit, which needs more digits than the tolerance leaves")
    except NotAskedError as reason:
        return Judgement(identity.id, identity.statement, "not asked", None, None, str(reason))
    except Exception as error:  # noqa: BLE001 - whatever an implementation raises is its own failure
        raised = f"raised {type(error).__name__}: {error}"
        return Judgement(identity.id, identity.statement, "fails", float("inf"), None, raised)
    finally:
        STAND_IN.reset(token)
    allowed = max(allowed, tolerance if tolerance > _DEFAULT else 0.0)
    verdict = "holds" if deviation <= allowed else "fails"
    return Judgement(identity.id, identity.statement, verdict, deviation, allowed, "")


_DEFAULT = 1e-9
"""The tolerance of `compare` in double precision, where identities have their own."""


class _Shown:
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


@dataclass
class _Adapter:
    """An implementation in the place of a registered method."""

    method: str
    function: Callable[..., Any]
    ran: bool = False

    def takes(self, made: Method) -> bool:
        """Return whether the method is the registered one, and not another in its letters."""
        return type(made) is METHODS[self.method]

    def rounds(self, problem: Problem, made: Method, steps: Steps) -> Iterator[SteppedRound]:
        """Record our run, call the implementation on its samples, and yield its rounds beside ours."""
        if steps.begin is not None:
            raise NotAskedError("starts from a state that an implementation is not given")
        replay = steps.oracle(ReplayOracle, problem)
        for _ in stepped(replay, made, steps):
            pass
        if replay.coins:
            raise NotAskedError("flips coins of the method, which are not handed out")
        self.ran = True
        clients = [replay.clients(lane) for lane in range(steps.lanes)]
        paths = [self._path(made, replay, of_lane, lane, steps) for lane, of_lane in enumerate(clients)]
        shown = [_Shown([path[t] for path in paths], problem.d) for t in range(steps.T + 1)]
        for r in stepped(steps.oracle(RecordingOracle, problem), made, steps):
            yield SteppedRound(r.t, shown[r.t], shown[r.t + 1], _Asked(replay, clients, r.t), r.oracle)

    def _path(self, made: Method, replay: ReplayOracle, clients: list[Client], lane: int, steps: Steps) -> list[Any]:
        start, active, T = replay.problem.start.copy(), replay.active_sets(lane), steps.T
        path = list(self.function(clients, start, K=steps.K, T=T, active=active, **self._passed(made)))
        require(len(path) == T + 1, "number of the iterates", len(path), f"{T + 1}")
        return path

    def _passed(self, made: Method) -> dict[str, Any]:
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


class _Asked(Sequence["Array"]):
    """The gradients of the active clients in a round, step by step, if each was asked for one a step."""

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
