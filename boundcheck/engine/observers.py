"""What is measured along a run, kept as running averages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require
from boundcheck.metrics import Metric, metric_of
from boundcheck.metrics.measuring import mean_point

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boundcheck.methods.base import Hyper
    from boundcheck.metrics.transitions import RoundTransition
    from boundcheck.problems.base import Array, Problem


class Observer:
    """Keeps the running sum of one metric for a block of lanes."""

    def __init__(self, metric: Metric, lanes: int, number: type[np.floating] = np.float64) -> None:
        self.metric = metric
        self.total: Array = np.zeros(lanes, dtype=number)
        self.last: Array = np.zeros(lanes, dtype=number)
        self.count = 0
        self._weights = 0.0

    def server(self, problem: Problem, x: Array) -> None:
        """Measure at a server iterate."""
        if not self.metric.local and self.metric.transition is None:
            # (1 + z)^-t in place of (1 + z)^(T-1-t): the average is the same and needs no horizon.
            self._add(self.metric.measure(problem, x, x), (1.0 + self.metric.growth) ** -self.count)

    def local(self, problem: Problem, y: Array, x: Array | None, weight: Hyper) -> None:
        """Measure at the local iterates of one step."""
        if self.metric.local and x is not None:
            self._add(self.metric.measure(problem, y, x), weight if self.metric.weighted else 1.0)

    def round(self, seen: RoundTransition) -> None:
        """Measure a whole round."""
        if self.metric.transition is not None:
            self._add(self.metric.transition(seen), 1.0)

    def _add(self, value: Array, weight: Hyper) -> None:
        self.last = value
        if isinstance(weight, float):
            self.total += value if weight == 1.0 else value * weight
        else:
            self.total += value * np.reshape(weight, -1)
        self.count += 1
        self._weights += 0.0 if self.metric.weighted else float(weight)

    def stand(self, total: Array, last: Array, count: int) -> None:
        """Stand where `count` measurements have led whose weights came with the values."""
        self.total, self.last, self.count = total, last, count
        if not self.metric.weighted:
            powers = (1.0 + self.metric.growth) ** -np.arange(count, dtype=float)
            self._weights = float(count) if not self.metric.growth else float(powers.sum())

    def end(self, problem: Problem, method: Any, state: Any) -> None:
        """Stand at the end of a round, before what was measured is asked for."""

    @property
    def running(self) -> Array:
        """Return the running average (the running sum of a weighted metric), shape (lanes,)."""
        return self.total.copy() if self.metric.weighted else self.total / max(self._weights, 1e-300)

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self.total, self.last = self.total[lanes], self.last[lanes]


class Least(Observer):
    """Keeps the least measurement."""

    def _add(self, value: Array, weight: Hyper) -> None:
        # What is no number is no least one: a run that diverged has been where it was.
        self.total = np.fmin(self.total, value) if self.count else value
        self.last = value
        self.count += 1

    @property
    def running(self) -> Array:
        """Return the least value so far, (lanes,)."""
        return self.total.copy()


class End(Observer):
    """Measures the state after the last round alone."""

    def server(self, problem: Problem, x: Array) -> None:
        """Pass over a point on the way."""

    def end(self, problem: Problem, method: Any, state: Any) -> None:
        """Measure."""
        self.total = self.last = self.metric.at_end(problem, method, state)

    @property
    def running(self) -> Array:
        """Return what was measured last, (lanes,)."""
        return self.total.copy()


class Centre(Observer):
    """Measures the average of the points, with weights (1 + growth)^(T-1-t)."""

    def __init__(self, metric: Metric, lanes: int, number: type[np.floating] = np.float64) -> None:
        super().__init__(metric, lanes, number)
        self._centre: Array | None = None
        self._share = 0.0

    def server(self, problem: Problem, x: Array) -> None:
        """Take in a server iterate."""
        if not self.metric.local:
            self._take(x)

    def local(self, problem: Problem, y: Array, x: Array | None, weight: Hyper) -> None:
        """Take in the mean of the local iterates of one step."""
        if self.metric.local and x is not None:
            self._take(mean_point(problem, y))

    def _take(self, x: Array) -> None:
        # `_share` is the sum of all weights over the newest one: it stays small where weights grow with t.
        self._share = self._share * (1.0 + self.metric.growth) + 1.0
        centre = x if self._centre is None else self._centre
        self._centre = centre + (x - centre) / self._share

    def end(self, problem: Problem, method: Any, state: Any) -> None:
        """Measure at the average so far."""
        if self._centre is not None:
            self.total = self.last = self.metric.measure(problem, self._centre, self._centre)

    @property
    def running(self) -> Array:
        """Return what was measured last, (lanes,)."""
        return self.total.copy()

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        super().keep(lanes)
        self._centre = None if self._centre is None else self._centre[lanes]


class Regret(Observer):
    """Sums the losses of an online problem, and compares with the best fixed point."""

    def server(self, problem: Problem, x: Array) -> None:
        """Pay the loss of this round at the server iterate."""
        self.last = problem.loss_of_round(self.count, x)
        self.total = self.total + self.last
        self.count += 1

    def end(self, problem: Problem, method: Any, state: Any) -> None:
        """Ask for the best fixed point in hindsight."""
        self._best = problem.least_loss(self.count)

    @property
    def running(self) -> Array:
        """Return the regret so far, (lanes,)."""
        return self.total - self._best


_OBSERVERS: dict[str, type[Observer]] = {
    "mean": Observer,
    "least": Least,
    "end": End,
    "centre": Centre,
    "regret": Regret,
}


def observer_of(metric: Metric, lanes: int, number: type[np.floating] = np.float64) -> Observer:
    """Return what keeps a metric for a block of lanes, in sums of numbers of this type."""
    return _OBSERVERS[metric.over](metric, lanes, number)


def metric_named(asked: str | Metric, problem: Problem) -> Metric:
    """Return a metric that can be measured on `problem`, from its record or from text that `metric_of` reads.

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    NotApplicableError
        If it cannot be measured on the problem.
    """
    metric = asked if isinstance(asked, Metric) else metric_of(asked)
    metric.require_on(problem)
    return metric


def metrics_named(asked: Iterable[str | Metric], problem: Problem) -> dict[str, Metric]:
    """Return metrics by the name of their curves: the text that asked for it, or the name of a record.

    Raises
    ------
    InputError
        If two different metrics have one name.
    """
    found: dict[str, Metric] = {}
    for one in asked:
        name, metric = one if isinstance(one, str) else one.name, metric_named(one, problem)
        require(found.setdefault(name, metric) == metric, "metrics", name, "one metric a name")
    return found
