"""Mistakes in what the server makes of the clients' ends: weights, clipped updates, entries and rounds that are lost.

For methods whose server averages the ends y_i of the local steps; an update is y_i - x.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedAverages, OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.methods.base import Vector

BOUNDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Where codes clip updates."""


def average_by(rule: Callable[[Any, Vector, Vector, Vector], Vector]) -> Callable[..., Any]:
    """Return the change of a round whose average is ``rule(oracle, x, rows, mean)`` instead of the mean."""

    def change(m: Any, oracle: Any, state: Any) -> ChangedAverages:
        return ChangedAverages(oracle, lambda rows, mean: rule(oracle, state.x, rows, mean))

    return change


def weigh(weights: Callable[[int], Any], onto: Callable[[int], float] = lambda S: 0.0) -> Callable[..., Any]:
    """Return the change of a round whose average is a sum of ends and of the old iterate with weights of S alone."""

    def rule(oracle: Any, x: Vector, rows: Vector, _: Vector) -> Vector:
        S = rows.shape[1]
        by = np.asarray(weights(S), dtype=float)[:, None]
        return (by * rows).sum(axis=1, keepdims=True) + onto(S) * x

    return average_by(rule)


def _one_more(S: int, place: int) -> Any:
    by = np.ones(S)
    by[place] += 1.0
    return by / (S + 1)


def _pairwise(S: int) -> Any:
    """Return the weights of ((y_1 + y_2)/2 + y_3)/2 ..."""
    by = np.array([0.5 ** (S - i) for i in range(S)])
    by[0] *= 2.0 if S > 1 else 1.0
    return by if S > 1 else np.ones(1)


def _by_all_sizes(oracle: Any, x: Vector, rows: Vector, mean: Vector) -> Vector:
    sizes = oracle.active(oracle.to_all(0.0 * x[..., :1]) + oracle.sizes[:, None])
    summed: Vector = (sizes * (rows - x)).sum(axis=1, keepdims=True) / oracle.sizes.sum()
    return x + summed


def _by_turns(m: Any, oracle: Any, state: Any, *, power: float) -> ChangedAverages:
    """Return the oracle that weighs the clients by how often they have taken part."""
    memory, nobody = lasting_memory(oracle), oracle.to_all(0.0 * state.x[..., :1])
    before = memory.get("turns", nobody)
    turns = memory["turns"] = oracle.remember(before, oracle.active(before) + 1.0)
    by = oracle.active(turns) ** power
    return ChangedAverages(
        oracle, lambda rows, _: (by * rows).sum(axis=1, keepdims=True) / by.sum(axis=1, keepdims=True)
    )


WEIGHTS = {
    "first-twice": Mistake(
        "the first client counts twice in the average: its weights are (2 y_1 + y_2 + ... + y_S)/(S + 1)",
        oracle=weigh(lambda S: _one_more(S, 0)),
    ),
    "last-twice": Mistake(
        "the last client counts twice in the average: its weights are (y_1 + ... + 2 y_S)/(S + 1)",
        oracle=weigh(lambda S: _one_more(S, -1)),
    ),
    "first-only": Mistake(
        "only the first client's result is used: the weights of the others are 0",
        oracle=weigh(lambda S: np.eye(S)[0]),
    ),
    "not-reset": Mistake(
        "the sum of the average starts at the old iterate and not at 0: x+ = x + mean_i y_i, the weight of x is 1",
        oracle=weigh(lambda S: np.full(S, 1.0 / S), lambda S: 1.0),
    ),
    "server-counted": Mistake(
        "the old iterate is averaged as if it were a client's: the weights are (x + y_1 + ... + y_S)/(S + 1)",
        oracle=weigh(lambda S: np.full(S, 1.0 / (S + 1)), lambda S: 1.0 / (S + 1)),
    ),
    "one-less": Mistake(
        "the sum of the clients' models is divided by S + 1: their weights are 1/(S + 1)",
        oracle=weigh(lambda S: np.full(S, 1.0 / (S + 1))),
    ),
    "last-lost": Mistake(
        "the last client is left out of the sum and counted in its divisor: the weights are (y_1 + ... + y_(S-1))/S",
        oracle=weigh(lambda S: (np.arange(S) < S - 1) / S),
    ),
    "pairwise": Mistake(
        "the average is made of pairs, ((y_1 + y_2)/2 + y_3)/2 ...: the weight of the last client is 1/2",
        oracle=weigh(_pairwise),
    ),
    "models-summed": Mistake(
        "the clients' models are added up and not averaged: their weights are 1 and not 1/S",
        oracle=weigh(np.ones),
    ),
    "by-all-sizes": Mistake(
        "the updates are weighted by n_i over the size of all N clients, whether active or not: the weights of a round "
        "do not add up to 1",
        oracle=average_by(_by_all_sizes),
    ),
    "by-turns": Mistake(
        "the clients are weighted by how often they have taken part so far, this round included",
        oracle=partial(_by_turns, power=1.0),
    ),
    "by-turns-inverse": Mistake(
        "the clients are weighted by the inverse of how often they have taken part so far, this round included",
        oracle=partial(_by_turns, power=-1.0),
    ),
    "median": Mistake(
        "the median of the clients' models, entry by entry, stands in the place of their average",
        oracle=average_by(lambda oracle, x, rows, mean: np.median(rows, axis=1, keepdims=True)),
    ),
}
"""Other weights of the average."""


def shorten(u: Vector, bound: float) -> Vector:
    """Return vectors clipped at a norm."""
    length = np.sqrt((u * u).sum(axis=-1, keepdims=True))
    return u * np.minimum(1.0, bound / np.maximum(length, 1e-300))


def _pieces(d: int, cut: int) -> list[slice]:
    at = cut % d
    return [slice(0, at), slice(at, d)]


def _clip_rows(oracle: Any, x: Vector, rows: Vector, mean: Vector, *, bound: float, how: str, cut: int = 0) -> Vector:
    u = rows - x
    if how == "norm":
        u = shorten(u, bound)
    elif how == "entries":
        u = np.clip(u, -bound, bound)
    elif how == "tensors":
        u = np.concatenate([shorten(u[..., piece], bound) for piece in _pieces(u.shape[-1], cut)], axis=-1)
    elif how == "always":
        length = np.sqrt((u * u).sum(axis=-1, keepdims=True))
        u = bound * u / np.maximum(length, 1e-300)
    elif how == "mean":
        return x + shorten(mean - x, bound)
    elif how == "models":
        u = shorten(rows, bound) - x
    elif how == "models' entries":
        u = np.clip(rows, -bound, bound) - x
    return x + u.mean(axis=1, keepdims=True)


def clip_updates(bound: float, how: str, cut: int = 0) -> Mistake:
    """Return the mistake that clips the updates: by 'norm', 'entries', 'tensors', 'always', or their 'mean'.

    'models' and "models' entries" clip the ends themselves.  `cut` is where the vector is cut into two tensors.
    """
    words = {
        "norm": f"the displacement (update) of every client is clipped at norm {bound:.9g}",
        "entries": f"the entries of every client's displacement (update) are clipped at {bound:.9g}",
        "tensors": f"the displacement (update) of every client is clipped at norm {bound:.9g} tensor by tensor (cut at "
        f"entry {cut}) and not as one vector",
        "always": f"the displacement (update) of every client is scaled to norm {bound:.9g}, also where it is shorter",
        "mean": f"the mean displacement (update) is clipped at norm {bound:.9g} at the server",
        "models": f"the models of the clients are clipped at norm {bound:.9g}, and not their displacements (updates)",
        "models' entries": f"the entries of the clients' models are clipped at {bound:.9g}, and not displacements",
    }
    return Mistake(words[how], oracle=average_by(partial(_clip_rows, bound=bound, how=how, cut=cut)))


def clipped_updates(bounds: tuple[float, ...] = BOUNDS) -> Iterator[Mistake]:
    """Yield the ways of clipping updates at bounds."""
    for bound in bounds:
        for how in ("norm", "entries", "mean", "always", "models", "models' entries"):
            yield clip_updates(bound, how)
        for cut in (1, 2, -1):
            yield clip_updates(bound, "tensors", cut)


def _entries(which: Callable[[int], Any], rule: Callable[[Vector, Vector, Vector], Vector]) -> Callable[..., Any]:
    """Return the change of a round whose average is another one in some entries."""

    def change(oracle: Any, x: Vector, rows: Vector, mean: Vector) -> Vector:
        there = np.zeros(x.shape[-1], dtype=bool)
        there[which(x.shape[-1])] = True
        return np.where(there, rule(x, rows, mean), mean)

    return average_by(change)


_PLACES: dict[str, Callable[[int], Any]] = {
    "the first entry": lambda d: 0,
    "the last entry": lambda d: d - 1,
    "all entries but the first": lambda d: slice(1, d),
    "all entries but the last": lambda d: slice(0, d - 1),
}
_RULES: dict[str, Callable[[Vector, Vector, Vector], Vector]] = {
    "is not aggregated: it stays frozen at the server": lambda x, rows, mean: x,
    "is taken from the first client and not averaged": lambda x, rows, mean: rows[:, :1],
    "is taken from the last client and not averaged": lambda x, rows, mean: rows[:, -1:],
    "is added up over the clients and not averaged": lambda x, rows, mean: rows.sum(axis=1, keepdims=True),
    "is set to 0": lambda x, rows, mean: 0.0 * x,
}
ENTRIES = {
    f"{place}: {rule}": Mistake(f"{place} of the model {rule}", oracle=_entries(which, what))
    for place, which in _PLACES.items()
    for rule, what in _RULES.items()
}
"""Entries of the model that the server treats otherwise, such as buffers or a head."""


class OwnEntries(OracleProxy):
    """Lets clients go on from their own values of some entries, the server's the first time."""

    def __init__(self, oracle: Any, x: Vector, which: Any) -> None:
        super().__init__(oracle)
        self._x, self._memory = x, lasting_memory(oracle)
        self._there = np.zeros(x.shape[-1])
        self._there[which(x.shape[-1])] = 1.0

    def to_clients(self, x: Vector, *, free: bool = False) -> Vector:
        """Return the server's vector to every client, its own entries in the iterate."""
        sent: Vector = self._oracle.to_clients(x, free=free)
        if x is not self._x:
            return sent
        own = self._oracle.active(self._memory.get("own entries", self._oracle.to_all(self._x)))
        seen = self._oracle.active(self._memory.get("own seen", self._oracle.to_all(0.0 * self._x)))
        return sent + self._there * seen * (own - sent)

    def mean(self, v: Vector, *, free: bool = False) -> Vector:
        """Keep where the clients end."""
        if v.ndim == self._x.ndim and v.shape[-1] == self._x.shape[-1]:
            nothing = self._oracle.to_all(0.0 * self._x)
            for name, rows in (("own entries", v), ("own seen", 1.0 + 0.0 * v)):
                self._memory[name] = self._oracle.remember(self._memory.get(name, nothing), rows)
        found: Vector = self._oracle.mean(v, free=free)
        return found


def _own_entries(which: Callable[[int], Any]) -> Callable[..., OwnEntries]:
    return lambda m, oracle, state: OwnEntries(oracle, state.x, which)


OWN = {
    f"{place}: own": Mistake(
        f"{place} of the model stays with its client, which goes on from its own and not from the server's (as buffers "
        "of a BatchNorm do)",
        oracle=_own_entries(which),
    )
    for place, which in _PLACES.items()
}
"""Entries that clients do not load."""


def _top(u: Vector, k: int) -> Vector:
    order = np.argsort(-np.abs(u), axis=-1, kind="stable")
    rank = np.argsort(order, axis=-1, kind="stable")
    return np.where(rank < k, u, 0.0)


def _send_top(m: Any, oracle: Any, state: Any, *, k: int, clients: bool) -> ChangedAverages:
    """Return the oracle that averages the largest entries of updates and errors, and keeps what is left."""
    memory = lasting_memory(oracle)

    def change(rows: Vector, mean: Vector) -> Vector:
        if not clients:
            wanted = mean - state.x + memory.get("error", 0.0)
            memory["error"] = wanted - _top(wanted, k)
            return state.x + wanted - memory["error"]
        errors = memory.get("errors", oracle.to_all(0.0 * state.x))
        wanted = rows - state.x + oracle.active(errors)
        sent = _top(wanted, k)
        memory["errors"] = oracle.remember(errors, wanted - sent)
        return state.x + sent.mean(axis=1, keepdims=True)

    return ChangedAverages(oracle, change)


SENT = {
    "sign": Mistake(
        "the sign of the mean displacement (update) is used in its place",
        oracle=average_by(lambda oracle, x, rows, mean: x + np.sign(mean - x)),
    ),
    "signs": Mistake(
        "the clients send the signs of their displacements (updates)",
        oracle=average_by(lambda oracle, x, rows, mean: x + np.sign(rows - x).mean(axis=1, keepdims=True)),
    ),
    "normalised": Mistake(
        "the mean displacement (update) is divided by its norm",
        oracle=average_by(
            lambda oracle, x, rows, mean: (
                x + (mean - x) / np.maximum(np.sqrt(((mean - x) ** 2).sum(axis=-1, keepdims=True)), 1e-300)
            )
        ),
    ),
    **{
        f"top-{k}": Mistake(
            f"of every displacement (update) the {k} largest {'entry is' if k == 1 else 'entries are'} sent and the "
            "others are lost: there is no error feedback",
            oracle=average_by(
                lambda oracle, x, rows, mean, k=k: x + _top(rows - x, k).mean(axis=1, keepdims=True)  # type: ignore[misc]
            ),
        )
        for k in (1, 2)
    },
    **{
        f"top-{k}-kept-{where}": Mistake(
            f"of {what} the {k} largest {'entry is' if k == 1 else 'entries are'} {does}, and the others are kept for "
            "the next round: a compressor with error feedback",
            oracle=partial(_send_top, k=k, clients=where == "clients"),
        )
        for k in (1, 2)
        for where, what, does in (
            ("server", "the mean displacement (update)", "used"),
            ("clients", "every displacement (update)", "sent"),
        )
    },
    "trimmed": Mistake(
        "the average is trimmed: the largest and the smallest entry of the clients are left out",
        oracle=average_by(
            lambda oracle, x, rows, mean: (
                np.sort(rows, axis=1)[:, 1:-1].mean(axis=1, keepdims=True) if rows.shape[1] > 2 else mean
            )
        ),
    ),
}
"""What is sent is something else than the displacement."""
