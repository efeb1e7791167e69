"""The oracle of a block of lanes: what a method sees of the problem and of the network."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from boundcheck.engine.arrays import ArrayOracle
from boundcheck.engine.minibatches import Minibatches
from boundcheck.engine.participation import draw_clients
from boundcheck.engine.streams import METHOD, NOISE, PARTICIPATION, LaneStreams
from boundcheck.engine.turns import Turns
from boundcheck.errors import NotApplicableError
from boundcheck.limits import MOST_NUMBERS, MOST_SAMPLED
from boundcheck.problems.layered import Layered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.engine.observers import Observer
    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Hyper, Method, Order
    from boundcheck.problems.base import Array, Indices, Problem, Token


M = TypeVar("M", bound="Method")

AT_ONCE = 256
"""Samples of a client that a first batch averages at once: others are added, in an order that nothing else decides."""
_PROBE = 1e-5
"""Half length of the differences of gradients, relative to the point."""


def require_batch(clients: int, d: int, b: int) -> None:
    """Refuse a minibatch that a method asks for, by its size, if its numbers are too many.

    Raises
    ------
    NotApplicableError
        With the size, and the largest one.
    """
    most = MOST_NUMBERS if b == 1 else MOST_SAMPLED
    if clients * d * b > most:
        msg = (
            f"a batch of {b} samples at each of {clients} clients has {clients * d * b:.1e} numbers, "
            f"more than {most:.0e}"
        )
        raise NotApplicableError(msg)


class Counts(NamedTuple):
    """What was evaluated and sent so far, each a number, or an array (lanes,) where lanes differ."""

    gradients: Any
    """Client gradients of one sample, over all active clients of a lane."""
    full_gradients: Any
    """Exact client gradients, likewise."""
    up: Any
    """Floats that the active clients of a lane sent to the server."""
    down: Any
    """Floats that the server sent to the active clients of a lane."""
    apart: Any
    """Floats of all N clients in averages over all of them (`mean_all`), which a card counts apart."""
    before: Any
    """Those of them that were sent before the first round."""
    senders: Any
    """Active clients over which the counts go."""


class LaneOracle(ArrayOracle):
    """Implements `boundcheck.methods.base.Oracle` on arrays (lanes, clients, d).

    Attributes
    ----------
    gradients, full_gradients, floats_up, floats_down, floats_apart, floats_before : int
        What `counts` is made of.
    """

    def __init__(
        self,
        problem: Problem,
        setting: Setting,
        *,
        seed: int,
        keys: Sequence[tuple[int, ...]],
        observers: list[Observer],
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(problem, setting)
        self.gradients = self.full_gradients = 0
        self.floats_up = self.floats_down = self.floats_apart = self.floats_before = 0
        self._senders = self._senders_at_most = self.S
        self._noise, self._participation, self._coins = (
            self._streams_of(seed, role, keys) for role in (NOISE, PARTICIPATION, METHOD)
        )
        self._minibatches = self._made_ahead()
        self._observers = observers
        self._local = [observer for observer in observers if observer.metric.local]
        self._is_shown = False
        self._weight_decay = weight_decay
        self._clients: Indices | None = None
        self._partial = bool(self.S < self.N)
        self._weights = self._even_weights(np.float64)
        self._batch = self.b
        self._server: Array | None = None
        self._round = -1
        self._turns: Turns | None = None

    def _even_weights(self, number: type[np.floating]) -> Array:
        """Return the weights of an average over clients that are always the same ones, (1, S)."""
        if self.problem.client_weights is not None and not self._partial:
            return self.problem.client_weights[None].astype(number)
        return np.full((1, self.S), 1 / number(self.S))

    def _streams_of(self, seed: int, role: int, keys: Sequence[tuple[int, ...]]) -> Any:
        return LaneStreams(seed, role, keys)

    def _made_ahead(self) -> Minibatches:
        return Minibatches(self.problem, self._noise)

    @property
    def rows(self) -> int:
        """Return the length of the method's arrays."""
        lanes: int = self._noise.lanes
        return lanes

    @property
    def counts(self) -> Counts:
        """Return what was evaluated and sent so far."""
        floats = self.floats_up, self.floats_down, self.floats_apart, self.floats_before
        return Counts(self.gradients, self.full_gradients, *floats, self.S)

    @property
    def has_tossed(self) -> bool:
        """Return whether the method has tossed coins of its own."""
        return bool(self._coins.words_taken)

    def of_lanes(self, v: Array) -> Array:
        """Return a server vector of the method with a row a lane."""
        return v

    def for_rows(self, method: M) -> M:
        """Return the method with its hyperparameters in the shape that goes with the rows."""
        return method

    def keep_rows(self, v: Any, lanes: Array) -> Any:
        """Return an array of the method without the lanes where the mask is false, before `keep`; all else as it is."""
        return v[lanes] if isinstance(v, np.ndarray) else v

    def begin_round(self, x: Array) -> None:
        """Show the observers the server iterate and draw the active clients."""
        self._server = x
        self._round += 1
        for observer in self._observers:
            observer.server(self.problem, x)
        if self._partial:
            self._clients = self._drawn_clients()
            if self.problem.client_weights is not None:
                # Unbiased: every client is active with probability S/N.
                self._weights = (self.problem.client_weights[self._clients] * (self.N / self.S))[:, None, :]

    def _drawn_clients(self) -> Indices:
        """Return who takes part, uniformly without replacement, (lanes, S) in ascending order."""
        return draw_clients(self._participation, self.N, self.S)

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self.problem = self.problem.for_lanes(lanes)
        self._noise.keep(lanes)
        self._minibatches.keep(lanes)
        self._participation.keep(lanes)
        self._coins.keep(lanes)
        if self._turns is not None:
            self._turns.keep(lanes)
        for observer in self._observers:
            observer.keep(lanes)

    def generators(self, role: int) -> list[tuple[int, int]]:
        """Return every lane's generator of one role, `NOISE`, `PARTICIPATION` or `METHOD`, before its next word."""
        found: list[tuple[int, int]] = (self._noise, self._participation, self._coins)[role].generators()
        return found

    def draw(self, b: int | None = None) -> Token:
        """Draw a fresh minibatch for every active client."""
        self._batch = self.b if b is None else b
        require_batch(self._senders_at_most, self.problem.d, self._batch)
        if self.problem.online and self._server is not None:
            return self.problem.of_round(self._round, (len(self._server), self.S, 1))
        return self._drawn_minibatch()

    def _drawn_minibatch(self) -> Token:
        return self._minibatches.draw(self._clients, self._batch)

    def draw_in_turn(self, b: int | None = None, *, order: Order = "reshuffled") -> Token:
        """Take the next samples of every client's list, each once a pass."""
        if self._clients is not None:
            msg = f"samples in turn need all clients in every round, but {self.S} of {self.N} take part"
            raise NotApplicableError(msg)
        if self._turns is None:
            self._turns = Turns(self.problem.sample_count, self._drawn_orders)
        self._batch = self.b if b is None else b
        return self.problem.numbered(self._turns.next(self._batch, order))

    def _drawn_orders(self) -> Indices:
        """Return a uniform random order of every client's samples, (lanes, N, samples)."""
        count = self.problem.sample_count
        words = self._noise.raw(self.N * count)
        orders: Indices = words.reshape(-1, self.N, count).argsort(axis=-1)
        return orders

    def grad(self, y: Array, batch: Token) -> Array:
        """Return the active clients' stochastic gradients at `y` on `batch`."""
        self.gradients += self._senders * self._batch
        return self._add_weight_decay(self.problem.gradient(y, self._clients, batch), y)

    def _add_weight_decay(self, g: Array, y: Array) -> Array:
        """Add the gradient of weight_decay |y|^2/2, which every client has beside its own function."""
        return g + self._weight_decay * y if self._weight_decay else g

    def full(self, y: Array) -> Array:
        """Return the active clients' exact gradients at `y`, counted apart from sampled ones."""
        self.full_gradients += self._senders
        return self._add_weight_decay(self.problem.gradient(y, self._clients), y)

    def full_all(self, y: Array) -> Array:
        """Return all N clients' exact gradients at `y` (lanes, 1 or N, d), counted with those of `full`."""
        self.full_gradients += self.N
        return self._add_weight_decay(self.problem.gradient(self.everywhere(y), None), y)

    def alone(self, x: Array, client: int) -> Array:
        """Return the exact gradient of one client, whoever is active, at a server point."""
        self.full_gradients += 1
        return self._add_weight_decay(self.problem.gradient(x, np.full((len(x), 1), client % self.N)), x)

    def curvature(self, y: Array, v: Array) -> Array:
        """Return the products of the active clients' Hessians with `v`, by central differences of exact gradients."""
        length = np.sqrt((v * v).sum(axis=-1, keepdims=True))
        far = _PROBE * (1.0 + np.sqrt((y * y).sum(axis=-1, keepdims=True))) / np.where(length > 0, length, 1.0)
        difference: Array = (self.full(y + far * v) - self.full(y - far * v)) / (2.0 * far)
        return difference

    def value(self, x: Array) -> Array:
        """Return f at a server point, (lanes, 1, 1)."""
        return self.problem.value(x)[:, None, None] + self._decay_of(x)

    def values(self, y: Array) -> Array:
        """Return the active clients' own f_i, (lanes, clients, 1)."""
        return self.problem.client_values(y, self._clients)[..., None] + self._decay_of(y)

    def _decay_of(self, y: Array) -> Array:
        """Return weight_decay |y|^2/2 of every row."""
        half: Array = 0.5 * self._weight_decay * (y * y).sum(axis=-1, keepdims=True)
        return half

    def prox(self, v: Array, step: Hyper) -> Array:
        """Return argmin_x h(x) + |x - v|^2/(2 step) of every row."""
        return self.problem.h.prox(v, step)

    def client_prox(self, v: Array, step: Hyper) -> Array:
        """Return argmin_y f_i(y) + |y - v|^2/(2 step) of the active clients, counted as one exact gradient each."""
        self.full_gradients += self._senders
        # The square of weight decay goes into that of the step.
        shrink = 1.0 + self._weight_decay * step
        return self.problem.client_prox(v / shrink, step / shrink, self._clients)

    def uniform(self, *shape: int) -> Array:
        """Return uniforms in [0, 1) with 53 random bits each, (lanes, *shape)."""
        if math.prod(shape) > MOST_NUMBERS:
            msg = f"{math.prod(shape):.1e} coins are asked for at once, more than {MOST_NUMBERS:.0e}"
            raise NotApplicableError(msg)
        # Coins of their own stream: a method that tosses them sees the same minibatches as one that does not.
        raw = self._coins.raw(math.prod(shape))
        uniforms: Array = (raw >> np.uint64(11)).astype(np.float64).reshape(len(raw), *shape) * 2.0**-53
        return uniforms

    def mean(self, v: Array, *, free: bool = False) -> Array:
        """Average over the active clients, each of which sends its row unless it is `free`."""
        self.floats_up += 0 if free else v.shape[1] * v.shape[2]
        # Three times as fast as v.mean(axis=1) at these sizes, and as independent of the other lanes.
        mean: Array = np.matmul(self._weights, v)
        return mean

    def mix(self, v: Array, weights: Array) -> Array:
        """Return the clients' weighted sums.

        A row that goes to several clients goes up once, and down to each.

        Raises
        ------
        NotApplicableError
            If clients have weights: the clients of a network average plainly.
        """
        if self.problem.client_weights is not None:
            msg = (
                f"problem {self.problem.name} has clients with weights, and a network has a plain average for its limit"
            )
            raise NotApplicableError(msg)
        self.floats_up += v.shape[1] * v.shape[2]
        # Of matrices of their own, lanes have as many neighbours as the first one.
        one = weights.reshape(-1, *weights.shape[-2:])[0]
        self.floats_down += (np.count_nonzero(one) - np.count_nonzero(np.diagonal(one))) * v.shape[2]
        mixed: Array = np.matmul(weights, v)
        return mixed

    def mean_all(self, v: Array) -> Array:
        """Average over all N clients, counted apart."""
        self.floats_apart += v.shape[1] * v.shape[2]
        return super().mean_all(v)

    def largest(self, v: Array) -> Array:
        """Return the largest entries over the active clients, each of which sends its row."""
        self.floats_up += v.shape[1] * v.shape[2]
        largest: Array = v.max(axis=1, keepdims=True)
        return largest

    def to_clients(self, x: Array, *, free: bool = False) -> Array:
        """Broadcast a server vector to the active clients, to be sent unless it is `free`."""
        self.floats_down += 0 if free else self.S * x.shape[2]
        # A copy takes a third of the time of `numpy.broadcast_to` at these sizes.
        repeated: Array = x.repeat(self.S, axis=1)
        return repeated

    def active(self, memory: Array) -> Array:
        """Return the active clients' rows of a memory (lanes, N, d)."""
        if self._clients is None:
            return memory
        rows: Array = np.take_along_axis(memory, self._clients[:, :, None], axis=1)
        return rows

    def remember(self, memory: Array, rows: Array) -> Array:
        """Return the memory with the active clients' rows replaced."""
        if self._clients is None:
            return rows
        fresh = memory.copy()
        np.put_along_axis(fresh, self._clients[:, :, None], rows, axis=1)
        return fresh

    def initial(self, x0: Array, b: int) -> Array:
        """Return all N clients' gradients at x0 on `b` samples each, shape (lanes, N, d)."""
        require_batch(self.N, self.problem.d, b)
        self.gradients += self.N * b
        y = self.everywhere(x0)
        g = self._sampled_everywhere(y, min(b, AT_ONCE))
        # Theorems prescribe more samples than there is memory for.
        for done in range(AT_ONCE, b, AT_ONCE):
            part = min(AT_ONCE, b - done)
            g += (self._sampled_everywhere(y, part) - g) * (part / (done + part))
        return self._add_weight_decay(g, x0)

    def _sampled_everywhere(self, y: Array, b: int) -> Array:
        """Return all N clients' gradients on `b` fresh samples each."""
        return self.problem.gradient(y, None, self.problem.sample(self._noise, None, b))

    def blockwise(self, x: Hyper, y: Hyper) -> Array:
        """Return (1 or lanes, 1, d) with `x` on the min block and `y` on the max block."""
        if self.problem.blocks is None:
            msg = f"problem {self.problem.name} is not a minimax problem: it has no max block"
            raise NotApplicableError(msg)
        first, second = self.problem.blocks
        along = np.arange(first + second) < first
        return np.where(along, x, y)

    @cached_property
    def _network(self) -> Layered:
        if not isinstance(self.problem, Layered):
            msg = f"problem {self.problem.name} is no network: it has no layers"
            raise NotApplicableError(msg)
        return self.problem

    @property
    def levels(self) -> int:
        """Return the number of levels of a network: its hidden layers, and the logits."""
        return self._network.levels

    def outputs(self, y: Array, batch: Token) -> list[Array]:
        """Return the active clients' outputs of all levels of a network, (lanes, clients, rows, units)."""
        return self._network.outputs(y, self._clients, batch)

    def composite(self, y: Array, batch: Token, loss: Hyper, slopes: Mapping[int, Array]) -> Array:
        """Return the gradients of ``loss * f_i + sum_l <slopes[l], outputs_l>``, counted like those of `grad`."""
        self.gradients += self.S * self._batch
        return self._add_weight_decay(self._network.composite_gradient(y, self._clients, batch, loss, slopes), y)

    def upstream_mask(self, level: int) -> Array:
        """Return 1 for the parameters that outputs of `level` depend on and 0 for the others, shape (d,)."""
        return self._network.upstream_mask(level)

    def observe(self, y: Array, weight: Hyper = 1.0) -> None:
        """Show the observers the local iterates."""
        self._is_shown = True
        for observer in self._local:
            observer.local(self.problem, y, self._server, weight)

    def require_local_points(self, method: Any) -> None:
        """Refuse a left-hand side over local points of a method that shows none: it would be 0."""
        if self._local and not self._is_shown:
            names = ", ".join(observer.metric.name for observer in self._local)
            msg = (
                f"method {method.card.id} shows no local points, over which {names} averages: call oracle.observe(y) "
                "before every local step"
            )
            raise NotApplicableError(msg)
