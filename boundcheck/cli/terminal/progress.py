"""Progress with remaining time: a bar on a terminal, a line now and then elsewhere; and that there is work at all."""

from __future__ import annotations

import math
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boundcheck.cli.terminal import signals
from boundcheck.files.display import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boundcheck.workers.progress import Progress

_EVERY = 5.0
"""Seconds between two lines where there is no terminal."""
_LITTLE = 0.05
"""Share of the work after which what is left can be told from what is done."""


@dataclass
class Clock:
    """The seconds that are left, from the share that is done; a share of 0, or what comes after an end, begins a stage.

    What was spent before a stage, on planning it, says nothing of what is left of it.  A share may fall within a stage,
    where what is left turns out to be dearer.
    """

    start: float = field(default_factory=time.monotonic)
    now: float = field(default_factory=time.monotonic)
    ended: bool = False

    def seconds_left(self, done: int, total: int, share: float) -> float:
        """Return the seconds that are left when `share` of the work is done; all done, a stage is at its end."""
        if self.ended:
            self.start = self.now
        self.now, self.ended = time.monotonic(), done == total
        if share == 0:
            self.start = self.now
        return (self.now - self.start) * (1 - share) / share if share >= _LITTLE else math.inf


@dataclass
class _Silence:
    """How long nothing was said, and whether a bar says all there is to say."""

    since: float = 0.0
    bars: int = 0


_silence = _Silence()
_PATIENCE = 2.0, 20.0
"""Seconds without a word before a command says that it is at work: on a terminal, and elsewhere."""
_SELDOM = 60.0
"""Most seconds between two such words."""


@contextmanager
def waiting(command: str) -> Iterator[None]:
    """Say now and then for how long a command is at work, where nothing else is said."""
    began = _silence.since = time.monotonic()
    patience, ended = _PATIENCE[not sys.stderr.isatty()], threading.Event()

    def watch() -> None:
        pause = patience
        while not ended.wait(min(pause, 1.0)):
            now = time.monotonic()
            if _silence.bars:
                _silence.since = now
            elif now - _silence.since >= pause:
                _silence.since, pause = now, min(2 * pause, _SELDOM)
                print(
                    f"{printable(command, lines=False)}: at work for {now - began:.0f} s", file=sys.stderr, flush=True
                )

    watcher = threading.Thread(target=watch, daemon=True)
    # It inherits what is held: a signal that reaches this thread alone could not be held back while workers start.
    with signals.hold_signals():
        watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


@contextmanager
def work(what: str, *, shown: bool = True) -> Iterator[Progress | None]:
    """Yield a function to call with (done, all, share of the work), None if nothing is to be shown."""
    if not shown:
        yield None
        return
    what, clock, last = printable(what, lines=False), Clock(), time.monotonic()

    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = TextColumn(what, markup=False), BarColumn(), TextColumn("{task.fields[says]}")
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task(what, total=1.0, says="")

            def bar(done: int, total: int, share: float) -> None:
                left = clock.seconds_left(done, total, share)
                progress.update(task, completed=share, says=f"{done}/{total}, {_seconds(left)}")

            # While a bar moves, nobody has to be told that there is work.
            _silence.bars += 1
            try:
                yield bar
            finally:
                _silence.bars -= 1
        return

    def line(done: int, total: int, share: float) -> None:
        nonlocal last
        left = clock.seconds_left(done, total, share)
        if clock.now - last > _EVERY or done == total:
            last = _silence.since = clock.now
            print(f"{what}: {done}/{total} done, {_seconds(left)}", file=sys.stderr, flush=True)

    yield line


def after_a_while(progress: Progress | None) -> Progress | None:
    """Return what shows progress after two seconds: before, nobody waits."""
    if progress is None:
        return None
    began = time.monotonic()

    def late(done: int, total: int, share: float) -> None:
        if time.monotonic() - began > _PATIENCE[0]:
            progress(done, total, share)

    return late


def _seconds(left: float) -> str:
    return f"{duration(left)} left" if math.isfinite(left) else "just begun"


def duration(seconds: float) -> str:
    """Return a time in words: about so many seconds, minutes or hours."""
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"about {seconds:.0f} s" if seconds < 600 else f"about {f'{hours} h ' if hours else ''}{minutes} min"
