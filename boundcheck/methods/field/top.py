"""The top-k compressor: the largest entries of a vector, and what they cost to send."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from boundcheck.methods.base import Traffic
from boundcheck.methods.encoding import WORD

if TYPE_CHECKING:
    from boundcheck.methods.base import Vector


def top(xp: Any, v: Vector, k: int) -> Vector:
    """Return the k entries of each row that are largest in absolute value, the first ones of a tie; 0 elsewhere."""
    size = xp.abs(v)
    if k >= v.shape[-1]:
        return v
    if k == 1:
        sent = xp.arange(v.shape[-1]) == xp.argmax(size, axis=-1, keepdims=True)
        return xp.where(sent, v, 0.0 * v)
    least = -xp.partition(-size, k - 1, axis=-1)[..., k - 1 : k]
    above, tied = size > least, size == least
    # Of those that are as large as the least one, the first ones take the places that are left.
    left = k - above.sum(axis=-1, keepdims=True)
    return xp.where(above | (tied & (xp.cumsum(tied, axis=-1) <= left)), v, 0.0 * v)


def top_traffic(k: int, d: int) -> Traffic:
    """Return k floats and their places for every vector that goes up."""
    bits = float(min(k, d) * (WORD + math.ceil(math.log2(d))))
    return Traffic(bits, bits)
