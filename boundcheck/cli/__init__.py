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
    from boundcheck.cli.terminal import signals

    signals.listen()
    _open_closed()
    signals.watch_main_thread()
    try:
        _start_app(arguments)
    # Until the first command begins, and after the last one.
    except KeyboardInterrupt as error:
        sys.exit(signals.report_interrupt(error))


def _open_closed() -> None:
    """Let standard streams that were closed lead nowhere: the next file that is opened would be printed to."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, "w" if number else "r", encoding="utf-8")  # noqa: PTH123, SIM115
            if stream.fileno() != number:
                os.dup2(stream.fileno(), number)
            setattr(sys, name, stream)


def _start_app(arguments: Sequence[str] | None) -> None:
    # Where it stands for the current folder, a numpy.py there would run in numpy's place.
    sys.path[:] = [folder for folder in sys.path if folder]
    # Matrices here are small: more threads wait for one another, ten times as long as one thread computes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_ALLOCATIONS)
    # What is left at the end the system takes back; to search it for cycles first takes longer than to import numpy.
    atexit.register(gc.freeze)
    from boundcheck.cli import app

    app.main(arguments)
