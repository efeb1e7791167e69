"""The two halves of GradMA: the clients' projected steps, and the server's memory of displacements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.errors import require
from boundcheck.methods.qp import project

if TYPE_CHECKING:
    from boundcheck.methods.base import Hyper, Oracle, Vector


class WorkerState(NamedTuple):
    """Server iterate and what the clients keep."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    own: Vector
    """Last local model of every client (lanes, N, d)."""
    seen: Vector
    """1 for a client that has taken part, else 0 (lanes, N, 1)."""


class ServerMemoryState(NamedTuple):
    """Server iterate, projected momentum and the memory of displacements."""

    x: Vector
    """Server iterate (lanes, 1, d)."""
    m: Vector
    """Projected momentum (lanes, 1, d)."""
    D: Vector
    """Memory row of every client, zero if there is none (lanes, N, d)."""
    uses: Vector
    """Rounds a client took part since its row was made, 0 without a row (lanes, N, 1)."""
    entered: Vector
    """Round in which the row was made (lanes, N, 1)."""
    t: int
    """Rounds so far."""


def _flags(oracle: Oracle, x0: Vector) -> Vector:
    """Return a zero for every client, (lanes, N, 1)."""
    return oracle.to_all(0.0 * x0[:, :, :1])


def _active_flags(oracle: Oracle, flags: Vector) -> Vector:
    """Return 1 for the active clients and 0 for the others, (lanes, N, 1)."""
    zeros = 0.0 * flags
    return oracle.remember(zeros, oracle.active(zeros) + 1.0)


def worker_start(oracle: Oracle, x0: Vector) -> WorkerState:
    """Return the clients' state before the first round: everyone at x0."""
    return WorkerState(x0, oracle.to_all(x0), _flags(oracle, x0))


def worker_update(oracle: Oracle, state: Any, eta: Hyper, *, previous: str, unseen: str) -> tuple[Vector, Any]:
    """Return the clients' displacements x - y_i, and the state with their local models and flags after the round."""
    start = oracle.to_clients(state.x)
    before = start
    if previous == "stored":
        own = oracle.active(state.own)
        before = own if unseen == "start" else np.where(oracle.active(state.seen) > 0, own, start)

    def step(_: Any, carry: tuple[Vector, ...]) -> tuple[Vector, ...]:
        before, y, moved = carry
        oracle.observe(y)
        batch = oracle.draw()
        # The third row is y - x up to the factor eta > 0, but summed from the steps: the rows are dependent here, and
        # the rounding of y - x would tilt the cone.
        rows = np.stack([oracle.grad(before, batch), oracle.grad(start, batch), -moved], axis=-2)
        v = project(oracle.grad(y, batch), rows)
        return y, y - eta * v, moved + v

    _, y, _ = oracle.fori(step, (before, start, 0.0 * start))
    own, seen = oracle.remember(state.own, y), np.maximum(state.seen, _active_flags(oracle, state.seen))
    return start - y, state._replace(own=own, seen=seen)


def check_worker(name: str, previous: str, unseen: str) -> None:
    """Refuse readings that do not exist."""
    require(previous in {"stored", "current"}, f"{name}: previous", previous, "stored or current")
    require(unseen in {"start", "current"}, f"{name}: unseen", unseen, "start or current")


def server_start(oracle: Oracle, x0: Vector, memory: int | None, name: str) -> ServerMemoryState:
    """Return the server's state before the first round: at rest, with an empty memory."""
    size = oracle.N if memory is None else memory
    require(size >= oracle.S, f"{name}: memory", size, f"at least S = {oracle.S} rows")
    flags = _flags(oracle, x0)
    return ServerMemoryState(x0, 0.0 * x0, oracle.to_all(0.0 * x0), flags, flags, 0)


def _make_room(oracle: Oracle, uses: Vector, entered: Vector, t: int, size: int) -> tuple[Vector, Vector]:
    """Return use counts and ages after this round's clients got a row each; the least used of the others lose theirs.

    Ties go to the oldest row, then to the smallest client number.
    """
    chosen = _active_flags(oracle, uses) > 0
    held = uses > 0
    fresh, idle = chosen & ~held, held & ~chosen
    excess = (held | chosen).sum(axis=1, keepdims=True) - size
    order = np.lexsort((entered, uses, ~idle), axis=1)
    evicted = idle & (np.argsort(order, axis=1) < excess)
    return np.where(evicted, 0.0, uses) + chosen, np.where(fresh, float(t), entered)


def server_update(
    oracle: Oracle,
    state: Any,
    displacements: Vector,
    *,
    gamma: Hyper,
    beta: Hyper,
    beta_mem: Hyper,
    memory: int | None,
) -> Any:
    """Remember the displacements, then step along the momentum projected by all rows."""
    size = oracle.N if memory is None else min(memory, oracle.N)
    uses, entered = _make_room(oracle, state.uses, state.entered, state.t, size)
    D = np.where(uses > 0, beta_mem * state.D, 0.0) + oracle.remember(0.0 * state.D, displacements)
    m = beta * state.m + oracle.mean(displacements)
    full = np.argsort(uses == 0, axis=1, kind="stable")[:, :size]
    m = project(m[:, 0], np.take_along_axis(D, full, axis=1))[:, None]
    return state._replace(x=state.x - gamma * m, m=m, D=D, uses=uses, entered=entered, t=state.t + 1)
