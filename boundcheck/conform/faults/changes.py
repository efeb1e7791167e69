"""The few ways to change a round of which mistakes are made: its state, its method, what tells it of the clients."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.wrong import Mistake
from boundcheck.conform.faults.wrong_oracle import ChangedAverages, ChangedGradients

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.conform.faults.wrong import Piece, Round
    from boundcheck.methods.base import Vector

Pieces = dict[str, Any]
"""What a mistake changes, by the names of `Mistake`."""


def change_start(piece: Piece) -> Pieces:
    """Return the change of the first state."""
    return {"start": piece}


def change_method(piece: Piece) -> Pieces:
    """Return the change of the method, or of its hyperparameters."""
    return {"numbers": piece}


def change_oracle(piece: Piece) -> Pieces:
    """Return the change of what tells a round of clients and averages."""
    return {"oracle": piece}


def change_state(piece: Piece) -> Pieces:
    """Return the change of the state after a round."""
    return {"server": piece}


def change_gradients(change: Callable[[Round, Vector, Vector], Vector]) -> Pieces:
    """Return the change of gradients to ``change(round, gradient, point)``."""
    return change_oracle(lambda r: ChangedGradients(r.oracle, partial(change, r)))


def change_averages(change: Callable[[Round, Vector, Vector], Vector]) -> Pieces:
    """Return the change of averages over the active clients to ``change(round, rows, their mean)``."""
    return change_oracle(lambda r: ChangedAverages(r.oracle, partial(change, r)))


def set_first(**rules: Callable[[Round], Any]) -> Pieces:
    """Return the change of parts of the first state."""
    return change_start(lambda r: r.old._replace(**{name: rule(r) for name, rule in rules.items()}))


def set_read(**rules: Callable[[Round], Any]) -> Pieces:
    """Return the change of parts of the state that the local steps read."""
    return {"reads": lambda r: r.old._replace(**{name: rule(r) for name, rule in rules.items()})}


def set_new(**rules: Callable[[Round], Any]) -> Pieces:
    """Return the change of parts of the state after a round."""
    return change_state(lambda r: r.new._replace(**{name: rule(r) for name, rule in rules.items()}))


def set_numbers(**rules: Callable[[Any], Any]) -> Pieces:
    """Return the change of hyperparameters to functions of the right method."""
    return change_method(lambda r: replace(r.m, **{name: rule(r.m) for name, rule in rules.items()}))


def tabulate(table: Mapping[str, Pieces]) -> tuple[Mistake, ...]:
    """Return the mistakes of a table from words to changes."""
    return tuple(Mistake(words, **pieces) for words, pieces in table.items())


class Weights(float):
    """A beta for which 1 - beta is something else, so that the fresh and the old term have weights of their own."""

    old: float

    def __new__(cls, fresh: float, old: float) -> Weights:
        """Return the weights of the fresh and of the old term."""
        weights = super().__new__(cls, fresh)
        weights.old = old
        return weights

    def __rsub__(self, one: float) -> float:
        return self.old


def average(rows: Vector, weights: Any = 1.0) -> Vector:
    """Return the average of the clients' rows (lanes, S, d)."""
    weights = weights + 0.0 * rows[..., :1]
    total: Vector = (weights * rows).sum(axis=1, keepdims=True) / weights.sum(axis=1, keepdims=True)
    return total


def norms(v: Vector) -> Vector:
    """Return the lengths of vectors (..., d) as (..., 1), none of them 0."""
    lengths: Vector = np.maximum(np.sqrt((v * v).sum(axis=-1, keepdims=True)), 1e-300)
    return lengths


def mask(which: Callable[[int], Any], d: int) -> Any:
    """Return 1 at some of d entries and 0 at the others."""
    there = np.zeros(d)
    there[which(d)] = 1.0
    return there


PLACES: dict[str, Callable[[int], Any]] = {
    "the first entry": lambda d: slice(0, 1),
    "the last entry": lambda d: slice(d - 1, d),
    "all entries but the first": lambda d: slice(1, d),
    "all entries but the last": lambda d: slice(0, d - 1),
}
"""Parts of the model, in place of layers."""
