"""Simulate one block of lanes: what a worker process does."""

from __future__ import annotations

import dataclasses
import itertools
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from boundcheck.engine.observers import Observer
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.quantities import Watch
from boundcheck.engine.recording import RecordingOracle
from boundcheck.engine.rounds import initial_state, rounds

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem

M = TypeVar("M", bound="Method")


@dataclasses.dataclass(frozen=True)
class BlockJob:
    """Lanes that are simulated together, longest horizon first."""

    problem: Problem
    method: Method
    setting: Setting
    """Its horizon is that of the longest lane."""
    seed: int
    metrics: dict[str, Metric]
    """By the name of their curves."""
    checkpoints: Indices
    horizons: Indices
    replicates: Indices
    quantities: tuple[str, ...] = ()
    """What belongs to the run rather than the problem: see `boundcheck.engine.quantities`."""

    @property
    def keys(self) -> list[tuple[int, ...]]:
        """Return what decides every lane's random numbers, with the seed."""
        lanes = zip(self.horizons.tolist(), self.replicates.tolist(), strict=True)
        return [self.setting.at(horizon).key(replicate) for horizon, replicate in lanes]


class Part(NamedTuple):
    """What comes back from a block."""

    curves: dict[str, Array]
    instant: dict[str, Array]
    final: Array
    gradients: int
    worst: dict[str, Array]


def for_lanes(method: M, rows: Any) -> M:
    """Return the method with the per-lane hyperparameters of the given lanes; a plain number serves all."""
    arrays = {
        f.name: value[rows]
        for f in dataclasses.fields(method)  # type: ignore[arg-type]
        if isinstance(value := getattr(method, f.name), np.ndarray)
    }
    return dataclasses.replace(method, **arrays) if arrays else method  # type: ignore[type-var]


def run_block(job: BlockJob) -> Part:
    """Simulate a block; lanes drop out when their horizon is reached or their iterate is no longer finite."""
    lanes = len(job.horizons)
    observers = [Observer(metric, lanes) for metric in job.metrics.values()]
    oracle = _oracle(job, observers)
    watch = Watch(job.quantities, job.problem, job.setting, job.seed, job.keys) if job.quantities else None
    method, alive = job.method, np.arange(lanes)
    table = Curves(job, lanes)
    # Runs may diverge: infinities are what is measured then, not worth a warning.
    with np.errstate(all="ignore"):
        state = initial_state(method, oracle, lanes)
        for column, (done, stop) in enumerate(itertools.pairwise([0, *job.checkpoints.tolist()])):
            for step in rounds(method, oracle, state, stop - done):
                state = step.after
                if watch and isinstance(oracle, RecordingOracle):
                    watch.round(method, oracle, step.before, state, alive)
            table.record(column, alive, observers, state.x)
            # Left lanes are cut out of state, method, streams and sums alike: dead rows would cost time, and what is
            # left computes the same bits in a smaller array.
            going = (job.horizons[alive] > stop) & np.isfinite(state.x).all(axis=(1, 2))
            if not going.any():
                break
            if not going.all():
                method, state, alive = for_lanes(method, going), _kept(state, going), alive[going]
                oracle.keep(going)
                if watch:
                    watch.keep(going)
    return table.finished(oracle.gradients, watch.worst if watch else {})


def _oracle(job: BlockJob, observers: list[Observer]) -> LaneOracle:
    kind: Callable[..., LaneOracle] = partial(RecordingOracle, kinds=("means",)) if job.quantities else LaneOracle
    return kind(job.problem, job.setting, seed=job.seed, keys=job.keys, observers=observers)


def _kept(state: Any, lanes: Array) -> Any:
    return type(state)(*(v[lanes] if isinstance(v, np.ndarray) else v for v in state))


class Curves:
    """The curves of a block while it runs."""

    def __init__(self, job: BlockJob, lanes: int) -> None:
        self._job = job
        shape = (lanes, len(job.checkpoints))
        self._curves = {name: np.full(shape, np.nan) for name in job.metrics}
        self._instant = {name: np.full(shape, np.nan) for name in job.metrics}
        self._final = np.full((lanes, job.problem.d), np.nan)

    def record(self, column: int, alive: Indices, observers: list[Observer], x: Array) -> None:
        """Keep the running averages, the last values and the server iterates of the lanes that are left."""
        for name, observer in zip(self._job.metrics, observers, strict=True):
            self._curves[name][alive, column] = observer.running
            self._instant[name][alive, column] = observer.last
        self._final[alive] = x[:, 0]

    def finished(self, gradients: int, worst: dict[str, Array]) -> Part:
        """Return the tables; a value that is not finite within a lane's horizon becomes inf (diverged)."""
        # nan means "not asked for", so a lane that diverged and dropped out must not keep it before its horizon.
        within = self._job.checkpoints[None, :] <= self._job.horizons[:, None]
        for values in (*self._curves.values(), *self._instant.values()):
            values[within & ~np.isfinite(values)] = np.inf
        return Part(self._curves, self._instant, self._final, gradients, worst)
