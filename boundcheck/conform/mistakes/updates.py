"""Mistakes in what the server makes of the clients' ends: weights, clipped updates, entries and rounds that are lost.

For methods whose server averages the ends y_i of the local steps; an update is y_i - x.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import PLACES, average, change_averages, change_oracle, mask, norms, tabulate
from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector

BOUNDS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Where codes clip updates."""
_SMALL = (1e-4, 1e-3, 0.005, 0.01, 0.02, 0.05, 0.1)
"""Where codes leave entries out."""


def _averages(table: dict[str, Callable[[Round, Vector, Vector], Vector]]) -> tuple[Mistake, ...]:
    """Return the mistakes of a table from words to averages ``rule(round, rows, mean)``."""
    return tabulate({words: change_averages(rule) for words, rule in table.items()})


def weigh(weights: Callable[[int], Any], onto: Callable[[int], float]) -> Pieces:
    """Return the piece whose average is a sum of ends and of the old iterate with weights of S alone."""

    def rule(r: Round, rows: Vector, mean: Vector) -> Vector:
        S = rows.shape[1]
        by = np.asarray(weights(S), dtype=float)[:, None]
        summed: Vector = (by * rows).sum(axis=1, keepdims=True) + onto(S) * r.old.x
        return summed

    return change_averages(rule)


def _one_more(S: int, place: int) -> Any:
    by = np.ones(S)
    by[place] += 1.0
    return by / (S + 1)


def _pairwise(S: int) -> Any:
    """Return the weights of ((y_1 + y_2)/2 + y_3)/2 ..."""
    by = np.array([0.5 ** (S - i) for i in range(S)])
    by[0] *= 2.0 if S > 1 else 1.0
    return by if S > 1 else np.ones(1)


def _sizes(r: Round) -> Vector:
    """Return the sizes of the active clients (lanes, S, 1)."""
    found: Vector = r.oracle.active(r.oracle.to_all(0.0 * r.old.x[..., :1]) + r.oracle.sizes[:, None])
    return found


def _by_all_sizes(r: Round, rows: Vector, mean: Vector) -> Vector:
    summed: Vector = (_sizes(r) * (rows - r.old.x)).sum(axis=1, keepdims=True) / r.oracle.sizes.sum()
    return r.old.x + summed


def _by_turns(power: float) -> Callable[[Round, Vector, Vector], Vector]:
    """Return the average weighted by how often the clients have taken part."""

    def rule(r: Round, rows: Vector, mean: Vector) -> Vector:
        memory = lasting_memory(r.oracle)
        before = memory.get("turns", r.oracle.to_all(0.0 * r.old.x[..., :1]))
        memory["turns"] = r.oracle.remember(before, r.oracle.active(before) + 1.0)
        return average(rows, r.oracle.active(memory["turns"]) ** power)

    return rule


def _closest(r: Round, rows: Vector, mean: Vector) -> Vector:
    apart = norms(rows[:, :, None] - rows[:, None])[..., 0].sum(axis=2)
    found: Vector = np.take_along_axis(rows, apart.argmin(axis=1)[:, None, None], axis=1)
    return found


def _late(which: Callable[[int], Any]) -> Callable[[Round, Vector, Vector], Vector]:
    """Return the average in which some of the N clients send what they had when they took part last, x at first."""

    def rule(r: Round, rows: Vector, mean: Vector) -> Vector:
        memory = lasting_memory(r.oracle)
        seen, ends = (memory.get(name, r.oracle.to_all(0.0 * r.old.x)) for name in ("sent", "late ends"))
        last = r.oracle.active(seen * ends + (1.0 - seen) * r.old.x)
        memory["sent"], memory["late ends"] = r.oracle.remember(seen, 1.0 + 0.0 * rows), r.oracle.remember(ends, rows)
        late = r.oracle.active(0.0 * ends + mask(which, r.N)[:, None])
        return average(late * last + (1.0 - late) * rows)

    return rule


def _weight_mistakes(table: dict[str, tuple[Callable[[int], Any], Callable[[int], float]]]) -> tuple[Mistake, ...]:
    """Return the mistakes of a table from words to weights of the ends and of the old iterate."""
    return tabulate({words: weigh(*weights) for words, weights in table.items()})


def _nothing(S: int) -> float:
    return 0.0


COMMON_WEIGHTS = (
    *_weight_mistakes(
        {
            "the first client counts twice in the average: its weights are (2 y_1 + y_2 + ... + y_S)/(S + 1)": (
                lambda S: _one_more(S, 0),
                _nothing,
            ),
            "only the first client's result is used: the weights of the others are 0": (
                lambda S: np.eye(S)[0],
                _nothing,
            ),
            "the sum of the average starts at the old iterate and not at 0: x+ = x + mean_i y_i, the weight of x is "
            "1": (
                lambda S: np.full(S, 1.0 / S),
                lambda S: 1.0,
            ),
        }
    ),
    *_averages(
        {
            "the updates are weighted by n_i over the size of all N clients, whether active or not: the weights of a "
            "round do not add up to 1": _by_all_sizes
        }
    ),
)
"""Other weights of the average, those that go with other mistakes."""
WEIGHTS = (
    *COMMON_WEIGHTS,
    *_weight_mistakes(
        {
            "the last client counts twice in the average: its weights are (y_1 + ... + 2 y_S)/(S + 1)": (
                lambda S: _one_more(S, -1),
                _nothing,
            ),
            "the old iterate is averaged as if it were a client's: the weights are (x + y_1 + ... + y_S)/(S + 1)": (
                lambda S: np.full(S, 1.0 / (S + 1)),
                lambda S: 1.0 / (S + 1),
            ),
            "the sum of the clients' models is divided by S + 1: their weights are 1/(S + 1)": (
                lambda S: np.full(S, 1.0 / (S + 1)),
                _nothing,
            ),
            "the last client is left out of the sum and counted in its divisor: the weights are (y_1 + ... + "
            "y_(S-1))/S": (lambda S: (np.arange(S) < S - 1) / S, _nothing),
            "the average is made of pairs, ((y_1 + y_2)/2 + y_3)/2 ...: the weight of the last client is 1/2": (
                _pairwise,
                _nothing,
            ),
            "the clients' models are added up and not averaged: their weights are 1 and not 1/S": (np.ones, _nothing),
        }
    ),
    *_averages(
        {
            "the clients are weighted by how often they have taken part so far, this round included": _by_turns(1.0),
            "the clients are weighted by the inverse of how often they have taken part so far, this round included": (
                _by_turns(-1.0)
            ),
            "the median of the clients' models, entry by entry, stands in the place of their average": (
                lambda r, rows, mean: np.median(rows, axis=1, keepdims=True)
            ),
            "the model that is nearest to all others stands in the place of their average (Krum)": _closest,
            **{
                f"{who} a round late: its result is that of the time before, x the first time": _late(which)
                for who, which in {
                    "the first client is": lambda N: 0,
                    "the last client is": lambda N: -1,
                    "every client is": lambda N: slice(None),
                }.items()
            },
            **{
                f"{whose} comes with its entries in another order (reversed)": rule
                for whose, rule in {
                    "the first client's model": lambda r, rows, mean: mean + (rows[:, :1, ::-1] - rows[:, :1]) / r.S,
                    "the last client's model": lambda r, rows, mean: mean + (rows[:, -1:, ::-1] - rows[:, -1:]) / r.S,
                    "the average": lambda r, rows, mean: mean[..., ::-1],
                }.items()
            },
        }
    ),
)
"""All of them, and other averages."""


def shorten(u: Vector, bound: Any) -> Vector:
    """Return vectors clipped at a norm."""
    clipped: Vector = u * np.minimum(1.0, bound / norms(u))
    return clipped


def by_tensors(u: Vector, bound: float, cut: int) -> Vector:
    """Return vectors whose two tensors, cut at an entry, are clipped at a norm each."""
    at = cut % u.shape[-1]
    return np.concatenate([shorten(u[..., :at], bound), shorten(u[..., at:], bound)], axis=-1)


_UPDATE = "displacement (update)"


def _cut_at(entry: int) -> str:
    return f"(cut at entry {entry}) and not as one vector"


_CLIPPED: dict[str, tuple[str, Callable[[Vector, Vector, float], Vector]]] = {
    "norm": (
        f"the {_UPDATE} of every client is clipped at norm {{bound:.9g}}",
        lambda x, rows, bound: shorten(rows - x, bound),
    ),
    "entries": (
        f"the entries of every client's {_UPDATE} are clipped at {{bound:.9g}}",
        lambda x, rows, bound: np.clip(rows - x, -bound, bound),
    ),
    "mean": (
        f"the mean {_UPDATE} is clipped at norm {{bound:.9g}} at the server",
        lambda x, rows, bound: shorten(average(rows) - x, bound),
    ),
    "always": (
        f"the {_UPDATE} of every client is scaled to norm {{bound:.9g}}, also where it is shorter",
        lambda x, rows, bound: bound * (rows - x) / norms(rows - x),
    ),
    "models": (
        "the models of the clients are clipped at norm {bound:.9g}, and not their displacements (updates)",
        lambda x, rows, bound: shorten(rows, bound) - x,
    ),
    "models' entries": (
        "the entries of the clients' models are clipped at {bound:.9g}, and not displacements",
        lambda x, rows, bound: np.clip(rows, -bound, bound) - x,
    ),
    **{
        f"tensors {cut}": (
            f"the {_UPDATE} of every client is clipped at norm {{bound:.9g}} tensor by tensor {_cut_at(cut)}",
            lambda x, rows, bound, cut=cut: by_tensors(rows - x, bound, cut),  # type: ignore[misc]
        )
        for cut in (1, 2, -1)
    },
}
"""Ways to clip: words, and what moves x on average."""


def clip_updates(bound: float, how: str) -> Mistake:
    """Return the mistake that clips the updates by a way of `_CLIPPED`."""
    words, rule = _CLIPPED[how]
    clipped = change_averages(lambda r, rows, mean: r.old.x + average(rule(r.old.x, rows, bound)))
    return Mistake(words.format(bound=bound), **clipped)


def clipped_updates(bounds: tuple[float, ...] = BOUNDS) -> Iterator[Mistake]:
    """Yield the ways of clipping updates at bounds."""
    return (clip_updates(bound, how) for bound in bounds for how in _CLIPPED)


_RULES: dict[str, Callable[[Round, Vector, Vector], Vector]] = {
    "is not aggregated: it stays frozen at the server": lambda r, rows, mean: r.old.x,
    "is taken from the first client and not averaged": lambda r, rows, mean: rows[:, :1],
    "is taken from the last client and not averaged": lambda r, rows, mean: rows[:, -1:],
    "is added up over the clients and not averaged": lambda r, rows, mean: rows.sum(axis=1, keepdims=True),
    "is set to 0": lambda r, rows, mean: 0.0 * mean,
}
ENTRIES = _averages(
    {
        f"{place} of the model {words}": (
            lambda r, rows, mean, which=which, rule=rule: np.where(  # type: ignore[misc]
                mask(which, mean.shape[-1]) > 0.0, rule(r, rows, mean), mean
            )
        )
        for place, which in PLACES.items()
        for words, rule in _RULES.items()
    }
)
"""Entries of the model that the server treats otherwise, such as buffers or a head."""


class OwnEntries(OracleProxy):
    """Lets clients go on from their own values of some entries, the server's the first time."""

    def __init__(self, oracle: Any, x: Vector, which: Callable[[int], Any]) -> None:
        super().__init__(oracle)
        self._x, self._memory, self._there = x, lasting_memory(oracle), mask(which, x.shape[-1])

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


OWN = tabulate(
    {
        f"{place} of the model stays with its client, which goes on from its own and not from the server's (as buffers "
        "of a BatchNorm do)": change_oracle(lambda r, which=which: OwnEntries(r.oracle, r.old.x, which))  # type: ignore[misc]
        for place, which in PLACES.items()
    }
)
"""Entries that clients do not load."""


def _top(u: Vector, k: int) -> Vector:
    order = np.argsort(-np.abs(u), axis=-1, kind="stable")
    rank = np.argsort(order, axis=-1, kind="stable")
    return np.where(rank < k, u, 0.0)


def _send_top(r: Round, rows: Vector, mean: Vector, *, k: int, clients: bool) -> Vector:
    """Return the average of the largest entries of updates and errors, and keep what is left."""
    memory, x = lasting_memory(r.oracle), r.old.x
    if not clients:
        wanted = mean - x + memory.get("error", 0.0)
        memory["error"] = wanted - _top(wanted, k)
        return x + wanted - memory["error"]
    errors = memory.get("errors", r.oracle.to_all(0.0 * x))
    wanted = rows - x + r.oracle.active(errors)
    sent = _top(wanted, k)
    memory["errors"] = r.oracle.remember(errors, wanted - sent)
    return x + average(sent)


def _trim(r: Round, rows: Vector, mean: Vector) -> Vector:
    return average(np.sort(rows, axis=1)[:, 1:-1]) if rows.shape[1] > 2 else mean


SENT = _averages(
    {
        f"the sign of the mean {_UPDATE} is used in its place": lambda r, rows, mean: r.old.x + np.sign(mean - r.old.x),
        "the clients send the signs of their displacements (updates)": lambda r, rows, mean: (
            r.old.x + average(np.sign(rows - r.old.x))
        ),
        f"the mean {_UPDATE} is divided by its norm": lambda r, rows, mean: (
            r.old.x + (mean - r.old.x) / norms(mean - r.old.x)
        ),
        **{
            f"of every {_UPDATE} the {k} largest {'entry is' if k == 1 else 'entries are'} sent and the others are "
            "lost: there is no error feedback": (
                lambda r, rows, mean, k=k: r.old.x + average(_top(rows - r.old.x, k))  # type: ignore[misc]
            )
            for k in (1, 2)
        },
        **{
            f"of {what} the {k} largest {'entry is' if k == 1 else 'entries are'} {does}, and the others are kept for "
            "the next round: a compressor with error feedback": partial(_send_top, k=k, clients=does == "sent")
            for k in (1, 2)
            for what, does in ((f"the mean {_UPDATE}", "used"), (f"every {_UPDATE}", "sent"))
        },
        **{
            f"entries of every {_UPDATE} that are not larger than {small:g} are not sent, and lost": (
                lambda r, rows, mean, small=small: (  # type: ignore[misc]
                    r.old.x + average(np.where(np.abs(rows - r.old.x) > small, rows - r.old.x, 0.0))
                )
            )
            for small in _SMALL
        },
        "the average is trimmed: the largest and the smallest entry of the clients are left out": _trim,
    }
)
"""What is sent is something else than the displacement."""
