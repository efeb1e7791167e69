"""How large what a user asks for may be: beyond it a run would not end, memory would not do, or numbers overflow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 10**9
"""Largest count: clients, steps, rounds, samples, replicates."""
MOST_CLIENTS = 10**6
"""Most clients of a worst case: its attained function has a number for each."""
MOST_STEPS = 10**12
"""Most local steps of a run."""
MOST_NUMBERS = 10**8
"""Most numbers in one array, 0.8 GB."""
MOST_SAMPLED = 4 * 10**7
"""Most numbers in one minibatch: making them takes up to six arrays of that size, 2 GB."""
MOST_AT_CLIENTS = 2 * 10**7
"""Most numbers in the points of all clients: a run keeps up to 24 arrays of that size (GradMA), 4 GB."""
MOST_POINTS = 10**6
"""Most grid points of a recipe."""
LARGEST = 1e50
"""Largest size of a number: its sixth power is finite.  The smallest is 1 / LARGEST."""
LEAST_ALPHA = 1e-12
"""Smallest error rate: shared among the cells of the largest grid it is still a number."""


def require_numbers(factors: Mapping[str, int], where: str = "", most: int = MOST_NUMBERS) -> None:
    """Refuse an array of the product of these counts, by name, if it has more than `most` numbers.

    Raises
    ------
    InputError
        With the counts and the most numbers there may be.
    """
    size = math.prod(factors.values())
    if size <= most:
        return
    names = f"{where}{': ' if where else ''}{' '.join(factors)}"
    given = " ".join(f"{name} = {value}" for name, value in factors.items())
    legal = f"at most {most:.0e} numbers in memory at once ({given})"
    require(False, names, size, legal)  # noqa: FBT003


def require_run(*, N: int, d: int, S: int | None, K: int, b: int, T: int, replicates: int, where: str = "") -> None:
    """Refuse runs whose curves, points or minibatches do not fit in memory, or that would not end.

    Raises
    ------
    InputError
        With the counts, and how large they may be.
    """
    prefix = f"{where}: " if where else ""
    for name, value in {"K": K, "T": T, "b": b, "replicates": replicates}.items():
        require(value <= MOST, f"{prefix}{name}", value, f"at most {MOST:.0e}")
    require(K * T <= MOST_STEPS, f"{prefix}K T", K * T, f"at most {MOST_STEPS:.0e} local steps: more take months")
    clients = {"S" if S else "N": S or N}
    require_numbers({**clients, "d": d}, where, MOST_AT_CLIENTS)
    require_numbers({**clients, "d": d, "b": b}, where, MOST_SAMPLED)
    require_numbers({"replicates": replicates, "checkpoints": 10 * len(str(abs(T)))}, where)


def moderate(value: float) -> bool:
    """Return whether a number is 0, or neither too large nor too small to be raised to small powers."""
    return value == 0 or 1 / LARGEST <= abs(value) <= LARGEST
