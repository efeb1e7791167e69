"""Signals that end a program, told like Ctrl-C: one line, and the exit code that shells expect."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ASKED = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that ask to end; Windows has no SIGHUP."""
_SOON = 0.01
"""Seconds after which a signal that could not be raised is raised again."""


class Interrupted(KeyboardInterrupt):
    """A signal that asks the program to end."""

    def __init__(self, signum: int) -> None:
        super().__init__(signum)
        self.signum = signum


def listen() -> None:
    """Raise `Interrupted` in the main thread when a signal asks to end; a second signal ends at once.

    What this process was started to ignore, as `nohup` has it, it ignores.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _ASKED:
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            signal.signal(getattr(signal, name), _interrupt)
    sys.unraisablehook = _heard_again(sys.unraisablehook)


@contextlib.contextmanager
def hold_signals() -> Iterator[None]:
    """Hold the signals that ask to end, to this thread and to those that start within, which hold them for good."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    asked = [getattr(signal, name) for name in _ASKED if hasattr(signal, name)]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, asked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def exit_code(error: KeyboardInterrupt) -> int:
    """Return 128 and the number of the signal: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return 128 + (error.signum if isinstance(error, Interrupted) else signal.SIGINT)


def report_interrupt(error: KeyboardInterrupt) -> int:
    """Say in one line that the program was interrupted, and return the exit code."""
    print("interrupted; finished cells are kept", file=sys.stderr)
    return exit_code(error)


def _interrupt(signum: int, frame: object) -> None:
    signal.signal(signum, signal.SIG_DFL)
    raise Interrupted(signum)


def _heard_again(before: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], None]:
    """Return a hook for errors that Python cannot raise: a signal that came while it tidied up is raised once more."""

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        error = unraisable.exc_value
        if isinstance(error, Interrupted):
            signal.signal(error.signum, _interrupt)
            # Not from here, where it could not be raised either.
            again = threading.Timer(_SOON, _thread.interrupt_main, [error.signum])
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    return hook
