"""Run a registered method and hand out the minibatches that it saw, one client at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.bench import SEED, Bench, network, noisy, saddle
from boundcheck.errors import InputError, require, require_count

if TYPE_CHECKING:
    from boundcheck.methods import Card, Method
    from boundcheck.problems.base import Array, Problem, Token


@dataclass(frozen=True)
class Setting:
    """One run of the battery: clients, active clients, local steps, rounds and noise."""

    N: int
    S: int
    K: int
    T: int = 5
    noise: str = "signs"

    def __post_init__(self) -> None:
        """Refuse settings that do not exist."""
        for name in ("N", "S", "K", "T"):
            require_count(getattr(self, name), name)
        require(self.S <= self.N, "S", self.S, f"at most N = {self.N}")

    def __str__(self) -> str:
        return f"N = {self.N}, S = {self.S}, K = {self.K}, T = {self.T}, {self.noise}"

    def problem(self, card: Card) -> Problem:
        """Return clients that differ by tilts; a saddle for a minimax method, a network for one that looks into it."""
        if card.kind == "minimax":
            return saddle(N=self.N)
        if "layers" in card.needs:
            return network(N=self.N)
        return noisy(N=self.N, noise=self.noise)


class _Draw(NamedTuple):
    clients: Any
    token: Token
    batch: int


class _Recorder(Bench):
    """Keeps the active clients and the minibatches of every round, and of the time before the first."""

    def __init__(self, problem: Problem, setting: Setting) -> None:
        key = (setting.N, setting.S, setting.K, setting.T, 1, 0)
        super().__init__(problem, S=setting.S, K=setting.K, keys=[key], seed=SEED)
        self.start: list[Token] = []
        self.draws: list[list[Token]] = []
        self.sets: list[list[int]] = []

    def begin_round(self, x: Array) -> None:
        """Open a new round."""
        super().begin_round(x)
        self.draws.append(self.drawn)
        everyone = np.arange(float(self.N))[None, :, None]
        self.sets.append([int(i) for i in self.active(everyone)[0, :, 0]])

    def initial(self, x0: Array, b: int) -> Array:
        """Keep the minibatch; what the gradients are is as ever."""
        self.gradients += self.N * b
        self.start.append(self.problem.sample(self._noise, None, b))
        everywhere = np.broadcast_to(x0, (len(x0), self.N, self.problem.d))
        return self.problem.gradient(everywhere, None, self.start[-1])


class Client:
    """What an implementation under test sees of one client."""

    def __init__(self, recorder: _Recorder, number: int) -> None:
        self._recorder, self._number = recorder, number

    def grad(self, x: Any, k: int, t: int) -> Array:
        """Return the stochastic gradient at `x` on our sample of step k = 0, 1, ... of round t = 0, 1, ...

        Raises
        ------
        InputError
            If there is no such round or step, or the client is not active in that round.
        """
        recorder = self._recorder
        rounds = len(recorder.sets)
        require(0 <= t < rounds, "grad: t", t, f"a round from 0 to {rounds - 1}")
        chosen, drawn = recorder.sets[t], recorder.draws[t]
        require(self._number in chosen, f"grad: client in round {t}", self._number, f"one of the active {chosen}")
        require(0 <= k < len(drawn), "grad: k", k, f"a step from 0 to {len(drawn) - 1}")
        return self._at(x, chosen, drawn[k])

    def first(self, x: Any) -> Array:
        """Return the stochastic gradient at `x` on the sample that a method takes before the first round.

        Raises
        ------
        InputError
            If our method takes none.
        """
        if not self._recorder.start:
            msg = "first: this method takes no sample before the first round"
            raise InputError(msg)
        return self._at(x, list(range(self._recorder.N)), self._recorder.start[0])

    def full(self, x: Any) -> Array:
        """Return the exact gradient at `x`."""
        return self._at(x, list(range(self._recorder.N)), None)

    def _at(self, x: Any, clients: list[int], token: Token) -> Array:
        point = np.asarray(x, dtype=float).reshape(1, 1, -1)
        problem, rows = self._recorder.problem, len(clients)
        require(point.size == problem.d, "grad: dimension of x", point.size, f"{problem.d}")
        everywhere = np.broadcast_to(point, (1, rows, problem.d))
        g: Array = problem.gradient(everywhere, np.array([clients]), token)[0, clients.index(self._number)]
        return g


class Recorded(NamedTuple):
    """One run of our method."""

    setting: Setting
    path: Array
    """Server iterates (T + 1, d)."""
    clients: list[Client]
    active: list[list[int]]
    """Active clients of every round."""
    x0: Array


def recorded(made: Method, setting: Setting) -> Recorded:
    """Run our method at a setting of the battery."""
    problem = setting.problem(made.card)
    recorder = _Recorder(problem, setting)
    state = made.init(recorder, problem.start[None, None].copy())
    path = [problem.start.copy()]
    for _ in range(setting.T):
        recorder.begin_round(state.x)
        state = made.round(recorder, state)
        path.append(state.x[0, 0].copy())
    clients = [Client(recorder, i) for i in range(setting.N)]
    return Recorded(setting, np.stack(path), clients, recorder.sets, problem.start.copy())
