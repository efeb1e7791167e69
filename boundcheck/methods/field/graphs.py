"""Mixing matrices of networks of clients and their spectral gaps, exactly.

A mixing matrix W is symmetric, its rows add up to 1, and W_ij is 0 where i and j are no neighbours.  Its spectral gap
is 1 - max(|lambda_2|, |lambda_N|), eigenvalues in descending order: what is left of a disagreement after one exchange
is at most 1 - gap of it.  Graphs have Metropolis weights, 1/(1 + max(deg_i, deg_j)).

A sequence of graphs, such as even+odd, has one matrix a round, over and over.  Its joint gap is 1 - the largest norm
of the product of as many matrices as it has, less the mean: every single one may leave some clients apart.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from boundcheck.errors import require
from boundcheck.files.own import absolute, is_reference, load_reference

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPHS = ("complete", "ring", "star", "torus", "even", "odd", "mix-P")
"""Names; even and odd are pairs of neighbours on a ring, each client with the next one where the number of the first is
even, or odd: apart they join nobody else, in turn they join all.  mix-P is (1 - P) I + P (the mean) with the number
P in (0, 1] for its spectral gap, on no graph's edges.

Besides, ``file.py:NAME`` is a matrix of the user's own, or a function of N that returns one.
"""

_ROUNDING = 1e-12
"""How far a matrix of the user's own may be from symmetric, and its rows from 1."""


def share(name: str) -> float | None:
    """Return P of a name mix-P, None for that of a graph.

    Raises
    ------
    InputError
        If the name is none, or P is not in (0, 1].
    """
    if name in GRAPHS[:-1] or is_reference(name):
        return None
    head, _, text = name.partition("-")
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    known = ", ".join((*GRAPHS, "file.py:NAME"))
    require(head == "mix" and not math.isnan(found), "graph", name, f"one of {known}")
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
    elif name in {"even", "odd"}:
        first = np.arange(name == "odd", N - 1 + (N % 2 == 0), 2)
        near[first, (first + 1) % N] = True
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
    if is_reference(name):
        W = _own(name, N)
    elif towards is not None:
        W = (1.0 - towards) * np.eye(N) + towards / N
    else:
        near = neighbours(name, N)
        degree = near.sum(axis=1)
        W = np.where(near, 1.0 / (1.0 + np.maximum(degree[:, None], degree)), 0.0)
        np.fill_diagonal(W, 1.0 - W.sum(axis=1))
    W.setflags(write=False)
    return W


def _own(name: str, N: int) -> NDArray[np.float64]:
    """Return the mixing matrix of the user's own: an array, or a function of N that returns one."""
    found: Any = load_reference("graph", absolute(name), lambda made: callable(made) or isinstance(made, np.ndarray))[0]
    W = np.array(found(N) if callable(found) else found, dtype=float)
    require(W.shape == (N, N), f"graph {name}: shape", W.shape, f"({N}, {N}), a row and a column a client")
    skew, sums = np.abs(W - W.T).max(), np.abs(W.sum(axis=1) - 1).max()
    require(skew <= _ROUNDING, f"graph {name}: largest |W_ij - W_ji|", skew, "0: a symmetric matrix")
    require(sums <= _ROUNDING, f"graph {name}: largest |row sum - 1|", sums, "0: rows that add up to 1")
    return W


def eigenvalues(name: str, N: int) -> tuple[float, float]:
    """Return the second largest and the least eigenvalue of the mixing matrix, (1, 1) for one client.

    Raises
    ------
    InputError
        As `mixing`.
    """
    found = np.linalg.eigvalsh(mixing(name, N))
    return (float(found[-2]), float(found[0])) if N > 1 else (1.0, 1.0)


def gap(name: str, N: int) -> float:
    """Return the spectral gap: in closed form, by LAPACK for a matrix of the user's own; of one client it is 1.

    Raises
    ------
    InputError
        As `mixing`.
    """
    towards = share(name)
    if is_reference(name):
        return 1.0 - max(map(abs, eigenvalues(name, N))) if N > 1 else 1.0
    if name == "torus":
        # Of the eigenvalues (1 + 2 cos + 2 cos)/5 the first wave along the longer side is the largest in size.
        return 2.0 * (1.0 - math.cos(2.0 * math.pi / sides(N)[1])) / 5.0
    if towards is not None:
        return towards if N > 1 else 1.0
    if name == "ring" and N > 2:
        return min(1.0, 2.0 * (1.0 - math.cos(2.0 * math.pi / N)) / 3.0)
    if name in {"even", "odd"}:
        return 1.0 if N < 3 else 0.0
    # I - W is the Laplacian over N, with eigenvalues 0, 1/N (N - 2 times) and 1.
    return 1.0 / N if name == "star" and N > 2 else 1.0


def names(sequence: str) -> tuple[str, ...]:
    """Return the graphs of a sequence A+B+..., in the order of the rounds.

    Raises
    ------
    InputError
        If one of them is unknown.
    """
    parts = tuple(sequence.split("+"))
    for part in parts:
        share(part)
    return parts


@cache
def matrices(sequence: str, N: int) -> NDArray[np.float64]:
    """Return the mixing matrices of a sequence of graphs, (graphs, N, N), read-only.

    Raises
    ------
    InputError
        As `mixing`.
    """
    found = np.stack([mixing(part, N) for part in names(sequence)])
    found.setflags(write=False)
    return found


@cache
def joint_gap(sequence: str, N: int) -> float:
    """Return 1 - the largest norm of a product of all matrices of a sequence, one after the other, less the mean.

    The largest over where in the sequence one begins; of one client it is 1.

    Raises
    ------
    InputError
        As `mixing`; or if a matrix enlarges a disagreement.
    """
    every = matrices(sequence, N)
    for part, W in zip(names(sequence), every, strict=True):
        norm = float(np.linalg.norm(W - 1.0 / N, 2))
        require(norm <= 1 + _ROUNDING, f"graph {part}: norm of W less the mean", norm, "at most 1")
    largest = 0.0
    for first in range(len(every)):
        product = np.eye(N)
        for W in np.roll(every, -first, axis=0):
            product = W @ product
        largest = max(largest, float(np.linalg.norm(product - 1.0 / N, 2)))
    return 1.0 - largest
