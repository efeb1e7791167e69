"""Which S of N clients take part: a uniform subset, from the random words of a lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from boundcheck.engine.streams import LaneStreams
    from boundcheck.problems.base import Indices, Words

_CROWD = 1024
"""Clients from which on few of them are drawn one after the other: a word for everybody takes longer than a round."""


def draw_clients(stream: LaneStreams, N: int, S: int) -> Indices:
    """Return S of N clients for every lane, uniformly without replacement, (lanes, S) in ascending order."""
    if drawn_in_turn(N, S):
        return np.sort(np.stack(draw_in_turn(np, stream.raw(S), N), axis=1).astype(np.intp), axis=1)
    return draw_subset(stream.raw(N), S)


def drawn_in_turn(N: int, S: int) -> bool:
    """Return whether S of N clients are drawn one after the other, from S words, and not from a word a client."""
    return N >= _CROWD and S * S <= N


def draw_subset(words: Words, S: int) -> Indices:
    """Return the places of the S smallest words of every row, (rows, S) in ascending order: a uniform subset."""
    if S == 1:
        # A fiftieth of the time among hundreds of clients.
        least: Indices = words.argmin(axis=1, keepdims=True)
        return least
    # argpartition leaves their order open.
    order = np.argpartition(words, S - 1, axis=1)
    return np.sort(order[:, :S], axis=1)


def draw_in_turn(xp: Any, words: Any, N: int) -> list[Any]:
    """Return S different numbers below N, an array (rows,) each, from S words a row: a uniform subset, in no order.

    Number k is drawn among the first N - S + k + 1; where it is there already, it is the last of these.
    (R. W. Floyd, in: J. Bentley, "Programming pearls: a sample of brilliance", Comm. ACM 1987.)
    """
    S = words.shape[1]
    chosen: list[Any] = []
    for last in range(N - S, N):
        one = words[:, len(chosen)] % xp.uint64(last + 1)
        if chosen:
            one = xp.where((xp.stack(chosen) == one).any(axis=0), xp.uint64(last), one)
        chosen.append(one)
    return chosen
