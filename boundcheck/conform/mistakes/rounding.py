"""Messages with fewer digits than the method sends: half precision, fixed point, integers, a quantiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.wrong import Mistake
from boundcheck.conform.wrong_oracle import ChangedGradients, OracleProxy

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.methods.base import Vector

    Rounding = Callable[[Vector], Vector]


def in_half_precision(v: Vector) -> Vector:
    """Return numbers as float16 has them."""
    return v.astype(np.float16).astype(float)


def _brain(v: Vector) -> Vector:
    """Round to bfloat16, ties to even: the first 16 bits of a number in single precision."""
    bits = np.ascontiguousarray(v.astype(np.float32)).view(np.uint32).astype(np.uint64)
    kept = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return kept.astype(np.uint32).view(np.float32).astype(float)


def _cut_brain(v: Vector) -> Vector:
    bits = np.ascontiguousarray(v.astype(np.float32)).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32).astype(float)


def _decimals(digits: int) -> Rounding:
    return lambda v: np.round(v, digits)


def _symmetric(levels: float) -> Rounding:
    """Return rounding to that many levels on each side of 0, of the largest entry of a vector."""

    def rounding(v: Vector) -> Vector:
        scale = np.abs(v).max(axis=-1, keepdims=True) / levels
        return np.where(scale > 0, np.round(v / np.where(scale > 0, scale, 1.0)) * scale, v)

    return rounding


def _between(levels: float) -> Rounding:
    """Return rounding to that many levels between the least and the largest entry of a vector."""

    def rounding(v: Vector) -> Vector:
        least = v.min(axis=-1, keepdims=True)
        scale = (v.max(axis=-1, keepdims=True) - least) / levels
        return np.where(scale > 0, np.round((v - least) / np.where(scale > 0, scale, 1.0)) * scale + least, v)

    return rounding


def _scaled_sign(v: Vector) -> Vector:
    return np.abs(v).mean(axis=-1, keepdims=True) * np.sign(v)


KINDS: dict[str, tuple[str, Rounding]] = {
    "half": ("in half precision (float16)", in_half_precision),
    "brain": ("in half precision (bfloat16)", _brain),
    "brain-cut": ("in half precision (bfloat16, digits cut off)", _cut_brain),
    **{f"decimals-{n}": (f"rounded to {n} decimals, as in fixed point", _decimals(n)) for n in range(1, 7)},
    "whole": ("rounded to whole numbers", np.round),
    "cut": ("cut to whole numbers", np.trunc),
    "down": ("rounded down to whole numbers", np.floor),
    "int8": ("quantised to integers of 8 bits: 127 levels on each side of 0, of the largest entry", _symmetric(127)),
    "int8-128": (
        "quantised to integers of 8 bits: 128 levels on each side of 0, of the largest entry",
        _symmetric(128),
    ),
    "uint8": ("quantised to integers of 8 bits: 255 steps between the least and the largest entry", _between(255)),
    "int4": ("quantised to integers of 4 bits: 7 levels on each side of 0, of the largest entry", _symmetric(7)),
    "uint4": ("quantised to integers of 4 bits: 15 steps between the least and the largest entry", _between(15)),
    "int16": ("quantised to integers of 16 bits: 32767 levels on each side of 0", _symmetric(32767)),
    "scaled-sign": ("reduced to their signs, times the mean of their absolute values", _scaled_sign),
}
"""Name to words and rounding of vectors (lanes, S, d)."""


class RoundedUp(OracleProxy):
    """Rounds what the clients send, or its difference to a vector."""

    def __init__(self, oracle: Any, rounding: Rounding, x: Any = 0.0) -> None:
        super().__init__(oracle)
        self._rounding, self._x = rounding, x

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Return the average of the rounded vectors."""
        if v.ndim != 3 or v.shape[-1] == 1:
            return self._oracle.mean(v, free=free)
        return self._oracle.mean(self._rounding(v - self._x) + self._x, free=free)


class RoundedMean(OracleProxy):
    """Rounds the average."""

    def __init__(self, oracle: Any, rounding: Rounding) -> None:
        super().__init__(oracle)
        self._rounding = rounding

    def mean(self, v: Any, *, free: bool = False) -> Any:
        """Return the rounded average."""
        found = self._oracle.mean(v, free=free)
        return found if found.shape[-1] == 1 else self._rounding(found)


class RoundedDown(OracleProxy):
    """Rounds what the server sends."""

    def __init__(self, oracle: Any, rounding: Rounding) -> None:
        super().__init__(oracle)
        self._rounding = rounding

    def to_clients(self, x: Any, *, free: bool = False) -> Any:
        """Return what the clients get."""
        return self._oracle.to_clients(self._rounding(x), free=free)


_PLACES: dict[str, tuple[str, Callable[[Any, Any, Rounding], Any]]] = {
    "models": ("the clients' models are sent", lambda oracle, state, rounding: RoundedUp(oracle, rounding)),
    "updates": (
        "the clients' displacements (updates) are sent",
        lambda oracle, state, rounding: RoundedUp(oracle, rounding, state.x),
    ),
    "mean": ("the server keeps the average", lambda oracle, state, rounding: RoundedMean(oracle, rounding)),
    "down": (
        "the server sends its model to the clients",
        lambda oracle, state, rounding: RoundedDown(oracle, rounding),
    ),
    "gradients": (
        "the gradients are used",
        lambda oracle, state, rounding: ChangedGradients(oracle, lambda g, _: rounding(g)),
    ),
}
"""Name of a place to words, and the oracle that rounds there."""


def _mistake_of(words: str, rounding: Rounding, place: Callable[[Any, Any, Rounding], Any]) -> Mistake:
    return Mistake(words, oracle=lambda m, oracle, state: place(oracle, state, rounding))


ROUNDING = {
    f"{name}-{where}": _mistake_of(f"{sent} {words}", rounding, place)
    for where, (sent, place) in _PLACES.items()
    for name, (words, rounding) in KINDS.items()
}
"""For every method, sought where nothing else has the iterates."""
