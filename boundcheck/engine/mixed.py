"""Lanes of several numbers of clients in one array: a row is a client, and server vectors stand in every row of a lane.

Every array is (rows, 1, d), those of the server too, so that a method computes with them as with lanes of one client.
What joins the clients of a lane is done group by group, on the array (lanes, clients, d) that lanes of one number of
clients have when they run alone, so that every lane has the bits that it has there.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.engine.hyper import M, with_arrays
from boundcheck.engine.oracle import AT_ONCE
from boundcheck.errors import NotApplicableError, require
from boundcheck.methods.kinds import coins, largest_count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices, Problem


class Group(NamedTuple):
    """Neighbouring lanes of one number of clients."""

    lanes: slice
    rows: slice
    """Their active clients."""
    members: slice
    """All their clients."""
    size: int
    """Lanes."""
    N: int
    S: int

    def active(self, v: Array) -> Array:
        """Return the rows (lanes, S, d) of an array of active clients, a view where it lies in one piece."""
        return v[self.rows].reshape(self.S, self.size, v.shape[-1]).swapaxes(0, 1)

    def everyone(self, v: Array) -> Array:
        """Return the rows (lanes, N, d) of an array of all clients likewise."""
        return v[self.members].reshape(self.N, self.size, v.shape[-1]).swapaxes(0, 1)


@dataclasses.dataclass(frozen=True)
class Mix:
    """How many clients every lane has, and how many are active; lanes of the same numbers are neighbours.

    The rows of a group are the first clients of its lanes, then the second ones, ...: so a sum over clients adds long
    rows, in the order of the clients.
    """

    N: Indices
    S: Indices

    @property
    def lanes(self) -> int:
        """Return the number of lanes."""
        return len(self.N)

    @property
    def partial(self) -> bool:
        """Return whether some clients of a lane may be idle."""
        return bool((self.S < self.N).any())

    def groups(self) -> Iterator[Group]:
        """Yield the groups in the order of the lanes."""
        changes = np.flatnonzero((np.diff(self.N) != 0) | (np.diff(self.S) != 0)) + 1
        row = member = lane = 0
        for stop in (*changes.tolist(), self.lanes):
            N, S, count = int(self.N[lane]), int(self.S[lane]), stop - lane
            rows, members = row + count * S, member + count * N
            yield Group(slice(lane, stop), slice(row, rows), slice(member, members), count, N, S)
            lane, row, member = stop, rows, members

    def keep(self, lanes: Array | Indices) -> Mix:
        """Return the mix of the lanes where the mask is true."""
        return Mix(self.N[lanes], self.S[lanes])

    @cached_property
    def firsts(self) -> Indices:
        """Return the first row of every lane."""
        return np.concatenate([group.rows.start + np.arange(group.size) for group in self.groups()])

    @cached_property
    def owners(self) -> Indices:
        """Return the lane of every row."""
        return np.concatenate([np.tile(np.arange(self.lanes)[group.lanes], group.S) for group in self.groups()])

    @cached_property
    def by_lane(self) -> Indices:
        """Return the rows of the first lane, then those of the second one, ..."""
        return np.argsort(self.owners, kind="stable")

    @cached_property
    def owners_of_all(self) -> Indices:
        """Return the lane of every client, active or not."""
        return np.concatenate([np.tile(np.arange(self.lanes)[group.lanes], group.N) for group in self.groups()])

    def order(self) -> Indices:
        """Return the place of every client where lane comes after lane."""
        ranks = [
            group.members.start + np.arange(group.N)[:, None] + group.N * np.arange(group.size)
            for group in self.groups()
        ]
        return np.concatenate([rank.ravel() for rank in ranks])

    def cut(self, v: Any, lanes: Array) -> Any:
        """Return an array of rows or of all clients without the lanes where the mask is false; all else as it is."""
        if not isinstance(v, np.ndarray):
            return v
        return v[lanes[self.owners if len(v) == len(self.owners) else self.owners_of_all]]

    def spread(self, method: M, d: int) -> M:
        """Return the method with hyperparameters (rows, 1, d) in place of (lanes, 1, 1)."""
        # As many numbers as the vectors: a factor that is broadcast over four coordinates takes many times as long.
        return with_arrays(method, lambda value: np.repeat(value[self.owners], d, axis=2))


def mix_of(problem: Problem, S: Any, lanes: int) -> Mix | None:
    """Return how many clients the lanes of a mixed problem have, None for any other problem.

    Raises
    ------
    InputError
        If there are not as many lanes as the problem has, or S is no count <= N for every lane.
    """
    N = problem.clients_of_lanes
    if N is None:
        return None
    require(len(N) == lanes, "lanes", lanes, f"{len(N)}, as many as the mixed problem has")
    active = N if S is None else np.broadcast_to(np.asarray(S), N.shape)
    legal = active.dtype.kind == "i" and bool(((active >= 1) & (active <= N)).all())
    require(legal, "S", S, "counts from 1 to N, one a lane")
    return Mix(N, active)


def require_mixed(
    mix: Mix | None, method: Method, metrics: Iterable[Metric], quantities: Collection[str], backend: str
) -> None:
    """Refuse what does not run on lanes of several numbers of clients, where there are such.

    Raises
    ------
    NotApplicableError
        With its name.
    """
    if mix is None:
        return
    wrong = [f"method {method.card.id}"] if not mixes(method) else []
    wrong += [f"metric {metric.name}" for metric in metrics if not metric.mixes]
    wrong += [f"quantity {name}" for name in quantities]
    wrong += [f"backend {backend}"] if backend != "numpy" else []
    if wrong:
        msg = f"{wrong[0]} does not run on lanes of several numbers of clients"
        raise NotApplicableError(msg)


def mixes(method: Method) -> bool:
    """Return whether a method runs on lanes of several numbers of clients: its card says so, and it tosses no coins.

    A first batch that is averaged in parts is not: it would be in others there.
    """
    return method.card.mixes and coins(method) == "none" and largest_count(method) <= AT_ONCE
