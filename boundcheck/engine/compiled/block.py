"""Simulate one block of lanes with compiled rounds."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from boundcheck.engine.block import BlockResult, Curves
from boundcheck.engine.compiled.program import ROUNDS, BlockProgress, program_for
from boundcheck.engine.compiled.words import generators_of
from boundcheck.engine.observers import Observer
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.rounds import initial_state, rounds
from boundcheck.errors import NotApplicableError, NotCompilableError
from boundcheck.workers.interrupts import defer_interrupts

if TYPE_CHECKING:
    from boundcheck.engine.block import BlockJob
    from boundcheck.engine.compiled.program import CompiledRound, CompiledRounds

_UNTRACED = (TypeError, ValueError, IndexError, AttributeError, NotImplementedError)
"""What tracers raise where numpy's arrays would not."""


def run_compiled(job: BlockJob, dtype: str = "float64") -> BlockResult:
    """Simulate a block as `boundcheck.engine.block.run_block` does, up to rounding.

    All random words are the engine's own, made by the program.  No lane leaves before the last one
    does: a smaller array would need another program.

    Parameters
    ----------
    job : BlockJob
        The lanes.
    dtype : {'float64', 'float32'}
        Type of real numbers.

    Raises
    ------
    NotCompilableError
        If problem, method or metric has no compiled form; the message names it and says why.
    """
    # Random words are 64 bits wide whatever the precision of the numbers.
    with jax.enable_x64(new_val=True), np.errstate(all="ignore"):
        try:
            with defer_interrupts():
                block = _CompiledBlock(job, np.dtype(dtype))
            return block.run()
        except (NotApplicableError, *_UNTRACED) as error:
            msg = f"method {job.method.card.id} on problem {job.problem.name} cannot be compiled: {error}"
            raise NotCompilableError(" ".join(msg.split())) from None


class _CompiledBlock:
    """A block while it runs.  The first round, which methods may make in another way, is numpy's."""

    def __init__(self, job: BlockJob, dtype: Any) -> None:
        _require_plain(job)
        self._job, self._lanes = job, len(job.horizons)
        observers = [Observer(metric, self._lanes) for metric in job.metrics.values()]
        self._oracle = LaneOracle(job.problem, job.setting, seed=job.seed, keys=job.keys, observers=observers)
        start = initial_state(job.method, self._oracle, self._lanes)
        (first,) = rounds(job.method, self._oracle, start, 1)
        self._oracle.require_local_points(job.method)
        state = jax.tree.map(lambda v: jax.numpy.asarray(_in(v, dtype)), first.after)
        sums = tuple((_in(o.total, dtype), _in(o.last, dtype)) for o in observers)
        program, arrays = program_for(job, dtype)
        self._program: CompiledRounds = program
        self._arrays = [jax.numpy.asarray(_in(array, dtype)) for array in arrays]
        self._round: CompiledRound = program.prepare(self._arrays, state, sums)
        # A role that takes no words needs no generators.
        taken = (self._oracle.generators(role) if words else () for role, words in enumerate(self._round.words))
        self._rounds = BlockProgress(state, sums, tuple(map(generators_of, taken)))

    def run(self) -> BlockResult:
        """Make all rounds, and return the tables."""
        job, table = self._job, Curves(self._job, self._lanes)
        alive = np.arange(self._lanes)
        for column, (done, stop) in enumerate(itertools.pairwise([1, *job.checkpoints.tolist()])):
            self._advance(done, stop)
            x = np.asarray(self._rounds.state.x, dtype=float)
            table.record(column, alive, self._observers(stop, alive), x[alive])
            alive = alive[(job.horizons[alive] > stop) & np.isfinite(x[alive]).all(axis=(1, 2))]
            if not len(alive):
                break
        part = table.result(self._oracle.gradients + (stop - 1) * self._round.gradients, {})
        # What messages cost is metered by the numpy backend alone.
        return part._replace(costs={})

    def _advance(self, done: int, stop: int) -> None:
        """Make the rounds from `done` to `stop`."""
        for at in range(done, stop, ROUNDS):
            # The first call compiles, and nothing may be left to do where the process ends.
            with defer_interrupts():
                rounds_made = self._program.run(self._arrays, self._rounds, at, min(stop - at, ROUNDS))
                self._rounds = jax.block_until_ready(rounds_made)

    def _observers(self, rounds: int, alive: Any) -> list[Observer]:
        """Return the engine's observers of the lanes that are left, as they stand after so many rounds."""
        found = []
        measured = zip(self._job.metrics.values(), self._rounds.sums, self._round.measurements, strict=True)
        for metric, (total, last), count in measured:
            observer = Observer(metric, len(alive))
            observer.stand(np.asarray(total, float)[alive], np.asarray(last, float)[alive], rounds * count)
            found.append(observer)
        return found


def _require_plain(job: BlockJob) -> None:
    """Refuse what the numpy backend alone does."""
    whole = [name for name, metric in job.metrics.items() if metric.transition is not None]
    points = [name for name, metric in job.metrics.items() if metric.over != "mean"]
    wanted = {
        "the metric of single points": points[:1],
        "the online problem": [job.problem.name] if job.problem.online else [],
        "the quantity of a run": job.quantities[:1],
        "the metric of whole rounds": whole[:1],
        "the schedule of": [name for name, _ in job.schedule.laws[:1]],
        "the weight decay": [job.weight_decay] if job.weight_decay else [],
    }
    for what, found in wanted.items():
        if found:
            msg = f"{what} {found[0]} is left to the numpy backend"
            raise NotApplicableError(msg)


def _in(value: Any, dtype: Any) -> Any:
    """Return real numbers in the precision of the run, and everything else as it is."""
    real = isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype == np.float64)
    return np.asarray(value, dtype=dtype) if real else value
