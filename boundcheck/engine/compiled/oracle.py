"""The oracle of a compiled round: what a method sees of problem and network, on tracers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from boundcheck.engine.compiled.traced import Traced, alike, bare, box_arrays
from boundcheck.engine.oracle import LaneOracle
from boundcheck.engine.participation import draw_in_turn, drawn_in_turn
from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.setting import Setting
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem


class Namespace:
    """numpy's functions, on whatever the compiler holds."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(jnp, name)
        return lambda *args, **options: box_arrays(function(*bare(args), **bare(options)))


class RoundWords:
    """The random words of a round, a row a lane, in the order in which the engine draws them.

    With nothing to read from it gives zeros and counts what is asked for.
    """

    def __init__(self, lanes: int, words: Any = None) -> None:
        self.lanes, self.at, self._words = lanes, 0, words

    def raw(self, words: int) -> Traced:
        """Return the next `words` words of every lane."""
        start, self.at = self.at, self.at + words
        if self._words is None:
            return Traced(jnp.zeros((self.lanes, words), dtype=jnp.uint64))
        return Traced(self._words[:, start : self.at])

    def table(self, times: int, words: int) -> Any:
        """Return the next `words` of every lane for each of `times` steps, (times, lanes, words)."""
        start, self.at = self.at, self.at + times * words
        return jnp.moveaxis(self._words[:, start : self.at].reshape(self.lanes, times, words), 1, 0)


class MetricTally:
    """The running sum of one metric, on tracers; see `boundcheck.engine.observers.Observer`."""

    def __init__(self, metric: Metric, total: Any, last: Any) -> None:
        self.metric, self.total, self.last, self.count = metric, Traced(total), Traced(last), 0

    def add(self, value: Any, weight: Any) -> None:
        """Add one measurement of every lane."""
        self.count += 1
        self.last = Traced(alike(bare(value), self.last.value))
        # A weight is a number, or has one entry a lane.
        weighed = bare(value) * (weight if isinstance(weight, float) else jnp.reshape(bare(weight), -1))
        self.total = Traced(alike(self.total.value + weighed, self.total.value))


class TracedOracle(LaneOracle):
    """Implements `boundcheck.methods.base.Oracle` while a round is compiled.

    It inherits what costs what and how the network averages; random words, loops and measurements are its own.

    Parameters
    ----------
    problem : Problem
        On tracers.
    setting : Setting
        Of the run.
    words : tuple of Words
        Of minibatches, participation and the method's coins.
    tallies : list of Tally
        What is measured.
    bodies : list of tuple
        Words of each role that one step of every local loop takes, in the order of the loops; empty in the pass that
        finds them out.
    """

    def __init__(
        self,
        problem: Problem,
        setting: Setting,
        *,
        words: tuple[RoundWords, RoundWords, RoundWords],
        tallies: list[MetricTally],
        bodies: list[tuple[int, ...]] | None = None,
    ) -> None:
        super().__init__(problem, setting, seed=0, keys=(), observers=[])
        self._take(words)
        self.xp = Namespace()
        self.tallies = tallies
        self.bodies: list[tuple[int, ...]] = [] if bodies is None else bodies
        self._counting = bodies is None
        self._loops = 0
        self._inside = False

    def start_round(self, x: Any, t: Any) -> None:
        """Begin round `t`, counted from 0."""
        for tally in self.tallies:
            if not tally.metric.local:
                growth = tally.metric.growth
                tally.add(tally.metric.measure(self.problem, x, x), (1.0 + growth) ** -t if growth else 1.0)
        self.begin_round(x)

    def observe(self, y: Any, weight: Any = 1.0) -> None:
        """Measure at the local iterates."""
        for tally in self.tallies:
            if tally.metric.local and self._server is not None:
                value = tally.metric.measure(self.problem, y, self._server)
                tally.add(value, weight if tally.metric.weighted else 1.0)

    def _drawn_clients(self) -> Any:
        if drawn_in_turn(self.N, self.S):
            chosen = draw_in_turn(jnp, bare(self._participation.raw(self.S)), self.N)
            return Traced(jnp.sort(jnp.stack(chosen, axis=1), axis=1).astype(jnp.int64))
        order = jnp.argsort(bare(self._participation.raw(self.N)), axis=1)
        return Traced(jnp.sort(order[:, : self.S], axis=1))

    def _drawn_minibatch(self) -> Any:
        return self.problem.sample(self._noise, self._clients, self._batch)

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after the steps: one of them is compiled, and runs as often as asked for."""
        times = self.K if steps is None else steps
        if times < 1:
            return carry
        if self._inside:
            msg = "a local loop within a local loop has no compiled form"
            raise NotApplicableError(msg)
        self._inside = True
        after = self._count_steps(step, carry, times) if self._counting else self._scan_steps(step, carry, times)
        self._inside = False
        return after

    @property
    def words(self) -> tuple[int, int, int]:
        """Return how many words a lane has drawn of minibatches, participation and coins."""
        noise, participation, coins = (stream.at for stream in self._streams)
        return noise, participation, coins

    @property
    def _streams(self) -> tuple[Any, ...]:
        return self._noise, self._participation, self._coins

    def _take(self, streams: tuple[RoundWords, ...]) -> None:
        """Draw from these from now on."""
        self._noise, self._participation, self._coins = streams

    def _count_steps(self, step: Callable[[Any, Any], Any], carry: Any, times: int) -> Any:
        """Take one step, and count it `times` times."""
        words, spent = [stream.at for stream in self._streams], (self.gradients, self.full_gradients)
        measured = [tally.count for tally in self.tallies]
        after = step(Traced(jnp.asarray(0)), carry)
        self.bodies.append(tuple(stream.at - at for stream, at in zip(self._streams, words, strict=True)))
        for stream, at in zip(self._streams, words, strict=True):
            stream.at = at + times * (stream.at - at)
        self.gradients = spent[0] + times * (self.gradients - spent[0])
        self.full_gradients = spent[1] + times * (self.full_gradients - spent[1])
        for tally, count in zip(self.tallies, measured, strict=True):
            tally.count = count + times * (tally.count - count)
        return box_arrays(alike(bare(after), bare(carry)))

    def _scan_steps(self, step: Callable[[Any, Any], Any], carry: Any, times: int) -> Any:
        outer, self._loops = self._streams, self._loops + 1
        rows = tuple(s.table(times, n) for s, n in zip(outer, self.bodies[self._loops - 1], strict=True))

        def body(before: Any, given: Any) -> tuple[Any, None]:
            (carry, sums), (k, words) = before, given
            self._take(tuple(RoundWords(w.shape[0], w) for w in words))
            self._hold(sums)
            after = bare(step(Traced(k), box_arrays(carry)))
            return (alike(after, carry), self.sums()), None

        first = jax.tree.map(jnp.asarray, bare(carry)), self.sums()
        (after, sums), _ = jax.lax.scan(body, first, (jnp.arange(times), rows))
        self._take(outer)
        self._hold(sums)
        return box_arrays(after)

    def sums(self) -> Any:
        """Return what the tallies hold, as the compiler carries it."""
        return tuple((tally.total.value, tally.last.value) for tally in self.tallies)

    def _hold(self, sums: Any) -> None:
        for tally, (total, last) in zip(self.tallies, sums, strict=True):
            tally.total, tally.last = Traced(total), Traced(last)
