"""Draws of a run in which S of N clients are active: all their sequences, and what each leaves of clients' vectors."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boundcheck.problems.extremal.data import Pieces
    from boundcheck.worst.gram.oracle import GramOracle
    from boundcheck.worst.gram.rows import Array

MOST_DRAWS = 1024
"""Sequences of draws beyond which a run is not followed through all of them."""


def count_of_draws(oracle: GramOracle) -> int:
    """Return how many sequences of draws a run has."""
    found: int = comb(oracle.N, oracle.S) ** _rounds(oracle)
    return found


def sequences_of_draws(oracle: GramOracle) -> NDArray[np.bool_]:
    """Return who is active in each round of every sequence, (sequences, rounds, clients); all are equally likely.

    Of more than `MOST_DRAWS` it is a sample of so many.
    """
    rounds, count = _rounds(oracle), count_of_draws(oracle)
    active = np.zeros((min(count, MOST_DRAWS), rounds, oracle.N), dtype=bool)
    if count <= MOST_DRAWS:
        subsets = combinations(range(oracle.N), oracle.S)
        for sequence, chosen in enumerate(product(subsets, repeat=rounds)):
            for t, members in enumerate(chosen):
                active[sequence, t, list(members)] = True
    else:
        order = np.random.default_rng(0).random(active.shape).argsort(axis=-1)
        active[order < oracle.S] = True
    return active


def with_sideways_tilts(pieces: Pieces, size: float, N: int) -> Pieces:
    """Return ``f_i(x) + L z^2/2 + size c_i z`` of N clients from z = 0, with mean c_i = 0 and mean c_i^2 = 1.

    No run of all clients leaves z = 0; what draws add there is what they add on a parabola.
    """
    signs = np.array([1.0, -1.0] * (N // 2) + [0.0] * (N % 2))
    tilts = size * signs / np.sqrt(np.mean(signs**2))
    lifted, times, bend = pieces.lift_dimension(), N // len(pieces.w), pieces.L - pieces.mu
    w, t = (np.repeat(part, times, axis=0) for part in (lifted.w, lifted.t))
    w[..., -1] -= tilts[:, None] / bend
    return replace(lifted, w=w, t=t - tilts[:, None] ** 2 / (2 * bend))


def _rounds(oracle: GramOracle) -> int:
    """Return how many draws anything depends on."""
    return 1 + max((element.draw for element in oracle.basis), default=-1)


def apply_draw(kind: str, own: Array, here: Any) -> Array:
    """Return the mean over the active clients of a vector, or what they alone keep of it, without its mean.

    Parameters
    ----------
    kind : {'sampled', 'kept', 'spread'}
    own : array (sequences, clients, d)
    here : array (sequences, clients, 1)
        Whether a client is active.
    """
    if kind == "sampled":
        return np.broadcast_to((own * here).sum(axis=1, keepdims=True) / here.sum(axis=1, keepdims=True), own.shape)
    kept = own * here
    apart: Array = kept - kept.mean(axis=1, keepdims=True)
    return apart
