"""Oracles that tell a round something else than asked: what is wrong wherever a client or the network is got wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Oracle, Vector


class OracleProxy:
    """An oracle that answers for another one; what a subclass does not change is passed on."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle: Any = oracle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._oracle, name)


def lasting_memory(oracle: Any) -> dict[str, Any]:
    """Return what is kept during a run, by name; the oracle below all proxies lives as long as that."""
    while isinstance(oracle, OracleProxy):
        oracle = oracle.__dict__["_oracle"]
    memory: dict[str, Any] = oracle.__dict__.setdefault("_lasting_memory", {})
    return memory


class FirstSample(OracleProxy):
    """Uses the minibatch of the round's first draw at every step; the others are drawn and not used."""

    def __init__(self, oracle: Oracle) -> None:
        super().__init__(oracle)
        self._first: list[Any] = []

    def draw(self, b: int | None = None) -> Any:
        """Draw, and return the first."""
        self._first.append(self._oracle.draw(b))
        return self._first[0]


class ReplayingOracle(OracleProxy):
    """Draws the same minibatches again after `rewind`."""

    def __init__(self, oracle: Oracle) -> None:
        super().__init__(oracle)
        self._drawn: list[Any] = []
        self._next = 0

    @property
    def batches(self) -> list[Any]:
        """Return the minibatches that have been drawn."""
        return self._drawn

    def rewind(self) -> None:
        """Go back to the first minibatch."""
        self._next = 0

    def draw(self, b: int | None = None) -> Any:
        """Return the next minibatch."""
        if self._next == len(self._drawn):
            self._drawn.append(self._oracle.draw(b))
        self._next += 1
        return self._drawn[self._next - 1]


class OneStepLess(OracleProxy):
    """Makes K - 1 local steps; the last minibatch is drawn and not used."""

    def fori(self, step: Callable[[Any, Any], Any], carry: Any, steps: int | None = None) -> Any:
        """Return `carry` after one step less."""
        count = self._oracle.K if steps is None else steps
        carry = self._oracle.fori(step, carry, max(count - 1, 0))
        self._oracle.draw()
        return carry


class ChangedGradients(OracleProxy):
    """Changes the gradients: ``change(g, y)`` takes what the oracle says and where it was asked."""

    def __init__(self, oracle: Oracle, change: Callable[[Vector, Vector], Vector]) -> None:
        super().__init__(oracle)
        self._change = change

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the changed gradients."""
        return self._change(self._oracle.grad(y, batch), y)


class StaleGradients(OracleProxy):
    """Takes every gradient at the server iterate x, on the sample of the step."""

    def __init__(self, oracle: Oracle, x: Vector) -> None:
        super().__init__(oracle)
        self._x = x

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradients at x."""
        return self._oracle.grad(self._oracle.to_clients(self._x, free=True) + 0.0 * y, batch)


class ChangedAverages(OracleProxy):
    """Changes the average over the active clients: ``change(rows, mean)``."""

    def __init__(self, oracle: Oracle, change: Callable[[Vector, Vector], Vector]) -> None:
        super().__init__(oracle)
        self._change = change

    def mean(self, v: Vector, *, free: bool = False) -> Vector:
        """Return the changed average."""
        return self._change(v, self._oracle.mean(v, free=free))


class KeptGradient(OracleProxy):
    """Keeps the gradient of one of the local steps, the first or the last."""

    def __init__(self, oracle: Oracle, *, last: bool) -> None:
        super().__init__(oracle)
        self._last, self._kept = last, False

    def grad(self, y: Vector, batch: Any) -> Vector:
        """Return the gradient, and keep it."""
        g: Vector = self._oracle.grad(y, batch)
        if self._last or not self._kept:
            lasting_memory(self)["gradient"] = g
        self._kept = True
        return g

    @staticmethod
    def of(oracle: Oracle) -> Any:
        """Return the one of the round before, of the oracle that it was kept around."""
        return lasting_memory(oracle)["gradient"]


class ByPlace(OracleProxy):
    """Finds what clients keep by their place among the active ones."""

    def __init__(self, oracle: Any, *, shared: bool = False) -> None:
        super().__init__(oracle)
        self._shared = shared

    def active(self, memory: Any) -> Any:
        """Return the first rows of the memory, or the first row for everybody."""
        S = self._oracle.S
        return np.repeat(memory[:, :1], S, axis=1) if self._shared else memory[:, :S]

    def remember(self, memory: Any, rows: Any) -> Any:
        """Return the memory with its first rows replaced, or its first row by the last one."""
        S = self._oracle.S
        if self._shared:
            return np.concatenate([rows[:, -1:], memory[:, 1:]], axis=1)
        return np.concatenate([rows, memory[:, S:]], axis=1)


def clipping_at(bound: float, *, rows: bool) -> Callable[[Vector, Vector], Vector]:
    """Return the change of gradients that clips each of them to a norm, or each of their entries."""

    def change(g: Vector, _: Vector) -> Vector:
        if not rows:
            return np.clip(g, -bound, bound)
        return g * np.minimum(1.0, bound / np.sqrt((g * g).sum(axis=-1, keepdims=True)))

    return change


def by_size(oracle: Any) -> Callable[[Vector, Vector], Vector]:
    """Return the change of averages that weights the active clients by their sizes."""

    def change(v: Vector, mean: Vector) -> Vector:
        rows = oracle.active(oracle.to_all(0.0 * mean[..., :1]) + oracle.sizes[:, None])
        weighted: Vector = (rows * v).sum(axis=1, keepdims=True) / rows.sum(axis=1, keepdims=True)
        return weighted

    return change
