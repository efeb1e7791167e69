"""Samples in turn: every client goes through its list of samples, in order or in an order of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from boundcheck.errors import require
from boundcheck.methods.base import Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.base import Array, Indices

ORDERS = get_args(Order)


class Turns:
    """Where every client stands in its list, for a block of lanes.

    Parameters
    ----------
    count : int
        Samples of a client.
    draw_orders : callable
        Returns a random order for every lane and client, (lanes, clients, count).
    """

    def __init__(self, count: int, draw_orders: Callable[[], Indices]) -> None:
        self._count, self._draw_orders = count, draw_orders
        self._orders: Indices | None = None
        self._at = 0

    def next(self, b: int, order: Order) -> Indices:
        """Return the numbers of the next `b` samples of every client, (lanes, clients, b).

        Raises
        ------
        InputError
            If there is no such order, or passes do not end with a minibatch.
        """
        require(order in ORDERS, "draw_in_turn: order", order, f"one of {', '.join(ORDERS)}")
        require(self._count % b == 0, "b", b, f"a divisor of {self._count}, the samples of a client taken in turn")
        if self._orders is None or (self._at == 0 and order == "reshuffled"):
            self._orders = self._draw_orders()
            if order == "listed":
                self._orders = np.broadcast_to(np.arange(self._count), self._orders.shape)
        numbers = self._orders[:, :, self._at : self._at + b]
        self._at = (self._at + b) % self._count
        return numbers

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self._orders = None if self._orders is None else self._orders[lanes]
