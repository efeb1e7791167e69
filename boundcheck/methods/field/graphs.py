"""Mixing matrices of networks of clients and their spectral gaps, exactly.

A mixing matrix W is symmetric, its rows add up to 1, and W_ij is 0 where i and j are no neighbours.  Its spectral gap
is 1 - max(|lambda_2|, |lambda_N|), eigenvalues in descending order: what is left of a disagreement after one exchange
is at most 1 - gap of it.  Graphs have Metropolis weights, 1/(1 + max(deg_i, deg_j)).
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPHS = ("complete", "ring", "star", "torus", "mix-P")
"""Names; mix-P is (1 - P) I + P (the mean) with the number P in (0, 1] for its spectral gap, on no graph's edges."""


def share(name: str) -> float | None:
    """Return P of a name mix-P, None for that of a graph.

    Raises
    ------
    InputError
        If the name is none, or P is not in (0, 1].
    """
    if name in GRAPHS[:-1]:
        return None
    head, _, text = name.partition("-")
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    require(head == "mix" and not math.isnan(found), "graph", name, f"one of {', '.join(GRAPHS)}")
    require(0.0 < found <= 1.0, "graph: P of mix-P", found, "a number in (0, 1]")
    return found


def mixed_by(gap: float) -> str:
    """Return the name of the mixing matrix that theorems mean where they know its spectral gap alone."""
    return f"mix-{gap!r}"


def sides(N: int) -> tuple[int, int]:
    """Return the sides of the torus of N clients, the shorter first, as near to a square as N allows.

    Raises
    ------
    InputError
        If N is not a product of two numbers >= 3.
    """
    shorter = next((a for a in range(math.isqrt(N), 2, -1) if N % a == 0), None)
    require(shorter is not None, "N", N, "a product of two numbers >= 3 for the graph torus")
    assert shorter is not None
    return shorter, N // shorter


def neighbours(name: str, N: int) -> NDArray[np.bool_]:
    """Return which clients exchange vectors, (N, N), without those on the diagonal."""
    near = np.zeros((N, N), dtype=bool)
    at = np.arange(N)
    if name == "ring":
        near[at, (at + 1) % N] = True
    elif name == "star":
        near[0] = True
    elif name == "torus":
        a, b = sides(N)
        row, column = at // b, at % b
        near[at, row * b + (column + 1) % b] = True
        near[at, (row + 1) % a * b + column] = True
    else:
        near[:] = True
    near |= near.T
    np.fill_diagonal(near, val=False)
    return near


@cache
def mixing(name: str, N: int) -> NDArray[np.float64]:
    """Return the mixing matrix W of a graph, (N, N), read-only.

    Raises
    ------
    InputError
        If there is no such graph, or none of N clients.
    """
    towards = share(name)
    if towards is not None:
        W = (1.0 - towards) * np.eye(N) + towards / N
    else:
        near = neighbours(name, N)
        degree = near.sum(axis=1)
        W = np.where(near, 1.0 / (1.0 + np.maximum(degree[:, None], degree)), 0.0)
        np.fill_diagonal(W, 1.0 - W.sum(axis=1))
    W.setflags(write=False)
    return W


def gap(name: str, N: int) -> float:
    """Return the spectral gap in closed form: that of one client, whom nobody can disagree with, is 1.

    Raises
    ------
    InputError
        As `mixing`.
    """
    towards = share(name)
    if name == "torus":
        # Of the eigenvalues (1 + 2 cos + 2 cos)/5 the first wave along the longer side is the largest in size.
        return 2.0 * (1.0 - math.cos(2.0 * math.pi / sides(N)[1])) / 5.0
    if towards is not None:
        return towards if N > 1 else 1.0
    if name == "ring" and N > 2:
        return min(1.0, 2.0 * (1.0 - math.cos(2.0 * math.pi / N)) / 3.0)
    # I - W is the Laplacian over N, with eigenvalues 0, 1/N (N - 2 times) and 1.
    return 1.0 / N if name == "star" and N > 2 else 1.0
