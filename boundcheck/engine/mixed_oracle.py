"""The oracle of lanes of several numbers of clients; see `boundcheck.engine.mixed`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.engine.minibatches import Minibatches
from boundcheck.engine.oracle import Counts, LaneOracle, M
from boundcheck.engine.participation import draw_clients
from boundcheck.engine.streams import LaneStreams
from boundcheck.errors import NotApplicableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.engine.mixed import Mix
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Hyper
    from boundcheck.problems.base import Array, Indices, Problem, Token


class GroupStreams:
    """The streams of groups of lanes that take different numbers of words."""

    def __init__(self, parts: Sequence[Any], steps: int = 1) -> None:
        self.parts = list(parts)
        self.steps = steps

    @property
    def lanes(self) -> int:
        """Return the number of lanes."""
        return sum(part.lanes for part in self.parts)

    @property
    def words_taken(self) -> tuple[int, ...]:
        """Return how many words a lane of every group has taken."""
        return tuple(part.words_taken for part in self.parts)

    def since(self, taken: tuple[int, ...]) -> tuple[int, ...]:
        """Return how many words of a lane of every group were taken since."""
        return tuple(part.since(before) for part, before in zip(self.parts, taken, strict=True))

    def skip(self, words: tuple[int, ...]) -> None:
        """Take words that were peeked at."""
        for part, number in zip(self.parts, words, strict=True):
            part.skip(number)

    def ahead(self, steps: int, words: tuple[int, ...]) -> GroupStreams:
        """Return the words of the next `steps` calls of every group."""
        return GroupStreams([part.ahead(steps, number) for part, number in zip(self.parts, words, strict=True)], steps)

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        at, left = 0, []
        for part in self.parts:
            mask = lanes[at : at + part.lanes]
            at += part.lanes
            if mask.any():
                part.keep(mask)
                left.append(part)
        self.parts = left


class MixedMinibatches(Minibatches):
    """Minibatches whose arrays (rows, ...) are made group by group, more at once: a call a group is dear."""

    ahead = 65_536

    def __init__(self, problem: Problem, stream: Any, oracle: MixedOracle) -> None:
        super().__init__(problem, stream)
        self._oracle = oracle

    def keep(self, lanes: Array) -> None:
        """Drop what was made ahead: its words are there still."""
        self._made, self._run = [], 0

    def _rows(self) -> int:
        return self._oracle.rows

    def _sample(self, stream: Any, clients: Indices | None, b: int) -> Token:
        made = self.of_everyone(stream, [group.S for group in self._oracle.groups], b)
        return None if made is None else made[0]

    def _several(self, steps: int) -> list[Token]:
        given: Any = self._stream.ahead(steps, self._words)
        made = self.of_everyone(given, [group.S for group in self._oracle.groups], self._b)
        return [] if made is None else list(made)

    def of_everyone(self, stream: GroupStreams, clients: list[int], b: int) -> Token:
        """Return minibatches (steps, rows, ...) with these numbers of clients in the groups."""
        noise = self._problem.noise
        parts = [
            _by_client(noise.token(part.raw(noise.words(n, b)), n, b), stream.steps, noise.clients_axis)
            for part, n in zip(stream.parts, clients, strict=True)
        ]
        return None if parts[0] is None else np.concatenate(parts, axis=1)


def _by_client(token: Token, steps: int, axis: int | None) -> Token:
    """Return a minibatch (lanes * steps, ...) with its clients at `axis` as (steps, clients * lanes, ..., 1, ...)."""
    if token is None:
        return None
    apart = token.reshape(-1, steps, *token.shape[1:])
    # Steps, clients, lanes, and what is left.
    ordered = apart.transpose((1, 2, 0, 3) if axis == 1 else (1, 3, 0, 2, 4))
    flat = ordered.reshape(steps, -1, *ordered.shape[3:])
    return flat[:, :, None] if axis == 1 else flat[:, :, :, None]


class MixedOracle(LaneOracle):
    """A `LaneOracle` whose arrays are (rows, 1, d), a row an active client of a lane.

    What it counts is what one active client does, and what one of all N does: arrays of lanes would be dear.
    """

    def __init__(self, problem: Problem, setting: Setting, *, mix: Mix, **given: Any) -> None:
        self._take(mix)
        self._by_lane = problem
        super().__init__(problem.with_rows(mix.order()), setting, **given)
        self.N, self.S = self._shares()
        # A row is one client, so that the parent counts what one of them sends; `counts` multiplies by S.
        self._senders, self._partial = 1, mix.partial
        self._gradients_of_all = self._full_gradients_of_all = 0

    def _take(self, mix: Mix) -> None:
        # Before the constructor of the parent, which asks for streams by group; and again when lanes drop out.
        self._mix, self.groups = mix, list(mix.groups())
        self._firsts = mix.firsts
        self._weights_of = [np.full((1, group.S), 1.0 / group.S) for group in self.groups]
        self._rows, self._actives = len(mix.owners), mix.S.astype(float).reshape(-1, 1, 1)

    def _shares(self) -> Any:
        """Return N and S as methods divide by them, (rows, 1, 1)."""
        return tuple(numbers[self._mix.owners].reshape(-1, 1, 1) for numbers in (self._mix.N, self._mix.S))

    def _streams_of(self, seed: int, role: int, keys: Sequence[tuple[int, ...]]) -> Any:
        return GroupStreams([LaneStreams(seed, role, keys[group.lanes]) for group in self.groups])

    def _made_ahead(self) -> Minibatches:
        self._all_made = MixedMinibatches(self.problem, self._noise, self)
        return self._all_made

    @property
    def counts(self) -> Counts:
        """Return what the clients of every lane together evaluated and sent so far."""
        S, N = self._mix.S, self._mix.N
        gradients = S * self.gradients + N * self._gradients_of_all
        exact = S * self.full_gradients + N * self._full_gradients_of_all
        apart, before = N * self.floats_apart, N * self.floats_before
        return Counts(gradients, exact, S * self.floats_up, S * self.floats_down, apart, before, S)

    @property
    def rows(self) -> int:
        """Return how many clients are active in all lanes together."""
        return self._rows

    def of_lanes(self, v: Array) -> Array:
        """Return a server vector (rows, 1, d) with a row a lane."""
        return v[self._firsts]

    def for_rows(self, method: M) -> M:
        """Return the method with hyperparameters (rows, 1, d)."""
        return self._mix.spread(method, self.problem.d)

    def keep_rows(self, v: Any, lanes: Array) -> Any:
        """Return an array of rows or of all clients without the lanes where the mask is false."""
        return self._mix.cut(v, lanes)

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        super().keep(lanes)
        self._take(self._mix.keep(lanes))
        self._by_lane = self._by_lane.for_lanes(lanes)
        self.problem = self._by_lane.with_rows(self._mix.order())
        self.N, self.S = self._shares()

    def begin_round(self, x: Array) -> None:
        """Show the observers the server iterate and draw the active clients."""
        server = self.of_lanes(x)
        super().begin_round(server)

    def _drawn_clients(self) -> Indices:
        """Return who takes part, numbers among the clients of all lanes, (rows,)."""
        rows = []
        for group, stream in zip(self.groups, self._participation.parts, strict=True):
            among = draw_clients(stream, group.N, group.S).T
            rows.append((group.members.start + among * group.size + np.arange(group.size)).ravel())
        return np.concatenate(rows)

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the active clients of every lane."""
        self.floats_up += 0 if free else v.shape[2]
        # A product reads rows that lie apart in another order: here they lie as they do alone.
        rows, means = v.take(self._mix.by_lane, axis=0), np.empty_like(v, shape=(self._mix.lanes, *v.shape[1:]))
        for group, weights in zip(self.groups, self._weights_of, strict=True):
            np.matmul(weights, rows[group.rows].reshape(group.size, group.S, -1), out=means[group.lanes])
        out: Array = means.take(self._mix.owners, axis=0)
        return out

    def largest(self, v: Array) -> Array:
        """Return the largest entries over the active clients of every lane."""
        self.floats_up += v.shape[2]
        out = np.empty_like(v)
        for group in self.groups:
            group.active(out)[...] = group.active(v).max(axis=1, keepdims=True)
        return out

    def mean_all(self, v: Array) -> Array:
        """Average over all clients of every lane, counted apart."""
        self.floats_apart += v.shape[2]
        out = np.empty_like(v, shape=(self.rows, *v.shape[1:]))
        for group in self.groups:
            group.active(out)[...] = group.everyone(v).mean(axis=1, keepdims=True)
        return out

    def to_clients(self, x: Array, *, free: Any = False) -> Array:
        """Return the server vector, which stands in every row, to be sent unless it is `free`."""
        self.floats_down += 0 if (free if isinstance(free, bool) else np.all(free)) else x.shape[2]
        return x

    def everywhere(self, x: Array) -> Array:
        """Return a server point, or a row for each client, for the clients of all lanes."""
        return x if len(x) != self.rows or not self._mix.partial else self.to_all(x)

    def to_all(self, x: Array) -> Array:
        """Return a memory (clients of all lanes, 1, d) with the server vector in every row."""
        return self.of_lanes(x)[self._mix.owners_of_all]

    def active(self, memory: Array) -> Array:
        """Return the active clients' rows of a memory."""
        return memory if self._clients is None else memory[self._clients]

    def remember(self, memory: Array, rows: Array) -> Array:
        """Return the memory with the active clients' rows replaced."""
        if self._clients is None:
            return rows
        fresh = memory.copy()
        fresh[self._clients] = rows
        return fresh

    def initial(self, x0: Array, b: int) -> Array:
        """Return the gradients of all clients at x0 on `b` samples each."""
        self._gradients_of_all += b
        made = self._all_made.of_everyone(self._noise, [group.N for group in self.groups], b)
        at = self.everywhere(x0)
        return self._add_weight_decay(self.problem.gradient(at, None, None if made is None else made[0]), at)

    def full_all(self, y: Array) -> Array:
        """Return the exact gradients of all clients."""
        self._full_gradients_of_all += 1
        at = self.everywhere(y)
        return self._add_weight_decay(self.problem.gradient(at, None), at)

    def uniform(self, *shape: int) -> Array:
        """Refuse: a lane of few clients tosses fewer coins than one of many."""
        msg = f"coins ({math.prod(shape)} a lane) are not tossed on lanes of several numbers of clients"
        raise NotApplicableError(msg)

    def observe(self, y: Array, weight: Hyper = 1.0) -> None:
        """Show the observers the mean of every lane's local iterates, all that they measure."""
        self._is_shown = True
        if not self._local:
            return
        centre = np.empty_like(y, shape=(len(self._firsts), 1, y.shape[2]))
        for group in self.groups:
            np.add.reduce(group.active(y), axis=1, keepdims=True, out=centre[group.lanes])
        centre /= self._actives
        share = weight[self._firsts, 0, 0] if isinstance(weight, np.ndarray) else weight
        for observer in self._local:
            observer.local(self.problem, centre, self._server, share)
