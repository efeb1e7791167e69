"""The minibatches of a block of lanes: those of several local steps are made of their random words in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from boundcheck.engine.streams import LaneStreams
    from boundcheck.problems.base import Array, Indices, Problem, Token


class Minibatches:
    """Draws minibatches one after the other, each from the words that it would have if it were made alone.

    Parameters
    ----------
    problem : Problem
        What is sampled.
    stream : LaneStreams
        Words, which others may take too: what was made ahead is dropped then, and the words stay theirs.
    """

    ahead = 16_384
    """Numbers that are made ahead: so many that the calls do not count, and few enough to stay in cache."""

    def __init__(self, problem: Problem, stream: LaneStreams) -> None:
        self._problem, self._stream = problem, stream
        self._clients: Indices | None = None
        self._b = self._at = -1
        self._run = 0
        self._runs: dict[int, int] = {}
        """How many minibatches of a size came in a row the last time that something else came after them."""
        self._made: list[Token] = []
        """What was made ahead, the next one last."""
        self._words = self._most = 0
        """Words of a minibatch, and how many may be made ahead."""

    def draw(self, clients: Indices | None, b: int) -> Token:
        """Return a fresh minibatch of `b` samples for each of these clients."""
        if b != self._b or clients is not self._clients or self._stream.words_taken != self._at:
            self._begin_row(clients, b)
        if not self._made and self._run:
            self._make_ahead()
        if self._made:
            self._stream.skip(self._words)
            token = self._made.pop()
        else:
            token = self._sample(self._stream, clients, b)
            if not self._run:
                self._measure(token)
        self._at = self._stream.words_taken
        self._run += 1
        return token

    def keep(self, lanes: Array) -> None:
        """Go on with the lanes where the mask is true."""
        self._made = [_each(token, lambda part: part[lanes]) for token in self._made]

    def _begin_row(self, clients: Indices | None, b: int) -> None:
        """Begin a row of like minibatches, and remember how long the last one was."""
        self._runs[self._b] = self._run
        self._clients, self._b, self._at = clients, b, self._stream.words_taken
        self._run, self._made = 0, []

    def _measure(self, token: Token) -> None:
        """Note what the first minibatch of a row takes."""
        self._words = self._stream.since(self._at)
        size = _size(token, self._rows())
        self._most = self.ahead // size if size and self._words else 0

    def _make_ahead(self) -> None:
        """Make twice as many as there were so far, up to where the row ended the last time."""
        left = self._runs.get(self._b, 0) - self._run
        steps = min(left if left > 0 else self._run, self._most)
        if steps < 2:
            return
        self._made = self._several(steps)[::-1]
        self._most = self._most if self._made else 0

    def _rows(self) -> int:
        """Return how many rows the arrays of a minibatch have."""
        return self._stream.lanes

    def _sample(self, stream: Any, clients: Indices | None, b: int) -> Token:
        """Make a minibatch of the next words of a stream."""
        return self._problem.sample(stream, clients, b)

    def _several(self, steps: int) -> list[Token]:
        """Make the next `steps` minibatches of the words that they will have; none if they are not made of arrays."""
        # A step more is a lane more: whoever makes a minibatch lets no lane influence another.
        given = self._stream.ahead(steps, self._words)
        clients = None if self._clients is None else np.repeat(self._clients, steps, axis=0)
        whole = self._sample(given, clients, self._b)
        if not _size(whole, given.lanes):
            return []
        return [_each(whole, lambda part, k=k: part[k::steps]) for k in range(steps)]


def _size(token: Token, lanes: int) -> int:
    """Return how many numbers a minibatch has, 0 if it is not made of arrays (lanes, ...)."""
    parts = token if isinstance(token, tuple) else (token,)
    return sum(part.size for part in parts) if all(np.shape(part)[:1] == (lanes,) for part in parts) else 0


def _each(token: Token, change: Any) -> Token:
    """Return a minibatch with all its arrays changed."""
    return type(token)(*map(change, token)) if isinstance(token, tuple) else change(token)
