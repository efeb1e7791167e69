"""What clients and server keep from round to round beyond the iterate x, from a method's card."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.methods.encoding import WORD

if TYPE_CHECKING:
    from boundcheck.methods.base import Method


class Memory(NamedTuple):
    """Floats that are kept from round to round; the vectors of a round's local steps do not count, nor counters."""

    client: int
    """By each of the N clients."""
    server: int
    """By the server, x apart."""
    N: int
    """Clients."""

    @property
    def floats(self) -> int:
        """Return the floats of all clients and the server together."""
        return self.N * self.client + self.server

    @property
    def bytes(self) -> int:
        """Return the same in bytes."""
        return self.floats * WORD // 8


def memory(method: Method, *, N: int, d: int) -> Memory:
    """Return what a method keeps on `N` clients in dimension `d`.

    A server with a memory of clients (GradMA's) is full here: m rows, N where the method does not limit them.
    """
    limit = getattr(method, "memory", None)
    letters = {"d": d, "N": N, "m": N if limit is None else min(limit, N)}
    return Memory(_floats(method.card.client, letters), _floats(method.card.server, letters), N)


def _floats(formula: str, letters: dict[str, int]) -> int:
    """Return the value of a sum of products such as ``d + m d + 2 N``."""
    return sum(math.prod(letters.get(x) or int(x) for x in term.split()) for term in formula.split(" + "))
