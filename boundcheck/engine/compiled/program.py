"""Compile the rounds of a block of lanes, and keep the programs for the next block that is alike."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import jax
import jax.numpy as jnp

from boundcheck.engine.compiled.counter import counter_of, require_growth
from boundcheck.engine.compiled.oracle import MetricTally, RoundWords, TracedOracle
from boundcheck.engine.compiled.skeleton import Skeleton
from boundcheck.engine.compiled.traced import Traced, alike, bare, box_arrays, computing_in
from boundcheck.engine.compiled.words import Generators, draw, jumps
from boundcheck.methods.outside import watching

if TYPE_CHECKING:
    from boundcheck.engine.block import BlockJob
    from boundcheck.engine.setting import Setting
    from boundcheck.metrics import Metric

_KEPT = 32
"""Programs that stay compiled."""
ROUNDS = 512
"""Most rounds that a program makes at once: nothing interrupts it before it returns."""


@dataclass(frozen=True)
class CompiledRound:
    """What one round takes and counts."""

    words: tuple[int, int, int]
    """Random words a lane of minibatches, participation and coins."""
    gradients: int
    measurements: tuple[int, ...]
    """Of every metric."""


class BlockProgress(NamedTuple):
    """A block between two rounds."""

    state: Any
    sums: Any
    """Of every metric."""
    generators: tuple[Generators, ...]
    """Of minibatches, participation and coins."""


class CompiledRounds:
    """Rounds of one method on one problem, compiled for one number of lanes."""

    def __init__(self, whole: Skeleton, setting: Setting, metrics: tuple[Metric, ...], dtype: Any) -> None:
        self._whole, self._setting, self._metrics, self._dtype = whole, setting, metrics, dtype
        self._bodies: list[tuple[int, ...]] | None = None
        self._counted: list[CompiledRound] = []
        self.round: CompiledRound | None = None
        self._ahead: tuple[Generators, ...] = ()
        self._run = jax.jit(self._rounds)

    def prepare(self, arrays: Any, state: Any, sums: Any) -> CompiledRound:
        """Find out what a round takes, from shapes alone."""
        if self.round is None:
            jax.eval_shape(partial(self._one, words=None), arrays, state, sums, 0)
            self.round = self._counted[-1]
            self._ahead = tuple(jax.tree.map(jnp.asarray, jumps(n)) for n in self.round.words)
        return self.round

    def run(self, arrays: Any, rounds: BlockProgress, done: int, count: int) -> BlockProgress:
        """Make `count` rounds after `done` others."""
        return cast("BlockProgress", self._run(arrays, self._ahead, rounds, done, count))

    def _rounds(self, arrays: Any, ahead: Any, rounds: BlockProgress, done: Any, count: Any) -> BlockProgress:
        def body(i: Any, before: BlockProgress) -> BlockProgress:
            drawn = map(draw, before.generators, ahead)
            words, after = zip(*drawn, strict=True)
            state, sums = self._one(arrays, before.state, before.sums, done + i, words)
            return BlockProgress(state, sums, after)

        # The number of rounds is an input, so that the distances of checkpoints need no programs of their own.
        return cast("BlockProgress", jax.lax.fori_loop(0, count, body, rounds))

    def _one(self, arrays: Any, state: Any, sums: Any, t: Any, words: Any) -> Any:
        lanes = len(state[0])
        with computing_in(self._dtype):
            problem, method = self._whole.fill_with([Traced(jnp.asarray(array)) for array in arrays])
            oracle = TracedOracle(
                problem,
                self._setting,
                words=_three(lanes, words or (None, None, None)),
                tallies=[MetricTally(metric, *kept) for metric, kept in zip(self._metrics, sums, strict=True)],
                bodies=None if words is None else self._bodies,
            )
            before = type(state)(*(counter_of(box_arrays(leaf)) for leaf in state))
            oracle.start_round(before.x, Traced(jnp.asarray(t)))
            with watching(method):
                made = method.round(oracle, before)
            require_growth(before, made)
            after = alike(bare(made), state)
        if words is None:
            self._bodies = oracle.bodies
            measured = tuple(tally.count for tally in oracle.tallies)
            self._counted.append(CompiledRound(oracle.words, oracle.gradients, measured))
        return after, oracle.sums()


def _three(lanes: int, words: Any) -> tuple[RoundWords, RoundWords, RoundWords]:
    noise, participation, coins = (RoundWords(lanes, w) for w in words)
    return noise, participation, coins


_PROGRAMS: OrderedDict[Any, CompiledRounds] = OrderedDict()


def program_for(job: BlockJob, dtype: Any) -> tuple[CompiledRounds, list[Any]]:
    """Return a program that makes the rounds of a block, compiled before if there was one alike, and its arrays."""
    metrics = tuple(job.metrics.values())
    read = {letter for metric in metrics for letter in metric.reads}
    whole = Skeleton((job.problem.bare_copy(sorted(read)), job.method))
    setting = replace(job.setting, T=1)
    shapes = tuple((array.shape, str(array.dtype)) for array in whole.arrays)
    key = (whole.key, shapes, setting, metrics, len(job.horizons), dtype)
    if key not in _PROGRAMS:
        _PROGRAMS[key] = CompiledRounds(whole, setting, metrics, dtype)
        while len(_PROGRAMS) > _KEPT:
            _PROGRAMS.popitem(last=False)
    _PROGRAMS.move_to_end(key)
    return _PROGRAMS[key], whole.arrays
