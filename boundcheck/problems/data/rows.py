"""Problems whose samples are rows of data: drawing them, and evaluating them at any point."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.errors import NotApplicableError, require, require_count
from boundcheck.problems.arrays import draw_indices, rows_of
from boundcheck.problems.base import Problem
from boundcheck.problems.data.partition import Partition, by_dirichlet, by_shards, by_skew
from boundcheck.problems.noise.base import NoNoise

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices, Stream, Token


_MOST = 1 << 16
"""Largest number of joint draws that is enumerated."""


class Minibatch(NamedTuple):
    """A minibatch: row numbers within each client, drawn with replacement."""

    row: Indices
    """Shape (lanes, clients, b)."""


@dataclass(kw_only=True, eq=False, repr=False)
class RowProblem(Problem):
    """A problem whose client i averages over `sizes[i]` rows; a sample is one of them, drawn uniformly.

    Parameters
    ----------
    N : int
        Clients.
    data : str
        Name of a data set.
    split : {'skew', 'dirichlet', 'shards'}
        Which rows a client has: by `boundcheck.problems.data.partition.by_skew`, `by_dirichlet` or `by_shards`.
    skew : float
        Label skew in [0, 1] of the first: 0 is even, 1 sorted.
    concentration : float
        Parameter > 0 of the second.
    shards : int
        Pieces of the sorted rows that a client has, of the third.
    split_seed : int
        Seed of the second and the third.
    start : float
        Scale of x_0.
    """

    reads_data = True
    N: int
    data: str = "wine"
    split: str = "skew"
    skew: float = 0.0
    concentration: float = 1.0
    shards: int = 2
    split_seed: int = 0
    start: InitVar[float] = 0.0

    def _begin(self, start: Array, sizes: Indices) -> None:
        """Start at `start` with clients that have `sizes` rows."""
        Problem.__init__(self, N=self.N, d=len(start), start=start, noise=NoNoise(0.0, len(start)))
        self.sizes = sizes

    def partition(self, classes: Indices) -> Partition:
        """Return which of the rows with these classes a client has.

        Raises
        ------
        InputError
            If a parameter is not legal, or there are more clients than rows.
        """
        N, rows, seed = self.N, len(classes), self.split_seed
        require_count(N, f"{self.family}: N")
        require(rows >= N, f"{self.family}: N", N, f"at most {rows}, the rows of the data set")
        legal = {"skew", "dirichlet", "shards"}
        require(self.split in legal, f"{self.family}: split", self.split, "skew, dirichlet or shards")
        require(0 <= self.skew <= 1, f"{self.family}: skew", self.skew, "a number in [0, 1]")
        self.require_positive("concentration")
        require_count(seed, f"{self.family}: split_seed", 0)
        require_count(self.shards, f"{self.family}: shards")
        if self.split == "shards":
            most = rows // N
            require(self.shards <= most, f"{self.family}: shards", self.shards, f"at most {most}, the rows of a client")
            return by_shards(classes, N, self.shards, seed)
        if self.split == "skew":
            return by_skew(classes, N, self.skew)
        return by_dirichlet(classes, N, self.concentration, seed)

    @abstractmethod
    def batch_gradient(self, x: Array, owner: Indices, row: Indices) -> Array:
        """Return the mean gradient of rows `row` (lanes, clients, b) of the clients `owner`, which broadcasts to it."""

    def sample(self, stream: Stream, clients: Indices | None = None, b: int = 1) -> Token:
        """Draw `b` rows with replacement for every lane and client, one a random word."""
        sizes = self.sizes[rows_of(clients)]
        n = sizes.shape[-1]
        words = stream.raw(b * n)
        return Minibatch(draw_indices(words, sizes[..., None], (len(words), n, b)))

    def enumerate(self) -> tuple[Token, int]:
        """Return all joint draws of one row a client as the lanes of one token, if there are at most 2^16 of them."""
        number = math.prod(self.sizes.tolist())
        if number > _MOST:
            msg = f"{self.name}: {number:.3g} joint draws of rows are too many to enumerate (at most {_MOST})"
            raise NotApplicableError(msg)
        return Minibatch(np.indices(self.sizes.tolist()).reshape(self.N, -1).T[..., None].astype(np.intp)), number

    def gradient(self, x: Array, clients: Indices | None = None, sample: Token = None) -> Array:
        if sample is None:
            return self.exact_gradient(x, clients)
        owner = np.arange(self.N) if clients is None else clients
        return self.batch_gradient(x, owner[..., None], sample.row)
