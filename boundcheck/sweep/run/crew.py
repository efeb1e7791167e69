"""Who does the work of a sweep: processes that stay for all of it, a given executor, or this process."""

from __future__ import annotations

import contextlib
import os
import sys
from concurrent.futures import Executor, Future, as_completed
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from boundcheck.errors import LostWorkerError
from boundcheck.sweep.cells.identity import code
from boundcheck.workers.processes import losses_named, pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

T = TypeVar("T")
Arguments = tuple[object, ...]


class QueuedCalls(Generic[T]):
    """Calls that wait behind other work, for processes that have none left; `Crew.follow` makes them.

    Parameters
    ----------
    crew : Crew
    work : callable
    calls : sequence of tuple
        Its arguments, a tuple a call.
    """

    def __init__(self, crew: Crew, work: Callable[..., T], calls: Sequence[Arguments]) -> None:
        self.calls = calls
        self._crew, self._work = crew, work
        self._futures: list[Future[T] | None] = [None] * len(calls)

    def hand_out(self, executor: Executor) -> None:
        """Hand out the calls that no process has, and those that were lost with one."""
        for place, (future, call) in enumerate(zip(self._futures, self.calls, strict=True)):
            if future is None or (future.done() and not _has_result(future)):
                self._futures[place] = executor.submit(self._work, *call)

    def begin(self) -> None:
        """Hand the calls out now."""
        with self._crew.handing_out() as executor:
            if executor is not None:
                self.hand_out(executor)

    def answers(self) -> Iterator[T]:
        """Yield what the calls return, in their order.

        Raises
        ------
        LostWorkerError
            If a worker dies; asked again, new ones do what is not yet answered.
        """
        with self._crew.handing_out() as executor:
            if executor is None:
                yield from (self._work(*call) for call in self.calls)
                return
            self.hand_out(executor)
            for future in self._futures:
                assert future is not None
                yield future.result()


def _has_result(future: Future[Any]) -> bool:
    return not future.cancelled() and future.exception() is None


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
        self._following: list[QueuedCalls[Any]] = []

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
    def has_processes(self) -> bool:
        """Return whether there are own processes."""
        return self._own is not None

    @property
    def processes_here(self) -> int:
        """Return how many processes of this machine work at once: none where an executor is given."""
        return 0 if self._given is not None else self.workers

    def start(self) -> None:
        """Start own processes, which import and read what all work needs while this one plans it."""
        if self._given is None and self.workers > 1:
            with self._whole():
                for _ in range(self.workers):
                    self._open_pool().submit(ready)

    def follow(self, work: Callable[..., T], calls: Sequence[Arguments]) -> QueuedCalls[T]:
        """Return calls that are handed out behind the work of the next `finished`, or once they are asked for."""
        found = QueuedCalls(self, work, calls)
        self._following.append(found)
        return found

    def as_finished(self, work: Callable[..., T], calls: Sequence[Arguments]) -> Iterator[T]:
        """Yield what `work` returns for each of these arguments, as they are done.

        Raises
        ------
        LostWorkerError
            If a worker dies; the next call has new ones.
        """
        if self._given is None and len(calls) < 2:
            yield from (work(*call) for call in calls)
            return
        with self.handing_out() as executor:
            if executor is None:
                yield from (work(*call) for call in calls)
                return
            futures = [executor.submit(work, *call) for call in calls]
            for following in self._following:
                following.hand_out(executor)
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise

    @contextlib.contextmanager
    def handing_out(self) -> Iterator[Executor | None]:
        """Yield what takes calls, own processes started where there are none; None where this process is alone.

        Raises
        ------
        LostWorkerError
            If a worker dies within.
        """
        with self._whole():
            if self._given is not None:
                yield self._given
            else:
                yield None if self.workers == 1 else self._open_pool()

    def _open_pool(self) -> Executor:
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
    import boundcheck.sweep.cells.bundles  # noqa: F401

    code()
