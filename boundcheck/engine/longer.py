"""A run in longer numbers: what rounding alone has made shrinks in it, what is true stays."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.exact.paths import EnumeratingOracle
from boundcheck.engine.observers import observer_of
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.methods.outside import watching

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Problem

EPSILON = float(np.finfo(np.longdouble).eps) / 2
"""Relative rounding of the longest numbers of this machine: 2^-64 on x86, 2^-113 or that of doubles elsewhere."""
_LONGER = 2.0**-60
"""What a rounding must be below to be that of longer numbers."""
DOUBLES = 2.0**-53
"""Relative rounding of a double."""
_ROUNDINGS = 8
"""Of doubles, by which a disturbed run is moved at every gradient."""
_STEPS, _NUMBERS = 50_000, 20_000_000
"""Most local steps of a run, and most numbers in all of its arrays together."""
_BROKEN = (BoundcheckError, ArithmeticError, AttributeError, IndexError, NotImplementedError, TypeError, ValueError)
"""What code raises that was written for doubles."""


def average_in_longer_numbers(
    problem: Problem,
    method: Method,
    metric: Metric,
    setting: Setting,
    *,
    paths: int | None = None,
    disturbance: Disturbance | None = None,
) -> Array:
    """Return the average of a metric over a run in `numpy.longdouble`, or on every path of one.

    Parameters
    ----------
    problem, method, metric, setting
        What is run and measured; the hyperparameters may be longer numbers already.
    paths : int, optional
        How many equally likely paths the run has; without it, it has no randomness.
    disturbance : Disturbance, optional
        By what gradients and measured points are moved.

    Returns
    -------
    Array
        Shape (1,) or (paths,), of `numpy.longdouble`.

    Raises
    ------
    NotApplicableError
        If there is no such run; the message says why: the machine has no longer numbers, the run is long, or problem,
        method or metric compute in doubles.
    """
    lanes = 1 if paths is None else paths
    _require_possible(problem, metric, setting, lanes)
    observer = observer_of(_guard_metric(metric, disturbance), lanes, np.longdouble)
    made = lengthen_tables(problem)
    shared: dict[str, Any] = {"observers": [observer], "disturbance": disturbance}
    try:
        # Runs may diverge: then there is nothing to compare, which the caller sees.
        with watching(method), np.errstate(all="ignore"):
            oracle: LaneOracle
            if paths is None:
                oracle = _Oracle(made, setting, seed=0, keys=[setting.key(0)], **shared)
            else:
                oracle = _PathsOracle(made, setting, paths=paths, most=paths, **shared)
            state = initial_state(method, oracle, lanes)
            for step in rounds(method, oracle, state, setting.T):
                state = step.after
            for part in state:
                _require_longer(f"method {method.card.id}", part)
            observer.end(made, method, state)
            return observer.running
    except _BROKEN as error:
        raise NotApplicableError(f"{error}") from error


class Disturbance:
    """Errors of the size of a few roundings of doubles, the same at every step of a run, so that they add up.

    Parameters
    ----------
    seed : int
        Of their signs and sizes.
    gradient, point : float
        The largest gradient and point of a run: what they are sums of may be as large where they are small.
    smooth : float
        L: a point that is rounded has a gradient that is as wrong; 0 where it is not known.
    """

    def __init__(self, seed: int, *, gradient: float, point: float, smooth: float) -> None:
        self._draw = np.random.default_rng(seed)
        self._gradient, self._point, self._smooth = gradient, point, smooth
        self._errors: dict[tuple[int, ...], Array] = {}

    def of_gradient(self, g: Array, y: Array) -> Array:
        """Return gradients at points, moved."""
        return g + self._error(g.shape[1:]) * (self._gradient + _norm(g) + self._smooth * _norm(y))

    def of_points(self, *points: Array) -> list[Array]:
        """Return points, moved."""
        return [x + self._error(x.shape[1:]) * (self._point + _norm(x)) for x in points]

    def _error(self, shape: tuple[int, ...]) -> Array:
        if shape not in self._errors:
            self._errors[shape] = _ROUNDINGS * DOUBLES * self._draw.uniform(-1, 1, shape)
        return self._errors[shape]


def _norm(v: Array) -> Array:
    found: Array = np.sqrt((v * v).sum(axis=-1, keepdims=True))
    return found


def lengthen_tables(problem: Problem) -> Problem:
    """Return the problem with the numbers of its tables, the start among them, as longer ones of the same value."""
    longer = copy.copy(problem)
    tables = {name: table for name, table in vars(problem).items() if _is_double(table)}
    vars(longer).update({name: table.astype(np.longdouble) for name, table in tables.items()})
    return longer


def _require_possible(problem: Problem, metric: Metric, setting: Setting, lanes: int) -> None:
    """Refuse a run that would take too long, or for which there are no numbers."""
    steps = setting.K * setting.T
    numbers = steps * lanes * setting.N * problem.d
    if EPSILON > _LONGER:
        msg = "this machine has no numbers longer than doubles"
        raise NotApplicableError(msg)
    if steps > _STEPS or numbers > _NUMBERS:
        msg = f"{steps} steps of {lanes * setting.N * problem.d} numbers take too long in longer numbers"
        raise NotApplicableError(msg)
    if metric.transition is not None:
        msg = f"metric {metric.name} measures whole rounds, which are run in doubles only"
        raise NotApplicableError(msg)


def _guard_metric(metric: Metric, disturbance: Disturbance | None) -> Metric:
    """Return the metric, refusing to measure in doubles, at points that are moved."""

    def longer(measured: Callable[..., Array]) -> Callable[..., Array]:
        def measure(*given: Any) -> Array:
            found = measured(*given)
            _require_longer(f"metric {metric.name}", found)
            return found

        return measure

    def at_moved(problem: Problem, *points: Array) -> Array:
        return metric.measure(problem, *(points if disturbance is None else disturbance.of_points(*points)))

    state = None if metric.state is None else longer(metric.state)
    return dataclasses.replace(metric, measure=longer(at_moved), state=state)


class _Oracle(LaneOracle):
    """The oracle of a run in longer numbers: it refuses a gradient that was computed in doubles."""

    def __init__(self, *given: Any, disturbance: Disturbance | None, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self._weights = self._even_weights(np.longdouble)
        self._disturbance = disturbance

    def _add_weight_decay(self, g: Array, y: Array) -> Array:
        _require_longer("the method's point", y)
        _require_longer(f"problem {self.problem.name}", g)
        g = g if self._disturbance is None else self._disturbance.of_gradient(g, y)
        return super()._add_weight_decay(g, y)


class _PathsOracle(_Oracle, EnumeratingOracle):
    """The same on every path of a run."""

    def initial(self, x0: Array, b: int) -> Array:
        """Return all clients' gradients at x0, in longer numbers."""
        return self._add_weight_decay(super().initial(x0, b), x0)


def _is_double(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64


def _require_longer(what: str, value: object) -> None:
    """Refuse doubles where longer numbers are meant."""
    if _is_double(value):
        msg = f"{what} computes in doubles"
        raise NotApplicableError(msg)
