"""Problems whose samples are rows of data: drawing them, and evaluating them at any point."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError
from boundcheck.problems.base import Problem

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices, Stream, Token


_MOST = 1 << 16
"""Largest number of joint draws that is enumerated."""


class Rows(NamedTuple):
    """A minibatch: row numbers within each client, drawn with replacement."""

    row: Indices
    """Shape (lanes, clients, b)."""


class RowProblem(Problem):
    """A problem whose client i averages over `sizes[i]` rows; a sample is one of them, drawn uniformly."""

    sizes: Indices
    """Rows of each client (N,)."""

    @abstractmethod
    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        """Return the mean gradient of rows `row` (lanes, clients, b) of the clients `owner`, which broadcasts to it."""

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw `b` rows with replacement for every lane and client; a 64-bit word modulo the client's size is one."""
        sizes = self.sizes if clients is None else self.sizes[clients]
        words = stream.raw(b * sizes.shape[-1])
        drawn = words.reshape(len(words), sizes.shape[-1], b) % sizes[..., None].astype(np.uint64)
        return Rows(drawn.astype(np.intp))

    def enumerate(self) -> tuple[Token, int]:
        """Return all joint draws of one row a client as the lanes of one token, if there are at most 2^16 of them."""
        number = math.prod(self.sizes.tolist())
        if number > _MOST:
            msg = f"{self.name}: {number:.3g} joint draws of rows are too many to enumerate (at most {_MOST})"
            raise NotApplicableError(msg)
        return Rows(np.indices(self.sizes.tolist()).reshape(self.N, -1).T[..., None].astype(np.intp)), number

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        """Return the mean gradient of the rows in `sample` at `x` (of all rows without a sample)."""
        if sample is None:
            return self.exact_gradient(x, clients)
        owner = np.arange(self.N) if clients is None else clients
        return self.batch_gradient(x, owner[..., None], sample.row)
