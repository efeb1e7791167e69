"""Signals that come while foreign code calls back into Python, which passes no exception of a signal's handler on."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASKED = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that ask to end; Windows has no SIGHUP."""


@contextlib.contextmanager
def defer_interrupts() -> Iterator[None]:
    """Call the handlers of signals that ask to end behind the block; a second such signal within it ends at once.

    A compiler that traces Python code aborts the process where a handler raises, or loses what it raised.  Elsewhere
    than in the main thread no handler runs, and nothing is deferred.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def note(signum: int, frame: object) -> None:
        if waiting:
            signal.signal(signum, signal.SIG_DFL)
            os.kill(os.getpid(), signum)
        waiting.append(signum)

    numbers = [getattr(signal, name) for name in _ASKED if hasattr(signal, name)]
    # What is ignored, or left to the system, stays so.
    before = {number: handler for number in numbers if callable(handler := signal.getsignal(number))}
    for number in before:
        signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in waiting:
            signal.raise_signal(number)
