"""A run that ends in something that is no number: divergence, which is evidence, or a function or method that broke."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from boundcheck.errors import NotANumberError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem

M = TypeVar("M", bound="Method")
FAR = 1e100
"""From here on a point counts as diverged: squares of squares overflow there, and infinities cancel."""
MEASURED_FAR = 1e50
"""The same of a point at which a metric is no number: it may be a sixth power."""


class AllDivergedError(Exception):
    """Every lane that was to run has left the numbers: what is to come says nothing more."""


class FarLanes:
    """Which lanes have left what counts as near since the round began, in a point or in what was asked there."""

    def __init__(self) -> None:
        self.rounds = self.first = 0
        """Rounds begun; the first lane of the block that runs."""
        self.lanes = 0
        self._far: NDArray[np.bool_] = np.zeros(0, dtype=bool)

    def begin_block(self, lanes: int) -> None:
        """Start the count of rounds for further lanes."""
        self.first, self.lanes, self.rounds = self.first + self.lanes, lanes, 0
        self.begin_round()

    def begin_round(self) -> None:
        """Forget what was reached before."""
        self._far = np.zeros(self.lanes, dtype=bool)

    def add(self, values: Array) -> None:
        """Look at values (lanes, ..) that the round made or was given."""
        if len(values) == self.lanes:
            self._far |= ~is_near(values)

    @property
    def near(self) -> NDArray[np.bool_]:
        """Return the lanes in which nothing was far."""
        return ~self._far


def is_near(values: Array, far: float = FAR) -> NDArray[np.bool_]:
    """Return in which lanes all values are finite and below `far`, (lanes,)."""
    size = np.abs(np.asarray(values, dtype=float)).reshape(len(values), -1)
    with np.errstate(invalid="ignore"):
        near: NDArray[np.bool_] = (size < far).all(axis=1)
    return near


def watch_problem(problem: Problem, reached: FarLanes | None = None) -> Problem:
    """Return the problem with values and gradients that raise where they are no number at a finite point.

    Parameters
    ----------
    problem : Problem
    reached : Reached, optional
        Told how far the points and the gradients are.

    Raises
    ------
    NotANumberError
        By a gradient or a value that is not finite at a point nearer than `FAR`; the message names client and point.
    """
    twin = copy.copy(problem)
    for name in ("gradient", "exact_gradient", "mean_gradient", "value"):
        # Bound to the twin: a mean that asks every client is watched client by client.
        method = getattr(type(problem), name).__get__(twin)
        setattr(twin, name, _watching(problem.name, name.replace("_", " "), method, reached))
    return twin


def watched_method(method: M, reached: FarLanes, replicates: Indices) -> M:
    """Return the method with rounds that raise where they make no number out of numbers: 0/0, a root below 0.

    A run that grows beyond `FAR` has diverged: that is evidence, and nothing is raised.

    Parameters
    ----------
    method : Method
    reached : FarLanes
        What the watched problem tells of its points.
    replicates : (lanes,) array
        Which replicate every lane is.

    Raises
    ------
    NotANumberError
        By the first round after which the state is not finite, though all before it was near; the message names the
        method, the round and the lane.
    AllDivergedError
        By the first round after which no lane of the last block is finite.
    """
    plain: Any = type(method)

    def verify(state: Any) -> Any:
        finite = _finite(state, reached.lanes)
        broken = reached.near & ~finite
        if broken.any():
            lane = reached.first + int(broken.argmax())
            where = f"in round {reached.rounds}" if reached.rounds else "before the first round"
            parts = [name for name in state._fields if not _finite(state, reached.lanes, name)[broken.argmax()]]
            msg = (
                f"method {method.card.id}: {', '.join(parts)} {'are' if len(parts) > 1 else 'is'} not finite {where} "
                f"of replicate {int(replicates[lane]) if lane < len(replicates) else lane}, though every point and "
                "gradient before was: a division by 0 or a root of a negative number in the method's own rule, which "
                "is not evidence about a theorem; finite numbers are legal"
            )
            raise NotANumberError(msg)
        if not finite.any() and reached.first + reached.lanes == len(replicates):
            raise AllDivergedError
        return state

    def init(self: Any, oracle: Any, x0: Array) -> Any:
        reached.begin_block(len(x0))
        return verify(plain.init(self, oracle, x0))

    def round(self: Any, oracle: Any, state: Any) -> Any:  # noqa: A001
        reached.rounds += 1
        reached.begin_round()
        # What a state holds may be far before any point is: then it diverged, and divided nothing by 0.
        for part in state:
            if isinstance(part, np.ndarray) and part.ndim:
                reached.add(part)
        return verify(plain.round(self, oracle, state))

    twin = copy.copy(method)
    own = {"init": init, "round": round, "watched": plain, "__module__": plain.__module__}
    kind = type(plain.__name__, (plain,), own)
    object.__setattr__(twin, "__class__", kind)
    return twin


def watched_metric(metric: Metric) -> Metric:
    """Return the metric, which raises where it makes no number of points that are near: its own 0/0.

    Raises
    ------
    NotANumberError
        By a measurement that is not finite though every coordinate is below `MEASURED_FAR`; names metric and point.
    """

    def watching(measure: Callable[..., Array], points: Callable[..., list[Array]]) -> Callable[..., Array]:
        def watch_measure(*given: Any) -> Array:
            found = measure(*given)
            broken = ~np.isfinite(found)
            for x in points(*given):
                broken &= is_near(x, MEASURED_FAR)
            if broken.any():
                at = points(*given)[-1][int(broken.argmax())].ravel().tolist()
                msg = (
                    f"metric {metric.name}: what is measured at x = {at} is not finite: a division by 0 or a root of "
                    "a negative number in the metric's own rule, which is not evidence about a theorem; finite "
                    "numbers are legal"
                )
                raise NotANumberError(msg)
            return found

        return watch_measure

    state = metric.state and watching(metric.state, lambda problem, method, s: [*_arrays(s), s.x])
    measure = watching(metric.measure, lambda problem, y, x: [y, x])
    return dataclasses.replace(metric, measure=measure, state=state)


def _arrays(state: Any) -> list[Array]:
    """Return the parts of a state that have a row a lane."""
    return [part for part in state if isinstance(part, np.ndarray) and part.ndim and len(part) == len(state.x)]


def _finite(state: Any, lanes: int, name: str | None = None) -> NDArray[np.bool_]:
    """Return in which lanes a state, or one part of it, is finite."""
    found = np.ones(lanes, dtype=bool)
    for part in state if name is None else (getattr(state, name),):
        if isinstance(part, np.ndarray) and part.ndim and len(part) == lanes:
            found &= np.isfinite(part).reshape(lanes, -1).all(axis=1)
    return found


def _watching(
    problem: str, what: str, function: Callable[..., Array], reached: FarLanes | None
) -> Callable[..., Array]:
    def watching(x: Array, *more: Any) -> Array:
        found = function(x, *more)
        if reached is not None:
            reached.add(x)
            reached.add(found)
        near = np.isfinite(x).all(axis=-1) & (np.abs(x).max(axis=-1) < FAR)
        numbers = np.isfinite(found).reshape(*near.shape, -1).all(axis=-1)
        broken = np.argwhere(near & ~numbers)
        if len(broken):
            lane, row = (int(i) for i in broken[0])
            msg = f"{problem}: {what}{_of(x, row, lane, *more)} at x = {x[lane, row].tolist()} is not finite"
            raise NotANumberError(f"{msg}; finite numbers are legal")
        return found

    return watching


def _of(x: Array, row: int, lane: int, clients: Indices | None = None, *_: object) -> str:
    """Return whose row it is; a server point with one row is everybody's."""
    if clients is not None:
        return f" of client {int(np.broadcast_to(clients, x.shape[:2])[lane, row])}"
    return f" of client {row}" if x.shape[1] > 1 else ""
