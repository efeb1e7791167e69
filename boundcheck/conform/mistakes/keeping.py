"""Mistakes in what is kept of earlier rounds: results that stay in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import OracleProxy, lasting_memory

if TYPE_CHECKING:
    from collections.abc import Callable


class KeptResults(OracleProxy):
    """Averages over more than the results of the round, which it keeps by client."""

    def __init__(self, oracle: Any, x: Any, rule: Callable[..., Any], *, updates: bool) -> None:
        super().__init__(oracle)
        self._x, self._rule, self._updates = x, rule, updates

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Return the average by the rule of the results of this round and of those that are kept."""
        if v.ndim != 3 or v.shape[-1] == 1 or "busy" in self.__dict__:
            return self._oracle.mean(v, free=free)
        kept, base = lasting_memory(self), self._x if self._updates else 0.0
        rows = v - base
        nothing = self._oracle.to_all(0.0 * self._x)
        before = kept.get("rows", nothing if self._updates else self._oracle.to_all(self._x))
        seen = kept.get("seen", nothing)
        active = self._oracle.remember(0.0 * seen, 1.0 + 0.0 * rows)
        fresh = self._oracle.remember(before, rows)
        kept["rows"], kept["seen"], used = self._rule(before, seen, fresh, active)
        self.__dict__["busy"] = True  # one average a round: that of the ends
        found = (used * kept["rows"]).sum(axis=1, keepdims=True) / used.sum(axis=1, keepdims=True)
        return found + base


def _all_seen(before: Any, seen: Any, fresh: Any, active: Any) -> tuple[Any, Any, Any]:
    known = np.maximum(seen, active)
    return fresh, known, known


def _everybody(before: Any, seen: Any, fresh: Any, active: Any) -> tuple[Any, Any, Any]:
    return fresh, seen, 1.0 + 0.0 * seen


def _first_kept(before: Any, seen: Any, fresh: Any, active: Any) -> tuple[Any, Any, Any]:
    return np.where(seen > 0, before, fresh), np.maximum(seen, active), active


class TwoRounds(OracleProxy):
    """Averages the results of this round and of the one before, a client of both twice."""

    def __init__(self, oracle: Any, x: Any, *, updates: bool) -> None:
        super().__init__(oracle)
        self._x, self._updates = x, updates

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Return the average of both lists."""
        if v.ndim != 3 or v.shape[-1] == 1 or "busy" in self.__dict__:
            return self._oracle.mean(v, free=free)
        self.__dict__["busy"] = True
        base = self._x if self._updates else 0.0
        last = lasting_memory(self).get("last", v[:, :0])
        lasting_memory(self)["last"] = v - base
        return np.concatenate([v - base, last], axis=1).mean(axis=1, keepdims=True) + base


def _kept_results(words: str, rule: Callable[..., Any], *, updates: bool) -> Mistake:
    what = "updates" if updates else "models"
    return Mistake(
        words.format(what=what),
        oracle=lambda r: KeptResults(r.oracle, r.old.x, rule, updates=updates),
    )


def _two_rounds(*, updates: bool) -> Mistake:
    what = "updates" if updates else "models"
    return Mistake(
        f"the {what} of the round before are averaged in too: the list of results is emptied a round late",
        oracle=lambda r: TwoRounds(r.oracle, r.old.x, updates=updates),
    )


_ALL_SEEN = (
    "the {what} of clients that sit out are averaged in too: the list of results is never emptied, and has the last of "
    "every client"
)
_EVERYBODY = "the {what} of all clients are averaged, those of clients that sit out as they were, x_0 before the first"
_FIRST_KEPT = "a client's first {what} are used again whenever it takes part: a cache"
KEEPING = (
    *(
        _kept_results(words, rule, updates=updates)
        for words, rule in ((_ALL_SEEN, _all_seen), (_FIRST_KEPT, _first_kept))
        for updates in (False, True)
    ),
    _kept_results(_EVERYBODY, _everybody, updates=False),
    *(_two_rounds(updates=updates) for updates in (False, True)),
)
"""For methods whose server averages the ends of the local steps."""
