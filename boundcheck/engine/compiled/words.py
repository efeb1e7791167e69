"""The engine's random words, made where the program runs: the same bits as numpy's PCG64DXSM.

A generator's state is a number of 128 bits, s -> a s + c with the lane's own c.  The state j steps on is
a^j s + (1 + a + ... + a^(j-1)) c, so that all words of a round are made at once, from one state a lane and two columns
that all lanes share.  What passes to the program is then a state a lane in place of its words.

Source: O'Neill, *PCG: A family of simple fast space-efficient statistically good algorithms for random number
generation* (2014), and the output function DXSM, as in numpy's `numpy.random.PCG64DXSM`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

_FACTOR = 0xDA942042E4DD58B5
"""The factor a, and that of the output."""
_LOW, _WHOLE = (1 << 64) - 1, (1 << 128) - 1
_HALF = np.uint64(32)
_HALF_LOW = np.uint64((1 << 32) - 1)


class Wide(NamedTuple):
    """Whole numbers of 128 bits, modulo 2^128, as two arrays of 64 bits."""

    high: Any
    low: Any


class Generators(NamedTuple):
    """Generators of a block, one a lane: the state before the next word, and what is added at a step."""

    state: Wide
    increment: Wide


def generators_of(states: Sequence[tuple[int, int]]) -> Generators:
    """Return the generators of lanes with these states and increments.

    Parameters
    ----------
    states : sequence of (int, int)
        Of every lane, numbers below 2^128.
    """
    return Generators(_split([state for state, _ in states]), _split([increment for _, increment in states]))


def jumps(words: int) -> Generators:
    """Return the factors a^j and the sums 1 + a + ... + a^(j-1) for j = 0, ..., `words`."""
    powers, sums = [1], [0]
    for _ in range(words):
        sums.append((sums[-1] * _FACTOR + 1) & _WHOLE)
        powers.append(powers[-1] * _FACTOR & _WHOLE)
    return Generators(_split(powers), _split(sums))


def draw(generators: Generators, ahead: Generators) -> tuple[Any, Generators]:
    """Return the next words of every lane, and the generators after them.

    Parameters
    ----------
    generators : Generators
        Of the lanes.
    ahead : Generators
        What `jumps` returns for so many words.

    Returns
    -------
    array of uint64, shape (lanes, words)
    Generators
    """
    words = _output(_states(generators, ahead, slice(None, -1)))
    # By itself, so that the states of the words need not be kept.
    high, low = _states(generators, ahead, slice(-1, None))
    return words, Generators(Wide(high[:, 0], low[:, 0]), generators.increment)


def _states(generators: Generators, ahead: Generators, part: slice) -> Wide:
    """Return the states of all lanes at some of the steps, (lanes, steps)."""
    state, increment = (Wide(number.high[:, None], number.low[:, None]) for number in generators)
    factor, added = (Wide(number.high[part], number.low[part]) for number in ahead)
    return _add(_times(state, factor), _times(increment, added))


def _output(state: Wide) -> Any:
    """Return the words of states: double xorshift multiply."""
    word = state.high ^ (state.high >> _HALF)
    word = word * jnp.uint64(_FACTOR)
    word = word ^ (word >> np.uint64(48))
    return word * (state.low | np.uint64(1))


def _add(one: Wide, two: Wide) -> Wide:
    low = one.low + two.low
    return Wide(one.high + two.high + (low < one.low).astype(jnp.uint64), low)


def _times(one: Wide, two: Wide) -> Wide:
    cross = one.high * two.low + one.low * two.high
    return Wide(cross + _high_product(one.low, two.low), one.low * two.low)


def _high_product(one: Any, two: Any) -> Any:
    """Return the upper 64 bits of products of 64 bits: no library function has them."""
    a, b = one >> _HALF, one & _HALF_LOW
    c, d = two >> _HALF, two & _HALF_LOW
    middle = a * d + (b * d >> _HALF)
    return a * c + (middle >> _HALF) + ((b * c + (middle & _HALF_LOW)) >> _HALF)


def _split(numbers: Sequence[int]) -> Wide:
    high = np.array([number >> 64 for number in numbers], dtype=np.uint64)
    return Wide(high, np.array([number & _LOW for number in numbers], dtype=np.uint64))
