"""Signals that end a program, told like Ctrl-C: one line, and the exit code that shells expect."""

from __future__ import annotations

import signal
import threading

_ASKED = ("SIGTERM", "SIGHUP")
"""Signals that ask to end; Windows has no SIGHUP."""


class Interrupted(KeyboardInterrupt):
    """A signal that asks the program to end."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


def listen() -> None:
    """Raise `Interrupted` in the main thread when a signal asks to end; a second signal ends at once."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _ASKED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)


def exit_code(error: KeyboardInterrupt) -> int:
    """Return 128 and the number of the signal: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (error.signum if isinstance(error, Interrupted) else signal.SIGINT)


def _interrupt(signum: int, frame: object) -> None:
    signal.signal(signum, signal.SIG_DFL)
    raise Interrupted(signum)
