"""Partition the rows of a data set among clients: evenly, sorted by label, in shards, or by Dirichlet shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from boundcheck.problems.types import Array, Indices


class Partition(NamedTuple):
    """Which rows a client has."""

    rows: Indices
    """(N, m) row numbers; clients with fewer than m rows are padded with -1 at the end."""
    sizes: Indices
    """(N,) rows of each client."""

    @property
    def equal(self) -> bool:
        """Whether all clients have m rows."""
        return bool((self.sizes == self.rows.shape[1]).all())

    @property
    def weights(self) -> Array:
        """Weight of each row in its client's mean (N, m): 1 over the client's size, 0 for padding."""
        return np.where(self.rows >= 0, 1.0 / self.sizes[:, None], 0.0)

    def take(self, values: Array) -> Array:
        """Return the clients' rows of `values` (rows, ...), shape (N, m, ...); zeros for padding."""
        held = (self.rows >= 0).reshape(*self.rows.shape, *(1 for _ in values.shape[1:]))
        return np.ascontiguousarray(np.where(held, values[self.rows], 0.0))


def by_skew(classes: Indices, N: int, skew: float) -> Partition:
    """Give m = rows // N rows to every client; the rest is left out.

    The first N m rows are kept and sorted by class (stably), then cut into m runs of N consecutive rows.  A share
    `skew` of the runs, evenly spaced, forms a sorted pool of which every client takes one contiguous piece; each
    other run gives one row to each client.  So 0 is an even split, 1 is sorted by class, and the kept rows (hence f)
    are the same for every skew.
    """
    m = len(classes) // N
    runs = np.argsort(classes[: N * m], kind="stable").reshape(m, N)
    pooled = round(skew * m)
    into_pool = np.zeros(m, dtype=bool)
    into_pool[np.floor((np.arange(pooled) + 0.5) * m / max(pooled, 1)).astype(int)] = True
    pieces = runs[into_pool].reshape(N, pooled)
    return Partition(np.concatenate([pieces, runs[~into_pool].T], axis=1), np.full(N, m))


def by_shards(classes: Indices, N: int, shards: int, seed: int) -> Partition:
    """Sort by class and cut into N `shards` equal pieces, of which every client takes `shards` at random.

    The first rows that make pieces of rows // (N shards) are kept.  A client has rows of about `shards` classes: the
    pathological split of McMahan et al., arXiv:1602.05629, section 3, with two shards a client.
    """
    size = len(classes) // (N * shards)
    pieces = np.argsort(classes[: N * shards * size], kind="stable").reshape(N * shards, size)
    shuffled = pieces[np.random.default_rng(seed).permutation(N * shards)]
    return Partition(np.sort(shuffled.reshape(N, shards * size), axis=1), np.full(N, shards * size))


def by_dirichlet(classes: Indices, N: int, concentration: float, seed: int) -> Partition:
    """Give all rows away: those of each class are shuffled and cut in Dirichlet shares of one `concentration`.

    Clients get different numbers of rows, but f is the plain average of the clients' means: a row of a small client
    weighs more than a row of a large one, and f depends on the partition.  A concentration of 0.01 is nearly one client
    a class, 100 is nearly even.  A client that would get no row takes one
    from the largest.
    """
    rng = np.random.default_rng(seed)
    held: list[list[int]] = [[] for _ in range(N)]
    for label in np.unique(classes):
        rows = rng.permutation(np.flatnonzero(classes == label))
        cuts = np.cumsum(rng.dirichlet(np.full(N, concentration)))[:-1]
        for own, piece in zip(held, np.split(rows, np.round(cuts * len(rows)).astype(int)), strict=True):
            own.extend(piece.tolist())
    for own in held:
        if not own:
            own.append(max(held, key=len).pop())
    sizes = np.array([len(own) for own in held])
    padded = np.full((N, int(sizes.max())), -1)
    for row, own in zip(padded, held, strict=True):
        row[: len(own)] = sorted(own)
    return Partition(padded, sizes)
