"""What bundles take in memory, known before they run: more than the machine has is refused."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from boundcheck.errors import require
from boundcheck.sweep.cells.bundles import numbers
from boundcheck.workers.memory import machine_megabytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.sweep.cells.cells import Cell

_PROCESS = 150.0
"""Megabytes of a process before it has any data."""


def megabytes_of(bundles: Sequence[list[Cell]], processes: int = 1) -> float:
    """Return about how many megabytes the largest bundles take, one in each process; right within a factor of a few."""
    largest = heapq.nlargest(processes, map(numbers, bundles))
    return _PROCESS * processes + 8e-6 * sum(largest)


def require_memory(bundles: Sequence[list[Cell]], processes: int) -> None:
    """Refuse bundles that together take more memory than the machine has.

    Raises
    ------
    InputError
        With what they take, what there is, and what would make it less.
    """
    there = machine_megabytes()
    if there is None or not processes:
        return
    taken = megabytes_of(bundles, processes)
    said = f"about {taken / 1000:.3g} GB in {processes} process{'es' * (processes > 1)}"
    one = max(bundles, key=numbers)[0]
    less = f"fewer workers, or replicates (now {one.replicates}), points ({one.points}) or clients ({one.setting.N})"
    legal = f"at most the {there / 1000:.3g} GB of this machine; take {less}"
    require(taken <= there, "memory", said, legal)
