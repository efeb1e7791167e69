"""The command line: thin functions over the package's public names."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_ALLOCATIONS = 50_000
"""New objects after which Python looks for cycles among them: its own 700 is met over a hundred times by imports."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    # Where it stands for the current folder, a numpy.py there would run in numpy's place.
    sys.path[:] = [folder for folder in sys.path if folder]
    # Matrices here are small: more threads wait for one another, ten times as long as one thread computes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_ALLOCATIONS)
    # What is left at the end the system takes back; to search it for cycles first takes longer than to import numpy.
    atexit.register(gc.freeze)
    from boundcheck.cli import app

    app.main(arguments)
