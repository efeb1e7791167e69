"""What a compiled library prints on its own, such as where it panicked, is kept from a user's terminal."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

_ERRORS = 2
"""The descriptor on which the system's standard error is."""
_lock = threading.Lock()
_inside = 0
_before: tuple[int, TextIO | None] = (-1, None)
_stream: TextIO | None = None
_target = (0, 0)


@contextlib.contextmanager
def silence_panics() -> Iterator[None]:
    """Send what is written to the system's standard error nowhere; what Python prints there still arrives.

    Several threads may be inside; the first one in closes the door, and the last one out opens it.
    """
    global _inside
    with _lock:
        _inside += 1
        if _inside == 1:
            _close()
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _open()


def _close() -> None:
    global _before
    try:
        kept = os.dup(_ERRORS)
    except OSError:
        # Standard error was closed before we began.
        _before = (-1, None)
        return
    python = sys.stderr
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, _ERRORS)
    os.close(nowhere)
    if not _is_the_systems(python):
        _before = (kept, None)
        return
    python.flush()
    _before = (kept, python)
    sys.stderr = _aside(kept, python)


def _aside(kept: int, python: TextIO) -> TextIO:
    """Return a stream to where standard error goes, the same one each time: a thread may still print to it later."""
    global _stream, _target
    found = os.fstat(kept)
    target = found.st_dev, found.st_ino
    if _stream is None or target != _target:
        copied = os.dup(kept)
        _stream = open(copied, "w", encoding=python.encoding, errors=python.errors, buffering=1)  # noqa: PTH123, SIM115
        _target = target
    return _stream


def _open() -> None:
    global _before
    kept, python = _before
    _before = (-1, None)
    if python is not None:
        sys.stderr.flush()
        sys.stderr = python
    if kept >= 0:
        os.dup2(kept, _ERRORS)
        os.close(kept)


def _is_the_systems(stream: TextIO | None) -> bool:
    """Return whether a stream of Python's writes to the system's standard error."""
    try:
        return stream is not None and stream.fileno() == _ERRORS
    except (OSError, ValueError, AttributeError):
        return False
