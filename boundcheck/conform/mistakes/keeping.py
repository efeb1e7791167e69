"""Mistakes in what is kept of earlier rounds: results that stay in a list, optimisers that live on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import OracleProxy

if TYPE_CHECKING:
    from collections.abc import Callable


def _drawer(oracle: Any) -> dict[str, Any]:
    """Return what is kept during a run; the oracle below all proxies lives as long as that."""
    while isinstance(oracle, OracleProxy):
        oracle = oracle.__dict__["_oracle"]
    kept: dict[str, Any] = oracle.__dict__.setdefault("_kept_results", {})
    return kept


class KeptResults(OracleProxy):
    """Averages over more than the results of the round, which it keeps by client."""

    def __init__(self, oracle: Any, x: Any, rule: Callable[..., Any], *, updates: bool) -> None:
        super().__init__(oracle)
        self._x, self._rule, self._updates = x, rule, updates

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Return the average by the rule of the results of this round and of those that are kept."""
        if v.ndim != 3 or v.shape[-1] == 1 or "busy" in self.__dict__:
            return self._oracle.mean(v, free=free)
        kept, base = _drawer(self), self._x if self._updates else 0.0
        rows = v - base
        nothing = self._oracle.to_all(0.0 * self._x)
        before, seen = kept.get("rows", nothing), kept.get("seen", nothing)
        active = self._oracle.remember(0.0 * seen, 1.0 + 0.0 * rows)
        fresh = self._oracle.remember(before, rows)
        kept["rows"], kept["seen"], used = self._rule(before, seen, fresh, active)
        self.__dict__["busy"] = True  # one average a round: that of the ends
        found = (used * kept["rows"]).sum(axis=1, keepdims=True) / used.sum(axis=1, keepdims=True)
        return found + base


def _all_seen(before: Any, seen: Any, fresh: Any, active: Any) -> tuple[Any, Any, Any]:
    known = np.maximum(seen, active)
    return fresh, known, known


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
        last = _drawer(self).get("last", v[:, :0])
        _drawer(self)["last"] = v - base
        return np.concatenate([v - base, last], axis=1).mean(axis=1, keepdims=True) + base


class LastingMomentum(OracleProxy):
    """Gives every client's gradients a momentum that it keeps from round to round."""

    def __init__(self, oracle: Any, mu: float, damp: float) -> None:
        super().__init__(oracle)
        self._mu, self._damp = mu, damp

    def grad(self, y: Any, batch: Any) -> Any:
        """Return the client's velocity."""
        g, kept = self._oracle.grad(y, batch), _drawer(self)
        if "velocity" not in kept:
            kept["velocity"] = self._oracle.to_all(0.0 * g[:, :1])
        velocity = self._mu * self._oracle.active(kept["velocity"]) + self._damp * g
        kept["velocity"] = self._oracle.remember(kept["velocity"], velocity)
        return velocity


def _kept_results(words: str, rule: Callable[..., Any], *, updates: bool) -> Mistake:
    what = "updates" if updates else "models"
    return Mistake(
        words.format(what=what),
        oracle=lambda m, oracle, state: KeptResults(oracle, state.x, rule, updates=updates),
    )


def _two_rounds(*, updates: bool) -> Mistake:
    what = "updates" if updates else "models"
    return Mistake(
        f"the {what} of the round before are averaged in too: the list of results is emptied a round late",
        oracle=lambda m, oracle, state: TwoRounds(oracle, state.x, updates=updates),
    )


def _lasting(mu: float, damp: float) -> Mistake:
    words = f"the clients' optimisers have a momentum of {mu:g} and keep it from round to round"
    return Mistake(
        f"{words} (damped by 1 - mu)" if damp < 1.0 else words,
        oracle=lambda m, oracle, state: LastingMomentum(oracle, mu, damp),
    )


_ALL_SEEN = (
    "the {what} of clients that sit out are averaged in too: the list of results is never emptied, and has the last of "
    "every client"
)
_FIRST_KEPT = "a client's first {what} are used again whenever it takes part: a cache"
KEEPING = {
    **{
        f"{name}-{updates}": _kept_results(words, rule, updates=updates)
        for name, rule, words in (("all-seen", _all_seen, _ALL_SEEN), ("first-kept", _first_kept, _FIRST_KEPT))
        for updates in (False, True)
    },
    **{f"two-rounds-{updates}": _two_rounds(updates=updates) for updates in (False, True)},
    **{
        f"lasting-{mu:g}-{damp:g}": _lasting(mu, damp) for mu in (0.9, 0.5, 0.99, 0.95, 0.1) for damp in (1.0, 1.0 - mu)
    },
}
"""For methods whose server averages the ends of the local steps."""
