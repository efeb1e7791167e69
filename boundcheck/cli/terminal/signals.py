"""Signals that end a program, told like Ctrl-C: one line, and the exit code that shells expect."""

from __future__ import annotations

import _thread
import contextlib
import os
import select
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ASKED = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that ask to end; Windows has no SIGHUP."""
_SOON = 0.01
"""Seconds after which a signal that could not be raised is raised again."""
_PATIENCE = 3.0
"""Seconds in which the main thread may act upon a signal itself."""
_LINE = "interrupted; finished cells are kept"
_arrivals: list[int] = []
"""Where the numbers of signals can be read from, as they come and until somebody has acted upon them."""


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
    # What came before is not for these handlers.
    _take_arrivals()
    for name in _ASKED:
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
            signal.signal(getattr(signal, name), _interrupt)
    sys.unraisablehook = _heard_again(sys.unraisablehook)


def watch_main_thread() -> None:
    """End the process where a signal has come and the main thread, in foreign code, does not get to its handler.

    To be called when standard streams are open: a file takes the first number that is free.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        return
    if (others := signal.set_wakeup_fd(-1)) != -1:
        signal.set_wakeup_fd(others)
        return
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    _arrivals.append(read)

    def watch() -> None:
        while select.select([read], [], []):
            time.sleep(_PATIENCE)
            for number in _take_arrivals():
                if signal.getsignal(number) is _interrupt:
                    with contextlib.suppress(OSError, ValueError, AttributeError):  # standard error may be closed
                        os.write(sys.stderr.fileno(), f"{_LINE}\n".encode())
                    os._exit(128 + number)

    watcher = threading.Thread(target=watch, daemon=True)
    with hold_signals():
        watcher.start()
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)


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
    print(_LINE, file=sys.stderr)
    return exit_code(error)


def _take_arrivals() -> bytes:
    """Return the numbers of the signals that have come and that nobody has taken yet."""
    for read in _arrivals:
        with contextlib.suppress(BlockingIOError):
            return os.read(read, 512)
    return b""


def _interrupt(signum: int, frame: object) -> None:
    # Whoever gets to its handler leaves nothing for the thread that watches.
    _take_arrivals()
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
