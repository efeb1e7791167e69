"""Mistakes in quantised messages: the norm, the rounding, the coins of QSGD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.conform.faults.changes import change_method, tabulate
from boundcheck.methods.quantise import QSGD, quantiser_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.conform.faults.changes import Pieces
    from boundcheck.conform.faults.wrong import Round
    from boundcheck.methods.base import Vector


class Grid(NamedTuple):
    """The pieces of QSGD, right ones unless another is given: ``length sign(z) level / levels``."""

    length: Callable[[Vector], Vector] = lambda z: np.sqrt((z * z).sum(axis=-1, keepdims=True))
    rounds_up: Callable[[Vector, Vector], Vector] = lambda coin, part: coin < part
    """Whether to take the upper neighbour, given the coin and how far the lower one is."""
    levels: Callable[[int], int] = lambda levels: levels
    over: Callable[[int], int] = lambda levels: levels
    """By what the level is divided."""
    sign: Callable[[Vector], Vector] = np.sign

    def send(self, levels: int, coin: Vector, z: Vector) -> Vector:
        """Return the vectors as they are sent."""
        length = self.length(z)
        a = self.levels(levels) * (np.abs(z) / np.where(length > 0, length, 1.0))
        low = np.floor(a)
        found: Vector = length * self.sign(z) * ((low + self.rounds_up(coin, a - low)) / self.over(levels))
        return found


def _send_by(grid: Grid) -> Pieces:
    """Return the method whose messages are made on another grid, if they are those of QSGD."""

    def numbers(r: Round) -> Any:
        m = r.m
        quantiser = quantiser_named(m.quantiser)
        if not isinstance(quantiser, QSGD):
            return m

        def Q(self: Any, oracle: Any, z: Vector) -> Vector:
            return grid.send(quantiser.levels, oracle.uniform(*z.shape[1:]), z)

        other: Any = object.__new__(type(type(m).__name__, (type(m),), {"Q": Q}))
        other.__dict__.update(m.__dict__)
        return other

    return change_method(numbers)


_GRIDS: dict[str, Grid] = {
    "messages are scaled by their largest entry |z|_oo and not by |z|_2": Grid(
        length=lambda z: np.abs(z).max(axis=-1, keepdims=True)
    ),
    "messages are scaled by the sum of absolute values |z|_1 and not by |z|_2": Grid(
        length=lambda z: np.abs(z).sum(axis=-1, keepdims=True)
    ),
    "messages are scaled by one norm for all clients, the largest |z_i|_2": Grid(
        length=lambda z: np.sqrt((z * z).sum(axis=-1, keepdims=True)).max(axis=1, keepdims=True)
    ),
    "messages are rounded to the nearest level and not at random, which has a bias": Grid(
        rounds_up=lambda coin, part: part > 0.5
    ),
    "messages are rounded down and not at random, which has a bias": Grid(rounds_up=lambda coin, part: 0.0 * part),
    "messages are rounded up and not at random, which has a bias": Grid(rounds_up=lambda coin, part: part > 0.0),
    "the probabilities of the two levels are exchanged: the farther one is the likelier": Grid(
        rounds_up=lambda coin, part: coin >= part
    ),
    "a coin u is used as 1 - u: the same in law, and other numbers": Grid(
        rounds_up=lambda coin, part: coin >= 1.0 - part
    ),
    "one coin serves for all entries of a message": Grid(rounds_up=lambda coin, part: coin[..., :1] < part),
    "all clients use one client's coins": Grid(rounds_up=lambda coin, part: coin[:, :1] < part),
    "messages are not divided by the number of levels": Grid(over=lambda levels: 1),
    "there is one level too many": Grid(levels=lambda levels: levels + 1, over=lambda levels: levels + 1),
    "there is one level too few": Grid(
        levels=lambda levels: max(levels - 1, 1), over=lambda levels: max(levels - 1, 1)
    ),
    "the sign of the entries is lost": Grid(sign=np.ones_like),
}
QUANTISED = tabulate({words: _send_by(grid) for words, grid in _GRIDS.items()})
"""For methods whose messages are quantised."""
