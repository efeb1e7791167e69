"""Progress with remaining time: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from boundcheck.cli.output import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EVERY = 5.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def work(what: str, *, shown: bool = True) -> Iterator[Callable[[int, int, float], None] | None]:
    """Yield a function to call with (done, all, share of the work), None if nothing is to be shown."""
    if not shown:
        yield None
        return
    what = printable(what)
    start = last = time.monotonic()

    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn(what, markup=False),
            BarColumn(),
            TextColumn("{task.fields[cells]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task(what, total=1.0, cells="")

            def bar(done: int, total: int, share: float) -> None:
                progress.update(task, completed=share, cells=f"{done}/{total}")

            yield bar
        return

    def line(done: int, total: int, share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if share > 0 and (now - last > _EVERY or done == total):
            last = now
            left = (now - start) * (1 - share) / share
            print(f"{what}: {done}/{total} done, about {left:.0f} s left", file=sys.stderr, flush=True)

    yield line
