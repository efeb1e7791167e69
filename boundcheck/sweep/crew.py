"""Who does the work of a sweep: processes that stay for all of it, a given executor, or this process."""

from __future__ import annotations

import contextlib
import os
import sys
from concurrent.futures import Executor, as_completed
from typing import TYPE_CHECKING, TypeVar

from boundcheck.errors import LostWorkerError
from boundcheck.processes import losses_named, pool
from boundcheck.sweep.identity import code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

T = TypeVar("T")


class Crew:
    """Hands out work; a context, whose end is that of its own processes.

    Parameters
    ----------
    workers : int, optional
        Own processes; by default one a core.  One worker is this process.
    executor : Executor, optional
        Any `concurrent.futures` executor in their place.
    """

    def __init__(self, workers: int | None = None, executor: Executor | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._given = executor
        self._own: Executor | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Crew:
        """Return the crew; no process is started."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes, and what they do if there is an error."""
        stack, self._stack, self._own = self._stack, contextlib.ExitStack(), None
        stack.__exit__(kind, error, trace)

    @property
    def started(self) -> bool:
        """Return whether there are own processes."""
        return self._own is not None

    def start(self) -> None:
        """Start own processes, which import and read what all work needs while this one plans it."""
        if self._given is None and self.workers > 1:
            with self._whole():
                for _ in range(self.workers):
                    self._opened().submit(ready)

    def finished(self, work: Callable[..., T], calls: Sequence[tuple[object, ...]]) -> Iterator[T]:
        """Yield what `work` returns for each of these arguments, as they are done.

        Raises
        ------
        LostWorkerError
            If a worker dies; the next call has new ones.
        """
        if self._given is None and (self.workers == 1 or len(calls) < 2):
            yield from (work(*call) for call in calls)
            return
        with self._whole():
            executor = self._opened() if self._given is None else self._given
            futures = [executor.submit(work, *call) for call in calls]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise

    def _opened(self) -> Executor:
        if self._own is None:
            self._own = self._stack.enter_context(pool(self.workers))
        return self._own

    @contextlib.contextmanager
    def _whole(self) -> Iterator[None]:
        """Leave processes of which one was lost."""
        try:
            with losses_named():
                yield
        except LostWorkerError:
            self.__exit__(*sys.exc_info())
            raise


def ready() -> None:
    """Import what a bundle needs, and read the source whose hash results carry."""
    import pyarrow.parquet  # noqa: F401
    import scipy.special  # noqa: F401

    import boundcheck.sweep.bundles  # noqa: F401

    code()
