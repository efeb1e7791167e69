"""Simulate one block of lanes: what a worker process does."""

from __future__ import annotations

import dataclasses
import itertools
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.engine.hyper import with_arrays
from boundcheck.engine.meter import AXES, Meter
from boundcheck.engine.mixed_oracle import MixedOracle
from boundcheck.engine.observers import Observer, observer_of
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.quantities import Watch
from boundcheck.engine.recording import RecordingOracle
from boundcheck.engine.rounds import Transition, initial_state, rounds
from boundcheck.methods.outside import watching
from boundcheck.methods.schedule import CONSTANT, Schedule
from boundcheck.metrics.transitions import RoundTransition

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.mixed import Mix
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem


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
    schedule: Schedule = CONSTANT
    weight_decay: float = 0.0
    mix: Mix | None = None
    """How many clients every lane has, where they have not the same number; the lanes are in its order."""

    @property
    def keys(self) -> list[tuple[int, ...]]:
        """Return what decides every lane's random numbers, with the seed."""
        lanes = zip(self.horizons.tolist(), self.replicates.tolist(), strict=True)
        if self.mix is None:
            return [self.setting.at(horizon).key(replicate) for horizon, replicate in lanes]
        clients = zip(self.mix.N.tolist(), self.mix.S.tolist(), strict=True)
        return [
            dataclasses.replace(self.setting, N=N, S=S, T=horizon).key(replicate)
            for (horizon, replicate), (N, S) in zip(lanes, clients, strict=True)
        ]


class BlockResult(NamedTuple):
    """What comes back from a block."""

    curves: dict[str, Array]
    instant: dict[str, Array]
    final: Array
    gradients: int
    worst: dict[str, Array]
    costs: dict[str, Array]


@cache
def _keep_freed_memory() -> None:
    """Make the C library keep the memory of temporary arrays, once a process.

    glibc hands what is freed at the end of the heap back to the system, and every 4 KiB of the next array cost a page
    fault: ten times its arithmetic.  Once a block was freed that was mapped by itself, it keeps twice as much.
    """
    np.empty(_MAPPED, dtype=np.uint8)


_MAPPED = 16 << 20
"""Bytes; above 32 MiB glibc learns nothing."""


def run_block(job: BlockJob) -> BlockResult:
    """Simulate a block; lanes drop out when their horizon is reached or their iterate is no longer finite."""
    _keep_freed_memory()
    lanes = len(job.horizons)
    observers = [observer_of(metric, lanes) for metric in job.metrics.values()]
    oracle = _oracle(job, observers)
    watch = (
        Watch(job.quantities, job.problem, job.setting, job.seed, job.keys, job.weight_decay)
        if job.quantities
        else None
    )
    method, alive = oracle.for_rows(job.method), np.arange(lanes)
    table, meter = Curves(job, lanes), Meter(oracle)
    # Runs may diverge: infinities are what is measured then, not worth a warning.
    with watching(method), np.errstate(all="ignore"):
        state = initial_state(method, oracle, oracle.rows)
        meter.start()
        for column, (done, stop) in enumerate(itertools.pairwise([0, *job.checkpoints.tolist()])):
            for step in rounds(method, oracle, state, stop - done, schedule=job.schedule, done=done):
                state = step.after
                if isinstance(oracle, RecordingOracle):
                    _show(observers, job, method, step, oracle)
                if watch and isinstance(oracle, RecordingOracle):
                    now = job.schedule.at(method, done + step.t)
                    watch.round(now, oracle, step.before, state, alive)
            oracle.require_local_points(method)
            now, x = job.schedule.at(method, max(stop - 1, 0)), oracle.of_lanes(state.x)
            ends = state if x is state.x else state._replace(x=x)
            for observer in observers:
                observer.end(oracle.problem, now, ends)
            table.record(column, alive, observers, x)
            table.costs[:, alive, column] = meter.read(method, stop)
            # Left lanes are cut out of state, method, streams and sums alike: dead rows would cost time, and what is
            # left computes the same bits in a smaller array.
            going = (job.horizons[alive] > stop) & np.isfinite(x).all(axis=(1, 2))
            if not going.any():
                break
            if not going.all():
                method = with_arrays(method, partial(oracle.keep_rows, lanes=going))
                state, alive = type(state)(*(oracle.keep_rows(v, going) for v in state)), alive[going]
                oracle.keep(going)
                if watch:
                    watch.keep(going)
    return table.result(int(np.max(oracle.counts.gradients)), watch.worst if watch else {})


def _show(observers: list[Observer], job: BlockJob, method: Method, step: Transition, oracle: RecordingOracle) -> None:
    """Show the observers a whole round."""
    seen = RoundTransition(oracle.problem, method, step.before, step.after, oracle.record.sent)
    for observer in observers:
        observer.round(seen)


def _oracle(job: BlockJob, observers: list[Observer]) -> LaneOracle:
    kinds = (*_KINDS, "points") if job.quantities else _KINDS
    kind: Callable[..., LaneOracle] = (
        partial(RecordingOracle, kinds=kinds)
        if job.quantities or any(metric.transition is not None for metric in job.metrics.values())
        else LaneOracle
    )
    if job.mix is not None:
        kind = partial(MixedOracle, mix=job.mix)
    given: dict[str, Any] = {"seed": job.seed, "keys": job.keys, "weight_decay": job.weight_decay}
    return kind(job.problem, job.setting, observers=observers, **given)


_KINDS = ("means", "sent")
"""What quantities and metrics of whole rounds need to be recorded; quantities need the points too."""


class Curves:
    """The curves of a block while it runs."""

    def __init__(self, job: BlockJob, lanes: int) -> None:
        self._job = job
        shape = (lanes, len(job.checkpoints))
        self._curves = {name: np.full(shape, np.nan) for name in job.metrics}
        self._least = [name for name, metric in job.metrics.items() if metric.over == "least"]
        self._instant = {name: np.full(shape, np.nan) for name in job.metrics}
        self._final = np.full((lanes, job.problem.d), np.nan)
        self.costs = np.full((len(AXES), *shape), np.nan)
        """What was spent, (axes, lanes, checkpoints)."""

    def record(self, column: int, alive: Indices, observers: list[Observer], x: Array) -> None:
        """Keep the running averages, the last values and the server iterates of the lanes that are left."""
        for name, observer in zip(self._job.metrics, observers, strict=True):
            self._curves[name][alive, column] = observer.running
            self._instant[name][alive, column] = observer.last
        self._final[alive] = x[:, 0]

    def result(self, gradients: int, worst: dict[str, Array]) -> BlockResult:
        """Return the tables; a value that is not finite within a lane's horizon becomes inf (diverged)."""
        # nan means "not asked for", so a lane that diverged and dropped out must not keep it before its horizon.
        within = self._job.checkpoints[None, :] <= self._job.horizons[:, None]
        for name in self._least:
            # The least value of a run that diverged is one that it has been at.
            self._curves[name][within] = np.fmin.accumulate(self._curves[name], axis=1)[within]
        for values in (*self._curves.values(), *self._instant.values()):
            values[within & ~np.isfinite(values)] = np.inf
        costs = dict(zip(AXES, self.costs, strict=True))
        return BlockResult(self._curves, self._instant, self._final, gradients, worst, costs)
