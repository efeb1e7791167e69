"""Memory: how much the machine has, and what an array leaves in a worker, which is kept for the next one."""

from __future__ import annotations

import contextlib
import ctypes
import os
from functools import cache

_TRIM, _MAP = -1, -3
"""Options of `mallopt`: free bytes at the end of the heap, bytes of one piece, from which on they go back."""
_KEPT = 1 << 27
_TIGHT = 1 << 20
"""A limit below it, which a scheduler's environment may set (Dask's says 65536), gives memory back after each array."""


@cache
def keep_freed_memory() -> bool:
    """Keep memory that arrays leave where the environment asks to give back little pieces; once a process.

    Such a limit makes the system clear every array of a run anew, which takes longer than the arithmetic.

    Returns
    -------
    bool
        Whether anything was changed: not without such a limit, nor without a C library that has one.
    """
    asked = os.environ.get("MALLOC_TRIM_THRESHOLD_", "")
    if not asked.isdecimal() or int(asked) >= _TIGHT:
        return False
    with contextlib.suppress(OSError, AttributeError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        return all([mallopt(_TRIM, _KEPT), mallopt(_MAP, _KEPT)])
    return False


def machine_megabytes() -> float | None:
    """Return the megabytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (AttributeError, OSError, ValueError):
        return None
