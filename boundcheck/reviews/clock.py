"""The seconds of a review: every question ends when its share of them does, whatever the machine is busy with."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boundcheck.evidence.search.effort import OutOfTimeError

if TYPE_CHECKING:
    from collections.abc import Iterator

_STARTING, _STARTING_SHARE = 15.0, 0.25
"""Seconds for what is outside of the questions, the start of Python and printing, and their share at most."""
_LEAST = 0.2
"""Seconds that a question has in any case."""
_AGAIN = 2.0
"""Seconds after which a question that did not end is told once more."""


class TimeBudget:
    """The seconds that a review may take, of the wall, and the questions that they cut off.

    Parameters
    ----------
    seconds : float
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds - min(_STARTING, _STARTING_SHARE * seconds)
        """Of the questions."""
        self._began = time.monotonic()
        self.cut: list[str] = []
        """What the seconds cut off, in the order of the questions."""

    @property
    def elapsed_seconds(self) -> float:
        """Return the seconds since the review began."""
        return time.monotonic() - self._began

    def left_until(self, share: float) -> float:
        """Return the seconds until a share of them is over, 0 if it is."""
        return max(0.0, share * self.seconds - self.elapsed_seconds)

    @contextmanager
    def question(self, name: str, share: float) -> Iterator[None]:
        """Ask a question until a share of the seconds is over; then leave it, and note its name.

        Where there is no timer, on Windows or beside the main thread, a question ends by itself.

        Parameters
        ----------
        name : str
            What it asks, for the reader.
        share : float
            Of all seconds, those of the questions before it included.
        """
        try:
            with _ended_after(max(_LEAST, self.left_until(share))):
                yield
        except OutOfTimeError:
            self.cut.append(name)


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` in what is inside after so many seconds.

    Raises
    ------
    OutOfTimeError
        From wherever the main thread is.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    asking = True

    def end(_signal: int, _frame: object) -> None:
        if asking:
            raise OutOfTimeError

    began, others = time.monotonic(), signal.getsignal(signal.SIGALRM)
    their_seconds, their_pause = signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, end)
    # A destructor may swallow an error: it is raised again.
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        asking = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, others)
        if their_seconds:
            left = max(their_seconds - (time.monotonic() - began), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left, their_pause)
