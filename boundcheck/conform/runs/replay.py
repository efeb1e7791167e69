"""Run a registered method and hand out the minibatches that it saw, one client at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from boundcheck.conform.runs.harness import step_method
from boundcheck.engine.recording import RecordingOracle
from boundcheck.engine.streams import LaneStreams
from boundcheck.errors import InputError, require
from boundcheck.methods.schedule import CONSTANT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from boundcheck.conform.runs.battery import BatterySetting
    from boundcheck.conform.runs.harness import Make
    from boundcheck.engine.setting import Setting
    from boundcheck.methods import Method
    from boundcheck.problems.base import Array, Indices, Problem, Token, Words

T = TypeVar("T")

_AT_ONCE = 4096
"""Words of a stream that are made at once, for all runs that have it."""


@cache
def _stored_words(seed: int, role: int, keys: tuple[tuple[int, ...], ...], parts: int) -> Words:
    """Return the first words of a stream of every lane."""
    stream = LaneStreams(seed, role, keys)
    return np.concatenate([stream.raw(_AT_ONCE) for _ in range(parts)], axis=1)


def _copy_of(original: T) -> T:
    """Return a copy as `copy.copy` makes it, in a third of the time: thousands of runs begin with one."""
    fresh = object.__new__(type(original))
    fresh.__dict__.update(original.__dict__)
    return fresh


class SharedStreams(LaneStreams):
    """A stream whose words are made once for all runs that have it, so that a run can pass over those it need not."""

    def peek(self, words: int) -> Words:
        """Return the next words without taking them."""
        end = self.words_taken + words
        parts = max(1, 1 << (end // _AT_ONCE).bit_length())
        return _stored_words(self._seed, self._role, tuple(self._keys), parts)[:, self.words_taken : end]


class SizedOracle(RecordingOracle):
    """Knows how many data points the clients say that they have, and can be a little wrong about gradients."""

    def __init__(self, problem: Problem, setting: Setting, **options: Any) -> None:
        super().__init__(problem, setting, **options)
        self.sizes: Array = np.full(self.N, 10.0)
        self.nudge = 0.0
        """Relative error of every gradient."""
        self.weighted = False
        """Whether averages weigh the active clients by their sizes."""
        self.local_steps: NDArray[np.int64] | None = None
        """Local steps of each client (N,), where they are different."""
        self.divides_by_own = True
        """Whether a method that divides by K divides by the client's own steps."""
        self.tape: dict[tuple[int, ...], tuple[Any, int]] = {}
        """What earlier runs of the same setting drew at which words of its streams, and how many words that took."""

    def anew(self) -> SizedOracle:
        """Return an oracle as this one, which has not been run, at the first words of streams of its own."""
        fresh = _copy_of(self)
        fresh.rewind()
        return fresh

    def rewind(self) -> None:
        """Take streams of its own, at their first words, in the place of those that are shared with another one."""
        streams = (self._noise, self._participation, self._coins)
        self._noise, self._participation, self._coins = map(_copy_of, streams)
        self._minibatches = self._made_ahead()

    @property
    def most_steps(self) -> int:
        """Return K, whatever numbers of steps the clients have."""
        return self._K

    def _streams_of(self, seed: int, role: int, keys: Sequence[tuple[int, ...]]) -> Any:
        return SharedStreams(seed, role, keys)

    def _drawn_minibatch(self) -> Token:
        place = (self._noise.words_taken, self._participation.words_taken, self._batch)
        return self._once(place, self._noise, super()._drawn_minibatch)

    def _drawn_clients(self) -> Indices:
        place = (self._participation.words_taken,)
        clients: Indices = self._once(place, self._participation, super()._drawn_clients)
        return clients

    def _once(self, place: tuple[int, ...], stream: Any, make: Callable[[], Any]) -> Any:
        """Return what an earlier run drew at this place, which is what this one would."""
        if place in self.tape:
            drawn, words = self.tape[place]
            stream.skip(words)
            return drawn
        before = stream.words_taken
        drawn = make()
        if words := stream.since(before):  # what takes none has no place of its own
            self.tape[place] = drawn, words
        return drawn

    def active(self, memory: Array) -> Array:
        """Return the active clients' rows of a memory; those of one lane without a table of indices."""
        if self._clients is None or len(self._clients) > 1:
            return super().active(memory)
        return memory[:, self._clients[0]]

    def remember(self, memory: Array, rows: Array) -> Array:
        """Return the memory with the active clients' rows replaced, likewise."""
        if self._clients is None or len(self._clients) > 1:
            return super().remember(memory, rows)
        fresh = memory.copy()
        fresh[:, self._clients[0]] = rows
        return fresh

    @property
    def K(self) -> Any:
        """Return K, or the active clients' own (lanes, S, 1) where they are different."""
        return self._K if self.local_steps is None or not self.divides_by_own else self._own_counts

    @K.setter
    def K(self, value: int) -> None:
        """Set K."""
        self._K = value

    @property
    def _own_counts(self) -> Array:
        assert self.local_steps is not None
        own: Array = self.active(np.tile(self.local_steps.astype(float), (self.rows, 1))[:, :, None])
        return own

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Make the local steps, each client its own number of them."""
        if self.local_steps is None or steps is not None:
            return super().fori(step, carry, self._K if steps is None else steps)
        own = self._own_counts

        def mask(k: int, before: Any) -> Any:
            after = step(k, before)
            if isinstance(before, tuple):
                return tuple(np.where(k < own, new, old) for new, old in zip(after, before, strict=True))
            return np.where(k < own, after, before)

        return super().fori(mask, carry, self._K)

    def grad(self, y: Array, batch: Token) -> Array:
        """Return the gradients with their error."""
        g = super().grad(y, batch)
        return g * (1.0 + self.nudge) if self.nudge else g

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Return the average, weighted by sizes where that is asked for."""
        if self.weighted and v.ndim == 3:
            sizes = self.active(np.tile(self.sizes, (len(v), 1))[:, :, None])
            v = v * (sizes / sizes.mean(axis=1, keepdims=True))
        return super().mean(v, free=free)


class ReplayOracle(SizedOracle):
    """Keeps the active clients and the minibatches of every round, and of the time before the first."""

    def __init__(self, problem: Problem, setting: Setting, *, keys: Sequence[tuple[int, ...]], **options: Any) -> None:
        super().__init__(problem, setting, keys=keys, **options)
        self.lanes = len(keys)
        self.start: list[Token] = []
        self.draws: list[list[Token]] = []
        self.points: list[list[tuple[int, Array]]] = []
        """Step and points of every gradient, round by round, each (lanes, S, d)."""
        self.sets: list[Indices] = []
        self.coins: list[list[Array]] = []
        """The uniform numbers that the method drew for itself in every round, each (lanes, *shape)."""
        self.takes_penalty = False
        """Whether the method asked for the prox of the penalty h."""

    def begin_round(self, x: Array) -> None:
        """Open a new round."""
        super().begin_round(x)
        self.draws.append(self.record.minibatches)
        self.coins.append([])
        self.points.append([])
        numbers = self.everyone.astype(float)[:, :, None]
        self.sets.append(self.active(numbers)[:, :, 0].astype(np.intp))

    def grad(self, y: Array, batch: Token) -> Array:
        """Keep where the gradient was asked for."""
        k = next((k for k, drawn in enumerate(self.record.minibatches) if drawn is batch), 0)
        self.points[-1].append((k, np.array(y)))
        return super().grad(y, batch)

    @property
    def everyone(self) -> Indices:
        """Return the numbers of all clients in every lane, (lanes, N)."""
        return np.tile(np.arange(self.N), (self.lanes, 1))

    def initial(self, x0: Array, b: int) -> Array:
        """Keep the minibatch; what the gradients are is as ever."""
        self.gradients += self.N * b
        self.start.append(self.problem.sample(self._noise, None, b))
        everywhere = np.broadcast_to(x0, (len(x0), self.N, self.problem.d))
        return self.problem.gradient(everywhere, None, self.start[-1])

    def uniform(self, *shape: int) -> Any:
        """Keep the coins; what is drawn before the first round comes first in it."""
        drawn = super().uniform(*shape)
        if not self.coins:
            self.coins.append([])
        self.coins[-1].append(drawn)
        return drawn

    def prox(self, v: Array, step: Any) -> Array:
        """Keep that the method asked."""
        self.takes_penalty = True
        return super().prox(v, step)

    @property
    def tosses(self) -> bool:
        """Return whether the method flipped coins of its own."""
        return any(self.coins)

    def coins_of(self, lane: int = 0) -> list[list[Array]]:
        """Return the coins of one lane, round by round."""
        return [[drawn[lane].copy() for drawn in of_round] for of_round in self.coins]

    def clients(self, lane: int = 0) -> list[Client]:
        """Return the clients of one lane."""
        return [Client(self, i, lane) for i in range(self.N)]

    def active_sets(self, lane: int = 0) -> list[list[int]]:
        """Return the active clients of every round of one lane."""
        return [[int(i) for i in chosen[lane]] for chosen in self.sets]


class Client:
    """What an implementation under test sees of one client."""

    def __init__(self, replay: ReplayOracle, number: int, lane: int = 0) -> None:
        self._replay, self._number, self._lane = replay, number, lane
        self.asked: list[list[Array]] = [[] for _ in replay.sets]
        """The answers of `grad`, round by round."""
        self.points: list[list[tuple[int, Array]]] = [[] for _ in replay.sets]
        """Step and point of every question to `grad`, round by round."""

    @property
    def size(self) -> int:
        """Return how many data points the client has, for codes that ask; the registered methods do not."""
        return int(self._replay.sizes[self._number])

    def grad(self, x: Any, k: int, t: int) -> Array:
        """Return the stochastic gradient at `x` on our sample of step k = 0, 1, ... of round t = 0, 1, ...

        Raises
        ------
        InputError
            If there is no such round or step, or the client is not active in that round.
        """
        replay = self._replay
        rounds = len(replay.sets)
        require(0 <= t < rounds, "grad: t", t, f"a round from 0 to {rounds - 1}")
        chosen, drawn = replay.sets[t], replay.draws[t]
        active = chosen[self._lane].tolist()
        require(self._number in active, f"grad: client in round {t}", self._number, f"one of the active {active}")
        legal = (
            f"a step from 0 to {len(drawn) - 1}"
            if drawn
            else f"none: the method draws no sample in round {t}; use full"
        )
        require(0 <= k < len(drawn), "grad: k", k, legal)
        answer = self._at(x, chosen, drawn[k])
        self.points[t].append((k, np.array(x, dtype=float).ravel()))
        self.asked[t].append(answer)
        return answer.copy()

    def answer(self, x: Any, k: int, t: int) -> Array:
        """Return what `grad` would, without keeping that it was asked."""
        return self._at(x, self._replay.sets[t], self._replay.draws[t][k])

    def first(self, x: Any) -> Array:
        """Return the stochastic gradient at `x` on the sample that a method takes before the first round.

        Raises
        ------
        InputError
            If our method takes none.
        """
        if not self._replay.start:
            msg = "first: this method takes no sample before the first round"
            raise InputError(msg)
        return self._at(x, self._replay.everyone, self._replay.start[0])

    def full(self, x: Any) -> Array:
        """Return the exact gradient at `x`."""
        return self._at(x, self._replay.everyone, None)

    def prox(self, v: Any, step: float) -> Array:
        """Return argmin_y f_i(y) + |y - v|^2/(2 step), for methods whose clients solve their problem.

        Raises
        ------
        NotApplicableError
            If the battery's problem for this method is not known to be convex, and the step is 1/L or longer.
        """
        found: Array = self._replay.problem.client_prox(self._point(v), step, np.array([[self._number]]))
        row: Array = found[0, 0].copy()
        return row

    def value(self, x: Any) -> float:
        """Return the exact value of the client's function at `x`, for methods that weigh by losses.

        Raises
        ------
        NotApplicableError
            If the battery's problem for this method knows the average alone.
        """
        point = self._point(x)
        values: Array = self._replay.problem.client_values(point, np.array([[self._number]]))
        return float(values[0, 0])

    def _point(self, x: Any) -> Array:
        """Return a point as (1, 1, d)."""
        point = np.asarray(x, dtype=float).reshape(1, 1, -1)
        d = self._replay.problem.d
        require(point.size == d, "grad: dimension of x", point.size, f"{d}")
        return point

    def _at(self, x: Any, clients: Indices, token: Token) -> Array:
        point, problem = self._point(x), self._replay.problem
        everywhere = np.empty((*clients.shape, problem.d))
        everywhere[:] = point
        row = clients[self._lane].tolist().index(self._number)
        g: Array = problem.gradient(everywhere, clients, token)[self._lane, row].copy()
        return g


def state_of(item: Any) -> Mapping[str, Any]:
    """Return what an implementation returns for one time: the iterate, or a mapping with it as `x` and more by name."""
    return item if isinstance(item, Mapping) else {"x": item}


class RecordedRun(NamedTuple):
    """One run of our method."""

    setting: BatterySetting
    problem: Problem
    path: Array
    """Server iterates (T + 1, d)."""
    clients: list[Client]
    active: list[list[int]]
    """Active clients of every round."""
    points: list[list[tuple[int, Array]]]
    """Step and points (1, S, d) of every gradient of ours, round by round."""
    states_of_ours: list[Any]
    """Our states after every round."""
    coins: list[list[Array]]
    """The method's own coins of every round."""
    oracle: SizedOracle
    """That of other methods on the same samples, which are drawn once for all of them; it is copied for each."""
    takes_penalty: bool = False
    """Whether the method asked for the prox of the penalty h, which is 0 here."""

    def iterates(self, make: Make, *, nudge: float = 0.0, rounds: int | None = None) -> Array:
        """Return the server iterates (T + 1, d) of another method on the same samples, or with gradients a bit off.

        `rounds` ends the run early.
        """
        return self.path_of(make(self.setting.K), nudge=nudge, rounds=rounds)

    def path_of(self, made: Method, *, nudge: float = 0.0, rounds: int | None = None) -> Array:
        """Return the same of a method with its hyperparameters."""
        states = self.states(made, nudge=nudge, rounds=rounds)
        return np.stack([self.problem.start, *(state.x[0, 0] for state in states)])

    def states(
        self,
        made: Method,
        *,
        nudge: float = 0.0,
        rounds: int | None = None,
        own_steps: bool = True,
        by_steps: bool = False,
    ) -> list[Any]:
        """Return the states of a method after every round, on the same samples.

        Without `own_steps` a method that divides by K does so whatever the clients' own numbers of steps are;
        `by_steps` weighs its averages by these numbers.
        """
        steps = self.setting.steps
        oracle = self.oracle.anew()
        oracle.nudge, oracle.divides_by_own = nudge, own_steps
        if by_steps:
            oracle.sizes, oracle.weighted = self.setting.counts.astype(float), True
        if "schedule" in getattr(made, "__dataclass_fields__", {}):  # around a method that it schedules
            made, steps = replace(made, schedule=steps.schedule), replace(steps, schedule=CONSTANT)  # type: ignore[type-var]
        return [r.after for r in islice(step_method(oracle, made, steps), rounds)]


def record_run(made: Method, setting: BatterySetting) -> RecordedRun:
    """Run our method at a setting of the battery."""
    problem = setting.problem(made.card)
    if setting.spread or isinstance(
        getattr(made, "k", None), int
    ):  # right codes may break ties among the k largest otherwise
        problem.start = problem.start * (1.0 + 0.1 * np.arange(problem.d) / problem.d)
    replay = setting.steps.oracle(ReplayOracle, problem)
    replay.sizes, replay.weighted, replay.local_steps = setting.sizes, setting.weighted, setting.uneven_counts
    states = _own_states(replay, made, setting)
    path = np.stack([problem.start, *(state.x[0, 0] for state in states)])
    clients, active = replay.clients(), replay.active_sets()
    oracle = setting.steps.oracle(SizedOracle, problem)
    oracle.sizes, oracle.weighted, oracle.local_steps = setting.sizes, setting.weighted, setting.uneven_counts
    return RecordedRun(
        *(setting, problem, path, clients, active, replay.points, states, replay.coins_of(), oracle),
        takes_penalty=replay.takes_penalty,
    )


def _own_states(replay: ReplayOracle, made: Method, setting: BatterySetting) -> list[Any]:
    """Return our states; a server that divides by K has none where every client has a number of steps of its own."""
    try:
        states = [r.after for r in step_method(replay, made, setting.steps)]
        defined = all(state.x.shape[1] == 1 for state in states)
    except ValueError:
        if setting.uneven_counts is None:
            raise
        defined = False
    legal = "no parameter of the function: the server's rule divides by K, or steps go from client to client"
    require(defined, f"{made.card.id}: K_i", "of each client", legal)
    return states
