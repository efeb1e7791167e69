"""Messages with fewer digits than the method sends: half precision, fixed point, integers, a quantiser."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.conform.faults.changes import change_oracle, tabulate
from boundcheck.conform.faults.wrong_oracle import ChangedGradients, OracleProxy

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.wrong import Round
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


KINDS: dict[str, Rounding] = {
    "in half precision (float16)": in_half_precision,
    "in half precision (bfloat16)": _brain,
    "in half precision (bfloat16, digits cut off)": _cut_brain,
    **{f"rounded to {n} decimals, as in fixed point": partial(np.round, decimals=n) for n in range(1, 7)},
    "rounded to whole numbers": np.round,
    "cut to whole numbers": np.trunc,
    "rounded down to whole numbers": np.floor,
    "quantised to integers of 8 bits: 127 levels on each side of 0, of the largest entry": _symmetric(127),
    "quantised to integers of 8 bits: 128 levels on each side of 0, of the largest entry": _symmetric(128),
    "quantised to integers of 8 bits: 255 steps between the least and the largest entry": _between(255),
    "quantised to integers of 4 bits: 7 levels on each side of 0, of the largest entry": _symmetric(7),
    "quantised to integers of 4 bits: 15 steps between the least and the largest entry": _between(15),
    "quantised to integers of 16 bits: 32767 levels on each side of 0": _symmetric(32767),
    "reduced to their signs, times the mean of their absolute values": _scaled_sign,
}
"""Words to rounding of vectors (lanes, S, d)."""


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


_SENT: dict[str, Callable[[Round, Rounding], Any]] = {
    "the clients' models are sent": lambda r, rounding: RoundedUp(r.oracle, rounding),
    "the clients' displacements (updates) are sent": lambda r, rounding: RoundedUp(r.oracle, rounding, r.old.x),
    "the server keeps the average": lambda r, rounding: RoundedMean(r.oracle, rounding),
    "the server sends its model to the clients": lambda r, rounding: RoundedDown(r.oracle, rounding),
    "the gradients are used": lambda r, rounding: ChangedGradients(r.oracle, lambda g, _: rounding(g)),
}
"""Words for a place to the oracle that rounds there."""
ROUNDING = tabulate(
    {
        f"{sent} {words}": change_oracle(lambda r, place=place, rounding=rounding: place(r, rounding))  # type: ignore[misc]
        for sent, place in _SENT.items()
        for words, rounding in KINDS.items()
    }
)
"""For every method, sought where nothing else has the iterates."""
